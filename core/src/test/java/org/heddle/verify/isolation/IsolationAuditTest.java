package org.heddle.verify.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.routing.ForwardingTables;
import org.heddle.tenancy.IsolationPolicy;
import org.heddle.tenancy.Lanes;
import org.heddle.tenancy.Partition;
import org.heddle.tenancy.PartitionMember;
import org.heddle.tenancy.Tenancy;
import org.heddle.topology.FatTree;
import org.heddle.verify.AuditFinding;
import org.heddle.verify.AuditReport.ChannelKind;
import org.heddle.verify.Lab;
import org.heddle.verify.Severity;
import org.heddle.verify.isolation.IsolationReport.Contention;
import org.heddle.verify.isolation.IsolationReport.Pair;
import org.heddle.verify.isolation.IsolationReport.Tally;
import org.junit.jupiter.api.Test;

/**
 * Two leaves L1 (hosts a b c d, LIDs 1-4) and L2 (e f g h, LIDs 5-8), two roots R1 and R2: the
 * fabric of figure 4 of Zahid et al. Ports of a leaf: 1-4 hosts, 5 to R1, 6 to R2; ports of a root:
 * 1 to L1, 2 to L2. Unless a test says otherwise odd LIDs go over R1 and even ones over R2.
 */
class IsolationAuditTest {
  private static final Fabric FABRIC = fabric();
  private static final FatTree TREE = new FatTree(2, new int[] {1, 1, 2, 2}, new int[] {0, 1});
  private static final ForwardingTables ODD_EVEN =
      Lab.tables(
          FABRIC,
          "1=1 2=2 3=3 4=4 5=5 6=6 7=5 8=6",
          "1=5 2=6 3=5 4=6 5=1 6=2 7=3 8=4",
          "1=1 2=1 3=1 4=1 5=2 6=2 7=2 8=2",
          "1=1 2=1 3=1 4=1 5=2 6=2 7=2 8=2");

  private static Fabric fabric() {
    Lab lab = new Lab().sw("L1", 6, 11).sw("L2", 6, 12).sw("R1", 2, 13).sw("R2", 2, 14);
    String names = "abcdefgh";
    for (int i = 0; i < 8; i++) {
      lab.ca(names.substring(i, i + 1), i + 1);
      lab.cable((i < 4 ? "L1:" : "L2:") + (i % 4 + 1), names.charAt(i) + ":1");
    }
    lab.cable("L1:5", "R1:1").cable("L1:6", "R2:1").cable("L2:5", "R1:2").cable("L2:6", "R2:2");
    return lab.fabric();
  }

  // ---- who meets whom

  @Test
  void partitionsOverDifferentRootsShareNothing() {
    // a c e g have odd LIDs, b d f h even ones
    IsolationReport report = run(ODD_EVEN, best(), part("P", "aceg"), part("Q", "bdfh"));
    assertThat(report.pairs()).isEmpty();
    assertThat(report.interference()).isEqualTo(new IsolationReport.Interference(0, 0, 0));
    // both directions of L1-R1 and R1-L2
    IsolationReport.PartitionUse p = report.partitions().get(0);
    assertThat(ports(p.channels())).isEqualTo(portIds("L1:5", "L2:5", "R1:1", "R1:2"));
    assertThat(p.used()).isEqualTo(4);
    assertThat(p.up()).isEqualTo(2);
    assertThat(p.down()).isEqualTo(2);
    assertThat(p.shared()).isZero();
    assertThat(p.routes()).isEqualTo(12); // 4 sources to 3 others
    assertThat(p.destinations()).isEqualTo(4);
    assertThat(report.kept()).isTrue();
    assertThat(report.findings()).isEmpty();
  }

