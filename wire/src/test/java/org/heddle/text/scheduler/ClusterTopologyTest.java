package org.heddle.text.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.FabricBuilder;
import org.heddle.fabric.NodeType;
import org.heddle.text.Parsed;
import org.heddle.text.Problems;
import org.heddle.text.Source;
import org.heddle.text.yaml.YamlNode;
import org.heddle.text.yaml.YamlReader;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.generate.DamageSpec;
import org.heddle.topology.generate.FabricDamage;
import org.heddle.topology.generate.FabricExtras;
import org.heddle.topology.generate.FabricShuffle;
import org.heddle.topology.generate.MachineWiring;
import org.heddle.topology.generate.TreeSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterTopologyTest {
  private static ClusterTopology of(Fabric fabric, String... only) {
    return ClusterTopology.of(fabric, FatTreeRecogniser.recognise(fabric), Arrays.asList(only));
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  @Test
  void aSwitchForEverySubTree() {
    Fabric tree = MachineWiring.generate(TreeSpec.parse("XGFT(3;2,2,2;1,2,2)"), 1, 1);
    ClusterTopology t = of(FabricExtras.withManagementLeaves(tree, 1));
    assertThat(text(t.treeConf()))
        .isEqualTo(
            """
            # TopologyPlugin=topology/tree
            SwitchName=S1_0_0 Nodes=gpu[0000-0001]
            SwitchName=S1_0_1 Nodes=gpu[0002-0003]
            SwitchName=level2-1 Switches=S1_0_[0-1]
            SwitchName=S1_1_0 Nodes=gpu[0004-0005]
            SwitchName=S1_1_1 Nodes=gpu[0006-0007]
            SwitchName=level2-2 Switches=S1_1_[0-1]
            SwitchName=mgmt-leaf-1 Nodes=mgmt-[1-2]
            SwitchName=fabric Switches=level2-[1-2],mgmt-leaf-1
            """);
    assertThat(text(t.blockConf()))
        .startsWith("# TopologyPlugin=topology/block\nBlockName=S1_0_0 Nodes=gpu[0000-0001]\n")
        .endsWith("\nBlockSizes=2\n");
    assertThat(t.leftOut()).isEmpty();
  }

  /** Every machine is there once, whatever is lost, and on the switch of an adapter of its own. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "XGFT(2;4,8;1,4)|4|1",
        "XGFT(3;4,4,2;1,2,4)|2|2",
        "PGFT(3;2,2,3;1,1,3;1,1,2)|2|1",
        "XGFT(2;4,4;2,3)|1|1",
        "XGFT(4;2,2,2,2;1,2,2,2)|1|1"
      })
  void everyMachineIsThereOnce(String spec, int rails, int onLeaf) {
    for (int seed = 0; seed < 20; seed++) {
      Fabric whole = MachineWiring.generate(TreeSpec.parse(spec), rails, onLeaf);
      DamageSpec damage =
          DamageSpec.none(seed)
              .withLinks(DamageSpec.Amount.share(seed * 0.02))
              .withHosts(DamageSpec.Amount.share(0.05));
      Fabric f = FabricDamage.apply(FabricShuffle.ports(whole, seed), damage).fabric();
      ClusterTopology t = of(f);
      Parsed<Map<String, List<String>>> conf =
          SlurmTopology.read(new Source("topology.conf", t.treeConf()));
      assertThat(conf.problems()).as("seed %d", seed).isEmpty();
      Set<String> machines = new HashSet<>();
      for (int m = 0; m < f.machines().count(); m++) {
        machines.add(f.machines().name(m));
      }
      List<String> placed = new ArrayList<>();
      leaves(
          t.roots(),
          group -> {
            for (String name : group.nodes()) {
              placed.add(name);
              boolean beside = false;
              for (int node : f.machines().adapters(f.machines().find(name))) {
                for (int k = 1; k <= f.portCount(node); k++) {
                  int sw = f.attachedSwitch(f.port(node, k));
                  beside |= sw != Fabric.NONE && f.description(sw).equals(group.name());
                }
              }
              assertThat(beside).as("%s on %s", name, group.name()).isTrue();
            }
          });
      placed.addAll(t.leftOut());
      assertThat(placed).as("seed %d", seed).containsExactlyInAnyOrderElementsOf(machines);
      Problems problems = new Problems("topology.yaml");
      assertThat(YamlReader.parse(t.yaml(), problems)).isInstanceOf(YamlNode.Sequence.class);
      assertThat(problems.hasErrors()).isFalse();
    }
  }

  private static void leaves(
      List<ClusterTopology.Group> groups, Consumer<ClusterTopology.Group> todo) {
    for (ClusterTopology.Group g : groups) {
      if (g.below().isEmpty()) {
        todo.accept(g);
      } else {
        assertThat(g.nodes()).isEmpty();
        assertThat(g.below()).hasSizeGreaterThan(1);
        leaves(g.below(), todo);
      }
    }
  }

  @Test
  void onlyWhatIsAskedForAndWhatCannotBeNamedIsTold() {
    Fabric f = MachineWiring.generate(TreeSpec.parse("XGFT(2;2,2;1,2)"), 1, 1);
    ClusterTopology t = of(f, "gpu0001", "gpu0003", "gpu7");
    assertThat(text(t.treeConf()))
        .contains("SwitchName=S1_0 Nodes=gpu0001\n")
        .contains("SwitchName=S1_1 Nodes=gpu0003\n");
    assertThat(t.missing()).containsExactly("gpu7");
    FabricBuilder b = new FabricBuilder();
    int sw = b.addNode(NodeType.SWITCH, 1, 4, "odd name; x");
    b.connect(sw, 1, b.addNode(NodeType.CA, 2, 1, "a HCA-1"), 1);
    b.connect(sw, 2, b.addNode(NodeType.CA, 3, 1, ""), 1);
    b.addNode(NodeType.CA, 4, 1, "dark HCA-1");
    ClusterTopology odd = of(b.build());
    assertThat(text(odd.treeConf())).contains("SwitchName=odd_name__x Nodes=a\n");
    assertThat(odd.leftOut()).hasSize(2).contains("dark");
  }
}
