package org.heddle.reconfig.reroute;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.heddle.fabric.Fabric;
import org.heddle.reconfig.CreditProof;
import org.heddle.reconfig.TableState;
import org.heddle.reconfig.Wiring;
import org.heddle.routing.ForwardingTables;
import org.heddle.topology.FatTree;

/**
 * The work of {@link MinimalReroute}: keeps legal entries, chooses the others, relieves overloaded
 * channels, and falls back to the fresh tables where the result is not good enough. For one use
 * only.
 */
final class RouteKeeper {
  private static final byte NONE = (byte) ForwardingTables.NO_PORT;

  private final Wiring wiring;
  private final Fabric fabric;
  private final FatTree tree;
  private final ForwardingTables old;
  private final ForwardingTables fresh;
  private final TreeReach reach;
  private final ChannelUse use;
  private final ColumnChoice choice;

  private final byte[][] columns; // by LID: entry by switch; null if no switch delivers the LID
  private final boolean[] open;
  private long illegal;

  RouteKeeper(Fabric fabric, FatTree tree, ForwardingTables old, ForwardingTables fresh) {
    this.fabric = fabric;
    this.tree = tree;
    this.old = old;
    this.fresh = fresh;
    wiring = new Wiring(fabric, Optional.of(tree));
    reach = new TreeReach(wiring);
    use = new ChannelUse(wiring, reach, tree.levels());
    choice = new ColumnChoice(wiring, reach, use, fresh);
    columns = new byte[fabric.topLid() + 1][];
    open = new boolean[wiring.switches];
  }

  MinimalReroute update() {
    int[] limit = measureFresh();
    boolean[] partly = new boolean[columns.length];
    boolean[] anew = new boolean[columns.length];
    for (int lid = 0; lid < columns.length; lid++) {
      if (deliveredAt(lid) != Fabric.NONE) {
        keep(lid, partly, anew);
      }
    }
    completeAll(partly);
    completeAll(anew);
    LoadMover mover = new LoadMover(wiring, reach, use, choice, columns);
    int moved = mover.run();
    ForwardingTables tables = tables();
    MinimalReroute kept =
        new MinimalReroute(tables, report(tables, moved, limit, new ArrayList<>()));
    return judge(kept);
  }

  private int deliveredAt(int lid) {
    int owner = fabric.portOfLid(lid);
    return owner == Fabric.NONE ? Fabric.NONE : fabric.attachedSwitch(owner);
  }

  private boolean isHostLid(int lid) {
    return fabric.portOfLid(lid) >= wiring.ports;
  }

  private int[] measureFresh() {
    byte[] column = new byte[wiring.switches];
    for (int lid = 0; lid < columns.length; lid++) {
      if (isHostLid(lid) && deliveredAt(lid) != Fabric.NONE) {
        for (int s = 0; s < column.length; s++) {
          column[s] = (byte) fresh.port(s, lid);
        }
        use.markAll(column, deliveredAt(lid));
        use.add();
      }
    }
    int[] most = use.most();
    use.measure();
    return most;
  }

  /** Takes over the legal entries of a LID; whole columns are counted at once. */
  private void keep(int lid, boolean[] partly, boolean[] anew) {
    int to = deliveredAt(lid);
    int owner = fabric.portOfLid(lid);
    byte[] column = new byte[wiring.switches];
    int kept = 0;
    int missing = 0;
    for (int s = 0; s < column.length; s++) {
      int was = old.port(s, lid);
      column[s] = NONE;
      if (wiring.component[s] != wiring.component[to]) {
        continue;
      }
      if (s == to) {
        column[s] = (byte) (owner < wiring.ports ? 0 : fabric.numberOf(fabric.peer(owner)));
      } else if (reach.isLegal(s, was, to)) {
        column[s] = (byte) was;
        kept++;
      } else if (!reach.isGood(s, to)) {
        column[s] = (byte) fresh.port(s, lid); // ways down and up: only as the engine makes them
      } else {
        missing++;
      }
      illegal += was != ForwardingTables.NO_PORT && column[s] != (byte) was ? 1 : 0;
    }
    columns[lid] = column;
    partly[lid] = missing > 0 && kept > 0;
    anew[lid] = missing > 0 && kept == 0;
    if (missing == 0 && isHostLid(lid)) {
      use.markAll(column, to);
      use.add();
    }
  }

  private void completeAll(boolean[] which) {
    for (int lid = 0; lid < columns.length; lid++) {
      if (!which[lid]) {
        continue;
      }
      int to = deliveredAt(lid);
      byte[] column = columns[lid];
      for (int s = 0; s < open.length; s++) {
        open[s] = column[s] == NONE && s != to && reach.isGood(s, to);
      }
      choice.complete(column, lid, to, open, isHostLid(lid), null);
      if (isHostLid(lid)) {
        use.markAll(column, to);
        use.add();
      }
    }
  }

