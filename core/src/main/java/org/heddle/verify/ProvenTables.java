package org.heddle.verify;

import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.heddle.fabric.Fabric;
import org.heddle.routing.ForwardingTables;

/**
 * Forwarding tables that are proven to have no error, and the data needed to prove the next ones
 * from the differences. It agrees with {@link Audit}: tables proven here have a {@linkplain
 * AuditReport#clean clean} report, and {@link #of} proves all tables that have one.
 *
 * <p>Why only what differs has to be looked at: errors of entries, of reachability and forwarding
 * loops are those of single LIDs, and what is found of a LID depends on cabling, base LIDs, the
 * LID's owner and its own column. So with the same cabling and base LIDs, LIDs of the same owner
 * and column are as they were. Deadlocks concern all LIDs together. The channel dependencies of the
 * LIDs that differ are added to those of the tables before, from which none is taken away: if these
 * close no cycle, neither do those of the tables afterwards, which are a part of them (Dally and
 * Seitz, IEEE Trans. Comput. 1987). If they do, nothing is known, and {@link #of} has to look.
 *
 * <p>Immutable. {@link #of} is O(switches x LIDs); {@link #next} compares rows, O(switches x LIDs)
 * bytes at memory speed for rows that are not shared, and is O(switches x LIDs that differ + ports)
 * else.
 */
public final class ProvenTables {
  private final Network net;
  private final ForwardingTables tables;

  /** Those of these tables, and of tables before them. */
  private final Dependencies dependencies;

  /** LIDs that were checked; null: all. */
  private final BitSet looked;

  private ProvenTables(
      Network net, ForwardingTables tables, Dependencies dependencies, BitSet looked) {
    this.net = net;
    this.tables = tables;
    this.dependencies = dependencies;
    this.looked = looked;
  }

  /**
   * Proves tables as a whole.
   *
   * @return empty if the report of an {@link Audit} would have an error
   * @throws IllegalArgumentException if the tables are of another number of switches
   */
  public static Optional<ProvenTables> of(Fabric fabric, ForwardingTables tables) {
    if (tables.switchCount() != fabric.switchCount()) {
      throw new IllegalArgumentException("tables of another fabric");
    }
    Network net = new Network(fabric, Optional.empty());
    int lids = Math.max(fabric.topLid(), tables.topLid());
    Sweep sweep = new Sweep(net, tables, 0);
    for (int from = 0; from <= lids; from += Sweep.BLOCK) {
      sweep.block(from);
    }
    return proven(net, tables, sweep, null);
  }

  /**
   * Proves tables that come after these.
   *
   * @param fabric of the same number of switches; LIDs beside the base LIDs may be others
   * @return empty if what differs does not show it, or if most of them differ: then {@link #of}
   *     decides
   */
  public Optional<ProvenTables> next(Fabric fabric, ForwardingTables after) {
    if (after.switchCount() != fabric.switchCount()
        || net.switches != fabric.switchCount()
        || fabric.portIdLimit() != net.fabric.portIdLimit()) {
      return Optional.empty();
    }
    Network now = fabric == net.fabric ? net : new Network(fabric, Optional.empty());
    if (!now.isWiredAs(net)) {
      return Optional.empty();
    }
    BitSet changed = changed(fabric, after);
    int lids = Math.max(fabric.topLid(), after.topLid());
    if (2 * changed.cardinality() > lids) {
      return Optional.empty();
    }
    Sweep sweep = new Sweep(now, after, 0);
    for (int lid = changed.nextSetBit(0); lid >= 0; ) {
      int from = lid - lid % Sweep.BLOCK;
      sweep.block(from, changed);
      lid = changed.nextSetBit(from + Sweep.BLOCK);
    }
    sweep.dependencies.merge(dependencies);
    return proven(now, after, sweep, changed);
  }

  private static Optional<ProvenTables> proven(
      Network net, ForwardingTables tables, Sweep sweep, BitSet looked) {
    Findings findings = new Findings(net, sweep, 0);
    findings.tables();
    findings.loops(List.of());
    findings.addresses();
    boolean wrong = findings.list().stream().anyMatch(f -> f.severity() == Severity.ERROR);
    boolean ok = !wrong && !ChannelGraph.hasCycle(net, sweep.dependencies, Dependencies.CA);
    return ok
        ? Optional.of(new ProvenTables(net, tables, sweep.dependencies, looked))
        : Optional.empty();
  }

  private BitSet changed(Fabric fabric, ForwardingTables after) {
    BitSet out = new BitSet();
    int top = Math.max(fabric.topLid(), net.fabric.topLid());
    for (int lid = 1; lid <= top; lid++) {
      if (fabric.portOfLid(lid) != net.fabric.portOfLid(lid)) {
        out.set(lid);
      }
    }
    for (int s = 0; s < net.switches; s++) {
      for (int lid = tables.mismatch(s, after, 0); lid >= 0; ) {
        out.set(lid);
        lid = tables.mismatch(s, after, lid + 1);
      }
    }
    return out;
  }

  /** The tables. */
  public ForwardingTables tables() {
    return tables;
  }

  /** The fabric that they were proven for. */
  public Fabric fabric() {
    return net.fabric;
  }

  /** LIDs whose routes may be others than in the tables before; empty if that is not known. */
  public Optional<BitSet> changed() {
    return Optional.ofNullable(looked).map(b -> (BitSet) b.clone());
  }
}
