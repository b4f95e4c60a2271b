package org.heddle.server.console;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongPredicate;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.plan.DesiredState;

/**
 * The hosts' ports of a picture by name: those of a switch in the order of its ports, switch after
 * switch as in {@link Picture}. It changes with the fabric only. A host with several ports is there
 * several times.
 *
 * @param fingerprint of the fabric
 * @param names of the hosts; empty for those that the reader does not see, as the other texts
 * @param guids of the hosts
 * @param portGuids of the ports
 * @param lids of the ports; 0 for none, and for those that the reader does not see
 */
record PictureHosts(
    String fingerprint,
    List<String> names,
    List<String> guids,
    List<String> portGuids,
    int[] lids) {

  /** Of the hosts whose GUID is seen. O(ports). */
  static PictureHosts of(DesiredState v, LongPredicate seen) {
    Fabric f = v.fabric();
    PictureLayout layout = PictureLayout.of(v);
    List<String> names = new ArrayList<>();
    List<String> guids = new ArrayList<>();
    List<String> portGuids = new ArrayList<>();
    int[] lids = new int[Arrays.stream(layout.hosts).sum()];
    for (int sw : layout.order) {
      for (int p = 1; p <= f.portCount(sw); p++) {
        int peer = f.peer(f.port(sw, p));
        if (peer == Fabric.NONE || f.isSwitch(f.nodeOf(peer))) {
          continue;
        }
        long guid = f.nodeGuid(f.nodeOf(peer));
        boolean told = seen.test(guid);
        lids[names.size()] = told ? f.lid(peer) : 0;
        names.add(told ? f.description(f.nodeOf(peer)) : "");
        guids.add(told ? Guid.format(guid) : "");
        portGuids.add(told ? Guid.format(f.portGuid(peer)) : "");
      }
    }
    return new PictureHosts(Guid.format(f.fingerprint()), names, guids, portGuids, lids);
  }
}
