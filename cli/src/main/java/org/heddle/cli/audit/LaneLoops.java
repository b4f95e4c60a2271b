package org.heddle.cli.audit;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Function;
import org.heddle.cli.shell.TenantsInput;
import org.heddle.fabric.Counted;
import org.heddle.fabric.Fabric;
import org.heddle.tenancy.Partition;
import org.heddle.tenancy.PartitionMember;
import org.heddle.topology.generate.FabricWithout;
import org.heddle.verify.AuditReport;

/**
 * Credit loops lane by lane, where a partitions.conf says which partition is on which: packets on
 * different lanes do not wait for each other. Of a lane, the routes between all hosts of its
 * partitions are audited, also between those of different partitions: what is free of loops stays
 * so, and a loop may be one that no partition closes by itself. Partitions without a full member
 * send nothing. SL2VL is taken to be the identity.
 *
 * @param partitions names of those on the lane
 * @param hosts adapters in them
 * @param cyclic sets of channels that wait in a circle; 0 is free of deadlock
 */
record LaneLoops(int lane, List<String> partitions, int hosts, int cyclic) {
  /**
   * All lanes in use, ascending.
   *
   * @param again the audit of the tables on a fabric that lacks hosts
   */
  static List<LaneLoops> of(
      Fabric fabric, TenantsInput tenants, Function<Fabric, AuditReport> again) {
    List<LaneLoops> out = new ArrayList<>();
    for (int lane = 0; lane < tenants.lanes().used(); lane++) {
      List<String> names = new ArrayList<>();
      BitSet hosts = new BitSet();
      for (int p = 0; p < tenants.lanes().size(); p++) {
        Partition partition = tenants.tenancy().partitions().get(p);
        boolean talks = partition.members().stream().anyMatch(PartitionMember::full);
        if (tenants.lanes().lane(p) == lane && talks) {
          names.add(partition.name());
          partition.members().forEach(m -> hosts.set(fabric.nodeOf(m.port())));
        }
      }
      if (!names.isEmpty()) {
        AuditReport report = again.apply(FabricWithout.hosts(fabric, node -> !hosts.get(node)));
        int cyclic = report.creditLoops().cyclic();
        out.add(new LaneLoops(lane, List.copyOf(names), hosts.cardinality(), cyclic));
      }
    }
    return out;
  }

  /** In words. */
  String sentence() {
    return "on lane %d (%s) the routes between its %s %s"
        .formatted(
            lane,
            String.join(", ", partitions),
            Counted.of(hosts, "host", "hosts"),
            cyclic == 0
                ? "cannot deadlock"
                : "can: "
                    + Counted.of(cyclic, "set of channels waits", "sets of channels wait")
                    + " in a circle");
  }
}
