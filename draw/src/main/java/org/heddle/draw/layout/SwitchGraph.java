package org.heddle.draw.layout;

import java.util.Arrays;

/** Neighbours of every switch, ascending, in compressed rows; parallel cables count once. */
final class SwitchGraph {
  private final int[] first;
  private final int[] neighbour;

  SwitchGraph(Cables cables, int switches) {
    first = new int[switches + 1];
    for (int s = 0; s < cables.strands(); s++) {
      first[cables.lower(s) + 1]++;
      first[cables.upper(s) + 1]++;
    }
    for (int i = 0; i < switches; i++) {
      first[i + 1] += first[i];
    }
    neighbour = new int[first[switches]];
    int[] at = first.clone();
    for (int s = 0; s < cables.strands(); s++) {
      neighbour[at[cables.lower(s)]++] = cables.upper(s);
      neighbour[at[cables.upper(s)]++] = cables.lower(s);
    }
    for (int i = 0; i < switches; i++) {
      Arrays.sort(neighbour, first[i], first[i + 1]);
    }
  }

  int degree(int sw) {
    return first[sw + 1] - first[sw];
  }

  int neighbour(int sw, int i) {
    return neighbour[first[sw] + i];
  }
}
