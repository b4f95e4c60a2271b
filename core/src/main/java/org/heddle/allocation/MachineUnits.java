package org.heddle.allocation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Machines;
import org.heddle.topology.FatTree;

/**
 * Units: leaf switches that have the same machines. A leaf of a tree with one adapter a machine is
 * a unit; so are the eight leaves that hold one adapter each of the same machines, or two leaves in
 * two trees.
 *
 * <p>Machines with the same leaves make a unit. If their leaves overlap with those of others, the
 * few are left out (a machine that is cabled wrong must not tie two units together), and otherwise
 * the two become one unit. A unit all of whose leaves some of its machines have is <i>regular</i>:
 * what hangs on one leaf of it is a rail. In one that is not, machines meet each other over links
 * of the tree only.
 *
 * <p>Planes of the tree that share machines have different <i>colours</i>; those that share none
 * are islands of one. A machine with ports in some of the colours only has its place in the unit of
 * its leaves, if machines with all of them make one: what it is given then has links in every tree,
 * and would serve it should it have lost a port. Where it may well have lost one, it is left out.
 * O(machines * adapters, and sorting).
 */
final class MachineUnits {
  /** Fewer than one in so many of the others are left out. */
  private static final int FEW = 4;

  /** One unit. */
  static final class Unit {
    /** Leaf switches by colour, in the order of rails. */
    int[][] leaves;

    /** All leaf switches, ascending. */
    int[] all;

    /** Machines, in no order. */
    final List<Integer> machines = new ArrayList<>();

    private TreeSet<Integer> set = new TreeSet<>();
    private final Map<Integer, Integer> most = new TreeMap<>(); // adapters a machine, by leaf
    private int main; // machines of the largest group
    private int first; // a machine of that group
    boolean regular;

    /** Largest number of adapters that a machine has on one leaf. */
    int adaptersOnLeaf(int[] ofColour) {
      int out = 0;
      for (int leaf : ofColour) {
        out = Math.max(out, most.getOrDefault(leaf, 0));
      }
      return out;
    }
  }

  private final Fabric fabric;
  private final FatTree tree;
  private final Machines machines;
  private final int[][] leavesOf; // by machine: a leaf switch for each port there, ascending
  private int usual; // adapters on one leaf of most machines
  private final Map<Integer, Unit> unitOf = new HashMap<>();
  final List<Unit> units = new ArrayList<>();
  int[] colourOfPlane;
  int colours;

  /** Why a machine is left out. */
  enum Why {
    RAIL("lacks a port in one of the rails"),
    ASTRAY("has adapters on leaves of different units"),
    ELSEWHERE("is in another sub-tree of one of the separate trees than those beside it"),
    /** In one tree of several. */
    DARK(
        "has no port in one of the separate trees, and one without a cable: it may have lost its"
            + " link"),
    FEW(
        "has no port in one of the separate trees, unlike most machines of its leaf switch: it may"
            + " have lost one"),
    ALONE(
        "has no port in one of the separate trees, and no machine of its leaf switch has one there:"
            + " no links could be kept for it");

    final String words;

    Why(String words) {
      this.words = words;
    }
  }

  /** By machine: why it is left out; null for those that are not, or have no leaf at all. */
  final Why[] why;

  /** Leaf switches of machines with ports in some of the trees only, by machine; else null. */
  private final int[][] someLeaves;

  MachineUnits(Fabric fabric, FatTree tree) {
    this.fabric = fabric;
    this.tree = tree;
    machines = fabric.machines();
    leavesOf = new int[machines.count()][];
    someLeaves = new int[leavesOf.length][];
    why = new Why[leavesOf.length];
    for (int m = 0; m < leavesOf.length; m++) {
      leavesOf[m] = leaves(m);
    }
    colour();
    dropUncoloured();
    usual = findUsual();
    group();
    placeOfSomeTrees();
    addEmpty();
    for (Unit u : units) {
      arrange(u);
    }
    units.sort(Comparator.comparingInt(u -> tree.leafIndex(firstLeaf(u))));
  }

  /** The leaf that says where the unit stands among the others. */
  private int firstLeaf(Unit u) {
    int best = Fabric.NONE;
    for (int leaf : u.leaves[0]) {
      best = best == Fabric.NONE || tree.leafIndex(leaf) < tree.leafIndex(best) ? leaf : best;
    }
    return best;
  }

