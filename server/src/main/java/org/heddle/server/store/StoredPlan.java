package org.heddle.server.store;

import java.time.Instant;
import org.heddle.control.model.Plan;

/** A plan in a database; changes and result are JSON of the interface, as texts. */
record StoredPlan(
    long id,
    long base,
    Instant at,
    String actor,
    String key,
    String digest,
    String changes,
    String result)
    implements StoredDocument<Plan> {
  static StoredPlan of(Plan p) {
    return new StoredPlan(
        p.id(), p.base(), p.at(), p.actor(), p.key(), p.digest(), p.changes(), p.result());
  }

  @Override
  public Plan value() {
    return new Plan(id, base, at, actor, key, digest, changes, result);
  }
}
