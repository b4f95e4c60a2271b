package org.heddle.topology;

import java.util.Arrays;
import java.util.Optional;
import org.heddle.fabric.Fabric;

/**
 * A fat-tree as recognised in a fabric: the level of every switch and the leaves in tree order.
 *
 * <p>Level 1 has the leaf switches, level {@link #levels()} the roots; a link between two switches
 * goes up if the level rises along it. The fabric may have links inside a level or across several
 * levels; they are not tree links, and the recogniser has reported them. Immutable; accessors are
 * O(1) unless they say otherwise.
 */
public final class FatTree {
  private final int levels;
  private final int[] level;
  private final int[] leaves;
  private final int[] leafIndex;
  private final TreeStructure structure;

  /**
   * Takes ownership of the arrays. A tree made this way knows levels and leaves only: it has no
   * planes, groups and sub-trees. The recogniser makes complete ones.
   *
   * @param levels height h, at least 1
   * @param level level by switch id, 1..levels; 0 for a switch that is no part of the tree
   * @param leaves leaf switches in tree order: those of one sub-tree are contiguous at every level,
   *     so that the position of a host in this order is its index in the closed forms of PGFT
   *     routing
   */
  public FatTree(int levels, int[] level, int[] leaves) {
    this(levels, level, leaves, TreeStructure.unknown(levels, level.length));
  }

  FatTree(int levels, int[] level, int[] leaves, TreeStructure structure) {
    this.levels = levels;
    this.level = level;
    this.leaves = leaves;
    this.structure = structure;
    this.leafIndex = new int[level.length];
    Arrays.fill(leafIndex, -1);
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

  /** Position of a switch in {@link #leaf(int)} order, or -1 if it is not a leaf. */
  public int leafIndex(int sw) {
    return leafIndex[sw];
  }

  /** True if the switch is a leaf. */
  public boolean isLeaf(int sw) {
    return leafIndex[sw] >= 0;
  }

  // ---- planes and sub-trees

  /**
   * Number of planes: parts of the fabric that no switch-to-switch link joins. Hosts may have ports
   * in several. Parts without any host are not counted.
   */
  public int planeCount() {
    return structure.planeLevels.length;
  }

  /** Plane of a switch, 0.. in leaf order, or {@link Fabric#NONE} if it is no part of the tree. */
  public int plane(int sw) {
    return structure.plane[sw];
  }

  /** Height of a plane. */
  public int planeLevels(int plane) {
    return structure.planeLevels[plane];
  }

  /**
   * The i-level sub-tree of a switch: the connected component it is in when only levels up to i are
   * kept. Numbered per level from 0 in leaf order.
   *
   * @param i 1..levels
   * @return {@link Fabric#NONE} if the switch is above level i or no part of the tree
   */
  public int subtreeOf(int sw, int i) {
    return structure.subtree[i][sw];
  }

  /** Number of i-level sub-trees, i in 1..levels; those without leaf are counted too. */
  public int subtreeCount(int i) {
    return structure.subtreeCount[i];
  }

  /** Switches of the highest level of their plane, by id. A copy. */
  public int[] roots() {
    return structure.roots.clone();
  }

  // ---- port groups

  /** Number of switches one level higher that a switch has links to. */
  public int upGroupCount(int sw) {
    return structure.up.count(sw);
  }

  /** The switch the g-th upward group leads to; groups are in GUID order. */
  public int upGroupSwitch(int sw, int g) {
    return structure.up.peer(sw, g);
  }

  /** Number of parallel links of an upward group. */
  public int upGroupSize(int sw, int g) {
    return structure.up.size(sw, g);
  }

  /** Port number of the k-th link of an upward group, ascending. */
  public int upGroupPort(int sw, int g, int k) {
    return structure.up.port(sw, g, k);
  }

  /** Number of switches one level lower that a switch has links to. */
  public int downGroupCount(int sw) {
    return structure.down.count(sw);
  }

  /** The switch the g-th downward group leads to; groups are in GUID order. */
  public int downGroupSwitch(int sw, int g) {
    return structure.down.peer(sw, g);
  }

  /** Number of parallel links of a downward group. */
  public int downGroupSize(int sw, int g) {
    return structure.down.size(sw, g);
  }

  /** Port number of the k-th link of a downward group, ascending. */
  public int downGroupPort(int sw, int g, int k) {
    return structure.down.port(sw, g, k);
  }

  // ---- what it amounts to

  /**
   * Downward over upward links of a level, summed over its switches; host links count at level 1. 1
   * means not oversubscribed.
   *
   * @param i 1..levels-1
   * @return infinity if the level has no upward link
   */
  public double oversubscription(int i) {
    return (double) structure.downLinks[i] / structure.upLinks[i];
  }

  /**
   * Port ids of hosts attached to switches above level 1 (storage, subnet manager nodes), by id.
   * Aggregation nodes are not among them. A copy.
   */
  public int[] upperHostPorts() {
    return structure.upperHostPorts.clone();
  }

  /** The nearest PGFT and how the fabric differs from it; empty if nothing but levels is known. */
  public Optional<ShapeFit> fit() {
    return structure.fit;
  }
}
