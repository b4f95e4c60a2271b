package org.heddle.routing.tree;

import java.util.HashMap;
import java.util.Map;

/**
 * Classes of switches whose table rows differ only in what lies below them: the same level, the
 * same parents behind the same ports, and the same route by the {@link ReRootedOrder}. On an
 * undamaged tree there are few classes; on a damaged one most switches are alone in theirs.
 */
final class SwitchClasses {
  private final TreeGraph graph;
  private final ReRootedOrder turns;

  SwitchClasses(TreeGraph graph, ReRootedOrder turns) {
    this.graph = graph;
    this.turns = turns;
  }

  /** Numbers the classes into {@code classOf} and returns their sizes. O(slots). */
  int[] find(int[] classOf) {
    Map<Integer, Integer> firstOfHash = new HashMap<>();
    int[] representative = new int[graph.switches];
    int[] nextOfHash = new int[graph.switches];
    int[] sizes = new int[graph.switches];
    int count = 0;
    for (int s = 0; s < graph.switches; s++) {
      int hash = hash(s);
      int c = firstOfHash.getOrDefault(hash, -1);
      int head = c;
      while (c >= 0 && !same(s, representative[c])) {
        c = nextOfHash[c];
      }
      if (c < 0) {
        c = count++;
        representative[c] = s;
        nextOfHash[c] = head;
        firstOfHash.put(hash, c);
      }
      classOf[s] = c;
      sizes[c]++;
    }
    return java.util.Arrays.copyOf(sizes, count);
  }

  private int hash(int s) {
    int h = graph.level[s] * 31 + turns.parentPort[s];
    for (int t = graph.slotBase[s]; t < graph.slotBase[s + 1]; t++) {
      h = h * 31 + graph.slotParent[t];
      h = h * 31 + graph.slotPort[t];
    }
    return h;
  }

  private boolean same(int a, int b) {
    if (graph.level[a] != graph.level[b]
        || turns.parentPort[a] != turns.parentPort[b]
        || !java.util.Arrays.equals(turns.parallelPorts[a], turns.parallelPorts[b])
        || turns.transit[a] != turns.transit[b]) {
      return false;
    }
    int x = graph.slotBase[a];
    int y = graph.slotBase[b];
    for (int t = 0; t < graph.slots[graph.level[a]]; t++) {
      if (graph.slotParent[x + t] != graph.slotParent[y + t]
          || graph.slotPort[x + t] != graph.slotPort[y + t]) {
        return false;
      }
    }
    return sameWayOut(turns.parent[a], turns.parent[b]);
  }

  private boolean sameWayOut(int a, int b) {
    if (a == b) {
      return true;
    }
    if (a < 0 || b < 0) {
      return false;
    }
    for (int w = 0; w < graph.words; w++) {
      if (turns.filled[a * graph.words + w] != turns.filled[b * graph.words + w]) {
        return false;
      }
    }
    return true;
  }
}
