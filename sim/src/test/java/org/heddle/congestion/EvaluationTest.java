package org.heddle.congestion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import org.heddle.catalog.Catalog;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.VirtualLids;
import org.heddle.routing.ForwardingTables;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.generate.FabricShuffle;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.heddle.traffic.AllToAll;
import org.heddle.traffic.Bisect;
import org.heddle.traffic.Flows;
import org.heddle.traffic.Gather;
import org.heddle.traffic.Patterns;
import org.heddle.traffic.Silence;
import org.heddle.traffic.TrafficPattern;
import org.heddle.traffic.TrialRandom;
import org.heddle.verify.RouteTrace;
import org.junit.jupiter.api.Test;

class EvaluationTest {
  private record Net(Fabric fabric, ForwardingTables tables, Routes routes) {
    static Net of(String tree, String engine) {
      Fabric aligned = TreeGenerator.generate(TreeSpec.parse(tree)).withAssignedLids();
      Fabric fabric = FabricShuffle.ports(aligned, tree.length());
      RoutingResult routed =
          Catalog.engine(engine)
              .orElseThrow()
              .route(RoutingRequest.of(fabric, FatTreeRecogniser.recognise(fabric)));
      return of(fabric, ((RoutingResult.Routed) routed).tables());
    }

    static Net of(Fabric fabric, ForwardingTables tables) {
      return new Net(fabric, tables, Routes.trace(fabric, tables, Routes.hosts(fabric)));
    }
  }

  private static final Net TREE = Net.of("XGFT(3;4,3,4;1,2,3)", "updn");

  /** Channels of a route, as the auditor's tracer sees them. */
  private static List<Integer> channels(Net net, int from, int to) {
    int lid = net.fabric.lid(net.routes.endport(to));
    RouteTrace trace = RouteTrace.follow(net.fabric, net.tables, net.routes.endport(from), lid);
    return trace.outcome() == RouteTrace.Outcome.ARRIVED
        ? trace.links().stream().map(RouteTrace.Link::out).toList()
        : List.of();
  }

  /** Weights of one level, counted the slow way. */
  private static Histogram slowly(
      Net net, TrafficPattern pattern, int level, Map<Integer, Integer> count) {
    Flows flows = new Flows(0);
    pattern.flows(net.routes.size(), level, new TrialRandom(), flows);
    for (int f = 0; f < flows.count(); f++) {
      channels(net, flows.from(f), flows.to(f)).forEach(c -> count.merge(c, 1, Integer::sum));
    }
    Histogram out = new Histogram();
    for (int f = 0; f < flows.count(); f++) {
      channels(net, flows.from(f), flows.to(f)).stream()
          .mapToInt(count::get)
          .max()
          .ifPresent(out::add);
    }
    return out;
  }

  @Test
  void weightsAreThoseOfCountingChannelByChannel() {
    for (String name : Patterns.names()) {
      TrafficPattern pattern = Patterns.parse(name);
      if (pattern.random()) {
        continue;
      }
      Histogram weights = new Histogram();
      int sum = 0;
      for (int l = 0; l < pattern.levels(TREE.routes.size()); l++) {
        Histogram level = slowly(TREE, pattern, l, new HashMap<>());
        weights.add(level, 1);
        sum += Math.max(0, level.max());
      }
      Statistics got = Evaluation.run(Study.of(TREE.routes, pattern, Study.Settings.inOrder()), 1);
      assertThat(got.weights()).as(name).isEqualTo(weights);
      assertThat(got.maxima().max()).as(name).isEqualTo(sum);
    }
  }

  @Test
  void channelLoadsOfAllToAllAreCountedExactly() {
    Map<Integer, Integer> count = new HashMap<>();
    slowly(TREE, new AllToAll(), 0, count);
    long[] load = TREE.routes.allToAll();
    Study.Settings settings = new Study.Settings(0, false, false, 0, true);
    Statistics got = Evaluation.run(Study.of(TREE.routes, new AllToAll(), settings), 1);
    for (int c = 0; c < load.length; c++) {
      int expected = count.getOrDefault(TREE.routes.portOfChannel(c), 0);
      assertThat(load[c]).isEqualTo(expected);
      assertThat(got.load(c)).isEqualTo(expected);
      assertThat(got.peak(c)).isEqualTo(expected);
    }
  }

