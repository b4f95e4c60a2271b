package org.heddle.control;

import java.time.Duration;

/**
 * How long to wait between looks at the fabric: a multiple of what a look takes, so that looks cost
 * the same share of time whatever the size of the fabric, within limits.
 *
 * @param least when looks take no time
 * @param most however long they take, and before something that failed is tried again
 * @param times multiple of the time of the last look
 */
public record Pace(Duration least, Duration most, int times) {
  public Pace {
    if (least.compareTo(most) > 0 || times < 0) {
      throw new IllegalArgumentException("no pace: " + least + " to " + most + ", " + times);
    }
  }

  /** Always the same time. */
  public static Pace every(Duration interval) {
    return new Pace(interval, interval, 0);
  }

  /** The time to wait after a look that took so long. */
  Duration after(long lookNanos) {
    Duration wanted = Duration.ofNanos(lookNanos).multipliedBy(times);
    if (wanted.compareTo(least) < 0) {
      return least;
    }
    return wanted.compareTo(most) > 0 ? most : wanted;
  }

  @Override
  public String toString() {
    return least.equals(most)
        ? most.toMillis() + " ms"
        : least.toMillis() + " to " + most.toMillis() + " ms";
  }
}
