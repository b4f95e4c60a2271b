package org.heddle.smp.write;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.heddle.fabric.Fabric;
import org.heddle.mad.AttributeId;
import org.heddle.mad.LinearForwardingBlock;
import org.heddle.reconfig.TableChange;
import org.heddle.reconfig.migration.GuidUpdate;
import org.heddle.reconfig.migration.MigrationPlan;
import org.heddle.reconfig.migration.VmMoves;
import org.heddle.routing.ForwardingTables;
import org.heddle.smp.discover.AliasGuids;
import org.heddle.smp.discover.DiscoveredFabric;

/**
 * SMPs in the order in which they are to be sent, with barriers between phases: the next phase
 * begins when every SMP of the last has been answered.
 *
 * @param smps by ascending phase; no place is written twice in one phase
 * @param drains phases before which data packets in flight must have arrived or been discarded,
 *     ascending, each above 0
 */
public record SmpPlan(List<PlannedSmp> smps, List<Integer> drains) {
  private record Place(int phase, long guid, int attributeId, int modifier) {}

  public SmpPlan {
    smps = List.copyOf(smps);
    drains = List.copyOf(drains);
    Set<Place> places = new HashSet<>();
    int phase = 0;
    for (PlannedSmp smp : smps) {
      if (smp.phase() < phase) {
        throw new IllegalArgumentException(
            "phase " + smp.phase() + " after phase " + phase + ": " + smp);
      }
      phase = smp.phase();
      if (!places.add(new Place(phase, smp.nodeGuid(), smp.attributeId(), smp.modifier()))) {
        throw new IllegalArgumentException("phase " + phase + " writes twice: " + smp);
      }
    }
  }

  /** A plan that waits for answers only. */
  public SmpPlan(List<PlannedSmp> smps) {
    this(smps, List.of());
  }

  /** Number of phases: the last one's number plus 1. */
  public int phases() {
    return smps.isEmpty() ? 0 : smps.getLast().phase() + 1;
  }

  /** The SMPs of a phase, in order. */
  public List<PlannedSmp> phase(int phase) {
    int from = 0;
    while (from < smps.size() && smps.get(from).phase() < phase) {
      from++;
    }
    int to = from;
    while (to < smps.size() && smps.get(to).phase() == phase) {
      to++;
    }
    return smps.subList(from, to);
  }

  /**
   * Turns the tables of a fabric into others by dropping first: phase 0 removes every entry that
   * changes, phase 1 writes the new ones.
   *
   * <p>Why that is safe: at every moment the entries are a subset of the old tables or, from the
   * barrier on, a subset of the new ones. So if neither has a forwarding loop or a credit loop, no
   * state in between has one. The price: packets to a LID whose entries change are dropped at the
   * switches in question meanwhile, and a block that removes and writes costs two SMPs. O(entries).
   *
   * @param fabric whose switch ids both tables have as rows
   */
  public static SmpPlan dropThenSet(Fabric fabric, ForwardingTables from, ForwardingTables to) {
    List<PlannedSmp> drops = new ArrayList<>();
    List<PlannedSmp> writes = new ArrayList<>();
    int size = LinearForwardingBlock.ENTRIES;
    int top = Math.max(from.topLid(), to.topLid());
    for (int sw = 0; sw < fabric.switchCount(); sw++) {
      for (int block = 0; block * size <= top; block++) {
        byte[] before = block(from, sw, block);
        byte[] after = block(to, sw, block);
        byte[] common = before.clone();
        for (int i = 0; i < size; i++) {
          common[i] = before[i] == after[i] ? before[i] : (byte) ForwardingTables.NO_PORT;
        }
        if (!Arrays.equals(before, common)) {
          drops.add(PlannedSmp.block(0, fabric.nodeGuid(sw), block, common));
        }
        if (!Arrays.equals(common, after)) {
          writes.add(PlannedSmp.block(1, fabric.nodeGuid(sw), block, after));
        }
      }
    }
    List<Integer> drains = drops.isEmpty() || writes.isEmpty() ? List.of() : List.of(1);
    drops.addAll(writes);
    return new SmpPlan(drops, drains);
  }

