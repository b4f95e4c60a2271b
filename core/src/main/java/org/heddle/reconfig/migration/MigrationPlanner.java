package org.heddle.reconfig.migration;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.heddle.fabric.Fabric;
import org.heddle.reconfig.ColumnChange;
import org.heddle.reconfig.CreditProof;
import org.heddle.reconfig.CreditProof.Moving;
import org.heddle.reconfig.CreditProof.Phase;
import org.heddle.reconfig.TableState;
import org.heddle.reconfig.Wiring;
import org.heddle.reconfig.migration.MigrationOptions.Method;
import org.heddle.routing.ForwardingTables;
import org.heddle.topology.FatTree;

/**
 * Plans the moves of virtual machines' LIDs in the forwarding tables of a running fabric (Tasoulas,
 * thesis, papers II and V), without computing routes: a LID takes over entries that lead to its new
 * place.
 *
 * <p>Method {@code ftree-minrc} changes only the switches above the two leaves, up to their common
 * ancestors. Whether that is enough is verified for the LID; where damage makes it insufficient,
 * more switches are included, if need be all ({@code itrc}), and the plan says so. Writes are
 * ordered so that no state in between has a loop or a dead end, and packets in flight are proven
 * not to deadlock, or the LID is dropped temporarily, and the plan says so.
 *
 * <p>Immutable: {@link #after} gives the planner for the next move. Making one costs O(switches *
 * LIDs); a move then O(marked switches * up-links), or O(switches) where it is widened.
 */
public final class MigrationPlanner {
  private final Wiring wiring;
  private final TableState state;

  private MigrationPlanner(Wiring wiring, TableState state) {
    this.wiring = wiring;
    this.state = state;
  }

  /** What became of a request. */
  public sealed interface Outcome {}

  /** A plan. */
  public record Planned(MigrationPlan plan) implements Outcome {}

  /** There is no safe plan, or the request makes no sense for these tables. */
  public record Refused(String reason) implements Outcome {}

  /**
   * A planner for a fabric and the tables it runs with.
   *
   * @param fabric with base LIDs, and the virtual LIDs of the machines and functions that have some
   * @param tree its tree; without one every move is planned by {@code itrc}
   * @throws IllegalArgumentException if the tables are of another number of switches
   */
  public static MigrationPlanner of(
      Fabric fabric, Optional<FatTree> tree, ForwardingTables tables) {
    if (tables.switchCount() != fabric.switchCount()) {
      throw new IllegalArgumentException(
          "tables of " + tables.switchCount() + " switches, fabric of " + fabric.switchCount());
    }
    Wiring wiring = new Wiring(fabric, tree);
    return new MigrationPlanner(wiring, TableState.of(wiring, tables));
  }

  /** The tables that moves start from. */
  public ForwardingTables tables() {
    return state.tables;
  }

  TableState state() {
    return state;
  }

  /** The planner for the moves after a plan has been carried out. */
  public MigrationPlanner after(MigrationPlan plan) {
    TableState next = applied(state, plan.columns().moved());
    if (plan.columns().partner() != null) {
      next = applied(next, plan.columns().partner());
    }
    return new MigrationPlanner(wiring, next);
  }

  private static TableState applied(TableState before, ColumnChange column) {
    int[] ports = new int[column.changed.length];
    for (int i = 0; i < ports.length; i++) {
      ports[i] = column.after(column.changed[i]);
    }
    ForwardingTables tables = before.tables.with(column.lid, column.changed, ports);
    return before.with(tables, column.lid, column.owner);
  }

  /** Plans one move. */
  public Outcome plan(LidMove move, MigrationOptions options) {
    String obstacle = obstacle(move);
    if (obstacle != null) {
      return new Refused(obstacle);
    }
    boolean moves = move.kind() == LidMove.Kind.COPY || move.kind() == LidMove.Kind.SWAP;
    Skyline skyline = null;
    if (moves && wiring.hasTree) {
      skyline =
          Skyline.between(
              wiring,
              wiring.fabric.attachedSwitch(move.from()),
              wiring.fabric.attachedSwitch(move.to()));
    }
    List<String> notes = new ArrayList<>();
    Draft draft =
        moves && options.method() == Method.FTREE_MINRC ? marked(move, skyline, notes) : null;
    Method method = draft == null ? Method.ITRC : Method.FTREE_MINRC;
    if (draft == null) {
      draft = new Draft(state, move, skyline, allSwitches(move));
      if (!draft.settle()) {
        return new Refused("LID " + move.lid() + " would not be reached from every switch");
      }
    }
    return new Planned(draft.finish(method, options, notes));
  }

