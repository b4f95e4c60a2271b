package org.heddle.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.heddle.topology.generate.FabricCut;
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

  /** Cards of which some are listed, by name of the machine and number of the card. */
  private static Fabric listed(Map<Integer, String> nameOf, Card... cards) {
    Map<Long, String> list = new LinkedHashMap<>();
    nameOf.forEach((card, name) -> list.put(0x1000L + card, name));
    return fabric(List.of(cards)).withMachines(MachineList.of(list));
  }

  private static Map<Integer, String> order(String... entries) {
    Map<Integer, String> out = new LinkedHashMap<>();
    for (String e : entries) {
      out.put(Integer.parseInt(e.split(" ")[1]), e.split(" ")[0]);
    }
    return out;
  }

  private static List<String> described(Fabric f) {
    List<String> out = new ArrayList<>();
    Machines m = f.machines();
    for (int i = 0; i < m.count(); i++) {
      List<Long> cards = new ArrayList<>();
      Arrays.stream(m.adapters(i)).forEach(node -> cards.add(f.nodeGuid(node) - 0x1000));
      assertThat(m.find(m.name(i))).isEqualTo(i);
      out.add((m.isNamed(i) ? m.name(i) : "") + cards + (m.isListed(i) ? "!" : ""));
    }
    return out;
  }

  @Test
  void whatIsListedGoesBeforeNamesAndSystems() {
    Fabric f =
        listed(
            order("a 3", "b 2", "a 0", "ubuntu 6"),
            new Card(7, "x mlx5_0"), // listed with one of another name and system
            new Card(7, "x mlx5_1"), // left alone with its own name
            new Card(8, "MT4119 ConnectX5   Mellanox Technologies"),
            new Card(9, "localhost mlx5_0"),
            new Card(8, "mlx5_1"), // its system's other card is listed
            new Card(5, "ubuntu mlx5_0"), // the name is that of a listed one
            new Card(6, "ubuntu mlx5_0"));
    assertThat(described(f))
        .containsExactly("a[3, 0]!", "x[1]", "b[2]!", "[4]", "[5]", "ubuntu[6]!");
    assertThat(f.machines().sharedNames()).isEmpty();
    assertThat(f).isEqualTo(f.withMachines(MachineList.NONE));
  }

  @Test
  void aListStaysWithWhatIsMadeOfAFabric() {
    Fabric f =
        listed(order("a 0", "a 1", "b 2"), new Card(0, ""), new Card(0, ""), new Card(0, ""));
    List<String> as = List.of("a[0, 1]!", "b[2]!");
    BitSet none = new BitSet();
    BitSet port = BitSet.valueOf(new long[] {1L << f.port(1, 1)});
    assertThat(described(f)).isEqualTo(as);
    assertThat(described(f.withAssignedLids())).isEqualTo(as);
    assertThat(described(f.withVirtualLids(VirtualLids.NONE))).isEqualTo(as);
    assertThat(described(FabricShuffle.ports(f, 1))).isEqualTo(as);
    assertThat(described(FabricCut.without(f, none, port))).isEqualTo(as);
    assertThat(described(FabricPart.of(f, new int[] {0, 1, 2}).fabric()))
        .containsExactly("a[0, 1]!");
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
