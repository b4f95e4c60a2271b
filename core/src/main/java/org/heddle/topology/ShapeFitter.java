package org.heddle.topology;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.heddle.fabric.Counted;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.FabricBuilder;
import org.heddle.topology.generate.Names;
import org.heddle.topology.generate.TreeSpec;

/**
 * Combines the shapes of the planes into one and compares the fabric with it. O(planes * switches +
 * ports).
 */
final class ShapeFitter {
  static final int MAX_EXAMPLES = 5;

  private final SwitchGraph graph;
  private final int[] level;
  private final TreeStructure tree;
  private final List<String> notes = new ArrayList<>();
  private final int parallel; // median ports of a host on one leaf

  private ShapeFitter(SwitchGraph graph, int[] level, TreeStructure tree) {
    this.graph = graph;
    this.level = level;
    this.tree = tree;
    this.parallel = portsOfAHost();
  }

  static ShapeFit fit(SwitchGraph graph, int[] level, TreeStructure tree) {
    ShapeFitter fitter = new ShapeFitter(graph, level, tree);
    TreeSpec[] planes = new TreeSpec[tree.planeLevels.length];
    int main = 0;
    int[] leaves = new int[planes.length];
    for (int leaf : tree.leaves) {
      leaves[tree.plane[leaf]]++;
    }
    for (int p = 0; p < planes.length; p++) {
      planes[p] = PlaneShape.of(graph, level, tree, p, fitter.parallel);
      main = leaves[p] > leaves[main] ? p : main;
    }
    int equal = 0;
    for (TreeSpec plane : planes) {
      equal += plane.equals(planes[main]) ? 1 : 0;
    }
    int rails = Math.min(fitter.planesOfAHost(), equal);
    TreeSpec shape = planes[main];
    if (rails > 1) {
      List<Integer> w = new ArrayList<>(shape.w());
      w.set(0, rails);
      shape = new TreeSpec(shape.m(), w, shape.p());
    }
    boolean more = false;
    if (planes.length > rails) {
      fitter.notes.add("the fabric has " + planes.length + " planes, the shape describes " + rails);
      more = equal > rails;
    }
    return fitter.compare(shape, more);
  }

  /** Median number of ports that a host has on one leaf, at least 1. */
  private int portsOfAHost() {
    Fabric fabric = graph.fabric;
    int[] groups = new int[FabricBuilder.MAX_PORTS + 1];
    int[] seenAt = new int[fabric.nodeCount()];
    int[] ports = new int[fabric.nodeCount()];
    Arrays.fill(seenAt, Fabric.NONE);
    int total = 0;
    for (int leaf : tree.leaves) {
      for (int k = 1; k <= fabric.portCount(leaf); k++) {
        int node = fabric.peerNode(fabric.port(leaf, k));
        if (!SwitchGraph.isHost(fabric, node)) {
          continue;
        }
        if (seenAt[node] != leaf) {
          seenAt[node] = leaf;
          ports[node] = 0;
          total++;
        } else {
          groups[ports[node]]--;
        }
        groups[++ports[node]]++;
      }
    }
    int below = 0;
    for (int size = 1; size <= FabricBuilder.MAX_PORTS; size++) {
      below += groups[size];
      if (2 * below >= total && total > 0) {
        return size;
      }
    }
    return 1;
  }

  /** Median number of planes that a host has ports on leaves of, at least 1. */
  private int planesOfAHost() {
    Fabric fabric = graph.fabric;
    int[] count = new int[tree.planeLevels.length + 1];
    int[] seenAt = new int[count.length];
    int total = 0;
    for (int node = fabric.switchCount(); node < fabric.nodeCount(); node++) {
      int planes = 0;
      for (int k = 1; k <= fabric.portCount(node) && SwitchGraph.isHost(fabric, node); k++) {
        int sw = fabric.peerNode(fabric.port(node, k));
        if (fabric.isSwitch(sw) && level[sw] == 1 && seenAt[tree.plane[sw]] != node) {
          seenAt[tree.plane[sw]] = node;
          planes++;
        }
      }
      count[planes]++;
      total += planes > 0 ? 1 : 0;
    }
    int below = 0;
    for (int planes = 1; planes < count.length; planes++) {
      below += count[planes];
      if (2 * below >= total && total > 0) {
        return planes;
      }
    }
    return 1;
  }

  // ---- comparison

