package org.heddle.fabric;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * The rates that InfiniBand gives numbers to, in path records and multicast groups (volume 1 of the
 * specification, PathRecord component Rate; those above 300 Gbit/s as OpenSM has them since 3.3.23
 * and 3.3.24).
 *
 * @param code its number
 * @param gigabits signalling rate in Gbit/s
 */
public record PathRate(int code, double gigabits) {
  private static final List<PathRate> ALL =
      List.of(
          new PathRate(2, 2.5),
          new PathRate(5, 5),
          new PathRate(3, 10),
          new PathRate(11, 14),
          new PathRate(6, 20),
          new PathRate(15, 25),
          new PathRate(19, 28),
          new PathRate(4, 30),
          new PathRate(7, 40),
          new PathRate(20, 50),
          new PathRate(12, 56),
          new PathRate(8, 60),
          new PathRate(9, 80),
          new PathRate(16, 100),
          new PathRate(13, 112),
          new PathRate(10, 120),
          new PathRate(14, 168),
          new PathRate(17, 200),
          new PathRate(18, 300),
          new PathRate(21, 400),
          new PathRate(22, 600),
          new PathRate(23, 800),
          new PathRate(24, 1200));

  /** The MTUs that InfiniBand gives numbers to, in bytes: from number 1. */
  private static final int[] MTUS = {256, 512, 1024, 2048, 4096};

  /** All of them, the slowest first. */
  public static List<PathRate> all() {
    return ALL;
  }

  /** The rate of so many Gbit/s, or empty if InfiniBand has no number for that. */
  public static Optional<PathRate> of(double gigabits) {
    return ALL.stream().filter(r -> r.gigabits == gigabits).findFirst();
  }

  /** The rate of a number, or empty if nothing has it. */
  public static Optional<PathRate> ofCode(int code) {
    return ALL.stream().filter(r -> r.code == code).findFirst();
  }

  /** All of them in words: {@code 2.5, 5, 10, ...}. */
  public static String words() {
    return String.join(", ", ALL.stream().map(r -> text(r.gigabits)).toList());
  }

  /** Gbit/s without a fraction that says nothing. */
  public static String text(double gigabits) {
    return gigabits == Math.rint(gigabits)
        ? Long.toString((long) gigabits)
        : Double.toString(gigabits);
  }

  /**
   * What a link can carry at most, in Gbit/s as rates count it: by the signals on its lanes, not by
   * what is left of them for data. Empty if speed or width is unknown.
   */
  public static OptionalDouble ofLink(LinkSpeed speed, LinkWidth width) {
    double gigabits = speed.laneGigabits() * width.lanes();
    return gigabits == 0 ? OptionalDouble.empty() : OptionalDouble.of(gigabits);
  }

  /** The same of the link at a port; empty, too, if there is none. */
  public static OptionalDouble ofLink(Fabric fabric, int port) {
    return fabric.peer(port) == Fabric.NONE
        ? OptionalDouble.empty()
        : ofLink(fabric.speed(port), fabric.width(port));
  }

  /** All MTUs in bytes, the smallest first. */
  public static List<Integer> mtus() {
    return Arrays.stream(MTUS).boxed().toList();
  }

  /** The number of an MTU in bytes, or empty if it has none. */
  public static OptionalInt mtuCode(int bytes) {
    int at = Arrays.binarySearch(MTUS, bytes);
    return at < 0 ? OptionalInt.empty() : OptionalInt.of(at + 1);
  }

  /** The MTU of a number, in bytes, or empty. */
  public static OptionalInt mtuOfCode(int code) {
    return code < 1 || code > MTUS.length ? OptionalInt.empty() : OptionalInt.of(MTUS[code - 1]);
  }
}
