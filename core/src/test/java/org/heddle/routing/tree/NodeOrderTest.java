package org.heddle.routing.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.routing.ForwardingTables;
import org.heddle.routing.engine.Collectives;
import org.heddle.routing.engine.Fabrics;
import org.heddle.routing.engine.RoutingEngineContract;
import org.heddle.routing.metabase.Metabase;
import org.heddle.topology.FatTree;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The metabase with a rank order (Zahid, thesis, paper IV, section 8), on its trees of table 4.
 *
 * <p>{@code -Dheddle.order.draws=100} for the figures of docs/reroute.md, {@code
 * -Dheddle.order.report=FILE} writes its rows.
 */
public class NodeOrderTest {
  private static final int DRAWS = Integer.getInteger("heddle.order.draws", 2);
  private static final List<String> ROWS = new ArrayList<>();

  @AfterAll
  static void writeRows() throws IOException {
    String file = System.getProperty("heddle.order.report");
    if (file != null) {
      Files.write(Path.of(file), ROWS);
    }
  }

  public static Metabase metabase(Fabric fabric) {
    return ((Metabase.Outcome.Ready)
            Metabase.build(
                org.heddle.routing.RoutingRequest.of(
                    fabric, RoutingEngineContract.recognise(fabric))))
        .metabase();
  }

  private static void shuffle(int[] a, SplittableRandom random) {
    for (int i = a.length - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      int t = a[i];
      a[i] = a[j];
      a[j] = t;
    }
  }

  private static int[] hostsOf(Fabric fabric, int leaf) {
    int[] out = new int[fabric.portCount(leaf)];
    int n = 0;
    for (int k = 1; k <= fabric.portCount(leaf); k++) {
      int peer = fabric.peer(fabric.port(leaf, k));
      if (peer != Fabric.NONE && !fabric.isSwitch(fabric.nodeOf(peer))) {
        out[n++] = peer;
      }
    }
    return java.util.Arrays.copyOf(out, n);
  }

  /**
   * Ranks contiguous on leaves, hosts of a leaf in random order.
   *
   * @param whole false: leaves in random order; true: also those of every sub-tree contiguous
   */
  public static int[] contiguous(Fabric fabric, boolean whole, SplittableRandom random) {
    FatTree tree = RoutingEngineContract.treeOf(RoutingEngineContract.recognise(fabric)).get();
    int[] leaves = new int[tree.leafCount()];
    for (int i = 0; i < leaves.length; i++) {
      leaves[i] = tree.leaf(i);
    }
    shuffle(leaves, random);
    for (int l = 2; l < tree.levels() && whole; l++) { // a stable sort by the first leaf met
      leaves = grouped(tree, leaves, l);
    }
    List<Integer> order = new ArrayList<>();
    for (int leaf : leaves) {
      int[] hosts = hostsOf(fabric, leaf);
      shuffle(hosts, random);
      for (int h : hosts) {
        order.add(h);
      }
    }
    return order.stream().mapToInt(i -> i).toArray();
  }

  private static int[] grouped(FatTree tree, int[] leaves, int l) {
    List<Integer> out = new ArrayList<>();
    for (int first : leaves) {
      if (!out.contains(first)) {
        for (int leaf : leaves) {
          if (tree.subtreeOf(leaf, l) == tree.subtreeOf(first, l)) {
            out.add(leaf);
          }
        }
      }
    }
    return out.stream().mapToInt(i -> i).toArray();
  }

  /** Ranks anywhere: never below FTree, in the mean, on any tree of table 4. */
  @ParameterizedTest
  @CsvSource({"4, 2", "6, 2", "8, 2", "4, 3", "16, 2", "8, 3"})
  void scatteredRanksDoBetterThanWithFTree(int k, int levels) {
    int most = DRAWS > 2 || k < 8 ? 4 : 1;
    for (int ratio = 1; ratio <= most; ratio++) {
      String each = ("," + k).repeat(levels - 1);
      String spec = "XGFT(" + levels + ";" + ratio * k + each + ";1" + each + ")";
      Fabric fabric = Fabrics.tree(spec);
      Metabase metabase = metabase(fabric);
      ForwardingTables plain = metabase.tables(List.of());
      SplittableRandom random = new SplittableRandom(ratio);
      Bandwidths bruck = new Bandwidths();
      Bandwidths doubling = new Bandwidths();
      for (int draw = 0; draw < DRAWS; draw++) {
        int[] ports = contiguous(fabric, false, random);
        shuffle(ports, random);
        List<Guid> order = guids(fabric, ports);
        ForwardingTables[] tables = {plain, metabase.tables(order), metabase.tunedTables(order)};
        bruck.add(fabric, tables, ports, Collectives.bruck(ports.length));
        doubling.add(fabric, tables, ports, Collectives.recursiveDoubling(ports.length));
      }
      ROWS.add(String.format("| %s | %d | %s | %s |", spec, DRAWS, bruck.row(), doubling.row()));
      bruck.assertNeverBelow(spec + " bruck");
      doubling.assertNeverBelow(spec + " doubling");
    }
  }

