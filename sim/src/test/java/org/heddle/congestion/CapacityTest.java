package org.heddle.congestion;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.heddle.catalog.Catalog;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.FabricBuilder;
import org.heddle.fabric.LinkSpeed;
import org.heddle.fabric.LinkWidth;
import org.heddle.routing.ForwardingTables;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.heddle.traffic.AllToAll;
import org.heddle.traffic.Flows;
import org.heddle.traffic.Shift;
import org.heddle.traffic.TrafficPattern;
import org.heddle.traffic.TrialRandom;
import org.heddle.verify.RouteTrace;
import org.junit.jupiter.api.Test;

/** Links that are slower or faster than those of most hosts. */
class CapacityTest {
  private static final LinkSpeed[] SPEEDS = {LinkSpeed.SDR, LinkSpeed.EDR, LinkSpeed.NDR};

  /** A tree some of whose links run at another speed than the hosts' HDR. */
  private static Fabric tree(String spec, Random random, int others) {
    Fabric plain = TreeGenerator.generate(TreeSpec.parse(spec)).withAssignedLids();
    FabricBuilder b = new FabricBuilder();
    for (int n = 0; n < plain.nodeCount(); n++) {
      b.addNode(plain.nodeType(n), plain.nodeGuid(n), plain.portCount(n), plain.description(n));
      for (int p = 0; p <= plain.portCount(n); p++) {
        b.setPortGuid(n, p, plain.portGuid(plain.port(n, p)));
        if (plain.isSwitch(n) == (p == 0)) {
          b.setLid(n, p, plain.lid(plain.port(n, p)), 0);
        }
      }
    }
    int left = others;
    for (int p : IntStream.range(0, plain.portIdLimit()).filter(p -> plain.peer(p) > p).toArray()) {
      boolean other = left > 0 && random.nextInt(4) == 0;
      left -= other ? 1 : 0;
      b.connect(
          plain.nodeOf(p),
          plain.numberOf(p),
          plain.peerNode(p),
          plain.numberOf(plain.peer(p)),
          LinkWidth.X4,
          other ? SPEEDS[random.nextInt(SPEEDS.length)] : LinkSpeed.HDR);
    }
    return b.build();
  }

  private static ForwardingTables tables(Fabric fabric) {
    RoutingResult routed =
        Catalog.engine("updn")
            .orElseThrow()
            .route(RoutingRequest.of(fabric, FatTreeRecogniser.recognise(fabric)));
    return ((RoutingResult.Routed) routed).tables();
  }

  /** Weights counted the slow way: over the links of the auditor's traces. */
  private static Histogram slowly(
      Fabric fabric, ForwardingTables tables, int[] endports, TrafficPattern pattern) {
    Histogram out = new Histogram();
    for (int level = 0; level < pattern.levels(endports.length); level++) {
      Flows flows = new Flows(1 << 12);
      pattern.flows(endports.length, level, new TrialRandom(), flows);
      long[] count = new long[fabric.portIdLimit()];
      for (int pass = 0; pass < 2; pass++) {
        for (int f = 0; f < flows.count(); f++) {
          int lid = fabric.lid(endports[flows.to(f)]);
          RouteTrace trace = RouteTrace.follow(fabric, tables, endports[flows.from(f)], lid);
          long most = 0;
          for (RouteTrace.Link link : trace.links()) {
            count[link.out()] += pass == 0 ? 1 : 0;
            long megabits = fabric.linkMegabits(link.out());
            long hosts = 4L * LinkSpeed.HDR.laneMegabits();
            most = Math.max(most, (count[link.out()] * hosts + megabits - 1) / megabits);
          }
          if (pass == 1) {
            out.add((int) most);
          }
        }
      }
    }
    return out;
  }

  @Test
  void everyWayToWeighTakesTheRateOfLinks() {
    for (int seed = 0; seed < 20; seed++) {
      Random random = new Random(seed);
      String spec =
          List.of("XGFT(2;4,4;1,2)", "XGFT(2;3,5;1,3)", "XGFT(3;2,3,2;1,2,2)").get(seed % 3);
      Fabric fabric = tree(spec, random, 5);
      ForwardingTables tables = tables(fabric);
      int[] endports = Routes.hosts(fabric);
      Routes routes = Routes.trace(fabric, tables, endports);
      int[] ranks = IntStream.range(0, endports.length).toArray();
      Study.Settings settings = Study.Settings.shuffled(0);
      for (TrafficPattern pattern : List.of(new Shift(1 + seed % 3), new AllToAll())) {
        Histogram slow = slowly(fabric, tables, endports, pattern);
        FlowWeights weights = new FlowWeights(fabric, endports);
        Histogram flows = new Histogram();
        weights.add(tables, pattern, ranks, flows);
        assertThat(flows).as("seed %d, %s", seed, pattern).isEqualTo(slow);
        if (pattern instanceof AllToAll) {
          // all pairs: the same whoever sits where
          assertThat(Evaluation.run(Study.of(routes, pattern, settings), 1).weights())
              .isEqualTo(slow);
          assertThat(
                  AllToAllLoads.of(fabric, tables, endports)
                      .exchange(1, settings)
                      .statistics()
                      .weights())
              .isEqualTo(slow);
        }
      }
    }
  }

  @Test
  void aSlowHostSlowsWhatItReceivesAndNothingElse() {
    Fabric fabric = tree("XGFT(1;4;1)", new Random(0), 0);
    assertThat(Capacity.of(fabric, new int[0], Routes.hosts(fabric)).isUniform()).isTrue();
    FabricBuilder b = new FabricBuilder();
    int sw = b.addSwitch(1, 4, "s");
    b.setLid(sw, 0, 9, 0);
    for (int h = 1; h <= 4; h++) {
      int node = b.addCa(0x10L * h, 1, "h" + h);
      b.setPortGuid(node, 1, 0x10L * h + 1);
      b.setLid(node, 1, h, 0);
      b.connect(sw, h, node, 1, LinkWidth.X4, h == 1 ? LinkSpeed.SDR : LinkSpeed.HDR);
    }
    Fabric one = b.build();
    int[] endports = Routes.hosts(one);
    FlowWeights weights = new FlowWeights(one, endports);
    Histogram out = new Histogram();
    weights.add(tables(one), new Shift(1), new int[] {0, 1, 2, 3}, out);
    // h1 sends and receives at 8 of 200 Gbit/s
    assertThat(out.max()).isEqualTo(25);
    assertThat(out.count()).isEqualTo(4);
    assertThat(out.meanInverse()).isEqualTo((2 + 2 / 25.0) / 4);
  }
}
