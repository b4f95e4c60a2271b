package org.heddle.control;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.heddle.control.port.FabricAgent.Figure;

/** How many looks at the fabric there were, and how long they took. Thread-safe. */
final class LookFigures {
  private static final double NANOS = 1e9;

  private final AtomicLong looks = new AtomicLong();
  private final AtomicLong drifts = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final AtomicLong nanos = new AtomicLong();
  private final AtomicLong last = new AtomicLong();
  private final LongSupplier clock;
  private final long origin;

  /** When the last look ended, since the origin; -1 if none did. */
  private final AtomicLong ended = new AtomicLong(-1);

  /** When what is under way began, since the origin; -1 if nothing is. */
  private final AtomicLong began = new AtomicLong(-1);

  /** By the clock of the system. */
  LookFigures() {
    this(System::nanoTime);
  }

  /** By a clock that never goes back, in nanoseconds. */
  LookFigures(LongSupplier clock) {
    this.clock = clock;
    this.origin = clock.getAsLong();
  }

  /** Does what a look and its consequences are; how long it has been under way can be asked. */
  <T> T timed(Supplier<T> pass) {
    began.set(now());
    try {
      return pass.get();
    } finally {
      began.set(-1);
    }
  }

  private long now() {
    return clock.getAsLong() - origin;
  }

  /** How long a look with its consequences has been under way; zero if none is. */
  Duration underWay() {
    long since = began.get();
    return since < 0 ? Duration.ZERO : Duration.ofNanos(now() - since);
  }

  void ended(long tookNanos, boolean done) {
    looks.incrementAndGet();
    nanos.addAndGet(tookNanos);
    last.set(tookNanos);
    ended.set(now());
    if (!done) {
      failed.incrementAndGet();
    }
  }

  /** Somebody else had changed something. */
  void drifted() {
    drifts.incrementAndGet();
  }

  List<Figure> figures() {
    List<Figure> out = new ArrayList<>();
    long at = ended.get();
    if (at >= 0) {
      out.add(
          new Figure(
              "fabric_look_age_seconds",
              false,
              "Time since the last look ended",
              (now() - at) / NANOS));
    }
    out.addAll(counted());
    return out;
  }

  private List<Figure> counted() {
    return List.of(
        new Figure(
            "fabric_pass_seconds",
            false,
            "Time for which a look and its consequences have been under way, 0 if none is",
            underWay().toNanos() / NANOS),
        new Figure("fabric_looks_total", true, "Looks at the fabric", looks.get()),
        new Figure(
            "fabric_drifts_total", true, "Looks that found what others changed", drifts.get()),
        new Figure("fabric_looks_failed_total", true, "Looks that failed", failed.get()),
        new Figure("fabric_look_seconds_total", true, "Time that looks took", nanos.get() / NANOS),
        new Figure(
            "fabric_last_look_seconds", false, "Time that the last look took", last.get() / NANOS));
  }
}
