package org.heddle.topology;

import java.util.Arrays;
import org.heddle.fabric.Fabric;

/**
 * Tries to assign levels to the switches of one component so that every link joins adjacent levels.
 *
 * <p>A hypothesis is a set of source switches, the leaves or the roots; the level of a switch then
 * follows from its distance. Only links between switches of equal distance can contradict it. A
 * stray cable (leaf to root, say) spoils the distance of the switch it leads to and makes most of
 * that switch's links contradict, so a switch with more contradicting links than links towards the
 * sources loses the latter, and distances are computed anew.
 *
 * <p>O(links) a hypothesis, times the number of stray cables.
 */
final class LevelSearch {
  private static final int MAX_REPAIRS = 64;
  private static final int MAX_GROUPS = 64;
  private static final double STEP = 1.25;

  private final SwitchGraph graph;
  private final int[] members;
  private final int[] queue;

  LevelSearch(SwitchGraph graph, int[] members) {
    this.graph = graph;
    this.members = members;
    this.queue = new int[members.length];
  }

  /**
   * Levels by switch id that a hypothesis leads to.
   *
   * @param ignored links that do not join adjacent levels; MAX_VALUE if the hypothesis fails
   *     altogether
   */
  record Levels(int[] level, int ignored) {}

  /**
   * Infers the leaves: they are the switches with at least t hosts, for the t that ignores the
   * fewest links, then leaves the most 2-level sub-trees apart, then is the smallest. Switches are
   * judged by the mean of their {@link Siblings}, and one by one where that ignores fewer links, or
   * keeps more sub-trees apart without leaving more hosts above the leaves.
   *
   * <p>The second rule is needed because hosts on a root of a 3-level tree contradict nothing: that
   * root passes for a leaf, but one that joins all 2-level sub-trees.
   */
  Levels infer() {
    double[] single = new double[graph.switches];
    for (int s : members) {
      single[s] = graph.hosts[s];
    }
    Scored bySiblings = infer(Siblings.meanHosts(graph, members), STEP, Integer.MAX_VALUE);
    Scored bySwitch = infer(single, 1, bySiblings.upperHosts);
    boolean better =
        bySwitch.levels.ignored < bySiblings.levels.ignored
            || bySwitch.levels.ignored == bySiblings.levels.ignored
                && bySwitch.apart > bySiblings.apart
                && bySwitch.upperHosts <= bySiblings.upperHosts;
    Scored best = better ? bySwitch : bySiblings;
    boolean explained = best.levels.ignored == 0 && 2 * best.upperHosts < hosts();
    return explained ? best.levels : withoutSomeHosts(best).levels;
  }

  private int hosts() {
    int hosts = 0;
    for (int s : members) {
      hosts += graph.hosts[s];
    }
    return hosts;
  }

  /**
   * Looks further where counts of hosts explain some links by no threshold: hosts of few switches
   * may be on upper ones although leaves have no more. First the switches with hosts on one side of
   * the graph, if it has two (neighbouring levels are on different sides); then groups of siblings
   * are taken off the leaves one after the other, always the group that leaves the fewest links
   * unexplained. What is left of the links, then hosts above the leaves, decide.
   */
  private Scored withoutSomeHosts(Scored first) {
    Scored best = first;
    boolean[] all = new boolean[graph.switches];
    for (int s : members) {
      all[s] = graph.hosts[s] > 0;
    }
    boolean[] side = sides();
    for (int i = 0; i < 2 && side != null; i++) {
      boolean[] leaf = all.clone();
      for (int s : members) {
        leaf[s] &= side[s] == (i == 0);
      }
      best = fewer(best, leaf);
    }
    int[] group = Siblings.groups(graph, members);
    int tried = 0;
    for (boolean more = true; more && best.levels.ignored > 0; ) {
      int taken = Fabric.NONE;
      Scored round = best;
      for (int g : members) {
        if (group[g] == g && tried < MAX_GROUPS && contradicts(g, group, best.levels.level)) {
          tried++;
          Scored found = fewer(round, without(all, group, g));
          taken = found == round ? taken : g;
          round = found;
        }
      }
      more = taken != Fabric.NONE;
      best = round;
      all = more ? without(all, group, taken) : all;
    }
    return best.levels.ignored == 0 ? best : first; // else it was no matter of hosts
  }

  /** True if a group has hosts, and a link of it, or one next to it, joins no adjacent levels. */
  private boolean contradicts(int group, int[] of, int[] level) {
    for (int s : members) {
      if (of[s] != group || graph.hosts[s] == 0) {
        continue;
      }
      for (int e = graph.start[s]; e < graph.start[s + 1]; e++) {
        int peer = graph.peer[e];
        if (Math.abs(level[peer] - level[s]) != 1) {
          return true;
        }
        for (int f = graph.start[peer]; f < graph.start[peer + 1]; f++) {
          if (Math.abs(level[graph.peer[f]] - level[peer]) != 1) {
            return true;
          }
        }
      }
    }
    return false;
  }

