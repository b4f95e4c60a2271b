package org.heddle.reconfig;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.heddle.fabric.Fabric;
import org.heddle.routing.ForwardingTables;

/**
 * A port of a switch to which forwarding tables send packets although it has no cable or leads
 * nowhere, because a link was lost since the tables were made.
 *
 * @param sw the switch
 * @param port number of its port
 * @param lids LIDs in use that the switch sends to this port
 */
public record DeadPort(int sw, int port, int lids) {
  /**
   * All of them, by switch and port; O(entries).
   *
   * @param fabric the fabric as it is now
   * @param tables one row a switch of it
   */
  public static List<DeadPort> of(Fabric fabric, ForwardingTables tables) {
    int top = Math.min(fabric.topLid(), tables.topLid());
    boolean[] inUse = new boolean[top + 1];
    for (int lid = 1; lid <= top; lid++) {
      inUse[lid] = fabric.portOfLid(lid) != Fabric.NONE;
    }
    List<DeadPort> out = new ArrayList<>();
    int[] lids = new int[256];
    for (int sw = 0; sw < fabric.switchCount(); sw++) {
      Arrays.fill(lids, 0);
      for (int lid = 1; lid <= top; lid++) {
        if (inUse[lid]) {
          lids[tables.port(sw, lid)]++;
        }
      }
      for (int port = 1; port < ForwardingTables.NO_PORT; port++) {
        boolean dead =
            port > fabric.portCount(sw) || fabric.peer(fabric.port(sw, port)) == Fabric.NONE;
        if (lids[port] > 0 && dead) {
          out.add(new DeadPort(sw, port, lids[port]));
        }
      }
    }
    return out;
  }
}
