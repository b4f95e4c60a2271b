package org.heddle.solver;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ColourClausesTest {
  /** Small questions at random; the answers are those of trying every colouring. */
  @Test
  void answersAreThoseOfExhaustiveSearch() {
    SplittableRandom random = new SplittableRandom(3);
    int[] answers = new int[2];
    for (int round = 0; round < 200; round++) {
      int colours = 2 + random.nextInt(2);
      int[][] groups = new int[3 + random.nextInt(5)][];
      for (int v = 0; v < groups.length; v++) {
        groups[v] = random.ints(0, 5).distinct().limit(1 + random.nextInt(3)).toArray();
      }
      ColourClauses.Found found =
          ColourClauses.solve(groups, 5, colours, new int[groups.length], 1_000_000);
      int[] shared = SharedColours.find(groups, 5, colours);
      if (exists(groups, new int[groups.length], 0, colours)) {
        answers[0]++;
        assertThat(found.answer()).isEqualTo(SatSolver.Answer.SATISFIABLE);
        assertThat(isProper(groups, found.colours(), groups.length)).isTrue();
        assertThat(isProper(groups, shared, groups.length)).isTrue();
      } else {
        answers[1]++;
        assertThat(found.answer()).isEqualTo(SatSolver.Answer.UNSATISFIABLE);
        assertThat(shared).isNull();
      }
    }
    assertThat(answers).doesNotContain(0);
  }

  private static boolean exists(int[][] groups, int[] colour, int at, int colours) {
    for (int c = 0; c < colours && at < groups.length; c++) {
      colour[at] = c;
      if (isProper(groups, colour, at + 1) && exists(groups, colour, at + 1, colours)) {
        return true;
      }
    }
    return at == groups.length;
  }

  private static boolean isProper(int[][] groups, int[] colour, int n) {
    boolean[][] taken = new boolean[5][3];
    for (int v = 0; v < n; v++) {
      for (int g : groups[v]) {
        if (taken[g][colour[v]]) {
          return false;
        }
        taken[g][colour[v]] = true;
      }
    }
    return true;
  }
}
