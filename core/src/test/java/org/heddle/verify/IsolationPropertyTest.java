package org.heddle.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Lid;
import org.heddle.routing.ForwardingTables;
import org.heddle.tenancy.IsolationPolicy;
import org.heddle.tenancy.Lanes;
import org.heddle.tenancy.Partition;
import org.heddle.tenancy.PartitionMember;
import org.heddle.tenancy.Tenancy;
import org.heddle.topology.FatTree;
import org.heddle.verify.AuditReport.ChannelKind;
import org.heddle.verify.isolation.IsolationAudit;
import org.heddle.verify.isolation.IsolationOptions;
import org.heddle.verify.isolation.IsolationReport;
import org.heddle.verify.isolation.PartitionChannels;
import org.heddle.verify.isolation.Receivers;
import org.junit.jupiter.api.Test;

/** Every number of the isolation audit against tracing every pair of every partition. */
class IsolationPropertyTest {
  private static final int SEEDS = 600;

  @Test
  void randomTenanciesAreMeasuredAsByTracingEveryPair() {
    Map<String, Integer> seen = new TreeMap<>();
    for (int seed = 0; seed < SEEDS; seed++) {
      SplittableRandom random = new SplittableRandom(7_000_000 + seed);
      Fabric fabric = AuditPropertyTest.fabric(random);
      ForwardingTables tables = AuditPropertyTest.spanningTrees(fabric, random);
      if (random.nextInt(2) == 0) {
        tables = AuditPropertyTest.damage(fabric, tables, random);
      }
      check(seed, fabric, tables, random, seen);
    }
    // the input must be of the kind the test is about
    for (String kind :
        List.of("shared", "physical-shared", "lane-shared", "tie", "unreached", "lmc", "limited")) {
      assertThat(seen.getOrDefault(kind, 0)).as(kind).isGreaterThan(SEEDS / 20);
    }
  }

  private static void check(
      int seed,
      Fabric fabric,
      ForwardingTables tables,
      SplittableRandom random,
      Map<String, Integer> seen) {
    FatTree tree = AuditPropertyTest.levels(fabric, random);
    Tenancy tenancy = tenancy(fabric, random);
    int count = tenancy.partitions().size();
    int[] lane = new int[count];
    for (int p = 0; p < count; p++) {
      lane[p] = random.nextInt(3);
    }
    IsolationOptions options = IsolationOptions.defaults().withTree(tree).withThreads(1);
    IsolationReport report = IsolationAudit.run(fabric, tables, tenancy, new Lanes(lane), options);
    IsolationReport parallel =
        IsolationAudit.run(fabric, tables, tenancy, new Lanes(lane), options.withThreads(3));
    assertThat(parallel).as("seed %d", seed).isEqualTo(report);
    Reference reference = new Reference(fabric, tables, tenancy, tree);
    for (int p = 0; p < count; p++) {
      checkPartition("seed " + seed + " partition " + p, report.partitions().get(p), reference, p);
    }
    checkPairs(seed, report, reference, tenancy, lane);
    checkContention(seed, report, reference, tenancy, fabric);
    note(seen, report, tenancy, fabric);
  }

  private static void checkPartition(
      String as, IsolationReport.PartitionUse use, Reference ref, int p) {
    assertThat(use.routes()).as(as).isEqualTo(ref.routeCount[p]);
    assertThat(use.unreached()).as(as).isEqualTo(ref.unreached[p]);
    Map<Integer, Reference.Use> wanted = ref.uses.get(p);
    PartitionChannels channels = use.channels();
    assertThat(channels.size()).as(as).isEqualTo(wanted.size()).isEqualTo(use.used());
    int i = 0;
    int up = 0;
    int down = 0;
    int shared = 0;
    long interference = 0;
    for (Map.Entry<Integer, Reference.Use> entry : wanted.entrySet()) {
      Reference.Use u = entry.getValue();
      assertThat(channels.port(i)).as(as).isEqualTo(entry.getKey());
      assertThat(channels.destinations(i)).as(as).isEqualTo(u.lids.size());
      assertThat(channels.routes(i)).as(as).isEqualTo(u.routes);
      assertThat(channels.weight(i)).as(as).isEqualTo(u.weight);
      up += ref.direction(entry.getKey()) > 0 ? 1 : 0;
      down += ref.direction(entry.getKey()) < 0 ? 1 : 0;
      if (ref.users(entry.getKey()).size() > 1) {
        shared++;
        interference += u.routes;
      }
      i++;
    }
    assertThat(List.of(use.up(), use.down(), use.shared()))
        .as(as)
        .isEqualTo(List.of(up, down, shared));
    assertThat(use.interference()).as(as).isEqualTo(interference);
  }

