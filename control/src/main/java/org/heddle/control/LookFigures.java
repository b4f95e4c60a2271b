package org.heddle.control;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.heddle.control.port.FabricAgent.Figure;

/** How many looks at the fabric there were, and how long they took. Thread-safe. */
final class LookFigures {
  private static final double NANOS = 1e9;

  private final AtomicLong looks = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final AtomicLong nanos = new AtomicLong();
  private final AtomicLong last = new AtomicLong();

  void ended(long tookNanos, boolean done) {
    looks.incrementAndGet();
    nanos.addAndGet(tookNanos);
    last.set(tookNanos);
    if (!done) {
      failed.incrementAndGet();
    }
  }

  List<Figure> figures() {
    return List.of(
        new Figure("fabric_looks_total", true, "Looks at the fabric", looks.get()),
        new Figure("fabric_looks_failed_total", true, "Looks that failed", failed.get()),
        new Figure("fabric_look_seconds_total", true, "Time that looks took", nanos.get() / NANOS),
        new Figure(
            "fabric_last_look_seconds", false, "Time that the last look took", last.get() / NANOS));
  }
}
