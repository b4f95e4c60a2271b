package org.heddle.reconfig.reroute;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.FabricPart;
import org.heddle.fabric.Guid;
import org.heddle.routing.ForwardingTables;
import org.heddle.routing.RoutingEngine;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.topology.FatTree;
import org.heddle.topology.Recognition;
import org.heddle.topology.Subtree;

/**
 * Reroutes a sub-tree and leaves the rest of the fabric alone (fast hybrid reconfiguration:
 * Tasoulas, thesis, paper III, section IV).
 *
 * <p>An engine routes the sub-tree as if it were the fabric. From its tables, only the LIDs of
 * nodes attached to the leaves are taken over, and only where the switch's route climbs, then
 * descends, inside the sub-tree; everywhere else the old entry stays. The LIDs of switches stay as
 * they are.
 *
 * <p><b>Why that is safe.</b> A route that reaches a switch whose entry was taken over stays on
 * such switches and arrives; any other route is an old one. So a LID that was reached from
 * everywhere still is, without a loop. Packets from outside enter at the top level of the sub-tree,
 * where routes that were taken over only descend. So if all routes climbed and then descended
 * before, and the engine sends down where it can, as tree engines do, they still do so afterwards,
 * and no credit loop is possible. Old tables without that property, or links inside a level, need
 * an audit.
 *
 * <p>O(engine on the sub-tree + switches * LIDs of the sub-tree), and a copy of its rows.
 */
public final class SubtreeReroute {
  private SubtreeReroute() {}

  /** Outcome. */
  public sealed interface Outcome {}

  /**
   * New tables.
   *
   * @param tables the rows of switches outside of the sub-tree, and of switches where nothing
   *     changes, are those of the old tables
   * @param switches switches with a changed entry, ascending ids in the whole fabric
   * @param blocks blocks to write to each of these, in the same order
   * @param lids LIDs that were routed anew
   * @param entries entries that change
   * @param kept entries that stay because the sub-tree has no way up and down for them
   * @param notes what the engine says
   */
  public record Rerouted(
      ForwardingTables tables,
      List<Integer> switches,
      List<Integer> blocks,
      int lids,
      long entries,
      long kept,
      List<String> notes)
      implements Outcome {
    public Rerouted {
      switches = List.copyOf(switches);
      blocks = List.copyOf(blocks);
      notes = List.copyOf(notes);
    }

    /** Number of subnet management packets that write the change. */
    public long smps() {
      return blocks.stream().mapToLong(Integer::longValue).sum();
    }
  }

  /**
   * The engine cannot route the sub-tree.
   *
   * @param reason one sentence
   * @param details further sentences
   */
  public record Unsupported(String reason, List<String> details) implements Outcome {
    public Unsupported {
      details = List.copyOf(details);
    }
  }

  /**
   * Reroutes a sub-tree.
   *
   * @param tables of the whole fabric
   * @param subtree of the same fabric
   * @param engine for fat-trees
   * @param hostOrder node or port GUIDs in routing order, for engines that use one; those outside
   *     of the sub-tree do not count
   */
  public static Outcome run(
      ForwardingTables tables, Subtree subtree, RoutingEngine engine, List<Guid> hostOrder) {
    FabricPart part = subtree.part();
    Recognition tree = new Recognition.Found(subtree.tree(), List.of());
    RoutingRequest request = new RoutingRequest(part.fabric(), tree, hostOrder, List.of());
    return switch (engine.route(request)) {
      case RoutingResult.Unsupported no -> new Unsupported(no.reason(), no.details());
      case RoutingResult.Routed yes -> new Merge(tables, subtree, yes).run();
    };
  }

  /** Takes entries over. */
  private static final class Merge {
    private static final byte BAD = 0;
    private static final byte CLIMBS = 1; // then descends
    private static final byte DESCENDS = 2;

    private final ForwardingTables old;
    private final FabricPart part;
    private final Fabric fabric;
    private final FatTree tree;
    private final List<String> notes;
    private final int switches;
    private final byte[][] made; // rows of the engine
    private final int[] next; // by port id of a switch: the switch behind it, or NONE
    private final int[] lids; // LIDs of the part that are routed anew
    private final int[] wholeLids; // the same in the whole fabric
    private final byte[] outcome; // of the route of switch s to lids[i], at s * lids.length + i
    private final int[] leadsTo = new int[256]; // by port number: of a switch, its outcomes' base
    private final int[] attached = new int[256]; // by port number: the port of a host behind it
    private long entries;
    private long kept;