  private static void checkPairs(
      int seed, IsolationReport report, Reference ref, Tenancy tenancy, int[] lane) {
    List<IsolationReport.Pair> wanted = new ArrayList<>();
    Set<Integer> physical = new HashSet<>();
    for (int a = 0; a < lane.length; a++) {
      if (tenancy.partitions().get(a).policy() == IsolationPolicy.PHY) {
        physical.addAll(ref.uses.get(a).keySet());
      }
      for (int b = a + 1; b < lane.length; b++) {
        Set<Integer> common = new TreeSet<>(ref.uses.get(a).keySet());
        common.retainAll(ref.uses.get(b).keySet());
        if (!common.isEmpty()) {
          int up = (int) common.stream().filter(c -> ref.direction(c) > 0).count();
          int down = (int) common.stream().filter(c -> ref.direction(c) < 0).count();
          boolean allowed = tenancy.mayShare(a, b);
          boolean same = lane[a] == lane[b];
          String broken = broken(tenancy, a, b, same);
          wanted.add(
              new IsolationReport.Pair(
                  a, b, common.size(), up, down, same, allowed, Optional.ofNullable(broken)));
        }
        assertThat(report.sharedChannels(b, a))
            .as("seed %d", seed)
            .containsExactly(common.stream().mapToInt(c -> c).toArray());
      }
    }
    assertThat(report.pairs()).as("seed %d", seed).isEqualTo(wanted);
    assertThat(report.physicalChannels()).as("seed %d", seed).isEqualTo(physical.size());
    boolean kept = wanted.stream().allMatch(p -> p.violation().isEmpty());
    assertThat(report.kept()).as("seed %d", seed).isEqualTo(kept);
    assertThat(report.interference())
        .as("seed %d", seed)
        .isEqualTo(
            new IsolationReport.Interference(
                ref.interference(2), ref.interference(1), ref.interference(-1)));
  }

  private static String broken(Tenancy tenancy, int a, int b, boolean sameLane) {
    if (tenancy.mayShare(a, b)) {
      return null;
    }
    Set<IsolationPolicy> policies =
        Set.copyOf(
            List.of(tenancy.partitions().get(a).policy(), tenancy.partitions().get(b).policy()));
    if (policies.contains(IsolationPolicy.PHY)) {
      return "physical-shared";
    }
    return policies.contains(IsolationPolicy.VLANE) && sameLane ? "lane-shared" : null;
  }

  private static void checkContention(
      int seed, IsolationReport report, Reference ref, Tenancy tenancy, Fabric fabric) {
    Map<Integer, Set<Integer>> all = ref.union((_, _) -> true);
    assertThat(tallies(report.contention()))
        .as("seed %d", seed)
        .isEqualTo(List.of(ref.tally(all, 2), ref.tally(all, 1), ref.tally(all, -1)));
    int heaviest =
        tenancy.partitions().stream()
            .flatMap(p -> p.members().stream())
            .mapToInt(PartitionMember::weight)
            .max()
            .orElse(1);
    assertThat(report.receiverContention().isPresent()).isEqualTo(heaviest > 1);
    Map<Integer, Set<Integer>> heavy = ref.union((_, m) -> m.weight() == heaviest);
    report
        .receiverContention()
        .ifPresent(
            c ->
                assertThat(tallies(c))
                    .as("seed %d", seed)
                    .isEqualTo(
                        List.of(ref.tally(heavy, 2), ref.tally(heavy, 1), ref.tally(heavy, -1))));
    for (IsolationReport.Load load : report.loads()) {
      int wanted = load.kind() == ChannelKind.UP ? 1 : load.kind() == ChannelKind.DOWN ? -1 : 2;
      int max = 0;
      long sum = 0;
      for (Map.Entry<Integer, Set<Integer>> e : all.entrySet()) {
        if (wanted == 2 || ref.direction(e.getKey()) == wanted) {
          max = Math.max(max, e.getValue().size());
          sum += e.getValue().size();
        }
      }
      assertThat(load.max()).as("seed %d", seed).isEqualTo(max);
      assertThat(load.sum()).as("seed %d", seed).isEqualTo(sum);
      assertThat(load.channels()).as("seed %d", seed).isEqualTo(ref.channels(wanted));
    }
    assertThat(report.hostChannels().used()).as("seed %d", seed).isEqualTo(2 * ref.talking(1));
    assertThat(report.hostChannels().shared()).as("seed %d", seed).isEqualTo(2 * ref.talking(2));
  }

