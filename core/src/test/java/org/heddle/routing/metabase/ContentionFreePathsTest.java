package org.heddle.routing.metabase;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.routing.ForwardingTables;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.routing.engine.Collectives;
import org.heddle.routing.engine.Fabrics;
import org.heddle.routing.engine.MetabaseRouting;
import org.heddle.routing.engine.RoutingEngineContract;
import org.heddle.routing.tree.NodeOrderTest;
import org.heddle.solver.ColourClauses;
import org.heddle.solver.SatSolver;
import org.heddle.topology.FatTree;
import org.heddle.topology.generate.DamageSpec;
import org.heddle.topology.generate.FabricDamage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Ranks contiguous on leaves, the leaves of a three-level tree in any order.
 *
 * <p>{@code -Dheddle.order.draws=100} for the figures of docs/reroute.md, {@code
 * -Dheddle.separate.report=FILE} writes its rows.
 */
public class ContentionFreePathsTest {
  private static final int DRAWS = Integer.getInteger("heddle.order.draws", 2);
  private static final List<String> ROWS = new ArrayList<>();

  @AfterAll
  static void writeRows() throws IOException {
    String file = System.getProperty("heddle.separate.report");
    if (file != null) {
      Files.write(Path.of(file), ROWS);
    }
  }

  private static FatTree tree(Fabric fabric) {
    return RoutingEngineContract.treeOf(RoutingEngineContract.recognise(fabric)).orElseThrow();
  }

  private static List<int[]> steps(int ranks) {
    List<int[]> steps = new ArrayList<>(Collectives.bruck(ranks));
    steps.addAll(Collectives.recursiveDoubling(ranks));
    return steps;
  }

  /**
   * Exhaustively: if no channel down carries two destinations, every host comes down from one root,
   * and the hosts of a sub-tree from different ones. A leaf has one host in each plane. Call the
   * root of its host in one plane the colour of a leaf; then leaves of one sub-tree differ, and so
   * do leaves to which leaves of one sub-tree send in one step from outside. There are four roots
   * in a plane of a 4-ary-3-tree; four colours are never enough.
   */
  @Test
  void oneSpanningTreeADestinationIsSeldomEnough() {
    Fabric fabric = Fabrics.tree("4-ary-3-tree");
    FatTree tree = tree(fabric);
    SplittableRandom random = new SplittableRandom(7);
    int possible = 0;
    for (int draw = 0; draw < 100; draw++) {
      int[] ports = NodeOrderTest.contiguous(fabric, false, random);
      int[] pod = new int[16];
      for (int p = 0; p < 16; p++) {
        pod[p] = tree.subtreeOf(fabric.attachedSwitch(ports[4 * p]), 2);
      }
      possible += colour(conflicts(pod), new int[16], 0) ? 1 : 0;
    }
    assertThat(possible).isEqualTo(5);
    // The search does find colourings where there are some: sub-trees contiguous.
    int[] inOrder = new int[16];
    for (int p = 0; p < 16; p++) {
      inOrder[p] = p / 4;
    }
    assertThat(colour(conflicts(inOrder), new int[16], 0)).isTrue();
  }

  private static boolean[][] conflicts(int[] pod) {
    int n = pod.length;
    boolean[][] out = new boolean[n][n];
    for (int p = 0; p < n; p++) {
      for (int q = 0; q < n; q++) {
        out[p][q] |= p != q && pod[p] == pod[q];
        for (int d = 1; d < n && p != q; d *= 2) {
          out[p][q] |= meet(pod, p, q, (p + n - d) % n, (q + n - d) % n);
          out[p][q] |= meet(pod, p, q, p ^ d, q ^ d);
        }
      }
    }
    return out;
  }

  private static boolean meet(int[] pod, int p, int q, int fromP, int fromQ) {
    return pod[fromP] == pod[fromQ] && pod[fromP] != pod[p] && pod[fromQ] != pod[q];
  }

  private static boolean colour(boolean[][] conflict, int[] colour, int at) {
    boolean isDone = at == colour.length;
    for (int c = 1; c <= Math.min(4, at + 1) && !isDone; c++) {
      boolean free = true;
      for (int i = 0; i < at; i++) {
        free &= !conflict[i][at] || colour[i] != c;
      }
      colour[at] = c;
      isDone = free && colour(conflict, colour, at + 1);
    }
    return isDone;
  }

  /** The large one only where draws are asked for: it takes minutes. */
  static Stream<Arguments> scattered() {
    return Stream.of(
            Arguments.of("4-ary-3-tree", 100),
            Arguments.of("8-ary-3-tree", 8),
            Arguments.of("XGFT(3;4,6,6;1,6,6)", 8),
            Arguments.of("XGFT(3;16,18,18;1,18,18)", 0))
        .limit(DRAWS > 2 ? 4 : 3);
  }

