package org.heddle.allocation.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.heddle.allocation.Allocation;
import org.heddle.allocation.AllocationRequest;
import org.heddle.allocation.AllocationResult;
import org.heddle.allocation.Allocator;
import org.heddle.allocation.Occupancy;
import org.heddle.allocation.Plant;
import org.heddle.allocation.Plants;
import org.heddle.allocation.Rails;
import org.heddle.catalog.Catalog;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.FabricBuilder;
import org.heddle.fabric.LinkSpeed;
import org.heddle.fabric.LinkWidth;
import org.heddle.fabric.Machines;
import org.heddle.topology.generate.DamageSpec;
import org.heddle.topology.generate.FabricDamage;
import org.heddle.topology.generate.FabricExtras;
import org.heddle.topology.generate.FabricShuffle;
import org.heddle.topology.generate.MachineWiring;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.heddle.verify.links.AllocationAudit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Machines with several adapters, in every wiring, against the cables themselves. */
class RailsTest {
  private static final boolean SWEEP = Boolean.getBoolean("heddle.sweep");

  /** Fabrics of each kind: all of them in the long sweep, some otherwise. */
  private static int cases(int all, int some) {
    return SWEEP ? all : some;
  }

  /** Tree, rails, adapters on a leaf. */
  private record Wiring(String spec, int rails, int onLeaf) {}

  private static final List<Wiring> WIRINGS =
      List.of(
          new Wiring("XGFT(2;3,6;1,3)", 2, 1), // rails share the spines
          new Wiring("XGFT(2;2,6;1,2)", 3, 1),
          new Wiring("PGFT(2;4,4;1,2;1,2)", 2, 1), // parallel links
          new Wiring("XGFT(2;6,4;1,6)", 1, 2), // two adapters on a leaf
          new Wiring("PGFT(2;4,4;1,1;1,4)", 1, 2), // by parallel links
          new Wiring("XGFT(2;4,4;1,4)", 2, 2), // both
          new Wiring("XGFT(2;3,4;2,3)", 1, 1), // a tree for each port
          new Wiring("XGFT(3;2,4,3;1,2,4)", 2, 1), // rails share the links to the roots
          new Wiring("XGFT(3;4,2,3;1,4,2)", 1, 2),
          new Wiring("PGFT(3;2,2,3;1,2,2;1,1,2)", 2, 1),
          new Wiring(
              "PGFT(3;2,2,3;1,1,2;1,1,2)", 2, 1), // fewer links than hosts, many to the roots
          new Wiring("PGFT(3;2,2,2;2,1,2;1,1,2)", 2, 1)); // the same with two planes

  static Stream<Arguments> wirings() {
    return WIRINGS.stream().map(w -> Arguments.of(w.spec, w.rails, w.onLeaf));
  }

  private static Fabric fabric(String spec, int rails, int onLeaf, double damage, long seed) {
    Fabric tree = TreeGenerator.generate(TreeSpec.parse(spec));
    Fabric fabric = FabricShuffle.ports(MachineWiring.group(tree, rails, onLeaf), seed);
    DamageSpec lost = DamageSpec.none(seed).withLinks(DamageSpec.Amount.share(damage));
    return damage == 0 ? fabric : FabricDamage.apply(fabric, lost).fabric();
  }

  @ParameterizedTest
  @MethodSource("wirings")
  void aPlaceIsFoundWhereThereIsOneAndServesEveryPermutation(String spec, int rails, int onLeaf) {
    for (int seed = 0; seed < cases(3, 1); seed++) {
      Plant plant = Plants.plant(fabric(spec, rails, onLeaf, 0, seed));
      int adapters = plant.fabric().machines().adapterCount() / plant.fabric().machines().count();
      assertThat(plant.hostCount()).isEqualTo(plant.fabric().machines().count());
      assertThat(plant.irregular()).isFalse();
      assertThat(adapters).isEqualTo(rails * onLeaf);
      fill(plant, Rails.SEPARATE, 14, seed, true);
    }
  }

  @ParameterizedTest
  @MethodSource("wirings")
  void acrossRailsToo(String spec, int rails, int onLeaf) {
    for (int seed = 0; seed < cases(3, 1); seed++) {
      fill(Plants.plant(fabric(spec, rails, onLeaf, 0, seed)), Rails.JOINED, 12, seed, false);
    }
  }

  @ParameterizedTest
  @MethodSource("wirings")
  void damagedToo(String spec, int rails, int onLeaf) {
    for (int seed = 0; seed < cases(8, 2); seed++) {
      Plant plant = Plants.plant(fabric(spec, rails, onLeaf, 0.04 + 0.02 * (seed % 4), seed));
      fill(plant, seed % 2 == 0 ? Rails.SEPARATE : Rails.JOINED, 10, seed, false);
    }
  }

