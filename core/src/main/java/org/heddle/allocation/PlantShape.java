package org.heddle.allocation;

/** The arrays of a {@link Plant}. */
final class PlantShape {
  int hostCount;
  int maxSlots;
  int slotWords;
  int positionWords;
  int rootWords;
  int planes;
  int rootLinks;

  /** By sub-tree, one more at the end. */
  int[] firstLeaf;

  int[] leafSubtree;

  /** By leaf: equal where switches join the leaves in every rail. */
  int[] leafIsland;

  int islands;

  /** Shares of links that are there. */
  double upsAlive;

  double rootsAlive;

  /** Host slots by sub-tree. */
  int[] subtreeSlots;

  /** By rail and leaf. */
  int[][] leafSwitch;

  /** Node ids by leaf and slot. */
  int[][] hosts;

  /** By node id. */
  int[] hostLeaf;

  int[] hostSlot;

  /** Plane by position. */
  int[] planeOf;

  /** By rail, and leaf * positions + position. */
  int[][] upPort;

  /** By rail, and sub-tree * planes + plane. */
  int[][] spine;

  /** By rail, and (sub-tree * planes + plane) * rootLinks + root link. */
  int[][] rootPort;

  /** What is there, by leaf * words; the masks of an empty plant. */
  long[] slotMask;

  long[] upMask;

  /** By (sub-tree * planes + plane) * rootWords. */
  long[] rootMask;
}