  private int[] leaves(int machine) {
    int[] out = new int[4];
    int n = 0;
    for (int i = 0; i < machines.adapterCount(machine); i++) {
      int node = machines.adapter(machine, i);
      for (int number = 1; number <= fabric.portCount(node); number++) {
        int sw = leafBehind(fabric, tree, node, number);
        if (sw != Fabric.NONE) {
          out = n == out.length ? Arrays.copyOf(out, 2 * n) : out;
          out[n++] = sw;
        }
      }
    }
    out = Arrays.copyOf(out, n);
    Arrays.sort(out);
    return out;
  }

  /** The leaf switch a port of a host is connected to, or NONE. */
  static int leafBehind(Fabric fabric, FatTree tree, int node, int number) {
    int port = fabric.port(node, number);
    if (port == Fabric.NONE || fabric.peer(port) == Fabric.NONE) {
      return Fabric.NONE;
    }
    int sw = fabric.peerNode(port);
    return fabric.isSwitch(sw) && tree.isLeaf(sw) && tree.plane(sw) != Fabric.NONE
        ? sw
        : Fabric.NONE;
  }

  // ---- colours

  private void colour() {
    int n = tree.planeCount();
    boolean[][] share = new boolean[n][n];
    for (int[] leaves : leavesOf) {
      for (int a : leaves) {
        for (int b : leaves) {
          if (tree.plane(a) != tree.plane(b)) {
            share[tree.plane(a)][tree.plane(b)] = true;
          }
        }
      }
    }
    colourOfPlane = new int[n];
    for (int a = 0; a < n; a++) {
      boolean[] used = new boolean[n + 1];
      for (int b = 0; b < a; b++) {
        used[colourOfPlane[b]] |= share[a][b];
      }
      while (used[colourOfPlane[a]]) {
        colourOfPlane[a]++;
      }
      colours = Math.max(colours, colourOfPlane[a] + 1);
    }
  }

  private int colourOf(int leaf) {
    return colourOfPlane[tree.plane(leaf)];
  }

  /** Machines that lack a colour make no units, whether it was lost or never there. */
  private void dropUncoloured() {
    for (int m = 0; m < leavesOf.length; m++) {
      boolean whole = leavesOf[m].length > 0;
      for (int c = 0; c < colours && whole; c++) {
        whole = has(leavesOf[m], c);
      }
      if (!whole && leavesOf[m].length > 0) {
        someLeaves[m] = leavesOf[m];
        leavesOf[m] = new int[0];
      }
    }
  }

  private boolean has(int[] leaves, int colour) {
    for (int leaf : leaves) {
      if (colourOf(leaf) == colour) {
        return true;
      }
    }
    return false;
  }

  // ---- units

  /** Machines with the same leaves, by what they have there. */
  private static final class Group {
    final int[] leaves;

    /** They have adapters without a cable. */
    final boolean dark;

    final Map<List<Integer>, List<Integer>> kinds = new TreeMap<>(MachineUnits::compare);
    int count;

    /** Machines with these leaves, with and without such adapters. */
    int alike;

    /**
     * The most of this group that have as many adapters on each leaf, and of all with its leaves.
     */
    int largest;

    int largestAlike;

    Group(int[] leaves, boolean dark) {
      this.leaves = leaves;
      this.dark = dark;
    }
  }

  private static int compare(List<Integer> a, List<Integer> b) {
    for (int i = 0; i < Math.min(a.size(), b.size()); i++) {
      if (!a.get(i).equals(b.get(i))) {
        return a.get(i).compareTo(b.get(i));
      }
    }
    return Integer.compare(a.size(), b.size());
  }

  private void group() {
    Map<List<Integer>, Group> groups = new TreeMap<>(MachineUnits::compare);
    for (int m = 0; m < leavesOf.length; m++) {
      if (leavesOf[m].length > 0) {
        int[] set = Arrays.stream(leavesOf[m]).distinct().toArray();
        boolean dark = isDark(m);
        List<Integer> key = new ArrayList<>(Arrays.stream(set).boxed().toList());
        key.add(dark ? Integer.MAX_VALUE : Integer.MAX_VALUE - 1);
        Group g = groups.computeIfAbsent(key, _ -> new Group(set, dark));
        List<Integer> kind = Arrays.stream(leavesOf[m]).boxed().toList();
        g.kinds.computeIfAbsent(kind, _ -> new ArrayList<>()).add(m);
        g.count++;
      }
    }
    List<Group> order = new ArrayList<>(groups.values());
    compareWithAlike(order);
    // Stable. Few that are whole say what many that may have lost a cable had.
    order.sort(Comparator.comparingInt(g -> g.dark ? -g.alike : -FEW * g.alike));
    order.forEach(this::place);
  }

