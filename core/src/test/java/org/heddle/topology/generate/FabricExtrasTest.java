package org.heddle.topology.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.FabricBuilder;
import org.junit.jupiter.api.Test;

class FabricExtrasTest {
  private final Fabric tree = TreeGenerator.generate(TreeSpec.parse("XGFT(2;4,3;1,2)"));

  @Test
  void puts_the_subnet_manager_on_the_first_spine() {
    Fabric f = FabricExtras.withSmNode(tree);
    int node = f.findNode(0x300000);
    assertThat(f.description(node)).isEqualTo("sm-node");
    assertThat(f.description(f.peerNode(f.port(node, 1)))).isEqualTo("S2_0");
    assertThat(f.numberOf(f.peer(f.port(node, 1)))).isEqualTo(4); // 3 in use, one more added
    assertThat(f.portGuid(f.port(node, 1))).isEqualTo(0x300001);
  }

  @Test
  void uses_free_ports_first() {
    int leaf = tree.findNode(0x200001);
    int host = tree.peerNode(tree.port(leaf, 2));
    boolean[] drop = new boolean[tree.nodeCount()];
    drop[host] = true;
    int[] noExtra = new int[tree.nodeCount()];
    Fabric f = new FabricCopy(tree, drop, new boolean[tree.portIdLimit()], noExtra).build();
    leaf = f.findNode(0x200001);
    Fabric with = FabricExtras.withSmNode(f, leaf);
    leaf = with.findNode(0x200001);
    assertThat(with.portCount(leaf)).isEqualTo(6);
    assertThat(with.description(with.peerNode(with.port(leaf, 2)))).isEqualTo("sm-node");
  }

  @Test
  void deals_storage_out_over_leaves_or_spines() {
    assertThat(whereStorageIs(FabricExtras.withStorageHosts(tree, 4, FabricExtras.Place.LEAVES)))
        .containsExactly("S1_0", "S1_1", "S1_2", "S1_0");
    assertThat(whereStorageIs(FabricExtras.withStorageHosts(tree, 3, FabricExtras.Place.SPINES)))
        .containsExactly("S2_0", "S2_1", "S2_0");
  }

  private static List<String> whereStorageIs(Fabric f) {
    List<String> out = new ArrayList<>();
    for (int node = f.switchCount(); node < f.nodeCount(); node++) {
      if (f.description(node).startsWith("storage-")) {
        out.add(f.description(f.peerNode(f.port(node, 1))));
      }
    }
    return out;
  }

  @Test
  void gives_every_switch_an_aggregation_node_and_they_make_no_leaf() {
    Fabric f = FabricExtras.withAggregationNodes(tree);
    assertThat(f.caCount()).isEqualTo(12 + 5);
    assertThat(FabricExtras.leaves(f)).hasSize(3);
    assertThat(FabricExtras.spines(f)).hasSize(2);
    assertThat(f.withAssignedLids().topLid()).isEqualTo(12 + 5 + 5);
  }

  @Test
  void refuses_a_switch_without_a_port_to_give() {
    FabricBuilder builder = new FabricBuilder();
    int sw = builder.addSwitch(1, 254, "full");
    for (int k = 1; k <= 254; k++) {
      builder.connect(builder.addCa(1000L + k, 1, "h" + k), 1, sw, k);
    }
    Fabric f = builder.build();
    assertThatThrownBy(() -> FabricExtras.withSmNode(f, 0)).hasMessageContaining("255 ports");
    assertThatThrownBy(() -> FabricExtras.withSmNode(f)).hasMessageContaining("no spine");
  }
}
