package org.heddle.text.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import javax.xml.parsers.DocumentBuilderFactory;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.FabricBuilder;
import org.heddle.fabric.NodeType;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.generate.MachineWiring;
import org.heddle.topology.generate.TreeSpec;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

class FabricGraphTest {
  private static FabricGraph of(Fabric fabric) {
    return FabricGraph.of(fabric, FatTreeRecogniser.recognise(fabric));
  }

  @Test
  void everyNodeAndEveryCableOnce() {
    FabricGraph g = of(MachineWiring.generate(TreeSpec.parse("XGFT(2;4,4;1,2)"), 2, 1));
    assertThat(g.nodes()).hasSize(16 + 4 + 2);
    assertThat(g.links()).hasSize(16 + 4 * 2);
    assertThat(g.nodes().stream().filter(n -> n.level() == 2)).hasSize(2);
    assertThat(g.nodes().stream().filter(n -> n.machine().equals("gpu0003"))).hasSize(2);
    assertThat(g.links()).allMatch(l -> l.megabits() == 200_000 && l.width().equals("4x"));
  }

  @Test
  void oddNamesSurviveInEveryForm() throws Exception {
    FabricBuilder b = new FabricBuilder();
    String name = "a \"b\", <c> & \u0001 \u00e4";
    int sw = b.addNode(NodeType.SWITCH, 0x10, 4, name);
    int ca = b.addNode(NodeType.CA, 0x20, 1, "h HCA-1");
    b.connect(sw, 2, ca, 1);
    FabricGraph g = of(b.build());
    String csv = new String(g.nodesCsv(), StandardCharsets.UTF_8);
    assertThat(csv.lines().skip(1).findFirst().orElseThrow())
        .startsWith("0x0000000000000010,switch,\"a \"\"b\"\", <c> & \u0001 \u00e4\",,");
    assertThat(new String(g.linksCsv(), StandardCharsets.UTF_8))
        .isEqualTo(
            "source,source_port,target,target_port,width,speed,megabits\r\n"
                + "0x0000000000000010,2,0x0000000000000020,1,,,0\r\n");
    Document xml =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new ByteArrayInputStream(g.graphml()));
    assertThat(xml.getElementsByTagName("node").getLength()).isEqualTo(2);
    assertThat(xml.getElementsByTagName("edge").getLength()).isEqualTo(1);
    Element node = (Element) xml.getElementsByTagName("node").item(0);
    assertThat(node.getTextContent()).contains("a \"b\", <c> & \ufffd \u00e4");
  }
}
