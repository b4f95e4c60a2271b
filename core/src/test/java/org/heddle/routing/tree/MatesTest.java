package org.heddle.routing.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.heddle.catalog.Catalog;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.FabricBuilder;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.routing.engine.RandomFabrics;
import org.heddle.routing.engine.RoutingEngineContract;
import org.heddle.tenancy.IsolationPolicy;
import org.heddle.tenancy.Partition;
import org.heddle.tenancy.PartitionMember;
import org.heddle.tenancy.Tenancy;
import org.heddle.verify.AuditReport;
import org.junit.jupiter.api.Test;

/** Ports of one machine on several leaves: no switch cuts all of them off, by the verifier. */
class MatesTest {
  private static final List<String> ENGINES =
      List.of(
          "ftree",
          "dmodk",
          "updn",
          "minhop",
          "metabase",
          "pftree",
          "pftree-ext",
          "pftree-wt",
          "pftree-mix",
          "vswitch-ftree");

  @Test
  void portsOfAMachineComeDownByDifferentSpines() {
    List<String> wrong = new ArrayList<>();
    int machines = 0;
    for (String spec :
        List.of(
            "XGFT(2;2,4;1,2)",
            "XGFT(2;3,8;1,3)",
            "XGFT(2;4,8;1,4)",
            "XGFT(2;6,4;1,4)",
            "XGFT(2;3,4;1,4)",
            "XGFT(2;1,4;1,2)",
            "XGFT(2;12,6;1,12)",
            "PGFT(2;4,4;1,2;1,2)",
            "XGFT(3;3,4,3;1,3,3)",
            "XGFT(3;4,4,2;1,2,4)")) {
      for (int seed = 0; seed < 8; seed++) {
        for (int ports : new int[] {2, 4}) {
          Fabric fabric = RandomFabrics.multiHomed(spec, ports, seed % 2 == 0, seed % 4 > 1, seed);
          machines += fabric.caCount();
          for (String name : ENGINES) {
            AuditReport report = route(fabric, name);
            List<AuditReport.SinglePoint> points =
                report.singlePoints().stream().filter(p -> !p.byCables()).toList();
            if (!points.isEmpty()) {
              wrong.add(
                  name
                      + " "
                      + spec
                      + " "
                      + ports
                      + " ports, seed "
                      + seed
                      + ": "
                      + points.size()
                      + " of "
                      + fabric.caCount()
                      + ", "
                      + points.getFirst());
            }
          }
        }
      }
    }
    assertThat(wrong.stream().limit(40)).as("%d of %d", wrong.size(), machines).isEmpty();
  }

  @Test
  void adaptersOfOneSystemImageAreOneMachine() {
    FabricBuilder b = new FabricBuilder();
    int[] leaves = new int[4];
    for (int l = 0; l < 4; l++) {
      leaves[l] = b.addSwitch(0x2000 + l, 4, "leaf-" + l);
    }
    for (int s = 0; s < 2; s++) {
      int spine = b.addSwitch(0x3000 + s, 4, "spine-" + s);
      for (int l = 0; l < 4; l++) {
        b.connect(leaves[l], 3 + s, spine, 1 + l);
      }
    }
    for (int m = 0; m < 4; m++) {
      for (int k = 0; k < 2; k++) {
        long guid = 0x100 + 16L * m + 4 * k;
        int ca = b.addCa(guid, 1, "node" + m + " hca" + k);
        b.setIds(ca, 0, 0, 0x100 + 16L * m);
        b.setPortGuid(ca, 1, guid + 1);
        b.connect(ca, 1, leaves[m / 2 * 2 + k], 1 + m % 2);
      }
    }
    Fabric fabric = b.build().withAssignedLids();
    for (String name : ENGINES) {
      assertThat(route(fabric, name).singlePoints()).as(name).isEmpty();
    }
  }

  /** Three tenants that take the machines in turn, each with all their ports. */
  private static Tenancy tenants(Fabric fabric) {
    List<List<PartitionMember>> members =
        List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    for (int m = 0; m < fabric.machines().count(); m++) {
      for (int i = 0; i < fabric.machines().adapterCount(m); i++) {
        int node = fabric.machines().adapter(m, i);
        for (int k = 1; k <= fabric.portCount(node); k++) {
          if (fabric.attachedSwitch(fabric.port(node, k)) != Fabric.NONE) {
            members.get(m % 3).add(new PartitionMember(fabric.port(node, k), true, 1));
          }
        }
      }
    }
    List<Partition> partitions = new ArrayList<>();
    for (List<PartitionMember> of : members) {
      int n = partitions.size();
      partitions.add(new Partition("t" + n, n + 1, IsolationPolicy.DEF, of, List.of()));
    }
    partitions.removeIf(p -> p.members().isEmpty());
    return new Tenancy(new Tenancy.Rules(true, 8, 1, List.of()), partitions);
  }

  private static AuditReport route(Fabric fabric, String name) {
    RoutingResult result =
        Catalog.engine(name)
            .orElseThrow()
            .route(
                RoutingRequest.of(fabric, RoutingEngineContract.recognise(fabric))
                    .withTenancy(name.startsWith("pftree") ? tenants(fabric) : Tenancy.NONE));
    AuditReport report =
        RoutingEngineContract.audit(fabric, ((RoutingResult.Routed) result).tables());
    assertThat(report.clean()).isTrue();
    return report;
  }
}
