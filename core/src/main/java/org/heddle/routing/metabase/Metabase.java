package org.heddle.routing.metabase;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.routing.ForwardingTables;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.routing.tree.CountingSlots;
import org.heddle.routing.tree.Destinations;
import org.heddle.routing.tree.GuidIndex;
import org.heddle.routing.tree.LeafHosts;
import org.heddle.routing.tree.Mates;
import org.heddle.routing.tree.ReRootedOrder;
import org.heddle.routing.tree.RegularTree;
import org.heddle.routing.tree.RemainingEntries;
import org.heddle.routing.tree.SlotChooser;
import org.heddle.routing.tree.SlotPlan;
import org.heddle.routing.tree.TreeGraph;
import org.heddle.routing.tree.TreeRouting;
import org.heddle.routing.tree.TreeTables;
import org.heddle.routing.tree.TurnNotes;
import org.heddle.topology.FatTree;
import org.heddle.topology.Recognition;
import org.heddle.topology.TreeFinding;

/**
 * The paths to every leaf switch of a tree, computed once; tables for any order of the hosts are
 * then made from them by look-up: the metabase of Zahid, thesis, paper IV, section 7.
 *
 * <p><b>Phase I</b> ({@link #build}) makes tables of <i>columns</i> instead of LIDs. A column is a
 * leaf and an up slot; the entry of a switch says where it sends what comes down to that leaf in
 * this slot of its level. A way to a leaf is one slot for every level, so a few columns a leaf (as
 * many as the most up-links of a switch) describe all its different spanning trees. Damage is dealt
 * with here, as with any tree engine: a column that a switch cannot follow takes another usable
 * slot. On a {@link RegularTree} columns of leaves need not be made: a switch sends them up as the
 * slot says, or down as the leaf's own LID.
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
  private final HostSlots choice;
  private final MetabaseRows rows;
  private final GuidIndex index;
  private final int[][] counted; // slots without an order

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

    /** The fabric is not a tree. */
    record Refused(RoutingResult.Unsupported reason) implements Outcome {}
  }

  private Metabase(
      Fabric fabric, TreeGraph graph, Destinations dest, LeafHosts hosts, MetabaseRows rows) {
    this.fabric = fabric;
    this.graph = graph;
    this.dest = dest;
    this.hosts = hosts;
    this.rows = rows;
    choice = new HostSlots(graph, dest, hosts);
    index = new GuidIndex(fabric);
    counted = choice.counting();
    Mates mates = Mates.of(fabric, dest);
    for (int i = 0; mates != null && i < hosts.leaves; i++) {
      mates.separate(hosts.lids, hosts.start[i], hosts.start[i + 1], countedWays());
    }
  }

  private Mates.Ways countedWays() {
    return new Mates.Ways() {
      @Override
      public int way(int lid) {
        return counted[1] == null ? -1 : counted[1][lid] % graph.keys[1];
      }

      @Override
      public void swap(int a, int b) {
        for (int[] slot : counted) {
          if (slot != null) {
            SlotPlan.swap(slot, a, b);
          }
        }
      }
    };
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
    LeafHosts hosts = new LeafHosts(fabric, tree, dest);
    if (!isSingleWayDown(graph, hosts)) {
      return new Outcome.Unfit("a switch reaches a leaf over several of its children");
    }
    ReRootedOrder turns = new ReRootedOrder(graph, tree);
    boolean regular = RegularTree.is(graph, turns, dest, hosts);
    MetabaseColumns columns = new MetabaseColumns(graph, dest, hosts, regular);
    if (columns.count > MAX_COLUMN) {
      return new Outcome.Unfit("the tree has more routes than a metabase holds");
    }
    Destinations ways = columns.destinations();
    byte[][] shadow = new TreeTables(graph, turns, ways, columns.plan(ways)).fill();
    RemainingEntries rest = new RemainingEntries(fabric, graph, turns, ways, shadow);
    rest.fill();
    TurnNotes notes = new TurnNotes(fabric, tree, graph, dest);
    if (!TreeRouting.isProvenByOrder(turns, rest, notes)) {
      return new Outcome.Unfit("hosts need turns whose place does not exclude credit loops");
    }
    for (int i = 0; i < hosts.leaves; i++) {
      if (rest.hadGaps(hosts.switches[i])) {
        return new Outcome.Unfit(
            "routes to leaf switch "
                + fabric.node(hosts.switches[i]).display()
                + " depend on each other");
      }
    }
    MetabaseRows rows = new MetabaseRows(graph, dest, hosts, columns, shadow);
    Metabase ready = new Metabase(fabric, graph, dest, hosts, rows);
    return new Outcome.Ready(
        ready, notes.isEmpty() ? List.of() : notes.describe(ready.tables(ready.counted)::port));
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

  // ---- phase II

  /**
   * Phase II: tables for an order of hosts.
   *
   * @param order node or port GUIDs, rank 0 first; hosts not named follow by counters, and with an
   *     empty order all of them
   */
  public ForwardingTables tables(List<Guid> order) {
    return tables(order.isEmpty() ? counted : choice.byRank(RankedLids.of(fabric, index, order)));
  }

  /**
   * Phase II with a search: as {@link #tables}, but hosts then exchange paths so that fewer flows
   * of bruck and recursive doubling over these ranks share a channel. Worth its time, up to a few
   * seconds, where ranks are scattered; without an order it is {@link #tables}.
   */
  public ForwardingTables tunedTables(List<Guid> order) {
    if (order.isEmpty()) {
      return tables(order);
    }
    RankedLids ranked = RankedLids.of(fabric, index, order);
    return tables(new RankSlots(ranked).choose(graph, dest, hosts, choice.byRank(ranked)).slot);
  }

  /**
   * Tables in which no flows of a step meet.
   *
   * @param changes entries that lead away from the spanning tree of their LID; with 0 the balance
   *     is that of {@link #tables}, else channels down carry more destinations
   * @param doubling true: no flows of a step of recursive doubling meet either
   */
  public record Separated(ForwardingTables tables, int changes, boolean doubling) {}

  /**
   * Phase II for orders whose ranks are contiguous on leaves that come in any order, on trees of
   * three levels or more that are not oversubscribed: tables in which no two flows of one step of
   * bruck share a channel, and on trees of three levels, with a power of two of hosts on a leaf,
   * none of recursive doubling, unless a search fails. Empty for other orders and trees. Seconds on
   * thousands of hosts, 14 at worst among those measured (docs/reroute.md).
   */
  public Optional<Separated> separatedTables(List<Guid> order) {
    if (order.isEmpty()) {
      return Optional.empty(); // and nothing to work out before finding that
    }
    RankedLids ranked = RankedLids.of(fabric, index, order);
    int[][] slot = choice.byRank(ranked);
    LeafRanks ranks = LeafRanks.of(graph, dest, ranked, slot);
    if (ranks == null) {
      return Optional.empty();
    }
    ForwardingTables.Edits edits = tables(slot).edit();
    boolean separate = true;
    ContentionFreePaths.Change[] both = ContentionFreePaths.find(graph, ranks, slot);
    if (both != null) {
      set(edits, both);
    } else {
      BruckPaths bruck = BruckPaths.find(graph, ranks, slot);
      if (bruck == null) {
        return Optional.empty();
      }
      set(edits, bruck.changes());
      RecursiveDoublingPaths doubling = RecursiveDoublingPaths.find(graph, ranks, bruck, slot);
      set(edits, doubling.changes());
      separate = doubling.isSeparate();
    }
    return Optional.of(new Separated(edits.build(), (int) edits.changes(), separate));
  }

  private void set(ForwardingTables.Edits edits, ContentionFreePaths.Change[] changes) {
    for (ContentionFreePaths.Change change : changes) {
      byte port = graph.slotPort[graph.slotBase[change.sw()] + change.slot()];
      edits.set(change.sw(), change.lid(), port & 0xff);
    }
  }

  /** The same choice for trees that have no metabase. */
  public static SlotChooser tunedChooser(Fabric fabric, List<Guid> order) {
    return order.isEmpty()
        ? new CountingSlots(new int[0])
        : new RankSlots(RankedLids.of(fabric, new GuidIndex(fabric), order));
  }

  private ForwardingTables tables(int[][] slot) {
    return ForwardingTables.ofRows(rows.of(slot), dest.topLid);
  }

  // ---- how many ways there are

  /** Number of different paths up from a leaf switch to roots, one spanning tree each. */
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
}
