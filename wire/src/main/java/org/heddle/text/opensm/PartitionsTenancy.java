package org.heddle.text.opensm;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.heddle.fabric.Fabric;
import org.heddle.tenancy.IsolationPolicy;
import org.heddle.tenancy.Lanes;
import org.heddle.tenancy.Partition;
import org.heddle.tenancy.PartitionMember;
import org.heddle.tenancy.Tenancy;

/**
 * The tenancy that an OpenSM {@code partitions.conf} amounts to, without any tenants file: every
 * partition but the default one, with its members as OpenSM programs them, no weights, and a policy
 * that promises nothing.
 *
 * <p>The lane of a partition is its {@code sl=}, as long as SL2VL is the identity; OpenSM uses it
 * only with QoS switched on. Of several definitions of one key the last counts. Service level 15
 * cannot be told from 14: VL15 is not for data.
 *
 * @param tenancy partitions by ascending key; a partition without a name, or with that of another,
 *     is called by its key
 * @param lanes of these partitions
 */
public record PartitionsTenancy(Tenancy tenancy, Lanes lanes) {

  /** The tenancy of a file on a fabric. O(partitions x members). */
  public static PartitionsTenancy of(PartitionsConf conf, Fabric fabric) {
    List<Partition> partitions = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (EffectivePartitions.Partition p : conf.members(fabric).partitions()) {
      if (p.pkey() == PartitionsConf.DEFAULT_PKEY) {
        continue;
      }
      String key = String.format("0x%04x", p.pkey());
      String name = p.name().isEmpty() ? key : p.name();
      if (!names.add(name)) {
        name = name + " (" + key + ")";
        names.add(name);
      }
      partitions.add(
          new Partition(name, p.pkey(), IsolationPolicy.DEF, members(p, fabric), List.of()));
    }
    Tenancy.Rules rules = new Tenancy.Rules(false, Tenancy.MAX_DATA_LANES, 1.0, List.of());
    Tenancy tenancy = new Tenancy(rules, partitions);
    return new PartitionsTenancy(tenancy, lanes(conf, tenancy));
  }

  /** The lanes a file gives to the partitions of a tenancy, by key; 0 to keys it does not have. */
  public static Lanes lanes(PartitionsConf conf, Tenancy tenancy) {
    Map<Integer, Integer> byKey = new HashMap<>();
    for (PartitionsConf.Definition d : conf.definitions()) {
      byKey.put(d.pkey(), d.flags().sl());
    }
    int[] lane = new int[tenancy.partitions().size()];
    for (int p = 0; p < lane.length; p++) {
      int level = byKey.getOrDefault(tenancy.partitions().get(p).pkey(), 0);
      lane[p] = Math.min(level, Tenancy.MAX_DATA_LANES - 1);
    }
    return new Lanes(lane);
  }

  private static List<PartitionMember> members(EffectivePartitions.Partition p, Fabric fabric) {
    List<PartitionMember> out = new ArrayList<>();
    int[] full = p.fullMembers();
    int[] limited = p.limitedMembers();
    for (int i = 0, j = 0; i < full.length || j < limited.length; ) {
      int a = i < full.length ? full[i] : Integer.MAX_VALUE;
      int b = j < limited.length ? limited[j] : Integer.MAX_VALUE;
      int port = Math.min(a, b);
      i += a == port ? 1 : 0;
      j += b == port ? 1 : 0;
      if (!fabric.isSwitch(fabric.nodeOf(port))) {
        out.add(new PartitionMember(port, a == port, 1));
      }
    }
    return out;
  }
}