  /** A draft for the marked switches, and more where damage demands it; null if all are needed. */
  private Draft marked(LidMove move, Skyline skyline, List<String> notes) {
    String obstacle = whyNotMarked(move, skyline);
    if (obstacle != null) {
      notes.add(obstacle + ": all switches are looked at");
      return null;
    }
    Draft draft = new Draft(state, move, skyline, skyline.switches);
    if (draft.isSound()) {
      return draft;
    }
    int added = draft.grow();
    notes.add(
        added < 0
            ? "the marked switches are not enough on this damaged tree: all switches are looked at"
            : "the marked switches are not enough on this damaged tree: "
                + added
                + " more are looked at");
    return added < 0 ? null : draft;
  }

  private String whyNotMarked(LidMove move, Skyline skyline) {
    if (skyline == null) {
      return "the fabric has no tree";
    }
    if (skyline.level == 0) {
      return "the two hypervisors have no common ancestor";
    }
    boolean sound = state.sound.get(move.lid());
    sound &= move.kind() != LidMove.Kind.SWAP || state.sound.get(move.partner());
    return sound ? null : "LID " + move.lid() + " is not reached from every switch now";
  }

  private int[] allSwitches(LidMove move) {
    int port = move.to() != Fabric.NONE ? move.to() : move.from();
    int component = wiring.component[wiring.fabric.attachedSwitch(port)];
    int[] out = new int[wiring.switches];
    int n = 0;
    for (int s = 0; s < out.length; s++) {
      if (wiring.component[s] == component) {
        out[n++] = s;
      }
    }
    return n == out.length ? out : Arrays.copyOf(out, n);
  }

  private String obstacle(LidMove move) {
    Fabric fabric = wiring.fabric;
    int[] ends = {move.from(), move.to()};
    for (int port : ends) {
      if (port != Fabric.NONE
          && (port < wiring.ports
              || port >= fabric.portIdLimit()
              || fabric.attachedSwitch(port) == Fabric.NONE)) {
        return "port " + port + " is not that of a hypervisor at a switch";
      }
    }
    if (move.from() != Fabric.NONE && !isDelivered(move.lid(), move.from())) {
      return "LID " + move.lid() + " does not lead to " + name(move.from());
    }
    if (move.to() == Fabric.NONE) {
      return null;
    }
    int template = template(move);
    if (template == 0 || !isDelivered(template, move.to()) || !state.sound.get(template)) {
      return "LID "
          + template
          + " of "
          + name(move.to())
          + ", whose routes would be taken, is not reached from every switch";
    }
    if (move.from() != Fabric.NONE && component(move.from()) != component(move.to())) {
      return name(move.from()) + " and " + name(move.to()) + " are not connected";
    }
    boolean used = move.kind() == LidMove.Kind.START && fabric.portOfLid(move.lid()) >= 0;
    return used && fabric.portOfLid(move.lid()) != move.to()
        ? "LID " + move.lid() + " belongs to another port"
        : null;
  }

  /** The LID whose entries lead to the destination. */
  private int template(LidMove move) {
    return move.kind() == LidMove.Kind.SWAP ? move.partner() : wiring.fabric.lid(move.to());
  }

  private int component(int port) {
    return wiring.component[wiring.fabric.attachedSwitch(port)];
  }

  private String name(int port) {
    return wiring.fabric.node(wiring.fabric.nodeOf(port)).display();
  }

  private boolean isDelivered(int lid, int port) {
    int sw = wiring.fabric.attachedSwitch(port);
    return state.tables.port(sw, lid) == wiring.number(wiring.fabric.peer(port));
  }

  /**
   * Moves that may be carried out at the same time: every plan in the first wave that has room for
   * it, in the order given. Plans share a wave if they write to no common switch, and if the
   * packets in flight of all of them together are proven not to deadlock. The parts of the plans of
   * a wave are in step: the machines' LIDs of all, then, when no packet is on the old routes any
   * more, the partners'. Plans are for the tables of this planner: those of later waves must be
   * planned again if an earlier one moves the same LIDs.
   *
   * @return wave by plan, from 0
   */
  public int[] schedule(List<MigrationPlan> plans) {
    return new MigrationWaves(state).assign(plans);
  }

  /** For tests and reports: true if old and new routes together close no cycle of channels. */
  static boolean provenSafe(TableState state, ColumnChange column, boolean anyOrder) {
    Phase phase = anyOrder ? Phase.CHANGING_IN_ANY_ORDER : Phase.CHANGING;
    return CreditProof.holds(state, List.of(new Moving(column, phase)));
  }
}