  /**
   * Links and ports of machines of other speeds and widths, few or most: what is given is as fast
   * as the tenant's machines, or as the tree's links, and what is fast enough is given.
   */
  @ParameterizedTest
  @MethodSource("wirings")
  void slowLinksToo(String spec, int rails, int onLeaf) {
    int slow = 0;
    for (int seed = 0; seed < cases(6, 3); seed++) {
      Fabric fabric = fabric(spec, rails, onLeaf, seed % 3 == 0 ? 0.04 : 0, seed);
      fabric = slower(fabric, new SplittableRandom(seed), new double[] {0.04, 0.1, 0.6}[seed % 3]);
      Plant plant = Plants.plant(fabric);
      slow += plant.slowLinks();
      fill(plant, seed % 2 == 0 ? Rails.SEPARATE : Rails.JOINED, 5, seed, seed % 2 == 0);
    }
    assertThat(slow).isGreaterThan(0);
  }

  /** Slows down cables between switches, and half as many of those of machines. */
  static Fabric slower(Fabric fabric, SplittableRandom random, double share) {
    BitSet half = new BitSet();
    BitSet narrow = new BitSet();
    for (int port = 0; port < fabric.portIdLimit(); port++) {
      if (fabric.peer(port) > port) {
        boolean host =
            !fabric.isSwitch(fabric.peerNode(port)) || !fabric.isSwitch(fabric.nodeOf(port));
        if (random.nextDouble() < (host ? share / 2 : share)) {
          (random.nextBoolean() ? half : narrow).set(port);
        }
      }
    }
    Fabric slow = FabricExtras.withRate(fabric, half, LinkWidth.X4, LinkSpeed.EDR);
    return FabricExtras.withRate(slow, narrow, LinkWidth.X1, LinkSpeed.HDR);
  }

  /**
   * Machines of any two adapters: units that are not regular, and cables that are plainly wrong.
   */
  @ParameterizedTest
  @ValueSource(strings = {"XGFT(2;3,4;1,3)", "XGFT(2;4,4;1,4)", "XGFT(3;2,2,2;1,2,2)"})
  void whateverTheWiring(String spec) {
    int placed = 0;
    for (int seed = 0; seed < 20; seed++) {
      Fabric tree = TreeGenerator.generate(TreeSpec.parse(spec));
      SplittableRandom random = new SplittableRandom(seed);
      String[] names = new String[tree.nodeCount()];
      List<Integer> hosts = new ArrayList<>();
      for (int node = 0; node < names.length; node++) {
        names[node] = tree.description(node);
        if (!tree.isSwitch(node)) {
          hosts.add(random.nextInt(hosts.size() + 1), node);
        }
      }
      // Some seeds mix few machines of regular ones, others all.
      int mixed = seed % 3 == 0 ? hosts.size() : 4;
      for (int i = 0; i < mixed; i++) {
        names[hosts.get(i)] = "x" + i / 2 + " mlx5_" + i % 2;
      }
      Fabric fabric = FabricShuffle.ports(tree.withDescriptions(names), seed);
      placed += fill(Plants.plant(fabric), Rails.SEPARATE, 8, seed, false);
      placed += fill(Plants.plant(fabric), Rails.JOINED, 8, seed, false);
    }
    assertThat(placed).isGreaterThan(100);
  }

  private static final int NEITHER = 9;

  /** A host of a dual-homed fabric that has, or is left, one of its two ports. */
  private record OneTree(int tree, boolean dark) {}

  /** Hosts with a port in one of two trees: built with one port, or with the other one empty. */
  private static Fabric oneTree(Fabric whole, Map<Integer, OneTree> hosts) {
    FabricBuilder b = new FabricBuilder();
    for (int n = 0; n < whole.nodeCount(); n++) {
      boolean single = hosts.containsKey(n) && !hosts.get(n).dark;
      b.addNode(
          whole.nodeType(n),
          whole.nodeGuid(n),
          single ? 1 : whole.portCount(n),
          whole.description(n));
    }
    for (int p = 0; p < whole.portIdLimit(); p++) {
      int sw = whole.peer(p) == Fabric.NONE ? Fabric.NONE : whole.peerNode(p);
      int node = whole.nodeOf(p);
      if (sw == Fabric.NONE || !whole.isSwitch(sw) || whole.isSwitch(node) && whole.peer(p) < p) {
        continue;
      }
      OneTree only = hosts.get(node);
      int number = whole.numberOf(p);
      if (only == null || number == 1 + only.tree) {
        int to = only == null || only.dark ? number : 1;
        b.connect(node, to, sw, whole.numberOf(whole.peer(p)));
      }
    }
    return b.build();
  }

