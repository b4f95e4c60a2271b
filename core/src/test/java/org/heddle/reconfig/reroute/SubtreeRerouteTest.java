package org.heddle.reconfig.reroute;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.heddle.catalog.Catalog;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.fabric.VirtualLids;
import org.heddle.reconfig.TableChange;
import org.heddle.reconfig.TableDiff;
import org.heddle.routing.ForwardingTables;
import org.heddle.routing.RoutingEngine;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.Recognition;
import org.heddle.topology.Subtree;
import org.heddle.topology.generate.DamageSpec;
import org.heddle.topology.generate.FabricDamage;
import org.heddle.topology.generate.FabricExtras;
import org.heddle.topology.generate.FabricShuffle;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.heddle.verify.Audit;
import org.heddle.verify.AuditOptions;
import org.heddle.verify.AuditReport;
import org.heddle.verify.RouteTrace;
import org.heddle.verify.transition.TableWrite;
import org.heddle.verify.transition.TransitionAudit;
import org.heddle.verify.transition.TransitionReport;
import org.junit.jupiter.api.Test;

class SubtreeRerouteTest {
  private static final int SEEDS = Integer.getInteger("heddle.subtrees", 12);

  private static Fabric fabric(String spec) {
    return TreeGenerator.generate(TreeSpec.parse(spec)).withAssignedLids();
  }

  private static RoutingEngine engine(String name) {
    return Catalog.engine(name).orElseThrow();
  }

  private static ForwardingTables route(Fabric fabric, String engine) {
    RoutingRequest request = RoutingRequest.of(fabric, FatTreeRecogniser.recognise(fabric));
    return ((RoutingResult.Routed) engine(engine).route(request)).tables();
  }

  private static AuditReport audit(Fabric fabric, ForwardingTables tables) {
    AuditOptions options = AuditOptions.defaults().withExamples(1).withThreads(1);
    return FatTreeRecogniser.recognise(fabric) instanceof Recognition.Found found
        ? Audit.run(fabric, tables, options.withTree(found.tree()))
        : Audit.run(fabric, tables, options);
  }

  /** The only port of a node. */
  private static int port(Fabric fabric, String name) {
    for (int node = fabric.switchCount(); node < fabric.nodeCount(); node++) {
      if (fabric.description(node).equals(name)) {
        return fabric.port(node, 1);
      }
    }
    throw new AssertionError("no " + name);
  }

  private static Subtree holding(Fabric fabric, String... names) {
    int[] ports = Arrays.stream(names).mapToInt(n -> port(fabric, n)).toArray();
    return ((Subtree.Found) Subtree.holding(fabric, ports)).subtree();
  }

  private static List<Guid> order(Fabric fabric, String... names) {
    return Arrays.stream(names)
        .map(n -> new Guid(fabric.nodeGuid(fabric.nodeOf(port(fabric, n)))))
        .toList();
  }

  private static SubtreeReroute.Rerouted rerouted(
      ForwardingTables tables, Subtree subtree, String engine, List<Guid> order) {
    return (SubtreeReroute.Rerouted) SubtreeReroute.run(tables, subtree, engine(engine), order);
  }

  private static Set<Integer> channels(Fabric fabric, ForwardingTables tables, String a, String b) {
    RouteTrace trace =
        RouteTrace.follow(fabric, tables, port(fabric, a), fabric.lid(port(fabric, b)));
    assertThat(trace.outcome()).isEqualTo(RouteTrace.Outcome.ARRIVED);
    Set<Integer> out = new HashSet<>();
    trace.links().forEach(link -> out.add(link.out()));
    return out;
  }

  private static int shared(
      Fabric fabric, ForwardingTables tables, String a, String b, String c, String d) {
    Set<Integer> both = channels(fabric, tables, a, b);
    both.retainAll(channels(fabric, tables, c, d));
    return both.size();
  }

