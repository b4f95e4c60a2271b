package org.heddle.routing.tree;

import java.util.Arrays;
import org.heddle.fabric.Fabric;
import org.heddle.topology.FatTree;

/**
 * A recognised tree as the tree engines see it: which switches lie above and below, through which
 * ports, and what can be reached by going up and then down.
 *
 * <p><b>Up slots.</b> On a regular tree the k-th parent of every switch of a level plays the same
 * role, whatever port it hangs on: in an XGFT, parents with the same digit belong to one
 * <i>plane</i>, that is to one connected component of what is left when only the levels from theirs
 * on are kept. That definition needs no coordinates and survives damage, so it is what an <i>up
 * slot</i> means here: slot = (parallel link k, rank among parents of the same plane, plane),
 * numbered planes first. All switches of a level have the same slots; a switch whose link is gone
 * just misses one. An engine decides, per destination and level, one slot; a whole table row is
 * then a copy of the level's template with the entries patched that cannot follow it.
 *
 * <p><b>Reachability</b> is kept as one bit per (switch, delivering switch): {@link #below}: going
 * only down; {@link #good}: going up, then down. A switch may send to any parent that is good for
 * the destination, so every choice of slots gives loop-free up/down routes.
 *
 * <p>Links inside a level are not tree links and are not used. Immutable. Built in O(ports + links
 * * switches / 64).
 */
public final class TreeGraph {
  public static final byte NO_PORT = (byte) 255;

  public final int switches;

  /** Longs a bit set over switches takes. */
  public final int words;

  public final int levels;
  public final int[] level;

  /** Switches by rising level, by id inside a level. */
  public final int[] rising;

  /** Parents of switch s: groups {@code upStart[s] .. upStart[s+1]-1}. */
  public final int[] upStart;

  public final int[] upParent;

  /** Ports of an up group: {@code upPort[upPortStart[g] .. upPortStart[g+1]-1]}, rising. */
  public final int[] upPortStart;

  public final byte[] upPort;

  /** Number of up-links by switch. */
  public final int[] upLinks;

  /** Children of switch s: groups {@code downStart[s] .. downStart[s+1]-1}. */
  public final int[] downStart;

  public final int[] downChild;

  /**
   * Ports of a down group, in the order of the child's ports: the k-th belongs to its k-th link.
   */
  public final int[] downPortStart;

  public final byte[] downPort;

  /** Number of the cable of a down port in its bundle ({@link CableNumbers}), as downPort. */
  final byte[] downCable;

  /**
   * Plane ({@link TreeGraph}) of a switch in the graph of levels at least l: {@code plane[l][s]}.
   */
  final int[][] plane;

  /** Number of a plane of level l+1 among the sub-planes of its plane of level l. */
  final int[][] planeLabel;

  /** Slots without counting parallel links, by level. */
  public final int[] keys;

  /** Slots by level: {@code keys * (largest number of parallel links)}. */
  public final int[] slots;

  /** Port of slot t of switch s: {@code slotPort[slotBase[s] + t]}, {@link #NO_PORT} if missing. */
  public final int[] slotBase;

  public final byte[] slotPort;

  /** Parent behind slot t of switch s, or -1. */
  public final int[] slotParent;

  /** Bit (s, d): d can be reached from s going only down; {@code below[s * words + d / 64]}. */
  public final long[] below;

  /** Bit (s, d): d can be reached from s going up any number of levels, then down. */
  final long[] good;

  /** Cables of damaged bundles keep their numbers. */
  public TreeGraph(Fabric fabric, FatTree tree) {
    this(fabric, tree, true);
  }

  /**
   * The tree of a fabric.
   *
   * @param keepCables {@link SlotChooser#keepsCables}
   */
  public TreeGraph(Fabric fabric, FatTree tree, boolean keepCables) {
    switches = fabric.switchCount();
    words = (switches + 63) >>> 6;
    levels = tree.levels();
    level = new int[switches];
    for (int s = 0; s < switches; s++) {
      level[s] = tree.level(s);
    }
    rising = sortByLevel();
    upStart = new int[switches + 1];
    downStart = new int[switches + 1];
    int links = countUpLinks(tree, switches);
    upParent = new int[links];
    upPortStart = new int[links + 1];
    upPort = new byte[links];
    upLinks = new int[switches];
    int groups = collectUpGroups(tree);
    downChild = new int[groups];
    downPortStart = new int[groups + 1];
    downPort = new byte[links];
    collectDownGroups(fabric, groups);
    plane = new int[levels + 2][];
    planeLabel = new int[levels + 1][];
    keys = new int[levels + 1];
    slots = new int[levels + 1];
    int[] labels = findPlanes();
    slotBase = new int[switches + 1];
    int[] parallel = countSlots(labels);
    int[] cable = keepCables ? CableNumbers.of(fabric, this, parallel) : cablesInOrder();
    downCable = new byte[links];
    numberDownPorts(cable);
    slotPort = new byte[slotBase[switches]];
    slotParent = new int[slotBase[switches]];
    fillSlots(labels, cable);
    below = new long[switches * words];
    good = new long[switches * words];
    findReachable();
  }