  /** The hosts of each leaf of the first tree. */
  private static List<List<Integer>> racks(Fabric f) {
    Map<Integer, List<Integer>> out = new TreeMap<>();
    for (int node = f.switchCount(); node < f.nodeCount(); node++) {
      out.computeIfAbsent(f.peerNode(f.port(node, 1)), _ -> new ArrayList<>()).add(node);
    }
    return List.copyOf(out.values());
  }

  /** Machines with one port beside others with a port in each of two trees have their place. */
  @ParameterizedTest
  @ValueSource(strings = {"XGFT(2;4,4;2,3)", "XGFT(2;6,3;2,4)", "XGFT(3;2,2,3;2,2,2)"})
  void machinesOfOneTreeAmongThoseOfTwo(String spec) {
    for (int seed = 0; seed < 4; seed++) {
      Fabric whole = TreeGenerator.generate(TreeSpec.parse(spec));
      Map<Integer, OneTree> hosts = new HashMap<>();
      for (List<Integer> rack : racks(whole)) {
        int n = (rack.size() + seed % 2) / 2;
        for (int i = 0; i < n; i++) {
          hosts.put(rack.get(i), new OneTree((seed + rack.getFirst()) % 2, false));
        }
      }
      Plant plant = Plants.plant(FabricShuffle.ports(oneTree(whole, hosts), seed));
      assertThat(plant.leftOut()).isEmpty();
      assertThat(plant.hostCount()).isEqualTo(plant.fabric().machines().count());
      fill(plant, seed < 2 ? Rails.SEPARATE : Rails.JOINED, 14, seed, false);
    }
  }

  /** What may have lost its port in one of the trees is left out, and it is said why. */
  @Test
  void whoMayHaveLostATreeIsLeftOut() {
    Fabric whole = TreeGenerator.generate(TreeSpec.parse("XGFT(2;8,4;2,4)"));
    List<List<Integer>> racks = racks(whole);
    Map<Integer, OneTree> hosts = new HashMap<>();
    racks.get(0).forEach(h -> hosts.put(h, new OneTree(0, false))); // nobody has the other tree
    hosts.put(racks.get(1).get(3), new OneTree(1, false)); // one of eight
    racks.get(2).subList(0, 4).forEach(h -> hosts.put(h, new OneTree(0, true))); // an empty port
    racks.get(3).subList(0, 4).forEach(h -> hosts.put(h, new OneTree(0, false))); // built so
    Plant plant = Plants.plant(oneTree(whole, hosts));
    assertThat(plant.hostCount()).isEqualTo(7 + 4 + 8);
    String none = " has no port in one of the separate trees, ";
    assertThat(plant.leftOut())
        .containsExactly(
            "4 machines are not allocated, like H_2_0, which"
                + none
                + "and one without a cable: it may have lost its link",
            "1 machine is not allocated: H_1_3"
                + none
                + "unlike most machines of its leaf switch: it may have lost one",
            "8 machines are not allocated, like H_0_0, which"
                + none
                + "and no machine of its leaf switch has one there: no links could be kept for it");
    assertThat(plant.whyLeftOut(racks.get(1).get(3))).get().asString().contains("unlike");
    assertThat(plant.whyLeftOut(racks.get(3).getFirst())).isEmpty();
  }

  /** True if no other machine of its leaf is whole: nothing would say what they had. */
  private static boolean lastWhole(Fabric fabric, int machine, Set<Integer> hit) {
    Set<Integer> beside = new HashSet<>();
    int sw = fabric.peerNode(fabric.port(fabric.machines().adapter(machine, 0), 1));
    for (int k = 1; k <= fabric.portCount(sw); k++) {
      int node =
          fabric.peer(fabric.port(sw, k)) == Fabric.NONE
              ? Fabric.NONE
              : fabric.peerNode(fabric.port(sw, k));
      if (node != Fabric.NONE && !fabric.isSwitch(node)) {
        beside.add(fabric.machines().of(node));
      }
    }
    beside.removeAll(hit);
    beside.remove(machine);
    return beside.isEmpty();
  }

  /** Whichever cable a machine loses, on whichever leaf: it has not what others have there. */
  @ParameterizedTest
  @MethodSource("wirings")
  void aMachineThatLostACableIsLeftOut(String spec, int rails, int onLeaf) {
    for (int seed = 0; seed < cases(40, 10); seed++) {
      Fabric whole = fabric(spec, rails, onLeaf, 0, seed);
      Machines machines = whole.machines();
      SplittableRandom random = new SplittableRandom(seed);
      Map<Integer, OneTree> cut = new HashMap<>();
      Set<Integer> hit = new HashSet<>();
      for (int i = seed % 2; i >= 0; i--) {
        int machine = random.nextInt(machines.count());
        while (i == 0 && !hit.isEmpty() && lastWhole(whole, machine, hit)) {
          machine = random.nextInt(machines.count());
        }
        int node = machines.adapter(machine, random.nextInt(machines.adapterCount(machine)));
        cut.put(node, new OneTree(whole.portCount(node) == 1 ? NEITHER : i, true));
        hit.add(machine);
      }
      Plant plant = Plants.plant(oneTree(whole, cut));
      assertThat(plant.hostCount()).as("seed %d", seed).isEqualTo(machines.count() - hit.size());
      for (int node : cut.keySet()) {
        int machine = machines.of(node);
        boolean linked =
            Arrays.stream(machines.adapters(machine)).anyMatch(a -> !cut.containsKey(a));
        assertThat(plant.whyLeftOut(node).isPresent() || !linked).as("seed %d", seed).isTrue();
      }
    }
  }