  @Test
  void the_flows_of_the_testbed_are_on_disjoint_channels_afterwards() {
    // Paper III, figure 7: 10 switches, 14 nodes (two are missing at the last leaf). Its tuple does
    // not give these numbers; this one does: 2 * 2 leaves of 4 nodes, 2 * 2 switches above them,
    // 2 roots: 4 + 4 + 2 = 10 switches, 4 * 4 - 2 = 14 nodes.
    Fabric whole = fabric("PGFT(3;4,2,2;1,2,1;1,1,2)");
    assertThat(whole.switchCount()).isEqualTo(10);
    Fabric fabric = without(whole, "H_1_1_2", "H_1_1_3").withAssignedLids();
    assertThat(fabric.caCount()).isEqualTo(14);
    // CN 1..4 are on the first leaf, CN 5..8 on the second.
    String cn1 = "H_0_0_0";
    String cn3 = "H_0_0_2";
    String cn5 = "H_0_1_0";
    String cn7 = "H_0_1_2";
    ForwardingTables before = route(fabric, "ftree");
    // FTree counts: CN1 comes down from S5, CN2 from S6, CN3 from S5 again, CN4 from S6. A leaf has
    // one link to S5, so CN5 -> CN1 and CN7 -> CN3 share the channels leaf 2 -> S5 and S5 -> leaf
    // 1:
    // 32 Gbit/s for two flows, 16 each.
    assertThat(shared(fabric, before, cn5, cn1, cn7, cn3)).isEqualTo(2);

    Subtree subtree = holding(fabric, cn1, cn3, cn5, cn7);
    assertThat(subtree.fromNeighbourhood()).isTrue();
    assertThat(subtree.part().fabric().switchCount()).isEqualTo(4);
    assertThat(subtree.part().fabric().caCount()).isEqualTo(8);
    SubtreeReroute.Rerouted after = rerouted(before, subtree, "noftree", order(fabric, cn1, cn3));
    // NoFTree: CN1 has position 0 and slot 0 mod 4, which is S5; CN3 has position 1 and slot 1 mod
    // 4,
    // which is S6. So each flow has its links for itself: 32 Gbit/s each.
    assertThat(shared(fabric, after.tables(), cn5, cn1, cn7, cn3)).isZero();
    // CN2 now has slot 2, S5, so on the second leaf CN2 and CN3 change their ways up. Nothing else
    // does on it: 2 entries in one block. Leaf 1 and the switches above deliver as before.
    assertThat(after.switches()).hasSize(1);
    assertThat(after.entries()).isEqualTo(2);
    assertThat(after.smps()).isEqualTo(1);
    assertThat(audit(fabric, after.tables()).clean()).isTrue();
  }

  private static Fabric without(Fabric fabric, String... names) {
    Set<String> gone = Set.of(names);
    int[] nodes = new int[fabric.nodeCount()];
    int n = 0;
    for (int node = 0; node < nodes.length; node++) {
      if (!gone.contains(fabric.description(node))) {
        nodes[n++] = node;
      }
    }
    return org.heddle.fabric.FabricPart.of(fabric, Arrays.copyOf(nodes, n)).fabric();
  }

  @Test
  void three_flows_into_three_leaves_no_longer_share_one_way_up() {
    // Paper III, figures 5 and 6: a two-level part of a three-level tree, four nodes a leaf and
    // four
    // ways up; b, c, d on the first leaf send to e, i, m, the first nodes of the other three.
    Fabric fabric = fabric("XGFT(3;4,4,3;1,4,4)");
    ForwardingTables before = route(fabric, "ftree");
    String[] from = {"H_1_0_1", "H_1_0_2", "H_1_0_3"};
    String[] to = {"H_1_1_0", "H_1_2_0", "H_1_3_0"};
    // FTree brings the first node of every leaf down from the first switch: all three flows leave
    // their leaf by the same channel, a third of the bandwidth each.
    assertThat(mostFlows(fabric, before, from, to)).isEqualTo(3);
    Subtree subtree = holding(fabric, from[0], to[0]);
    SubtreeReroute.Rerouted after = rerouted(before, subtree, "noftree", order(fabric, to));
    // Order e, i, m: slots 0, 1 and 2 of their leaves, so three different switches.
    assertThat(mostFlows(fabric, after.tables(), from, to)).isEqualTo(1);
    assertThat(audit(fabric, after.tables()).clean()).isTrue();
  }

  private static int mostFlows(Fabric fabric, ForwardingTables tables, String[] from, String[] to) {
    TreeMap<Integer, Integer> flows = new TreeMap<>();
    for (int i = 0; i < from.length; i++) {
      channels(fabric, tables, from[i], to[i]).forEach(c -> flows.merge(c, 1, Integer::sum));
    }
    return flows.values().stream().mapToInt(Integer::intValue).max().orElseThrow();
  }

  // ---- everything else stays, and all of it works