  @Test
  void lostFlowsAreReportedAndEnterNothing() {
    int host = TREE.fabric.port(TREE.fabric.nodeCount() - 1, 1);
    int leaf = TREE.fabric.attachedSwitch(TREE.routes.endport(0));
    ForwardingTables broken =
        TREE.tables.with(leaf, TREE.fabric.lid(host), ForwardingTables.NO_PORT);
    Net net = Net.of(TREE.fabric, broken);
    int last = net.routes.size() - 1;
    assertThat(net.routes.endport(last)).isEqualTo(host);
    assertThat(net.routes.arrives(0, last)).isFalse();
    assertThat(net.routes.lost()).isEqualTo(4);
    Statistics got =
        Evaluation.run(Study.of(net.routes, new AllToAll(), Study.Settings.inOrder()), 1);
    assertThat(got.lost()).isEqualTo(4);
    assertThat(got.weights().count()).isEqualTo((last + 1L) * last - 4);
    Map<Integer, Integer> count = new HashMap<>();
    assertThat(got.weights()).isEqualTo(slowly(net, new AllToAll(), 0, count));
    long[] load = net.routes.allToAll();
    for (int c = 0; c < load.length; c++) {
      int expected = count.getOrDefault(net.routes.portOfChannel(c), 0);
      assertThat(load[c]).isEqualTo(expected);
    }
  }

  @Test
  void loopsEndAndCountAsLost() {
    int to = TREE.routes.size() - 1;
    int lid = TREE.fabric.lid(TREE.routes.endport(to));
    int leaf = TREE.fabric.attachedSwitch(TREE.routes.endport(0));
    int up = TREE.fabric.port(leaf, TREE.tables.port(leaf, lid));
    int above = TREE.fabric.peerNode(up);
    int back = TREE.fabric.numberOf(TREE.fabric.peer(up));
    Net net = Net.of(TREE.fabric, TREE.tables.with(above, lid, back));
    assertThat(net.routes.arrives(0, to)).isFalse();
    assertThat(net.routes.arrives(to, 0)).isTrue();
  }

  @Test
  void theSameTrialsGiveTheSameOnAnyNumberOfThreadsAndInAnyParts() {
    for (String name : List.of("bisect", "permutation", "recdbl", "all-to-all", "ring")) {
      Study.Settings settings = new Study.Settings(9, true, true, 0, true);
      Study study = Study.of(TREE.routes, Patterns.parse(name), settings);
      Statistics whole = Evaluation.run(study, 301);
      assertThat(whole.trials()).isEqualTo(301);
      for (int threads : new int[] {1, 2, 5}) {
        assertThat(Evaluation.run(study, 0, 301, threads, Evaluation.Watcher.NONE))
            .as(name)
            .isEqualTo(whole);
      }
      Statistics parts = Evaluation.run(study, 200, 301, 2, Evaluation.Watcher.NONE);
      parts.add(Evaluation.run(study, 0, 200, 2, Evaluation.Watcher.NONE));
      assertThat(parts).as(name).isEqualTo(whole);
    }
  }

  @Test
  void anotherSeedGivesOtherTrials() {
    Statistics one =
        Evaluation.run(Study.of(TREE.routes, new Bisect(), Study.Settings.shuffled(1)), 100);
    Statistics two =
        Evaluation.run(Study.of(TREE.routes, new Bisect(), Study.Settings.shuffled(2)), 100);
    assertThat(one).isNotEqualTo(two);
  }

  @Test
  void aTrialAllocatesNothing() {
    for (String name : List.of("bisect", "permutation", "bruck", "ring", "stencil2d")) {
      Study.Settings settings = new Study.Settings(1, true, true, 0, true);
      Worker worker = new Worker(Study.of(TREE.routes, Patterns.parse(name), settings));
      worker.run(0, 2_000);
      var bean = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
      long before = bean.getCurrentThreadAllocatedBytes();
      worker.run(2_000, 4_000);
      long bytes = bean.getCurrentThreadAllocatedBytes() - before;
      assertThat(bytes).as(name).isLessThan(2_000);
    }
  }

