package org.heddle.congestion;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.heddle.catalog.Catalog;
import org.heddle.fabric.Fabric;
import org.heddle.routing.ForwardingTables;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.generate.FabricShuffle;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.heddle.traffic.Patterns;
import org.heddle.traffic.TrafficPattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FlowWeightsTest {
  private static final Study.Settings IN_ORDER = new Study.Settings(0, false, false, 0, false);
  private static final Fabric FABRIC =
      FabricShuffle.ports(
          TreeGenerator.generate(TreeSpec.parse("XGFT(3;4,3,4;1,2,3)")).withAssignedLids(), 3);
  private static final int[] HOSTS = Routes.hosts(FABRIC);

  private static ForwardingTables tables() {
    RoutingRequest request = RoutingRequest.of(FABRIC, FatTreeRecogniser.recognise(FABRIC));
    return ((RoutingResult.Routed) Catalog.engine("ftree").orElseThrow().route(request)).tables();
  }

  /** Tables with entries that lead nowhere, back, and to ports that do not exist. */
  private static ForwardingTables broken() {
    ForwardingTables.Edits edits = tables().edit();
    SplittableRandom random = new SplittableRandom(4);
    for (int i = 0; i < 40; i++) {
      int lid = FABRIC.lid(HOSTS[random.nextInt(HOSTS.length)]);
      int port = new int[] {0, 1, 2, 5, 200, ForwardingTables.NO_PORT}[random.nextInt(6)];
      edits.set(random.nextInt(FABRIC.switchCount()), lid, port);
    }
    return edits.build();
  }

  private static int[] shuffled(int seed) {
    int[] out = new int[HOSTS.length];
    Arrays.setAll(out, i -> i);
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = out.length - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      int t = out[i];
      out[i] = out[j];
      out[j] = t;
    }
    return out;
  }

  @ParameterizedTest
  @ValueSource(strings = {"bruck", "recdbl", "neighbor:4", "bisect", "ring", "all-to-all"})
  void areThoseOfAnEvaluationOfTracedRoutes(String name) {
    TrafficPattern pattern = Patterns.parse(name);
    FlowWeights weights = new FlowWeights(FABRIC, HOSTS);
    for (ForwardingTables tables : List.of(tables(), broken(), tables())) {
      Routes routes = Routes.trace(FABRIC, tables, HOSTS);
      for (int seed = 0; seed < 5; seed++) {
        int[] ranks = shuffled(seed);
        Study study = new Study(routes, List.of(Group.of("all", pattern, ranks)), IN_ORDER);
        Histogram out = new Histogram();
        weights.add(tables, pattern, ranks, out);
        assertThat(out).isEqualTo(Evaluation.run(study, 1).weights());
      }
    }
    assertThat(Routes.trace(FABRIC, broken(), HOSTS).lost()).isPositive();
  }

  @Test
  void aClearedHistogramIsEmpty() {
    Histogram counts = new Histogram();
    counts.add(3);
    counts.add(1 << 20);
    counts.clear();
    assertThat(counts.count()).isZero();
    counts.add(1 << 20);
    assertThat(counts.count(1 << 20)).isEqualTo(1);
    assertThat(counts.min()).isEqualTo(1 << 20);
  }
}