  @Test
  void only_lids_of_the_subtree_on_switches_of_the_subtree_change_and_the_whole_is_sound() {
    String[] specs = {
      "XGFT(2;4,4;1,4)",
      "XGFT(3;4,4,4;1,4,4)",
      "XGFT(3;4,3,4;1,2,3)",
      "PGFT(3;3,3,2;1,2,2;1,2,2)",
      "XGFT(4;2,2,3,2;1,2,2,2)",
      "XGFT(3;4,4,2;2,2,2)"
    };
    String[] engines = {"ftree", "noftree", "dmodk", "pftree", "vswitch-ftree"};
    SplittableRandom random = new SplittableRandom(5);
    int local = 0;
    int changed = 0;
    for (String spec : specs) {
      for (int seed = 0; seed < SEEDS; seed++) {
        Fabric fabric = damaged(fabric(spec), seed);
        Recognition recognition = FatTreeRecogniser.recognise(fabric);
        if (!(engine("ftree").route(RoutingRequest.of(fabric, recognition))
            instanceof RoutingResult.Routed routed)) {
          continue;
        }
        int[] ports = new int[2 + random.nextInt(3)];
        for (int i = 0; i < ports.length; i++) {
          int node = fabric.switchCount() + random.nextInt(fabric.caCount());
          ports[i] = fabric.port(node, 1);
        }
        Subtree.Result result = Subtree.holding(fabric, ports);
        if (result instanceof Subtree.Found found) {
          local += found.subtree().fromNeighbourhood() ? 1 : 0;
          sameAsInTheWholeTree(fabric, ports, found.subtree(), recognition);
          String name = engines[seed % engines.length];
          changed += check(fabric, routed.tables(), found.subtree(), name, random);
        }
      }
    }
    assertThat(local).isGreaterThan(5);
    assertThat(changed).isGreaterThan(20);
  }

  private static Fabric damaged(Fabric fabric, int seed) {
    Fabric out =
        FabricDamage.apply(
                seed % 2 == 0 ? fabric : FabricShuffle.ports(fabric, seed),
                DamageSpec.none(seed)
                    .withLinks(DamageSpec.Amount.of(seed % 4))
                    .withHosts(DamageSpec.Amount.of(seed % 3))
                    .keepingConnected())
            .fabric();
    return seed % 5 == 0 ? FabricExtras.withSmNode(out).withAssignedLids() : out;
  }

  private static void sameAsInTheWholeTree(
      Fabric fabric, int[] ports, Subtree subtree, Recognition recognition) {
    Subtree other = ((Subtree.Found) Subtree.holding(fabric, ports, recognition)).subtree();
    assertThat(subtree.part().fabric()).isEqualTo(other.part().fabric());
    for (int s = 0; s < subtree.part().fabric().switchCount(); s++) {
      assertThat(subtree.tree().level(s)).isEqualTo(other.tree().level(s));
    }
  }

  private static int check(
      Fabric fabric,
      ForwardingTables before,
      Subtree subtree,
      String name,
      SplittableRandom random) {
    List<Guid> order = new ArrayList<>();
    Fabric part = subtree.part().fabric();
    for (int i = 0; i < 5 && name.equals("noftree"); i++) {
      int node = part.switchCount() + random.nextInt(part.nodeCount() - part.switchCount());
      order.add(new Guid(part.nodeGuid(node)));
    }
    if (!(SubtreeReroute.run(before, subtree, engine(name), order)
        instanceof SubtreeReroute.Rerouted after)) {
      return 0;
    }
    Set<Integer> switches = new HashSet<>();
    Set<Integer> lids = new HashSet<>();
    for (int s = 0; s < part.switchCount(); s++) {
      switches.add(subtree.part().wholeNode(s));
    }
    for (int lid = 1; lid <= part.topLid(); lid++) {
      if (!part.isSwitch(part.nodeOf(part.portOfLid(lid)))) {
        lids.add(subtree.part().wholeLid(lid));
      }
    }
    long entries = 0;
    for (int s = 0; s < fabric.switchCount(); s++) {
      for (int lid = 0; lid <= fabric.topLid(); lid++) {
        if (before.port(s, lid) != after.tables().port(s, lid)) {
          assertThat(switches).contains(s);
          assertThat(lids).contains(lid);
          entries++;
        }
      }
    }
    TableDiff diff = TableDiff.of(fabric, before, after.tables());
    assertThat(after.entries()).isEqualTo(entries).isEqualTo(diff.entries());
    assertThat(after.smps()).isEqualTo(diff.smps());
    assertThat(after.switches())
        .isEqualTo(diff.switches().stream().map(TableDiff.SwitchChange::sw).toList());
    AuditReport report = audit(fabric, after.tables());
    assertThat(report.errors()).as("%s", report.findings()).isZero();
    assertThat(report.creditLoops().cyclic()).isZero();
    long turns = audit(fabric, before).upDown().orElseThrow().downUpRoutes();
    assertThat(report.upDown().orElseThrow().downUpRoutes()).isEqualTo(turns);
    safeWhileWritten(fabric, before, after.tables());
    return after.entries() > 0 ? 1 : 0;
  }

