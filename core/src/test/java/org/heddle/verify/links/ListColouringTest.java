package org.heddle.verify.links;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ListColouringTest {
  /** Galvin's theorem: lists as long as the degree suffice, whatever they hold. */
  @Test
  void everyTwoVerticesThatShareAsManyColoursAsTheDegreeAreServed() {
    SplittableRandom random = new SplittableRandom(1);
    for (int round = 0; round < 400; round++) {
      int n = 2 + random.nextInt(7);
      int degree = 1 + random.nextInt(6);
      int[][] edges = permutations(random, n, degree);
      boolean[][] sets = sharing(random, n, degree);
      ListColouring colouring = new ListColouring(sets, edges);
      assertThat(colouring.colour()).as("round %d", round).isTrue();
      check(sets, edges, colouring);
    }
  }

  @Test
  void verticesThatShareTooFewColoursAreNotServed() {
    int[][] edges = {{0, 2}, {2, 0}};
    boolean[][] sets = {{true, true, false}, {false, true, true}};
    assertThat(new ListColouring(sets, edges).colour()).isFalse();
  }

  /** Some edges of so many permutations. */
  private static int[][] permutations(SplittableRandom random, int n, int degree) {
    int[][] edges = new int[n][n];
    int[] to = new int[n];
    for (int d = 0; d < degree; d++) {
      Permutations.shuffle(random, to);
      for (int a = 0; a < n; a++) {
        edges[a][to[a]] += random.nextInt(8) > 0 ? 1 : 0;
      }
    }
    return edges;
  }

  /** Random sets of which every two have as many colours in common as the degree. */
  private static boolean[][] sharing(SplittableRandom random, int n, int degree) {
    int colours = 2 * degree + 4;
    boolean[][] sets = new boolean[n][colours];
    for (int a = 0; a < n; a++) {
      do {
        for (int c = 0; c < colours; c++) {
          sets[a][c] = random.nextInt(4) > 0;
        }
      } while (!sharesWithAll(sets, a, degree));
    }
    return sets;
  }

  private static boolean sharesWithAll(boolean[][] sets, int a, int degree) {
    for (int b = 0; b <= a; b++) {
      int both = 0;
      for (int c = 0; c < sets[a].length; c++) {
        both += sets[a][c] && sets[b][c] ? 1 : 0;
      }
      if (both < degree) {
        return false;
      }
    }
    return true;
  }

  private static void check(boolean[][] sets, int[][] edges, ListColouring colouring) {
    int n = sets.length;
    boolean[][] out = new boolean[n][sets[0].length];
    boolean[][] in = new boolean[n][sets[0].length];
    for (int a = 0; a < n; a++) {
      for (int b = 0; b < n; b++) {
        assertThat(colouring.coloursOf(a, b)).hasSize(edges[a][b]);
        for (int c : colouring.coloursOf(a, b)) {
          assertThat(sets[a][c] && sets[b][c] && !out[a][c] && !in[b][c]).isTrue();
          out[a][c] = true;
          in[b][c] = true;
        }
      }
    }
  }
}
