package org.heddle.topology;

import java.util.Arrays;
import java.util.function.BooleanSupplier;
import org.heddle.fabric.Fabric;

/**
 * Corrects levels that are wrong when counted as the distance from leaves with hosts, because hosts
 * are missing.
 *
 * <p>A leaf that lost its hosts is as far from the other leaves as a root of level 3, a whole
 * sub-tree without hosts seems to grow upwards from its roots. Both are folded down: (1) a switch
 * of level l &gt;= 3 whose neighbours all lie in one (l-1)-level sub-tree is of no use above it and
 * gets level l-2, unless it looks more like a damaged root than like a leaf; (2) if all leaves meet
 * at level H already, a group of switches that rises two or more levels above H is reflected at H.
 * Neither is done if hosts lose their path up and down by it: then what lies above is needed (the
 * spines of a director switch whose line boards share leaves, say).
 */
final class LevelFolding {
  private static final int MAX_ROUNDS = 8;

  private final SwitchGraph graph;
  private final int[] members;
  private final int[] level;

  private LevelFolding(SwitchGraph graph, int[] members, int[] level) {
    this.graph = graph;
    this.members = members;
    this.level = level;
  }

  /** Folds in place. O(rounds * links). */
  static void fold(SwitchGraph graph, int[] members, int[] level) {
    LevelFolding folding = new LevelFolding(graph, members, level);
    for (int i = 0; i < MAX_ROUNDS; i++) {
      if (!folding.kept(folding::reflect) && !folding.kept(folding::lower)) {
        return;
      }
    }
  }

  /** Does a step, but takes it back if it separates hosts. */
  private boolean kept(BooleanSupplier step) {
    int[] before = level.clone();
    if (!step.getAsBoolean()) {
      return false;
    }
    if (hostsApart(level) <= hostsApart(before)) {
      return true;
    }
    System.arraycopy(before, 0, level, 0, level.length);
    return false;
  }

  private int hostsApart(int[] levels) {
    UpDownReach reach = new UpDownReach(graph, members, levels);
    return reach.leafPairs + reach.upperPairs;
  }

  private int top() {
    int top = 0;
    for (int s : members) {
      top = Math.max(top, level[s]);
    }
    return top;
  }

  private boolean lower() {
    int top = top();
    if (top < 3) {
      return false;
    }
    int[][] subtree = Subtrees.representatives(graph, level, top);
    int[] typicalUp = typicalUpDegrees(top);
    boolean[] lowered = new boolean[graph.switches];
    boolean any = false;
    for (int s : members) {
      int below = level[s] - 1;
      lowered[s] = level[s] >= 3 && fits(s, subtree[below], typicalUp[below - 1]);
      any |= lowered[s];
    }
    for (int s : members) {
      level[s] -= lowered[s] ? 2 : 0;
    }
    return any;
  }

  private boolean fits(int s, int[] subtree, int typicalUp) {
    int common = Fabric.NONE;
    int degree = 0;
    int last = Fabric.NONE;
    for (int e = graph.start[s]; e < graph.start[s + 1]; e++) {
      int peer = graph.peer[e];
      if (level[peer] == level[s] + 1) {
        return false;
      }
      if (level[peer] != level[s] - 1) {
        continue;
      }
      if (common != Fabric.NONE && subtree[peer] != common) {
        return false;
      }
      common = subtree[peer];
      degree += peer != last ? 1 : 0; // parallel cables mostly sit side by side
      last = peer;
    }
    return common != Fabric.NONE && (graph.hosts[s] > 0 || 2 * degree > typicalUp);
  }

  /** By level: the median number of upward links of its switches. */
  private int[] typicalUpDegrees(int top) {
    int[] typical = new int[top + 1];
    for (int i = 1; i < top; i++) {
      int[] degrees = new int[members.length];
      int n = 0;
      for (int s : members) {
        if (level[s] == i) {
          degrees[n++] = upDegree(s);
        }
      }
      Arrays.sort(degrees, 0, n);
      typical[i] = n == 0 ? 0 : degrees[n / 2];
    }
    return typical;
  }

  private int upDegree(int s) {
    int degree = 0;
    int last = Fabric.NONE;
    for (int e = graph.start[s]; e < graph.start[s + 1]; e++) {
      int peer = graph.peer[e];
      degree += level[peer] == level[s] + 1 && peer != last ? 1 : 0;
      last = peer;
    }
    return degree;
  }

  private boolean reflect() {
    int top = top();
    int meet = meetingLevel(top);
    if (top < meet + 2) {
      return false;
    }
    boolean[] seen = new boolean[graph.switches];
    int[] group = new int[members.length];
    boolean any = false;
    for (int s : members) {
      if (level[s] > meet && !seen[s]) {
        int size = collect(s, meet, seen, group);
        any |= reflectGroup(group, size, meet);
      }
    }
    return any;
  }

  /** The lowest level at which all leaves with hosts are in one sub-tree. */
  private int meetingLevel(int top) {
    int[][] subtree = Subtrees.representatives(graph, level, top);
    for (int i = 1; i < top; i++) {
      int common = Fabric.NONE;
      boolean one = true;
      for (int s : members) {
        if (level[s] == 1 && graph.hosts[s] > 0) {
          one &= common == Fabric.NONE || common == subtree[i][s];
          common = subtree[i][s];
        }
      }
      if (one) {
        return i;
      }
    }
    return top;
  }

  private int collect(int from, int meet, boolean[] seen, int[] group) {
    int tail = 0;
    group[tail++] = from;
    seen[from] = true;
    for (int head = 0; head < tail; head++) {
      int s = group[head];
      for (int e = graph.start[s]; e < graph.start[s + 1]; e++) {
        int next = graph.peer[e];
        if (level[next] > meet && !seen[next]) {
          seen[next] = true;
          group[tail++] = next;
        }
      }
    }
    return tail;
  }

  private boolean reflectGroup(int[] group, int size, int meet) {
    int high = 0;
    for (int i = 0; i < size; i++) {
      high = Math.max(high, level[group[i]]);
    }
    if (high < meet + 2 || 2 * meet - high < 1) {
      return false;
    }
    for (int i = 0; i < size; i++) {
      level[group[i]] = 2 * meet - level[group[i]];
    }
    return true;
  }
}
