package org.heddle.allocation;

/**
 * Bit masks of a fixed number of longs inside bigger arrays: a switch of up to 64 ports takes one
 * long, bigger ones more. Bit i is {@code a[at + i / 64] >>> i & 1}. All O(words).
 */
public final class Bits {
  private Bits() {}

  /** Longs that hold so many bits, at least 1. */
  public static int words(int bits) {
    return Math.max(1, (bits + 63) >>> 6);
  }

  /** Number of bits set. */
  public static int count(long[] a, int at, int words) {
    if (words == 1) {
      return Long.bitCount(a[at]);
    }
    int n = 0;
    for (int w = 0; w < words; w++) {
      n += Long.bitCount(a[at + w]);
    }
    return n;
  }

  /** Number of bits set in both. */
  public static int countBoth(long[] a, int at, long[] b, int bt, int words) {
    int n = 0;
    for (int w = 0; w < words; w++) {
      n += Long.bitCount(a[at + w] & b[bt + w]);
    }
    return n;
  }

  /** {@code out = a & b}; returns the number of bits set in it. */
  public static int and(long[] a, int at, long[] b, int bt, long[] out, int ot, int words) {
    int n = 0;
    for (int w = 0; w < words; w++) {
      long v = a[at + w] & b[bt + w];
      out[ot + w] = v;
      n += Long.bitCount(v);
    }
    return n;
  }

  /** True if every bit of a is set in b. */
  public static boolean subset(long[] a, int at, long[] b, int bt, int words) {
    for (int w = 0; w < words; w++) {
      if ((a[at + w] & ~b[bt + w]) != 0) {
        return false;
      }
    }
    return true;
  }

  /** True if the masks have a bit in common. */
  public static boolean meet(long[] a, int at, long[] b, int bt, int words) {
    for (int w = 0; w < words; w++) {
      if ((a[at + w] & b[bt + w]) != 0) {
        return true;
      }
    }
    return false;
  }

  /** True if bit i is set. */
  public static boolean get(long[] a, int at, int i) {
    return (a[at + (i >>> 6)] >>> i & 1) != 0;
  }

  /** Sets bit i. */
  public static void set(long[] a, int at, int i) {
    a[at + (i >>> 6)] |= 1L << i;
  }

  /** Clears bit i. */
  public static void clear(long[] a, int at, int i) {
    a[at + (i >>> 6)] &= ~(1L << i);
  }

  /** The lowest bit set at or after {@code from}, or -1. */
  public static int next(long[] a, int at, int words, int from) {
    int w = from >>> 6;
    if (w >= words) {
      return -1;
    }
    long v = a[at + w] & -1L << from;
    while (v == 0) {
      if (++w == words) {
        return -1;
      }
      v = a[at + w];
    }
    return (w << 6) + Long.numberOfTrailingZeros(v);
  }

  /** Adds the lowest {@code n} bits of {@code from} to {@code to}; {@code from} has them. */
  public static void addLowest(long[] from, int ft, int n, long[] to, int tt, int words) {
    if (words == 1) {
      to[tt] |= lowest(from[ft], n);
      return;
    }
    int bit = -1;
    for (int i = 0; i < n; i++) {
      bit = next(from, ft, words, bit + 1);
      set(to, tt, bit);
    }
  }

  /** The lowest n bits set of a mask; all of them if it has fewer. */
  public static long lowest(long mask, int n) {
    long rest = mask;
    for (int i = 0; i < n; i++) {
      rest &= rest - 1;
    }
    return mask & ~rest;
  }
}
