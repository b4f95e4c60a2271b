package org.heddle.routing.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.heddle.catalog.Catalog;
import org.heddle.fabric.Fabric;
import org.heddle.routing.ForwardingTables;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.tenancy.IsolationPolicy;
import org.heddle.tenancy.Partition;
import org.heddle.tenancy.PartitionMember;
import org.heddle.tenancy.Tenancy;
import org.heddle.verify.isolation.IsolationAudit;
import org.heddle.verify.isolation.IsolationOptions;
import org.heddle.verify.isolation.IsolationReport;
import org.junit.jupiter.api.Test;

/**
 * The examples of Zahid et al., "Efficient Network Isolation and Load Balancing in Multi-Tenant HPC
 * Clusters": two levels, every leaf linked once to both roots. Hosts are named by letters, leaf by
 * leaf in port order.
 */
class PFTreeFiguresTest {
  private final List<Partition> partitions = new ArrayList<>();
  private Fabric fabric;
  private int perLeaf;

  private void tree(int hostsPerLeaf, int leaves) {
    perLeaf = hostsPerLeaf;
    fabric = Fabrics.tree("XGFT(2;" + hostsPerLeaf + "," + leaves + ";1,2)");
  }

  private void partition(String hosts, IsolationPolicy policy, Map<Character, Integer> weights) {
    List<PartitionMember> members = new ArrayList<>();
    for (char host : hosts.toCharArray()) {
      members.add(new PartitionMember(port(host), true, weights.getOrDefault(host, 1)));
    }
    members.sort(java.util.Comparator.comparingInt(PartitionMember::port));
    int number = partitions.size() + 1;
    partitions.add(new Partition("P" + number, number, policy, members, List.of()));
  }

  private int port(char host) {
    int index = Character.toUpperCase(host) - 'A';
    int leaf =
        RoutingEngineContract.treeOf(RoutingEngineContract.recognise(fabric))
            .get()
            .leaf(index / perLeaf);
    return fabric.peer(fabric.port(leaf, index % perLeaf + 1));
  }

  private RoutingResult.Routed route(String engine) {
    Tenancy tenancy = new Tenancy(Tenancy.Rules.BEST_EFFORT, partitions);
    RoutingRequest request =
        RoutingRequest.of(fabric, RoutingEngineContract.recognise(fabric)).withTenancy(tenancy);
    return (RoutingResult.Routed) Catalog.engine(engine).orElseThrow().route(request);
  }

  /** The root through which traffic from another leaf comes down to the host. */
  private int root(ForwardingTables tables, char host) {
    int port = port(host);
    int own = fabric.attachedSwitch(port);
    for (int s = 0; s < fabric.switchCount(); s++) {
      if (s != own
          && fabric.peerNode(fabric.port(s, tables.port(s, fabric.lid(port)))) > s
          && fabric.isSwitch(fabric.peerNode(fabric.port(s, tables.port(s, fabric.lid(port)))))) {
        return fabric.peerNode(fabric.port(s, tables.port(s, fabric.lid(port))));
      }
    }
    throw new AssertionError("no way to " + host);
  }

  private IsolationReport audit(RoutingResult.Routed routed) {
    return IsolationAudit.run(
        fabric,
        routed.tables(),
        new Tenancy(Tenancy.Rules.BEST_EFFORT, partitions),
        routed.lanes(),
        IsolationOptions.defaults());
  }

  /** Figure 3(a): L1 = A B C, L2 = D E F; {B,C} and {D,E} never climb and must not count. */
  @Test
  void figure3aHostsThatNeverClimbDoNotCount() {
    tree(3, 2);
    partition("BC", IsolationPolicy.DEF, Map.of());
    partition("ACDF", IsolationPolicy.DEF, Map.of());
    partition("DE", IsolationPolicy.DEF, Map.of());
    ForwardingTables plain = route("ftree").tables();
    assertThat(root(plain, 'A')).isEqualTo(root(plain, 'C'));
    ForwardingTables tables = route("pftree").tables();
    assertThat(root(tables, 'A')).isNotEqualTo(root(tables, 'C'));
    assertThat(root(tables, 'D')).isNotEqualTo(root(tables, 'F'));
  }

