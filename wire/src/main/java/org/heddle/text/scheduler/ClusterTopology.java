package org.heddle.text.scheduler;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;
import java.util.regex.Pattern;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Machines;
import org.heddle.fabric.SwitchLinks;
import org.heddle.text.Hostlist;
import org.heddle.topology.FatTree;
import org.heddle.topology.Recognition;

/**
 * The machines of a whole fabric as Slurm wants them, in a hierarchy of switches: a leaf switch
 * with its machines, above it one switch for each sub-tree of the fat-tree, since Slurm gives a
 * switch one parent. A machine is where the first linked port of its adapters is, so that the
 * machines of a unit of several rails are on one switch. On what is no fat-tree there are two
 * levels: the switches with machines, and one for all that are connected. Immutable.
 */
public final class ClusterTopology {
  private static final Pattern NODE_NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");

  /**
   * A switch of Slurm's: of machines, or of switches.
   *
   * @param nodes names of machines; empty for a switch above others
   * @param below switches below this one
   */
  public record Group(String name, List<String> nodes, List<Group> below) {
    public Group {
      nodes = List.copyOf(nodes);
      below = List.copyOf(below);
    }
  }

  private final List<Group> roots;
  private final List<String> leftOut;
  private final List<String> missing;

  private ClusterTopology(List<Group> roots, List<String> leftOut, List<String> missing) {
    this.roots = List.copyOf(roots);
    this.leftOut = List.copyOf(leftOut);
    this.missing = List.copyOf(missing);
  }

  /** Switches that have none above them; several if the machines are not all connected. */
  public List<Group> roots() {
    return roots;
  }

  /** Machines that are not there because Slurm could not name them, or they have no link. */
  public List<String> leftOut() {
    return leftOut;
  }

  /** Names that were asked for and no machine has. */
  public List<String> missing() {
    return missing;
  }

  /**
   * The topology of a fabric. O(ports + switches * levels, and sorting).
   *
   * @param only names of the machines to have; empty for all
   */
  public static ClusterTopology of(
      Fabric fabric, Recognition recognition, Collection<String> only) {
    return new Builder(fabric, recognition, only).build();
  }

  /** Puts the machines in their places. */
  private static final class Builder {
    private final Fabric fabric;
    private final FatTree tree;
    private final Map<String, Boolean> wanted = new LinkedHashMap<>(); // true once it is there
    private final SwitchNames names = new SwitchNames();
    private final Map<Integer, List<String>> nodes = new TreeMap<>(); // by switch
    private final List<String> leftOut = new ArrayList<>();
    private final List<IntUnaryOperator> levels = new ArrayList<>(); // from the top

    Builder(Fabric fabric, Recognition recognition, Collection<String> only) {
      this.fabric = fabric;
      tree = recognition instanceof Recognition.Found found ? found.tree() : null;
      only.forEach(name -> wanted.put(name, false));
    }

    ClusterTopology build() {
      Machines machines = fabric.machines();
      for (int m = 0; m < machines.count(); m++) {
        String name = machines.name(m);
        if (!wanted.isEmpty() && wanted.replace(name, true) == null) {
          continue;
        }
        int sw = firstSwitch(machines, m);
        if (sw == Fabric.NONE || !machines.isNamed(m) || !NODE_NAME.matcher(name).matches()) {
          leftOut.add(name);
        } else {
          nodes.computeIfAbsent(sw, _ -> new ArrayList<>()).add(name);
        }
      }
      findLevels();
      List<Integer> switches = new ArrayList<>(nodes.keySet());
      if (tree != null) {
        switches.sort(Comparator.comparingInt(this::place));
      }
      List<Group> roots = build(switches, 0);
      List<String> missing = new ArrayList<>();
      wanted.forEach(
          (name, found) -> {
            if (!found) {
              missing.add(name);
            }
          });
      return new ClusterTopology(roots, leftOut, missing);
    }

    private int place(int sw) {
      return tree.isLeaf(sw) ? tree.leafIndex(sw) : Integer.MAX_VALUE;
    }

    private int firstSwitch(Machines machines, int machine) {
      for (int node : machines.adapters(machine)) {
        for (int number = 1; number <= fabric.portCount(node); number++) {
          int sw = fabric.attachedSwitch(fabric.port(node, number));
          if (sw != Fabric.NONE) {
            return sw;
          }
        }
      }
      return Fabric.NONE;
    }