  private static List<IsolationReport.Tally> tallies(IsolationReport.Contention c) {
    return List.of(c.all(), c.up(), c.down());
  }

  private static void note(
      Map<String, Integer> seen, IsolationReport report, Tenancy tenancy, Fabric fabric) {
    if (!report.pairs().isEmpty()) {
      seen.merge("shared", 1, Integer::sum);
    }
    report.violations().forEach(v -> seen.merge(v.code(), 1, Integer::sum));
    if (!report.ties().isEmpty()) {
      seen.merge("tie", 1, Integer::sum);
    }
    if (report.partitions().stream().anyMatch(p -> p.unreached() > 0)) {
      seen.merge("unreached", 1, Integer::sum);
    }
    List<PartitionMember> members =
        tenancy.partitions().stream().flatMap(p -> p.members().stream()).toList();
    if (members.stream().anyMatch(m -> fabric.lmc(m.port()) > 0)) {
      seen.merge("lmc", 1, Integer::sum);
    }
    if (members.stream().anyMatch(m -> !m.full())) {
      seen.merge("limited", 1, Integer::sum);
    }
  }

  // ---- random input

  private static Tenancy tenancy(Fabric fabric, SplittableRandom random) {
    List<Partition> partitions = new ArrayList<>();
    int count = random.nextInt(6);
    int oneIn = 1 + random.nextInt(4);
    for (int p = 0; p < count; p++) {
      List<PartitionMember> members = new ArrayList<>();
      for (int port = 0; port < fabric.portIdLimit(); port++) {
        boolean host = !fabric.isSwitch(fabric.nodeOf(port)) && fabric.peer(port) != Fabric.NONE;
        if (host && random.nextInt(oneIn) == 0) {
          int weight = random.nextInt(3) == 0 ? 100 : 1;
          members.add(new PartitionMember(port, random.nextInt(4) != 0, weight));
        }
      }
      IsolationPolicy policy = IsolationPolicy.values()[random.nextInt(3)];
      partitions.add(new Partition("P" + p, 1 + p, policy, members, List.of()));
    }
    List<Set<Integer>> groups = new ArrayList<>();
    if (count > 2 && random.nextInt(3) == 0) {
      groups.add(Set.of(0, count - 1));
    }
    return new Tenancy(new Tenancy.Rules(random.nextBoolean(), 8, 1, groups), partitions);
  }

  // ---- the naive way

  /** Traces every pair with {@link RouteTrace} and keeps everything in sets. */
  private static final class Reference {
    /** One channel of one partition. */
    static final class Use {
      final Set<Integer> lids = new HashSet<>();
      long routes;
      long weight;
    }

    final Fabric fabric;
    final ForwardingTables tables;
    final Tenancy tenancy;
    final FatTree tree;
    final List<TreeMap<Integer, Use>> uses = new ArrayList<>();
    final long[] routeCount;
    final long[] unreached;

    /** Partitions in which a port has somebody to talk to. */
    final Map<Integer, Set<Integer>> partners = new HashMap<>();

    Reference(Fabric fabric, ForwardingTables tables, Tenancy tenancy, FatTree tree) {
      this.fabric = fabric;
      this.tables = tables;
      this.tenancy = tenancy;
      this.tree = tree;
      this.routeCount = new long[tenancy.partitions().size()];
      this.unreached = new long[tenancy.partitions().size()];
      for (int p = 0; p < routeCount.length; p++) {
        uses.add(new TreeMap<>());
        for (PartitionMember from : tenancy.partitions().get(p).members()) {
          for (PartitionMember to : tenancy.partitions().get(p).members()) {
            if (talks(from, to)) {
              routes(p, from, to);
            }
          }
        }
      }
    }

    private boolean talks(PartitionMember from, PartitionMember to) {
      return from.port() != to.port()
          && (from.full() || to.full())
          && fabric.lid(from.port()) != Lid.NONE
          && fabric.lid(to.port()) != Lid.NONE
          && fabric.attachedSwitch(from.port()) != Fabric.NONE
          && fabric.attachedSwitch(to.port()) != Fabric.NONE
          && component(fabric.attachedSwitch(from.port()))
              .contains(fabric.attachedSwitch(to.port()));
    }