  /**
   * {@link #dropThenSet} for a live fabric: switches that do not look up all LIDs of the new tables
   * are told to in phase 2, when their entries are there.
   *
   * @param from what the switches hold, also beyond what they look up now
   */
  public static SmpPlan tableChange(
      DiscoveredFabric discovered, ForwardingTables from, ForwardingTables to) {
    Fabric fabric = discovered.fabric();
    SmpPlan entries = dropThenSet(fabric, from, to);
    List<PlannedSmp> smps = new ArrayList<>(entries.smps());
    for (int sw = 0; sw < fabric.switchCount(); sw++) {
      if (discovered.linearFdbTop(sw) < to.topLid()) {
        byte[] data = discovered.switchInfoWithTop(sw, to.topLid());
        smps.add(new PlannedSmp(2, fabric.nodeGuid(sw), AttributeId.SWITCH_INFO, 0, data));
      }
    }
    return new SmpPlan(smps, entries.drains());
  }

  /**
   * An ordered change of whole tables: what is dropped in a first phase; then every block of a
   * switch after those on its new ways, as many at once as that allows; then switches that do not
   * look up all LIDs are told to.
   */
  public static SmpPlan ordered(
      DiscoveredFabric discovered, ForwardingTables from, ForwardingTables to, TableChange change) {
    Fabric fabric = discovered.fabric();
    List<PlannedSmp> smps = new ArrayList<>();
    WriteRanks ranks = new WriteRanks(fabric, from, to, change.dropped());
    int base = change.writes().stream().anyMatch(TableChange.Write::drop) ? 1 : 0;
    int last = 0;
    for (TableChange.Write w : change.writes()) {
      int phase = w.drop() ? 0 : base + ranks.next(w.sw(), w.block());
      last = Math.max(last, phase);
      smps.add(PlannedSmp.block(phase, fabric.nodeGuid(w.sw()), w.block(), w.entries()));
    }
    smps.sort(Comparator.comparingInt(PlannedSmp::phase)); // stable
    for (int sw = 0; sw < fabric.switchCount(); sw++) {
      if (discovered.linearFdbTop(sw) < to.topLid()) {
        byte[] data = discovered.switchInfoWithTop(sw, to.topLid());
        long guid = fabric.nodeGuid(sw);
        smps.add(new PlannedSmp(last + 1, guid, AttributeId.SWITCH_INFO, 0, data));
      }
    }
    return new SmpPlan(smps, base > 0 && last > 0 ? List.of(base) : List.of());
  }

  /** The forwarding table writes of moves alone; hypervisors are told in another way. */
  public static SmpPlan moves(Fabric fabric, List<VmMoves.Wave> waves) {
    return moves(fabric, waves, null);
  }

  /**
   * Moves: for every wave, vGUIDs are taken away, then given, then a phase for every step of the
   * forwarding tables. The hypervisors come first: if one refuses, no table has changed yet. A wave
   * is proven by itself, so what is under way arrives before it begins.
   *
   * @param guids the blocks that hypervisors' ports have now, of all that change; null to leave
   *     them alone
   */
  public static SmpPlan moves(Fabric fabric, List<VmMoves.Wave> waves, AliasGuids guids) {
    List<PlannedSmp> smps = new ArrayList<>();
    List<Integer> drains = new ArrayList<>();
    AliasGuids now = guids;
    int phase = 0;
    for (VmMoves.Wave wave : waves) {
      if (phase > 0) {
        drains.add(phase);
      }
      int first = phase;
      boolean given = false;
      for (GuidUpdate u : now == null ? List.<GuidUpdate>of() : wave.guids()) {
        phase += u.gives() && !given ? 1 : 0;
        given = u.gives();
        now = now.after(u);
        smps.add(PlannedSmp.guids(phase, now.portGuid(u), u.block(), now.block(u)));
      }
      phase += phase > first ? 1 : 0;
      for (VmMoves.Step step : wave.steps()) {
        if (step.drain()) {
          drains.add(phase);
        }
        for (MigrationPlan.LftWrite w : step.writes()) {
          smps.add(PlannedSmp.block(phase, fabric.nodeGuid(w.sw()), w.block(), w.entries()));
        }
        phase++;
      }
    }
    return new SmpPlan(smps, drains);
  }

  private static byte[] block(ForwardingTables tables, int sw, int block) {
    byte[] entries = new byte[LinearForwardingBlock.ENTRIES];
    for (int i = 0; i < entries.length; i++) {
      entries[i] = (byte) tables.port(sw, block * entries.length + i);
    }
    return entries;
  }
}
