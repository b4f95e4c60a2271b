package org.heddle.routing.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.heddle.catalog.Catalog;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.routing.ForwardingTables;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.topology.FatTree;
import org.heddle.topology.Recognition;
import org.heddle.topology.generate.TreeSpec;
import org.heddle.verify.AuditReport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How well FTree and D-mod-K spread destinations over the downward channels. */
class FTreeBalanceTest {
  private static ForwardingTables tables(String engine, Fabric fabric, List<Guid> order) {
    Recognition recognition = RoutingEngineContract.recognise(fabric);
    RoutingRequest request = new RoutingRequest(fabric, recognition, order, List.of());
    return ((RoutingResult.Routed) Catalog.engine(engine).orElseThrow().route(request)).tables();
  }

  /**
   * A sub-tree of height l has prod(m_1..m_l) hosts and prod(w_1..w_l) * w_(l+1) * p_(l+1) links to
   * the level above; a perfect spread puts ceil(hosts / links) destinations on each of these.
   */
  private static long ceilingOfRatio(TreeSpec spec, int l) {
    long hosts = 1;
    long links = 1;
    for (int i = 1; i <= l; i++) {
      hosts *= spec.m(i);
      links *= spec.w(i);
    }
    links *= (long) spec.w(l + 1) * spec.p(l + 1);
    return (hosts + links - 1) / links;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "XGFT(2;4,8;1,4)",
        "XGFT(2;18,18;1,18)",
        "XGFT(2;18,36;1,18)",
        "XGFT(2;8,6;1,4)",
        "XGFT(2;9,6;1,4)",
        "PGFT(2;8,4;1,2;1,2)",
        "PGFT(2;6,3;1,2;1,3)",
        "XGFT(3;6,6,6;1,6,6)",
        "XGFT(3;4,4,4;1,2,4)",
        "XGFT(3;5,3,4;1,3,2)",
        "XGFT(3;7,5,4;1,3,4)",
        "PGFT(3;4,4,2;1,2,2;1,2,1)",
        "4-ary-3-tree",
        "XGFT(3;12,12,12;1,12,12)",
        "XGFT(4;3,3,3,3;1,3,3,3)",
        "XGFT(4;4,2,3,2;1,2,3,2)",
        "XGFT(4;5,3,3,2;1,3,2,2)"
      })
  void everyUsedDownwardChannelCarriesTheCeilingOfTheRatio(String text) {
    assertBalanced(text, Fabrics.tree(text));
    assertBalanced(text + " with shuffled ports", Fabrics.shuffled(Fabrics.tree(text)));
  }

  private static void assertBalanced(String text, Fabric fabric) {
    TreeSpec spec = TreeSpec.parse(text.split(" ")[0]);
    FatTree tree = RoutingEngineContract.treeOf(RoutingEngineContract.recognise(fabric)).get();
    AuditReport report = RoutingEngineContract.audit(fabric, tables("ftree", fabric, List.of()));
    long[] most = new long[spec.levels() + 1];
    for (int s = 0; s < fabric.switchCount(); s++) {
      for (int n = 1; n <= fabric.portCount(s); n++) {
        int port = fabric.port(s, n);
        int below = fabric.peerNode(port);
        if (fabric.isSwitch(below) && tree.level(below) < tree.level(s)) {
          int l = tree.level(below);
          most[l] = Math.max(most[l], report.channels().destinations(port));
        }
      }
    }
    for (int l = 1; l < spec.levels(); l++) {
      assertThat(most[l])
          .as("%s, channels down to level %d", text, l)
          .isEqualTo(ceilingOfRatio(spec, l));
    }
  }

  @Test
  void anEmptyOrderIsFTreeAndNoFTreeIsFTreeWithAnOrder() {
    Fabric fabric = Fabrics.tree("XGFT(3;4,4,4;1,4,4)");
    List<Guid> order = new ArrayList<>();
    for (int node = fabric.nodeCount() - 1; node >= fabric.switchCount(); node--) {
      order.add(new Guid(fabric.nodeGuid(node)));
    }
    ForwardingTables plain = tables("ftree", fabric, List.of());
    assertThat(tables("noftree", fabric, List.of())).isEqualTo(plain);
    assertThat(tables("noftree", fabric, order)).isNotEqualTo(plain);
    assertThat(tables("noftree", fabric, order)).isEqualTo(tables("ftree", fabric, order));
  }

  /**
   * The example of NoFTree (Tasoulas, paper III), figures 5 and 6: a host order of one host each
   * from the leaves 2, 3 and 4, all of which plain FTree brings down from the same spine. Positions
   * 0, 1, 2 take the routing slots 0, 1, 2 of their leaves and so come down from three different
   * spines.
   */
  @Test
  void hostsOfAnOrderComeDownFromDifferentSpines() {
    Fabric fabric = Fabrics.tree("XGFT(2;4,4;1,4)");
    FatTree tree = RoutingEngineContract.treeOf(RoutingEngineContract.recognise(fabric)).get();
    List<Guid> order = new ArrayList<>();
    int[] lids = new int[3];
    for (int i = 0; i < 3; i++) {
      int host = fabric.peer(fabric.port(tree.leaf(i + 1), 1));
      order.add(new Guid(fabric.nodeGuid(fabric.nodeOf(host))));
      lids[i] = fabric.lid(host);
    }
    int from = tree.leaf(0);
    ForwardingTables plain = tables("ftree", fabric, List.of());
    ForwardingTables ordered = tables("noftree", fabric, order);
    assertThat(plain.port(from, lids[0]))
        .isEqualTo(plain.port(from, lids[1]))
        .isEqualTo(plain.port(from, lids[2]));
    assertThat(List.of(0, 1, 2).stream().map(i -> ordered.port(from, lids[i])))
        .doesNotHaveDuplicates();
  }

  /**
   * Dmodc leaves alone what damage does not touch: without one leaf-spine link only entries of that
   * leaf (going up) and entries towards that leaf's hosts may differ.
   */
  @Test
  void dModKChangesOnlyWhatDamageTouches() {
    for (Fabric whole :
        List.of(
            Fabrics.tree("XGFT(2;6,6;1,6)"), Fabrics.shuffled(Fabrics.tree("XGFT(2;6,6;1,6)")))) {
      assertOnlyDamageMatters(whole);
    }
  }

  private static void assertOnlyDamageMatters(Fabric whole) {
    FatTree tree = RoutingEngineContract.treeOf(RoutingEngineContract.recognise(whole)).get();
    int leaf = tree.leaf(2);
    Fabric cut = withoutLink(whole, leaf, 9);
    ForwardingTables before = tables("dmodk", whole, List.of());
    ForwardingTables after = tables("dmodk", cut, List.of());
    int changed = 0;
    for (int s = 0; s < whole.switchCount(); s++) {
      for (int lid = 1; lid <= whole.topLid(); lid++) {
        int port = whole.portOfLid(lid);
        if (whole.isSwitch(whole.nodeOf(port))) {
          continue; // spines reach the leaf's own LID another way: not host traffic
        }
        if (before.port(s, lid) != after.port(s, lid)) {
          changed++;
          assertThat(s == leaf || whole.attachedSwitch(port) == leaf)
              .as("switch %d, LID %d", s, lid)
              .isTrue();
        }
      }
    }
    assertThat(changed).isPositive();
  }

  private static Fabric withoutLink(Fabric fabric, int sw, int number) {
    org.heddle.fabric.FabricBuilder b = new org.heddle.fabric.FabricBuilder();
    for (int n = 0; n < fabric.nodeCount(); n++) {
      b.addNode(fabric.nodeType(n), fabric.nodeGuid(n), fabric.portCount(n), fabric.description(n));
      for (int p = 0; p <= fabric.portCount(n); p++) {
        int port = fabric.port(n, p);
        if (fabric.lid(port) != 0) {
          b.setLid(n, p, fabric.lid(port), 0);
        }
      }
    }
    for (int port = 0; port < fabric.portIdLimit(); port++) {
      int peer = fabric.peer(port);
      boolean removed =
          fabric.nodeOf(port) == sw && fabric.numberOf(port) == number
              || peer == fabric.port(sw, number);
      if (peer > port && !removed) {
        b.connect(
            fabric.nodeOf(port), fabric.numberOf(port), fabric.nodeOf(peer), fabric.numberOf(peer));
      }
    }
    return b.build();
  }
}