    private Set<Integer> component(int sw) {
      Set<Integer> reached = new HashSet<>();
      List<Integer> stack = new ArrayList<>(List.of(sw));
      while (!stack.isEmpty()) {
        int s = stack.removeLast();
        if (reached.add(s)) {
          for (int k = 1; k <= fabric.portCount(s); k++) {
            int peer = fabric.peerNode(fabric.port(s, k));
            if (peer != Fabric.NONE && fabric.isSwitch(peer)) {
              stack.add(peer);
            }
          }
        }
      }
      return reached;
    }

    private void routes(int p, PartitionMember from, PartitionMember to) {
      partners.computeIfAbsent(from.port(), _ -> new HashSet<>()).add(p);
      for (int i = 0; i < 1 << fabric.lmc(to.port()); i++) {
        int lid = fabric.lid(to.port()) + i;
        RouteTrace trace = RouteTrace.follow(fabric, tables, from.port(), lid);
        routeCount[p]++;
        unreached[p] += trace.outcome() == RouteTrace.Outcome.ARRIVED ? 0 : 1;
        for (RouteTrace.Link link : trace.links()) {
          if (isInner(link.out())) {
            Use use = uses.get(p).computeIfAbsent(link.out(), _ -> new Use());
            use.routes++;
            use.weight += use.lids.add(lid) ? to.weight() : 0;
          }
        }
      }
    }

    private boolean isInner(int port) {
      return fabric.isSwitch(fabric.nodeOf(port))
          && fabric.peer(port) != Fabric.NONE
          && fabric.isSwitch(fabric.peerNode(port));
    }

    int direction(int channel) {
      int from = tree.level(fabric.nodeOf(channel));
      int to = tree.level(fabric.peerNode(channel));
      return from == 0 || to == 0 ? 0 : Integer.signum(to - from);
    }

    Set<Integer> users(int channel) {
      Set<Integer> out = new HashSet<>();
      for (int p = 0; p < uses.size(); p++) {
        if (uses.get(p).containsKey(channel)) {
          out.add(p);
        }
      }
      return out;
    }

    /** Direction 2 stands for all. */
    long interference(int direction) {
      long sum = 0;
      for (Map<Integer, Use> own : uses) {
        for (Map.Entry<Integer, Use> e : own.entrySet()) {
          boolean counts = direction == 2 || direction(e.getKey()) == direction;
          sum += counts && users(e.getKey()).size() > 1 ? e.getValue().routes : 0;
        }
      }
      return sum;
    }

    /** Distinct LIDs on every channel, of the members that are chosen. */
    Map<Integer, Set<Integer>> union(Receivers chosen) {
      Map<Integer, Set<Integer>> out = new HashMap<>();
      for (int p = 0; p < uses.size(); p++) {
        Set<Integer> ports = new HashSet<>();
        for (PartitionMember m : tenancy.partitions().get(p).members()) {
          if (chosen.test(p, m)) {
            ports.add(m.port());
          }
        }
        uses.get(p)
            .forEach(
                (channel, use) -> {
                  for (int lid : use.lids) {
                    if (ports.contains(fabric.portOfLid(lid))) {
                      out.computeIfAbsent(channel, _ -> new HashSet<>()).add(lid);
                    }
                  }
                });
      }
      return out;
    }

    IsolationReport.Tally tally(Map<Integer, Set<Integer>> lids, int direction) {
      int contended = 0;
      long total = 0;
      for (Map.Entry<Integer, Set<Integer>> e : lids.entrySet()) {
        boolean counts = direction == 2 || direction(e.getKey()) == direction;
        if (counts && e.getValue().size() > 1) {
          contended++;
          total += e.getValue().size() - 1;
        }
      }
      return new IsolationReport.Tally(contended, total);
    }

    int channels(int direction) {
      int count = 0;
      for (int port = 0; port < fabric.portIdLimit(); port++) {
        boolean counts = isInner(port) && (direction == 2 || direction(port) == direction);
        count += counts ? 1 : 0;
      }
      return count;
    }

    /** Ports that have somebody to talk to in at least so many partitions. */
    int talking(int least) {
      return (int) partners.values().stream().filter(p -> p.size() >= least).count();
    }
  }
}
