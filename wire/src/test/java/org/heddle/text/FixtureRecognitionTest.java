package org.heddle.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.heddle.fabric.Fabric;
import org.heddle.text.topology.FabricFormats;
import org.heddle.topology.FatTree;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.Recognition.Found;
import org.heddle.topology.ShapeFit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the fixtures are, from the file to the recognised tree; seen by eye once. */
class FixtureRecognitionTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "fabrics/two-switches.net|2|2|PGFT(2;2,1;1,1;1,2)|EXACT|1|1",
        "fabrics/two-port-hosts.net|2|2|PGFT(2;1,1;1,1;2,2)|EXACT|1|1",
        "fabrics/old-tool.topo|1|3|XGFT(1;3;1)|EXACT|1|1",
        "fabrics/chassis.topo|3|2|XGFT(2;1,2;1,1)|EXACT|2|1",
        "fabrics/damaged-tree.topo|6|22|PGFT(2;6,4;1,2;1,2)|DAMAGED|4|2",
        "fabrics/generator.topo|12|21|XGFT(3;2,2,2;1,2,2)|EXACT|4|4",
        "fabrics/ibdiagnet2.ibnetdiscover|12|12|PGFT(3;3,2,2;1,2,2;1,1,2)|EXACT|4|4",
        "fabrics/rails-and-routers.topo|2|4|XGFT(2;2,1;1,1)|EXACT|1|1",
        "opensm/x16-ftree/ibnetdiscover.txt|8|16|XGFT(2;4,4;1,4)|EXACT|4|4",
        "opensm/x27-ftree/opensm-subnet.lst.gz|27|27|XGFT(3;3,3,3;1,3,3)|EXACT|9|9"
      })
  void everyFabricIsRecognised(
      String file,
      int switches,
      int hosts,
      String shape,
      ShapeFit.Match match,
      int leaves,
      int roots)
      throws IOException {
    Fabric fabric = FabricFormats.read(Fixtures.source(file)).get();
    assertThat(fabric.switchCount()).isEqualTo(switches);
    assertThat(fabric.caCount()).isEqualTo(hosts);
    FatTree tree = ((Found) FatTreeRecogniser.recognise(fabric)).tree();
    ShapeFit fit = tree.fit().orElseThrow();
    assertThat(fit.shape()).hasToString(shape);
    assertThat(fit.match()).isEqualTo(match);
    assertThat(tree.leafCount()).isEqualTo(leaves);
    assertThat(tree.roots()).hasSize(roots);
  }

  @Test
  void everyFabricIsInTheTableAbove() throws IOException {
    assertThat(Fixtures.files("fabrics").stream().map(f -> f.getFileName().toString()))
        .containsExactlyElementsOf(
            List.of(
                "chassis.topo",
                "damaged-tree.topo",
                "generator.topo",
                "ibdiagnet2.ibnetdiscover",
                "old-tool.topo",
                "rails-and-routers.topo",
                "two-port-hosts.net",
                "two-switches.net"));
  }
}