  @ParameterizedTest
  @MethodSource("scattered")
  void noTwoFlowsMeetWhereLeavesAreScatteredOverSubtrees(String spec, int least) {
    int draws = DRAWS > 2 ? Math.max(DRAWS, least) : least;
    Fabric tree = Fabrics.tree(spec);
    scatteredLeaves(spec, tree, draws);
    scatteredLeaves(spec + ", ports shuffled", Fabrics.shuffled(tree), Math.ceilDiv(draws, 2));
  }

  private static void scatteredLeaves(String spec, Fabric fabric, int draws) {
    Metabase metabase = NodeOrderTest.metabase(fabric);
    ForwardingTables plain = metabase.tables(List.of());
    SplittableRandom random = new SplittableRandom(7);
    int met = 0;
    int ftreeMet = 0;
    int most = 0;
    long entries = 0;
    for (int draw = 0; draw < draws; draw++) {
      int[] ports = NodeOrderTest.contiguous(fabric, false, random);
      List<Guid> order = NodeOrderTest.guids(fabric, ports);
      Metabase.Separated separated = metabase.separatedTables(order).orElseThrow();
      var report = RoutingEngineContract.audit(fabric, separated.tables());
      assertThat(report.errors()).as("draw %d", draw).isZero();
      assertThat(separated.doubling()).as("draw %d", draw).isTrue();
      met +=
          Collectives.sharing(fabric, separated.tables(), ports, steps(ports.length)) > 0 ? 1 : 0;
      ftreeMet += Collectives.sharing(fabric, plain, ports, steps(ports.length)) > 0 ? 1 : 0;
      most = Math.max(most, mostDown(fabric, separated.tables()));
      entries += separated.changes();
    }
    ROWS.add(
        String.format(
            Locale.ROOT,
            "| %s | %d | %d | %d | %d | %d |",
            spec,
            draws,
            met,
            ftreeMet,
            most,
            entries / draws));
    assertThat(met).isZero();
    assertThat(ftreeMet).isEqualTo(draws);
    // As many as pairs of steps and one: its own tree, and one more for each of the others.
    assertThat(most).isBetween(2, 2 * steps(fabric.nodeCount()).size());
  }

  /** The same. */
  static Stream<Arguments> leavesOfAnySize() {
    return Stream.of(
            Arguments.of("XGFT(3;6,6,6;1,6,6)", 10, true),
            Arguments.of("XGFT(3;5,5,5;1,5,5)", 10, true),
            Arguments.of("XGFT(3;10,10,10;1,10,10)", 2, true),
            Arguments.of("XGFT(3;18,18,18;1,18,18)", 1, true),
            Arguments.of("XGFT(4;8,8,8,2;1,8,8,8)", 1, false),
            Arguments.of("XGFT(3;18,18,36;1,18,18)", 0, true))
        .limit(DRAWS > 2 ? 6 : 5);
  }

  /** Any number of hosts on a leaf: bruck; and what is left of recursive doubling. */
  @ParameterizedTest
  @MethodSource("leavesOfAnySize")
  void noTwoFlowsOfBruckMeetWithAnyNumberOfHostsOnALeaf(String spec, int least, boolean doubling) {
    int draws = DRAWS > 2 ? DRAWS : least;
    Fabric tree = Fabrics.tree(spec);
    leavesOfSize(spec, tree, draws, doubling);
    int fewer = Math.ceilDiv(draws, 2);
    leavesOfSize(spec + ", ports shuffled", Fabrics.shuffled(tree), fewer, doubling);
  }

  private static void leavesOfSize(String spec, Fabric fabric, int draws, boolean doubling) {
    Metabase metabase = NodeOrderTest.metabase(fabric);
    ForwardingTables plain = metabase.tables(List.of());
    SplittableRandom random = new SplittableRandom(7);
    int[] met = new int[2];
    double[] bandwidth = new double[2];
    int most = 0;
    long entries = 0;
    for (int draw = 0; draw < draws; draw++) {
      int[] ports = NodeOrderTest.contiguous(fabric, false, random);
      Metabase.Separated separated =
          metabase.separatedTables(NodeOrderTest.guids(fabric, ports)).orElseThrow();
      assertThat(RoutingEngineContract.audit(fabric, separated.tables()).errors()).isZero();
      ForwardingTables[] tables = {separated.tables(), plain};
      List<int[]> bruck = Collectives.bruck(ports.length);
      List<int[]> back = Collectives.recursiveDoubling(ports.length);
      for (int i = 0; i < 2; i++) {
        met[i] += Collectives.sharing(fabric, tables[i], ports, bruck) > 0 ? 1 : 0;
        bandwidth[i] += Collectives.effectiveBandwidth(fabric, tables[i], ports, back) / draws;
      }
      most = Math.max(most, mostDown(fabric, separated.tables()));
      entries += separated.changes();
    }
    ROWS.add(
        String.format(
            Locale.ROOT,
            "| %s | %d | %d | %d | %.3f | %.3f | %d | %d |",
            spec,
            draws,
            met[0],
            met[1],
            bandwidth[0],
            bandwidth[1],
            most,
            entries / draws));
    assertThat(met[0]).isZero();
    assertThat(met[1]).isEqualTo(draws);
    assertThat(bandwidth[0]).isGreaterThan(doubling ? 0.93 : 0).isGreaterThan(bandwidth[1]);
  }

