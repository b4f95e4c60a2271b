package org.heddle.topology;

/**
 * Groups switches that have most of their neighbours in common: at least two, and three in five of
 * the one that has fewer.
 *
 * <p>In a fat-tree such switches are of one level: leaves of one 2-level sub-tree share its spines,
 * roots of one plane share their children, while a leaf and a root of a PGFT have one neighbour in
 * common at most, and of the denser wirings that sites build, half. What a group has in hosts is
 * therefore far more telling than what a single switch has, of which damage, or a subnet manager
 * node, may take or give some. O(switches * radix^2).
 */
final class Siblings {
  private final SwitchGraph graph;
  private final int[] members;
  private final int[] parent;

  private Siblings(SwitchGraph graph, int[] members) {
    this.graph = graph;
    this.members = members;
    this.parent = new int[graph.switches];
    for (int s : members) {
      parent[s] = s;
    }
  }

  /** For each of these switches, the mean number of hosts of a switch of its group. */
  static double[] meanHosts(SwitchGraph graph, int[] members) {
    Siblings siblings = new Siblings(graph, members);
    siblings.group();
    double[] mean = new double[graph.switches];
    int[] size = new int[graph.switches];
    for (int s : members) {
      int root = siblings.find(s);
      mean[root] += graph.hosts[s];
      size[root]++;
    }
    for (int s : members) {
      int root = siblings.find(s);
      if (s != root) {
        mean[s] = mean[root] / size[root];
      }
    }
    for (int s : members) {
      if (s == siblings.find(s)) {
        mean[s] /= size[s];
      }
    }
    return mean;
  }

  /** The group of each of these switches, named after its smallest. */
  static int[] groups(SwitchGraph graph, int[] members) {
    Siblings siblings = new Siblings(graph, members);
    siblings.group();
    int[] out = new int[graph.switches];
    for (int s : members) {
      out[s] = siblings.find(s);
    }
    return out;
  }

  private void group() {
    int[] degree = new int[graph.switches];
    int[] shared = new int[graph.switches];
    int[] lastVia = new int[graph.switches]; // so that parallel links count once
    for (int s : members) {
      lastVia[s] = -1;
      for (int e = graph.start[s]; e < graph.start[s + 1]; e++) {
        degree[s] += isRepeated(s, e) ? 0 : 1;
      }
    }
    int[] touched = new int[members.length];
    for (int s : members) {
      int count = 0;
      for (int e = graph.start[s]; e < graph.start[s + 1]; e++) {
        int via = graph.peer[e];
        if (isRepeated(s, e)) {
          continue;
        }
        for (int f = graph.start[via]; f < graph.start[via + 1]; f++) {
          int other = graph.peer[f];
          if (other > s && lastVia[other] != via) {
            lastVia[other] = via;
            if (shared[other]++ == 0) {
              touched[count++] = other;
            }
          }
        }
      }
      for (int i = 0; i < count; i++) {
        int other = touched[i];
        if (shared[other] >= 2 && 5 * shared[other] >= 3 * Math.min(degree[s], degree[other])) {
          join(s, other);
        }
        shared[other] = 0;
        lastVia[other] = -1;
      }
    }
  }

  /** True if an earlier entry leads to the same neighbour. */
  private boolean isRepeated(int s, int e) {
    for (int f = graph.start[s]; f < e; f++) {
      if (graph.peer[f] == graph.peer[e]) {
        return true;
      }
    }
    return false;
  }

  private void join(int a, int b) {
    int x = find(a);
    int y = find(b);
    parent[Math.max(x, y)] = Math.min(x, y);
  }

  private int find(int s) {
    int x = s;
    while (parent[x] != x) {
      parent[x] = parent[parent[x]];
      x = parent[x];
    }
    return x;
  }
}
