package org.heddle.routing.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.routing.ForwardingTables;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.topology.FatTree;
import org.heddle.topology.Recognition;
import org.heddle.topology.TreeFinding;

/**
 * The ways to every leaf switch of a tree, worked out once, from which tables for any order of the
 * hosts are made by looking up: the metabase of Zahid, thesis, paper IV, section 7.
 *
 * <p><b>Phase I</b> ({@link #build}) makes tables of <i>columns</i> instead of LIDs. A column is a
 * leaf and an up slot; the entry of a switch says where it sends what comes down to that leaf in
 * this slot of its level. A way to a leaf is one slot for every level, so a few columns a leaf (as
 * many as the most up-links of a switch) describe all its different spanning trees. Damage is dealt
 * with here, as with any tree engine: a column that a switch cannot follow takes another usable
 * slot.
 *
 * <p><b>Phase II</b> ({@link #tables}) gives every host a way and copies entries. Switches with the
 * same ways up share one row but for what lies below them, and rows that no choice of ways can
 * change are made in phase I. O(hosts * up-links) for the choice, then little more than copying.
 *
 * <p>Immutable and safe for several threads. Valid for one snapshot of a fabric.
 */
public final class Metabase {
  private static final int MAX_COLUMN = 0xffff;

  private final Fabric fabric;
  private final TreeGraph graph;
  private final Destinations dest;
  private final LeafHosts hosts;

  private final int slots; // columns of one leaf
  private final byte[][] shadow; // by switch: entry by column
  private final byte[][] base; // by switch: row with what no choice of ways changes
  private final boolean[] fixed; // by switch: base is the whole row
  private final int[] twin; // by switch: the switch whose row it starts from, possibly itself
  private final int[][] ownLeaves; // by switch: leaves whose entries differ from the twin's
  private final int[][] ownLids; // by switch: other LIDs whose entries differ from the twin's

  /** Outcome of phase I. */
  public sealed interface Outcome {
    /**
     * It can be used.
     *
     * @param notes what the user should know, one sentence each
     */
    record Ready(Metabase metabase, List<String> notes) implements Outcome {
      public Ready {
        notes = List.copyOf(notes);
      }
    }

    /**
     * The tree can be routed, but not by ways that choose every level by itself.
     *
     * @param reason one sentence
     */
    record Unfit(String reason) implements Outcome {}

    /** No tree engine routes this fabric. */
    record Refused(RoutingResult.Unsupported reason) implements Outcome {}
  }

  private Metabase(
      Fabric fabric,
      TreeGraph graph,
      TurnOrder turns,
      Destinations dest,
      LeafHosts hosts,
      Columns columns,
      byte[][] rows) {
    this.fabric = fabric;
    this.graph = graph;
    this.dest = dest;
    this.hosts = hosts;
    slots = columns.slots;
    shadow = rows;
    int n = graph.switches;
    base = new byte[n][];
    fixed = new boolean[n];
    twin = new int[n];
    ownLeaves = new int[n][];
    ownLids = new int[n][];
    int[] classOf = new int[n];
    int[] firstOfClass = new int[new SwitchClasses(graph, turns).find(classOf).length];
    Arrays.fill(firstOfClass, -1);
    for (int s = 0; s < n; s++) {
      base[s] = baseRow(s, columns);
      fixed[s] = isFixed(s);
      twin[s] = s;
      if (fixed[s]) {
        continue;
      }
      if (firstOfClass[classOf[s]] < 0) {
        firstOfClass[classOf[s]] = s;
      } else {
        compare(s, firstOfClass[classOf[s]], columns);
      }
    }
  }

  /** Phase I. O(links * switches / 64 + switches * columns). */
  public static Outcome build(RoutingRequest request) {
    return switch (request.recognition()) {
      case Recognition.Refused refused ->
          new Outcome.Refused(
              new RoutingResult.Unsupported(
                  "the fabric is not recognised as a fat-tree",
                  refused.findings().stream().map(TreeFinding::message).toList()));
      case Recognition.Found found -> build(request.fabric(), found.tree());
    };
  }

