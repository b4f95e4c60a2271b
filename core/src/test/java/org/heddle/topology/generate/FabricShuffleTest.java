package org.heddle.topology.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.FabricBuilder;
import org.heddle.fabric.LinkSpeed;
import org.heddle.fabric.LinkWidth;
import org.heddle.fabric.VirtualLids;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FabricShuffleTest {
  private static Fabric tree(String spec) {
    return TreeGenerator.generate(TreeSpec.parse(spec));
  }

  /** Each cable as its two node ids, sorted; a cable that is there twice counts twice. */
  private static int[][] cables(Fabric fabric) {
    int[][] cables = new int[fabric.portIdLimit()][];
    int n = 0;
    for (int port = 0; port < fabric.portIdLimit(); port++) {
      if (fabric.peer(port) > port) {
        cables[n++] = new int[] {fabric.nodeOf(port), fabric.peerNode(port)};
      }
    }
    int[][] sorted = Arrays.copyOf(cables, n);
    Arrays.sort(sorted, Arrays::compare);
    return sorted;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"XGFT(1;3;2)", "PGFT(2;4,3;2,2;1,2)", "XGFT(3;3,2,4;1,3,2)", "2-ary-4-tree"})
  void theGraphStaysAndTheNumbersGo(String spec) {
    Fabric before =
        FabricExtras.withAggregationNodes(FabricExtras.withSmNode(tree(spec), 0))
            .withAssignedLids();
    for (long seed = 0; seed < 5; seed++) {
      Fabric after = FabricShuffle.ports(before, seed);
      assertThat(after.nodeCount()).isEqualTo(before.nodeCount());
      assertThat(cables(after)).isDeepEqualTo(cables(before));
      int moved = 0;
      for (int node = 0; node < before.nodeCount(); node++) {
        assertThat(after.nodeGuid(node)).isEqualTo(before.nodeGuid(node));
        assertThat(after.nodeType(node)).isEqualTo(before.nodeType(node));
        assertThat(after.description(node)).isEqualTo(before.description(node));
        assertThat(after.portCount(node)).isEqualTo(before.portCount(node));
        assertThat(after.lid(after.port(node, 0))).isEqualTo(before.lid(before.port(node, 0)));
        for (int k = 1; k <= before.portCount(node); k++) {
          int port = before.port(node, k);
          assertThat(after.portGuid(port)).isEqualTo(before.portGuid(port));
          moved += after.peerNode(port) == before.peerNode(port) ? 0 : 1;
        }
      }
      assertThat(moved).as("moved").isPositive();
      assertThat(FabricShuffle.ports(before, seed)).isEqualTo(after);
      assertThat(FabricShuffle.ports(before, seed + 1)).isNotEqualTo(after);
    }
  }

  @Test
  void upPortsOfTwoLeavesAreNumberedDifferently() {
    Fabric fabric = FabricShuffle.ports(tree("XGFT(3;4,4,4;1,4,4)"), 1);
    Set<List<Integer>> orders = new TreeSet<>((a, b) -> a.toString().compareTo(b.toString()));
    for (int leaf : FabricExtras.leaves(fabric)) {
      List<Integer> order = new java.util.ArrayList<>();
      for (int k = 1; k <= fabric.portCount(leaf); k++) {
        order.add(fabric.isSwitch(fabric.peerNode(fabric.port(leaf, k))) ? k : 0);
      }
      orders.add(order);
    }
    assertThat(orders).hasSizeGreaterThan(8);
  }

  @Test
  void everyPermutationIsDrawn() {
    Fabric pair = tree("XGFT(1;3;1)");
    int sw = 0;
    Set<String> drawn = new TreeSet<>();
    for (long seed = 0; seed < 100; seed++) {
      int[] numbers = FabricShuffle.numbers(pair, seed);
      int first = pair.port(sw, 0);
      drawn.add(Arrays.toString(Arrays.copyOfRange(numbers, first, first + 4)));
    }
    assertThat(drawn)
        .containsExactly(
            "[0, 1, 2, 3]",
            "[0, 1, 3, 2]",
            "[0, 2, 1, 3]",
            "[0, 2, 3, 1]",
            "[0, 3, 1, 2]",
            "[0, 3, 2, 1]");
  }

  @Test
  void aCableTakesSpeedMtuAndAddressesAlong() {
    FabricBuilder b = new FabricBuilder();
    int sw = b.addSwitch(0x20, 3, "sw");
    int host = b.addCa(0x10, 2, "h");
    b.setPortGuid(host, 1, 0x11);
    b.setPortGuid(host, 2, 0x12);
    b.setLabel(sw, 1, "1/1");
    b.setLid(sw, 0, 9, 0);
    b.setLid(host, 1, 4, 2);
    b.connect(sw, 1, host, 1, LinkWidth.X2, LinkSpeed.NDR);
    b.setMtuCode(sw, 1, 5);
    b.setMtuCode(host, 1, 4);
    Fabric before = b.build();
    int hostId = before.findNode(0x10);
    before =
        before.withVirtualLids(
            VirtualLids.of(new int[] {20}, new int[] {before.port(hostId, 1)}, new int[] {7}));
    int[] numbers = {0, 3, 1, 2, 0, 2, 1};
    Fabric after = FabricShuffle.renumbered(before, numbers);
    int there = after.port(after.findNode(0x20), 3);
    int here = after.port(hostId, 2);
    assertThat(after.peer(there)).isEqualTo(here);
    assertThat(after.peer(after.port(hostId, 1))).isEqualTo(Fabric.NONE);
    assertThat(after.width(there)).isEqualTo(LinkWidth.X2);
    assertThat(after.speed(here)).isEqualTo(LinkSpeed.NDR);
    assertThat(after.speed(after.port(hostId, 1))).isEqualTo(LinkSpeed.UNKNOWN);
    assertThat(after.mtuCode(there)).isEqualTo(5);
    assertThat(after.mtuCode(here)).isEqualTo(4);
    assertThat(after.lid(here)).isEqualTo(4);
    assertThat(after.lmc(here)).isEqualTo(2);
    assertThat(after.portGuid(here)).isEqualTo(0x12);
    assertThat(after.label(after.port(after.findNode(0x20), 1))).isEqualTo("1/1");
    assertThat(after.virtualLids().port(0)).isEqualTo(here);
    assertThat(after.virtualLids().weight(0)).isEqualTo(7);
  }

  @Test
  void onlyPermutationsAreTaken() {
    Fabric pair = tree("XGFT(1;2;1)");
    int[] good = FabricShuffle.numbers(pair, 3);
    for (int wrong : new int[] {-1, 0, 3}) {
      int[] bad = good.clone();
      bad[1] = wrong;
      assertThatThrownBy(() -> FabricShuffle.renumbered(pair, bad))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("cannot get this cable");
    }
    int[] twice = good.clone();
    twice[1] = twice[2];
    assertThatThrownBy(() -> FabricShuffle.renumbered(pair, twice))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void anotherNodeDoesNotChangeTheNumbersOfTheFirst() {
    Fabric tree = tree("XGFT(2;4,3;1,2)");
    Fabric more = FabricExtras.withStorageHosts(tree, 1, FabricExtras.Place.SPINES);
    int[] a = FabricShuffle.numbers(tree, 8);
    int[] b = FabricShuffle.numbers(more, 8);
    for (int sw = 0; sw < tree.switchCount(); sw++) {
      if (tree.portCount(sw) == more.portCount(sw)) {
        for (int k = 0; k <= tree.portCount(sw); k++) {
          assertThat(b[more.port(sw, k)]).isEqualTo(a[tree.port(sw, k)]);
        }
      }
    }
  }
}
