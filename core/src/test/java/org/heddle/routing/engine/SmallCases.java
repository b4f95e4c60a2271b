package org.heddle.routing.engine;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.heddle.fabric.Fabric;
import org.heddle.tenancy.IsolationPolicy;
import org.heddle.tenancy.Partition;
import org.heddle.tenancy.PartitionMember;
import org.heddle.tenancy.Tenancy;
import org.heddle.topology.generate.DamageSpec;
import org.heddle.topology.generate.FabricDamage;
import org.heddle.topology.generate.FabricExtras;
import org.heddle.topology.generate.FabricShuffle;

/** Random small trees and random tenancies. */
public final class SmallCases {
  private static final int[][] TWO_LEVELS = {
    {6, 2}, {4, 3}, {3, 4}, {2, 6}, {3, 2}, {2, 3}, {3, 3}, {2, 4}, {2, 5}, {5, 2}, {1, 4}, {1, 6}
  };
  private static final List<String> THREE_LEVELS =
      List.of(
          "XGFT(3;2,2,2;1,2,1)",
          "XGFT(3;2,2,2;1,2,2)",
          "XGFT(3;3,2,2;1,2,2)",
          "XGFT(3;2,2,3;1,2,2)",
          "XGFT(3;2,3,2;1,2,1)",
          "XGFT(3;1,3,3;1,2,2)",
          "XGFT(3;1,2,3;1,3,1)",
          "XGFT(3;3,2,2;1,1,2)",
          "PGFT(3;2,2,2;1,2,1;1,1,2)",
          "PGFT(3;2,2,2;1,2,2;1,2,1)",
          "PGFT(3;1,2,2;1,2,2;1,1,2)");

  private SmallCases() {}

  /**
   * A tree of up to 12 hosts, in every third case of three levels, in every second with damage, in
   * every sixth with one more host on a switch that may be an upper one.
   */
  public static Fabric fabric(SplittableRandom random) {
    String spec;
    if (random.nextInt(3) == 0) {
      spec = THREE_LEVELS.get(random.nextInt(THREE_LEVELS.size()));
    } else {
      int[] shape = TWO_LEVELS[random.nextInt(TWO_LEVELS.length)];
      int spines = 1 + random.nextInt(4);
      int parallel = 1 + random.nextInt(spines < 3 ? 2 : 1);
      spec = "PGFT(2;" + shape[0] + "," + shape[1] + ";1," + spines + ";1," + parallel + ")";
    }
    Fabric fabric = damaged(shuffledOrNot(Fabrics.tree(spec), random), random);
    if (random.nextInt(6) > 0) {
      return fabric;
    }
    int at = random.nextInt(fabric.switchCount());
    return FabricExtras.withSmNode(fabric, at).withAssignedLids();
  }

  /** Trees tiny enough to write down all tables. */
  public static Fabric tiny(SplittableRandom random) {
    List<String> specs =
        List.of(
            "XGFT(2;2,2;1,2)",
            "XGFT(2;3,2;1,2)",
            "XGFT(2;2,2;1,3)",
            "XGFT(2;1,3;1,2)",
            "XGFT(2;1,3;1,3)",
            "XGFT(2;2,3;1,2)",
            "XGFT(2;1,4;1,2)",
            "PGFT(2;2,2;1,1;1,2)",
            "PGFT(2;1,2;1,2;1,2)",
            "XGFT(3;1,2,2;1,2,1)",
            "XGFT(3;1,2,2;1,1,2)",
            "XGFT(3;1,2,1;1,2,2)",
            "XGFT(3;2,2,1;1,2,1)",
            "XGFT(3;2,2,1;1,2,2)");
    Fabric tree = Fabrics.tree(specs.get(random.nextInt(specs.size())));
    return damaged(shuffledOrNot(tree, random), random);
  }

  private static Fabric shuffledOrNot(Fabric fabric, SplittableRandom random) {
    return random.nextBoolean() ? fabric : FabricShuffle.ports(fabric, random.nextLong());
  }

  private static Fabric damaged(Fabric fabric, SplittableRandom random) {
    if (random.nextBoolean()) {
      return fabric;
    }
    DamageSpec damage =
        DamageSpec.none(random.nextLong())
            .withLinks(DamageSpec.Amount.of(1 + random.nextInt(3)))
            .withHosts(DamageSpec.Amount.of(random.nextInt(2)));
    return FabricDamage.apply(fabric, damage).fabric();
  }

  /**
   * Partitions of random hosts.
   *
   * @param most partitions at most
   */
  public static Tenancy tenancy(Fabric fabric, SplittableRandom random, int most, boolean strict) {
    List<Integer> ports = hosts(fabric);
    for (int i = ports.size() - 1; i > 0; i--) {
      Collections.swap(ports, i, random.nextInt(i + 1));
    }
    int tenants = 1 + random.nextInt(most);
    int overlap = random.nextInt(3) == 0 ? 1 + random.nextInt(3) : 0; // ports in several
    int limited = random.nextInt(3) == 0 ? 3 : 0;
    int mix = random.nextInt(5); // 3: all kinds, 4: mostly physical
    List<Partition> partitions = new ArrayList<>();
    for (int t = 0; t < tenants; t++) {
      int from = t * ports.size() / tenants;
      int to = (t + 1) * ports.size() / tenants;
      Set<Integer> mine = new TreeSet<>(ports.subList(from, to));
      for (int i = 0; i < overlap && !ports.isEmpty(); i++) {
        mine.add(ports.get(random.nextInt(ports.size())));
      }
      List<PartitionMember> members = new ArrayList<>();
      for (int port : mine) {
        boolean full = limited == 0 || random.nextInt(limited) > 0;
        members.add(new PartitionMember(port, full, 1 + random.nextInt(3)));
      }
      IsolationPolicy[] all = IsolationPolicy.values();
      IsolationPolicy policy = mix < 3 ? all[random.nextInt(3)] : mix == 3 ? all[t % 3] : PHYSICAL;
      if (mix == 2 && random.nextBoolean()) {
        policy = IsolationPolicy.VLANE;
      }
      partitions.add(new Partition("t" + t, t + 1, policy, members, List.of()));
    }
    List<Set<Integer>> sharing = new ArrayList<>();
    if (tenants > 2 && random.nextInt(4) == 0) {
      int a = random.nextInt(tenants);
      sharing.add(Set.of(a, (a + 1) % tenants));
    }
    return new Tenancy(new Tenancy.Rules(strict, 1 + random.nextInt(4), 1.0, sharing), partitions);
  }

  private static final IsolationPolicy PHYSICAL = IsolationPolicy.PHY;

  private static List<Integer> hosts(Fabric fabric) {
    List<Integer> ports = new ArrayList<>();
    for (int port = 0; port < fabric.portIdLimit(); port++) {
      if (fabric.isEndport(port) && !fabric.isSwitch(fabric.nodeOf(port))) {
        ports.add(port);
      }
    }
    return ports;
  }
}
