package org.heddle.topology.generate;

import static org.assertj.core.api.Assertions.assertThat;

import org.heddle.fabric.Fabric;
import org.heddle.fabric.LinkSpeed;
import org.heddle.fabric.LinkWidth;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TreeGeneratorTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "XGFT(2;18,18;1,18)|324|36",
        "XGFT(2;18,36;1,18)|648|54",
        "XGFT(3;6,6,6;1,6,6)|216|108",
        "XGFT(3;12,12,12;1,12,12)|1728|432",
        "XGFT(3;16,16,16;1,16,16)|4096|768",
        "XGFT(3;18,18,18;1,18,18)|5832|972",
        "XGFT(3;18,18,36;1,18,18)|11664|1620",
        "XGFT(4;12,12,12,12;1,12,12,12)|20736|6912",
        "XGFT(2;8,4;1,4)|32|8",
        "XGFT(2;48,16;1,16)|768|32",
        "XGFT(2;4,8;1,4)|32|12",
        "4-ary-3-tree|64|48"
      })
  void makes_the_number_of_hosts_and_switches(String spec, int hosts, int switches) {
    Fabric fabric = TreeGenerator.generate(TreeSpec.parse(spec));
    assertThat(fabric.caCount()).isEqualTo(hosts);
    assertThat(fabric.switchCount()).isEqualTo(switches);
    assertThat(fabric.withAssignedLids().topLid()).isEqualTo(hosts + switches);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "XGFT(1;4;1)",
        "XGFT(1;4;2)",
        "PGFT(2;3,4;2,2;2,3)",
        "PGFT(3;2,3,4;1,2,3;2,1,2)",
        "XGFT(3;3,3,3;2,3,3)"
      })
  void cables_every_port_to_the_level_it_should(String text) {
    TreeSpec spec = TreeSpec.parse(text);
    Fabric f = TreeGenerator.generate(spec);
    for (int node = 0; node < f.nodeCount(); node++) {
      int level = levelByName(f, node);
      int down = spec.downPorts(level);
      assertThat(f.portCount(node)).isEqualTo(down + spec.upPorts(level));
      for (int k = 1; k <= f.portCount(node); k++) {
        int port = f.port(node, k);
        int expected = k <= down ? level - 1 : level + 1;
        assertThat(levelByName(f, f.peerNode(port))).isEqualTo(expected);
        assertThat(f.peer(f.peer(port))).isEqualTo(port);
        assertThat(f.width(port)).isEqualTo(LinkWidth.X4);
        assertThat(f.speed(port)).isEqualTo(LinkSpeed.HDR);
      }
    }
  }

  private static int levelByName(Fabric f, int node) {
    return f.isSwitch(node) ? f.description(node).charAt(1) - '0' : 0;
  }

  @Test
  void numbers_parallel_links_as_zahavi_does() {
    // w2 = 2 parents, p2 = 3 links each, after 4 downward ports: parent b, link k at 5 + b + 2k.
    Fabric f = TreeGenerator.generate(TreeSpec.parse("PGFT(2;4,5;1,2;1,3)"));
    int leaf = f.findNode(0x200000 + 3);
    for (int k = 0; k < 3; k++) {
      for (int b = 0; b < 2; b++) {
        int port = f.port(leaf, 5 + b + 2 * k);
        assertThat(f.description(f.peerNode(port))).isEqualTo("S2_" + b);
        assertThat(f.numberOf(f.peer(port))).isEqualTo(1 + 3 + 5 * k);
      }
    }
  }

  @Test
  void gives_guids_in_steps_and_names_with_digits() {
    Fabric f = TreeGenerator.generate(TreeSpec.parse("PGFT(2;20,5;1,2;2,1)"));
    int host = f.findNode(0x100000 + 3 * (3 * 20 + 17));
    assertThat(f.description(host)).isEqualTo("H_3_17");
    assertThat(f.portGuid(f.port(host, 1))).isEqualTo(f.nodeGuid(host) + 1);
    assertThat(f.portGuid(f.port(host, 2))).isEqualTo(f.nodeGuid(host) + 2);
    assertThat(f.description(f.peerNode(f.port(host, 1)))).isEqualTo("S1_3");
    assertThat(f.description(f.findNode(0x200000 + 5 + 1))).isEqualTo("S2_1");
  }

  @Test
  void separates_the_planes_of_hosts_with_several_parents() {
    Fabric f = TreeGenerator.generate(TreeSpec.parse("XGFT(2;3,3;2,3)"));
    int host = f.findNode(0x100000);
    assertThat(f.description(f.peerNode(f.port(host, 1)))).isEqualTo("S1_0_0");
    assertThat(f.description(f.peerNode(f.port(host, 2)))).isEqualTo("S1_1_0");
    for (int sw = 0; sw < f.switchCount(); sw++) {
      for (int k = 1; k <= f.portCount(sw); k++) {
        int other = f.peerNode(f.port(sw, k));
        if (f.isSwitch(other)) {
          assertThat(f.description(other).charAt(3)).isEqualTo(f.description(sw).charAt(3));
        }
      }
    }
  }
}
