package org.heddle.topology.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.heddle.fabric.Fabric;
import org.heddle.fabric.LinkWidth;
import org.heddle.topology.generate.DamageSpec.Amount;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FabricDamageTest {
  private final Fabric tree = TreeGenerator.generate(TreeSpec.parse("XGFT(3;4,4,4;1,4,4)"));

  @Test
  void removes_what_it_lists_and_nothing_else() {
    DamageSpec spec =
        DamageSpec.none(7)
            .withSwitches(Amount.of(2))
            .withHosts(Amount.parse("10%"))
            .withLinks(Amount.parse("5%"));
    var damaged = FabricDamage.apply(tree, spec);
    Fabric left = damaged.fabric();
    assertThat(left.switchCount()).isEqualTo(tree.switchCount() - 2);
    assertThat(left.caCount()).isEqualTo(64 - 6);
    int links = 0;
    for (var removed : damaged.removed()) {
      int node = left.findNode(removed.guid());
      if (removed.kind() == FabricDamage.Kind.LINK) {
        links++;
        assertThat(left.peer(left.port(node, removed.port()))).isEqualTo(Fabric.NONE);
        assertThat(left.width(left.port(node, removed.port()))).isEqualTo(LinkWidth.UNKNOWN);
        int other = left.findNode(removed.peerGuid());
        assertThat(left.isSwitch(other)).isTrue();
        assertThat(left.peer(left.port(other, removed.peerPort()))).isEqualTo(Fabric.NONE);
      } else {
        assertThat(node).isEqualTo(Fabric.NONE);
      }
    }
    assertThat(links).isEqualTo(damaged.removed().size() - 8);
    int switchLinksLeft = switchLinks(left);
    assertThat(links).isEqualTo(Amount.parse("5%").outOf(switchLinksLeft + links));
    for (int node = 0; node < left.nodeCount(); node++) {
      int before = tree.findNode(left.nodeGuid(node));
      assertThat(left.portCount(node)).isEqualTo(tree.portCount(before));
      assertThat(left.description(node)).isEqualTo(tree.description(before));
    }
  }

  private static int switchLinks(Fabric f) {
    int ends = 0;
    for (int port = 0; port < f.portIdLimit(); port++) {
      ends += f.isSwitch(f.nodeOf(port)) && f.isSwitch(f.peerNode(port)) ? 1 : 0;
    }
    return ends / 2;
  }

  @Test
  void repeats_itself_for_a_seed_and_differs_for_another() {
    DamageSpec spec = DamageSpec.none(1).withLinks(Amount.of(10)).withHosts(Amount.of(3));
    DamageSpec other = DamageSpec.none(2).withLinks(Amount.of(10)).withHosts(Amount.of(3));
    var first = FabricDamage.apply(tree, spec);
    assertThat(FabricDamage.apply(tree, spec)).isEqualTo(first);
    assertThat(FabricDamage.apply(tree, other).removed()).isNotEqualTo(first.removed());
  }

  @Test
  void nothing_asked_nothing_done() {
    assertThat(FabricDamage.apply(tree, DamageSpec.none(1)).fabric()).isEqualTo(tree);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void keeps_connected_what_shall_stay_connected(long seed) {
    DamageSpec spec =
        DamageSpec.none(seed)
            .withSwitches(Amount.of(1000))
            .withLinks(Amount.share(1))
            .withHostLinks()
            .keepingConnected();
    Fabric left = FabricDamage.apply(tree, spec).fabric();
    assertThat(left.caCount()).isEqualTo(64);
    assertThat(connectedNodes(left)).isEqualTo(left.nodeCount());
    // What is left is a spanning tree: nothing more could go.
    assertThat(switchLinks(left)).isEqualTo(left.switchCount() - 1);
  }

  private static int connectedNodes(Fabric f) {
    boolean[] seen = new boolean[f.nodeCount()];
    int[] queue = new int[f.nodeCount()];
    int tail = 1;
    seen[0] = true;
    for (int head = 0; head < tail; head++) {
      for (int k = 1; k <= f.portCount(queue[head]); k++) {
        int next = f.peerNode(f.port(queue[head], k));
        if (next != Fabric.NONE && !seen[next]) {
          seen[next] = true;
          queue[tail++] = next;
        }
      }
    }
    return tail;
  }

  @Test
  void amounts_are_counts_or_percentages() {
    assertThat(Amount.parse("12").outOf(5)).isEqualTo(5);
    assertThat(Amount.parse(" 2.5% ").outOf(100)).isEqualTo(3);
    assertThat(Amount.parse("100%").outOf(7)).isEqualTo(7);
    for (String bad : new String[] {"", "-1", "101%", "x", "5 %%", "NaN%"}) {
      assertThatThrownBy(() -> Amount.parse(bad)).hasMessageContaining("neither a count nor");
    }
  }
}