  private boolean[] without(boolean[] leaf, int[] group, int g) {
    boolean[] out = leaf.clone();
    for (int s : members) {
      out[s] &= group[s] != g;
    }
    return out;
  }

  private Scored fewer(Scored best, boolean[] leaf) {
    Levels found = fromLeaves(leaf);
    if (found.ignored == Integer.MAX_VALUE) {
      return best;
    }
    LevelFolding.fold(graph, members, found.level);
    int ignored = ignoredLinks(graph, members, found.level);
    int upper = upperHosts(found.level);
    boolean better =
        2 * upper < hosts()
            && (ignored < best.levels.ignored
                || ignored == best.levels.ignored && upper < best.upperHosts);
    return better ? new Scored(new Levels(found.level, ignored), 0, upper) : best;
  }

  /** The side of every switch if links only lead from one side to the other, else null. */
  private boolean[] sides() {
    boolean[] source = new boolean[graph.switches];
    source[members[0]] = true;
    int[] distance = new int[graph.switches];
    search(source, new boolean[graph.port.length], distance);
    boolean[] side = new boolean[graph.switches];
    for (int s : members) {
      side[s] = distance[s] % 2 == 0;
    }
    for (int s : members) {
      for (int e = graph.start[s]; e < graph.start[s + 1]; e++) {
        if (side[s] == side[graph.peer[e]]) {
          return null;
        }
      }
    }
    return side;
  }

  private record Scored(Levels levels, int apart, int upperHosts) {}

  private Scored infer(double[] weight, double step, int mostUpperHosts) {
    Levels none = new Levels(new int[graph.switches], Integer.MAX_VALUE);
    Scored best = new Scored(none, 0, Integer.MAX_VALUE);
    for (double threshold : thresholds(weight, step)) {
      boolean[] leaf = new boolean[graph.switches];
      for (int s : members) {
        leaf[s] = weight[s] >= threshold;
      }
      Levels found = fromLeaves(leaf);
      if (found.ignored == Integer.MAX_VALUE) {
        continue;
      }
      LevelFolding.fold(graph, members, found.level);
      int ignored = ignoredLinks(graph, members, found.level);
      int upper = upperHosts(found.level);
      boolean tooHigh = upper > mostUpperHosts && ignored >= best.levels.ignored;
      int apart = ignored > best.levels.ignored ? 0 : twoLevelSubtrees(found.level);
      if (ignored < best.levels.ignored
          || ignored == best.levels.ignored && apart > best.apart && !tooHigh) {
        best = new Scored(new Levels(found.level, ignored), apart, upper);
      }
    }
    return best;
  }

  private int upperHosts(int[] level) {
    int sum = 0;
    for (int s : members) {
      sum += level[s] > 1 ? graph.hosts[s] : 0;
    }
    return sum;
  }

  /** Number of 2-level sub-trees that have a leaf. */
  private int twoLevelSubtrees(int[] level) {
    int top = 2;
    int[] subtree = Subtrees.representatives(graph, level, top)[top];
    boolean[] seen = new boolean[graph.switches];
    int count = 0;
    for (int s : members) {
      if (level[s] == 1 && !seen[subtree[s]]) {
        seen[subtree[s]] = true;
        count++;
      }
    }
    return count;
  }

  /**
   * Distinct values above 0, ascending, each at least {@code step} times the one before: closer
   * ones would only tell a leaf from another leaf.
   */
  private double[] thresholds(double[] weight, double step) {
    double[] values = new double[members.length];
    int n = 0;
    for (int s : members) {
      if (weight[s] > 0) {
        values[n++] = weight[s];
      }
    }
    Arrays.sort(values, 0, n);
    double[] out = new double[n];
    int count = 0;
    double last = 0;
    for (int i = 0; i < n; i++) {
      if (values[i] > last && values[i] >= step * last) {
        out[count++] = values[i];
      }
      last = values[i];
    }
    return Arrays.copyOf(out, count);
  }

  /** Levels when exactly these switches are leaves. */
  Levels fromLeaves(boolean[] leaf) {
    int[] level = distances(leaf);
    for (int s : members) {
      if (level[s] < 0) {
        return new Levels(level, Integer.MAX_VALUE);
      }
      level[s]++;
    }
    return new Levels(level, ignoredLinks(graph, members, level));
  }

