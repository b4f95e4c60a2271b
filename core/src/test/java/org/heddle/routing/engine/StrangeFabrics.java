package org.heddle.routing.engine;

import org.heddle.fabric.Fabric;
import org.heddle.fabric.FabricBuilder;
import org.heddle.topology.generate.FabricExtras;

/** Small fabrics on which an engine went wrong once. */
public final class StrangeFabrics {
  private final FabricBuilder builder = new FabricBuilder();
  private int hosts;
  private int switches;

  private StrangeFabrics() {}

  private int sw(int ports) {
    switches++;
    return builder.addSwitch(0x2000 + switches, ports, "switch-" + switches);
  }

  private void host(int sw, int port) {
    hosts++;
    int host = builder.addCa(0x100 + 2L * hosts, 1, "host-" + hosts);
    builder.setPortGuid(host, 1, 0x101 + 2L * hosts);
    builder.connect(sw, port, host, 1);
  }

  private int leaf(int ports, int firstPort, int count) {
    int leaf = sw(ports);
    for (int i = 0; i < count; i++) {
      host(leaf, firstPort + i);
    }
    return leaf;
  }

  private Fabric build() {
    return builder.build().withAssignedLids();
  }

  /**
   * Three pods of one spine and two leaves, two cores. Both cores use ports 1 to 5, but divide them
   * among the same three spines in different ways: 2 + 1 + 2 and 2 + 2 + 1.
   */
  static Fabric samePortsDividedDifferently() {
    StrangeFabrics f = new StrangeFabrics();
    int[] spines = {f.sw(8), f.sw(8), f.sw(8)};
    int[] cores = {f.sw(5), f.sw(5)};
    int[][] toSpine = {{0, 0, 1, 2, 2}, {0, 0, 1, 1, 2}};
    int[] next = {3, 3, 3};
    for (int c = 0; c < 2; c++) {
      for (int k = 0; k < 5; k++) {
        int spine = toSpine[c][k];
        f.builder.connect(cores[c], k + 1, spines[spine], next[spine]++);
      }
    }
    for (int spine : spines) {
      for (int k = 1; k <= 2; k++) {
        f.builder.connect(spine, k, f.leaf(4, 1, 2), 4);
      }
    }
    return f.build();
  }

  /**
   * Two pods below two cores. Hosts of leaves sit on ports 20 and 21, one on a spine has port 1.
   */
  static Fabric upperHostOnALowPort() {
    StrangeFabrics f = new StrangeFabrics();
    int[] cores = {f.sw(4), f.sw(4)};
    for (int pod = 0; pod < 2; pod++) {
      int leaf = f.leaf(24, 20, 2);
      for (int s = 0; s < 2; s++) {
        int spine = f.sw(8);
        f.builder.connect(leaf, s + 1, spine, 2);
        f.builder.connect(spine, 3, cores[0], 2 * pod + s + 1);
        f.builder.connect(spine, 4, cores[1], 2 * pod + s + 1);
        if (pod == 0 && s == 0) {
          f.host(spine, 1);
        }
      }
    }
    return f.build();
  }

  /**
   * Leaves below director switches, each a 2-level Clos of boards and spines inside. Every leaf has
   * a cable to two boards of every director, so that all leaves hang together below the spines, but
   * most pairs have no board in common.
   */
  static Fabric directors(int directors, int leaves, int boards, int spines) {
    StrangeFabrics f = new StrangeFabrics();
    int[] leaf = new int[leaves];
    for (int l = 0; l < leaves; l++) {
      leaf[l] = f.leaf(4 + 2 * directors, 1, 4);
    }
    for (int d = 0; d < directors; d++) {
      int[] board = new int[boards];
      int[] next = new int[boards];
      for (int i = 0; i < boards; i++) {
        board[i] = f.sw(40);
      }
      for (int l = 0; l < leaves; l++) {
        int one = l % boards;
        int other = (l + 1) % boards;
        f.builder.connect(leaf[l], 5 + 2 * d, board[one], ++next[one]);
        f.builder.connect(leaf[l], 6 + 2 * d, board[other], ++next[other]);
      }
      for (int s = 0; s < spines; s++) {
        int spine = f.sw(boards);
        for (int i = 0; i < boards; i++) {
          f.builder.connect(board[i], ++next[i], spine, i + 1);
        }
      }
    }
    return f.build();
  }