  /**
   * Why not both patterns with six hosts on a leaf: exhaustively. Whatever the tree above the
   * leaves, flows that leave a leaf in one step need different up-links, and flows to a leaf come
   * from different switches above it; and a flow of both steps has one up-link, since a leaf has
   * one entry a destination. With one step of each that cannot be, in any order of leaves; with
   * either alone it can.
   */
  @Test
  void noTablesSuitBothPatternsWithSixHostsOnALeaf() {
    int[] bruck = Collectives.bruck(216).get(3);
    int[] doubling = Collectives.recursiveDoubling(216).get(3);
    assertThat(atLeaves(6, bruck, doubling)).isEqualTo(SatSolver.Answer.UNSATISFIABLE);
    assertThat(atLeaves(6, bruck)).isEqualTo(SatSolver.Answer.SATISFIABLE);
    assertThat(atLeaves(6, doubling)).isEqualTo(SatSolver.Answer.SATISFIABLE);
    // A power of two: the model itself forbids nothing.
    assertThat(atLeaves(4, Collectives.bruck(64).get(3), Collectives.recursiveDoubling(64).get(3)))
        .isEqualTo(SatSolver.Answer.SATISFIABLE);
  }

  /** Colours are planes: one for every leaf and rank that it sends to. */
  private static SatSolver.Answer atLeaves(int perLeaf, int[]... steps) {
    int ranks = steps[0].length;
    Question question = new Question((ranks + perLeaf - 1) / perLeaf, ranks);
    for (int[] step : steps) {
      question.step();
      for (int r = 0; r < step.length; r++) {
        question.flow(r / perLeaf, step[r] / perLeaf, r / perLeaf, step[r]);
      }
    }
    return question.answer(perLeaf);
  }

  /**
   * Colours are roots of one plane, in which every leaf sends one flow in every step of a distance
   * of whole leaves: one for every leaf and leaf that it sends to.
   */
  private static SatSolver.Answer atSubtrees(int[] pod, int distance) {
    int leaves = pod.length;
    Question question = new Question(leaves, leaves);
    question.step();
    for (int p = 0; p < leaves; p++) {
      int q = (p + distance) % leaves;
      question.flow(pod[p], pod[q], p, q);
    }
    question.step();
    for (int p = 0; p < leaves; p++) {
      question.flow(pod[p], pod[p ^ distance], p, p ^ distance);
    }
    return question.answer(4);
  }

  /** Flows between vertices; those of a step at a vertex differ, flows with one entry agree. */
  private static final class Question {
    private final int vertices;
    private final int[] thing; // by entry
    private final int targets;
    private final List<int[]> groups = new ArrayList<>();
    private int steps;

    Question(int vertices, int targets) {
      this.vertices = vertices;
      this.targets = targets;
      thing = new int[vertices * targets];
      Arrays.fill(thing, -1);
    }

    void step() {
      steps++;
    }

    void flow(int from, int to, int source, int target) {
      int at = source * targets + target;
      if (from == to) {
        return;
      }
      if (thing[at] < 0) {
        thing[at] = groups.size();
        groups.add(new int[0]);
      }
      int[] old = groups.get(thing[at]);
      int[] now = Arrays.copyOf(old, old.length + 2);
      now[old.length] = (2 * steps - 2) * vertices + from;
      now[old.length + 1] = (2 * steps - 1) * vertices + to;
      groups.set(thing[at], now);
    }

    SatSolver.Answer answer(int colours) {
      int[][] all = groups.toArray(int[][]::new);
      return ColourClauses.solve(
              all, 2 * steps * vertices, colours, new int[all.length], 50_000_000)
          .answer();
    }
  }