  /**
   * Levels when these switches are roots. The switches with hosts (or, if any are named, the named
   * leaves) that are farthest from the roots get level 1; what lies still farther, a spine without
   * a way up for example, gets the level it has when counted from them.
   */
  Levels fromRoots(boolean[] root, boolean[] leaf) {
    int[] level = distances(root);
    int depth = 0;
    boolean named = false;
    for (int s : members) {
      named |= leaf[s];
    }
    for (int s : members) {
      if (level[s] < 0) {
        return new Levels(level, Integer.MAX_VALUE);
      }
      if (named ? leaf[s] : graph.hosts[s] > 0) {
        depth = Math.max(depth, level[s]);
      }
    }
    for (int s : members) {
      level[s] = Math.abs(depth - level[s]) + 1;
    }
    return new Levels(level, ignoredLinks(graph, members, level));
  }

  /** Number of links of these switches whose ends are not on adjacent levels. */
  static int ignoredLinks(SwitchGraph graph, int[] members, int[] level) {
    int ends = 0;
    for (int s : members) {
      for (int e = graph.start[s]; e < graph.start[s + 1]; e++) {
        ends += Math.abs(level[s] - level[graph.peer[e]]) != 1 ? 1 : 0;
      }
    }
    return ends / 2;
  }

  /** Distance of each member from the sources, after repair; NONE where nothing leads. */
  private int[] distances(boolean[] source) {
    boolean[] cut = new boolean[graph.port.length];
    int[] distance = new int[graph.switches];
    for (int i = 0; i < MAX_REPAIRS; i++) {
      search(source, cut, distance);
      int stray = mostContradicted(cut, distance);
      if (stray == Fabric.NONE) {
        break;
      }
      for (int e = graph.start[stray]; e < graph.start[stray + 1]; e++) {
        if (distance[graph.peer[e]] < distance[stray]) {
          cut[e] = true;
          cut[graph.twin[e]] = true;
        }
      }
    }
    return distance;
  }

  private void search(boolean[] source, boolean[] cut, int[] distance) {
    int tail = 0;
    for (int s : members) {
      distance[s] = source[s] ? 0 : Fabric.NONE;
      if (source[s]) {
        queue[tail++] = s;
      }
    }
    for (int head = 0; head < tail; head++) {
      int s = queue[head];
      for (int e = graph.start[s]; e < graph.start[s + 1]; e++) {
        int next = graph.peer[e];
        if (distance[next] == Fabric.NONE && !cut[e]) {
          distance[next] = distance[s] + 1;
          queue[tail++] = next;
        }
      }
    }
  }

  private int mostContradicted(boolean[] cut, int[] distance) {
    int worst = Fabric.NONE;
    int worstExcess = 0;
    for (int s : members) {
      int excess = 0;
      for (int e = graph.start[s]; e < graph.start[s + 1] && distance[s] > 0; e++) {
        int there = distance[graph.peer[e]];
        if (!cut[e] && there <= distance[s]) {
          excess += there == distance[s] ? 1 : -1;
        }
      }
      if (excess > worstExcess) {
        worst = s;
        worstExcess = excess;
      }
    }
    return worst;
  }

  /**
   * Levels for a component without redundant paths (a chain or star of switches, parallel cables
   * allowed): the centre becomes the root. Of two centres the one with fewer hosts, then the one
   * with the smaller GUID.
   *
   * @return levels without ignored links, or a failed result if the component has redundant paths
   */
  Levels cascade() {
    int pairs = 0;
    for (int s : members) {
      pairs += distinctPeers(s);
    }
    if (pairs / 2 != members.length - 1) {
      return new Levels(new int[graph.switches], Integer.MAX_VALUE);
    }
    int centre = Fabric.NONE;
    int radius = Integer.MAX_VALUE;
    boolean[] root = new boolean[graph.switches];
    boolean[] noCut = new boolean[graph.port.length];
    int[] distance = new int[graph.switches];
    for (int s : members) {
      root[s] = true;
      search(root, noCut, distance);
      root[s] = false;
      int far = distance[queue[members.length - 1]];
      if (far < radius || far == radius && graph.hosts[s] < graph.hosts[centre]) {
        centre = s;
        radius = far;
      }
    }
    root[centre] = true;
    return fromRoots(root, new boolean[graph.switches]);
  }

  private int distinctPeers(int s) {
    int n = 0;
    for (int e = graph.start[s]; e < graph.start[s + 1]; e++) {
      boolean seen = false;
      for (int f = graph.start[s]; f < e && !seen; f++) {
        seen = graph.peer[f] == graph.peer[e];
      }
      n += seen ? 0 : 1;
    }
    return n;
  }
}
