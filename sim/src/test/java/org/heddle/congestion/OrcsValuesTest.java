package org.heddle.congestion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.heddle.catalog.Catalog;
import org.heddle.fabric.Fabric;
import org.heddle.routing.ForwardingTables;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.heddle.traffic.Patterns;
import org.heddle.traffic.TrafficPattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The values that ORCS printed for tables of OpenSM on the same trees, number by number: mean of
 * the largest congestion, histogram, bandwidth, and delay ({@code dep_max_delay}).
 *
 * <p>Our ftree and minhop bring hosts down as OpenSM's do, so that ORCS's numbers for its tables
 * hold for ours.
 */
class OrcsValuesTest {
  private static final String TWO_LEVELS = "XGFT(2;18,18;1,18)";
  private static final String THREE_LEVELS = "XGFT(3;8,8,8;1,8,8)";
  private static final long TRIALS = 10_000;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "bisect         | 1 | 1:162 | 1.000000 | 1",
        "bisect_fb_sym  | 1 | 1:324 | 1.000000 | 1",
        "tree           | 9 | 1:323 | 1.000000 | 8",
        "bruck          | 9 | 1:2916 | 1.000000 | 9",
        "gather         | 323 | 323:323 | 0.003096 | 323",
        "scatter        | 323 | 323:323 | 0.003096 | 323",
        "ring           | 324 | 1:324 | 1.000000 |",
        "recdbl         | 16 | 1:1760 2:356 | 0.915879 | 14",
        "neighbor:4     | 7 | 3:9 4:982 5:70 6:84 7:147 | 0.230263 | 7"
      })
  void twoLevels(String pattern, double max, String histogram, double bandwidth, Double delay) {
    for (String engine : new String[] {"ftree", "minhop"}) {
      compare(routes(TWO_LEVELS, engine), pattern, max, histogram, bandwidth, delay);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "bisect         | 1 | 1:256 | 1.000000 | 1",
        "bisect_fb_sym  | 1 | 1:512 | 1.000000 | 1",
        "tree           | 9 | 1:511 | 1.000000 | 8",
        "bruck          | 9 | 1:4608 | 1.000000 | 9",
        "gather         | 511 | 511:511 | 0.001957 | 511",
        "scatter        | 511 | 511:511 | 0.001957 | 511",
        "ring           | 512 | 1:512 | 1.000000 |",
        "recdbl         | 9 | 1:4608 | 1.000000 | 9",
        "neighbor:4     | 8 | 3:2 4:936 5:260 6:300 7:520 8:24 | 0.202719 | 8"
      })
  void threeLevelsByFtree(
      String pattern, double max, String histogram, double bandwidth, Double delay) {
    compare(routes(THREE_LEVELS, "ftree"), pattern, max, histogram, bandwidth, delay);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "bisect         | 8 | 8:256 | 0.125000 | 8",
        "bisect_fb_sym  | 8 | 8:512 | 0.125000 | 8",
        "tree           | 9 | 1:511 | 1.000000 | 8",
        "bruck          | 30 | 1:3072 8:1536 | 0.708333 | 30",
        "gather         | 511 | 511:511 | 0.001957 | 511",
        "scatter        | 511 | 511:511 | 0.001957 | 511",
        "ring           | 512 | 1:512 | 1.000000 |",
        "recdbl         | 30 | 1:3072 8:1536 | 0.708333 | 30",
        "neighbor:4 | 36 | 29:16 31:12 32:1600 33:99 34:102 35:105 36:108 | 0.030822 | 36"
      })
  void threeLevelsByMinhop(
      String pattern, double max, String histogram, double bandwidth, Double delay) {
    compare(routes(THREE_LEVELS, "minhop"), pattern, max, histogram, bandwidth, delay);
  }

  private static void compare(
      Routes routes, String name, double max, String histogram, double bandwidth, Double delay) {
    TrafficPattern pattern = Patterns.parse(name);
    Study.Settings settings = new Study.Settings(0, false, true, routes.size() - 1, false);
    Statistics got = Evaluation.run(Study.of(routes, pattern, settings), 1);
    assertThat(got.lost()).isZero();
    assertThat(got.maxima().mean()).isEqualTo(max);
    assertThat(got.weights()).hasToString(histogram);
    assertThat(got.bandwidth()).isCloseTo(bandwidth, within(6e-7));
    if (delay != null) {
      assertThat(got.delays().mean()).isEqualTo(delay);
    }
  }

  @Test
  void tenThousandRandomBisectionsGiveTheMeansOfOrcs() {
    Statistics two = bisections(TWO_LEVELS, "ftree");
    assertThat(two.bandwidth()).isCloseTo(0.8224, within(0.003));
    assertThat(two.maxima().mean()).isCloseTo(3.2140, within(0.03));
    assertThat(bisections(TWO_LEVELS, "minhop").bandwidth()).isCloseTo(0.8226, within(0.003));
    assertThat(bisections(THREE_LEVELS, "ftree").bandwidth()).isCloseTo(0.7249, within(0.003));
    Statistics minhop = bisections(THREE_LEVELS, "minhop");
    assertThat(minhop.bandwidth()).isCloseTo(0.2917, within(0.003));
    assertThat(minhop.maxima().mean()).isCloseTo(8.2537, within(0.06));
    assertThat(minhop.maxima().variance()).isCloseTo(1.0569, within(0.1));
  }

  private static Statistics bisections(String tree, String engine) {
    Study.Settings settings = Study.Settings.shuffled(1);
    return Evaluation.run(
        Study.of(routes(tree, engine), Patterns.parse("bisect"), settings), TRIALS);
  }

  private static Routes routes(String tree, String engine) {
    TreeSpec spec = TreeSpec.parse(tree);
    Fabric fabric = TreeGenerator.generate(spec).withAssignedLids();
    RoutingRequest request = RoutingRequest.of(fabric, FatTreeRecogniser.recognise(fabric));
    ForwardingTables tables =
        ((RoutingResult.Routed) Catalog.engine(engine).orElseThrow().route(request)).tables();
    return Routes.trace(fabric, tables, ranks(fabric, spec));
  }

  /**
   * Rank by rank the port: consecutive ranks lie on different leaves, and those that follow each
   * other on the same position in different sub-trees. The generator numbers hosts leaf by leaf:
   * their digits, reversed.
   */
  private static int[] ranks(Fabric fabric, TreeSpec spec) {
    int[] ports = new int[fabric.caCount()];
    for (int rank = 0; rank < ports.length; rank++) {
      int rest = rank;
      int host = 0;
      int weight = spec.hosts();
      for (int l = spec.levels(); l >= 1; l--) {
        weight /= spec.m(l);
        host += rest % spec.m(l) * weight;
        rest /= spec.m(l);
      }
      ports[rank] = fabric.port(fabric.switchCount() + host, 1);
    }
    return ports;
  }
}
