package org.heddle.allocation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.NodeType;
import org.heddle.topology.FatTree;
import org.heddle.topology.generate.FabricExtras;

/**
 * Finds the coordinates of a {@link Plant}: rails, then leaves with their hosts, then, rail by
 * rail, planes ({@link RailPlanes}), positions and root links.
 */
final class PlantBuilder {
  private final Fabric fabric;
  private final FatTree tree;
  private final List<String> notes = new ArrayList<>();
  private final PlantShape shape = new PlantShape();
  private int[] railOfPlane;
  private int rails;

  /** Leaf index in the plant by switch id, or NONE. */
  private int[] leafOf;

  private RailPlanes[] planes;

  private PlantBuilder(Fabric fabric, FatTree tree) {
    this.fabric = fabric;
    this.tree = tree;
  }

  static Plant.Outcome build(Fabric fabric, FatTree tree) {
    return new PlantBuilder(fabric, tree).build();
  }

  private Plant.Outcome build() {
    if (tree.planeCount() == 0) {
      return new Plant.Outcome.Unsupported("the tree has no leaf with hosts");
    }
    if (tree.levels() > 3) {
      notes.add(
          "the tree has "
              + tree.levels()
              + " levels; tenants with links stay inside one sub-tree of three");
    }
    findRails();
    findLeaves();
    findSubtrees();
    fillHosts();
    findIslands();
    planes = new RailPlanes[rails];
    for (int r = 0; r < rails; r++) {
      planes[r] = new RailPlanes(fabric, tree, shape, r);
    }
    fillLinks();
    fillMasks();
    return new Plant.Outcome.Built(new Plant(fabric, shape), notes);
  }

  // ---- rails

  /** Planes of the tree that share hosts are different rails; the others are islands of one. */
  private void findRails() {
    int n = tree.planeCount();
    boolean[][] share = new boolean[n][n];
    for (int node = 0; node < fabric.nodeCount(); node++) {
      if (isHost(node)) {
        markShared(node, share);
      }
    }
    railOfPlane = new int[n];
    for (int a = 0; a < n; a++) {
      boolean[] used = new boolean[n + 1];
      for (int b = 0; b < a; b++) {
        used[railOfPlane[b]] |= share[a][b];
      }
      while (used[railOfPlane[a]]) {
        railOfPlane[a]++;
      }
      rails = Math.max(rails, railOfPlane[a] + 1);
    }
  }

  private void markShared(int node, boolean[][] share) {
    for (int i = 1; i <= fabric.portCount(node); i++) {
      for (int j = i + 1; j <= fabric.portCount(node); j++) {
        int a = leafBehind(node, i);
        int b = leafBehind(node, j);
        if (a != Fabric.NONE && b != Fabric.NONE && tree.plane(a) != tree.plane(b)) {
          share[tree.plane(a)][tree.plane(b)] = true;
          share[tree.plane(b)][tree.plane(a)] = true;
        }
      }
    }
  }

  private boolean isHost(int node) {
    return fabric.nodeType(node) == NodeType.CA && !FabricExtras.isAggregationNode(fabric, node);
  }

  /** The leaf switch a port of a host is connected to, or NONE. */
  private int leafBehind(int node, int number) {
    int port = fabric.port(node, number);
    if (port == Fabric.NONE || fabric.peer(port) == Fabric.NONE) {
      return Fabric.NONE;
    }
    int sw = fabric.peerNode(port);
    return fabric.isSwitch(sw) && tree.isLeaf(sw) && tree.plane(sw) != Fabric.NONE
        ? sw
        : Fabric.NONE;
  }

  // ---- leaves and hosts

  private void findLeaves() {
    leafOf = new int[fabric.switchCount()];
    Arrays.fill(leafOf, Fabric.NONE);
    int n = 0;
    int[] first = new int[tree.leafCount()];
    for (int i = 0; i < tree.leafCount(); i++) {
      int sw = tree.leaf(i);
      if (tree.plane(sw) != Fabric.NONE && railOfPlane[tree.plane(sw)] == 0) {
        leafOf[sw] = n;
        first[n++] = sw;
      }
    }
    shape.leafSwitch = new int[rails][n];
    shape.leafSwitch[0] = Arrays.copyOf(first, n);
    for (int r = 1; r < rails; r++) {
      Arrays.fill(shape.leafSwitch[r], Fabric.NONE);
      for (int l = 0; l < n; l++) {
        int sw = commonLeaf(first[l], r);
        if (sw != Fabric.NONE && leafOf[sw] == Fabric.NONE) {
          leafOf[sw] = l;
          shape.leafSwitch[r][l] = sw;
        }
      }
    }
  }

