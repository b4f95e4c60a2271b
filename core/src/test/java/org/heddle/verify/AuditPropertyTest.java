package org.heddle.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.assertj.core.data.Offset;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.FabricBuilder;
import org.heddle.fabric.NodeType;
import org.heddle.routing.ForwardingTables;
import org.heddle.topology.FatTree;
import org.heddle.verify.AuditReport.ChannelKind;
import org.heddle.verify.AuditReport.CreditLoops;
import org.heddle.verify.AuditReport.LoadSummary;
import org.heddle.verify.AuditReport.PairKind;
import org.junit.jupiter.api.Test;

/** Every number of the audit against tracing every route by hand, over random fabrics. */
class AuditPropertyTest {
  private static final int SEEDS = 400;

  @Test
  void spanningTreeTablesOfRandomFabricsAreMeasuredAsByTracingEveryRoute() {
    for (int seed = 0; seed < SEEDS; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Fabric fabric = fabric(random);
      ForwardingTables tables = spanningTrees(fabric, random);
      AuditReport report = check("seed " + seed, fabric, tables, levels(fabric, random));
      assertThat(report.loopCount()).as("seed %d", seed).isZero();
      for (AuditReport.Reachability r : report.reachability()) {
        assertThat(r.unreachable()).as("seed %d %s", seed, r.kind()).isZero();
      }
    }
  }