  @Test
  void sharedChannelsAreCountedByDirectionAndNamed() {
    // P = a, e (LIDs 1, 5), Q = c, f (3, 6): 1 and 3 come down R1 to L1, 5 goes up L1:5, 6 up L1:6
    IsolationReport report = run(ODD_EVEN, best(), part("P", "ae"), part("Q", "cf"));
    // P: to a: L2:5, R1:1; to e: L1:5, R1:2. Q: to c: L2:5, R1:1; to f: L1:6, R2:2
    assertThat(report.sharedChannels(0, 1)).isEqualTo(portIds("L2:5", "R1:1"));
    assertThat(report.pairs())
        .containsExactly(new Pair(0, 1, 2, 1, 1, true, false, Optional.empty()));
    assertThat(report.pair(1, 0)).contains(report.pairs().get(0));
    // one route of each partition on both channels
    assertThat(report.interference()).isEqualTo(new IsolationReport.Interference(4, 2, 2));
    assertThat(report.partitions()).extracting(u -> u.shared()).containsExactly(2, 2);
    assertThat(report.partitions()).extracting(u -> u.interference()).containsExactly(2L, 2L);
    assertThat(report.kept()).isTrue(); // def promises nothing
  }

  @Test
  void channelsCarryDestinationsRoutesAndWeights() {
    Partition p = part("P", IsolationPolicy.DEF, "a100", "c3", "e", "g");
    IsolationReport report = run(ODD_EVEN, best(), p);
    PartitionChannels channels = report.partitions().get(0).channels();
    // R1 down to L1: destinations a and c, each from e and g: 4 routes, weight 100 + 3
    int down = channels.indexOf(Lab.port(FABRIC, "R1:1"));
    assertThat(channels.destinations(down)).isEqualTo(2);
    assertThat(channels.routes(down)).isEqualTo(4);
    assertThat(channels.weight(down)).isEqualTo(103);
    // L1 up to R1: destinations e and g from a and c
    int up = channels.indexOf(Lab.port(FABRIC, "L1:5"));
    assertThat(channels.routes(up)).isEqualTo(4);
    assertThat(channels.weight(up)).isEqualTo(2);
    assertThat(channels.indexOf(Lab.port(FABRIC, "L1:6"))).isNegative();
  }

  @Test
  void membersOnOneLeafUseNoChannelBetweenSwitches() {
    IsolationReport report = run(ODD_EVEN, best(), part("P", "abcd"), part("Q", "bf"));
    assertThat(report.partitions().get(0).used()).isZero();
    assertThat(report.partitions().get(0).routes()).isEqualTo(12);
    assertThat(report.pairs()).isEmpty();
    // all five members use both channels of their link, b for both partitions
    assertThat(report.hostChannels()).isEqualTo(new IsolationReport.HostChannels(10, 2));
  }

  @Test
  void limitedMembersDoNotTalkToEachOther() {
    // a and e limited, c full: a-c, c-a, c-e, e-c; a and e never
    IsolationReport report = run(ODD_EVEN, best(), part("P", IsolationPolicy.DEF, "a-", "c", "e-"));
    assertThat(report.partitions().get(0).routes()).isEqualTo(4);
    PartitionChannels channels = report.partitions().get(0).channels();
    // c -> e: L1:5, R1:2; e -> c: L2:5, R1:1
    assertThat(ports(channels)).isEqualTo(portIds("L1:5", "L2:5", "R1:1", "R1:2"));
    assertThat(channels.routes(channels.indexOf(Lab.port(FABRIC, "R1:1")))).isEqualTo(1);
    IsolationReport none = run(ODD_EVEN, best(), part("P", IsolationPolicy.DEF, "a-", "e-"));
    assertThat(none.partitions().get(0).routes()).isZero();
    assertThat(none.hostChannels().used()).isZero();
  }

  // ---- policies

