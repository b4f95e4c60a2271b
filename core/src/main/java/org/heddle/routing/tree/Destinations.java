package org.heddle.routing.tree;

import org.heddle.fabric.Fabric;

/**
 * The LIDs of a fabric grouped by the switch they are delivered at: the switch itself for its own
 * LIDs, the neighbour for the LIDs of channel adapters and routers. Immutable. Built in O(ports +
 * LIDs).
 */
public final class Destinations {
  /** No switch delivers this LID: it is free, or its port has no cable to a switch. */
  public static final int NOWHERE = -1;

  public final int topLid;

  /** Delivering switch by LID, or {@link #NOWHERE}. */
  public final int[] switchOf;

  /** Output port on the delivering switch by LID; 0 for the switch's own LIDs. */
  public final byte[] portOf;

  /** LIDs of switch s: {@code lids[start[s]] .. lids[start[s + 1] - 1]}, ascending. */
  public final int[] start;

  public final int[] lids;

  /** Runs of consecutive LIDs of switch s: {@code runStart[s] .. runStart[s + 1] - 1}. */
  final int[] runStart;

  final int[] runLid;
  final int[] runLength;

  /** True for switches at which an endport that is not a switch's is attached. */
  final boolean[] hasHosts;

  public Destinations(Fabric fabric) {
    topLid = fabric.topLid();
    switchOf = new int[topLid + 1];
    portOf = new byte[topLid + 1];
    int switches = fabric.switchCount();
    start = new int[switches + 1];
    hasHosts = new boolean[switches];
    int lastPort = Fabric.NONE;
    int lastSwitch = NOWHERE;
    byte lastOut = 0;
    for (int lid = 0; lid <= topLid; lid++) {
      int port = fabric.portOfLid(lid);
      if (port != lastPort || port == Fabric.NONE) {
        lastPort = port;
        lastSwitch = port == Fabric.NONE ? NOWHERE : fabric.attachedSwitch(port);
        boolean own = lastSwitch != NOWHERE && fabric.nodeOf(port) == lastSwitch;
        lastOut = lastSwitch == NOWHERE || own ? 0 : (byte) fabric.numberOf(fabric.peer(port));
        if (lastSwitch != NOWHERE && !own) {
          hasHosts[lastSwitch] = true;
        }
      }
      switchOf[lid] = lastSwitch;
      portOf[lid] = lastOut;
      if (lastSwitch != NOWHERE) {
        start[lastSwitch + 1]++;
      }
    }
    lids = sortBySwitch(switches);
    runStart = new int[switches + 1];
    runLid = new int[lids.length];
    runLength = new int[lids.length];
    collectRuns(switches);
  }

  /**
   * Destinations that are not LIDs of a fabric.
   *
   * @param switchOf delivering switch by number, or {@link #NOWHERE}
   * @param portOf output port there; 0 for a switch itself
   */
  public Destinations(int switches, int[] switchOf, byte[] portOf) {
    this.switchOf = switchOf;
    this.portOf = portOf;
    topLid = switchOf.length - 1;
    start = new int[switches + 1];
    hasHosts = new boolean[switches];
    for (int lid = 0; lid <= topLid; lid++) {
      if (switchOf[lid] != NOWHERE) {
        start[switchOf[lid] + 1]++;
        hasHosts[switchOf[lid]] |= portOf[lid] != 0;
      }
    }
    lids = sortBySwitch(switches);
    runStart = new int[switches + 1];
    runLid = new int[lids.length];
    runLength = new int[lids.length];
    collectRuns(switches);
  }

  /** Turns counts into starts and sorts. */
  private int[] sortBySwitch(int switches) {
    for (int s = 0; s < switches; s++) {
      start[s + 1] += start[s];
    }
    int[] sorted = new int[start[switches]];
    int[] next = start.clone();
    for (int lid = 0; lid <= topLid; lid++) {
      if (switchOf[lid] != NOWHERE) {
        sorted[next[switchOf[lid]]++] = lid;
      }
    }
    return sorted;
  }

  private void collectRuns(int switches) {
    int n = 0;
    for (int s = 0; s < switches; s++) {
      runStart[s] = n;
      for (int i = start[s]; i < start[s + 1]; i++) {
        if (i > start[s] && lids[i] == lids[i - 1] + 1) {
          runLength[n - 1]++;
        } else {
          runLid[n] = lids[i];
          runLength[n++] = 1;
        }
      }
    }
    runStart[switches] = n;
  }
}