  @Test
  void damagedTablesOfRandomFabricsAreMeasuredAsByTracingEveryRoute() {
    int loops = 0;
    int creditLoops = 0;
    int turns = 0;
    int misled = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      SplittableRandom random = new SplittableRandom(1_000_000 + seed);
      Fabric fabric = fabric(random);
      ForwardingTables tables = damage(fabric, spanningTrees(fabric, random), random);
      AuditReport report = check("seed " + seed, fabric, tables, levels(fabric, random));
      loops += report.loopCount() > 0 ? 1 : 0;
      creditLoops += report.creditLoops().cyclic() > 0 ? 1 : 0;
      turns += report.upDown().orElseThrow().downUpRoutes() > 0 ? 1 : 0;
      misled += report.entries().wrongHost() > 0 ? 1 : 0;
    }
    // the damage must be of the kind the test is about
    assertThat(loops).isGreaterThan(SEEDS / 10);
    assertThat(creditLoops).isGreaterThan(SEEDS / 10);
    assertThat(turns).isGreaterThan(SEEDS / 10);
    assertThat(misled).isGreaterThan(SEEDS / 10);
  }

  // ---- comparison

  private static AuditReport check(
      String seed, Fabric fabric, ForwardingTables tables, FatTree tree) {
    AuditOptions options = AuditOptions.defaults().withTree(tree).withThreads(1);
    AuditReport report = Audit.run(fabric, tables, options);
    AuditReport parallel = Audit.run(fabric, tables, options.withThreads(3));
    assertThat(parallel).as(seed).isEqualTo(report);
    ReferenceAudit reference = new ReferenceAudit(fabric, tables, tree);
    assertThat(entries(report.entries())).as(seed).isEqualTo(withZeros(reference.entries));
    checkReachability(seed, report, reference);
    checkLoops(seed, fabric, report, reference);
    checkLoads(seed, fabric, report, reference);
    checkSummaries(seed, fabric, report, reference);
    checkCycles(seed, report.creditLoops(), reference, reference.caDependencies);
    checkCycles(seed, report.creditLoopsWithSwitches(), reference, reference.allDependencies);
    assertThat(report.upDown())
        .as(seed)
        .contains(
            new AuditReport.UpDown(
                reference.routesOverSwitches,
                reference.downUp,
                reference.sameLevel,
                reference.downUpTurns()));
    return report;
  }

  private static Map<String, Long> entries(AuditReport.Entries e) {
    return Map.of(
        "checked", e.checked(),
        "missing", e.missing(),
        "range", e.portOutOfRange(),
        "dangling", e.danglingPort(),
        "zero", e.portZero(),
        "ownLid", e.ownLid(),
        "wrongHost", e.wrongHost(),
        "stale", e.stale());
  }

  private static Map<String, Long> withZeros(Map<String, Long> counts) {
    Map<String, Long> all = new HashMap<>(counts);
    for (String key :
        List.of(
            "checked", "missing", "range", "dangling", "zero", "ownLid", "wrongHost", "stale")) {
      all.putIfAbsent(key, 0L);
    }
    return all;
  }

  private static void checkReachability(String seed, AuditReport report, ReferenceAudit ref) {
    for (PairKind kind : PairKind.values()) {
      int k = kind.ordinal();
      assertThat(report.reachability(kind))
          .as(seed)
          .isEqualTo(
              new AuditReport.Reachability(
                  kind,
                  ref.pairCount[k],
                  ref.missing[k] + ref.bad[k] + ref.loop[k],
                  ref.missing[k],
                  ref.bad[k],
                  ref.loop[k]));
    }
  }

  private static void checkLoops(
      String seed, Fabric fabric, AuditReport report, ReferenceAudit ref) {
    List<AuditReport.ForwardingLoop> wanted = new ArrayList<>();
    long total = 0;
    for (var circle : ref.circles.entrySet()) {
      int[] ports = circle.getKey().stream().mapToInt(Integer::intValue).toArray();
      total += circle.getValue().size();
      wanted.add(
          new AuditReport.ForwardingLoop(
              circle.getValue().getFirst(),
              circle.getValue().size(),
              ports.length,
              AuditMessages.path(fabric, ports)));
    }
    assertThat(report.loops()).as(seed).containsExactlyInAnyOrderElementsOf(wanted);
    assertThat(report.loops()).as(seed).isSortedAccordingTo((a, b) -> a.lid() - b.lid());
    assertThat(report.loopCount()).as(seed).isEqualTo(total);
  }

  private static void checkLoads(
      String seed, Fabric fabric, AuditReport report, ReferenceAudit ref) {
    for (int p = 0; p < fabric.portIdLimit(); p++) {
      long pairs = ref.pairs.getOrDefault(p, 0L);
      int destinations = ref.destinations.getOrDefault(p, Set.of()).size();
      assertThat(report.channels().pairs(p)).as("%s port %d", seed, p).isEqualTo(pairs);
      assertThat(report.channels().destinations(p)).as("%s, %d", seed, p).isEqualTo(destinations);
    }
  }

  private static void checkSummaries(
      String seed, Fabric fabric, AuditReport report, ReferenceAudit ref) {
    for (ChannelKind kind : ChannelKind.values()) {
      List<Long> pairs = new ArrayList<>();
      for (int p = 0; p < fabric.portIdLimit(); p++) {
        if (fabric.peer(p) != Fabric.NONE && kindsOf(fabric, ref, p).contains(kind)) {
          pairs.add(ref.pairs.getOrDefault(p, 0L));
        }
      }
      LoadSummary summary = report.pairLoad(kind).orElse(null);
      if (pairs.isEmpty()) {
        assertThat(summary).as("%s %s", seed, kind).isNull();
        continue;
      }
      assertThat(summary.channels()).as(seed).isEqualTo(pairs.size());
      assertThat(summary.max()).as(seed).isEqualTo(pairs.stream().max(Long::compare).get());
      assertThat(summary.used()).as(seed).isEqualTo(pairs.stream().filter(l -> l > 0).count());
      assertThat(summary.mean() * pairs.size())
          .as(seed)
          .isCloseTo(pairs.stream().mapToLong(l -> l).sum(), Offset.offset(1e-6));
      for (AuditReport.LoadBin bin : summary.histogram()) {
        assertThat(bin.channels())
            .as(seed)
            .isEqualTo(pairs.stream().filter(l -> l == bin.load()).count())
            .isPositive();
      }
    }
    List<Long> hops = new ArrayList<>();
    for (int i = 0; !ref.hops.isEmpty() && i <= ref.hops.lastKey(); i++) {
      hops.add(ref.hops.getOrDefault(i, 0L));
    }
    assertThat(report.hops().histogram()).as(seed).isEqualTo(hops);
    assertThat(report.links()).as(seed).isEqualTo(links(fabric, ref));
  }

  private static Set<ChannelKind> kindsOf(Fabric fabric, ReferenceAudit ref, int port) {
    boolean fromSwitch = fabric.isSwitch(fabric.nodeOf(port));
    boolean toSwitch = fabric.isSwitch(fabric.peerNode(port));
    if (!fromSwitch) {
      return toSwitch ? Set.of(ChannelKind.CA_TO_SWITCH) : Set.of();
    }
    if (!toSwitch) {
      return Set.of(ChannelKind.SWITCH_TO_CA);
    }
    int direction = ref.direction(port);
    return direction == 0
        ? Set.of(ChannelKind.SWITCH_TO_SWITCH)
        : Set.of(ChannelKind.SWITCH_TO_SWITCH, direction > 0 ? ChannelKind.UP : ChannelKind.DOWN);
  }

  private static AuditReport.LinkUse links(Fabric fabric, ReferenceAudit ref) {
    int links = 0;
    int unused = 0;
    int half = 0;
    for (int p = 0; p < fabric.portIdLimit(); p++) {
      if (ref.isInner(p) && p <= fabric.peer(p)) {
        int used = ref.pairs.containsKey(p) ? 1 : 0;
        used += ref.pairs.containsKey(fabric.peer(p)) ? 1 : 0;
        links++;
        unused += used == 0 ? 1 : 0;
        half += used == 1 ? 1 : 0;
      }
    }
    return new AuditReport.LinkUse(links, unused, half);
  }

  private static void checkCycles(
      String seed, CreditLoops loops, ReferenceAudit ref, Set<List<Integer>> dependencies) {
    int[] cycles = ref.cycles(dependencies);
    assertThat(loops.dependencies()).as(seed).isEqualTo(dependencies.size());
    assertThat(loops.cyclic()).as(seed).isEqualTo(cycles[0]);
    assertThat(loops.largest()).as(seed).isEqualTo(cycles[1]);
    assertThat(loops.cycleLength()).as(seed).isEqualTo(cycles[2]);
    assertThat(loops.shortest()).as(seed).isTrue();
    assertThat(loops.cycle().isEmpty()).as(seed).isEqualTo(cycles[2] == 0);
  }

  // ---- random input

  /** Up to 8 switches, one of them sometimes wider than a 64-bit word, cabled at random. */
  static Fabric fabric(SplittableRandom random) {
    FabricBuilder builder = new FabricBuilder();
    int switches = 1 + random.nextInt(8);
    int cas = random.nextInt(10);
    for (int i = 0; i < switches; i++) {
      int ports = random.nextInt(12) == 0 ? 130 : 2 + random.nextInt(7);
      builder.addSwitch(0x100 + i, ports, random.nextInt(9) == 0 ? "" : "S" + i);
    }
    for (int i = 0; i < cas; i++) {
      NodeType type = random.nextInt(8) == 0 ? NodeType.ROUTER : NodeType.CA;
      builder.addNode(type, 0x1000 + i, 1 + random.nextInt(2), "H" + i);
    }
    // a chain first, so that most of the fabric hangs together; sometimes a switch is left out
    for (int i = 1; i < switches; i++) {
      if (random.nextInt(10) != 0) {
        cable(builder, random.nextInt(i), i, random);
      }
    }
    for (int i = switches; i < builder.size(); i++) {
      cable(builder, i, random.nextInt(12) == 0 ? i : random.nextInt(switches), random);
    }
    for (int i = random.nextInt(8); i > 0; i--) {
      cable(builder, random.nextInt(builder.size()), random.nextInt(switches), random);
    }
    if (cas > 1 && random.nextInt(4) == 0) {
      cable(builder, switches, switches + 1, random); // two CAs back to back
    }
    address(builder, switches, random);
    return builder.build();
  }

  private static void cable(FabricBuilder builder, int a, int b, SplittableRandom random) {
    int p = freePort(builder, a, random);
    int q = freePort(builder, b, random);
    if (p != 0 && q != 0) {
      builder.connect(a, p, b, q); // p == q on one node: a loopback plug
    }
  }

  private static int freePort(FabricBuilder builder, int node, SplittableRandom random) {
    int count = builder.portCount(node);
    int from = random.nextInt(count);
    for (int i = 0; i < count; i++) {
      int port = 1 + (from + i) % count;
      if (!builder.isCabled(node, port)) {
        return port;
      }
    }
    return 0;
  }

  private static void address(FabricBuilder builder, int switches, SplittableRandom random) {
    int lid = 1;
    for (int node = 0; node < builder.size(); node++) {
      boolean isSwitch = node < switches;
      for (int port = isSwitch ? 0 : 1; port <= (isSwitch ? 0 : builder.portCount(node)); port++) {
        int lmc = isSwitch ? 0 : random.nextInt(3) == 0 ? 1 + random.nextInt(2) : 0;
        lid += random.nextInt(5) == 0 ? random.nextInt(40) : 0;
        lid = (lid + (1 << lmc) - 1) >> lmc << lmc;
        if (random.nextInt(20) != 0) {
          builder.setLid(node, port, lid, lmc);
          lid += 1 << lmc;
        }
      }
    }
  }

  /** For every LID a random tree that leads to its owner. */
  static ForwardingTables spanningTrees(Fabric fabric, SplittableRandom random) {
    int top = fabric.topLid();
    byte[][] rows = new byte[fabric.switchCount()][top + 1];
    for (byte[] row : rows) {
      Arrays.fill(row, (byte) 255);
    }
    for (int lid = 1; lid <= top; lid++) {
      int owner = fabric.portOfLid(lid);
      int root = owner == Fabric.NONE ? Fabric.NONE : fabric.attachedSwitch(owner);
      if (root == Fabric.NONE) {
        continue;
      }
      boolean own = fabric.isSwitch(fabric.nodeOf(owner));
      rows[root][lid] = (byte) (own ? 0 : fabric.numberOf(fabric.peer(owner)));
      List<Integer> edge = new ArrayList<>(List.of(root));
      while (!edge.isEmpty()) {
        int s = edge.remove(random.nextInt(edge.size()));
        for (int number = 1; number <= fabric.portCount(s); number++) {
          int other = fabric.peer(fabric.port(s, number));
          if (other == Fabric.NONE || !fabric.isSwitch(fabric.nodeOf(other))) {
            continue;
          }
          int t = fabric.nodeOf(other);
          if (rows[t][lid] == (byte) 255) {
            rows[t][lid] = (byte) fabric.numberOf(other);
            edge.add(t);
          }
        }
      }
    }
    return ForwardingTables.ofRows(rows, top);
  }

  /**
   * Overwrites entries with other ports, and sometimes cuts the tables short or makes them long.
   */
  static ForwardingTables damage(Fabric fabric, ForwardingTables tables, SplittableRandom random) {
    int top = Math.max(0, tables.topLid() + random.nextInt(5) - 2);
    int oneIn = 2 + random.nextInt(20);
    byte[][] rows = new byte[tables.switchCount()][top + 1];
    for (int s = 0; s < rows.length; s++) {
      for (int lid = 0; lid <= top; lid++) {
        rows[s][lid] = (byte) tables.port(s, lid);
        if (random.nextInt(oneIn) == 0) {
          int any = random.nextInt(fabric.portCount(s) + 3);
          rows[s][lid] = (byte) (any > fabric.portCount(s) + 1 ? 255 : any);
        }
      }
    }
    return ForwardingTables.ofRows(rows, top);
  }

  static FatTree levels(Fabric fabric, SplittableRandom random) {
    int[] level = new int[fabric.switchCount()];
    Arrays.setAll(level, s -> random.nextInt(8) == 0 ? 0 : 1 + random.nextInt(3));
    return new FatTree(3, level, new int[0]);
  }
}