  @Test
  void interferersCountOnSharedChannelsOnly() {
    int n = TREE.routes.size();
    int[] left = new int[n / 2];
    int[] right = new int[n / 2];
    // Halves of every leaf, so that both halves use all up-links.
    Arrays.setAll(left, i -> i / 2 * 4 + i % 2);
    Arrays.setAll(right, i -> i / 2 * 4 + 2 + i % 2);
    Study.Settings settings = new Study.Settings(3, true, true, 0, false);
    Group victim = Group.of("victim", new Bisect(), left);
    Statistics quiet = Evaluation.run(new Study(TREE.routes, List.of(victim), settings), 200);
    Study silent =
        new Study(TREE.routes, List.of(victim, Group.of("other", new Silence(), right)), settings);
    assertThat(Evaluation.run(silent, 200)).isEqualTo(quiet);
    Study noisy =
        new Study(TREE.routes, List.of(victim, Group.of("other", new AllToAll(), right)), settings);
    Statistics noise = Evaluation.run(noisy, 200);
    assertThat(noise.weights().count()).isEqualTo(quiet.weights().count());
    assertThat(noise.delays().mean()).isGreaterThan(quiet.delays().mean());
  }

  @Test
  void aGroupWhoseLoadNeverChangesCountsLikeItsFlows() {
    int n = TREE.routes.size();
    int[] first = new int[n / 2];
    int[] second = new int[n / 2];
    Arrays.setAll(first, i -> i / 2 * 4 + i % 2);
    Arrays.setAll(second, i -> i / 2 * 4 + 2 + i % 2);
    Map<Integer, Integer> count = new HashMap<>();
    for (int i = 1; i < second.length; i++) {
      channels(TREE, second[i], second[0]).forEach(c -> count.merge(c, 1, Integer::sum));
    }
    for (int i = 1; i < first.length; i += 2) {
      channels(TREE, first[i], first[i - 1]).forEach(c -> count.merge(c, 1, Integer::sum));
    }
    Histogram expected = new Histogram();
    for (int i = 1; i < first.length; i += 2) {
      expected.add(
          channels(TREE, first[i], first[i - 1]).stream().mapToInt(count::get).max().orElse(0));
    }
    List<Group> groups =
        List.of(Group.of("a", new Bisect(), first), Group.of("b", new Gather(), second));
    Statistics got = Evaluation.run(new Study(TREE.routes, groups, Study.Settings.inOrder()), 3);
    assertThat(got.weights().count()).isEqualTo(3 * expected.count());
    for (int w = 0; w <= expected.max(); w++) {
      assertThat(got.weights().count(w)).isEqualTo(3 * expected.count(w));
    }
  }

  @Test
  void gatherOfAnIsolatedTenantIsItsSizeLessOne() {
    int[] victims = new int[8];
    Arrays.setAll(victims, i -> i);
    Study.Settings settings = new Study.Settings(3, true, true, 0, false);
    Study study =
        new Study(TREE.routes, List.of(Group.of("victim", new Gather(), victims)), settings);
    Histogram delays = Evaluation.run(study, 50).delays();
    assertThat(delays.min()).isEqualTo(7);
    assertThat(delays.max()).isEqualTo(7);
  }

  @Test
  void chainsFollowTheFirstMessageReceivedInTheLevelBefore() {
    Chains chains = new Chains(5, 5);
    chains.startTrial();
    chains.startLevel();
    chains.flow(0, 1, 3);
    chains.flow(2, 1, 9);
    assertThat(chains.longest()).isEqualTo(9);
    chains.startLevel();
    chains.flow(1, 2, 4); // after the first message to 1: 3 + 4
    chains.flow(1, 3, 4); // not linked: 4
    assertThat(chains.longest()).isEqualTo(9);
    chains.startLevel();
    chains.flow(2, 4, 5); // 7 + 5
    assertThat(chains.longest()).isEqualTo(12);
    chains.startLevel();
    chains.flow(3, 0, 1); // received two levels ago: not linked
    assertThat(chains.longest()).isEqualTo(12);
    chains.startTrial();
    chains.startLevel();
    chains.flow(0, 1, 2);
    assertThat(chains.longest()).isEqualTo(2);
  }

  @Test
  void anEvaluationCanBeCancelled() {
    Study study = Study.of(TREE.routes, new Bisect(), Study.Settings.shuffled(1));
    Evaluation.Watcher never = new Evaluation.Watcher(d -> {}, () -> false);
    assertThatThrownBy(() -> Evaluation.run(study, 0, 1_000_000_000L, 2, never))
        .isInstanceOf(CancellationException.class);
  }

  @Test
  void histogramsAddUpAndDescribeThemselves() {
    Histogram h = new Histogram();
    h.add(1);
    h.add(500, 3);
    assertThat(h).hasToString("1:1 500:3");
    assertThat(h.mean()).isEqualTo(375.25);
    assertThat(h.variance()).isEqualTo(499.0 * 499 * 3 / 16);
    assertThat(h.meanInverse()).isEqualTo((1 + 3 / 500.0) / 4);
    assertThat(h.quantile(0.25)).isEqualTo(1);
    assertThat(h.quantile(0.26)).isEqualTo(500);
    assertThat(new Histogram().max()).isEqualTo(-1);
    assertThat(new Histogram().mean()).isNaN();
  }