  private static Outcome build(Fabric fabric, FatTree tree) {
    TreeGraph graph = new TreeGraph(fabric, tree);
    Destinations dest = new Destinations(fabric);
    RoutingResult.Unsupported refusal = TreeRouting.cutLeaves(fabric, tree, graph, dest);
    if (refusal != null) {
      return new Outcome.Refused(refusal);
    }
    LeafHosts hosts = new LeafHosts(fabric, tree, dest);
    if (!isSingleWayDown(graph, hosts)) {
      return new Outcome.Unfit("a switch reaches a leaf over several of its children");
    }
    Columns columns = new Columns(graph, dest, hosts);
    if (columns.count > MAX_COLUMN) {
      return new Outcome.Unfit("the tree has more ways than a metabase holds");
    }
    TurnOrder turns = new TurnOrder(graph, tree);
    Destinations ways = columns.destinations(dest);
    byte[][] rows = new TreeTables(graph, turns, ways, columns.plan(ways)).fill();
    RemainingEntries rest = new RemainingEntries(fabric, graph, turns, ways, rows);
    rest.fill();
    List<String> notes = new ArrayList<>();
    refusal = TreeRouting.unsafeTurns(fabric, graph, turns, dest, rest, notes);
    return refusal != null
        ? new Outcome.Refused(refusal)
        : new Outcome.Ready(new Metabase(fabric, graph, turns, dest, hosts, columns, rows), notes);
  }

  /** Where planes are merged, the slot of a level does not say which child is meant. */
  private static boolean isSingleWayDown(TreeGraph graph, LeafHosts hosts) {
    int words = graph.words;
    long[] leaves = new long[words];
    for (int i = 0; i < hosts.leaves; i++) {
      leaves[hosts.switches[i] >>> 6] |= 1L << hosts.switches[i];
    }
    long[] seen = new long[words];
    for (int s = 0; s < graph.switches; s++) {
      Arrays.fill(seen, 0);
      for (int g = graph.downStart[s]; g < graph.downStart[s + 1]; g++) {
        int child = graph.downChild[g] * words;
        for (int w = 0; w < words; w++) {
          long reached = graph.below[child + w] & leaves[w];
          if ((seen[w] & reached) != 0) {
            return false;
          }
          seen[w] |= reached;
        }
      }
    }
    return true;
  }

  // ---- phase I: what rows have in common

  private byte[] baseRow(int s, Columns columns) {
    byte[] row = new byte[dest.topLid + 1];
    Arrays.fill(row, TreeGraph.NO_PORT);
    for (int k = 0; k < columns.others.length; k++) {
      row[columns.others[k]] = shadow[s][columns.firstOther + k];
    }
    for (int i = 0; i < hosts.leaves; i++) {
      boolean own = hosts.switches[i] == s;
      if (own || isConstant(s, i)) {
        for (int j = hosts.start[i]; j < hosts.start[i + 1]; j++) {
          int lid = hosts.lids[j];
          row[lid] = own ? dest.portOf[lid] : shadow[s][1 + i * slots];
        }
      }
    }
    return row;
  }

  private boolean isConstant(int s, int leaf) {
    byte[] row = shadow[s];
    int from = 1 + leaf * slots;
    for (int c = from + 1; c < from + slots; c++) {
      if (row[c] != row[from]) {
        return false;
      }
    }
    return true;
  }

  private boolean isFixed(int s) {
    for (int i = 0; i < hosts.leaves; i++) {
      if (hosts.switches[i] != s && !isConstant(s, i)) {
        return false;
      }
    }
    return true;
  }

