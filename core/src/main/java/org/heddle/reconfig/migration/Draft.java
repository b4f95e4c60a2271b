package org.heddle.reconfig.migration;

import java.util.ArrayList;
import java.util.List;
import org.heddle.fabric.Counted;
import org.heddle.fabric.Fabric;
import org.heddle.reconfig.ColumnChange;
import org.heddle.reconfig.CreditProof;
import org.heddle.reconfig.CreditProof.Moving;
import org.heddle.reconfig.CreditProof.Phase;
import org.heddle.reconfig.TableState;
import org.heddle.reconfig.Wiring;
import org.heddle.reconfig.migration.MigrationOptions.Method;
import org.heddle.reconfig.migration.MigrationPlan.Part;
import org.heddle.routing.ForwardingTables;

/** A move being planned: the columns it changes, then the writes in their order. */
final class Draft {
  private final TableState state;
  private final Wiring wiring;
  private final LidMove move;
  private final Skyline skyline; // null without a tree
  private final int template; // LID whose entries are copied, unless LIDs are swapped

  private final ColumnChange moved;
  private final ColumnChange partner; // null unless LIDs are swapped

  /** Sets new entries on some switches. */
  Draft(TableState state, LidMove move, Skyline skyline, int[] switches) {
    this.state = state;
    this.wiring = state.wiring;
    this.move = move;
    this.skyline = skyline;
    moved = new ColumnChange(state, move.lid(), move.to());
    boolean swap = move.kind() == LidMove.Kind.SWAP;
    partner = swap ? new ColumnChange(state, move.partner(), move.from()) : null;
    template = move.to() == Fabric.NONE ? 0 : wiring.fabric.lid(move.to());
    for (int s : switches) {
      set(s);
    }
  }

  private void set(int s) {
    if (partner != null) {
      moved.set(s, partner.before(s));
      partner.set(s, moved.before(s));
    } else if (move.kind() == LidMove.Kind.STOP) {
      moved.set(s, ForwardingTables.NO_PORT);
    } else {
      moved.set(s, state.tables.port(s, template));
    }
  }

  /**
   * Adds switches until what is set suffices: those on the new ways of switches that are set, and
   * those that hosts' packets would come from to a switch whose new way goes down and up again.
   * Never more than all.
   *
   * @return how many were added; -1 if it does not suffice even so
   */
  int grow() {
    int marked = moved.setCount();
    int before;
    do {
      before = moved.setCount();
      for (int i = 0; i < moved.setCount(); i++) {
        reach(moved, moved.setAt(i));
        if (partner != null) {
          reach(partner, moved.setAt(i));
        }
      }
      addSenders(moved);
      if (partner != null) {
        addSenders(partner);
      }
    } while (moved.setCount() > before);
    return isSound() ? moved.setCount() - marked : -1;
  }

  private void reach(ColumnChange column, int s) {
    int next = column.channel(s, column.after(s));
    if (next >= 0 && !column.isSet(wiring.hop[next])) {
      set(wiring.hop[next]);
    }
  }

  /** Who still sends to a switch whose new way turns must take new ways of its own. */
  private void addSenders(ColumnChange column) {
    for (int i = column.setCount() - 1; i >= 0; i--) {
      int s = column.setAt(i);
      if (!column.turns(s)) {
        continue;
      }
      for (int in = wiring.first[s] + 1; in < wiring.first[s + 1]; in++) {
        int sender = wiring.hop[in];
        if (sender >= 0
            && !column.isSet(sender)
            && column.before(sender) == wiring.peer[in] - wiring.first[sender]
            && column.carriers(true).get(sender)) {
          set(sender);
        }
      }
    }
  }

  /** Checks that all that was set arrives, and orders it. */
  boolean settle() {
    if (move.kind() == LidMove.Kind.STOP) {
      moved.settleWithoutOwner();
      return true;
    }
    return moved.settle() && (partner == null || partner.settle());
  }

  /** Settles, and checks that the mixture of old and new entries closes no credit loop. */
  boolean isSound() {
    return settle() && isLegal(moved) && (partner == null || isLegal(partner));
  }

  private boolean isLegal(ColumnChange column) {
    if (state.upDown) {
      return CreditProof.endsUpDown(state, column);
    }
    return !state.acyclic || CreditProof.holds(state, List.of(new Moving(column, Phase.SETTLED)));
  }