  @Test
  void aPhysicalPartitionThatSharesAChannelIsAViolationWhateverTheLane() {
    Partition p = part("P", IsolationPolicy.PHY, "a", "e");
    Partition q = part("Q", "cf");
    IsolationReport strict = run(ODD_EVEN, rules(true, 1, 8), new int[] {0, 1}, p, q);
    assertThat(strict.pairs().get(0).violation()).contains("physical-shared");
    assertThat(strict.pairs().get(0).sameLane()).isFalse();
    assertThat(strict.violations()).hasSize(1);
    AuditFinding finding = strict.violations().get(0);
    assertThat(finding.severity()).isEqualTo(Severity.ERROR);
    assertThat(finding.count()).isEqualTo(1);
    assertThat(finding.examples())
        .containsExactly(
            "'P' (phy) and 'Q' (def) share 2 channels on separate lanes, first 'L2' ("
                + Guid.format(FABRIC.nodeGuid(1))
                + ") port 5 -> 'R1' ("
                + Guid.format(FABRIC.nodeGuid(2))
                + ") port 2");
    IsolationReport effort = run(ODD_EVEN, best(), p, q);
    assertThat(effort.violations().get(0).severity()).isEqualTo(Severity.WARNING);
    assertThat(effort.kept()).isFalse();
  }

  @Test
  void aLanePartitionNeedsAnotherLaneOnlyWhereItMeetsSomebody() {
    Partition p = part("P", IsolationPolicy.VLANE, "a", "e");
    Partition q = part("Q", "cf");
    Partition r = part("R", "bh");
    IsolationReport same = run(ODD_EVEN, best(), new int[] {2, 2, 2}, p, q, r);
    // Q and R meet over f and h on L1:6 and R2:2, but promise nothing
    assertThat(same.pairs())
        .extracting(x -> x.a() + "-" + x.b() + " " + x.violation().orElse("none"))
        .containsExactly("0-1 lane-shared", "1-2 none");
    assertThat(same.violations()).extracting(f -> f.code()).containsExactly("lane-shared");
    IsolationReport apart = run(ODD_EVEN, best(), new int[] {2, 0, 2}, p, q, r);
    assertThat(apart.kept()).isTrue();
  }

  @Test
  void partitionsOfOneGroupMayShare() {
    Tenancy.Rules group = new Tenancy.Rules(true, 8, 1, List.of(Set.of(0, 1)));
    IsolationReport report =
        run(ODD_EVEN, group, part("P", IsolationPolicy.PHY, "a", "e"), part("Q", "cf"));
    assertThat(report.pairs().get(0).allowed()).isTrue();
    assertThat(report.kept()).isTrue();
  }

  @Test
  void physicalPartitionsMayTakeTheirShareOfTheChannelsAndNoMore() {
    // P uses 4 of 8 channels
    Partition p = part("P", IsolationPolicy.PHY, "a", "c", "e", "g");
    IsolationReport half = run(ODD_EVEN, rules(true, 0.5, 8), p);
    assertThat(half.switchChannels()).isEqualTo(8);
    assertThat(half.physicalChannels()).isEqualTo(4);
    assertThat(half.kept()).isTrue();
    IsolationReport less = run(ODD_EVEN, rules(true, 0.49, 8), p);
    assertThat(less.violations()).extracting(f -> f.code()).containsExactly("physical-cap");
    assertThat(less.violations().get(0).message())
        .isEqualTo(
            "Physically isolated partitions use 4 of 8 channels between switches, 50.0%; the rules"
                + " allow 49.0%.");
  }

  @Test
  void aLaneTheFabricDoesNotHaveIsAViolation() {
    IsolationReport report =
        run(ODD_EVEN, rules(false, 1, 2), new int[] {1, 2}, part("P", "ae"), part("Q", "bf"));
    assertThat(report.violations()).extracting(f -> f.code()).containsExactly("lane-unavailable");
    assertThat(report.violations().get(0).examples()).containsExactly("'Q' is on lane 2");
  }

  // ---- metrics

