package org.heddle.routing.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.heddle.fabric.Fabric;
import org.heddle.routing.ForwardingTables;
import org.heddle.routing.engine.Fabrics;
import org.heddle.routing.tree.Destinations;
import org.heddle.tenancy.IsolationPolicy;
import org.heddle.tenancy.Partition;
import org.heddle.tenancy.PartitionMember;
import org.heddle.tenancy.Tenancy;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.junit.jupiter.api.Test;

/** The trace of all partitions at once notes what following every route by itself does. */
class PartitionTraceTest {
  @Test
  void tablesOfAnyOriginAreTracedAsFollowingEveryRouteDoes() {
    for (int seed = 0; seed < 150; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      compare(Fabrics.damaged(random.nextInt(1000)), random);
    }
  }

  @Test
  void moreMembershipsThanFitIntoOnePartAreTracedAlike() {
    Fabric fabric = TreeGenerator.generate(TreeSpec.parse("XGFT(2;4,70;1,4)")).withAssignedLids();
    SplittableRandom random = new SplittableRandom(1);
    Tenancy tenancy = tenancy(fabric, 70, random);
    ForwardingTables tables = tables(fabric, random);
    assertThat(traced(fabric, tables, tenancy, 1 << 9))
        .isEqualTo(traced(fabric, tables, tenancy, 1 << 20))
        .isEqualTo(followed(fabric, tables, tenancy));
  }

  private static void compare(Fabric fabric, SplittableRandom random) {
    Tenancy tenancy = tenancy(fabric, 1 + random.nextInt(80), random);
    ForwardingTables tables = tables(fabric, random);
    assertThat(traced(fabric, tables, tenancy, 1 << 20))
        .isEqualTo(followed(fabric, tables, tenancy));
  }

  private static long[] traced(Fabric fabric, ForwardingTables tables, Tenancy tenancy, int words) {
    Destinations dest = new Destinations(fabric);
    return new PartitionTrace(fabric, tables, new PartitionMap(fabric, tenancy, dest), dest, words)
        .users();
  }

  /** Every route of every pair of members, hop by hop. */
  private static long[] followed(Fabric fabric, ForwardingTables tables, Tenancy tenancy) {
    int words = (tenancy.partitions().size() + 63) / 64;
    int last = fabric.switchCount() - 1;
    long[] users = new long[(fabric.port(last, fabric.portCount(last)) + 1) * words];
    for (int p = 0; p < tenancy.partitions().size(); p++) {
      for (PartitionMember to : tenancy.partitions().get(p).members()) {
        for (PartitionMember from : tenancy.partitions().get(p).members()) {
          int first = fabric.attachedSwitch(from.port());
          boolean talk = from.port() != to.port() && (from.full() || to.full());
          for (int i = 0; i < 1 << fabric.lmc(to.port()) && first >= 0 && talk; i++) {
            int lid = fabric.lid(to.port());
            if (lid != 0 && fabric.lid(from.port()) != 0 && fabric.attachedSwitch(to.port()) >= 0) {
              follow(fabric, tables, first, lid + i, p, words, users);
            }
          }
        }
      }
    }
    return users;
  }

  private static void follow(
      Fabric fabric, ForwardingTables tables, int from, int lid, int p, int words, long[] users) {
    int s = from;
    for (int hops = 0; hops <= fabric.switchCount(); hops++) {
      int out = tables.port(s, lid);
      if (out == 0 || out > fabric.portCount(s) || !fabric.isSwitch(next(fabric, s, out))) {
        return;
      }
      users[fabric.port(s, out) * words + p / 64] |= 1L << p;
      s = next(fabric, s, out);
    }
  }

  private static int next(Fabric fabric, int s, int out) {
    return fabric.peerNode(fabric.port(s, out));
  }

  /** Random ports, some that do not exist, so that routes circle, end anywhere, or arrive. */
  private static ForwardingTables tables(Fabric fabric, SplittableRandom random) {
    byte[][] rows = new byte[fabric.switchCount()][fabric.topLid() + 1];
    for (int s = 0; s < rows.length; s++) {
      for (int lid = 0; lid < rows[s].length; lid++) {
        int known = random.nextInt(20) == 0 ? 255 : random.nextInt(fabric.portCount(s) + 2);
        rows[s][lid] = (byte) known;
      }
    }
    return ForwardingTables.ofRows(rows, fabric.topLid());
  }

  private static Tenancy tenancy(Fabric fabric, int tenants, SplittableRandom random) {
    List<Partition> partitions = new ArrayList<>();
    for (int t = 0; t < tenants; t++) {
      List<PartitionMember> members = new ArrayList<>();
      int one = 1 + random.nextInt(tenants);
      for (int port = 0; port < fabric.portIdLimit(); port++) {
        boolean host = fabric.isEndport(port) && !fabric.isSwitch(fabric.nodeOf(port));
        if (host && random.nextInt(one) == 0) {
          members.add(new PartitionMember(port, random.nextInt(3) > 0, 1));
        }
      }
      partitions.add(new Partition("t" + t, t + 1, IsolationPolicy.DEF, members, List.of()));
    }
    return new Tenancy(Tenancy.Rules.BEST_EFFORT, partitions);
  }
}
