package org.heddle.reconfig;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.heddle.fabric.Counted;
import org.heddle.fabric.Fabric;
import org.heddle.routing.ForwardingTables;
import org.heddle.topology.FatTree;

/**
 * The order in which the blocks of whole tables are written, so that no state in between has a new
 * loop or dead end, and packets in flight cannot deadlock. LIDs for which no such order exists are
 * dropped temporarily, and named.
 *
 * <p>For one LID, a switch has to come after every other switch on its new route. A packet writes
 * 64 LIDs of one switch at once, so the LIDs of a block must agree on an order; those that close a
 * cycle are dropped first. LIDs whose packets in flight could close a credit loop with the rest are
 * dropped too; if the dependencies of all LIDs together close no cycle, none are.
 *
 * <p>O(LIDs * switches), and a topological sort for every LID of a block that has conflicts.
 *
 * @param writes in the order of sending
 * @param dropped LIDs that are dropped temporarily, ascending
 * @param notes what users should know, one sentence each
 */
public record TableChange(List<Write> writes, List<Integer> dropped, List<String> notes) {
  private static final int BLOCK = ForwardingTables.BLOCK_SIZE;

  public TableChange {
    writes = List.copyOf(writes);
    dropped = List.copyOf(dropped);
    notes = List.copyOf(notes);
  }

  /**
   * One packet.
   *
   * @param drop true if it takes entries away; all of these come first, then packets in flight must
   *     arrive or be discarded before the others are sent
   */
  public record Write(int sw, int block, byte[] entries, boolean drop) {}

  /**
   * Orders a change of tables of one fabric.
   *
   * @throws IllegalArgumentException if a table is of another number of switches
   */
  public static TableChange order(
      Fabric fabric, Optional<FatTree> tree, ForwardingTables before, ForwardingTables after) {
    int switches = fabric.switchCount();
    if (before.switchCount() != switches || after.switchCount() != switches) {
      throw new IllegalArgumentException("tables of another fabric");
    }
    Wiring wiring = new Wiring(fabric, tree);
    return new Work(wiring, TableState.of(wiring, before), after).order();
  }

  /** The state of the computation. */
  private static final class Work {
    private final Wiring wiring;
    private final TableState state;
    private final ForwardingTables before;
    private final ForwardingTables after;
    private final int top;
    private final BitSet dropped = new BitSet();
    private final BitSet fresh = new BitSet(); // LIDs that only get entries where there were none
    private final List<String> notes = new ArrayList<>();

    Work(Wiring wiring, TableState state, ForwardingTables after) {
      this.wiring = wiring;
      this.state = state;
      this.before = state.tables;
      this.after = after;
      this.top = Math.max(before.topLid(), after.topLid());
    }

    TableChange order() {
      List<int[]> sequences = new ArrayList<>();
      BitSet turning = new BitSet();
      long[] bits = state.bits.clone();
      for (int block = 0; block <= top / BLOCK; block++) {
        List<ColumnChange> mine = changes(block);
        sequences.add(mine.isEmpty() ? new int[0] : sequence(mine));
        for (ColumnChange column : mine) {
          turning.set(
              column.lid, !fresh.get(column.lid) && CreditProof.turnsInFlight(state, column));
          column.addDependencies(state, bits, needsNoOrder(column));
        }
      }
      if (!dropped.isEmpty()) {
        notes.add(
            Counted.of(dropped.cardinality(), "LID is", "LIDs are")
                + " dropped temporarily: there is no order of writes without loops or dead ends");
      }
      if (!state.acyclic) {
        notes.add("the tables have credit loops already, so nothing can be proven");
      } else if (!CreditProof.acyclic(wiring, state.row, bits)) {
        dropTurning(turning);
      }
      List<Write> writes = new ArrayList<>();
      drops(writes);
      for (int block = 0; block < sequences.size(); block++) {
        for (int s : sequences.get(block)) {
          writes.add(new Write(s, block, entries(after, s, block), false));
        }
      }
      return new TableChange(writes, dropped.stream().boxed().toList(), notes);
    }

