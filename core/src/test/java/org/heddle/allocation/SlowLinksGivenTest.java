package org.heddle.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import org.heddle.catalog.Catalog;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.LinkSpeed;
import org.heddle.fabric.LinkWidth;
import org.heddle.topology.FatTree;
import org.heddle.topology.generate.FabricExtras;
import org.heddle.topology.generate.FabricShuffle;
import org.heddle.topology.generate.MachineWiring;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.junit.jupiter.api.Test;

/**
 * Which links of a tree of several speeds are absent from its plant: those that must be, no more.
 */
class SlowLinksGivenTest {
  private static final String[] TREES = {
    "XGFT(2;4,4;1,4)", "PGFT(2;4,4;1,2;1,3)", "XGFT(3;2,4,3;1,2,4)", "PGFT(3;2,2,3;1,2,2;1,1,2)"
  };
  private static final LinkSpeed[] SPEEDS = {LinkSpeed.EDR, LinkSpeed.HDR, LinkSpeed.NDR};

  /** Every cable at one of three speeds: the same leaf's, a generation's, or any. */
  private static Fabric mixed(Fabric fabric, SplittableRandom random) {
    Fabric out = fabric;
    boolean generations = random.nextBoolean();
    int[] ofSwitch = random.ints(fabric.switchCount(), 0, 3).toArray();
    for (int s = 0; s < SPEEDS.length; s++) {
      BitSet ports = new BitSet();
      for (int port = 0; port < fabric.portIdLimit(); port++) {
        if (fabric.peer(port) > port) {
          int sw =
              fabric.isSwitch(fabric.nodeOf(port)) ? fabric.nodeOf(port) : fabric.peerNode(port);
          int speed = generations && random.nextInt(8) > 0 ? ofSwitch[sw] : random.nextInt(3);
          if (s == 0) {
            ports.set(port, speed == 0);
          } else {
            ports.set(port, speed >= s && random.nextBoolean());
          }
        }
      }
      out = FabricExtras.withRate(out, ports, LinkWidth.X4, SPEEDS[s]);
    }
    return out;
  }

  private static Fabric tree(int seed) {
    Fabric tree = TreeGenerator.generate(TreeSpec.parse(TREES[seed % TREES.length]));
    int rails = seed / TREES.length % 2 == 0 ? 1 : 2;
    return FabricShuffle.ports(rails == 1 ? tree : MachineWiring.group(tree, rails, 1), seed);
  }

  @Test
  void linksAreAbsentThatAreSlowerThanWhatComesFromBelowAndNoOthers() {
    int slow = 0;
    for (int seed = 0; seed < 200; seed++) {
      Fabric fabric = mixed(tree(seed), new SplittableRandom(seed));
      Plant whole = Plants.plant(tree(seed));
      Plant plant = Plants.plant(fabric);
      slow += plant.slowLinks();
      assertThat(whole.slowLinks()).isZero();
      BitSet expected = tooSlow(fabric, Plants.tree(fabric));
      BitSet said = new BitSet();
      for (int port = 0; port < fabric.portIdLimit(); port++) {
        said.set(port, plant.isSlow(port));
      }
      assertThat(said).as("seed %d", seed).isEqualTo(expected);
      compare(whole, plant, expected);
    }
    assertThat(slow).isGreaterThan(500);
  }

  /** The same plant, but for the links that are too slow. */
  private static void compare(Plant whole, Plant plant, BitSet slow) {
    for (int rail = 0; rail < whole.rails(); rail++) {
      for (int l = 0; l < whole.leafCount(); l++) {
        for (int p = 0; p < whole.positions(); p++) {
          int port = whole.upPort(rail, l, p);
          int left = port != Fabric.NONE && slow.get(port) ? Fabric.NONE : port;
          assertThat(plant.upPort(rail, l, p)).isEqualTo(left);
        }
      }
      for (int t = 0; t < whole.subtreeCount(); t++) {
        for (int q = 0; q < whole.planes(); q++) {
          for (int r = 0; r < whole.rootLinks(); r++) {
            int port = whole.rootPort(rail, t, q, r);
            int left = port != Fabric.NONE && slow.get(port) ? Fabric.NONE : port;
            assertThat(plant.rootPort(rail, t, q, r)).isEqualTo(left);
          }
        }
      }
    }
  }