  private int[] sortByLevel() {
    int[] first = new int[levels + 2];
    for (int s = 0; s < switches; s++) {
      first[level[s] + 1]++;
    }
    for (int l = 0; l <= levels; l++) {
      first[l + 1] += first[l];
    }
    int[] order = new int[switches];
    for (int s = 0; s < switches; s++) {
      order[first[level[s]]++] = s;
    }
    return order;
  }

  private static int countUpLinks(FatTree tree, int switches) {
    int links = 0;
    for (int s = 0; s < switches; s++) {
      for (int g = 0; g < tree.upGroupCount(s); g++) {
        links += tree.upGroupSize(s, g);
      }
    }
    return links;
  }

  private int collectUpGroups(FatTree tree) {
    int groups = 0;
    int ports = 0;
    for (int s = 0; s < switches; s++) {
      upStart[s] = groups;
      for (int g = 0; g < tree.upGroupCount(s); g++) {
        int parent = tree.upGroupSwitch(s, g);
        upPortStart[groups] = ports;
        upParent[groups++] = parent;
        downStart[parent + 1]++;
        upLinks[s] += tree.upGroupSize(s, g);
        for (int k = 0; k < tree.upGroupSize(s, g); k++) {
          upPort[ports++] = (byte) tree.upGroupPort(s, g, k);
        }
      }
    }
    upStart[switches] = groups;
    upPortStart[groups] = ports;
    return groups;
  }

  private void collectDownGroups(Fabric fabric, int groups) {
    for (int s = 0; s < switches; s++) {
      downStart[s + 1] += downStart[s];
    }
    int[] next = downStart.clone();
    int[] upGroupOf = new int[groups];
    int[] childOf = new int[groups];
    for (int s = 0; s < switches; s++) { // children arrive in rising id order
      for (int g = upStart[s]; g < upStart[s + 1]; g++) {
        int d = next[upParent[g]]++;
        upGroupOf[d] = g;
        childOf[d] = s;
      }
    }
    int ports = 0;
    for (int d = 0; d < groups; d++) {
      int child = childOf[d];
      downChild[d] = child;
      downPortStart[d] = ports;
      for (int i = upPortStart[upGroupOf[d]]; i < upPortStart[upGroupOf[d] + 1]; i++) {
        int peer = fabric.peer(fabric.port(child, upPort[i] & 0xff));
        downPort[ports++] = (byte) fabric.numberOf(peer);
      }
    }
    downPortStart[groups] = ports;
  }

  /**
   * Finds planes of every level from the top; returns the largest number of sub-planes by level.
   */
  private int[] findPlanes() {
    int[] root = new int[switches];
    for (int s = 0; s < switches; s++) {
      root[s] = s;
    }
    int[] labels = new int[levels + 1];
    int at = switches - 1;
    for (int l = levels; l >= 1; l--) {
      for (; at >= 0 && level[rising[at]] >= l; at--) {
        int s = rising[at];
        for (int g = upStart[s]; g < upStart[s + 1]; g++) {
          union(root, s, upParent[g]);
        }
      }
      plane[l] = new int[switches];
      for (int s = 0; s < switches; s++) {
        plane[l][s] = find(root, s);
      }
      if (l < levels) {
        labels[l] = labelSubPlanes(l);
      }
    }
    return labels;
  }

  private int labelSubPlanes(int l) {
    planeLabel[l] = new int[switches];
    int[] count = new int[switches];
    int most = 0;
    for (int s = 0; s < switches; s++) {
      // A plane is named after its smallest switch, so sub-planes are met in rising order.
      if (level[s] > l && plane[l + 1][s] == s) {
        planeLabel[l][s] = count[plane[l][s]]++;
        most = Math.max(most, count[plane[l][s]]);
      }
    }
    return most;
  }

  private static int find(int[] root, int s) {
    int r = s;
    while (root[r] != r) {
      root[r] = root[root[r]];
      r = root[r];
    }
    return r;
  }