  @Test
  void contentionIsDestinationsMinusOneSummedOverChannels() {
    // P = a c e g over R1 only: R1:1 has a and c, R1:2 e and g, L1:5 e and g, L2:5 a and c
    IsolationReport report = run(ODD_EVEN, best(), part("P", "aceg"));
    assertThat(report.contention())
        .isEqualTo(new Contention(4, new Tally(4, 4), new Tally(2, 2), new Tally(2, 2)));
    assertThat(report.receiverContention()).isEmpty();
    IsolationReport.Load down = report.load(ChannelKind.DOWN).orElseThrow();
    assertThat(down).isEqualTo(new IsolationReport.Load(ChannelKind.DOWN, 4, 2, 2, 4, 1.0));
  }

  @Test
  void receiversAreTheDestinationsOfTheGreatestWeight() {
    // a and c receive: they share L2:5 and R1:1; e and g do not count
    Partition p = part("P", IsolationPolicy.DEF, "a100", "c100", "e", "g7");
    IsolationReport report = run(ODD_EVEN, best(), p);
    assertThat(report.receiverContention())
        .contains(new Contention(2, new Tally(2, 2), new Tally(1, 1), new Tally(1, 1)));
    Tenancy tenancy = new Tenancy(best(), List.of(p));
    IsolationOptions options = IsolationOptions.defaults().withTree(TREE);
    // chosen by hand: c, e and g share nothing but e and g
    assertThat(
            IsolationAudit.contention(
                FABRIC, ODD_EVEN, tenancy, (_, m) -> m.weight() != 100, options))
        .isEqualTo(new Contention(2, new Tally(2, 2), new Tally(1, 1), new Tally(1, 1)));
  }

  @Test
  void aDestinationInTwoPartitionsLoadsAChannelOnce() {
    // a is in both; e and g send to it over L2:5, R1:1: one destination there, two partitions
    IsolationReport report = run(ODD_EVEN, best(), part("P", "ae"), part("Q", "ag"));
    assertThat(report.contention())
        .isEqualTo(new Contention(3, new Tally(2, 2), new Tally(1, 1), new Tally(1, 1)));
    assertThat(report.load(ChannelKind.DOWN).orElseThrow().max()).isEqualTo(2); // e and g
    assertThat(report.ties())
        .containsExactly(new IsolationReport.Tie(List.of(0, 1), List.of(Lab.port(FABRIC, "a:1"))));
    // to a: 2 channels, to e or g from a: the same 2 others; 4 channels with one route of each
    assertThat(report.interference().all()).isEqualTo(8);
    assertThat(report.findings()).extracting(f -> f.code()).containsExactly("tied-partitions");
  }

  @Test
  void withoutTreeNothingIsUpOrDown() {
    Tenancy tenancy = new Tenancy(best(), List.of(part("P", "aceg")));
    IsolationReport report =
        IsolationAudit.run(FABRIC, ODD_EVEN, tenancy, Lanes.single(0), IsolationOptions.defaults());
    assertThat(report.directed()).isFalse();
    assertThat(report.partitions().get(0).up()).isZero();
    assertThat(report.contention().all()).isEqualTo(new Tally(4, 4));
    assertThat(report.contention().down()).isEqualTo(new Tally(0, 0));
    assertThat(report.load(ChannelKind.DOWN)).isEmpty();
  }

  // ---- tables that are not in order

  @Test
  void routesThatDoNotArriveCountAsFarAsTheyGo() {
    // LID 5 runs L1 -> R1 -> L1 in a circle; LID 1 is dropped at R1
    ForwardingTables tables = ODD_EVEN.with(2, 5, 1).with(2, 1, ForwardingTables.NO_PORT);
    IsolationReport report = run(tables, best(), part("P", "ae"));
    IsolationReport.PartitionUse p = report.partitions().get(0);
    assertThat(p.unreached()).isEqualTo(2);
    assertThat(ports(p.channels())).isEqualTo(portIds("L1:5", "L2:5", "R1:1"));
    assertThat(report.findings()).extracting(f -> f.code()).containsExactly("unreached-member");
    assertThat(report.findings().get(0).severity()).isEqualTo(Severity.ERROR);
    assertThat(report.kept()).isTrue();
  }

