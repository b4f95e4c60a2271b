package org.heddle.congestion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.heddle.catalog.Catalog;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.LinkSpeed;
import org.heddle.fabric.LinkWidth;
import org.heddle.routing.ForwardingTables;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.generate.DamageSpec;
import org.heddle.topology.generate.FabricCopy;
import org.heddle.topology.generate.FabricDamage;
import org.heddle.topology.generate.FabricShuffle;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.heddle.traffic.AllToAll;
import org.heddle.verify.RouteTrace;
import org.junit.jupiter.api.Test;

/** All-to-all loads from tables, traced routes, and the auditor's tracer tell the same. */
class AllToAllLoadsTest {
  private static final List<String> TREES =
      List.of(
          "XGFT(2;4,3;1,2)",
          "XGFT(3;4,3,4;1,2,3)",
          "PGFT(2;4,4;1,2;1,2)",
          "PGFT(3;2,2,3;1,2,2;1,1,2)",
          "XGFT(4;2,2,2,2;1,2,2,2)",
          "XGFT(1;6;1)");

  private static Fabric fabric(String tree) {
    Fabric aligned = TreeGenerator.generate(TreeSpec.parse(tree)).withAssignedLids();
    return FabricShuffle.ports(aligned, tree.length());
  }

  private static ForwardingTables route(Fabric fabric, String engine) {
    RoutingRequest request = RoutingRequest.of(fabric, FatTreeRecogniser.recognise(fabric));
    return ((RoutingResult.Routed) Catalog.engine(engine).orElseThrow().route(request)).tables();
  }

  /** Entries made wrong: none, loops, missing switches' ports, other hosts. */
  private static ForwardingTables damaged(Fabric fabric, ForwardingTables tables, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    ForwardingTables.Edits edits = tables.edit();
    for (int i = 0; i < 1 + seed * 3; i++) {
      int sw = random.nextInt(fabric.switchCount());
      int port =
          switch (random.nextInt(4)) {
            case 0 -> ForwardingTables.NO_PORT;
            case 1 -> 0;
            case 2 -> fabric.portCount(sw) + 1;
            default -> 1 + random.nextInt(fabric.portCount(sw));
          };
      edits.set(sw, 1 + random.nextInt(tables.topLid()), port);
    }
    return edits.build();
  }

  private static void check(String what, Fabric fabric, ForwardingTables tables, int[] endports) {
    Routes routes = Routes.trace(fabric, tables, endports);
    long[] slow = new long[routes.channels()];
    int[] channelOf = new int[fabric.portIdLimit()];
    Arrays.fill(channelOf, -1);
    for (int c = 0; c < slow.length; c++) {
      channelOf[routes.portOfChannel(c)] = c;
    }
    long lost = 0;
    int[] lostFrom = new int[endports.length];
    for (int from = 0; from < endports.length; from++) {
      for (int to = 0; to < endports.length; to++) {
        int lid = fabric.lid(endports[to]);
        RouteTrace trace = RouteTrace.follow(fabric, tables, endports[from], lid);
        boolean arrives = trace.outcome() == RouteTrace.Outcome.ARRIVED;
        assertThat(routes.arrives(from, to)).as(what).isEqualTo(arrives);
        if (!arrives) {
          lost++;
          lostFrom[from]++;
        } else if (from != to) {
          assertThat(routes.hops(from, to)).as(what).isEqualTo(trace.links().size() - 2);
          trace.links().forEach(link -> slow[channelOf[link.out()]]++);
        }
      }
    }
    AllToAllLoads direct = AllToAllLoads.of(fabric, tables, endports);
    for (int c = 0; c < slow.length; c++) {
      assertThat(direct.load(c)).as("%s, channel %s", what, c).isEqualTo(slow[c]);
    }
    assertThat(routes.allToAll()).as(what).isEqualTo(slow);
    assertThat(direct.lost()).as(what).isEqualTo(lost);
    assertThat(routes.lost()).as(what).isEqualTo(lost);
    for (int from = 0; from < endports.length; from++) {
      assertThat(direct.lostFrom(from)).as(what).isEqualTo(lostFrom[from]);
    }
    Study.Settings settings = new Study.Settings(0, true, true, 0, true);
    AllToAllLoads.Exchange exchange = direct.exchange(3, settings);
    assertThat(exchange.statistics())
        .as(what)
        .isEqualTo(Evaluation.run(Study.of(routes, new AllToAll(), settings), 3));
    assertThat(exchange.fingerprint()).as(what).isEqualTo(routes.fingerprint());
  }

