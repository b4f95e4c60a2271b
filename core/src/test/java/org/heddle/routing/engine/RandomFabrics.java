package org.heddle.routing.engine;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.FabricBuilder;
import org.heddle.topology.generate.FabricExtras;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;

/**
 * Trees as they are in machine rooms, drawn from a seed: SM nodes, storage and aggregation nodes on
 * spines, management leaves on few spines, leaves with spines of their own, hosts with two ports on
 * one or two leaves, parallel cables, cables and switches lost, ports numbered in any order.
 */
public final class RandomFabrics {
  private static final List<String> SPECS =
      List.of(
          "XGFT(2;2,4;1,2)",
          "XGFT(2;4,6;1,3)",
          "XGFT(2;4,8;1,4)",
          "XGFT(2;6,6;1,4)",
          "PGFT(2;4,4;1,2;1,2)",
          "PGFT(2;3,6;1,2;1,3)",
          "XGFT(3;2,2,2;1,2,2)",
          "XGFT(3;3,3,3;1,2,2)",
          "XGFT(3;2,3,4;1,2,1)",
          "XGFT(3;3,3,3;1,3,3)",
          "PGFT(3;4,4,2;1,2,2;1,2,1)",
          "PGFT(3;2,3,3;1,2,2;1,1,2)",
          "PGFT(3;4,4,4;1,4,2;1,1,2)",
          "XGFT(4;2,2,2,2;1,2,2,2)",
          "XGFT(4;1,2,2,2;1,2,2,2)",
          "XGFT(4;2,2,2,2;1,2,1,2)");

  private final Random random;
  private final List<Node> nodes = new ArrayList<>();
  private final List<Node[]> cables = new ArrayList<>();
  private final List<Node> leaves = new ArrayList<>();

  private static final class Node {
    final boolean sw;
    final String name;
    final int level;
    long guid;
    boolean gone;

    Node(boolean sw, String name, int level, long guid) {
      this.sw = sw;
      this.name = name;
      this.level = level;
      this.guid = guid;
    }
  }

  private RandomFabrics(long seed) {
    random = new Random(seed);
  }

  /** A fabric with LIDs; most of them are connected, a few have lost some hosts. */
  static Fabric of(long seed) {
    RandomFabrics r = new RandomFabrics(seed);
    r.tree(SPECS.get(r.random.nextInt(SPECS.size())));
    if (r.oneIn(4)) {
      r.dualHomed();
    }
    if (r.oneIn(3)) {
      r.managementLeaves(1 + r.random.nextInt(3));
    }
    if (r.oneIn(3)) {
      r.hostsAbove(1 + r.random.nextInt(3));
    }
    if (r.oneIn(4)) {
      r.thinOut();
    }
    r.damage();
    return r.build(r.oneIn(2));
  }

  /**
   * A tree whose hosts have a port on each of several leaves.
   *
   * @param ports of a host, on consecutive leaves
   * @param alone true: these leaves have no other hosts
   */
  public static Fabric multiHomed(
      String spec, int ports, boolean alone, boolean shuffled, long seed) {
    RandomFabrics r = new RandomFabrics(seed);
    r.tree(spec);
    for (int i = 0; i + ports <= r.leaves.size(); i += ports) {
      for (Node[] cable : new ArrayList<>(r.cables)) {
        Node host = hostOn(cable, r.leaves.get(i));
        for (int k = 1; k < ports && host != null; k++) {
          r.cables.add(new Node[] {host, r.leaves.get(i + k)});
        }
        for (int k = 1; k < ports && alone && host == null; k++) {
          if (hostOn(cable, r.leaves.get(i + k)) != null && cable[0].level + cable[1].level == 1) {
            r.cables.remove(cable);
          }
        }
      }
    }
    return r.build(shuffled);
  }

