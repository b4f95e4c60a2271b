package org.heddle.routing.partition;

import java.util.Arrays;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.VirtualLids;
import org.heddle.routing.tree.Destinations;
import org.heddle.tenancy.IsolationPolicy;
import org.heddle.tenancy.Partition;
import org.heddle.tenancy.PartitionMember;
import org.heddle.tenancy.Tenancy;

/**
 * Which LID is in which partition, and from which switches a partition's traffic comes, as routing
 * needs it. Limited members talk to full members only. Virtual LIDs are in the partitions of their
 * hypervisor's port. Immutable.
 */
final class PartitionMap {
  /** No partition. */
  static final int NONE = -1;

  final Tenancy tenancy;
  final int count;

  /**
   * Partition that decides the routing of a LID: the strictest, then the first; or {@link #NONE}.
   */
  final int[] primary;

  /** Memberships of a LID: {@code memberStart[lid] .. memberStart[lid + 1] - 1}, by partition. */
  final int[] memberStart;

  final int[] memberPartition;
  final int[] memberWeight;

  /** Switches with a member, by partition, ascending. */
  final int[][] switches;

  /** Switches with a full member, by partition, ascending. */
  final int[][] fullSwitches;

  /** Member LIDs by partition, ascending by port. */
  final int[][] lids;

  /** For every LID of {@link #lids}: whether it is a full member. */
  final boolean[][] full;

  private final int[][] weights; // as lids

  PartitionMap(Fabric fabric, Tenancy tenancy, Destinations dest) {
    this.tenancy = tenancy;
    count = tenancy.partitions().size();
    primary = new int[dest.topLid + 1];
    Arrays.fill(primary, NONE);
    weights = new int[count][];
    switches = new int[count][];
    fullSwitches = new int[count][];
    lids = new int[count][];
    full = new boolean[count][];
    for (int p = 0; p < count; p++) {
      collect(fabric, dest, p, tenancy.partitions().get(p));
    }
    memberStart = new int[dest.topLid + 2];
    for (int[] of : lids) {
      for (int lid : of) {
        memberStart[lid + 1]++;
      }
    }
    for (int lid = 0; lid <= dest.topLid; lid++) {
      memberStart[lid + 1] += memberStart[lid];
    }
    memberPartition = new int[memberStart[dest.topLid + 1]];
    memberWeight = new int[memberPartition.length];
    int[] next = memberStart.clone();
    for (int p = 0; p < count; p++) {
      for (int i = 0; i < lids[p].length; i++) {
        int at = next[lids[p][i]]++;
        memberPartition[at] = p;
        memberWeight[at] = weights[p][i];
      }
    }
  }

  private void collect(Fabric fabric, Destinations dest, int p, Partition partition) {
    int[] found = new int[dest.lids.length];
    boolean[] foundFull = new boolean[dest.lids.length];
    int[] foundWeight = new int[dest.lids.length];
    int n = 0;
    java.util.BitSet any = new java.util.BitSet();
    java.util.BitSet fullOnes = new java.util.BitSet();
    for (PartitionMember member : partition.members()) {
      int sw = fabric.attachedSwitch(member.port());
      int base = fabric.lid(member.port());
      if (sw < 0 || base == 0) {
        continue;
      }
      any.set(sw);
      if (member.full()) {
        fullOnes.set(sw);
      }
      int from = n;
      for (int lid = base; lid < base + (1 << fabric.lmc(member.port())); lid++) {
        found[n++] = lid;
      }
      VirtualLids virtual = fabric.virtualLids();
      for (int v = virtual.first(member.port()); v < virtual.first(member.port() + 1); v++) {
        found[n++] = virtual.lid(v);
      }
      for (int i = from; i < n; i++) {
        int lid = found[i];
        foundFull[i] = member.full();
        foundWeight[i] = member.weight();
        if (primary[lid] == NONE || policy(p).compareTo(policy(primary[lid])) < 0) {
          primary[lid] = p;
        }
      }
    }
    lids[p] = Arrays.copyOf(found, n);
    full[p] = Arrays.copyOf(foundFull, n);
    weights[p] = Arrays.copyOf(foundWeight, n);
    switches[p] = any.stream().toArray();
    fullSwitches[p] = fullOnes.stream().toArray();
  }

  IsolationPolicy policy(int p) {
    return tenancy.partitions().get(p).policy();
  }

  /** Switches that send to a member of the partition. */
  int[] sourcesFor(int p, boolean fullDestination) {
    return fullDestination ? switches[p] : fullSwitches[p];
  }

  /** True if traffic of two partitions on one channel breaks the promise of physical isolation. */
  boolean clash(int a, int b) {
    return a != b
        && (policy(a) == IsolationPolicy.PHY || policy(b) == IsolationPolicy.PHY)
        && !tenancy.mayShare(a, b);
  }

  /** True if two partitions may meet on a channel only if their lanes differ. */
  boolean needLanes(int a, int b) {
    return a != b
        && (policy(a) == IsolationPolicy.VLANE || policy(b) == IsolationPolicy.VLANE)
        && policy(a) != IsolationPolicy.PHY
        && policy(b) != IsolationPolicy.PHY
        && !tenancy.mayShare(a, b);
  }

  boolean isPhysical(int p) {
    return policy(p) == IsolationPolicy.PHY;
  }
}
