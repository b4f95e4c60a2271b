package org.heddle.peer;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How many looks at the fabric, and how long, a controller needs until it is as it should be. */
final class Looks implements AutoCloseable {
  private static final Pattern FIGURES =
      Pattern.compile("(?m)^heddle_(in_sync|fabric_looks_total)(?:\\{[^}]*})? (\\d+)");

  private record Sample(long nanos, long looks, boolean inSync) {}

  private final LiveController serve;
  private final Thread thread;
  private final List<Sample> samples = new ArrayList<>();
  private final List<Long> took = new ArrayList<>();
  private final List<Long> millis = new ArrayList<>();
  private Sample mark;
  private volatile boolean closed;

  Looks(LiveController serve) {
    this.serve = serve;
    thread = Thread.ofPlatform().daemon().start(this::run);
  }

  private void run() {
    while (!closed) {
      Sample now = sample();
      synchronized (samples) {
        samples.add(now);
      }
    }
  }

  private Sample sample() {
    long looks = -1;
    boolean inSync = false;
    Matcher m = FIGURES.matcher(serve.answer("GET", "/metrics", "").body());
    while (m.find()) {
      long value = Long.parseLong(m.group(2));
      looks = m.group(1).equals("in_sync") ? looks : value;
      inSync = m.group(1).equals("in_sync") ? value == 1 : inSync;
    }
    return new Sample(System.nanoTime(), looks, inSync);
  }

  /** Something is about to happen. */
  void mark() {
    mark = sample();
  }

  /** All is well again: counts from the last sample that said that something was not. */
  void settled() {
    synchronized (samples) {
      Sample last = mark;
      for (int i = 0; i < samples.size(); i++) {
        Sample s = samples.get(i);
        if (s.nanos > mark.nanos && !s.inSync && i + 1 < samples.size()) {
          last = samples.get(i + 1);
        }
      }
      took.add(last.looks - mark.looks);
      millis.add((last.nanos - mark.nanos) / 1_000_000);
      samples.clear();
    }
  }

  /** What was counted, for people. */
  String summary() {
    return "%d events; looks until in sync: p50 %d, p95 %d, most %d; ms: p50 %d, p95 %d, most %d"
        .formatted(
            took.size(),
            at(took, 50),
            at(took, 95),
            at(took, 100),
            at(millis, 50),
            at(millis, 95),
            at(millis, 100));
  }

  private static long at(List<Long> all, int percent) {
    List<Long> sorted = all.stream().sorted().toList();
    return sorted.isEmpty() ? 0 : sorted.get(Math.max(0, sorted.size() * percent / 100 - 1));
  }

  @Override
  public void close() {
    closed = true;
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException _) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
