package org.heddle.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.FabricBuilder;
import org.heddle.fabric.Guid;
import org.heddle.topology.generate.FabricCopy;
import org.heddle.topology.generate.FabricExtras;
import org.heddle.topology.generate.FabricShuffle;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OpensmFtreeCheckTest {
  private static Fabric tree(String spec) {
    return TreeGenerator.generate(TreeSpec.parse(spec));
  }

  private static List<String> codes(Fabric f, List<Guid> roots) {
    return OpensmFtreeCheck.check(f, roots).stream().map(TreeFinding::code).toList();
  }

  private static List<Guid> roots(Fabric f) {
    List<Guid> out = new ArrayList<>();
    for (int sw : FabricExtras.spines(f)) {
      out.add(new Guid(f.nodeGuid(sw)));
    }
    return out;
  }

  private static Fabric cut(Fabric f, String name, int... ports) {
    boolean[] cut = new boolean[f.portIdLimit()];
    for (int sw = 0; sw < f.switchCount(); sw++) {
      for (int k : ports) {
        if (f.description(sw).equals(name)) {
          cut[f.port(sw, k)] = true;
        }
      }
    }
    return new FabricCopy(f, new boolean[f.nodeCount()], cut, new int[f.nodeCount()]).build();
  }

  @ParameterizedTest
  @ValueSource(strings = {"XGFT(2;18,18;1,18)", "XGFT(3;4,4,4;1,4,4)", "PGFT(3;2,3,4;1,2,3;1,1,2)"})
  void regular_trees_pass(String spec) {
    assertThat(OpensmFtreeCheck.check(tree(spec), List.of())).isEmpty();
    assertThat(OpensmFtreeCheck.check(tree(spec), roots(tree(spec)))).isEmpty();
    Fabric shuffled = FabricShuffle.ports(tree(spec), 6);
    assertThat(OpensmFtreeCheck.check(shuffled, List.of())).isEmpty();
    assertThat(OpensmFtreeCheck.check(shuffled, roots(shuffled))).isEmpty();
  }

  @Test
  void missing_hosts_pass_too() {
    assertThat(OpensmFtreeCheck.check(cut(tree("XGFT(2;4,4;1,4)"), "S1_2", 1, 2), List.of()))
        .isEmpty();
  }

  @Test
  void a_missing_link_makes_groups_unequal_unless_roots_are_given() {
    Fabric f = cut(tree("XGFT(3;4,4,4;1,4,4)"), "S1_2_1", 6);
    List<TreeFinding> found = OpensmFtreeCheck.check(f, List.of());
    assertThat(found).hasSize(2).allMatch(x -> x.code().equals("opensm-unequal-groups"));
    assertThat(found.get(0).message()).contains("AB09").contains("'S1_2_1'").contains("rank 2");
    assertThat(found.get(1).message()).contains("AB0A").contains("'S2_2_1'").contains("rank 1");
    assertThat(OpensmFtreeCheck.check(f, roots(f))).isEmpty();
  }

  @Test
  void a_missing_parallel_link_makes_group_sizes_unequal() {
    Fabric f = cut(tree("PGFT(2;4,5;1,2;1,3)"), "S1_2", 6);
    List<TreeFinding> found = OpensmFtreeCheck.check(f, List.of());
    assertThat(found).extracting(TreeFinding::message).anyMatch(m -> m.contains("AB0B"));
    assertThat(found).extracting(TreeFinding::message).anyMatch(m -> m.contains("AB0C"));
  }

  @Test
  void a_subnet_manager_on_a_root_is_a_compute_node_at_another_rank() {
    Fabric f = FabricExtras.withSmNode(tree("XGFT(2;4,4;1,4)"));
    // Without roots the spine with the host gets the rank of a leaf, and its links lie in a rank.
    assertThat(codes(f, List.of())).contains("opensm-same-rank-link", "opensm-unequal-groups");
    List<Guid> roots = new ArrayList<>();
    for (int sw = 4; sw < 8; sw++) {
      roots.add(new Guid(f.nodeGuid(sw)));
    }
    List<TreeFinding> found = OpensmFtreeCheck.check(f, roots);
    assertThat(found).hasSize(1);
    assertThat(found.getFirst().code()).isEqualTo("opensm-hosts-at-other-rank");
    assertThat(found.getFirst().message()).contains("port 5").contains("'S2_0'").contains("AB26");
  }

  @Test
  void aggregation_nodes_leave_no_rank_at_all() {
    Fabric f = FabricExtras.withAggregationNodes(tree("XGFT(2;4,4;1,4)"));
    assertThat(codes(f, List.of())).contains("opensm-same-rank-link", "opensm-rank");
  }

  @Test
  void small_fabrics_and_lmc_are_named() {
    FabricBuilder builder = new FabricBuilder();
    int sw = builder.addSwitch(1, 4, "only");
    int host = builder.addCa(10, 1, "host");
    builder.connect(host, 1, sw, 1);
    builder.setLid(host, 1, 4, 2);
    assertThat(codes(builder.build(), List.of()))
        .containsExactly("opensm-lmc", "opensm-few-switches", "opensm-few-hosts", "opensm-rank");
    assertThat(codes(new FabricBuilder().build(), List.of()))
        .containsExactly("opensm-few-switches", "opensm-few-hosts");
  }

  @Test
  void missing_roots_hosts_and_direct_cables_are_named() {
    FabricBuilder builder = new FabricBuilder();
    int a = builder.addSwitch(1, 4, "a");
    builder.connect(a, 1, builder.addSwitch(2, 4, "b"), 1);
    builder.connect(builder.addCa(10, 1, "x"), 1, builder.addCa(20, 1, "y"), 1);
    Fabric f = builder.build();
    assertThat(codes(f, List.of()))
        .containsExactly("opensm-host-to-host", "opensm-no-compute-nodes");
    assertThat(codes(f, List.of(new Guid(77))))
        .containsExactly("opensm-host-to-host", "opensm-no-roots");
  }

  @Test
  void a_tree_of_nine_levels_is_too_high() {
    FabricBuilder builder = new FabricBuilder();
    int last = -1;
    for (int i = 0; i < 9; i++) {
      int sw = builder.addSwitch(1 + i, 4, "c" + i);
      if (last >= 0) {
        builder.connect(last, 1, sw, 2);
      } else {
        builder.connect(builder.addCa(100, 1, "x"), 1, sw, 3);
        builder.connect(builder.addCa(110, 1, "y"), 1, sw, 4);
      }
      last = sw;
    }
    assertThat(codes(builder.build(), List.of())).containsExactly("opensm-rank");
  }

  @Test
  void a_switch_apart_is_not_reached() {
    Fabric f = tree("XGFT(2;2,2;1,2)");
    FabricCopy copy =
        new FabricCopy(
            f, new boolean[f.nodeCount()], new boolean[f.portIdLimit()], new int[f.nodeCount()]);
    copy.builder().addSwitch(7, 4, "apart");
    List<TreeFinding> found = OpensmFtreeCheck.check(copy.build(), List.of());
    assertThat(found).hasSize(1);
    assertThat(found.getFirst().message()).contains("'apart'");
  }
}
