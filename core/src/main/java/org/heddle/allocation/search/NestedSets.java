package org.heddle.allocation.search;

import org.heddle.allocation.Bits;

/** Choosing link sets each inside the next, from the smallest. */
final class NestedSets {
  private NestedSets() {}

  /**
   * Adds the lowest bits of a mask until the set has the size wanted.
   *
   * @param set a subset of the mask, changed
   * @param have its size
   * @return the size afterwards
   */
  static int grow(long[] set, int have, long[] mask, int at, int wanted, int words) {
    if (words == 1) {
      long more = Bits.lowest(mask[at] & ~set[0], Math.max(0, wanted - have));
      set[0] |= more;
      return have + Long.bitCount(more);
    }
    int n = have;
    for (int b = Bits.next(mask, at, words, 0);
        n < wanted && b >= 0;
        b = Bits.next(mask, at, words, b + 1)) {
      if (!Bits.get(set, 0, b)) {
        Bits.set(set, 0, b);
        n++;
      }
    }
    return n;
  }
}