    private void findLevels() {
      int[] component = new SwitchLinks(fabric).components();
      levels.add(sw -> component[sw]);
      for (int i = tree == null ? 1 : tree.levels() - 1; i > 1; i--) {
        int level = i;
        levels.add(sw -> tree.subtreeOf(sw, level));
      }
    }

    /** A group for each part that the switches fall into; a part of one is no group of its own. */
    private List<Group> build(List<Integer> switches, int level) {
      Map<Integer, List<Integer>> parts = new LinkedHashMap<>();
      for (int sw : switches) {
        int part = level < levels.size() ? levels.get(level).applyAsInt(sw) : Fabric.NONE;
        int alone = -2 - sw;
        parts.computeIfAbsent(part == Fabric.NONE ? alone : part, _ -> new ArrayList<>()).add(sw);
      }
      List<Group> out = new ArrayList<>();
      int number = 0;
      for (List<Integer> part : parts.values()) {
        number++;
        List<Group> below =
            part.size() == 1 ? List.of(leaf(part.getFirst())) : build(part, level + 1);
        out.add(below.size() == 1 ? below.getFirst() : above(level, number, parts.size(), below));
      }
      return out;
    }

    private Group leaf(int sw) {
      String text = fabric.description(sw).strip();
      String name = text.isEmpty() ? "switch-" + Long.toHexString(fabric.nodeGuid(sw)) : text;
      return new Group(names.unique(name), nodes.get(sw), List.of());
    }

    private Group above(int level, int number, int of, List<Group> below) {
      String name =
          level > 0
              ? "level%d-%d".formatted(tree.levels() - level, number)
              : of == 1 ? "fabric" : "fabric-" + number;
      return new Group(names.unique(name), List.of(), below);
    }
  }

  /** All switches, those below before those above. */
  private List<Group> all() {
    List<Group> out = new ArrayList<>();
    roots.forEach(root -> collect(root, out));
    return out;
  }

  private static void collect(Group group, List<Group> out) {
    group.below.forEach(child -> collect(child, out));
    out.add(group);
  }

  private List<Group> leaves() {
    return all().stream().filter(g -> g.below.isEmpty()).toList();
  }

  private static String list(Collection<String> names) {
    return String.join(",", Hostlist.compress(names));
  }

  private static String children(Group group) {
    return list(group.below.stream().map(Group::name).toList());
  }

  /** {@code topology.conf} of the plug-in topology/tree. */
  public byte[] treeConf() {
    StringBuilder out = new StringBuilder("# TopologyPlugin=topology/tree\n");
    for (Group g : all()) {
      out.append("SwitchName=").append(g.name);
      out.append(g.below.isEmpty() ? " Nodes=" + list(g.nodes) : " Switches=" + children(g));
      out.append('\n');
    }
    return bytes(out);
  }

  /**
   * {@code topology.conf} of the plug-in topology/block (Slurm 23.11 and later): a block is a leaf
   * switch, and the base block size that of the smallest, as Slurm takes no block that is smaller.
   */
  public byte[] blockConf() {
    StringBuilder out = new StringBuilder("# TopologyPlugin=topology/block\n");
    for (Group g : leaves()) {
      out.append("BlockName=").append(g.name).append(" Nodes=").append(list(g.nodes)).append('\n');
    }
    if (!leaves().isEmpty()) {
      out.append("BlockSizes=").append(blockSize()).append('\n');
    }
    return bytes(out);
  }

  private int blockSize() {
    return leaves().stream().mapToInt(g -> g.nodes.size()).min().orElse(0);
  }

  /** {@code topology.yaml} (Slurm 25.05 and later) with both: the tree, which is the default. */
  public byte[] yaml() {
    StringBuilder out = new StringBuilder("- topology: tree\n  cluster_default: true\n");
    out.append("  tree:\n    switches:\n");
    for (Group g : all()) {
      out.append("      - switch: \"").append(g.name).append("\"\n        ");
      out.append(g.below.isEmpty() ? "nodes: \"" + list(g.nodes) : "children: \"" + children(g));
      out.append("\"\n");
    }
    out.append("- topology: block\n  cluster_default: false\n  block:\n    block_sizes:\n");
    out.append("      - ").append(blockSize()).append("\n    blocks:\n");
    for (Group g : leaves()) {
      out.append("      - block: \"").append(g.name).append("\"\n        nodes: \"");
      out.append(list(g.nodes)).append("\"\n");
    }
    return bytes(out);
  }

  private static byte[] bytes(StringBuilder text) {
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }
}