  /**
   * The columns as tables. Entries of LIDs that are gone are left where they are, since they cost
   * packets to take away and harm nobody, but not in blocks that are written anyway.
   */
  private ForwardingTables tables() {
    int top = Math.max(old.topLid(), fabric.topLid());
    byte[][] rows = new byte[wiring.switches][top + 1];
    for (int s = 0; s < rows.length; s++) {
      for (int from = 0; from <= top; from += ForwardingTables.BLOCK_SIZE) {
        int to = Math.min(from + ForwardingTables.BLOCK_SIZE - 1, top);
        boolean written = false;
        for (int lid = from; lid <= to && !written; lid++) {
          written = isColumn(lid) && columns[lid][s] != (byte) old.port(s, lid);
        }
        for (int lid = from; lid <= to; lid++) {
          rows[s][lid] = isColumn(lid) ? columns[lid][s] : written ? NONE : (byte) old.port(s, lid);
        }
      }
    }
    return ForwardingTables.ofRows(rows, top);
  }

  private boolean isColumn(int lid) {
    return lid < columns.length && columns[lid] != null;
  }

  // ---- judgement

  private MinimalReroute.Report report(
      ForwardingTables tables, int moved, int[] limit, List<String> notes) {
    PathChanges changes = new PathChanges(wiring, old);
    int[] most = use.most();
    List<MinimalReroute.Balance> balance = new ArrayList<>();
    for (int l = 1; l < tree.levels(); l++) {
      balance.add(
          new MinimalReroute.Balance(
              l, most[2 * l], limit[2 * l], most[2 * l + 1], limit[2 * l + 1]));
    }
    return new MinimalReroute.Report(
        changes.paths(),
        changes.count(tables),
        changes.count(fresh),
        illegal,
        moved,
        balance,
        false,
        notes);
  }

  private MinimalReroute judge(MinimalReroute kept) {
    MinimalReroute.Report r = kept.report();
    if (use.excess() > 0) {
      return MinimalReroute.takeFresh(
          kept, fresh, "no minimal update was found that is as balanced: all routes are fresh");
    }
    boolean more =
        r.changed().paths() > r.fresh().paths()
            || (r.changed().paths() == r.fresh().paths()
                && r.changed().entries() > r.fresh().entries());
    if (more) {
      return MinimalReroute.takeFresh(
          kept, fresh, "fresh routes change less than keeping old ones: all routes are fresh");
    }
    if (!isSound(kept.tables())) {
      return MinimalReroute.takeFresh(
          kept, fresh, "kept and new routes together were not sound: all routes are fresh");
    }
    return kept;
  }

  /** True if every LID is reached as in the fresh tables, and no credit loop is new. */
  private boolean isSound(ForwardingTables tables) {
    TableState state = TableState.of(wiring, tables);
    boolean all =
        state.acyclic && CreditProof.acyclic(wiring, state.row, withSwitches(tables, state));
    for (int lid = 0; lid < columns.length; lid++) {
      all &= columns[lid] == null || state.sound.get(lid);
    }
    if (all) {
      return true;
    }
    TableState reference = TableState.of(wiring, fresh);
    boolean cycles =
        reference.acyclic
            && (!state.acyclic
                || CreditProof.acyclic(wiring, reference.row, withSwitches(fresh, reference))
                    && !CreditProof.acyclic(wiring, state.row, withSwitches(tables, state)));
    for (int lid = 0; lid < columns.length; lid++) {
      if (columns[lid] != null && reference.sound.get(lid) && !state.sound.get(lid)) {
        return false;
      }
    }
    return !cycles;
  }

  /** Dependencies with switches as sources and destinations too. */
  private long[] withSwitches(ForwardingTables tables, TableState state) {
    long[] bits = state.bits.clone();
    for (int lid = 0; lid < columns.length; lid++) {
      int to = deliveredAt(lid);
      for (int s = 0; s < wiring.switches && to != Fabric.NONE; s++) {
        int c = wiring.channel(s, tables.port(s, lid));
        if (s == to || c < 0 || wiring.hop[c] < 0 || wiring.hop[c] == to) {
          continue;
        }
        int number = tables.port(wiring.hop[c], lid);
        int out = wiring.channel(wiring.hop[c], number);
        if (out >= 0 && wiring.hop[out] >= 0) {
          bits[state.row[wiring.peer[c]] + (number >>> 6)] |= 1L << number;
        }
      }
    }
    return bits;
  }
}
