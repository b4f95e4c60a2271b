package org.heddle.schedule;

import java.util.Optional;

/** Areas under the curves of a simulation, from the first blocked request on. */
final class Meter {
  private static final int REQUESTED = 0;
  private static final int ROUNDED = 1;
  private static final int FRAGMENTED = 2;
  private static final int SHORT = 3;
  private static final int LULL = 4;
  private static final int LINKS = 5;

  private final int hosts;
  private final int links;
  private final double[] area = new double[LINKS + 1];
  private double[] areaAtEnd;
  private long from = -1;
  private long to;
  private long last;
  private boolean waited;

  Meter(int hosts, int links) {
    this.hosts = hosts;
    this.links = links;
  }

  /** A request has to wait, for the first time or again. */
  void blocked(long now) {
    if (from < 0) {
      from = now;
      last = now;
    }
    waited = true;
  }

  /** The state has been the same since the last call. @param head size of the first, 0 for none */
  void advance(long now, int requested, int held, int heldLinks, int head) {
    if (from < 0) {
      return;
    }
    double dt = now - last;
    int free = hosts - held;
    area[REQUESTED] += dt * requested;
    area[ROUNDED] += dt * (held - requested);
    area[head == 0 ? LULL : head <= free ? FRAGMENTED : SHORT] += dt * free;
    area[LINKS] += dt * heldLinks;
    last = now;
  }

  /** Nobody waits: the end, unless somebody has to wait again. */
  void queueEmpty(long now) {
    if (waited) {
      waited = false;
      to = now;
      areaAtEnd = area.clone();
    }
  }

  /** The averages; empty if there is no time to average over. */
  Optional<ScheduleResult.Steady> steady(long now) {
    if (from < 0) {
      return Optional.empty();
    }
    queueEmpty(now);
    double span = to - from;
    if (span <= 0) {
      return Optional.empty();
    }
    double all = span * hosts;
    return Optional.of(
        new ScheduleResult.Steady(
            from,
            to,
            areaAtEnd[REQUESTED] / all,
            areaAtEnd[ROUNDED] / all,
            areaAtEnd[FRAGMENTED] / all,
            areaAtEnd[SHORT] / all,
            areaAtEnd[LULL] / all,
            links == 0 ? 0 : areaAtEnd[LINKS] / (span * links)));
  }
}
