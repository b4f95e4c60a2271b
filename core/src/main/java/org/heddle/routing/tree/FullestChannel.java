package org.heddle.routing.tree;

import org.heddle.fabric.Fabric;
import org.heddle.routing.ForwardingTables;

/**
 * The largest number of destinations on a channel between switches: LIDs of hosts to which some
 * switch with hosts sends over it. O(switches * LIDs).
 */
final class FullestChannel {
  private FullestChannel() {}

  static int of(Fabric fabric, Destinations dest, TurnNotes.Entries entries) {
    int[] load = new int[fabric.portIdLimit()];
    int[] stamp = new int[fabric.switchCount()]; // the last LID whose way from there was counted
    int most = 0;
    for (int lid : dest.lids) {
      for (int s = 0; s < stamp.length && dest.portOf[lid] != 0; s++) {
        int at = dest.hasHosts[s] ? s : dest.switchOf[lid];
        while (at != dest.switchOf[lid] && stamp[at] != lid) {
          stamp[at] = lid;
          int number = entries.port(at, lid);
          int next =
              number == ForwardingTables.NO_PORT
                  ? Fabric.NONE
                  : fabric.peerNode(fabric.port(at, number));
          if (!fabric.isSwitch(next)) {
            break; // not connected
          }
          most = Math.max(most, ++load[fabric.port(at, number)]);
          at = next;
        }
      }
    }
    return most;
  }
}