  /**
   * The leaf of a rail that most hosts of a leaf are on too; the lowest id if there are several.
   */
  private int commonLeaf(int leafSwitch, int rail) {
    int[] votes = new int[fabric.switchCount()];
    for (int number = 1; number <= fabric.portCount(leafSwitch); number++) {
      int host = hostBehind(leafSwitch, number);
      for (int i = 1; host != Fabric.NONE && i <= fabric.portCount(host); i++) {
        int sw = leafBehind(host, i);
        if (sw != Fabric.NONE && railOfPlane[tree.plane(sw)] == rail) {
          votes[sw]++;
        }
      }
    }
    int best = Fabric.NONE;
    for (int sw = 0; sw < votes.length; sw++) {
      if (votes[sw] > 0 && (best == Fabric.NONE || votes[sw] > votes[best])) {
        best = sw;
      }
    }
    return best;
  }

  private int hostBehind(int leafSwitch, int number) {
    int port = fabric.port(leafSwitch, number);
    if (port == Fabric.NONE || fabric.peer(port) == Fabric.NONE) {
      return Fabric.NONE;
    }
    int node = fabric.peerNode(port);
    return isHost(node) ? node : Fabric.NONE;
  }

  private void fillHosts() {
    int leaves = shape.leafSwitch[0].length;
    shape.hosts = new int[leaves][];
    shape.hostLeaf = new int[fabric.nodeCount()];
    shape.hostSlot = new int[fabric.nodeCount()];
    Arrays.fill(shape.hostLeaf, Fabric.NONE);
    Arrays.fill(shape.hostSlot, Fabric.NONE);
    int lame = 0;
    for (int l = 0; l < leaves; l++) {
      int sw = shape.leafSwitch[0][l];
      int[] found = new int[fabric.portCount(sw)];
      int n = 0;
      for (int number = 1; number <= fabric.portCount(sw); number++) {
        int host = hostBehind(sw, number);
        if (host == Fabric.NONE || shape.hostLeaf[host] != Fabric.NONE) {
          continue; // a second port of a host that has been counted
        }
        if (!onAllRails(host, l)) {
          lame++;
          continue;
        }
        shape.hostLeaf[host] = l;
        shape.hostSlot[host] = n;
        found[n++] = host;
      }
      shape.hosts[l] = Arrays.copyOf(found, n);
      shape.hostCount += n;
      shape.maxSlots = Math.max(shape.maxSlots, n);
    }
    if (lame > 0) {
      notes.add(lame + " hosts lack a port in one of the rails and are not allocated");
    }
  }

  private boolean onAllRails(int host, int leaf) {
    for (int r = 1; r < rails; r++) {
      boolean found = false;
      for (int i = 1; i <= fabric.portCount(host) && !found; i++) {
        int sw = leafBehind(host, i);
        found = sw != Fabric.NONE && sw == shape.leafSwitch[r][leaf];
      }
      if (!found) {
        return false;
      }
    }
    return true;
  }

  // ---- sub-trees

  private int subtree(int sw) {
    return tree.levels() < 2 ? tree.subtreeOf(sw, 1) : tree.subtreeOf(sw, 2);
  }

  private void findSubtrees() {
    int leaves = shape.leafSwitch[0].length;
    shape.leafSubtree = new int[leaves];
    int[] first = new int[leaves + 1];
    int n = 0;
    for (int l = 0; l < leaves; l++) {
      if (l == 0 || subtree(shape.leafSwitch[0][l]) != subtree(shape.leafSwitch[0][l - 1])) {
        first[n++] = l;
      }
      shape.leafSubtree[l] = n - 1;
    }
    first[n] = leaves;
    shape.firstLeaf = Arrays.copyOf(first, n + 1);
    for (int r = 1; r < rails; r++) {
      matchSubtrees(r, n);
    }
  }

  /**
   * Pairs sub-trees of a rail with those of the first one, by most common leaves; of equals the
   * lowest numbers. Damage may split a sub-tree on one rail only: leaves outside the pairs have no
   * counterpart on this rail, and their hosts are not allocated.
   */
  private void matchSubtrees(int rail, int count) {
    int there = tree.subtreeCount(Math.min(2, tree.levels()));
    Map<Integer, Integer> common = new TreeMap<>(); // pair -> leaves
    for (int l = 0; l < shape.leafSubtree.length; l++) {
      if (shape.leafSwitch[rail][l] != Fabric.NONE) {
        common.merge(pair(rail, l, there), 1, Integer::sum);
      }
    }
    List<Integer> pairs = new ArrayList<>(common.keySet());
    pairs.sort(Comparator.comparing(common::get).reversed()); // stable: lowest numbers first
    int[] matched = new int[count];
    Arrays.fill(matched, Fabric.NONE);
    boolean[] taken = new boolean[there];
    for (int pair : pairs) {
      if (matched[pair / there] == Fabric.NONE && !taken[pair % there]) {
        matched[pair / there] = pair;
        taken[pair % there] = true;
      }
    }
    for (int l = 0; l < shape.leafSubtree.length; l++) {
      if (shape.leafSwitch[rail][l] != Fabric.NONE
          && matched[shape.leafSubtree[l]] != pair(rail, l, there)) {
        shape.leafSwitch[rail][l] = Fabric.NONE;
      }
    }
  }