  /** Makes a switch start from the row of another if not too much differs. */
  private void compare(int s, int other, Columns columns) {
    int[] leaves = new int[hosts.leaves];
    int n = 0;
    for (int i = 0; i < hosts.leaves; i++) {
      int leaf = hosts.switches[i];
      int from = 1 + i * slots;
      boolean same =
          leaf != s
              && leaf != other
              && graph.isBelow(s, leaf) == graph.isBelow(other, leaf)
              && Arrays.equals(shadow[s], from, from + slots, shadow[other], from, from + slots);
      if (!same) {
        leaves[n++] = i;
      }
    }
    if (2 * n > hosts.leaves) {
      return;
    }
    int[] lids = new int[columns.others.length];
    int m = 0;
    for (int lid : columns.others) {
      if (base[s][lid] != base[other][lid]) {
        lids[m++] = lid;
      }
    }
    twin[s] = other;
    ownLeaves[s] = Arrays.copyOf(leaves, n);
    ownLids[s] = Arrays.copyOf(lids, m);
  }

  // ---- phase II

  /**
   * Phase II: tables for an order of hosts.
   *
   * @param order node or port GUIDs, rank 0 first; hosts not named follow by counters, and with an
   *     empty order all of them
   */
  public ForwardingTables tables(List<Guid> order) {
    return tables(chooser(fabric, order, false).choose(graph, dest, hosts));
  }

  /**
   * Phase II with a search: as {@link #tables}, but hosts then exchange ways so that fewer flows of
   * bruck and recursive doubling over these ranks share a channel. Worth its time, up to a few
   * seconds, where ranks are scattered; without an order it is {@link #tables}.
   */
  public ForwardingTables tunedTables(List<Guid> order) {
    return tables(chooser(fabric, order, true).choose(graph, dest, hosts));
  }

  static SlotChooser chooser(Fabric fabric, List<Guid> order, boolean tuned) {
    return order.isEmpty()
        ? new CountingSlots(new int[0])
        : new RankSlots(RankSlots.ranks(fabric, order), tuned);
  }

  private ForwardingTables tables(SlotPlan plan) {
    byte[][] rows = new byte[graph.switches][];
    for (int s = 0; s < rows.length; s++) {
      if (fixed[s]) {
        rows[s] = base[s];
      } else if (twin[s] == s) {
        rows[s] = base[s].clone();
        for (int i = 0; i < hosts.leaves; i++) {
          fill(s, i, plan, rows[s]);
        }
      } else {
        rows[s] = rows[twin[s]].clone(); // the first of its class, so it is there
        for (int i : ownLeaves[s]) {
          fill(s, i, plan, rows[s]);
        }
        for (int lid : ownLids[s]) {
          rows[s][lid] = base[s][lid];
        }
      }
    }
    return ForwardingTables.ofRows(rows, dest.topLid);
  }

  private void fill(int s, int i, SlotPlan plan, byte[] row) {
    int leaf = hosts.switches[i];
    if (leaf == s) {
      for (int j = hosts.start[i]; j < hosts.start[i + 1]; j++) {
        row[hosts.lids[j]] = dest.portOf[hosts.lids[j]];
      }
      return;
    }
    // What goes down takes the link its slot names one level lower.
    int l = graph.isBelow(s, leaf) ? graph.level[s] - 1 : graph.level[s];
    int[] slot = l > 0 ? plan.slot[l] : null;
    byte[] ports = shadow[s];
    int from = 1 + i * slots;
    for (int j = hosts.start[i]; j < hosts.start[i + 1]; j++) {
      int lid = hosts.lids[j];
      row[lid] = ports[slot == null ? from : from + slot[lid]];
    }
  }

  // ---- how many ways there are

  /** Number of different ways up from a leaf switch to roots, one spanning tree each. */
  public long differentTrees(int leaf) {
    long[] ways = new long[graph.switches];
    for (int i = graph.switches - 1; i >= 0; i--) {
      int s = graph.rising[i];
      ways[s] = graph.upStart[s] == graph.upStart[s + 1] ? 1 : 0;
      for (int g = graph.upStart[s]; g < graph.upStart[s + 1]; g++) {
        ways[s] += ways[graph.upParent[g]] * (graph.upPortStart[g + 1] - graph.upPortStart[g]);
      }
    }
    return ways[leaf];
  }