  private ShapeFit compare(TreeSpec shape, boolean morePlanes) {
    List<ShapeFit.LevelDamage> damage = new ArrayList<>();
    boolean more = morePlanes;
    boolean less = false;
    for (int i = 0; i < shape.levels(); i++) {
      List<TreeFinding> examples = new ArrayList<>();
      int switches = 0;
      for (int s = 0; s < graph.switches; s++) {
        if (level[s] == i + 1) {
          switches++;
        }
        if (level[s] == i + 1 && downwards(s, shape) || level[s] == i && upwards(s, shape)) {
          more = true;
        }
        if (i == 0 ? level[s] == 1 && fewerHosts(s, shape) : level[s] == i && fewerUp(s, shape)) {
          less = true;
          if (examples.size() < MAX_EXAMPLES) {
            examples.add(i == 0 ? hostExample(s, shape) : linkExample(s, shape));
          }
        }
      }
      long expected = (long) shape.nodes(i) * shape.upPorts(i);
      long links = i == 0 ? tree.downLinks[1] : tree.upLinks[i];
      damage.add(
          new ShapeFit.LevelDamage(i, shape.nodes(i + 1), switches, expected, links, examples));
      more |= switches > shape.nodes(i + 1);
      less |= switches < shape.nodes(i + 1);
    }
    for (int height : tree.planeLevels) {
      more |= height > shape.levels();
    }
    ShapeFit.Match match = ShapeFit.Match.EXACT;
    if (more) {
      match = ShapeFit.Match.APPROXIMATE;
      notes.add("some switches have more links, hosts or neighbours than the shape says");
    } else if (less) {
      match = ShapeFit.Match.DAMAGED;
    } else if (!PgftLabels.exist(graph, level, tree, shape)) {
      match = ShapeFit.Match.APPROXIMATE;
      notes.add("all numbers fit, but the links are wired differently from a PGFT");
    }
    return new ShapeFit(shape, match, damage, notes);
  }

  private boolean downwards(int s, TreeSpec shape) {
    return level[s] == 1
        ? graph.hosts[s] > shape.downPorts(1)
        : tree.down.count(s) > shape.m(level[s]);
  }

  private boolean upwards(int s, TreeSpec shape) {
    boolean more = tree.up.count(s) > shape.w(level[s] + 1);
    for (int g = 0; g < tree.up.count(s) && !more; g++) {
      more = tree.up.size(s, g) > shape.p(level[s] + 1);
    }
    return more;
  }

  private boolean fewerHosts(int s, TreeSpec shape) {
    return graph.hosts[s] < shape.downPorts(1);
  }

  private boolean fewerUp(int s, TreeSpec shape) {
    return tree.up.links(s) < shape.upPorts(level[s]);
  }

  private TreeFinding hostExample(int s, TreeSpec shape) {
    String text =
        " has "
            + graph.hosts[s]
            + " of "
            + Counted.of(shape.downPorts(1), "host link", "host links");
    return new TreeFinding("missing-hosts", Names.node(graph.fabric, s) + text, s, 0);
  }

  private TreeFinding linkExample(int s, TreeSpec shape) {
    int i = level[s];
    StringBuilder out = new StringBuilder(Names.node(graph.fabric, s));
    out.append(" has ").append(tree.up.links(s)).append(" of ");
    out.append(Counted.of(shape.upPorts(i), "link up", "links up"));
    int thin = Fabric.NONE;
    boolean grouped = tree.up.count(s) <= shape.w(i + 1); // or the shape is only near
    for (int g = 0; grouped && g < tree.up.count(s) && thin == Fabric.NONE; g++) {
      thin = tree.up.size(s, g) < shape.p(i + 1) ? g : Fabric.NONE;
    }
    int lost = i == 1 ? lostNeighbour(s) : Fabric.NONE;
    if (thin != Fabric.NONE) {
      out.append(", ").append(tree.up.size(s, thin)).append(" of ").append(shape.p(i + 1));
      out.append(" to ").append(Names.node(graph.fabric, tree.up.peer(s, thin)));
    } else if (lost != Fabric.NONE) {
      out.append(", none to ").append(Names.node(graph.fabric, lost));
    }
    return new TreeFinding("missing-links", out.toString(), s, 0);
  }

  /** A switch of level 2 in the sub-tree of a leaf that the leaf has no link to, or NONE. */
  private int lostNeighbour(int leaf) {
    for (int s = 0; s < graph.switches; s++) {
      if (level[s] != 2 || tree.subtree[2][s] != tree.subtree[2][leaf]) {
        continue;
      }
      boolean linked = false;
      for (int g = 0; g < tree.up.count(leaf); g++) {
        linked |= tree.up.peer(leaf, g) == s;
      }
      if (!linked) {
        return s;
      }
    }
    return Fabric.NONE;
  }
}
