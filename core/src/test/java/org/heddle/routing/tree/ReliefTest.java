package org.heddle.routing.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.heddle.fabric.Fabric;
import org.heddle.routing.ForwardingTables;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.topology.FatTree;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.Recognition;
import org.heddle.topology.generate.DamageSpec;
import org.heddle.topology.generate.FabricDamage;
import org.heddle.topology.generate.FabricShuffle;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.heddle.verify.Audit;
import org.heddle.verify.AuditOptions;
import org.heddle.verify.AuditReport;
import org.heddle.verify.Severity;
import org.junit.jupiter.api.Test;

/** What {@link Relief} moves, and what it leaves alone. */
class ReliefTest {
  /** Of the tables of 2 x 300 whole trees as they were before there was any relief. */
  private static final long BEFORE = 38_783_934_749_414_909L;

  /** Choices by counters, with everything else left as the rule deals it out. */
  private record WithoutRelief(SlotChooser chooser) implements SlotChooser {
    @Override
    public SlotPlan choose(TreeGraph graph, Destinations dest, LeafHosts hosts) {
      return chooser.choose(graph, dest, hosts);
    }

    @Override
    public boolean keepsCables() {
      return chooser.keepsCables();
    }
  }

  private static ForwardingTables tables(Fabric fabric, boolean relieved) {
    SlotChooser chooser = new CountingSlots(new int[0]);
    RoutingRequest request = RoutingRequest.of(fabric, FatTreeRecogniser.recognise(fabric));
    RoutingResult result =
        TreeRouting.route(request, relieved ? chooser : new WithoutRelief(chooser));
    return ((RoutingResult.Routed) result).tables();
  }

  @Test
  void whole_trees_keep_their_tables_entry_by_entry() {
    long hash = 17;
    for (String spec : wholeTrees(300)) {
      Fabric regular = TreeGenerator.generate(TreeSpec.parse(spec)).withAssignedLids();
      for (Fabric fabric : List.of(regular, FabricShuffle.ports(regular, 7))) {
        ForwardingTables tables = tables(fabric, true);
        assertThat(tables).as(spec).isEqualTo(tables(fabric, false));
        for (int s = 0; s < fabric.switchCount(); s++) {
          for (int lid = 0; lid <= fabric.topLid(); lid++) {
            hash = hash * 1_000_003 + tables.port(s, lid);
          }
        }
      }
    }
    assertThat(hash).isEqualTo(BEFORE);
  }

  /** Specifications of trees with up to 600 hosts, and some with more than 64 spines. */
  private static List<String> wholeTrees(int count) {
    List<String> out =
        new ArrayList<>(List.of("XGFT(2;70,3;1,66)", "XGFT(2;5,3;1,80)", "PGFT(2;9,4;1,35;1,2)"));
    Random random = new Random(1);
    while (out.size() < count) {
      int h = 2 + random.nextInt(3);
      int[] m = new int[h];
      int[] w = new int[h];
      int[] p = new int[h];
      long hosts = 1;
      for (int l = 0; l < h; l++) {
        m[l] = 1 + random.nextInt(h == 2 ? 12 : h == 3 ? 6 : 4);
        w[l] = l == 0 ? 1 : 1 + random.nextInt(h == 2 ? 10 : h == 3 ? 5 : 3);
        p[l] = l == 0 ? 1 : 1 + random.nextInt(3);
        hosts *= m[l];
      }
      String spec = "PGFT(" + h + ";" + text(m) + ";" + text(w) + ";" + text(p) + ")";
      if (hosts > 1 && hosts <= 600 && !out.contains(spec)) {
        out.add(spec);
      }
    }
    return out;
  }

  private static String text(int[] values) {
    return Arrays.toString(values).replaceAll("[\\[\\] ]", "");
  }

  /** With two levels every spine reaches every leaf but those whose link to it is lost. */
  @Test
  void no_up_link_of_a_damaged_leaf_carries_more_than_a_fifth_above_its_share() {
    int uneven = 0;
    for (int seed = 0; seed < 40; seed++) {
      Fabric whole = TreeGenerator.generate(TreeSpec.parse("XGFT(2;8,12;1,8)")).withAssignedLids();
      DamageSpec damage =
          DamageSpec.none(seed).withLinks(DamageSpec.Amount.share(0.15)).keepingConnected();
      Fabric fabric = FabricDamage.apply(FabricShuffle.ports(whole, seed), damage).fabric();
      FatTree tree = ((Recognition.Found) FatTreeRecogniser.recognise(fabric)).tree();
      AuditReport before = audit(fabric, tables(fabric, false));
      AuditReport after = audit(fabric, tables(fabric, true));
      assertThat(after.findings()).noneMatch(f -> f.severity() == Severity.ERROR);
      for (int i = 0; i < tree.leafCount(); i++) {
        int[] loads = upLoads(fabric, tree, after, tree.leaf(i));
        int all = Arrays.stream(loads).sum();
        int most = UpLinkRelief.tolerated((all + loads.length - 1) / loads.length);
        assertThat(max(loads)).as("seed %d, leaf %d", seed, i).isLessThanOrEqualTo(most);
        uneven += max(upLoads(fabric, tree, before, tree.leaf(i))) > most ? 1 : 0;
      }
    }
    assertThat(uneven).isGreaterThan(10);
  }

  private static int max(int[] loads) {
    return Arrays.stream(loads).max().orElseThrow();
  }

  private static AuditReport audit(Fabric fabric, ForwardingTables tables) {
    return Audit.run(fabric, tables, AuditOptions.defaults());
  }

  private static int[] upLoads(Fabric fabric, FatTree tree, AuditReport report, int leaf) {
    List<Integer> out = new ArrayList<>();
    for (int number = 1; number <= fabric.portCount(leaf); number++) {
      int port = fabric.port(leaf, number);
      int peer = fabric.peerNode(port);
      if (fabric.isSwitch(peer) && tree.level(peer) > tree.level(leaf)) {
        out.add(report.channels().destinations(port));
      }
    }
    return out.stream().mapToInt(i -> i).toArray();
  }
}