  private static void safeWhileWritten(
      Fabric fabric, ForwardingTables before, ForwardingTables after) {
    Recognition.Found found = (Recognition.Found) FatTreeRecogniser.recognise(fabric);
    TableChange change = TableChange.order(fabric, Optional.of(found.tree()), before, after);
    List<TableWrite> writes = new ArrayList<>();
    boolean dropping = false;
    for (TableChange.Write w : change.writes()) {
      writes.add(new TableWrite(w.sw(), w.block(), w.entries(), dropping && !w.drop()));
      dropping = w.drop();
    }
    TransitionReport report =
        TransitionAudit.run(
            fabric, before, writes, new TreeMap<>(), new TreeSet<>(change.dropped()));
    assertThat(report.isClean()).as("%s", report.examples()).isTrue();
  }

  @Test
  void the_same_engine_without_an_order_changes_nothing_in_a_whole_tree() {
    Fabric fabric = fabric("XGFT(3;4,4,4;1,4,4)");
    ForwardingTables before = route(fabric, "ftree");
    SubtreeReroute.Rerouted after =
        rerouted(before, holding(fabric, "H_1_0_0", "H_1_3_0"), "ftree", List.of());
    assertThat(after.tables()).isSameAs(before);
    assertThat(after.lids()).isEqualTo(16);
    assertThat(after.smps()).isZero();
    assertThat(after.kept()).isZero();
  }

  @Test
  void virtual_machines_are_routed_anew_with_their_hosts() {
    Fabric plain = fabric("XGFT(3;4,4,2;1,4,4)");
    int host = port(plain, "H_0_1_2");
    int[] lids = {plain.topLid() + 3, plain.topLid() + 9};
    Fabric fabric =
        plain.withVirtualLids(VirtualLids.of(lids, new int[] {host, host}, new int[] {1, 1}));
    ForwardingTables before = route(fabric, "dmodk");
    SubtreeReroute.Rerouted after =
        rerouted(before, holding(fabric, "H_0_0_0", "H_0_1_0"), "vswitch-ftree", List.of());
    assertThat(after.lids()).isEqualTo(18);
    assertThat(after.entries()).isPositive();
    assertThat(audit(fabric, after.tables()).clean()).isTrue();
  }

  @Test
  void a_switch_that_has_lost_its_way_down_keeps_its_old_entries() {
    // One of the four switches above the first two-level sub-tree has lost its link to leaf 0: what
    // comes to it for a host there goes up and round, as before.
    Fabric fabric = fabric("XGFT(3;4,4,2;1,4,4)");
    int leaf = fabric.attachedSwitch(port(fabric, "H_0_0_0"));
    Fabric broken = unlinked(fabric, fabric.port(leaf, 5));
    ForwardingTables before = route(broken, "ftree");
    Subtree subtree = holding(broken, "H_0_0_0", "H_0_1_0");
    SubtreeReroute.Rerouted after =
        rerouted(before, subtree, "noftree", order(broken, "H_0_0_2", "H_0_0_3"));
    assertThat(after.kept()).isEqualTo(4); // one switch, four hosts of that leaf
    assertThat(after.entries()).isPositive();
    AuditReport report = audit(broken, after.tables());
    assertThat(report.errors()).isZero();
    assertThat(report.creditLoops().cyclic()).isZero();
  }

  private static Fabric unlinked(Fabric fabric, int cable) {
    for (int seed = 0; seed < 100_000; seed++) {
      FabricDamage.Damaged damaged =
          FabricDamage.apply(fabric, DamageSpec.none(seed).withLinks(DamageSpec.Amount.of(1)));
      FabricDamage.Removed gone = damaged.removed().getFirst();
      long guid = fabric.nodeGuid(fabric.nodeOf(cable));
      int number = fabric.numberOf(cable);
      boolean one = gone.guid() == guid && gone.port() == number;
      boolean other = gone.peerGuid() == guid && gone.peerPort() == number;
      if (one || other) {
        return damaged.fabric();
      }
    }
    throw new AssertionError("no seed");
  }

