package org.heddle.pathcache;

/**
 * What a path record says about a path, addresses aside.
 *
 * @param megabits rate of the slowest link, Mbit/s
 * @param mtuCode smallest MTU of the links, 1 = 256 bytes .. 5 = 4096 bytes
 */
public record PathQuality(int megabits, int mtuCode) {
  /** True if packets as large as the other allows do not pass here. */
  public boolean isTooNarrowFor(PathQuality record) {
    return record.mtuCode > mtuCode;
  }

  /** True if a sender that trusts the record sends faster than this path carries. */
  public boolean isTooSlowFor(PathQuality record) {
    return record.megabits > megabits;
  }

  /** The worse of both in each respect. */
  PathQuality and(PathQuality other) {
    return new PathQuality(Math.min(megabits, other.megabits), Math.min(mtuCode, other.mtuCode));
  }
}