    private void dropTurning(BitSet turning) {
      turning.andNot(dropped);
      dropped.or(turning);
      notes.add(
          Counted.of(turning.cardinality(), "LID is", "LIDs are")
              + " dropped temporarily: old and new routes together could close a credit "
              + "loop");
      long[] bits = state.bits.clone();
      BitSet all = new BitSet();
      for (int block = 0; block <= top / BLOCK; block++) {
        for (ColumnChange column : changes(block)) {
          all.set(column.lid);
          column.addDependencies(state, bits, needsNoOrder(column));
        }
      }
      if (!CreditProof.acyclic(wiring, state.row, bits)) {
        all.andNot(fresh);
        dropped.or(all);
        notes.add("that is not enough: all LIDs that change are dropped temporarily");
      }
    }

    /** The LIDs of a block whose column changes; those that end badly are dropped at once. */
    private List<ColumnChange> changes(int block) {
      List<ColumnChange> out = new ArrayList<>();
      for (int lid = block * BLOCK; lid < (block + 1) * BLOCK && lid <= top; lid++) {
        int owner = wiring.fabric.portOfLid(lid);
        ColumnChange column = null;
        for (int s = 0; s < wiring.switches; s++) {
          if (before.port(s, lid) != after.port(s, lid)) {
            column = column == null ? new ColumnChange(state, lid, owner) : column;
            column.set(s, after.port(s, lid));
          }
        }
        if (column == null) {
          continue;
        }
        fresh.set(lid, onlyAdds(column));
        if (owner == Fabric.NONE || !column.settle()) {
          column.settleWithoutOwner();
          if (!fresh.get(lid) && (owner != Fabric.NONE || leadsSomewhere(column))) {
            dropped.set(lid); // some switch does not reach it afterwards
          }
        }
        out.add(column);
      }
      return out;
    }

    /** True if nothing is replaced: every state in between is a part of the new tables. */
    private static boolean onlyAdds(ColumnChange column) {
      for (int i = 0; i < column.setCount(); i++) {
        if (column.before(column.setAt(i)) != ForwardingTables.NO_PORT) {
          return false;
        }
      }
      return true;
    }

    private boolean needsNoOrder(ColumnChange column) {
      return dropped.get(column.lid) || fresh.get(column.lid);
    }

    private static boolean leadsSomewhere(ColumnChange column) {
      for (int s : column.changed) {
        if (column.after(s) != ForwardingTables.NO_PORT) {
          return true;
        }
      }
      return false;
    }

    /** Switches of a block in an order that suits all of its LIDs but the dropped. */
    private int[] sequence(List<ColumnChange> columns) {
      Precedence all = new Precedence(wiring.switches);
      for (ColumnChange column : columns) {
        if (!needsNoOrder(column)) {
          all.add(column);
        }
      }
      if (all.isAcyclic()) {
        return all.order(columns);
      }
      Precedence some = new Precedence(wiring.switches);
      for (ColumnChange column : columns) {
        if (needsNoOrder(column)) {
          continue;
        }
        Precedence with = some.copy();
        with.add(column);
        if (with.isAcyclic()) {
          some = with;
        } else {
          dropped.set(column.lid);
        }
      }
      return some.order(columns);
    }

    private void drops(List<Write> writes) {
      for (int s = 0; s < wiring.switches && !dropped.isEmpty(); s++) {
        byte[] pending = null;
        for (int lid = dropped.nextSetBit(0); lid >= 0; lid = dropped.nextSetBit(lid + 1)) {
          int was = before.port(s, lid);
          if (was != after.port(s, lid) && was != ForwardingTables.NO_PORT) {
            pending = pending == null ? entries(before, s, lid / BLOCK) : pending;
            pending[lid % BLOCK] = (byte) ForwardingTables.NO_PORT;
          }
          int next = dropped.nextSetBit(lid + 1);
          if (pending != null && (next < 0 || next / BLOCK != lid / BLOCK)) {
            writes.add(new Write(s, lid / BLOCK, pending, true));
            pending = null;
          }
        }
      }
    }

    private static byte[] entries(ForwardingTables tables, int s, int block) {
      byte[] out = new byte[BLOCK];
      Arrays.fill(out, (byte) ForwardingTables.NO_PORT);
      int length = Math.clamp(tables.topLid() + 1 - block * BLOCK, 0, BLOCK);
      if (length > 0) {
        tables.copy(s, block * BLOCK, out, 0, length);
      }
      return out;
    }
  }
}