  /** The same fabric, ports of switches numbered in another order. */
  static Fabric shufflePorts(Fabric fabric, long seed) {
    Random random = new Random(seed);
    FabricBuilder b = new FabricBuilder();
    int[] number = new int[fabric.portIdLimit()];
    for (int n = 0; n < fabric.nodeCount(); n++) {
      List<Integer> numbers = new ArrayList<>();
      for (int p = 1; p <= fabric.portCount(n); p++) {
        numbers.add(p);
      }
      if (fabric.isSwitch(n)) {
        Collections.shuffle(numbers, random);
      }
      b.addNode(fabric.nodeType(n), fabric.nodeGuid(n), fabric.portCount(n), fabric.description(n));
      for (int p = 0; p <= fabric.portCount(n); p++) {
        number[fabric.port(n, p)] = p == 0 ? 0 : numbers.get(p - 1);
        if (p > 0 && !fabric.isSwitch(n)) {
          b.setPortGuid(b.find(fabric.nodeGuid(n)), p, fabric.portGuid(fabric.port(n, p)));
        }
      }
    }
    for (int p = 0; p < number.length; p++) {
      if (fabric.peer(p) > p) {
        b.connect(
            b.find(fabric.nodeGuid(fabric.nodeOf(p))),
            number[p],
            b.find(fabric.nodeGuid(fabric.peerNode(p))),
            number[fabric.peer(p)]);
      }
    }
    return b.build().withAssignedLids();
  }

  private boolean oneIn(int n) {
    return random.nextInt(n) == 0;
  }

  private void tree(String spec) {
    Fabric tree = TreeGenerator.generate(TreeSpec.parse(spec));
    int[] level = levels(tree);
    Node[] of = new Node[tree.nodeCount()];
    for (int n = 0; n < of.length; n++) {
      of[n] = new Node(tree.isSwitch(n), tree.description(n), level[n], tree.nodeGuid(n));
      nodes.add(of[n]);
      if (level[n] == 1) {
        leaves.add(of[n]);
      }
    }
    for (int p = 0; p < tree.portIdLimit(); p++) {
      if (tree.peer(p) > p) {
        cables.add(new Node[] {of[tree.nodeOf(p)], of[tree.peerNode(p)]});
      }
    }
  }

  private static int[] levels(Fabric tree) {
    int[] level = new int[tree.nodeCount()];
    for (int n = 0; n < level.length; n++) {
      String name = tree.description(n);
      level[n] = tree.isSwitch(n) ? name.charAt(1) - '0' : 0;
    }
    return level;
  }

  private Node add(boolean sw, String name, int level) {
    Node node = new Node(sw, name, level, (sw ? 0x900000L : 0x800000L) + 16L * nodes.size());
    nodes.add(node);
    return node;
  }

  /** Hosts of a leaf get a second port on the next one. */
  private void dualHomed() {
    for (int i = 0; i + 1 < leaves.size(); i += 2) {
      for (Node[] cable : new ArrayList<>(cables)) {
        Node host = hostOn(cable, leaves.get(i));
        if (host != null) {
          cables.add(new Node[] {host, leaves.get(i + 1)});
        }
      }
    }
  }

  private static Node hostOn(Node[] cable, Node leaf) {
    if (cable[0] == leaf && !cable[1].sw) {
      return cable[1];
    }
    return cable[1] == leaf && !cable[0].sw ? cable[0] : null;
  }

  private List<Node> switches(int level) {
    return new ArrayList<>(nodes.stream().filter(n -> n.sw && n.level == level).toList());
  }

  /** Leaves on one or two spines, which need not be those of each other. */
  private void managementLeaves(int count) {
    List<Node> spines = switches(2);
    for (int i = 0; i < count; i++) {
      Node leaf = add(true, "mgmt-" + i, 1);
      leaves.add(leaf);
      int links = 1 + random.nextInt(Math.min(3, spines.size()));
      Collections.shuffle(spines, random);
      for (int k = 0; k < links; k++) {
        cables.add(new Node[] {leaf, spines.get(k)});
        if (oneIn(3)) {
          cables.add(new Node[] {leaf, spines.get(k)});
        }
      }
      for (int k = 0; k <= random.nextInt(3); k++) {
        cables.add(new Node[] {add(false, "mgmt-host-" + i + "-" + k, 0), leaf});
      }
    }
  }

