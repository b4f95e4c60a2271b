package org.heddle.reconfig;

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
 * Routes a sub-tree anew and leaves the rest of the fabric alone (fast hybrid reconfiguration:
 * Tasoulas, thesis, paper III, section IV).
 *
 * <p>An engine routes the sub-tree as if it were the fabric. Of its tables only the LIDs of what is
 * attached to the leaves are taken over, and only where the route of the switch climbs, then
 * descends, inside the sub-tree; everywhere else the old entry stays. The LIDs of switches stay as
 * they are.
 *
 * <p><b>Why that is safe.</b> A route that comes to a switch whose entry was taken over stays on
 * such switches and arrives; one that does not is an old route. So a LID that was reached from
 * everywhere still is, without a loop. From outside, packets come in by the top level of the
 * sub-tree, where routes that were taken over only descend. So if all routes climbed, then
 * descended before, and the engine sends down where it can, as those for trees do, they still do
 * afterwards, and no credit loop is possible. Old tables without that property, or links inside a
 * level, need an audit.
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
   * Routes a sub-tree anew.
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
    private static final byte UNKNOWN = 0;
    private static final byte FOLLOWED = 1;
    private static final byte BAD = 2;
    private static final byte CLIMBS = 3;
    private static final byte DESCENDS = 4;

    private final ForwardingTables old;
    private final FabricPart part;
    private final Fabric fabric;
    private final FatTree tree;
    private final RoutingResult.Routed routed;
    private final int switches;
    private final int[] next; // by port id of a switch: the switch behind it, or NONE
    private final int[] lids; // LIDs of the part that are routed anew
    private long entries;
    private long kept;

    Merge(ForwardingTables old, Subtree subtree, RoutingResult.Routed routed) {
      this.old = old;
      this.part = subtree.part();
      this.fabric = part.fabric();
      this.tree = subtree.tree();
      this.routed = routed;
      switches = fabric.switchCount();
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
    }

    private int slots(int sw) {
      return fabric.portCount(sw) + 1;
    }

    Rerouted run() {
      byte[][] outcome = outcomes();
      ForwardingTables base = reaching(lids.length == 0 ? 0 : part.wholeLid(lids[lids.length - 1]));
      List<Integer> changed = new ArrayList<>();
      List<Integer> blocks = new ArrayList<>();
      List<byte[]> rows = new ArrayList<>();
      for (int s = 0; s < switches; s++) {
        byte[] row = new byte[base.topLid() + 1];
        base.copy(part.wholeNode(s), 0, row, 0, row.length);
        int count = takeOver(s, outcome, row);
        if (count > 0) {
          changed.add(part.wholeNode(s));
          blocks.add(count);
          rows.add(row);
        }
      }
      int[] ids = changed.stream().mapToInt(Integer::intValue).toArray();
      ForwardingTables tables =
          ids.length == 0 ? old : base.withRows(ids, rows.toArray(new byte[0][]));
      return new Rerouted(tables, changed, blocks, lids.length, entries, kept, routed.notes());
    }

    /** The old tables, with columns up to a LID. */
    private ForwardingTables reaching(int lid) {
      return lid <= old.topLid() ? old : old.with(lid, new int[0], new int[0]);
    }

    /** Writes the entries of a switch into its row; returns the number of blocks that change. */
    private int takeOver(int s, byte[][] outcome, byte[] row) {
      int blocks = 0;
      int lastBlock = -1;
      for (int i = 0; i < lids.length; i++) {
        if (outcome[i][s] < CLIMBS) {
          kept++;
          continue;
        }
        int lid = part.wholeLid(lids[i]);
        byte port = (byte) routed.tables().port(s, lids[i]);
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

    /** How the new route of every switch to every LID goes, by LID and switch. */
    private byte[][] outcomes() {
      byte[][] all = new byte[lids.length][switches];
      int[] path = new int[switches];
      for (int i = 0; i < lids.length; i++) {
        for (int s = 0; s < switches; s++) {
          if (all[i][s] == UNKNOWN) {
            follow(s, lids[i], all[i], path);
          }
        }
      }
      return all;
    }

    private void follow(int from, int lid, byte[] outcome, int[] path) {
      int n = 0;
      int s = from;
      byte end;
      while (true) {
        if (outcome[s] != UNKNOWN) {
          end = outcome[s] == FOLLOWED ? BAD : outcome[s];
          break;
        }
        outcome[s] = FOLLOWED;
        path[n++] = s;
        int number = routed.tables().port(s, lid);
        int port = number == 0 || number >= slots(s) ? Fabric.NONE : fabric.port(s, number);
        if (port == Fabric.NONE || next[port] == Fabric.NONE) {
          boolean arrives = port != Fabric.NONE && fabric.peer(port) == fabric.portOfLid(lid);
          outcome[s] = arrives ? DESCENDS : BAD;
          end = outcome[s];
          n--;
          break;
        }
        s = next[port];
      }
      while (n > 0) {
        int at = path[--n];
        int step = tree.level(s) - tree.level(at);
        boolean up = step > 0 && end >= CLIMBS;
        boolean down = step < 0 && end == DESCENDS;
        end = up ? CLIMBS : down ? DESCENDS : BAD;
        outcome[at] = end;
        s = at;
      }
    }
  }
}
