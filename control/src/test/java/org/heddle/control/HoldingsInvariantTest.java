package org.heddle.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.heddle.fabric.Fabric;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.junit.jupiter.api.Test;

/**
 * Whatever happens to a fabric and its tenants, in whatever order: nothing is held twice, nobody's
 * hosts count as free, what is promised is proven or flagged, and it is whole again when the fabric
 * is. {@code -Dheddle.histories=2000} plays more than the default, {@code -Dheddle.history=SEED}
 * only one.
 */
class HoldingsInvariantTest {
  private static final int HISTORIES = Integer.getInteger("heddle.histories", 100);
  private static final int STEPS = 24;

  private static final List<String> TREES =
      List.of(
          "XGFT(2;4,4;1,4)",
          "XGFT(2;3,6;1,3)",
          "PGFT(2;4,4;1,2;1,2)",
          "XGFT(2;4,4;2,3)",
          "XGFT(3;2,3,3;1,2,3)",
          "XGFT(3;3,2,2;1,3,2)");

  record History(Fabric fabric, List<HistoryStep> steps) {
    static History of(long seed) {
      Random random = new Random(seed);
      String tree = TREES.get(random.nextInt(TREES.size()));
      Fabric aligned = TreeGenerator.generate(TreeSpec.parse(tree));
      Fabric fabric = seed % 4 == 0 ? aligned : ShuffledFabric.of(aligned, random.nextLong());
      return new History(
          fabric,
          HistoryStep.random(
              random,
              STEPS,
              HistoryWorld.cables(fabric).size(),
              fabric.switchCount(),
              fabric.caCount(),
              fabric.nodeCount()));
    }

    History with(List<HistoryStep> others) {
      return new History(fabric, others);
    }

    /** What goes wrong first, with what was done; null if nothing does. */
    String play() {
      List<String> said = List.of();
      try (HistoryWorld world = new HistoryWorld(fabric)) {
        said = world.said();
        for (HistoryStep step : steps) {
          world.play(step);
          List<String> wrong = HistoryOracle.look(world);
          if (!wrong.isEmpty()) {
            return String.join("\n", said) + "\n=> " + String.join("\n=> ", wrong);
          }
        }
        return null;
      } catch (RuntimeException e) {
        StackTraceElement at = e.getStackTrace().length == 0 ? null : e.getStackTrace()[0];
        return String.join("\n", said) + "\n=> " + e + " at " + at;
      }
    }

    /** Without steps that it takes not to go wrong: first many at once, then single ones. */
    History shrunk() {
      List<HistoryStep> left = new ArrayList<>(steps);
      for (int part = Math.max(1, left.size() / 2); part >= 1; part /= 2) {
        for (int from = left.size() - part; from >= 0; from -= part) {
          List<HistoryStep> without = new ArrayList<>(left);
          without.subList(from, Math.min(from + part, without.size())).clear();
          if (with(without).play() != null) {
            left = without;
          }
        }
      }
      return with(left);
    }
  }

  @Test
  void whateverHappensNobodyHasWhatAnotherHasAndWhatIsWholeAgainIsWhole() {
    Long only = Long.getLong("heddle.history");
    List<String> failed = new ArrayList<>();
    for (long seed = 0; seed < HISTORIES && failed.size() < 3; seed++) {
      History history = History.of(only == null ? seed : only);
      String wrong = history.play();
      if (wrong != null) {
        String small = history.shrunk().play();
        failed.add("history " + (only == null ? seed : only) + ":\n" + small);
      }
      if (only != null) {
        break;
      }
    }
    assertThat(failed).as(String.join("\n\n", failed)).isEmpty();
  }
}
