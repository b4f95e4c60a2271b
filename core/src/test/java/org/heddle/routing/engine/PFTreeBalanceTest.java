package org.heddle.routing.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.heddle.fabric.Fabric;
import org.heddle.routing.RoutingResult;
import org.heddle.tenancy.IsolationPolicy;
import org.heddle.tenancy.Partition;
import org.heddle.tenancy.PartitionMember;
import org.heddle.tenancy.Tenancy;
import org.heddle.topology.FatTree;
import org.heddle.topology.generate.DamageSpec;
import org.heddle.topology.generate.FabricDamage;
import org.heddle.verify.AuditReport.ChannelKind;
import org.heddle.verify.isolation.IsolationReport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * pFTree keeps the balance: how many destinations inside of partitions share a downward channel.
 *
 * <p>The ceiling of the ratio, for a channel down to a switch of level l: of the hosts in the
 * switch's sub-tree (all it is connected to through switches of level l and below) those with a
 * partition member outside of it, divided by the links of the sub-tree's switches of level l to the
 * levels above, rounded up.
 */
class PFTreeBalanceTest {
  private static final int TENANCIES = 100;

  /** Up to seven partitions, scattered or in runs; some hosts are in none, some in two. */
  private static Tenancy tenancy(Fabric fabric, SplittableRandom random, boolean overlap) {
    int partitions = 2 + random.nextInt(6);
    List<List<PartitionMember>> members = new ArrayList<>();
    for (int p = 0; p < partitions; p++) {
      members.add(new ArrayList<>());
    }
    double runs = 0.8 * random.nextDouble();
    int current = 0;
    for (int sw = 0; sw < fabric.switchCount(); sw++) {
      for (int port : TableThree.hostPorts(fabric, sw)) {
        current = random.nextDouble() < runs ? current : random.nextInt(partitions + 1);
        if (current < partitions) {
          members.get(current).add(new PartitionMember(port, true, 1));
        }
        int other = random.nextInt(partitions);
        if (overlap && random.nextInt(4) == 0 && other != current) {
          members.get(other).add(new PartitionMember(port, true, 1));
        }
      }
    }
    List<Partition> out = new ArrayList<>();
    for (int p = 0; p < partitions; p++) {
      members.get(p).sort(Comparator.comparingInt(PartitionMember::port));
      out.add(new Partition("t" + p, p + 1, IsolationPolicy.DEF, members.get(p), List.of()));
    }
    return new Tenancy(Tenancy.Rules.BEST_EFFORT, out);
  }

  /** The ceiling of the channels down to every switch. */
  private static int[] ceilings(Fabric fabric, FatTree tree, Tenancy tenancy) {
    int[] out = new int[fabric.switchCount()];
    for (int l = 1; l < tree.levels(); l++) {
      int[] subtree = subtrees(fabric, tree, l);
      int[] links = new int[out.length];
      for (int sw = 0; sw < out.length; sw++) {
        for (int n = 1; n <= fabric.portCount(sw); n++) {
          int peer = fabric.peerNode(fabric.port(sw, n));
          boolean up = peer >= 0 && fabric.isSwitch(peer) && tree.level(peer) > l;
          links[subtree[sw]] += up && tree.level(sw) == l ? 1 : 0;
        }
      }
      int[] outside = new int[out.length];
      for (int port = 0; port < fabric.portIdLimit(); port++) {
        if (hasMemberOutside(fabric, tenancy, port, subtree)) {
          outside[subtree[fabric.attachedSwitch(port)]]++;
        }
      }
      for (int sw = 0; sw < out.length; sw++) {
        int of = Math.max(1, links[subtree[sw]]);
        out[sw] = tree.level(sw) == l ? (outside[subtree[sw]] + of - 1) / of : out[sw];
      }
    }
    return out;
  }

