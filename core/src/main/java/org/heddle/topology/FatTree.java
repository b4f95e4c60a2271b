package org.heddle.topology;

/**
 * A fat-tree as recognised in a fabric: the level of every switch and the leaves in tree order.
 *
 * <p>Level 1 are the leaf switches, {@link #levels()} the roots; a link between two switches goes
 * up if the level rises along it. Links inside a level may exist in the fabric; they are no tree
 * links and the recogniser has reported them. Immutable.
 */
public final class FatTree {
  private final int levels;
  private final int[] level;
  private final int[] leaves;
  private final int[] leafIndex;

  /**
   * Takes ownership of the arrays.
   *
   * @param levels height h, at least 1
   * @param level level by switch id, 1..levels; 0 for a switch that is no part of the tree
   * @param leaves leaf switches in tree order: those of one sub-tree are contiguous at every level,
   *     so that the position of a host in this order is its index in the closed forms of PGFT
   *     routing
   */
  public FatTree(int levels, int[] level, int[] leaves) {
    this.levels = levels;
    this.level = level;
    this.leaves = leaves;
    this.leafIndex = new int[level.length];
    java.util.Arrays.fill(leafIndex, -1);
    for (int i = 0; i < leaves.length; i++) {
      leafIndex[leaves[i]] = i;
    }
  }

  /** Height: the level of the roots. */
  public int levels() {
    return levels;
  }

  /** Level of a switch, 1..levels, or 0 if it is no part of the tree. */
  public int level(int sw) {
    return level[sw];
  }

  /** Number of leaf switches. */
  public int leafCount() {
    return leaves.length;
  }

  /** The i-th leaf switch in tree order. */
  public int leaf(int i) {
    return leaves[i];
  }

  /** Position of a switch in {@link #leaf(int)} order, or -1 if it is no leaf. */
  public int leafIndex(int sw) {
    return leafIndex[sw];
  }

  /** True if the switch is a leaf. */
  public boolean isLeaf(int sw) {
    return leafIndex[sw] >= 0;
  }
}