  /**
   * Six pods of three leaves and four spines below 80 roots. A root reaches one spine of every pod,
   * in so mixed a way that no planes are to be seen: every root is one, so that there are 80 slots
   * of which a spine has 20.
   */
  static Fabric mixedRoots() {
    StrangeFabrics f = new StrangeFabrics();
    int[] roots = new int[80];
    for (int r = 0; r < roots.length; r++) {
      roots[r] = f.sw(6);
    }
    for (int p = 0; p < 6; p++) {
      int[] spines = {f.sw(30), f.sw(30), f.sw(30), f.sw(30)};
      int[] next = {3, 3, 3, 3};
      for (int l = 0; l < 3; l++) {
        int leaf = f.leaf(8, 1, 4);
        for (int s = 0; s < 4; s++) {
          f.builder.connect(leaf, 5 + s, spines[s], l + 1);
        }
      }
      for (int r = 0; r < roots.length; r++) {
        int s = r / (p + 1) % 4;
        f.builder.connect(roots[r], p + 1, spines[s], ++next[s]);
      }
    }
    return f.build();
  }

  /**
   * A small tree, and apart from it a ring of five switches that has aggregation nodes but no
   * hosts.
   */
  static Fabric treeAndHostlessRing() {
    StrangeFabrics f = new StrangeFabrics();
    int[] leaves = {f.leaf(8, 1, 3), f.leaf(8, 1, 3)};
    for (int s = 0; s < 2; s++) {
      int spine = f.sw(4);
      f.builder.connect(leaves[0], 5 + s, spine, 1);
      f.builder.connect(leaves[1], 5 + s, spine, 2);
    }
    int[] ring = new int[5];
    for (int i = 0; i < ring.length; i++) {
      ring[i] = f.sw(4);
    }
    for (int i = 0; i < ring.length; i++) {
      f.builder.connect(ring[i], 1, ring[(i + 1) % ring.length], 2);
    }
    return FabricExtras.withAggregationNodes(f.builder.build()).withAssignedLids();
  }

  /** Switches in a row, two hosts each. */
  static Fabric chain(int length) {
    StrangeFabrics f = new StrangeFabrics();
    int last = f.leaf(4, 1, 2);
    for (int i = 1; i < length; i++) {
      int next = f.leaf(4, 1, 2);
      f.builder.connect(last, 4, next, 3);
      last = next;
    }
    return f.build();
  }

  /**
   * Pods whose spines form groups; every core of a group is cabled to all spines of the group in
   * every pod, as in rail-optimised machines. The way down from a core to a leaf is not unique.
   * Every switch has an aggregation node.
   */
  public static Fabric pods(int pods, int leaves, int spines, int groups, int coresOfAGroup) {
    StrangeFabrics f = new StrangeFabrics();
    int[][] cores = new int[groups][coresOfAGroup];
    for (int[] group : cores) {
      for (int c = 0; c < coresOfAGroup; c++) {
        group[c] = f.sw(pods * spines + 1);
      }
    }
    int spinesOfAGroup = spines / groups;
    for (int p = 0; p < pods; p++) {
      int[] spine = new int[spines];
      for (int s = 0; s < spines; s++) {
        spine[s] = f.sw(leaves + coresOfAGroup + 1);
        for (int c = 0; c < coresOfAGroup; c++) {
          int port = p * spinesOfAGroup + s / groups + 1;
          f.builder.connect(spine[s], leaves + c + 1, cores[s % groups][c], port);
        }
      }
      for (int l = 0; l < leaves; l++) {
        int leaf = f.leaf(4 + spines + 1, 1, 4);
        for (int s = 0; s < spines; s++) {
          f.builder.connect(leaf, 5 + s, spine[s], l + 1);
        }
      }
    }
    return FabricExtras.withAggregationNodes(f.builder.build()).withAssignedLids();
  }

  /**
   * Four levels of switches, each cabled to some of the next level drawn from a seed, and an
   * aggregation node on every switch: planes are merged at every level.
   */
  static Fabric layered(long seed) {
    java.util.SplittableRandom random = new java.util.SplittableRandom(seed);
    FabricBuilder b = new FabricBuilder();
    int[] sizes = {8, 6, 5, 4};
    int[][] at = new int[sizes.length][];
    int guid = 0x2000;
    int host = 0x100;
    for (int l = 0; l < sizes.length; l++) {
      at[l] = new int[sizes[l]];
      for (int i = 0; i < sizes[l]; i++) {
        at[l][i] = b.addSwitch(guid, 40, "L" + (l + 1) + "_" + i);
        guid++;
        for (int k = 0; l == 0 && k < 4; k++) {
          int ca = b.addCa(host, 1, "host-" + host);
          b.setPortGuid(ca, 1, host + 1);
          b.connect(at[l][i], 30 + k, ca, 1);
          host += 2;
        }
      }
    }
    int[] used = new int[b.size()];
    for (int l = 0; l + 1 < sizes.length; l++) {
      for (int s : at[l]) {
        int first = random.nextInt(sizes[l + 1]);
        for (int k = 0; k < 2 + random.nextInt(2); k++) {
          int p = at[l + 1][(first + k * (1 + random.nextInt(2))) % sizes[l + 1]];
          b.connect(s, ++used[s], p, ++used[p]);
        }
      }
    }
    return FabricExtras.withAggregationNodes(b.build()).withAssignedLids();
  }
}