  /** Effective bandwidth over draws, of FTree, by rank and tuned. */
  private static final class Bandwidths {
    private final double[] sum = new double[3];
    private final double[] least = {1, 1, 1};
    private int draws;

    void add(Fabric fabric, ForwardingTables[] tables, int[] ports, List<int[]> steps) {
      for (int i = 0; i < tables.length; i++) {
        double one = Collectives.effectiveBandwidth(fabric, tables[i], ports, steps);
        sum[i] += one;
        least[i] = Math.min(least[i], one);
      }
      draws++;
    }

    String row() {
      StringBuilder out = new StringBuilder();
      for (int i = 0; i < sum.length; i++) {
        out.append(i == 0 ? "" : " | ");
        out.append(String.format(Locale.ROOT, "%.3f / %.3f", sum[i] / draws, least[i]));
      }
      return out.toString();
    }

    /** The mean of the tuned tables is not below that of FTree. */
    void assertNeverBelow(String what) {
      assertThat(sum[2]).as(what).isGreaterThanOrEqualTo(sum[0]);
    }
  }

  public static List<Guid> guids(Fabric fabric, int[] ports) {
    List<Guid> out = new ArrayList<>();
    for (int p : ports) {
      out.add(new Guid(fabric.portGuid(p)));
    }
    return out;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "4-ary-2-tree | false | false",
        "6-ary-2-tree | false | true",
        "8-ary-2-tree | false | false",
        "16-ary-2-tree | false | false",
        "XGFT(2;18,18;1,18) | false | true",
        "4-ary-3-tree | true | false",
        "XGFT(3;6,6,6;1,6,6) | true | true",
        "8-ary-3-tree | true | false"
      })
  void noTwoFlowsMeetWhereRanksAreContiguous(String spec, boolean whole, boolean ftreeMeets) {
    Fabric tree = Fabrics.tree(spec);
    contiguousRanks(spec, tree, whole, ftreeMeets);
    contiguousRanks(spec + ", ports shuffled", Fabrics.shuffled(tree), whole, ftreeMeets);
  }

  private static void contiguousRanks(
      String spec, Fabric fabric, boolean whole, boolean ftreeMeets) {
    Metabase metabase = metabase(fabric);
    ForwardingTables plain = metabase.tables(List.of());
    SplittableRandom random = new SplittableRandom(7);
    int draws = Math.max(DRAWS, fabric.nodeCount() < 200 ? 100 : 20);
    int ours = 0;
    int theirs = 0;
    double bandwidth = 0;
    for (int k = 0; k < draws; k++) {
      int[] ports = contiguous(fabric, whole, random);
      ForwardingTables tables = metabase.tunedTables(guids(fabric, ports));
      List<int[]> steps = new ArrayList<>(Collectives.bruck(ports.length));
      if (Integer.bitCount(ports.length) == 1) { // others flip bits across the leaves' borders
        steps.addAll(Collectives.recursiveDoubling(ports.length));
      }
      ours += Collectives.sharing(fabric, tables, ports, steps) > 0 ? 1 : 0;
      theirs += Collectives.sharing(fabric, plain, ports, steps) > 0 ? 1 : 0;
      bandwidth += Collectives.effectiveBandwidth(fabric, tables, ports, steps) / draws;
    }
    ROWS.add(
        String.format(
            Locale.ROOT,
            "| %s%s | %d | %d | %.3f |",
            spec,
            whole ? ", sub-trees contiguous" : "",
            ours,
            theirs,
            bandwidth));
    assertThat(ours).as("draws with flows that meet").isZero();
    assertThat(theirs).isEqualTo(ftreeMeets ? draws : 0);
  }

  /**
   * Where the leaves of three-level trees come in any order, flows of one step that leave a
   * sub-tree meet in its upper switches with one spanning tree a destination ({@link
   * SeparateWaysTest}); fewer than with FTree.
   */
  @ParameterizedTest
  @CsvSource({"4-ary-3-tree", "8-ary-3-tree"})
  void fewerFlowsMeetWhereLeavesAreScatteredOverSubtrees(String spec) {
    Fabric fabric = Fabrics.tree(spec);
    Metabase metabase = metabase(fabric);
    ForwardingTables plain = metabase.tables(List.of());
    SplittableRandom random = new SplittableRandom(7);
    double[] mean = new double[3];
    for (int k = 0; k < DRAWS; k++) {
      int[] ports = contiguous(fabric, false, random);
      List<int[]> steps = new ArrayList<>(Collectives.bruck(ports.length));
      steps.addAll(Collectives.recursiveDoubling(ports.length));
      List<Guid> order = guids(fabric, ports);
      ForwardingTables[] tables = {plain, metabase.tables(order), metabase.tunedTables(order)};
      for (int i = 0; i < 3; i++) {
        mean[i] += Collectives.effectiveBandwidth(fabric, tables[i], ports, steps) / DRAWS;
      }
    }
    ROWS.add(
        String.format(
            Locale.ROOT,
            "| %s, leaves scattered | %.3f | %.3f | %.3f |",
            spec,
            mean[0],
            mean[1],
            mean[2]));
    assertThat(mean[2]).isGreaterThan(mean[0]);
  }
}