  /** Orders for which the search finds nothing have no tables, for all planes ask the same. */
  @Test
  void whereThereAreNoTablesForBothBruckAloneIsServed() {
    Fabric fabric = Fabrics.tree("4-ary-3-tree");
    FatTree tree = tree(fabric);
    Metabase metabase = NodeOrderTest.metabase(fabric);
    SplittableRandom random = new SplittableRandom(7);
    int alone = 0;
    for (int draw = 0; draw < 300; draw++) {
      int[] ports = NodeOrderTest.contiguous(fabric, false, random);
      Metabase.Separated separated =
          metabase.separatedTables(NodeOrderTest.guids(fabric, ports)).orElseThrow();
      if (!separated.doubling()) {
        alone++;
        assertThat(
                Collectives.sharing(
                    fabric, separated.tables(), ports, Collectives.bruck(ports.length)))
            .isZero();
      }
      int[] pod = new int[16];
      for (int p = 0; p < 16; p++) {
        pod[p] = tree.subtreeOf(fabric.attachedSwitch(ports[4 * p]), 2);
      }
      boolean possible = true;
      for (int d = 1; d < 16; d *= 2) {
        possible &= atSubtrees(pod, d) == SatSolver.Answer.SATISFIABLE;
      }
      assertThat(separated.doubling()).as("draw %d", draw).isEqualTo(possible);
    }
    assertThat(alone).isEqualTo(1);
  }

  private static int mostDown(Fabric fabric, ForwardingTables tables) {
    FatTree tree = tree(fabric);
    var report = RoutingEngineContract.audit(fabric, tables);
    int most = 0;
    for (int s = 0; s < fabric.switchCount(); s++) {
      for (int n = 1; n <= fabric.portCount(s); n++) {
        int below = fabric.peerNode(fabric.port(s, n));
        if (fabric.isSwitch(below) && tree.level(below) < tree.level(s)) {
          most = Math.max(most, report.channels().destinations(fabric.port(s, n)));
        }
      }
    }
    return most;
  }

  @Test
  void nothingChangesWhereRanksSufficeOrTheOrderIsOfAnotherKind() {
    Fabric fabric = Fabrics.tree("4-ary-3-tree");
    Metabase metabase = NodeOrderTest.metabase(fabric);
    SplittableRandom random = new SplittableRandom(3);
    int[] whole = NodeOrderTest.contiguous(fabric, true, random);
    Metabase.Separated same =
        metabase.separatedTables(NodeOrderTest.guids(fabric, whole)).orElseThrow();
    assertThat(same.changes()).isZero();
    assertThat(same.tables()).isEqualTo(metabase.tables(NodeOrderTest.guids(fabric, whole)));

    int t = whole[0];
    whole[0] = whole[63];
    whole[63] = t;
    assertThat(metabase.separatedTables(NodeOrderTest.guids(fabric, whole))).isEmpty();
    assertThat(metabase.separatedTables(List.of())).isEmpty();
    for (String spec : List.of("4-ary-2-tree", "XGFT(3;8,4,4;1,4,4)", "XGFT(3;6,6,12;1,6,6)")) {
      Fabric other = Fabrics.tree(spec);
      int[] ports = NodeOrderTest.contiguous(other, false, random);
      assertThat(NodeOrderTest.metabase(other).separatedTables(NodeOrderTest.guids(other, ports)))
          .as(spec)
          .isEmpty();
    }
  }

  @Test
  void theEngineSaysWhatItCostsAndIsDeterministic() {
    Fabric fabric = Fabrics.tree("4-ary-3-tree");
    int[] ports = NodeOrderTest.contiguous(fabric, false, new SplittableRandom(5));
    RoutingRequest request =
        new RoutingRequest(
            fabric,
            RoutingEngineContract.recognise(fabric),
            NodeOrderTest.guids(fabric, ports),
            List.of());
    RoutingResult.Routed routed = (RoutingResult.Routed) new MetabaseRouting().route(request);
    assertThat(routed.notes()).anyMatch(n -> n.contains("channels down carry more"));
    assertThat(Collectives.sharing(fabric, routed.tables(), ports, steps(64))).isZero();
    assertThat(new MetabaseRouting().route(request)).isEqualTo(routed);
  }

  /** With damage there may be no such ways; what is returned is sound all the same. */
  @Test
  void damagedTreesGetSoundTables() {
    Fabric whole = Fabrics.tree("4-ary-3-tree");
    for (int seed = 0; seed < 10; seed++) {
      Fabric fabric =
          FabricDamage.apply(
                  whole, DamageSpec.none(seed).withLinks(DamageSpec.Amount.of(1 + seed % 3)))
              .fabric();
      RoutingRequest request = RoutingRequest.of(fabric, RoutingEngineContract.recognise(fabric));
      if (Metabase.build(request) instanceof Metabase.Outcome.Ready ready) {
        int[] ports = NodeOrderTest.contiguous(fabric, false, new SplittableRandom(seed));
        var separated =
            ready.metabase().separatedTables(NodeOrderTest.guids(fabric, ports)).orElse(null);
        if (separated != null) {
          assertThat(RoutingEngineContract.audit(fabric, separated.tables()).errors()).isZero();
          assertThat(Collectives.sharing(fabric, separated.tables(), ports, steps(ports.length)))
              .isZero();
        }
      }
    }
  }
}
