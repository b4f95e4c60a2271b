package org.heddle.reconfig;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.heddle.fabric.Fabric;
import org.heddle.reconfig.CreditProof.Moving;
import org.heddle.reconfig.CreditProof.Phase;
import org.heddle.routing.ForwardingTables;
import org.heddle.topology.FatTree;

/**
 * The order in which the blocks of whole tables are written, so that no state in between has a loop
 * or a dead end that was not there, and packets in flight cannot deadlock. LIDs for which no such
 * order exists are dropped meanwhile, and named.
 *
 * <p>For one LID a switch has to come after everything on its new way. A packet writes 64 LIDs of
 * one switch at once, so the LIDs of a block must agree on an order: those that close a circle are
 * dropped first. So are LIDs whose packets in flight could close a credit loop with the rest; if
 * the dependencies of all LIDs together close no cycle, none is.
 *
 * <p>O(LIDs * switches), and a topological sort for every LID of a block that has conflicts.
 *
 * @param writes in the order of sending
 * @param dropped LIDs that are dropped meanwhile, ascending
 * @param notes what the user should know, one sentence each
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
   * @param drop true if it takes entries away; all of these come first, then packets under way must
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
    private final List<String> notes = new ArrayList<>();

    Work(Wiring wiring, TableState state, ForwardingTables after) {
      this.wiring = wiring;
      this.state = state;
      this.before = state.tables;
      this.after = after;
      this.top = Math.max(before.topLid(), after.topLid());
    }

    TableChange order() {
      List<ColumnChange> columns = new ArrayList<>();
      List<int[]> sequences = new ArrayList<>();
      for (int block = 0; block <= top / BLOCK; block++) {
        List<ColumnChange> mine = changes(block);
        sequences.add(mine.isEmpty() ? new int[0] : sequence(mine));
        columns.addAll(mine);
      }
      int circles = dropped.cardinality();
      if (circles > 0) {
        notes.add(circles + " LIDs are dropped meanwhile: their block has no order without loops");
      }
      dropWhatMayDeadlock(columns);
      List<Write> writes = new ArrayList<>();
      drops(columns, writes);
      for (int block = 0; block < sequences.size(); block++) {
        for (int s : sequences.get(block)) {
          writes.add(new Write(s, block, entries(after, s, block), false));
        }
      }
      return new TableChange(writes, dropped.stream().boxed().toList(), notes);
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
        boolean usable = owner >= wiring.ports && column.settle();
        if (!usable) {
          column.settleWithoutOwner();
          if (owner >= wiring.ports) {
            dropped.set(lid); // some switch does not reach it afterwards
          }
        }
        out.add(column);
      }
      return out;
    }

    /** Switches of a block in an order that suits all of its LIDs but the dropped. */
    private int[] sequence(List<ColumnChange> columns) {
      Precedence all = new Precedence(wiring.switches);
      for (ColumnChange column : columns) {
        if (!dropped.get(column.lid)) {
          all.add(column);
        }
      }
      if (all.isAcyclic()) {
        return all.order(columns);
      }
      Precedence some = new Precedence(wiring.switches);
      for (ColumnChange column : columns) {
        if (dropped.get(column.lid)) {
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

    private void dropWhatMayDeadlock(List<ColumnChange> columns) {
      if (!state.acyclic) {
        notes.add("the tables have credit loops already, so nothing can be proven");
        return;
      }
      if (CreditProof.holds(state, moving(columns))) {
        return;
      }
      int count = 0;
      for (ColumnChange column : columns) {
        boolean alone = CreditProof.turnsInFlight(state, column);
        if (alone && !dropped.get(column.lid)) {
          dropped.set(column.lid);
          count++;
        }
      }
      notes.add(
          count
              + " LIDs are dropped meanwhile: old and new routes together could close a credit"
              + " loop");
      if (!CreditProof.holds(state, moving(columns))) {
        columns.forEach(c -> dropped.set(c.lid));
        notes.add("that is not enough: all LIDs that change are dropped meanwhile");
      }
    }

    private List<Moving> moving(List<ColumnChange> columns) {
      List<Moving> out = new ArrayList<>();
      for (ColumnChange column : columns) {
        boolean gone = dropped.get(column.lid);
        out.add(new Moving(column, gone ? Phase.SETTLED : Phase.CHANGING));
      }
      return out;
    }

    private void drops(List<ColumnChange> columns, List<Write> writes) {
      byte[][][] pending = new byte[wiring.switches][][];
      for (ColumnChange column : columns) {
        int block = column.lid / BLOCK;
        for (int s : dropped.get(column.lid) ? column.changed : new int[0]) {
          if (pending[s] == null) {
            pending[s] = new byte[top / BLOCK + 1][];
          }
          if (pending[s][block] == null) {
            pending[s][block] = entries(before, s, block);
          }
          pending[s][block][column.lid % BLOCK] = (byte) ForwardingTables.NO_PORT;
        }
      }
      for (int s = 0; s < pending.length; s++) {
        for (int b = 0; pending[s] != null && b < pending[s].length; b++) {
          if (pending[s][b] != null) {
            writes.add(new Write(s, b, pending[s][b], true));
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
