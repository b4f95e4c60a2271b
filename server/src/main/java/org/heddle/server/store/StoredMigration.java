package org.heddle.server.store;

import java.time.Instant;
import java.util.List;
import org.heddle.plan.model.Migration;

/** Machines that were moved together, in a database. */
record StoredMigration(
    long epoch,
    Instant at,
    String actor,
    String method,
    List<Move> moves,
    int smps,
    List<Integer> dropped)
    implements StoredDocument<Migration> {
  /** One machine's move. */
  record Move(
      String vm,
      String tenant,
      StoredHost from,
      StoredHost to,
      int lid,
      int switches,
      int minimum,
      boolean widened) {
    static Move of(Migration.Move m) {
      return new Move(
          m.vm(),
          m.tenant(),
          StoredHost.of(m.from()),
          StoredHost.of(m.to()),
          m.lid(),
          m.switches(),
          m.minimum(),
          m.widened());
    }

    Migration.Move value() {
      return new Migration.Move(
          vm, tenant, from.value(), to.value(), lid, switches, minimum, widened);
    }
  }

  static StoredMigration of(Migration m) {
    return new StoredMigration(
        m.epoch(),
        m.at(),
        m.actor(),
        m.method(),
        m.moves().stream().map(Move::of).toList(),
        m.smps(),
        m.dropped());
  }

  @Override
  public Migration value() {
    return new Migration(
        epoch, at, actor, method, moves.stream().map(Move::value).toList(), smps, dropped);
  }
}
