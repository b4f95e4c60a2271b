package org.heddle.routing.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.heddle.catalog.Catalog;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.VirtualLids;
import org.heddle.routing.ForwardingTables;
import org.heddle.routing.RoutingEngine;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.topology.generate.DamageSpec;
import org.heddle.topology.generate.FabricDamage;
import org.heddle.verify.AuditReport;
import org.junit.jupiter.api.Test;

class VSwitchFTreeTest extends RoutingEngineContract {
  @Override
  protected String name() {
    return "vswitch-ftree";
  }

  @Override
  protected boolean routesAnything() {
    return false;
  }

  /** Machines by host in GUID order; LIDs follow the fabric's, or from the top down. */
  private static Fabric withMachines(Fabric fabric, int[] machines, int weight, boolean fromTop) {
    List<int[]> all = new ArrayList<>();
    int next = fromTop ? 4000 : fabric.topLid() + 1;
    int h = 0;
    for (int n = fabric.switchCount(); n < fabric.nodeCount(); n++, h++) {
      for (int k = 0; k < machines[h % machines.length]; k++) {
        all.add(new int[] {next, fabric.port(n, 1), weight});
        next += fromTop ? -1 : 1;
      }
    }
    return fabric.withVirtualLids(
        VirtualLids.of(
            all.stream().mapToInt(v -> v[0]).toArray(),
            all.stream().mapToInt(v -> v[1]).toArray(),
            all.stream().mapToInt(v -> v[2]).toArray()));
  }

  @Test
  void everyEngineDeliversTheLidsOfMachinesAtTheirHypervisor() {
    for (RoutingEngine engine : Catalog.engines()) {
      for (boolean fromTop : new boolean[] {false, true}) {
        Fabric fabric =
            withMachines(Fabrics.tree("XGFT(3;4,4,4;1,2,4)"), new int[] {0, 3, 1}, 1, fromTop);
        RoutingResult result = engine.route(RoutingRequest.of(fabric, recognise(fabric)));
        AuditReport report = audit(fabric, ((RoutingResult.Routed) result).tables());
        assertThat(report.size().caLids()).isEqualTo(64 + 84);
        for (AuditReport.PairKind kind : AuditReport.PairKind.values()) {
          assertThat(report.reachability(kind).unreachable()).as(engine.name()).isZero();
        }
        assertThat(report.loopCount()).isZero();
        assertThat(report.creditLoops().cyclic()).as(engine.name()).isZero();
      }
    }
  }

  @Test
  void machinesStayReachableOnDamagedTrees() {
    for (int seed = 0; seed < 10; seed++) {
      Fabric fabric = withMachines(Fabrics.tree("XGFT(3;4,4,4;1,4,4)"), new int[] {2, 1}, 1, false);
      DamageSpec damage =
          DamageSpec.none(seed)
              .withLinks(DamageSpec.Amount.share(0.05))
              .withHosts(DamageSpec.Amount.of(3))
              .keepingConnected();
      Fabric damaged = FabricDamage.apply(fabric, damage).fabric();
      assertThat(damaged.virtualLids().size()).isBetween(96 - 6, 96 - 3);
      if (route(damaged) instanceof RoutingResult.Routed ok) {
        assertSound(damaged, ok.tables());
      }
    }
  }

  /** Figure 2 of paper V: two leaves, two roots, two hypervisors a leaf. */
  @Test
  void balancesTheFigureOfThePaper() {
    Fabric fabric = withMachines(Fabrics.tree("XGFT(2;2,2;1,2)"), new int[] {2, 2, 3, 1}, 1, false);
    ForwardingTables tables = tables(fabric);
    VirtualLids vms = fabric.virtualLids();
    // Which root a machine is reached through is what the other leaf says.
    int[] root = new int[vms.size()];
    for (int v = 0; v < root.length; v++) {
      int own = fabric.attachedSwitch(vms.port(v));
      int other = otherLeaf(fabric, own);
      root[v] = fabric.peerNode(fabric.port(other, tables.port(other, vms.lid(v))));
    }
    assertThat(root[0]).isNotEqualTo(root[1]);
    assertThat(root[2]).isNotEqualTo(root[3]);
    assertThat(root[4]).isEqualTo(root[5]).isEqualTo(root[6]).isNotEqualTo(root[7]);
  }

  private static int otherLeaf(Fabric fabric, int leaf) {
    for (int s = 0; s < fabric.switchCount(); s++) {
      int first = fabric.peerNode(fabric.port(s, 1));
      if (s != leaf && first != Fabric.NONE && !fabric.isSwitch(first)) {
        return s;
      }
    }
    throw new AssertionError("one leaf only");
  }

  @Test
  void oneMachineEachIsRoutedAsFTreeRoutesTheHosts() {
    Fabric plain = Fabrics.tree("XGFT(3;4,4,4;1,4,4)");
    Fabric fabric = withMachines(plain, new int[] {1}, 1, false);
    ForwardingTables ftree =
        ((RoutingResult.Routed)
                Catalog.engine("ftree")
                    .orElseThrow()
                    .route(RoutingRequest.of(plain, recognise(plain))))
            .tables();
    ForwardingTables tables = tables(fabric);
    VirtualLids vms = fabric.virtualLids();
    for (int s = 0; s < fabric.switchCount(); s++) {
      for (int v = 0; v < vms.size(); v++) {
        int base = fabric.lid(vms.port(v));
        assertThat(tables.port(s, vms.lid(v))).isEqualTo(ftree.port(s, base));
        assertThat(tables.port(s, base)).isEqualTo(ftree.port(s, base));
      }
    }
  }

  @Test
  void anAdministrativeWeightOutweighsTheRestOfItsHypervisor() {
    Fabric plain = Fabrics.tree("XGFT(2;1,2;1,2)");
    int first = fabricPort(plain, 0);
    // One hypervisor, four machines, one with weight 9: alone through one root, three through the
    // other.
    Fabric fabric =
        plain.withVirtualLids(
            VirtualLids.of(
                new int[] {21, 22, 23, 24},
                new int[] {first, first, first, first},
                new int[] {9, 1, 1, 1}));
    ForwardingTables tables = tables(fabric);
    int other = otherLeaf(fabric, fabric.attachedSwitch(first));
    assertThat(tables.port(other, 22)).isEqualTo(tables.port(other, 23));
    assertThat(tables.port(other, 22)).isEqualTo(tables.port(other, 24));
    assertThat(tables.port(other, 21)).isNotEqualTo(tables.port(other, 22));
  }

  @Test
  void startingAMachineMovesNoOtherRouteOfDModK() {
    Fabric plain = Fabrics.tree("XGFT(3;4,4,4;1,4,4)");
    Fabric few = withMachines(plain, new int[] {1, 0, 0}, 1, false);
    RoutingEngine dmodk = Catalog.engine("dmodk").orElseThrow();
    RoutingResult before = dmodk.route(RoutingRequest.of(plain, recognise(plain)));
    RoutingResult after = dmodk.route(RoutingRequest.of(few, recognise(few)));
    ForwardingTables a = ((RoutingResult.Routed) before).tables();
    ForwardingTables b = ((RoutingResult.Routed) after).tables();
    for (int s = 0; s < plain.switchCount(); s++) {
      for (int lid = 1; lid <= plain.topLid(); lid++) {
        assertThat(b.port(s, lid)).isEqualTo(a.port(s, lid));
      }
    }
  }

  private static int fabricPort(Fabric fabric, int host) {
    return fabric.port(fabric.switchCount() + host, 1);
  }
}