  // ---- which sub-tree

  @Test
  void the_smallest_subtree_that_holds_all_hosts_is_taken() {
    Fabric fabric = fabric("XGFT(4;2,2,3,2;1,2,2,2)");
    assertThat(holding(fabric, "H_1_2_0_0", "H_1_2_1_0").tree().levels()).isEqualTo(2);
    Subtree three = holding(fabric, "H_1_2_0_0", "H_1_0_1_0");
    assertThat(three.tree().levels()).isEqualTo(3);
    assertThat(three.part().fabric().switchCount()).isEqualTo(6 + 6 + 4);
    assertThat(three.fromNeighbourhood()).isFalse();
    assertThat(holding(fabric, "H_1_2_0_0", "H_0_0_1_0").tree().levels()).isEqualTo(4);
  }

  @Test
  void hosts_on_one_leaf_have_nothing_to_be_routed_otherwise() {
    Fabric fabric = fabric("XGFT(3;4,4,2;1,4,4)");
    int[] ports = {port(fabric, "H_0_0_0"), port(fabric, "H_0_0_3")};
    int leaf = fabric.attachedSwitch(ports[0]);
    assertThat(Subtree.holding(fabric, ports)).isEqualTo(new Subtree.OneLeaf(leaf));
  }

  @Test
  void a_host_on_an_upper_switch_spans_no_subtree() {
    Fabric fabric = FabricExtras.withSmNode(fabric("XGFT(3;4,4,2;1,4,4)")).withAssignedLids();
    int[] ports = {port(fabric, "H_0_0_0"), port(fabric, "sm-node")};
    assertThat(Subtree.holding(fabric, ports))
        .isInstanceOfSatisfying(
            Subtree.Refused.class, r -> assertThat(r.reason()).contains("only hosts on leaf"));
  }

  @Test
  void a_manager_node_on_a_root_does_not_make_the_whole_fabric_be_recognised() {
    Fabric fabric = FabricExtras.withSmNode(fabric("XGFT(3;4,4,4;1,4,4)")).withAssignedLids();
    assertThat(holding(fabric, "H_2_0_0", "H_2_3_3").fromNeighbourhood()).isTrue();
  }

  @Test
  void a_leaf_without_hosts_is_still_a_leaf_of_its_subtree() {
    Fabric whole = fabric("XGFT(3;2,4,4;1,4,4)");
    Fabric fabric = without(whole, "H_1_2_0", "H_1_2_1");
    Subtree subtree = holding(fabric, "H_1_0_0", "H_1_3_1");
    assertThat(subtree.fromNeighbourhood()).isFalse(); // in doubt
    assertThat(subtree.part().fabric().switchCount()).isEqualTo(8);
    assertThat(subtree.tree().leafCount()).isEqualTo(4);
  }

  @Test
  void hosts_with_ports_in_two_planes_have_a_subtree_in_each() {
    Fabric fabric = fabric("XGFT(3;4,4,2;2,2,2)");
    int node = fabric.nodeOf(port(fabric, "H_0_0_0"));
    int other = fabric.nodeOf(port(fabric, "H_0_1_0"));
    int[] ports = {
      fabric.port(node, 1), fabric.port(node, 2), fabric.port(other, 1), fabric.port(other, 2)
    };
    Subtree subtree = ((Subtree.Found) Subtree.holding(fabric, ports)).subtree();
    assertThat(subtree.tree().planeCount()).isEqualTo(2);
    assertThat(subtree.part().fabric().switchCount()).isEqualTo(2 * (4 + 2));
  }

  @Test
  void tables_that_end_before_the_lids_of_the_subtree_are_made_longer() {
    Fabric fabric = fabric("XGFT(2;2,2;1,2)");
    ForwardingTables empty = ForwardingTables.empty(fabric.switchCount(), 3);
    SubtreeReroute.Rerouted after =
        rerouted(empty, holding(fabric, "H_0_0", "H_1_0"), "ftree", List.of());
    assertThat(after.entries()).isEqualTo(16); // 4 hosts on 4 switches
    assertThat(channels(fabric, after.tables(), "H_0_0", "H_1_1")).hasSize(4);
  }
}