  @Test
  void loadsAreThoseOfTracedRoutesOnAllKindsOfTreesAndEngines() {
    for (String tree : TREES) {
      Fabric fabric = fabric(tree);
      for (String engine : List.of("ftree", "dmodk", "minhop", "updn")) {
        check(tree + " " + engine, fabric, route(fabric, engine), Routes.hosts(fabric));
      }
    }
  }

  @Test
  void loadsAreThoseOfTracedRoutesOnDamagedTrees() {
    for (long seed = 0; seed < 8; seed++) {
      DamageSpec spec =
          DamageSpec.none(seed)
              .keepingConnected()
              .withLinks(DamageSpec.Amount.of(3))
              .withHosts(DamageSpec.Amount.of(2));
      Fabric fabric = FabricDamage.apply(fabric("XGFT(3;4,3,4;1,2,3)"), spec).fabric();
      check("damage " + seed, fabric, route(fabric, "updn"), Routes.hosts(fabric));
    }
  }

  @Test
  void messagesThatLoopOrAreDroppedAreFoundLostAlike() {
    for (String tree : TREES) {
      Fabric fabric = fabric(tree);
      ForwardingTables tables = route(fabric, "minhop");
      for (long seed = 0; seed < 12; seed++) {
        ForwardingTables broken = damaged(fabric, tables, seed);
        check(tree + ", damage " + seed, fabric, broken, Routes.hosts(fabric));
      }
    }
    Fabric fabric = fabric(TREES.get(0));
    ForwardingTables none = ForwardingTables.empty(fabric.switchCount(), 3);
    check("no entries", fabric, none, Routes.hosts(fabric));
    assertThat(AllToAllLoads.of(fabric, none, Routes.hosts(fabric)).lost()).isEqualTo(12 * 11);
  }

  @Test
  void someHostsInAnyOrderCountAmongThemselves() {
    Fabric fabric = fabric(TREES.get(1));
    ForwardingTables tables = route(fabric, "ftree");
    SplittableRandom random = new SplittableRandom(5);
    for (int size : new int[] {0, 1, 2, 7, 30}) {
      int[] hosts = Routes.hosts(fabric);
      for (int i = 0; i < size; i++) {
        int j = i + random.nextInt(hosts.length - i);
        int host = hosts[j];
        hosts[j] = hosts[i];
        hosts[i] = host;
      }
      check(size + " hosts", fabric, tables, Arrays.copyOf(hosts, size));
    }
  }

  /** The same fabric, with cables of these ports at another speed. */
  private static Fabric atSpeed(Fabric f, IntPredicate which, LinkSpeed speed) {
    int nodes = f.nodeCount();
    FabricCopy copy =
        new FabricCopy(f, new boolean[nodes], new boolean[f.portIdLimit()], new int[nodes]);
    for (int port = 0; port < f.portIdLimit(); port++) {
      if (f.peer(port) != Fabric.NONE && which.test(port)) {
        for (int end : new int[] {port, f.peer(port)}) {
          int handle = copy.handle(f.nodeOf(end));
          copy.builder().setLink(handle, f.numberOf(end), LinkWidth.X4, speed);
        }
      }
    }
    return copy.build();
  }

