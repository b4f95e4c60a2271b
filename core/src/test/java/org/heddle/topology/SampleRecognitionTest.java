package org.heddle.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.heddle.fabric.Fabric;
import org.heddle.topology.Recognition.Found;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Real fabrics and ibsim examples; looked at by eye once, kept from changing here. */
class SampleRecognitionTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "net|PGFT(2;2,1;1,1;1,2)|EXACT|1|1",
        "net.1|XGFT(1;2;1)|EXACT|1|1",
        "net.2sw2path|PGFT(2;1,1;1,1;1,2)|EXACT|1|1",
        "net.2sw2path4hca|PGFT(2;2,1;1,1;1,2)|EXACT|1|1",
        "net.2sw2path4hca2port|PGFT(2;1,1;1,1;2,2)|EXACT|1|1",
        "ibtopotool_1.topo|PGFT(2;3,1;1,1;1,2)|EXACT|1|1",
        "ibtopotool_2.topo|XGFT(1;2;1)|EXACT|1|1",
        "ufm_small_topo_file|XGFT(2;10,1;1,1)|EXACT|1|1",
        "kalcher_topo|PGFT(2;24,6;1,2;1,4)|DAMAGED|6|2",
        "gmh1_ibdiagnet2.ibnetdiscover|XGFT(2;32,8;1,1)|EXACT|8|1",
        "k-4-n-3-Full.topo|XGFT(3;4,4,8;1,4,4)|EXACT|32|16",
        "selene.storage.txt|PGFT(3;24,16,4;1,16,2;1,1,8)|APPROXIMATE|64|32"
      })
  void every_sample_is_recognised(
      String name, String shape, ShapeFit.Match match, int leaves, int roots) throws IOException {
    Fabric f = SampleReader.read(name);
    FatTree tree = ((Found) FatTreeRecogniser.recognise(f)).tree();
    ShapeFit fit = tree.fit().orElseThrow();
    assertThat(fit.shape()).hasToString(shape);
    assertThat(fit.match()).isEqualTo(match);
    assertThat(tree.leafCount()).isEqualTo(leaves);
    assertThat(tree.roots()).hasSize(roots);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void names_of_the_storage_fabric_agree_with_the_levels(boolean withManagerOnTop)
      throws IOException {
    Fabric f = SampleReader.read("selene.storage.txt");
    if (withManagerOnTop) {
      int sw = 0;
      while (!f.description(sw).contains("SCORE")) {
        sw++;
      }
      f = FabricExtras.withSmNode(f, sw);
    }
    FatTree tree = ((Found) FatTreeRecogniser.recognise(f)).tree();
    for (int sw = 0; sw < f.switchCount(); sw++) {
      String name = f.description(sw);
      int expected = name.contains("SCORE") ? 3 : name.contains("SSPINE") ? 2 : 1;
      assertThat(tree.level(sw)).as(name).isEqualTo(expected);
    }
  }
}