  private static boolean hasMemberOutside(Fabric fabric, Tenancy tenancy, int port, int[] subtree) {
    for (Partition partition : tenancy.partitions()) {
      boolean inside = false;
      boolean outside = false;
      for (PartitionMember member : partition.members()) {
        inside |= member.port() == port;
        outside |=
            member.port() != port
                && subtree[fabric.attachedSwitch(member.port())]
                    != subtree[Math.max(0, fabric.attachedSwitch(port))];
      }
      if (inside && outside) {
        return true;
      }
    }
    return false;
  }

  /** Numbers the sub-trees of a level: what hangs together below the next one. */
  private static int[] subtrees(Fabric fabric, FatTree tree, int l) {
    int[] number = new int[fabric.switchCount()];
    Arrays.setAll(number, i -> i);
    boolean changed = true;
    while (changed) {
      changed = false;
      for (int sw = 0; sw < number.length; sw++) {
        for (int n = 1; n <= fabric.portCount(sw) && tree.level(sw) <= l; n++) {
          int peer = fabric.peerNode(fabric.port(sw, n));
          boolean joined =
              peer >= 0
                  && fabric.isSwitch(peer)
                  && tree.level(peer) <= l
                  && tree.level(peer) != tree.level(sw);
          if (joined && number[peer] < number[sw]) {
            number[sw] = number[peer];
            changed = true;
          }
        }
      }
    }
    return number;
  }

  /** Destinations by channel; only for hosts of one partition at most. */
  private static int[] loads(Fabric fabric, IsolationReport report) {
    int[] load = new int[fabric.portIdLimit()];
    for (IsolationReport.PartitionUse use : report.partitions()) {
      for (int i = 0; i < use.channels().size(); i++) {
        load[use.channels().port(i)] += use.channels().destinations(i);
      }
    }
    return load;
  }

  private static int most(IsolationReport report) {
    return report.load(ChannelKind.DOWN).orElseThrow().max();
  }