  /** Runs are merged by their fingerprint, and weights depend on the rates of links. */
  @Test
  void fabricsOfOtherRatesHaveOtherFingerprints() {
    Fabric fabric = fabric(TREES.get(0));
    ForwardingTables tables = route(fabric, "ftree");
    int host = fabric.port(fabric.switchCount(), 1);
    int up =
        IntStream.rangeClosed(1, fabric.portCount(0))
            .map(k -> fabric.port(0, k))
            .filter(port -> fabric.isSwitch(fabric.peerNode(port)))
            .findFirst()
            .orElseThrow();
    Set<Long> seen = new HashSet<>();
    for (LinkSpeed speed : List.of(LinkSpeed.QDR, LinkSpeed.EDR)) {
      Fabric uniform = atSpeed(fabric, _ -> true, speed);
      for (Fabric f :
          List.of(
              uniform,
              atSpeed(uniform, port -> port == host, LinkSpeed.SDR),
              atSpeed(uniform, port -> port == up, LinkSpeed.SDR))) {
        check("rates", f, tables, Routes.hosts(f));
        long print = Routes.trace(f, tables, Routes.hosts(f)).fingerprint();
        assertThat(seen.add(print)).as("%s", speed).isTrue();
        assertThat(Routes.trace(f, tables, Routes.hosts(f)).fingerprint()).isEqualTo(print);
      }
    }
  }

  @Test
  void whatIsNoEndportOfTheNetworkIsRefused() {
    Fabric bare = TreeGenerator.generate(TreeSpec.parse(TREES.get(0)));
    ForwardingTables none = ForwardingTables.empty(bare.switchCount(), 3);
    int port = bare.port(bare.switchCount(), 1);
    assertThatThrownBy(() -> AllToAllLoads.of(bare, none, new int[] {port}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no LID");
  }

  @Test
  void aGroupsExchangeWithinOthersTrafficWeighsEveryMessage() {
    Fabric fabric = fabric(TREES.get(1));
    int[] hosts = Routes.hosts(fabric);
    ForwardingTables tables = damaged(fabric, route(fabric, "ftree"), 4);
    Routes routes = Routes.trace(fabric, tables, hosts);
    int[] some = {0, 3, 4, 5, 9, 17, 30, 47};
    int[] others = {1, 2, 3, 8, 20};
    int[] count = new int[routes.channels()];
    for (int[] group : List.of(some, others)) {
      for (int from : group) {
        for (int to : group) {
          channels(fabric, tables, routes, from, to).forEach(c -> count[c]++);
        }
      }
    }
    Histogram expected = new Histogram();
    int[] longest = new int[some.length + 1]; // by limit
    for (int from = 0; from < some.length; from++) {
      for (int to = 0; to < some.length; to++) {
        List<Integer> way = channels(fabric, tables, routes, some[from], some[to]);
        int weight = way.stream().mapToInt(c -> count[c]).max().orElse(0);
        if (weight > 0) {
          expected.add(weight);
        }
        for (int limit = Math.max(from, to) + 1; limit <= some.length; limit++) {
          longest[limit] = Math.max(longest[limit], weight);
        }
      }
    }
    List<Group> groups =
        List.of(Group.of("some", new AllToAll(), some), Group.of("others", new AllToAll(), others));
    for (int limit : new int[] {0, 1, 2, 5, 8}) {
      Study.Settings settings = new Study.Settings(1, false, true, limit, false);
      Statistics got = Evaluation.run(new Study(routes, groups, settings), 1);
      assertThat(got.weights()).isEqualTo(expected);
      assertThat(got.delays().max()).isEqualTo(longest[limit == 0 ? some.length : limit]);
      assertThat(got.lost()).isEqualTo(some.length * (some.length - 1L) - expected.count());
    }
  }

  private static List<Integer> channels(
      Fabric fabric, ForwardingTables tables, Routes routes, int from, int to) {
    int lid = fabric.lid(routes.endport(to));
    RouteTrace trace = RouteTrace.follow(fabric, tables, routes.endport(from), lid);
    if (trace.outcome() != RouteTrace.Outcome.ARRIVED) {
      return List.of();
    }
    List<Integer> ports = trace.links().stream().map(RouteTrace.Link::out).toList();
    int[] all = new int[routes.channels()];
    Arrays.setAll(all, routes::portOfChannel);
    return ports.stream().map(p -> Arrays.stream(all).boxed().toList().indexOf(p)).toList();
  }
}
