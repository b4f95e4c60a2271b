package org.heddle.topology;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.FabricPart;
import org.heddle.topology.generate.Names;

/**
 * The smallest sub-tree that holds given hosts: the switches of levels 1 to i around their leaves,
 * and everything attached to the leaves among these (Tasoulas, thesis, paper III, IV-A). It is a
 * fabric of its own, with a tree of its own, that any engine can route.
 *
 * <p>In a fabric of several planes it consists of one sub-tree a plane. Hosts on upper switches,
 * and switches above level i, are outside. Immutable.
 */
public final class Subtree {
  private final FabricPart part;
  private final FatTree tree;
  private final boolean fromNeighbourhood;

  private Subtree(FabricPart part, FatTree tree, boolean fromNeighbourhood) {
    this.part = part;
    this.tree = tree;
    this.fromNeighbourhood = fromNeighbourhood;
  }

  /** Outcome of a search. */
  public sealed interface Result {}

  /** The sub-tree; it has at least two levels. */
  public record Found(Subtree subtree) implements Result {}

  /**
   * In every plane all hosts are on one leaf, so that nothing between them can be routed otherwise.
   *
   * @param leaf id of the (first) leaf switch
   */
  public record OneLeaf(int leaf) implements Result {}

  /**
   * There is none.
   *
   * @param reason one sentence
   * @param details further sentences, possibly none
   */
  public record Refused(String reason, List<String> details) implements Result {
    public Refused {
      details = List.copyOf(details);
    }
  }

  /**
   * Finds the sub-tree. Two levels are found from what is cabled to the leaves; where that leaves a
   * doubt, or does not hold all of the hosts, the whole fabric is recognised.
   *
   * @param ports endports of channel adapters or routers, at least one
   */
  public static Result holding(Fabric fabric, int[] ports) {
    Optional<Refused> refusal = offSwitch(fabric, ports);
    if (refusal.isPresent()) {
      return refusal.get();
    }
    int[] leaves = attached(fabric, ports);
    if (leaves.length > 1) {
      int[] level = SubtreeNeighbourhood.levels(fabric, leaves);
      if (level != null) {
        return new Found(cut(fabric, level, true));
      }
    }
    return holding(fabric, ports, FatTreeRecogniser.recognise(fabric));
  }

  /**
   * Finds the sub-tree in a tree that is known.
   *
   * @param recognition of the fabric
   */
  public static Result holding(Fabric fabric, int[] ports, Recognition recognition) {
    Optional<Refused> refusal = offSwitch(fabric, ports);
    if (refusal.isPresent()) {
      return refusal.get();
    }
    return switch (recognition) {
      case Recognition.Refused no ->
          new Refused(
              "the fabric is not recognised as a fat-tree",
              no.findings().stream().map(TreeFinding::message).toList());
      case Recognition.Found found -> inTree(fabric, found.tree(), attached(fabric, ports));
    };
  }

  private static Optional<Refused> offSwitch(Fabric fabric, int[] ports) {
    for (int port : ports) {
      if (fabric.isSwitch(fabric.nodeOf(port)) || fabric.attachedSwitch(port) == Fabric.NONE) {
        return Optional.of(
            new Refused(
                Names.port(fabric, port) + " is not a port of a host on a switch", List.of()));
      }
    }
    return Optional.empty();
  }

  /** The switches the ports are attached to, ascending, none twice. */
  private static int[] attached(Fabric fabric, int[] ports) {
    return Arrays.stream(ports).map(fabric::attachedSwitch).distinct().sorted().toArray();
  }

  private static Result inTree(Fabric fabric, FatTree tree, int[] leaves) {
    for (int s : leaves) {
      if (!tree.isLeaf(s)) {
        String where = tree.level(s) == 0 ? "no part of the tree" : "of level " + tree.level(s);
        return new Refused(
            "a host is attached to "
                + Names.node(fabric, s)
                + ", which is "
                + where
                + ": only hosts on leaf switches span a sub-tree",
            List.of());
      }
    }
    int[] level = new int[fabric.switchCount()];
    int[] done = new int[tree.planeCount()];
    boolean any = false;
    for (int leaf : leaves) {
      int plane = tree.plane(leaf);
      if (done[plane]++ == 0) {
        any |= mark(tree, leaf, height(tree, plane, leaves), level);
      }
    }
    return any ? new Found(cut(fabric, level, false)) : new OneLeaf(leaves[0]);
  }

  /** The lowest level at which the leaves of a plane are in one sub-tree. */
  private static int height(FatTree tree, int plane, int[] leaves) {
    for (int i = 1; i < tree.levels(); i++) {
      int common = Fabric.NONE;
      boolean one = true;
      for (int leaf : leaves) {
        if (tree.plane(leaf) == plane) {
          int here = tree.subtreeOf(leaf, i);
          one &= common == Fabric.NONE || common == here;
          common = here;
        }
      }
      if (one) {
        return i;
      }
    }
    return tree.levels();
  }

  /** Notes the levels of the sub-tree around a leaf; false if that is the leaf itself. */
  private static boolean mark(FatTree tree, int leaf, int height, int[] level) {
    for (int s = 0; s < level.length && height > 1; s++) {
      if (tree.level(s) > 0
          && tree.level(s) <= height
          && tree.subtreeOf(s, height) == tree.subtreeOf(leaf, height)) {
        level[s] = tree.level(s);
      }
    }
    return height > 1;
  }

  private static Subtree cut(Fabric fabric, int[] level, boolean fromNeighbourhood) {
    int[] nodes = new int[fabric.nodeCount()];
    int n = 0;
    for (int s = 0; s < level.length; s++) {
      if (level[s] > 0) {
        nodes[n++] = s;
      }
    }
    int switches = n;
    for (int i = 0; i < switches; i++) {
      int s = nodes[i];
      for (int k = 1; k <= fabric.portCount(s) && level[s] == 1; k++) {
        int node = fabric.peerNode(fabric.port(s, k));
        if (node != Fabric.NONE && !fabric.isSwitch(node)) {
          nodes[n++] = node;
        }
      }
    }
    Arrays.sort(nodes, 0, n);
    int distinct = 0;
    for (int i = 0; i < n; i++) {
      if (i == 0 || nodes[i] != nodes[i - 1]) {
        nodes[distinct++] = nodes[i];
      }
    }
    FabricPart part = FabricPart.of(fabric, Arrays.copyOf(nodes, distinct));
    int[] partLevel = new int[switches];
    int levels = 0;
    for (int s = 0; s < switches; s++) {
      partLevel[s] = level[part.wholeNode(s)];
      levels = Math.max(levels, partLevel[s]);
    }
    TreeStructure structure = new TreeStructure(new SwitchGraph(part.fabric()), partLevel, levels);
    return new Subtree(
        part, new FatTree(levels, partLevel, structure.leaves, structure), fromNeighbourhood);
  }

  /** The sub-tree as a fabric, with its own ids and LIDs. */
  public FabricPart part() {
    return part;
  }

  /** The tree of {@link #part()}'s fabric; its top level is that of the sub-tree. */
  public FatTree tree() {
    return tree;
  }

  /** True if the levels were seen from what is cabled to the leaves, without the whole fabric. */
  public boolean fromNeighbourhood() {
    return fromNeighbourhood;
  }
}