  /** Figure 4: L1 = a b c d, L2 = e f g h; P1 = {a,d,g,h}, P2 = {b,c,e,f}: a root for each. */
  @Test
  void figure4PartitionsGetARootEach() {
    tree(4, 2);
    partition("adgh", IsolationPolicy.DEF, Map.of());
    partition("bcef", IsolationPolicy.DEF, Map.of());
    RoutingResult.Routed routed = route("pftree");
    ForwardingTables tables = routed.tables();
    int first = root(tables, 'a');
    int second = root(tables, 'b');
    assertThat(first).isNotEqualTo(second);
    assertThat(List.of(root(tables, 'd'), root(tables, 'g'), root(tables, 'h')))
        .containsOnly(first);
    assertThat(List.of(root(tables, 'c'), root(tables, 'e'), root(tables, 'f')))
        .containsOnly(second);
    assertThat(audit(routed).pairs()).isEmpty();
  }

  /**
   * Figures 5 and 6: leaves A B C / D E F / G H I; P1 = {A,E}, P2 = {B,D,F,G,I}, P3 = {C,H}. With
   * P1 physically isolated nobody shares a channel with it, and P2 and P3 share the other root.
   */
  @Test
  void figure6APhysicallyIsolatedPartitionSharesNoChannel() {
    tree(3, 3);
    partition("AE", IsolationPolicy.PHY, Map.of());
    partition("BDFGI", IsolationPolicy.DEF, Map.of());
    partition("CH", IsolationPolicy.DEF, Map.of());
    RoutingResult.Routed routed = route("pftree-ext");
    ForwardingTables tables = routed.tables();
    assertThat(root(tables, 'A')).isEqualTo(root(tables, 'E'));
    IsolationReport report = audit(routed);
    assertThat(report.kept()).isTrue();
    assertThat(report.sharedChannels(0, 1)).isEmpty();
    assertThat(report.sharedChannels(0, 2)).isEmpty();
    assertThat(routed.notes()).isEmpty();
  }

  /** Figure 12: figure 4 with weight 100 for a: a alone on one root, b, c, d on the other. */
  @Test
  void figure12AHeavyReceiverGetsARootOfItsOwn() {
    tree(4, 2);
    partition("adgh", IsolationPolicy.DEF, Map.of('a', 100));
    partition("bcef", IsolationPolicy.DEF, Map.of());
    ForwardingTables tables = route("pftree-wt").tables();
    int alone = root(tables, 'a');
    assertThat(List.of(root(tables, 'b'), root(tables, 'c'), root(tables, 'd')))
        .doesNotContain(alone);
    assertThat(root(tables, 'g')).isEqualTo(root(tables, 'h'));
    assertThat(root(tables, 'e')).isEqualTo(root(tables, 'f'));
    assertThat(root(tables, 'g')).isNotEqualTo(root(tables, 'e'));
  }

  /**
   * Table 3: victims spread evenly over the leaves of a k-ary-2-tree with more hosts a leaf,
   * isolated physically: no channel shared with the interferers, in either direction.
   */
  @Test
  void table3VictimsShareNothingUnderExt() {
    int[][] topologies = {
      {8, 4}, {12, 4}, {16, 4}, {16, 8}, {24, 8}, {32, 8}, {32, 16}, {48, 16}, {64, 16}
    };
    for (int[] t : topologies) {
      partitions.clear();
      fabric = Fabrics.tree("XGFT(2;" + t[0] + "," + t[1] + ";1," + t[1] + ")");
      List<PartitionMember> victims = new ArrayList<>();
      List<PartitionMember> others = new ArrayList<>();
      for (int port = 0; port < fabric.portIdLimit(); port++) {
        if (fabric.isEndport(port) && !fabric.isSwitch(fabric.nodeOf(port))) {
          int number = fabric.numberOf(fabric.peer(port));
          (number % 4 == 1 ? victims : others).add(new PartitionMember(port, true, 1));
        }
      }
      partitions.add(new Partition("victim", 1, IsolationPolicy.PHY, victims, List.of()));
      partitions.add(new Partition("others", 2, IsolationPolicy.DEF, others, List.of()));
      RoutingResult.Routed routed = route("pftree-ext");
      assertThat(audit(routed).sharedChannels(0, 1)).as("%d,%d", t[0], t[1]).isEmpty();
      assertThat(routed.notes()).isEmpty();
    }
  }
}