  /** Those with all their cables stand before those without that have the same leaves. */
  private static void compareWithAlike(List<Group> order) {
    for (int i = 0; i < order.size(); i++) {
      Group g = order.get(i);
      Group other = i == 0 ? g : order.get(i - 1);
      g.alike = g.count;
      g.largest = g.kinds.values().stream().mapToInt(List::size).max().orElse(0);
      g.largestAlike = g.largest;
      if (other != g && Arrays.equals(other.leaves, g.leaves)) {
        g.alike = other.alike += g.count;
        g.largestAlike = other.largestAlike = Math.max(g.largest, other.largest);
      }
    }
  }

  /** True if an adapter of the machine has no cable. */
  private boolean isDark(int machine) {
    for (int i = 0; i < machines.adapterCount(machine); i++) {
      int node = machines.adapter(machine, i);
      boolean linked = false;
      for (int number = 1; number <= fabric.portCount(node); number++) {
        linked |= fabric.attachedSwitch(fabric.port(node, number)) != Fabric.NONE;
      }
      if (!linked) {
        return true;
      }
    }
    return false;
  }

  /** Puts machines of some trees into the units of machines of all of them. */
  private void placeOfSomeTrees() {
    Map<List<Integer>, List<Integer>> alike = new TreeMap<>(MachineUnits::compare);
    for (int m = 0; m < someLeaves.length; m++) {
      if (someLeaves[m] != null) {
        why[m] = hasDarkPort(m) ? Why.DARK : null;
        if (why[m] == null) {
          List<Integer> leaves = Arrays.stream(someLeaves[m]).boxed().toList();
          alike.computeIfAbsent(leaves, _ -> new ArrayList<>()).add(m);
        }
      }
    }
    alike.forEach(this::placeOfSomeTrees);
  }

  private void placeOfSomeTrees(List<Integer> leaves, List<Integer> alike) {
    Unit u = unitOf.get(leaves.getFirst());
    Map<Integer, Integer> count = counts(leaves);
    boolean fits =
        u != null
            && u.regular
            && leaves.stream().allMatch(leaf -> unitOf.get(leaf) == u)
            && count.entrySet().stream().allMatch(e -> e.getValue() <= u.most.get(e.getKey()));
    int n = alike.size();
    if (!fits) {
      alike.forEach(m -> why[m] = Why.ALONE);
    } else if (n == 1 && u.main > 1 || FEW * n < u.main) {
      alike.forEach(m -> why[m] = Why.FEW);
    } else {
      u.machines.addAll(alike);
    }
  }