  private static int max(int[] values) {
    return Arrays.stream(values).max().orElse(0);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "XGFT(2;4,8;1,4)",
        "XGFT(2;8,6;1,4)",
        "PGFT(2;8,4;1,2;1,2)",
        "PGFT(2;6,3;1,2;1,3)",
        "XGFT(3;4,4,4;1,2,4)",
        "XGFT(3;5,3,4;1,3,2)",
        "XGFT(3;7,5,4;1,3,4)",
        "PGFT(3;4,4,2;1,2,2;1,2,1)",
        "4-ary-3-tree"
      })
  void noChannelCarriesMoreThanTheCeilingOfItsRatio(String spec) {
    assertCeilings(spec, Tenants.on(Fabrics.tree(spec)));
    assertCeilings(spec, Tenants.on(Fabrics.shuffled(Fabrics.tree(spec))));
  }

  private static void assertCeilings(String spec, Tenants tenants) {
    FatTree tree = tenants.tree();
    long ftree = 0;
    long pftree = 0;
    for (int seed = 0; seed < TENANCIES; seed++) {
      Tenancy tenancy = tenancy(tenants.fabric(), new SplittableRandom(seed), false);
      int[] ceilings = ceilings(tenants.fabric(), tree, tenancy);
      IsolationReport report = tenants.audit("pftree", tenancy);
      int[] loads = loads(tenants.fabric(), report);
      for (int port = 0; port < loads.length; port++) {
        int from = tenants.fabric().nodeOf(port);
        int to = tenants.fabric().peerNode(port);
        if (loads[port] > 0 && tree.level(to) < tree.level(from)) {
          assertThat(loads[port]).as("%s, seed %d", spec, seed).isLessThanOrEqualTo(ceilings[to]);
        }
      }
      pftree += most(report);
      ftree += most(tenants.audit("ftree", tenancy));
    }
    assertThat(pftree).as("sum of the maxima, %s", spec).isLessThanOrEqualTo(ftree);
  }

  /** On trees that are oversubscribed there is something to win, and it is won in the mean. */
  @ParameterizedTest
  @ValueSource(strings = {"XGFT(2;6,6;1,4)", "XGFT(3;6,4,4;1,3,3)", "XGFT(3;5,3,4;1,3,2)"})
  void theMeanOfTheMaximaIsBelowFTrees(String spec) {
    Tenants tenants = Tenants.on(Fabrics.shuffled(Fabrics.tree(spec)));
    long ftree = 0;
    long pftree = 0;
    for (int seed = 0; seed < TENANCIES; seed++) {
      Tenancy tenancy = tenancy(tenants.fabric(), new SplittableRandom(seed), true);
      int most = most(tenants.audit("pftree", tenancy));
      assertThat(most)
          .isLessThanOrEqualTo(max(ceilings(tenants.fabric(), tenants.tree(), tenancy)));
      pftree += most;
      ftree += most(tenants.audit("ftree", tenancy));
    }
    assertThat(pftree).isLessThan(ftree);
  }

  /** With links missing, detours load the channels too; there is no such ceiling, only FTree. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "XGFT(2;8,6;1,4)",
        "XGFT(2;8,8;1,4)",
        "PGFT(2;8,4;1,2;1,2)",
        "XGFT(3;6,4,4;1,3,3)",
        "4-ary-3-tree"
      })
  void damagedTreesAreBalancedBetterThanByFTree(String spec) {
    Fabric whole = Fabrics.shuffled(Fabrics.tree(spec));
    long ftree = 0;
    long pftree = 0;
    int routed = 0;
    for (int seed = 0; seed < TENANCIES; seed++) {
      DamageSpec damage = DamageSpec.none(seed).withLinks(DamageSpec.Amount.share(0.05));
      Tenants tenants = Tenants.on(FabricDamage.apply(whole, damage).fabric().withAssignedLids());
      Tenancy tenancy = tenancy(tenants.fabric(), new SplittableRandom(seed), true);
      Optional<RoutingResult.Routed> plain = tenants.route("ftree", tenancy, r -> r);
      if (plain.isPresent()) {
        routed++;
        ftree += most(tenants.audit(plain.get(), tenancy));
        pftree += most(tenants.audit("pftree", tenancy));
      }
    }
    assertThat(routed).isGreaterThan(TENANCIES / 2);
    assertThat(pftree).isLessThan(ftree);
  }

  /** Figure 3(a) widened: the middle hosts of every leaf have their partner on the same leaf. */
  @Test
  void hostsThatNeverClimbLeaveTheLinksToTheOthers() {
    for (int leaves = 2; leaves <= 6; leaves++) {
      Tenants tenants = Tenants.on(Fabrics.tree("XGFT(2;4," + leaves + ";1,2)"));
      List<PartitionMember> wide = new ArrayList<>();
      List<Partition> partitions = new ArrayList<>();
      for (int leaf = 0; leaf < leaves; leaf++) {
        int[] ports = TableThree.hostPorts(tenants.fabric(), tenants.tree().leaf(leaf));
        int[] local = {ports[1], ports[3]};
        wide.add(new PartitionMember(ports[0], true, 1));
        wide.add(new PartitionMember(ports[2], true, 1));
        List<PartitionMember> members = new ArrayList<>();
        Arrays.sort(local);
        for (int port : local) {
          members.add(new PartitionMember(port, true, 1));
        }
        partitions.add(
            new Partition("local" + leaf, 2 + leaf, IsolationPolicy.DEF, members, List.of()));
      }
      wide.sort(Comparator.comparingInt(PartitionMember::port));
      partitions.add(new Partition("wide", 1, IsolationPolicy.DEF, wide, List.of()));
      Tenancy tenancy = new Tenancy(Tenancy.Rules.BEST_EFFORT, partitions);
      assertThat(most(tenants.audit("ftree", tenancy))).isEqualTo(2);
      assertThat(most(tenants.audit("pftree", tenancy))).isEqualTo(1);
    }
  }
}
