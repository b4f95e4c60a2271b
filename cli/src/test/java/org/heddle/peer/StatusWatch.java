package org.heddle.peer;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Asks a controller all the while whether all is well, and reads the fabric all the while to know
 * whether it is. A time at which the first said yes and the second no is a lie; the longest is
 * remembered.
 */
final class StatusWatch implements AutoCloseable {
  private static final long STATUS_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long READING_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private record Sample(long nanos, boolean inSync, Set<String> problems) {}

  private record Reading(long from, long to, String wrong) {}

  private record Took(long seen, long settled) {}

  private final Supplier<LiveController> serve;
  private final LiveReading reader;
  private final Set<Long> managers;
  private final List<Thread> threads = new ArrayList<>();
  private final List<Sample> samples = new ArrayList<>();
  private final List<Reading> readings = new ArrayList<>();
  private final Map<String, List<Took>> took = new TreeMap<>();
  private Map<Long, String> keys;
  private volatile boolean closed;
  private volatile BooleanSupplier wrong = () -> false;
  private volatile String wrongWhat = "";
  private Set<String> usual = Set.of();
  private String kind = "";
  private long mark;
  private long lie;
  private String lieWhat = "none";

  /**
   * A watch.
   *
   * @param managers GUIDs of ports whose keys may change: where OpenSM runs it is a full member of
   *     the default partition
   */
  StatusWatch(String via, Set<Long> managers, Supplier<LiveController> serve) {
    this.managers = managers;
    this.serve = serve;
    this.reader = LiveReading.at(via);
  }

  /** All is well now: keys are to stay so. */
  void begin() {
    keys = reader.read().keys();
    threads.add(Thread.ofPlatform().daemon().start(() -> every(STATUS_NANOS, this::sample)));
    threads.add(Thread.ofPlatform().daemon().start(() -> every(READING_NANOS, this::read)));
  }

  private void every(long nanos, Runnable what) {
    while (!closed) {
      long next = System.nanoTime() + nanos;
      what.run();
      LockSupport.parkNanos(Math.max(0, next - System.nanoTime()));
    }
  }

  private void sample() {
    boolean inSync = false;
    Set<String> problems = new HashSet<>();
    try {
      JsonNode f =
          JsonMapper.builder()
              .build()
              .readTree(serve.get().answer("GET", "/v1/fabrics", "").body())
              .get("items")
              .get(0);
      JsonNode status = f.get("status");
      inSync =
          status.get("in_sync").booleanValue()
              && status.get("epoch").longValue() == f.get("epoch").longValue();
      status.get("problems").forEach(p -> problems.add(p.stringValue()));
    } catch (RuntimeException _) {
      inSync = false; // it does not answer: nobody can take that for a yes
    }
    synchronized (this) {
      samples.add(new Sample(System.nanoTime(), inSync, problems));
      notifyAll();
    }
  }

  /** Reads once, and waits until that is done. */
  synchronized void readNow() {
    int before = readings.size();
    awaitThat("a reading", () -> readings.size() > before);
  }

  private void read() {
    long from = System.nanoTime();
    LiveReading.Now now;
    try {
      now = reader.read();
    } catch (RuntimeException _) {
      return; // the fabric changed while it was read
    }
    if (now.silent() > 0) {
      return;
    }
    String why = why(now);
    synchronized (this) {
      readings.add(new Reading(from, System.nanoTime(), why));
      notifyAll();
    }
  }

  private String why(LiveReading.Now now) {
    if (wrong.getAsBoolean()) {
      return wrongWhat;
    }
    if (!now.unreached().isEmpty()) {
      return now.unreached().size() + " pairs not reached: " + now.unreached().getFirst();
    }
    for (Map.Entry<Long, String> e : now.keys().entrySet()) {
      if (!managers.contains(e.getKey()) && !e.getValue().equals(keys.get(e.getKey()))) {
        return "keys at %x: %s, not %s".formatted(e.getKey(), e.getValue(), keys.get(e.getKey()));
      }
    }
    return "";
  }

  /** Something is about to happen. */
  synchronized void mark(String what) {
    kind = what;
    mark = System.nanoTime();
    wrong = () -> false;
    samples.removeIf(s -> s.nanos < mark);
    readings.removeIf(r -> r.from < mark);
  }