  @Test
  void membersWithoutLidAndPendingOnesAreNamed() {
    Lab lab = new Lab().sw("S", 3, 9).ca("a", 1).ca("b", 0).ca("c", 3);
    Fabric fabric = lab.cable("S:1", "a:1").cable("S:2", "b:1").cable("S:3", "c:1").fabric();
    List<PartitionMember> members = new ArrayList<>();
    for (String host : List.of("a:1", "b:1", "c:1")) {
      members.add(new PartitionMember(Lab.port(fabric, host), true, 1));
    }
    Partition p = new Partition("P", 1, IsolationPolicy.DEF, members, List.of(new Guid(0x77)));
    IsolationReport report =
        IsolationAudit.run(
            fabric,
            Lab.tables(fabric, "1=1 3=3"),
            new Tenancy(best(), List.of(p)),
            Lanes.single(1),
            IsolationOptions.defaults());
    assertThat(report.partitions().get(0).routes()).isEqualTo(2);
    assertThat(report.findings())
        .extracting(f -> f.code() + " " + f.count())
        .containsExactly("member-without-lid 1", "pending-member 1");
  }

  @Test
  void tablesAndLanesMustFit() {
    Tenancy tenancy = new Tenancy(best(), List.of(part("P", "ae")));
    IsolationOptions options = IsolationOptions.defaults();
    assertThatThrownBy(
            () ->
                IsolationAudit.run(
                    FABRIC, ForwardingTables.empty(3, 8), tenancy, Lanes.single(1), options))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () -> IsolationAudit.run(FABRIC, ODD_EVEN, tenancy, Lanes.single(2), options))
        .isInstanceOf(IllegalArgumentException.class);
  }

  // ---- hosts

  @Test
  void partitionsThatMeetInAnAdapterOrAHostAreNamed() {
    Lab lab = new Lab().sw("S", 4, 9).ca("n1 HCA-1", 1, 2).ca("n1 HCA-2", 3).ca("n2 mlx5_0", 4);
    Fabric fabric =
        lab.cable("S:1", "n1 HCA-1:1")
            .cable("S:2", "n1 HCA-1:2")
            .cable("S:3", "n1 HCA-2:1")
            .cable("S:4", "n2 mlx5_0:1")
            .fabric();
    ForwardingTables tables = Lab.tables(fabric, "1=1 2=2 3=3 4=4");
    Partition p = of(fabric, "P", 1, IsolationPolicy.PHY, "n1 HCA-1:1", "n2 mlx5_0:1");
    Partition q = of(fabric, "Q", 2, IsolationPolicy.DEF, "n1 HCA-1:2", "n1 HCA-2:1");
    IsolationReport report =
        IsolationAudit.run(
            fabric,
            tables,
            new Tenancy(best(), List.of(p, q)),
            Lanes.single(2),
            IsolationOptions.defaults());
    assertThat(report.findings())
        .extracting(f -> f.code() + " " + f.count())
        .containsExactly(
            "physical-host-shared 1",
            "shared-adapter 1",
            "shared-host 1",
            "multicast-trees 2",
            "adaptive-routing 2",
            "management-traffic 2");
    assertThat(report.findings().get(2).examples()).containsExactly("'n1': 'P', 'Q'");
    assertThat(report.kept()).isTrue();
  }

  @Test
  void aHostIsWhatStandsBeforeItsDeviceInTheDescription() {
    assertThat(HostGroups.hostName("node07 HCA-1")).isEqualTo("node07");
    assertThat(HostGroups.hostName("node07 mlx5_0")).isEqualTo("node07");
    assertThat(HostGroups.hostName("node07")).isEqualTo("node07");
    assertThat(HostGroups.hostName("rack 2 node")).isEqualTo("rack 2 node");
    assertThat(HostGroups.hostName("MT4123 ConnectX6   Mellanox Technologies")).isEmpty();
    assertThat(HostGroups.hostName("  ")).isEmpty();
  }

  @Test
  void aggregationNodesAreNamedWhereIsolationIsPromised() {
    Lab lab = new Lab().sw("S", 3, 9).ca("a", 1).ca("b", 2);
    lab.ca("Mellanox Technologies Aggregation Node", 3);
    lab.cable("S:1", "a:1").cable("S:2", "b:1");
    lab.cable("S:3", "Mellanox Technologies Aggregation Node:1");
    Fabric fabric = lab.fabric();
    ForwardingTables tables = Lab.tables(fabric, "1=1 2=2 3=3");
    for (IsolationPolicy policy : IsolationPolicy.values()) {
      Tenancy tenancy = new Tenancy(best(), List.of(of(fabric, "P", 1, policy, "a:1", "b:1")));
      IsolationReport report =
          IsolationAudit.run(fabric, tables, tenancy, Lanes.single(1), IsolationOptions.defaults());
      List<String> codes = report.findings().stream().map(AuditFinding::code).toList();
      List<String> wanted = new ArrayList<>();
      if (policy != IsolationPolicy.DEF) {
        wanted.addAll(List.of("aggregation-trees", "multicast-trees", "adaptive-routing"));
      }
      if (policy == IsolationPolicy.PHY) {
        wanted.add("management-traffic");
      }
      assertThat(codes).as("%s", policy).isEqualTo(wanted);
    }
  }

  // ---- shorthand

  private static Tenancy.Rules best() {
    return Tenancy.Rules.BEST_EFFORT;
  }

  private static Tenancy.Rules rules(boolean strict, double share, int lanes) {
    return new Tenancy.Rules(strict, lanes, share, List.of());
  }

  /** Full members of weight 1 by letter, policy DEF. */
  private static Partition part(String name, String hosts) {
    return part(name, IsolationPolicy.DEF, hosts.split(""));
  }

  /** Members {@code a}, {@code a-} (limited), {@code a100} (weight). The name gives the key. */
  private static Partition part(String name, IsolationPolicy policy, String... hosts) {
    List<PartitionMember> members = new ArrayList<>();
    for (String host : hosts) {
      int port = Lab.port(FABRIC, host.charAt(0) + ":1");
      boolean full = !host.endsWith("-");
      int weight = full && host.length() > 1 ? Integer.parseInt(host.substring(1)) : 1;
      members.add(new PartitionMember(port, full, weight));
    }
    members.sort(Comparator.comparingInt(PartitionMember::port));
    return new Partition(name, name.charAt(0), policy, members, List.of());
  }

  private static Partition of(
      Fabric fabric, String name, int pkey, IsolationPolicy policy, String... ports) {
    List<PartitionMember> members = new ArrayList<>();
    for (String port : ports) {
      members.add(new PartitionMember(Lab.port(fabric, port), true, 1));
    }
    members.sort(Comparator.comparingInt(PartitionMember::port));
    return new Partition(name, pkey, policy, members, List.of());
  }

  private static IsolationReport run(
      ForwardingTables tables, Tenancy.Rules rules, Partition... partitions) {
    return run(tables, rules, new int[partitions.length], partitions);
  }

  private static IsolationReport run(
      ForwardingTables tables, Tenancy.Rules rules, int[] lanes, Partition... partitions) {
    IsolationOptions options = IsolationOptions.defaults().withTree(TREE);
    Tenancy tenancy = new Tenancy(rules, List.of(partitions));
    return IsolationAudit.run(FABRIC, tables, tenancy, new Lanes(lanes), options);
  }

  private static int[] ports(PartitionChannels channels) {
    int[] out = new int[channels.size()];
    Arrays.setAll(out, channels::port);
    return out;
  }

  private static int[] portIds(String... ports) {
    return Arrays.stream(ports).mapToInt(p -> Lab.port(FABRIC, p)).sorted().toArray();
  }
}
