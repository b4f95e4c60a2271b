package org.heddle.verify.links;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/** Permutations of a tenant's hosts, numbered leaf by leaf and sub-tree by sub-tree. */
final class Permutations {
  static final int ADVERSARIAL = 8;

  private static final String[] NAMES = {
    "shift by the largest leaf",
    "shift by the smallest leaf",
    "reversal",
    "shift by half",
    "shift by the largest sub-tree",
    "shift by the smallest sub-tree",
    "small leaves against large ones",
    "shift by one"
  };

  private Permutations() {}

  static String name(int kind) {
    return NAMES[kind];
  }

  static void adversarial(int kind, TenantRoutes routes, int[] to) {
    switch (kind) {
      case 0 -> shift(to, largest(routes.leafSizes()));
      case 1 -> shift(to, smallest(routes.leafSizes()));
      case 2 -> reverse(to);
      case 3 -> shift(to, to.length / 2);
      case 4 -> shift(to, largest(routes.subtreeSizes()));
      case 5 -> shift(to, smallest(routes.subtreeSizes()));
      case 6 -> bySize(routes, to);
      default -> shift(to, 1);
    }
  }

  private static int largest(int[] sizes) {
    return Arrays.stream(sizes).max().orElse(0);
  }

  private static int smallest(int[] sizes) {
    return Arrays.stream(sizes).min().orElse(0);
  }

  private static void shift(int[] to, int by) {
    for (int i = 0; i < to.length; i++) {
      to[i] = (i + by) % to.length;
    }
  }

  private static void reverse(int[] to) {
    for (int i = 0; i < to.length; i++) {
      to[i] = to.length - 1 - i;
    }
  }

  /** Hosts sorted by the size of their leaf, rotated by half: whole leaves change places. */
  private static void bySize(TenantRoutes routes, int[] to) {
    int n = to.length;
    long[] keys = new long[n];
    for (int i = 0; i < n; i++) {
      int leaf = routes.leafOf(i);
      keys[i] = (long) routes.leafSizes()[leaf] << 48 | (long) leaf << 24 | i;
    }
    Arrays.sort(keys);
    for (int i = 0; i < n; i++) {
      int from = (int) (keys[i] & 0xffffff);
      to[from] = (int) (keys[n - 1 - i] & 0xffffff);
    }
  }

  /** Fisher and Yates. */
  static void shuffle(RandomGenerator random, int[] to) {
    for (int i = 0; i < to.length; i++) {
      to[i] = i;
    }
    for (int i = to.length - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      int x = to[i];
      to[i] = to[j];
      to[j] = x;
    }
  }
}