  /** The sub-trees of a leaf on the first rail and on another. */
  private int pair(int rail, int leaf, int count) {
    return shape.leafSubtree[leaf] * count + subtree(shape.leafSwitch[rail][leaf]);
  }

  /** Leaves between which there is a way in every rail, whatever links it takes. */
  private void findIslands() {
    Map<List<Integer>, Integer> numbers = new HashMap<>();
    shape.leafIsland = new int[shape.leafSubtree.length];
    for (int l = 0; l < shape.leafIsland.length; l++) {
      List<Integer> parts = new ArrayList<>();
      for (int r = 0; r < rails; r++) {
        int sw = shape.leafSwitch[r][l];
        parts.add(sw == Fabric.NONE ? Fabric.NONE : tree.plane(sw));
      }
      shape.leafIsland[l] = numbers.computeIfAbsent(parts, _ -> numbers.size());
    }
    shape.islands = numbers.size();
  }

  // ---- links

  private void fillLinks() {
    int labels = 0;
    int roots = 0;
    for (RailPlanes p : planes) {
      labels = Math.max(labels, p.labels);
      roots = Math.max(roots, p.rootLinks);
    }
    shape.planes = labels;
    shape.rootLinks = roots;
    int[] parallel = new int[labels];
    for (RailPlanes p : planes) {
      for (int q = 0; q < p.labels; q++) {
        parallel[q] = Math.max(parallel[q], p.parallel[q]);
      }
    }
    int[][] position = number(parallel);
    int leaves = shape.leafSubtree.length;
    int subtrees = shape.firstLeaf.length - 1;
    shape.upPort = new int[rails][leaves * shape.planeOf.length];
    shape.spine = new int[rails][subtrees * labels];
    shape.rootPort = new int[rails][subtrees * labels * roots];
    for (int r = 0; r < rails; r++) {
      Arrays.fill(shape.upPort[r], Fabric.NONE);
      Arrays.fill(shape.spine[r], Fabric.NONE);
      Arrays.fill(shape.rootPort[r], Fabric.NONE);
      planes[r].fill(position);
    }
  }

  /** Numbers positions, first links of all planes before second ones. */
  private int[][] number(int[] parallel) {
    int most = 0;
    int total = 0;
    for (int k : parallel) {
      most = Math.max(most, k);
      total += k;
    }
    shape.planeOf = new int[total];
    int[][] position = new int[parallel.length][most];
    int n = 0;
    for (int k = 0; k < most; k++) {
      for (int q = 0; q < parallel.length; q++) {
        if (k < parallel[q]) {
          shape.planeOf[n] = q;
          position[q][k] = n++;
        }
      }
    }
    return position;
  }

  private void fillMasks() {
    shape.slotWords = Bits.words(shape.maxSlots);
    shape.positionWords = Bits.words(shape.planeOf.length);
    shape.rootWords = Bits.words(shape.rootLinks);
    shape.slotMask = new long[shape.leafSubtree.length * shape.slotWords];
    shape.subtreeSlots = new int[shape.firstLeaf.length - 1];
    for (int l = 0; l < shape.leafSubtree.length; l++) {
      shape.subtreeSlots[shape.leafSubtree[l]] += shape.hosts[l].length;
      for (int s = 0; s < shape.hosts[l].length; s++) {
        Bits.set(shape.slotMask, l * shape.slotWords, s);
      }
    }
    shape.upMask =
        mask(shape.upPort, shape.leafSubtree.length, shape.planeOf.length, shape.positionWords);
    int spines = (shape.firstLeaf.length - 1) * shape.planes;
    shape.rootMask = mask(shape.rootPort, spines, shape.rootLinks, shape.rootWords);
    shape.upsAlive = share(shape.upMask, shape.leafSubtree.length * shape.planeOf.length);
    shape.rootsAlive = share(shape.rootMask, spines * shape.rootLinks);
  }

  private static double share(long[] mask, int whole) {
    return whole == 0 ? 1 : (double) Bits.count(mask, 0, mask.length) / whole;
  }

  /** Bit i of owner o is set if all rails have a port there. */
  private static long[] mask(int[][] port, int owners, int width, int words) {
    long[] out = new long[owners * words];
    for (int o = 0; o < owners; o++) {
      for (int i = 0; i < width; i++) {
        boolean all = true;
        for (int[] rail : port) {
          all &= rail[o * width + i] != Fabric.NONE;
        }
        if (all) {
          Bits.set(out, o * words, i);
        }
      }
    }
    return out;
  }
}