  /** Takes and releases at random; returns how many were placed. */
  private static int fill(Plant plant, Rails rails, int attempts, int seed, boolean exact) {
    Allocator allocator = Catalog.allocator(Allocator.DEFAULT).orElseThrow();
    SplittableRandom random = new SplittableRandom(seed);
    AllocationAudit audit =
        new AllocationAudit(plant.fabric(), Plants.tree(plant.fabric()), random.split(), 3);
    Occupancy occupancy = Occupancy.empty(plant);
    List<Allocation> held = new ArrayList<>();
    int adapters =
        Math.max(1, plant.fabric().machines().adapterCount() / Math.max(1, plant.hostCount()));
    int most = rails == Rails.SEPARATE ? 4 : Math.max(2, 6 / adapters);
    int placed = 0;
    for (int i = 0; i < attempts; i++) {
      int n = 1 + random.nextInt(most);
      AllocationRequest request =
          AllocationRequest.of(n)
              .withRails(rails)
              .withExtraSubtrees(exact ? plant.subtreeCount() : AllocationRequest.DEFAULT_SCATTER)
              .withBudget(10_000_000);
      AllocationResult result = allocator.place(request, occupancy);
      if (exact) {
        boolean possible = occupancy.freeHosts() >= n && BruteForce.fits(occupancy, n);
        boolean found = result instanceof AllocationResult.Placed;
        // Where links are missing, sets need not be nested: more than brute force knows of fits.
        assertThat(plant.damaged() ? found || !possible : found == possible)
            .as("%d of %s", n, occupancy)
            .isTrue();
      }
      if (result instanceof AllocationResult.Placed(Allocation a)) {
        placed++;
        assertThat(a.hostCount()).isEqualTo(n);
        assertThat(a.rails()).isEqualTo(rails);
        assertThat(audit.audit(List.of(a))).as("%d: %s", n, a).isEmpty();
        if (a.adapters().length <= 8) {
          assertThat(EveryPermutation.holds(a)).as("%d: %s", n, a).isTrue();
        }
        if (rails == Rails.JOINED) {
          assertThat(allocator.place(request.withRails(Rails.SEPARATE), occupancy))
              .isInstanceOf(AllocationResult.Placed.class);
        }
        occupancy.take(a);
        held.add(a);
      } else if (!held.isEmpty()) {
        occupancy.release(held.remove(random.nextInt(held.size())));
      }
      assertThat(audit.exclusive(held)).isEmpty();
      wholeMachines(plant.fabric(), held);
    }
    return placed;
  }

  /** Every machine is one tenant's with all its adapters. */
  private static void wholeMachines(Fabric fabric, List<Allocation> held) {
    Set<Integer> seen = new HashSet<>();
    for (Allocation a : held) {
      Set<Integer> own = new HashSet<>();
      int adapters = 0;
      for (int node : a.adapters()) {
        own.add(fabric.machines().of(node));
      }
      for (int machine : own) {
        assertThat(seen.add(machine)).isTrue();
        adapters += fabric.machines().adapterCount(machine);
      }
      assertThat(a.adapters()).hasSize(adapters);
      assertThat(own).hasSize(a.hostCount());
    }
  }

  @Test
  void aMachineThatIsCabledWrongTiesNoUnitsTogether() {
    Fabric tree =
        MachineWiring.group(TreeGenerator.generate(TreeSpec.parse("XGFT(2;8,4;1,8)")), 2, 1);
    String[] names = new String[tree.nodeCount()];
    for (int node = 0; node < names.length; node++) {
      String name = tree.description(node);
      // The second adapters of two machines of different units have changed places.
      names[node] =
          switch (name) {
            case "gpu0000 mlx5_1" -> "gpu0008 mlx5_1";
            case "gpu0008 mlx5_1" -> "gpu0000 mlx5_1";
            default -> name;
          };
    }
    Plant plant = Plants.plant(tree.withDescriptions(names));
    assertThat(plant.leafCount()).isEqualTo(2);
    assertThat(plant.irregular()).isFalse();
    assertThat(plant.hostCount()).isEqualTo(14);
  }
}