  @Test
  void histogramsOfLargeValuesTakeNoRoomForWhatLiesBetween() {
    Histogram h = new Histogram();
    h.add(2_000_000_000, 2);
    h.add(70_000);
    h.add(65_535);
    h.add(65_536, 3);
    h.add(70_000, 4);
    h.add(Integer.MAX_VALUE);
    assertThat(h).hasToString("65535:1 65536:3 70000:5 2000000000:2 2147483647:1");
    assertThat(h.count()).isEqualTo(12);
    assertThat(h.count(70_000)).isEqualTo(5);
    assertThat(h.count(70_001)).isZero();
    assertThat(h.next(65_536)).isEqualTo(70_000);
    assertThat(h.next(70_001)).isEqualTo(2_000_000_000);
    assertThat(h.next(Integer.MAX_VALUE)).isEqualTo(-1);
    assertThat(h.quantile(0.5)).isEqualTo(70_000);
    Histogram twice = new Histogram();
    twice.add(h, 2);
    assertThat(twice.max()).isEqualTo(Integer.MAX_VALUE);
    assertThat(twice.mean()).isEqualTo(h.mean());
    assertThat(twice).isNotEqualTo(h);
    h.add(h, 1);
    assertThat(twice).isEqualTo(h);
    assertThat(twice).hasSameHashCodeAs(h);
  }

  /** Two leaves of two hypervisors, a root; machines: two on the first, one on each other. */
  @Test
  void machinesReachEachOtherThroughTheLinksOfTheirHypervisors() {
    Fabric plain = TreeGenerator.generate(TreeSpec.parse("XGFT(2;2,2;1,1)")).withAssignedLids();
    int[] hosts = Routes.hosts(plain);
    int[] lids = {20, 21, 22, 23, 24};
    int[] ports = {hosts[0], hosts[0], hosts[1], hosts[2], hosts[3]};
    Fabric fabric = plain.withVirtualLids(VirtualLids.of(lids, ports, new int[] {1, 1, 1, 1, 1}));
    RoutingResult routed =
        Catalog.engine("vswitch-ftree")
            .orElseThrow()
            .route(RoutingRequest.of(fabric, FatTreeRecogniser.recognise(fabric)));
    ForwardingTables tables = ((RoutingResult.Routed) routed).tables();
    Routes routes = Routes.traceMachines(fabric, tables, lids);
    assertThat(routes.size()).isEqualTo(5);
    assertThat(routes.lost()).isZero();
    // inside a hypervisor none; up and down its leaf 2; two more between the leaves
    assertThat(routes.hops(0, 1)).isZero();
    assertThat(routes.hops(0, 2)).isEqualTo(2);
    assertThat(routes.hops(0, 3)).isEqualTo(4);
    // 10 channels of the machines, 4 between switches, 8 of hypervisors
    assertThat(routes.channels()).isEqualTo(22);
    // All to all: the machines of the first send 2 * 3 messages over its link, and get as many;
    // those of a hypervisor with one machine 4; 3 and 2 machines on the leaves exchange 6 messages.
    long[] load = routes.allToAll();
    assertThat(Arrays.copyOfRange(load, 10, 14)).containsOnly(6);
    assertThat(Arrays.copyOfRange(load, 14, 22)).containsExactly(6, 6, 4, 4, 4, 4, 4, 4);
    assertThat(routes.portOfChannel(14)).isEqualTo(hosts[0]);
    assertThat(routes.portOfChannel(15)).isEqualTo(plain.peer(hosts[0]));
    // A leaf that forgets a machine loses it for those who are not on its hypervisor.
    int leaf = plain.attachedSwitch(hosts[0]);
    ForwardingTables hole = tables.with(leaf, 21, ForwardingTables.NO_PORT);
    Routes holed = Routes.traceMachines(fabric, hole, lids);
    assertThat(holed.lost()).isEqualTo(3);
    assertThat(holed.arrives(0, 1)).isTrue();
    assertThat(holed.arrives(2, 1)).isFalse();
    assertThatThrownBy(() -> Routes.traceMachines(fabric, tables, new int[] {40}))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
