package org.heddle.allocation.search;

import java.util.Arrays;
import org.heddle.allocation.Bits;

/**
 * Link sets that need not be nested, for damaged trees: members of a chain whose links would all
 * have to come from one common set may have any sets of which every two share enough.
 *
 * <p>With members in falling order of degree d_1 &gt;= d_2 &gt;= .. and cap = min(d_1, sum - d_1),
 * sets are good for every traffic if, for some b, every two of the first b members share cap links
 * or more, and the set of each later member i lies inside all sets before it and has d_i + d_(i+1)
 * + .. links. Proof: give the first b members one imaginary set of cap links around the later
 * members' sets; that is a nested chain, so it has a colouring. Keep what uses the later members'
 * links. What is left has degree at most cap less their number, runs between the first b members,
 * and has at least as many real links to choose from on every edge: by Galvin's theorem (a
 * bipartite multigraph can be coloured from lists as long as its degree; J. Combin. Theory B 63,
 * 1995) it has a colouring, too. For members of equal degree the condition is necessary as well:
 * two of them may send everything to each other.
 *
 * <p>O(members^2 * words) to check, O(members^2 * links) to choose.
 */
public final class PairSets {
  private final int words;
  private long[] set = new long[0];
  private int[] shared = new int[0];
  private int[] suffix = new int[0];
  private long[] common;
  private int members;
  private int cap;

  /** For masks of so many longs. */
  PairSets(int words) {
    this.words = words;
    common = new long[words];
  }

  /**
   * Chooses sets for members in falling order of degree.
   *
   * @param degree links' worth of traffic by member
   * @param from free links, the i-th member's at {@code i * words}
   * @return false if there are none
   */
  boolean choose(int[] degree, int count, long[] from) {
    members = count;
    grow();
    suffix[count] = 0;
    for (int i = count - 1; i >= 0; i--) {
      suffix[i] = suffix[i + 1] + degree[i];
    }
    cap = count < 2 ? 0 : Math.min(degree[0], suffix[1]);
    int b = count;
    while (b > 1 && suffix[b - 1] < cap) {
      b--;
    }
    if (!pairsShare(from, 0, b)) {
      return false;
    }
    while (b < count && !tailsFit(from, b)) {
      if (!pairsShare(from, b, b + 1)) {
        return false;
      }
      b++;
    }
    fill(from, b);
    return true;
  }

  private void grow() {
    if (set.length < members * words || suffix.length <= members) {
      set = new long[2 * members * words];
      suffix = new int[2 * members + 1];
    }
  }

  /** True if each of those members shares cap links with all before it. */
  private boolean pairsShare(long[] from, int first, int end) {
    for (int i = first; i < end; i++) {
      for (int j = 0; j <= i; j++) {
        if (Bits.countBoth(from, i * words, from, j * words, words) < cap) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean tailsFit(long[] from, int b) {
    intersect(from, b);
    for (int i = b; i < members; i++) {
      if (Bits.and(common, 0, from, i * words, common, 0, words) < suffix[i]) {
        return false;
      }
    }
    return true;
  }

  private void intersect(long[] from, int count) {
    Arrays.fill(common, -1L);
    for (int i = 0; i < count; i++) {
      Bits.and(common, 0, from, i * words, common, 0, words);
    }
  }

  private void fill(long[] from, int b) {
    Arrays.fill(set, 0, members * words, 0);
    long[] inner = new long[words];
    int have = 0;
    for (int i = members - 1; i >= b; i--) {
      intersect(from, i + 1);
      have = NestedSets.grow(inner, have, common, 0, suffix[i], words);
      System.arraycopy(inner, 0, set, i * words, words);
    }
    intersect(from, b);
    if (Bits.count(common, 0, words) >= cap) {
      NestedSets.grow(inner, have, common, 0, cap, words);
      for (int i = 0; i < b; i++) {
        System.arraycopy(inner, 0, set, i * words, words);
      }
      return;
    }
    System.arraycopy(from, 0, set, 0, b * words);
    drop(inner, b);
  }

  /** Takes links away while every two members share enough, those of fewest members first. */
  private void drop(long[] keep, int b) {
    if (shared.length < b * b) {
      shared = new int[b * b];
    }
    for (int i = 0; i < b; i++) {
      for (int j = 0; j < b; j++) {
        shared[i * b + j] = Bits.countBoth(set, i * words, set, j * words, words);
      }
    }
    int width = words * 64;
    long[] keys = new long[width];
    int n = 0;
    for (int p = 0; p < width; p++) {
      int users = 0;
      for (int i = 0; i < b; i++) {
        users += Bits.get(set, i * words, p) ? 1 : 0;
      }
      if (users > 0 && !Bits.get(keep, 0, p)) {
        keys[n++] = (long) users << 32 | width - p;
      }
    }
    Arrays.sort(keys, 0, n);
    for (int k = 0; k < n; k++) {
      int p = width - (int) keys[k];
      for (int i = 0; i < b; i++) {
        if (Bits.get(set, i * words, p) && mayDrop(i, p, b)) {
          dropOne(i, p, b);
        }
      }
    }
  }

  private boolean mayDrop(int i, int p, int b) {
    for (int j = 0; j < b; j++) {
      if (shared[i * b + j] <= cap && Bits.get(set, j * words, p)) {
        return false;
      }
    }
    return true;
  }

  private void dropOne(int i, int p, int b) {
    Bits.clear(set, i * words, p);
    for (int j = 0; j < b; j++) {
      if (j != i && Bits.get(set, j * words, p)) {
        shared[i * b + j]--;
        shared[j * b + i]--;
      }
    }
    shared[i * b + i]--;
  }

  // ---- what was chosen

  /** The sets, the i-th member's at {@code i * words}. */
  long[] sets() {
    return set;
  }

  /** Links of the i-th member. */
  int size(int i) {
    return Bits.count(set, i * words, words);
  }
}
