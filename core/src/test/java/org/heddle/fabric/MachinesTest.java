package org.heddle.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.heddle.topology.generate.FabricShuffle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MachinesTest {
  /** An adapter with a system image GUID and a description. */
  private record Card(long system, String description) {}

  private static Fabric fabric(List<Card> cards) {
    FabricBuilder b = new FabricBuilder();
    int sw = b.addSwitch(0x10, cards.size(), "leaf");
    for (int i = 0; i < cards.size(); i++) {
      Card c = cards.get(i);
      int node = b.addCa(0x1000 + i, 1, c.description());
      b.setIds(node, 0x2c9, 4119, c.system());
      b.connect(sw, i + 1, node, 1);
    }
    return b.build();
  }

  /** The machines as lists of the cards' numbers. */
  private static List<List<Integer>> groups(Card... cards) {
    Fabric f = fabric(List.of(cards));
    Machines m = f.machines();
    List<List<Integer>> out = new ArrayList<>();
    for (int i = 0; i < m.count(); i++) {
      List<Integer> group = new ArrayList<>();
      for (int node : m.adapters(i)) {
        assertThat(m.of(node)).isEqualTo(i);
        group.add((int) (f.nodeGuid(node) - 0x1000));
      }
      out.add(group);
    }
    assertThat(m.of(0)).isEqualTo(Fabric.NONE);
    return out;
  }

  @Test
  void theNameJoinsCardsWithSystemsOfTheirOwn() {
    assertThat(
            groups(
                new Card(1, "gpu0 mlx5_10"),
                new Card(2, "gpu0 mlx5_2"),
                new Card(3, "gpu1 mlx5_2"),
                new Card(4, "gpu1 mlx5_10")))
        .containsExactly(List.of(1, 0), List.of(2, 3));
  }

  @Test
  void theSystemJoinsWhatHasNoName() {
    assertThat(
            groups(
                new Card(7, "MT4119 ConnectX5   Mellanox Technologies"),
                new Card(7, "MT4119 ConnectX5   Mellanox Technologies"),
                new Card(8, "gpu0 mlx5_0"),
                new Card(8, "localhost mlx5_1"),
                new Card(0, "localhost mlx5_0"),
                new Card(0, "localhost mlx5_0")))
        .containsExactly(List.of(0, 1), List.of(3, 2), List.of(4), List.of(5));
  }

  @Test
  void aSystemOfTwoNamesJoinsNothing() {
    assertThat(groups(new Card(7, "a mlx5_0"), new Card(7, "b mlx5_0"), new Card(7, "mlx5_1")))
        .containsExactly(List.of(0), List.of(1), List.of(2));
  }

  @Test
  void aNameWithTheSameAdapterTwiceIsThatOfSeveralMachines() {
    Fabric f =
        fabric(
            List.of(
                new Card(1, "ubuntu mlx5_0"),
                new Card(2, "ubuntu mlx5_0"),
                new Card(2, "ubuntu mlx5_1")));
    Machines m = f.machines();
    assertThat(m.count()).isEqualTo(2);
    assertThat(m.find("ubuntu")).isEqualTo(Fabric.NONE);
    assertThat(m.isNamed(0)).isFalse();
    assertThat(m.name(1)).isEqualTo(Guid.format(0x1001));
    assertThat(m.sharedNames())
        .containsExactly(new Machines.SharedName("ubuntu", List.of(1, 2, 3)));
  }

  @Test
  void twoPortsOfOneCardMayHaveOneName() {
    assertThat(groups(new Card(5, "a HCA-1"), new Card(5, "a HCA-1"))).hasSize(1);
    assertThat(groups(new Card(5, "a"), new Card(6, "a"))).hasSize(1);
  }

  @Test
  void moreThanAMachineCanHoldIsADefault() {
    List<Card> many = new ArrayList<>();
    for (int i = 0; i <= Machines.MAX_ADAPTERS; i++) {
      many.add(new Card(99, "node mlx5_" + i));
    }
    assertThat(fabric(many).machines().count()).isEqualTo(Machines.MAX_ADAPTERS + 1);
    many.removeLast();
    assertThat(fabric(many).machines().count()).isEqualTo(1);
  }

  @Test
  void aggregationNodesAreNoMachines() {
    Fabric f =
        fabric(
            List.of(new Card(1, "a HCA-1"), new Card(2, "Mellanox Technologies Aggregation Node")));
    assertThat(f.machines().count()).isEqualTo(1);
    assertThat(f.machines().of(2)).isEqualTo(Fabric.NONE);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void portsInAnyOrderGiveTheSameMachines(long seed) {
    Random random = new Random(seed);
    List<Card> cards = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      String name = random.nextInt(4) == 0 ? "localhost" : "n" + random.nextInt(8);
      cards.add(new Card(random.nextInt(12), name + " mlx5_" + random.nextInt(9)));
    }
    Fabric f = fabric(cards);
    Machines a = f.machines();
    Machines b = FabricShuffle.ports(f, seed).machines();
    assertThat(b.count()).isEqualTo(a.count());
    for (int i = 0; i < a.count(); i++) {
      assertThat(b.adapters(i)).isEqualTo(a.adapters(i));
      assertThat(b.name(i)).isEqualTo(a.name(i));
    }
  }
}
