package org.heddle.reconfig.migration;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.heddle.reconfig.ColumnChange;
import org.heddle.routing.ForwardingTables;

/**
 * An ordered list of subnet management packets that makes one move. Immutable.
 *
 * <p>Writes are numbered {@code 0 .. writeCount()-1} in the order of sending. Writes of the same
 * part and rank do not depend on each other and may be in flight at the same time; the next rank
 * starts when all of them are acknowledged.
 */
public final class MigrationPlan {
  /** What a write is for. */
  public enum Part {
    /** Drops the LID: port 255. */
    DROP,
    /** The machine's LID gets its new entry. */
    MOVE,
    /** The partner's LID is dropped. */
    DROP_PARTNER,
    /** The partner's LID gets its new entry. */
    PARTNER
  }

  /** Where a switch lies in the tree, seen from the move. */
  public enum Side {
    DESTINATION,
    COMMON,
    SOURCE,
    /** Elsewhere, or no tree is known. */
    OTHER
  }

  /** One write of a forwarding table block. */
  public record LftWrite(int sw, int block, byte[] entries, Part part, int rank, Side side) {}

  /** What has to be done at a hypervisor. */
  public enum Action {
    /** Take a LID from a virtual function. */
    UNSET_LID,
    /** Give a virtual function a LID. */
    SET_LID,
    /** Give a virtual function the vGUID of the machine, and so its GID. */
    SET_VGUID
  }

  /** One packet to a hypervisor. */
  public record HypervisorUpdate(int port, Action action, int lid) {}

  /** Columns and other data for the planner that carries on from here. */
  record Columns(ColumnChange moved, ColumnChange partner) {}

  private final LidMove move;
  private final MigrationOptions.Method method;
  private final int level;
  private final List<HypervisorUpdate> hypervisors;
  private final int[] sw;
  private final int[] block;
  private final int[] rank;
  private final byte[] part;
  private final byte[] side;
  private final byte[] data; // 64 entries a write
  private final List<Integer> dropped;
  private final List<String> notes;
  private final Columns columns;

  MigrationPlan(
      LidMove move, MigrationOptions.Method method, int level, WriteList writes, Columns columns) {
    this.move = move;
    this.method = method;
    this.level = level;
    this.hypervisors = hypervisorUpdates(move);
    this.sw = Arrays.copyOf(writes.sw, writes.size);
    this.block = Arrays.copyOf(writes.block, writes.size);
    this.rank = Arrays.copyOf(writes.rank, writes.size);
    this.part = Arrays.copyOf(writes.part, writes.size);
    this.side = Arrays.copyOf(writes.side, writes.size);
    this.data = writes.data;
    this.dropped = List.copyOf(writes.dropped);
    this.notes = List.copyOf(writes.notes);
    this.columns = columns;
  }

  private static List<HypervisorUpdate> hypervisorUpdates(LidMove move) {
    List<HypervisorUpdate> out = new ArrayList<>();
    switch (move.kind()) {
      case START -> {}
      case STOP, COPY -> out.add(new HypervisorUpdate(move.from(), Action.UNSET_LID, move.lid()));
      case SWAP -> out.add(new HypervisorUpdate(move.from(), Action.SET_LID, move.partner()));
    }
    if (move.kind() != LidMove.Kind.STOP) {
      out.add(new HypervisorUpdate(move.to(), Action.SET_LID, move.lid()));
      out.add(new HypervisorUpdate(move.to(), Action.SET_VGUID, move.lid()));
    }
    return out;
  }

  /** What it is for. */
  public LidMove move() {
    return move;
  }

  /** The method used; {@code itrc} also where {@code ftree-minrc} was asked for but not enough. */
  public MigrationOptions.Method method() {
    return method;
  }

  /** Packets to the hypervisors; sent before the writes. */
  public List<HypervisorUpdate> hypervisors() {
    return hypervisors;
  }

  /**
   * Those of them that give LIDs to functions or take them away: the hypervisor's driver does this,
   * because no standard attribute can.
   */
  public List<HypervisorUpdate> lidUpdates() {
    return hypervisors.stream().filter(h -> h.action() != Action.SET_VGUID).toList();
  }

  /** Number of forwarding table writes. */
  public int writeCount() {
    return sw.length;
  }

  /** The switch of a write. */
  public int sw(int write) {
    return sw[write];
  }

  /** The block of a write. */
  public int block(int write) {
    return block[write];
  }

  /** What a write is for. */
  public Part part(int write) {
    return PARTS[part[write]];
  }

  /** Writes of one part with the same rank are independent of each other. */
  public int rank(int write) {
    return rank[write];
  }

  /** Copies the 64 entries of a write. */
  public void copyEntries(int write, byte[] out, int at) {
    System.arraycopy(
        data, write * ForwardingTables.BLOCK_SIZE, out, at, ForwardingTables.BLOCK_SIZE);
  }

  /** One write as a record. */
  public LftWrite write(int i) {
    byte[] entries = new byte[ForwardingTables.BLOCK_SIZE];
    copyEntries(i, entries, 0);
    return new LftWrite(sw[i], block[i], entries, part(i), rank[i], Side.values()[side[i]]);
  }

  /**
   * True if packets already in flight must have arrived or been discarded before this write is
   * sent: at the start of every part that follows another.
   */
  public boolean drainBefore(int write) {
    return write > 0 && part[write] != part[write - 1];
  }

  /** LIDs that are dropped on purpose while the plan is carried out. */
  public List<Integer> dropped() {
    return dropped;
  }

  /** What the user should know, one sentence each. */
  public List<String> notes() {
    return notes;
  }

  /** Number of switches written to. */
  public int switches() {
    return (int) Arrays.stream(sw).distinct().count();
  }

  /** The largest number of writes to one switch, m' in the paper's equations. */
  public int writesPerSwitch() {
    int[] sorted = sw.clone();
    Arrays.sort(sorted);
    int most = 0;
    for (int i = 0, run = 0; i < sorted.length; i++) {
      run = i > 0 && sorted[i] == sorted[i - 1] ? run + 1 : 1;
      most = Math.max(most, run);
    }
    return most;
  }

  /** Packets in all: to hypervisors and switches. */
  public int smps() {
    return hypervisors.size() + sw.length;
  }

  /** Level of the nearest common ancestors, 1 within a leaf; 0 if no tree is known. */
  public int ancestorLevel() {
    return level;
  }

  /**
   * Switches that must change in any case for the traffic of hosts, if ports may be chosen freely:
   * 2c - 1 with common ancestors at level c. 0 if no tree is known.
   */
  public int minimumSwitches() {
    return level == 0 ? 0 : 2 * level - 1;
  }

  /** What it costs. */
  public MigrationCost cost(MigrationCost.Model model) {
    double time = (double) hypervisors.size() * model.smpMicros();
    for (int i = 0; i < sw.length; ) {
      int end = i + 1;
      while (end < sw.length && part[end] == part[i] && rank[end] == rank[i]) {
        end++;
      }
      time += Math.ceilDiv(end - i, model.window()) * model.smpMicros();
      i = end;
    }
    int n = switches();
    int m = writesPerSwitch();
    return new MigrationCost(n, m, sw.length, hypervisors.size(), n * m * model.smpMicros(), time);
  }

  Columns columns() {
    return columns;
  }

  private static final Part[] PARTS = Part.values();
}
