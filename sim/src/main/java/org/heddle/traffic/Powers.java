package org.heddle.traffic;

/** Powers of two. */
final class Powers {
  private Powers() {}

  /** The smallest l with 2^l >= n; 0 for n below 2. */
  static int ceilLog2(int n) {
    return n < 2 ? 0 : 32 - Integer.numberOfLeadingZeros(n - 1);
  }

  /** The largest l with 2^l <= n; 0 for n below 1. */
  static int floorLog2(int n) {
    return n < 1 ? 0 : 31 - Integer.numberOfLeadingZeros(n);
  }
}