  /** By their lower ends. */
  private static BitSet tooSlow(Fabric f, FatTree tree) {
    BitSet out = new BitSet();
    for (int level = 1; level < tree.levels(); level++) {
      List<Integer> ups = new ArrayList<>();
      for (int port = 0; port < f.portIdLimit(); port++) {
        int peer = f.peerNode(port);
        if (f.isSwitch(f.nodeOf(port))
            && tree.level(f.nodeOf(port)) == level
            && peer != Fabric.NONE
            && f.isSwitch(peer)
            && tree.level(peer) == level + 1) {
          ups.add(port);
        }
      }
      int usual =
          ups.stream()
              .mapToInt(f::linkMegabits)
              .filter(
                  r -> 2 * ups.stream().filter(p -> f.linkMegabits(p) >= r).count() >= ups.size())
              .max()
              .orElseThrow();
      for (int port : ups) {
        int need = Math.min(usual, fromBelow(f, tree, f.nodeOf(port), out));
        out.set(port, f.linkMegabits(port) < need);
      }
    }
    return out;
  }

  /** The fastest that can come up through a switch, over links that are not too slow. */
  private static int fromBelow(Fabric f, FatTree tree, int sw, BitSet slow) {
    int most = 0;
    for (int k = 1; k <= f.portCount(sw); k++) {
      int down = f.peer(f.port(sw, k));
      if (down == Fabric.NONE) {
        continue;
      }
      int node = f.nodeOf(down);
      if (!f.isSwitch(node)) {
        most = Math.max(most, f.linkMegabits(down));
      } else if (tree.level(node) < tree.level(sw) && !slow.get(down)) {
        most = Math.max(most, asked(f, tree, node));
      }
    }
    return most;
  }

  /** What is asked of links of a leaf. */
  private static int asked(Fabric f, FatTree tree, int leaf) {
    List<Integer> ups = new ArrayList<>();
    for (int port = 0; port < f.portIdLimit(); port++) {
      int peer = f.peerNode(port);
      if (f.isSwitch(f.nodeOf(port))
          && tree.isLeaf(f.nodeOf(port))
          && peer != Fabric.NONE
          && f.isSwitch(peer)) {
        ups.add(f.linkMegabits(port));
      }
    }
    ups.sort(null);
    return Math.min(ups.get(ups.size() / 2), fromBelow(f, tree, leaf, new BitSet()));
  }

  @Test
  void aRefusalTellsOfSlowLinks() {
    Fabric tree = TreeGenerator.generate(TreeSpec.parse("XGFT(2;4,4;1,4)"));
    int leaf = Plants.tree(tree).leaf(0);
    BitSet ups = new BitSet();
    for (int k = 1; k <= tree.portCount(leaf); k++) {
      int peer = tree.peerNode(tree.port(leaf, k));
      ups.set(tree.port(leaf, k), tree.isSwitch(peer));
    }
    Plant plant = Plants.plant(FabricExtras.withRate(tree, ups, LinkWidth.X4, LinkSpeed.SDR));
    Placing.Outcome out =
        Placing.place(
            Catalog.allocator("exact").orElseThrow(),
            AllocationRequest.of(16),
            Occupancy.empty(plant),
            List.of());
    assertThat(out).isInstanceOf(Placing.Outcome.Refused.class);
    assertThat(((Placing.Outcome.Refused) out).refusal().linesOfItself())
        .contains(
            "4 links are slower than the machines that they would serve and are not given: "
                + "'heddle fabric check' names slow cables");
  }
}