  private void hostsAbove(int count) {
    int top = nodes.stream().mapToInt(n -> n.level).max().orElseThrow();
    for (int i = 0; i < count; i++) {
      List<Node> above = switches(2 + random.nextInt(top - 1));
      String name = oneIn(3) ? FabricExtras.AGGREGATION_NODE : i == 0 ? "sm-node" : "storage-" + i;
      cables.add(new Node[] {add(false, name, 0), above.get(random.nextInt(above.size()))});
    }
  }

  /** Some leaves keep one or two of their up-links. */
  private void thinOut() {
    for (Node leaf : leaves) {
      if (oneIn(3)) {
        List<Node[]> up = new ArrayList<>(cables.stream().filter(c -> isUp(c, leaf)).toList());
        Collections.shuffle(up, random);
        int keep = 1 + random.nextInt(2);
        for (int i = keep; i < up.size(); i++) {
          cables.remove(up.get(i));
        }
      }
    }
  }

  private static boolean isUp(Node[] cable, Node leaf) {
    return cable[0].sw && cable[1].sw && (cable[0] == leaf || cable[1] == leaf);
  }

  private void damage() {
    double share = oneIn(3) ? 0 : random.nextDouble() * 0.15;
    cables.removeIf(c -> c[0].sw && c[1].sw && random.nextDouble() < share);
    if (oneIn(4)) {
      double hosts = random.nextDouble() * 0.3;
      cables.removeIf(c -> !(c[0].sw && c[1].sw) && random.nextDouble() < hosts);
    }
    if (oneIn(4)) {
      List<Node> some = new ArrayList<>(nodes.stream().filter(n -> n.sw).toList());
      some.get(random.nextInt(some.size())).gone = true;
      cables.removeIf(c -> c[0].gone || c[1].gone);
    }
  }

  private Fabric build(boolean shuffled) {
    if (shuffled) {
      List<Long> guids = new ArrayList<>();
      nodes.stream().filter(n -> n.sw).forEach(n -> guids.add(n.guid));
      Collections.shuffle(guids, random);
      int at = 0;
      for (Node node : nodes) {
        node.guid = node.sw ? guids.get(at++) : node.guid;
      }
      Collections.shuffle(cables, random);
    }
    FabricBuilder b = new FabricBuilder();
    Set<Node> used = new HashSet<>();
    cables.forEach(c -> used.addAll(List.of(c)));
    List<Node> present = nodes.stream().filter(n -> !n.gone && (n.sw || used.contains(n))).toList();
    List<List<Integer>> free = new ArrayList<>();
    for (Node node : present) {
      int cabled = (int) cables.stream().filter(c -> c[0] == node || c[1] == node).count();
      int ports = Math.max(1, node.sw ? cabled + random.nextInt(4) : cabled);
      int at =
          node.sw ? b.addSwitch(node.guid, ports, node.name) : b.addCa(node.guid, ports, node.name);
      List<Integer> numbers = new ArrayList<>();
      for (int p = 1; p <= ports; p++) {
        numbers.add(p);
        if (!node.sw) {
          b.setPortGuid(at, p, node.guid + p);
        }
      }
      if (shuffled) {
        Collections.shuffle(numbers, random);
      }
      free.add(numbers);
    }
    for (Node[] cable : cables) {
      int x = present.indexOf(cable[0]);
      int y = present.indexOf(cable[1]);
      b.connect(
          b.find(cable[0].guid), free.get(x).removeFirst(),
          b.find(cable[1].guid), free.get(y).removeFirst());
    }
    return b.build().withAssignedLids();
  }
}
