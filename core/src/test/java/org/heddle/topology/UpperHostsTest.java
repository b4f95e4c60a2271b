package org.heddle.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.heddle.fabric.Fabric;
import org.heddle.topology.generate.FabricExtras;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.junit.jupiter.api.Test;

/** Hosts on a few upper switches do not hide a whole tree, however few hosts a leaf has. */
class UpperHostsTest {
  private static final int SEEDS = Integer.getInteger("heddle.test.seeds", 200);

  private static final List<String> SPECS =
      List.of(
          "XGFT(2;1,4;1,2)",
          "XGFT(2;2,8;1,4)",
          "XGFT(3;1,3,4;1,2,2)",
          "XGFT(3;1,4,4;1,4,4)",
          "XGFT(3;2,3,3;1,2,2)",
          "XGFT(3;2,2,4;1,2,2)",
          "XGFT(4;1,2,2,2;1,2,2,2)",
          "XGFT(4;1,2,3,2;1,2,2,3)",
          "XGFT(4;2,2,2,2;1,2,2,2)",
          "XGFT(4;1,3,3,3;1,3,3,3)");

  @Test
  void levelsAreThoseOfTheTree() {
    List<String> wrong = new ArrayList<>();
    for (int seed = 0; seed < SEEDS; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      String spec = SPECS.get(random.nextInt(SPECS.size()));
      Fabric fabric = TreeGenerator.generate(TreeSpec.parse(spec));
      int hosts = fabric.caCount();
      int extra = 1 + random.nextInt(Math.max(1, hosts / 4));
      String where = "";
      boolean even = true;
      for (int i = 0; i < extra; i++) {
        int s = random.nextInt(fabric.switchCount());
        if (level(fabric, s) > 1) {
          even &= level(fabric, s) % 2 == 0;
          where += " " + fabric.description(s);
          fabric = FabricExtras.withSmNode(fabric, s);
        }
      }
      String which = "seed " + seed + ", " + spec + where + ": ";
      switch (FatTreeRecogniser.recognise(fabric)) {
        case Recognition.Refused no -> wrong.add(which + no.findings().getFirst().message());
        case Recognition.Found found -> {
          // An odd level is one that leaves are at, too, as far as links tell.
          for (int s = 0; s < fabric.switchCount() && even; s++) {
            if (found.tree().level(s) != level(fabric, s)) {
              wrong.add(which + fabric.description(s) + " at " + found.tree().level(s));
              break;
            }
          }
        }
      }
    }
    assertThat(wrong.stream().limit(30)).as("%d of %d", wrong.size(), SEEDS).isEmpty();
  }

  private static int level(Fabric fabric, int s) {
    return fabric.description(s).charAt(1) - '0';
  }
}