  private static void union(int[] root, int a, int b) {
    int x = find(root, a);
    int y = find(root, b);
    root[Math.max(x, y)] = Math.min(x, y);
  }

  private int labelOf(int l, int parent) {
    return planeLabel[l][plane[l + 1][parent]];
  }

  /** Counts slots; returns the largest number of parallel cables by level. */
  private int[] countSlots(int[] labels) {
    int[] ranks = new int[levels + 1];
    int[] parallel = new int[levels + 1];
    int[] seen = new int[switches];
    int[] stamp = new int[switches];
    for (int s = 0; s < switches; s++) {
      int l = level[s];
      for (int g = upStart[s]; g < upStart[s + 1]; g++) {
        int label = labelOf(l, upParent[g]);
        seen[label] = stamp[label] == s + 1 ? seen[label] + 1 : 1;
        stamp[label] = s + 1;
        ranks[l] = Math.max(ranks[l], seen[label]);
        parallel[l] = Math.max(parallel[l], upPortStart[g + 1] - upPortStart[g]);
      }
    }
    for (int l = 1; l <= levels; l++) {
      keys[l] = ranks[l] * labels[l];
      slots[l] = keys[l] * parallel[l];
    }
    for (int s = 0; s < switches; s++) {
      slotBase[s + 1] = slotBase[s] + slots[level[s]];
    }
    return parallel;
  }

  /** By place among the cables that are there, by index into {@link #upPort}. */
  private int[] cablesInOrder() {
    int[] out = new int[upPort.length];
    for (int g = 0; g < upParent.length; g++) {
      for (int i = upPortStart[g]; i < upPortStart[g + 1]; i++) {
        out[i] = i - upPortStart[g];
      }
    }
    return out;
  }

  private void numberDownPorts(int[] cable) {
    int[] next = downStart.clone();
    for (int s = 0; s < switches; s++) { // as the down groups were collected
      for (int g = upStart[s]; g < upStart[s + 1]; g++) {
        int at = downPortStart[next[upParent[g]]++];
        for (int i = upPortStart[g]; i < upPortStart[g + 1]; i++) {
          downCable[at++] = (byte) cable[i];
        }
      }
    }
  }

  private void fillSlots(int[] labels, int[] cable) {
    Arrays.fill(slotPort, NO_PORT);
    Arrays.fill(slotParent, -1);
    int[] seen = new int[switches];
    int[] stamp = new int[switches];
    for (int s = 0; s < switches; s++) {
      int l = level[s];
      for (int g = upStart[s]; g < upStart[s + 1]; g++) {
        int label = labelOf(l, upParent[g]);
        int rank = stamp[label] == s + 1 ? seen[label] : 0;
        stamp[label] = s + 1;
        seen[label] = rank + 1;
        for (int i = upPortStart[g]; i < upPortStart[g + 1]; i++) {
          int t = slotBase[s] + cable[i] * keys[l] + rank * labels[l] + label;
          slotPort[t] = upPort[i];
          slotParent[t] = upParent[g];
        }
      }
    }
  }

  /** The slot that leads from level l into the plane of {@code target}, a switch above level l. */
  int slotTowards(int l, int target) {
    return labelOf(l, target);
  }

  private void findReachable() {
    // The row is collected in an array of its own: the compiler vectorises that, but not a loop
    // that
    // reads and writes the same array.
    long[] row = new long[words];
    for (int i = 0; i < switches; i++) { // rising: children first
      int s = rising[i];
      Arrays.fill(row, 0);
      row[s >>> 6] = 1L << s;
      for (int g = downStart[s]; g < downStart[s + 1]; g++) {
        addRow(row, below, downChild[g] * words);
      }
      System.arraycopy(row, 0, below, s * words, words);
    }
    for (int i = switches - 1; i >= 0; i--) { // falling: parents first
      int s = rising[i];
      System.arraycopy(below, s * words, row, 0, words);
      for (int g = upStart[s]; g < upStart[s + 1]; g++) {
        addRow(row, good, upParent[g] * words);
      }
      System.arraycopy(row, 0, good, s * words, words);
    }
  }

  private static void addRow(long[] row, long[] bits, int from) {
    for (int w = 0; w < row.length; w++) {
      row[w] |= bits[from + w];
    }
  }

  public boolean isBelow(int s, int d) {
    return (below[s * words + (d >>> 6)] >>> d & 1) != 0;
  }

  public boolean isGood(int s, int d) {
    return (good[s * words + (d >>> 6)] >>> d & 1) != 0;
  }
}