  MigrationPlan finish(Method method, MigrationOptions options, List<String> notes) {
    int expected = moved.changed.length * (partner == null ? 1 : 2);
    WriteList writes = new WriteList(state.tables, skyline, expected);
    writes.notes.addAll(notes);
    boolean moves = move.kind() == LidMove.Kind.COPY || move.kind() == LidMove.Kind.SWAP;
    boolean drop = moves && mustDrop(options, writes.notes);
    if (drop) {
      drop(moved, Part.DROP, writes, null);
    }
    boolean[] done = new boolean[partner == null ? 0 : wiring.switches];
    for (int i = 0; i < moved.changed.length; i++) {
      int s = moved.changed[i];
      int w = writes.add(s, move.lid(), Part.MOVE, moved.rank[i]);
      writes.put(w, move.lid(), moved.after(s));
      if (partner != null && goesAlong(s)) {
        writes.put(w, move.partner(), partner.after(s));
        done[s] = true;
      }
    }
    if (partner != null) {
      writePartner(options, writes, done);
    }
    int level = skyline == null ? 0 : skyline.level;
    return new MigrationPlan(
        move, method, level, writes, new MigrationPlan.Columns(moved, partner));
  }

  /**
   * True if the partner's entry may be written in the same packet: the block is the same, and the
   * entry delivers, so that nothing on the partner's new way has to be written before.
   */
  private boolean goesAlong(int s) {
    int block = ForwardingTables.BLOCK_SIZE;
    return move.lid() / block == move.partner() / block
        && partner.before(s) != partner.after(s)
        && partner.channel(s, partner.after(s)) < 0;
  }

  /** The free function's LID follows when the machine's is done, in its own order. */
  private void writePartner(MigrationOptions options, WriteList writes, boolean[] done) {
    List<Moving> both =
        List.of(new Moving(moved, Phase.SETTLED), new Moving(partner, Phase.CHANGING));
    boolean alone = partner.changed.length == 1;
    if (!alone && (options.alwaysDrop() || !CreditProof.holds(state, both))) {
      if (!options.alwaysDrop()) {
        writes.notes.add(
            "LID "
                + move.partner()
                + ", which no VM has, is dropped temporarily: old and new routes together "
                + "could close a credit loop");
      }
      drop(partner, Part.DROP_PARTNER, writes, done);
    }
    for (int i = 0; i < partner.changed.length; i++) {
      int s = partner.changed[i];
      if (!done[s]) {
        int w = writes.add(s, move.partner(), Part.PARTNER, partner.rank[i]);
        writes.put(w, move.partner(), partner.after(s));
        writes.put(w, move.lid(), moved.after(s));
      }
    }
  }

  private void drop(ColumnChange column, Part part, WriteList writes, boolean[] done) {
    writes.dropped.add(column.lid);
    for (int s : column.changed) {
      if (done != null && done[s]) {
        continue; // it has its new entry already
      }
      int w = writes.add(s, column.lid, part, 0);
      if (column == partner) {
        writes.put(w, move.lid(), moved.after(s));
      }
      writes.put(w, column.lid, ForwardingTables.NO_PORT);
    }
  }

  /** Decides whether the machine's LID has to be dropped temporarily, and says why. */
  private boolean mustDrop(MigrationOptions options, List<String> notes) {
    if (moved.changed.length <= 1 && !options.alwaysDrop()) {
      return false; // one write is atomic
    }
    List<String> reasons = new ArrayList<>();
    boolean anyOrder = options.order() == MigrationOptions.Order.ACTIVE_FIRST;
    if (anyOrder) {
      int from = wiring.fabric.attachedSwitch(move.from());
      int to = wiring.fabric.attachedSwitch(move.to());
      int bad = ActiveOrder.apply(moved, from, to);
      if (bad > 0) {
        reasons.add(
            Counted.of(bad, "state in between would have", "states in between would have")
                + " loops or dead ends in this order");
      }
    }
    if (options.alwaysDrop()) {
      reasons.add("asked for");
    } else if (reasons.isEmpty() && !MigrationPlanner.provenSafe(state, moved, anyOrder)) {
      reasons.add(
          state.acyclic
              ? "old and new routes together could close a credit loop"
              : "the tables have credit loops already, so nothing can be proven");
    }
    if (reasons.isEmpty()) {
      return false;
    }
    notes.add("LID " + move.lid() + " is dropped temporarily: " + String.join("; ", reasons));
    return true;
  }
}
