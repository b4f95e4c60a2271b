package org.heddle.allocation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.heddle.fabric.Counted;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Machines;
import org.heddle.topology.FatTree;

/**
 * Finds the coordinates of a {@link Plant}: units with their machines ({@link MachineUnits}),
 * rails, then, for rails that share switches, planes ({@link RailPlanes}), positions and root
 * links.
 */
final class PlantBuilder {
  private final Fabric fabric;
  private final FatTree tree;
  private final List<String> notes = new ArrayList<>();
  private final PlantShape shape = new PlantShape();
  private MachineUnits found;
  private List<MachineUnits.Unit> units;
  private int rails;

  /** By colour: leaf switches of a unit at most, rails of one leaf, first rail. */
  private int[] width;

  private int[] lanes;
  private int[] firstRail;

  /** By colour and leaf of a unit: the first one whose leaves meet its leaves above. */
  private int[][] groups;

  private List<RailPlanes> planes;

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
    found = new MachineUnits(fabric, tree);
    units = found.units;
    findRails();
    findLeaves();
    findSubtrees();
    fillHosts();
    findIslands();
    findGroups();
    note();
    findPlanes();
    fillLinks();
    fillMasks();
    noteSlowLinks();
    return new Plant.Outcome.Built(new Plant(fabric, shape), notes);
  }

  // ---- rails

  /** Unit leaves beyond this are too many to give links on all of them. */
  private static final int MOST_LEAVES = 64;

  /** As many rails as the widest unit has leaves, each with as many lanes as most machines need. */
  private void findRails() {
    width = new int[found.colours];
    lanes = new int[found.colours];
    firstRail = new int[found.colours];
    for (int c = 0; c < found.colours; c++) {
      int[] machinesWith = new int[1 + mostOnLeaf(c)];
      for (MachineUnits.Unit u : units) {
        int k = u.adaptersOnLeaf(u.leaves[c]);
        machinesWith[k] += u.machines.size();
      }
      lanes[c] = 1;
      for (int k = 2; machinesWith.length > 2 && k < machinesWith.length; k++) {
        lanes[c] = machinesWith[k] > machinesWith[lanes[c]] ? k : lanes[c];
      }
      for (MachineUnits.Unit u : units) {
        int n = u.leaves[c].length;
        width[c] = n <= MOST_LEAVES ? Math.max(width[c], n) : width[c];
      }
      width[c] = Math.max(width[c], c == 0 ? 1 : 0);
      firstRail[c] = rails;
      rails += width[c] * lanes[c];
    }
    shape.blocks = new Plant.Block[found.colours];
    for (int c = 0; c < found.colours; c++) {
      shape.blocks[c] = new Plant.Block(firstRail[c], width[c], lanes[c]);
    }
  }

  private int mostOnLeaf(int colour) {
    int most = 1;
    for (MachineUnits.Unit u : units) {
      most = Math.max(most, u.adaptersOnLeaf(u.leaves[colour]));
    }
    return most;
  }

  // ---- units and machines

  private void findLeaves() {
    int n = units.size();
    shape.leafSwitch = new int[rails][n];
    shape.switches = new int[n][];
    shape.linked = new boolean[n];
    shape.inside = new boolean[n];
    for (int l = 0; l < n; l++) {
      MachineUnits.Unit u = units.get(l);
      shape.switches[l] = u.all;
      shape.linked[l] = true;
      shape.inside[l] = !u.regular;
      for (int c = 0; c < found.colours; c++) {
        shape.linked[l] &=
            u.leaves[c].length <= width[c] && u.adaptersOnLeaf(u.leaves[c]) <= lanes[c];
        for (int i = 0; i < width[c] * lanes[c]; i++) {
          int at = i / lanes[c];
          shape.leafSwitch[firstRail[c] + i][l] =
              at < u.leaves[c].length ? u.leaves[c][at] : Fabric.NONE;
        }
      }
      shape.irregular |= shape.inside[l];
      shape.severalLeaves |= severalLeaves(u);
    }
  }

  private static boolean severalLeaves(MachineUnits.Unit u) {
    for (int[] leaves : u.leaves) {
      if (leaves.length > 1) {
        return true;
      }
    }
    return false;
  }

  /** Machines in the order of the ports of the unit's leaves. */
  private void fillHosts() {
    Machines machines = fabric.machines();
    int n = units.size();
    shape.hosts = new int[n][];
    shape.hostLeaf = new int[fabric.nodeCount()];
    shape.hostSlot = new int[fabric.nodeCount()];
    Arrays.fill(shape.hostLeaf, Fabric.NONE);
    Arrays.fill(shape.hostSlot, Fabric.NONE);
    boolean[] given = new boolean[machines.count()];
    for (int l = 0; l < n; l++) {
      boolean[] mine = new boolean[machines.count()];
      units.get(l).machines.forEach(m -> mine[m] = true);
      int[] slots = new int[units.get(l).machines.size()];
      int count = 0;
      for (int[] leaves : units.get(l).leaves) {
        for (int sw : leaves) {
          for (int number = 1; number <= fabric.portCount(sw); number++) {
            int node = fabric.peerNode(fabric.port(sw, number));
            int m = node == Fabric.NONE ? Fabric.NONE : machines.of(node);
            if (m != Fabric.NONE && mine[m] && !given[m]) {
              given[m] = true;
              for (int adapter : machines.adapters(m)) {
                shape.hostLeaf[adapter] = l;
                shape.hostSlot[adapter] = count;
              }
              slots[count++] = machines.adapter(m, 0);
            }
          }
        }
      }
      shape.hosts[l] = Arrays.copyOf(slots, count);
      shape.hostCount += count;
      shape.maxSlots = Math.max(shape.maxSlots, count);
    }
  }

  private int unlinkedMachines() {
    int n = 0;
    for (int l = 0; l < shape.linked.length; l++) {
      n += shape.linked[l] ? 0 : shape.hosts[l].length;
    }
    return n;
  }

  private void note() {
    shape.why = found.why;
    notes.addAll(Plant.leftOut(fabric, found.why));
    int unlinked = unlinkedMachines();
    if (unlinked > 0) {
      notes.add(
          Counted.of(unlinked, "machine is", "machines are")
              + " cabled unlike the others, without links beyond the own leaf");
    }
  }

  private void noteSlowLinks() {
    int n = shape.slow.cardinality();
    if (n > 0) {
      int port = shape.slow.nextSetBit(0);
      String first =
          "%s port %d (%s%s)"
              .formatted(
                  fabric.node(fabric.nodeOf(port)).display(),
                  fabric.numberOf(port),
                  fabric.width(port).text(),
                  fabric.speed(port));
      notes.add(Plant.slower(n) + (n == 1 ? ": " : "; the first is ") + first);
    }
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
   * Sub-trees of a rail that have most units in common with those of the first one are the same;
   * units that are elsewhere there get no links.
   */
  private void matchSubtrees(int rail, int count) {
    int there = tree.subtreeCount(Math.min(2, tree.levels()));
    Map<Integer, Integer> common = new TreeMap<>(); // pair -> units
    for (int l = 0; l < shape.leafSubtree.length; l++) {
      if (shape.linked[l] && shape.leafSwitch[rail][l] != Fabric.NONE) {
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
      boolean here =
          shape.leafSwitch[rail][l] == Fabric.NONE
              || matched[shape.leafSubtree[l]] == pair(rail, l, there);
      if (!here && rail >= width[0] * lanes[0]) {
        // In a tree of its own: as if the machines had no port there.
        units.get(l).machines.forEach(m -> found.why[m] = MachineUnits.Why.ELSEWHERE);
        units.get(l).machines.clear();
      }
      shape.linked[l] &= here;
    }
  }

  private int pair(int rail, int l, int there) {
    return shape.leafSubtree[l] * there + subtree(shape.leafSwitch[rail][l]);
  }

  /** Units between which there is a way in every tree, whatever links it takes. */
  private void findIslands() {
    Map<List<Integer>, Integer> numbers = new HashMap<>();
    shape.leafIsland = new int[shape.leafSubtree.length];
    for (int l = 0; l < shape.leafIsland.length; l++) {
      List<Integer> parts = new ArrayList<>();
      for (int[] leaves : units.get(l).leaves) {
        parts.add(leaves.length == 0 ? Fabric.NONE : tree.plane(leaves[0]));
      }
      shape.leafIsland[l] = numbers.computeIfAbsent(parts, _ -> numbers.size());
    }
    shape.islands = numbers.size();
  }

  // ---- planes

  private void findGroups() {
    groups = new int[found.colours][];
    shape.joinable = true;
    for (int c = 0; c < found.colours; c++) {
      groups[c] = groups(c);
      unlinkStrays(c);
      shape.joinable &= Arrays.stream(groups[c]).allMatch(g -> g == 0);
    }
    for (int l = 0; l < shape.linked.length; l++) {
      shape.linked[l] &= shape.joinable || !shape.inside[l];
    }
  }

  /** Units whose leaves do not meet where those of others do get no links. */
  private void unlinkStrays(int colour) {
    for (int l = 0; l < units.size(); l++) {
      int[] first = new int[width[colour]];
      Arrays.fill(first, Fabric.NONE);
      for (int i = 0; i < first.length; i++) {
        int leaf = shape.leafSwitch[firstRail[colour] + i * lanes[colour]][l];
        int g = groups[colour][i];
        if (leaf != Fabric.NONE) {
          shape.linked[l] &= first[g] == Fabric.NONE || first[g] == subtree(leaf);
          first[g] = subtree(leaf);
        }
      }
    }
  }

  /** Rails whose leaves have a switch above in common are looked at together. */
  private void findPlanes() {
    planes = new ArrayList<>();
    FullRates rates = new FullRates(fabric, tree);
    for (int c = 0; c < found.colours; c++) {
      int[] group = groups[c];
      for (int g = 0; g < width[c]; g++) {
        int[] members = members(c, group, g);
        if (members.length > 0) {
          planes.add(new RailPlanes(fabric, tree, shape, rates, members, lanes[c]));
        }
      }
    }
  }

  /** By leaf of a unit: the smallest one whose leaves meet with its leaves. */
  private int[] groups(int colour) {
    int[] group = new int[width[colour]];
    int[] owner = new int[fabric.switchCount()];
    Arrays.fill(owner, Fabric.NONE);
    for (int i = 0; i < group.length; i++) {
      group[i] = i;
      for (int l = 0; l < units.size(); l++) {
        int leaf = shape.leafSwitch[firstRail[colour] + i * lanes[colour]][l];
        for (int g = 0;
            shape.linked[l] && leaf != Fabric.NONE && g < tree.upGroupCount(leaf);
            g++) {
          int sw = tree.upGroupSwitch(leaf, g);
          if (owner[sw] == Fabric.NONE) {
            owner[sw] = i;
          } else {
            merge(group, group[owner[sw]], group[i], i);
          }
        }
      }
    }
    return group;
  }

  private static void merge(int[] group, int a, int b, int upTo) {
    for (int i = 0; i <= upTo; i++) {
      group[i] = group[i] == Math.max(a, b) ? Math.min(a, b) : group[i];
    }
  }

  /** The rails of a group, ascending. */
  private int[] members(int colour, int[] group, int g) {
    int[] out = new int[width[colour] * lanes[colour]];
    int n = 0;
    for (int i = 0; i < group.length; i++) {
      for (int k = 0; group[i] == g && k < lanes[colour]; k++) {
        out[n++] = firstRail[colour] + i * lanes[colour] + k;
      }
    }
    return Arrays.copyOf(out, n);
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
    }
    planes.forEach(p -> p.fill(position));
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
    int spines = (shape.firstLeaf.length - 1) * shape.planes;
    int units = shape.leafSubtree.length;
    boolean[][] hasLeaf = new boolean[rails][units];
    boolean[][] hasSpine = new boolean[rails][spines];
    for (int r = 0; r < rails; r++) {
      for (int l = 0; l < units; l++) {
        hasLeaf[r][l] = shape.leafSwitch[r][l] != Fabric.NONE;
        for (int q = 0; hasLeaf[r][l] && q < shape.planes; q++) {
          hasSpine[r][shape.leafSubtree[l] * shape.planes + q] = true;
        }
      }
    }
    shape.upMask = mask(shape.upPort, hasLeaf, units, shape.planeOf.length, shape.positionWords);
    shape.rootMask = mask(shape.rootPort, hasSpine, spines, shape.rootLinks, shape.rootWords);
    shape.upsAlive = share(shape.upMask, shape.leafSubtree.length * shape.planeOf.length);
    shape.rootsAlive = share(shape.rootMask, spines * shape.rootLinks);
  }

  private static double share(long[] mask, int whole) {
    return whole == 0 ? 1 : (double) Bits.count(mask, 0, mask.length) / whole;
  }

  /** Bit i of owner o is set if all rails that the owner has have a port there. */
  private static long[] mask(int[][] port, boolean[][] has, int owners, int width, int words) {
    long[] out = new long[owners * words];
    for (int o = 0; o < owners; o++) {
      for (int i = 0; i < width; i++) {
        boolean all = true;
        for (int r = 0; r < port.length; r++) {
          all &= !has[r][o] || port[r][o * width + i] != Fabric.NONE;
        }
        if (all) {
          Bits.set(out, o * words, i);
        }
      }
    }
    return out;
  }
}
