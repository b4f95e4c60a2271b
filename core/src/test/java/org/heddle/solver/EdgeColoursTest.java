package org.heddle.solver;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class EdgeColoursTest {
  /** A union of permutations has this degree at every vertex; edges may be parallel. */
  @Test
  void asManyColoursAsTheDegreeAreEnough() {
    SplittableRandom random = new SplittableRandom(1);
    for (int round = 0; round < 200; round++) {
      int vertices = 1 + random.nextInt(20);
      int degree = 1 + random.nextInt(20);
      int[] from = new int[vertices * degree];
      int[] to = new int[vertices * degree];
      for (int e = 0; e < from.length; e++) {
        from[e] = e % vertices;
        to[e] = e % vertices;
      }
      for (int e = from.length - 1; e > 0; e--) { // any ends: degrees stay
        int j = random.nextInt(e + 1);
        int t = to[e];
        to[e] = to[j];
        to[j] = t;
      }
      int[] colour = EdgeColours.find(from, to, vertices, degree);
      boolean[][] taken = new boolean[2 * vertices][degree];
      for (int e = 0; e < from.length; e++) {
        assertThat(taken[from[e]][colour[e]]).isFalse();
        assertThat(taken[vertices + to[e]][colour[e]]).isFalse();
        taken[from[e]][colour[e]] = true;
        taken[vertices + to[e]][colour[e]] = true;
      }
      assertThat(EdgeColours.find(from, to, vertices, degree - 1)).isNull();
    }
  }
}