  /** Besides what can be read in the fabric, this is wrong for as long as a condition holds. */
  void wrongUntil(String what, BooleanSupplier condition) {
    wrongWhat = what;
    wrong = condition;
  }

  /** Waits until the status says that something is wrong. */
  synchronized void awaitNotClean(String what) {
    awaitThat("trouble " + what, () -> samples.stream().anyMatch(s -> !clean(s)));
  }

  private boolean clean(Sample s) {
    return s.inSync && usual.containsAll(s.problems);
  }

  /**
   * Waits until two readings one after the other find nothing wrong and the status says in sync,
   * and takes stock of the time since the mark.
   */
  synchronized void awaitSettled(String what) {
    awaitThat("all well after " + what, this::settled);
    Sample last = samples.getLast();
    long seen = samples.stream().filter(s -> !clean(s)).mapToLong(Sample::nanos).min().orElse(mark);
    long settled = mark;
    for (Sample s : samples) {
      settled = s.inSync ? settled : s.nanos;
    }
    for (Reading r : readings) {
      settled = r.wrong.isEmpty() ? settled : Math.max(settled, r.to);
    }
    took.computeIfAbsent(kind, _ -> new ArrayList<>())
        .add(new Took((seen - mark) / 1_000_000, (settled - mark) / 1_000_000));
    lies(what);
    usual = last.problems;
  }

  private boolean settled() {
    int n = readings.size();
    return n > 1
        && readings.get(n - 1).wrong.isEmpty()
        && readings.get(n - 2).wrong.isEmpty()
        && !samples.isEmpty()
        && samples.getLast().inSync
        && samples.getLast().nanos > readings.get(n - 2).to;
  }

  /**
   * Wrong readings one after the other are a lie from the last status that was not clean, or else
   * from the first of them, if the status was clean during the last.
   */
  private void lies(String what) {
    long from = -1;
    for (Reading r : readings) {
      if (r.wrong.isEmpty()) {
        from = -1;
        continue;
      }
      long since = from < 0 ? r.from : from;
      long begin = since;
      for (Sample s : samples) {
        if (!clean(s) && s.nanos >= since && s.nanos <= r.to) {
          begin = s.nanos;
        }
      }
      boolean saidClean =
          samples.stream().anyMatch(s -> clean(s) && s.nanos >= r.from && s.nanos <= r.to);
      from = begin;
      if (saidClean && r.to - begin > lie) {
        lie = r.to - begin;
        lieWhat = what + ": " + r.wrong;
      }
    }
  }

  private void awaitThat(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + PeerProcess.DEADLINE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError(
            "no %s; readings %s, last status %s"
                .formatted(
                    what,
                    readings.stream().skip(Math.max(0, readings.size() - 3)).toList(),
                    samples.isEmpty() ? "none" : samples.getLast()));
      }
      try {
        wait(1000);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  /** The longest time, in milliseconds. */
  synchronized long longestLie() {
    return lie / 1_000_000;
  }

  /** What was counted, for people. */
  synchronized String summary() {
    StringBuilder out = new StringBuilder();
    out.append("the status said clean while it was not for at most ")
        .append(longestLie())
        .append(" ms (")
        .append(lieWhat)
        .append(')');
    took.forEach(
        (k, all) -> {
          List<Long> seen = all.stream().map(Took::seen).sorted().toList();
          List<Long> settled = all.stream().map(Took::settled).sorted().toList();
          out.append(
              "%n  %-20s %3d; ms until told: p50 %d, most %d; until well: p50 %d, p95 %d, most %d"
                  .formatted(
                      k,
                      all.size(),
                      at(seen, 50),
                      at(seen, 100),
                      at(settled, 50),
                      at(settled, 95),
                      at(settled, 100)));
        });
    return out.toString();
  }

  private static long at(List<Long> sorted, int percent) {
    return sorted.get(Math.max(0, (sorted.size() * percent + 99) / 100 - 1));
  }

  @Override
  public void close() {
    closed = true;
    for (Thread thread : threads) {
      LockSupport.unpark(thread);
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
    reader.close();
  }
}