    Merge(ForwardingTables old, Subtree subtree, RoutingResult.Routed routed) {
      this.old = old;
      this.part = subtree.part();
      this.fabric = part.fabric();
      this.tree = subtree.tree();
      // Turns from down to up are not taken over: what the engine says of them is true of its own
      // tables.
      this.notes = routed.notes().stream().map(note -> "in the sub-tree alone: " + note).toList();
      switches = fabric.switchCount();
      made = new byte[switches][];
      for (int s = 0; s < switches; s++) {
        made[s] = routed.tables().row(s);
      }
      next = new int[switches == 0 ? 0 : fabric.port(switches - 1, 0) + slots(switches - 1)];
      for (int port = 0; port < next.length; port++) {
        int node = fabric.peerNode(port);
        next[port] = fabric.isSwitch(node) ? node : Fabric.NONE;
      }
      int[] found = new int[fabric.topLid()];
      int n = 0;
      for (int lid = 1; lid <= fabric.topLid(); lid++) {
        if (!fabric.isSwitch(fabric.nodeOf(fabric.portOfLid(lid)))) {
          found[n++] = lid;
        }
      }
      lids = Arrays.copyOf(found, n);
      wholeLids = new int[n];
      Arrays.setAll(wholeLids, i -> part.wholeLid(lids[i]));
      outcome = new byte[switches * n];
    }

    private int slots(int sw) {
      return fabric.portCount(sw) + 1;
    }

    Rerouted run() {
      followAll();
      ForwardingTables base = reaching(lids.length == 0 ? 0 : wholeLids[lids.length - 1]);
      List<Integer> changed = new ArrayList<>();
      List<Integer> blocks = new ArrayList<>();
      List<byte[]> rows = new ArrayList<>();
      for (int s = 0; s < switches; s++) {
        byte[] row = base.row(part.wholeNode(s));
        int count = takeOver(s, row);
        if (count > 0) {
          changed.add(part.wholeNode(s));
          blocks.add(count);
          rows.add(row);
        }
      }
      int[] ids = changed.stream().mapToInt(Integer::intValue).toArray();
      ForwardingTables tables =
          ids.length == 0 ? old : base.withRows(ids, rows.toArray(new byte[0][]));
      return new Rerouted(tables, changed, blocks, lids.length, entries, kept, notes);
    }

    /** The old tables, with columns up to a LID. */
    private ForwardingTables reaching(int lid) {
      return lid <= old.topLid() ? old : old.with(lid, new int[0], new int[0]);
    }

    /** Writes the entries of a switch into a copy of its row; returns the blocks that change. */
    private int takeOver(int s, byte[] row) {
      byte[] from = made[s];
      int blocks = 0;
      int lastBlock = -1;
      for (int i = 0; i < lids.length; i++) {
        if (outcome[s * lids.length + i] == BAD) {
          kept++;
          continue;
        }
        int lid = wholeLids[i];
        byte port = from[lids[i]];
        if (row[lid] == port) {
          continue;
        }
        row[lid] = port;
        entries++;
        blocks += lid / ForwardingTables.BLOCK_SIZE == lastBlock ? 0 : 1;
        lastBlock = lid / ForwardingTables.BLOCK_SIZE;
      }
      return blocks;
    }

    /**
     * How the new route of every switch to every LID goes: those that descend follow from the level
     * below, from the lowest on; those that climb from the level above, from the highest on.
     */
    private void followAll() {
      int[] owner = new int[lids.length];
      Arrays.setAll(owner, i -> fabric.portOfLid(lids[i]));
      for (int level = 1; level <= tree.levels(); level++) {
        for (int s = 0; s < switches; s++) {
          if (tree.level(s) == level) {
            descend(s, owner);
          }
        }
      }
      for (int level = tree.levels() - 1; level >= 1; level--) {
        for (int s = 0; s < switches; s++) {
          if (tree.level(s) == level) {
            climb(s);
          }
        }
      }
    }

    private void descend(int s, int[] owner) {
      leadings(s, false);
      byte[] row = made[s];
      int base = s * lids.length;
      for (int i = 0; i < lids.length; i++) {
        int number = row[lids[i]] & 0xff;
        int to = leadsTo[number];
        boolean arrives = to >= 0 ? outcome[to + i] == DESCENDS : attached[number] == owner[i];
        if (arrives) {
          outcome[base + i] = DESCENDS;
        }
      }
    }

    private void climb(int s) {
      leadings(s, true);
      byte[] row = made[s];
      int base = s * lids.length;
      for (int i = 0; i < lids.length; i++) {
        int to = leadsTo[row[lids[i]] & 0xff];
        if (to >= 0 && outcome[to + i] != BAD) {
          outcome[base + i] = CLIMBS;
        }
      }
    }

    /** Where the ports of a switch lead to, if that is up, or if that is down or a host. */
    private void leadings(int s, boolean up) {
      Arrays.fill(leadsTo, Fabric.NONE);
      Arrays.fill(attached, Fabric.NONE);
      int last = Math.min(slots(s), ForwardingTables.NO_PORT);
      for (int number = 1; number < last; number++) {
        int port = fabric.port(s, number);
        int to = next[port];
        if (to == Fabric.NONE) {
          attached[number] = fabric.peer(port);
        } else if (up ? tree.level(to) > tree.level(s) : tree.level(to) < tree.level(s)) {
          leadsTo[number] = to * lids.length;
        }
      }
    }
  }
}