  /** True if a port of an adapter of the machine has no cable. */
  private boolean hasDarkPort(int machine) {
    for (int i = 0; i < machines.adapterCount(machine); i++) {
      int node = machines.adapter(machine, i);
      for (int number = 1; number <= fabric.portCount(node); number++) {
        if (fabric.peer(fabric.port(node, number)) == Fabric.NONE) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean hasDarkPort(Group g) {
    return g.kinds.values().stream().flatMap(List::stream).anyMatch(this::hasDarkPort);
  }

  private void place(Group g) {
    List<Unit> touched = new ArrayList<>();
    int others = 0;
    for (int leaf : g.leaves) {
      Unit u = unitOf.get(leaf);
      if (u != null && !touched.contains(u)) {
        touched.add(u);
        others += u.main;
      }
    }
    if (touched.isEmpty()) {
      Unit u = new Unit();
      units.add(u);
      u.main = g.alike;
      u.regular = true;
      add(u, g);
      return;
    }
    Unit u = touched.getFirst();
    boolean inside = touched.size() == 1 && contains(u, g.leaves);
    boolean whole = inside && g.leaves.length == u.set.size();
    boolean lacks = inside && (g.dark || g.count == 1 && (others > 1 || hasDarkPort(g)));
    if (!whole && (lacks || FEW * g.count < others)) {
      g.kinds.values().forEach(all -> all.forEach(m -> why[m] = inside ? Why.RAIL : Why.ASTRAY));
      return;
    }
    for (Unit other : touched.subList(1, touched.size())) {
      units.remove(other);
      u.machines.addAll(other.machines);
      u.set.addAll(other.set);
      other.most.forEach((leaf, n) -> u.most.merge(leaf, n, Math::max));
      u.main = Math.max(u.main, other.main);
      u.regular = false;
    }
    int before = u.set.size();
    add(u, g);
    u.regular = u.set.size() == before ? u.regular || g.leaves.length == before : false;
    u.regular |= g.leaves.length == u.set.size();
  }

  /** True if these are fewer adapters on a leaf than other machines have there. */
  private static boolean isLess(List<Integer> leaves, Map<Integer, Integer> most) {
    return counts(leaves).entrySet().stream()
        .anyMatch(e -> e.getValue() < most.getOrDefault(e.getKey(), 0));
  }

  /** Adapters by leaf. */
  private static Map<Integer, Integer> counts(List<Integer> leaves) {
    Map<Integer, Integer> out = new HashMap<>();
    leaves.forEach(leaf -> out.merge(leaf, 1, Integer::sum));
    return out;
  }

  /** True if a machine has no more adapters on one leaf than the most machines of the fabric. */
  private boolean isUsual(List<Integer> leaves) {
    return Collections.max(counts(leaves).values()) <= usual;
  }

  /** The number of adapters on one leaf that the most machines have. */
  private int findUsual() {
    Map<Integer, Integer> machinesWith = new TreeMap<>();
    for (int[] leaves : leavesOf) {
      if (leaves.length > 0) {
        List<Integer> all = Arrays.stream(leaves).boxed().toList();
        machinesWith.merge(Collections.max(counts(all).values()), 1, Integer::sum);
      }
    }
    int best = 1;
    for (Map.Entry<Integer, Integer> e : machinesWith.entrySet()) {
      best = e.getValue() >= machinesWith.getOrDefault(best, 0) ? e.getKey() : best;
    }
    return best;
  }

  private static boolean contains(Unit u, int[] leaves) {
    for (int leaf : leaves) {
      if (!u.set.contains(leaf)) {
        return false;
      }
    }
    return true;
  }

  private void add(Unit u, Group g) {
    for (Map.Entry<List<Integer>, List<Integer>> kind : g.kinds.entrySet()) {
      int few = kind.getValue().size();
      boolean lost = g.dark && isLess(kind.getKey(), u.most);
      boolean whole =
          isUsual(kind.getKey())
              && g.kinds.keySet().stream().noneMatch(k -> isLess(kind.getKey(), counts(k)));
      boolean rare = few == 1 && g.largest > 1 || FEW * few < g.largestAlike;
      if (lost || rare && !whole) {
        kind.getValue().forEach(m -> why[m] = Why.RAIL);
        continue;
      }
      if (u.machines.isEmpty()) {
        u.first = kind.getValue().getFirst();
      }
      u.machines.addAll(kind.getValue());
      counts(kind.getKey()).forEach((leaf, n) -> u.most.merge(leaf, n, Math::max));
    }
    for (int leaf : g.leaves) {
      u.set.add(leaf);
    }
    u.set.forEach(leaf -> unitOf.put(leaf, u));
  }

  /** Leaves of the first colour without machines: their links are there all the same. */
  private void addEmpty() {
    for (int i = 0; i < tree.leafCount(); i++) {
      int sw = tree.leaf(i);
      if (tree.plane(sw) != Fabric.NONE && colourOf(sw) == 0 && !unitOf.containsKey(sw)) {
        Unit u = new Unit();
        u.set.add(sw);
        u.first = Fabric.NONE;
        u.regular = true;
        units.add(u);
      }
    }
  }

  /** Puts the leaves in the order of rails: that of the adapters of one of the machines. */
  private void arrange(Unit u) {
    Map<Integer, Integer> rank = new HashMap<>();
    for (int i = 0; u.first != Fabric.NONE && i < machines.adapterCount(u.first); i++) {
      int node = machines.adapter(u.first, i);
      for (int number = 1; number <= fabric.portCount(node); number++) {
        rank.putIfAbsent(leafBehind(fabric, tree, node, number), rank.size());
      }
    }
    int level = Math.min(2, tree.levels());
    u.all = u.set.stream().mapToInt(leaf -> leaf).toArray();
    u.leaves = new int[colours][];
    for (int c = 0; c < colours; c++) {
      int colour = c;
      u.leaves[c] =
          u.set.stream()
              .filter(leaf -> colourOf(leaf) == colour)
              .sorted(
                  Comparator.comparingInt((Integer leaf) -> tree.subtreeOf(leaf, level))
                      .thenComparingInt(leaf -> rank.getOrDefault(leaf, Integer.MAX_VALUE))
                      .thenComparingInt(leaf -> leaf))
              .mapToInt(leaf -> leaf)
              .toArray();
    }
  }
}
