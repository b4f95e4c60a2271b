package org.heddle.draw.layout;

import java.util.Arrays;
import java.util.Comparator;
import org.heddle.topology.FatTree;

/**
 * Sub-trees and planes of a recognised tree, and the order in which its switches are drawn.
 *
 * <p>{@code below(i)} numbers the components when only levels up to i are kept: the sub-trees of
 * level i. {@code above(i)} numbers those of the levels from i upwards: at i = 2 of a three-level
 * tree the planes. Switches of one level are ordered by (sub-trees from the outermost inwards,
 * planes from the outermost inwards, id); in an undamaged tree this puts the switches of one plane
 * at the same place of every sub-tree. O(levels * links).
 */
public final class TreeShape {
  private final FatTree tree;
  private final int[][] below;
  private final int[][] above;
  private final int[][] rows; // switches by level, in drawing order

  public TreeShape(FatTree tree, Cables cables, int switches) {
    this.tree = tree;
    int h = tree.levels();
    below = new int[h + 1][];
    above = new int[h + 2][];
    int[] fromLeaves = inOrder(switches, leavesFirst());
    int[] fromRoots = inOrder(switches, Comparator.naturalOrder());
    for (int i = 1; i <= h; i++) {
      below[i] = components(cables, switches, 1, i).numbers(fromLeaves);
      above[i] = components(cables, switches, i, h).numbers(fromRoots);
    }
    rows = new int[h + 1][];
    for (int i = 1; i <= h; i++) {
      int level = i;
      rows[i] =
          Arrays.stream(inOrder(switches, drawingOrder(i)))
              .filter(sw -> tree.level(sw) == level)
              .toArray();
    }
  }

  private Components components(Cables cables, int switches, int from, int to) {
    Components c = new Components(switches);
    for (int s = 0; s < cables.strands(); s++) {
      int a = tree.level(cables.lower(s));
      int b = tree.level(cables.upper(s));
      if (a != b && Math.min(a, b) >= from && Math.max(a, b) <= to) {
        c.join(cables.lower(s), cables.upper(s));
      }
    }
    return c;
  }

  private int[] inOrder(int switches, Comparator<Integer> order) {
    Integer[] boxed = new Integer[switches];
    Arrays.setAll(boxed, i -> i);
    Arrays.sort(boxed, order);
    return Arrays.stream(boxed).mapToInt(Integer::intValue).toArray();
  }

  private Comparator<Integer> leavesFirst() {
    return Comparator.<Integer>comparingInt(this::leafKey).thenComparing(sw -> sw);
  }

  private int leafKey(int sw) {
    return tree.isLeaf(sw) ? tree.leafIndex(sw) : Integer.MAX_VALUE;
  }

  private Comparator<Integer> drawingOrder(int level) {
    Comparator<Integer> order = Comparator.comparingInt(sw -> 0);
    for (int i = tree.levels(); i >= level; i--) {
      int[] key = below[i];
      order = order.thenComparingInt(sw -> key[sw]);
    }
    if (level == 1) {
      return order.thenComparingInt(this::leafKey).thenComparing(sw -> sw);
    }
    for (int i = 2; i <= level; i++) {
      int[] key = above[i];
      order = order.thenComparingInt(sw -> key[sw]);
    }
    return order.thenComparing(sw -> sw);
  }

  public int levels() {
    return tree.levels();
  }

  /** Switches of a level, 1..levels, from left to right. */
  public int[] row(int level) {
    return rows[level];
  }

  /** Sub-tree of level {@code level} a switch belongs to; only for switches up to that level. */
  public int below(int level, int sw) {
    return below[level][sw];
  }

  /**
   * The group of roots or inner switches that hang together when the levels below {@code level} are
   * cut away: a plane.
   */
  public int above(int level, int sw) {
    return above[level][sw];
  }
}
