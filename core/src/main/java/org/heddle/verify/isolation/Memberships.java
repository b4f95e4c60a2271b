package org.heddle.verify.isolation;

import java.util.List;
import org.heddle.fabric.Fabric;
import org.heddle.tenancy.Partition;
import org.heddle.tenancy.PartitionMember;
import org.heddle.tenancy.Tenancy;
import org.heddle.verify.Network;

/**
 * The members of all partitions as sources and destinations. Only members that take part are held:
 * linked ports of channel adapters and routers, with a LID, attached to a switch. Immutable once
 * built; shared by the workers.
 */
final class Memberships {
  /** Memberships of partition p: {@code start[p] .. start[p + 1] - 1}, ascending by port. */
  final int[] start;

  /** By membership: its partition, port id, kind and weight. */
  final int[] partition;

  final int[] port;
  final boolean[] full;
  final int[] weight;

  /** Switches with sources of partition p: {@code senderStart[p] .. senderStart[p + 1] - 1}. */
  final int[] senderStart;

  /** By sender: the switch, its members, and those of them that are full. */
  final int[] senderSwitch;

  final int[] senderAll;
  final int[] senderFull;

  /**
   * Memberships of a port: {@code byPort[portStart[p] .. portStart[p + 1] - 1]}, ascending by
   * partition.
   */
  final int[] portStart;

  final int[] byPort;

  /** By partition: members that do not take part because they have no LID. */
  final int[] withoutLid;

  Memberships(Network net, Tenancy tenancy) {
    List<Partition> partitions = tenancy.partitions();
    int total = partitions.stream().mapToInt(p -> p.members().size()).sum();
    start = new int[partitions.size() + 1];
    partition = new int[total];
    port = new int[total];
    full = new boolean[total];
    weight = new int[total];
    withoutLid = new int[partitions.size()];
    portStart = new int[net.peer.length + 1];
    int n = 0;
    for (int p = 0; p < partitions.size(); p++) {
      for (PartitionMember member : partitions.get(p).members()) {
        if (takesPart(net, member.port(), p)) {
          partition[n] = p;
          port[n] = member.port();
          full[n] = member.full();
          weight[n++] = member.weight();
          portStart[member.port() + 1]++;
        }
      }
      start[p + 1] = n;
    }
    for (int i = 1; i < portStart.length; i++) {
      portStart[i] += portStart[i - 1];
    }
    byPort = new int[n];
    int[] next = portStart.clone();
    for (int m = 0; m < n; m++) {
      byPort[next[port[m]]++] = m;
    }
    senderStart = new int[partitions.size() + 1];
    senderSwitch = new int[n];
    senderAll = new int[n];
    senderFull = new int[n];
    groupSenders(net);
  }

  private boolean takesPart(Network net, int member, int ofPartition) {
    if (member >= net.peer.length) {
      throw new IllegalArgumentException("port id " + member + " is not of this fabric");
    }
    boolean attached = member >= net.switchPorts && net.attachedSwitch(member) != Fabric.NONE;
    if (attached && !net.isSource(member)) {
      withoutLid[ofPartition]++;
    }
    return attached && net.isSource(member);
  }

  private void groupSenders(Network net) {
    int[] slot = new int[net.switches]; // 1 + sender of the current partition
    int n = 0;
    for (int p = 0; p + 1 < start.length; p++) {
      for (int m = start[p]; m < start[p + 1]; m++) {
        int sw = net.attachedSwitch(port[m]);
        if (slot[sw] == 0) {
          senderSwitch[n++] = sw;
          slot[sw] = n;
        }
        senderAll[slot[sw] - 1]++;
        senderFull[slot[sw] - 1] += full[m] ? 1 : 0;
      }
      senderStart[p + 1] = n;
      for (int k = senderStart[p]; k < n; k++) {
        slot[senderSwitch[k]] = 0;
      }
    }
  }

  int partitions() {
    return start.length - 1;
  }

  /** Number of memberships. */
  int size() {
    return byPort.length;
  }

  /** Number of partitions a port is in. */
  int partitionsOf(int portId) {
    return portStart[portId + 1] - portStart[portId];
  }
}