  /**
   * Number of spanning trees to a leaf switch that share no link: the smallest number of links
   * between two levels of its ancestors. Exact on undamaged trees, else no more than this.
   */
  public int disjointTrees(int leaf) {
    boolean[] above = new boolean[graph.switches];
    int[] links = new int[graph.levels + 1];
    above[leaf] = true;
    int top = graph.level[leaf];
    for (int s : graph.rising) {
      for (int g = graph.upStart[s]; g < graph.upStart[s + 1] && above[s]; g++) {
        above[graph.upParent[g]] = true;
        links[graph.level[s]] += graph.upPortStart[g + 1] - graph.upPortStart[g];
        top = Math.max(top, graph.level[s] + 1);
      }
    }
    int least = top == graph.level[leaf] ? 0 : Integer.MAX_VALUE;
    for (int l = graph.level[leaf]; l < top; l++) {
      least = Math.min(least, links[l]);
    }
    return least;
  }

  /** What phase I makes tables for: leaf by leaf its slots, then all LIDs of other places. */
  private static final class Columns {
    final int slots;
    final int firstOther;
    final int[] others;
    final int count;
    private final TreeGraph graph;
    private final LeafHosts hosts;

    Columns(TreeGraph graph, Destinations dest, LeafHosts hosts) {
      this.graph = graph;
      this.hosts = hosts;
      int most = 1;
      for (int l = 1; l <= graph.levels; l++) {
        most = Math.max(most, graph.slots[l]);
      }
      slots = most;
      boolean[] atLeaf = new boolean[dest.topLid + 1];
      int n = hosts.start[hosts.leaves];
      for (int j = 0; j < n; j++) {
        atLeaf[hosts.lids[j]] = true;
      }
      int[] rest = new int[dest.lids.length];
      int k = 0;
      for (int lid : dest.lids) {
        if (!atLeaf[lid]) {
          rest[k++] = lid;
        }
      }
      others = Arrays.copyOf(rest, k);
      firstOther = 1 + hosts.leaves * slots;
      count = firstOther + k;
    }

    Destinations destinations(Destinations dest) {
      int[] switchOf = new int[count];
      byte[] portOf = new byte[count];
      switchOf[0] = Destinations.NOWHERE;
      for (int i = 0; i < hosts.leaves; i++) {
        Arrays.fill(switchOf, 1 + i * slots, 1 + (i + 1) * slots, hosts.switches[i]);
        Arrays.fill(portOf, 1 + i * slots, 1 + (i + 1) * slots, (byte) 1);
      }
      for (int k = 0; k < others.length; k++) {
        switchOf[firstOther + k] = dest.switchOf[others[k]];
        portOf[firstOther + k] = dest.portOf[others[k]];
      }
      return new Destinations(graph.switches, switchOf, portOf);
    }

    SlotPlan plan(Destinations ways) {
      SlotPlan plan = new SlotPlan(graph, count - 1, true);
      int[][] sequence = new int[hosts.leaves][slots];
      for (int i = 0; i < hosts.leaves; i++) {
        int leaf = hosts.switches[i];
        for (int t = 0; t < slots; t++) {
          int c = 1 + i * slots + t;
          sequence[i][t] = c;
          plan.leadTo(graph, c, 1, leaf, c);
          for (int l = Math.max(1, graph.level[leaf]); l <= graph.levels; l++) {
            if (graph.slots[l] > 0) {
              plan.slot[l][c] = t % graph.slots[l];
            }
          }
        }
      }
      CountingSlots.spreadDisplaced(graph, plan, sequence);
      long[] channel = new long[graph.slotParent.length];
      long[] through = new long[graph.switches];
      for (int c = firstOther; c < count; c++) {
        if (ways.portOf[c] != 0) {
          plan.leadTo(graph, c, 1, ways.switchOf[c], c);
          CountingSlots.climb(graph, plan, ways.switchOf[c], c, channel, through, 1);
        }
      }
      CountingSlots.routeSwitches(graph, ways, plan);
      return plan;
    }
  }
}
