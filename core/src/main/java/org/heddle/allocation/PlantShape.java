package org.heddle.allocation;

import java.util.BitSet;

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

  /** By rail and leaf; NONE where the unit has no such rail. */
  int[][] leafSwitch;

  /** All leaf switches of a unit, ascending. */
  int[][] switches;

  /** By leaf: false if its links cannot be given. */
  boolean[] linked;

  /** By leaf: machines meet each other over links of the tree only. */
  boolean[] inside;

  boolean irregular;

  /** All rails of a tree meet above their leaves. */
  boolean joinable;

  boolean severalLeaves;

  /** Rails of one colour each. */
  Plant.Block[] blocks;

  /** Node id of the first adapter of a machine, by leaf and slot. */
  int[][] hosts;

  /** By node id, of all adapters. */
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

  /** By machine: why it has no place; null for those that have one, or no cable. */
  MachineUnits.Why[] why;

  /** Links that are too slow to be given, by the port id of their lower end. */
  final BitSet slow = new BitSet();

  /** What is there, by leaf * words; the masks of an empty plant. */
  long[] slotMask;

  long[] upMask;

  /** By (sub-tree * planes + plane) * rootWords. */
  long[] rootMask;
}
