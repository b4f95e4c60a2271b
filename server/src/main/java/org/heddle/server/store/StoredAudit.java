package org.heddle.server.store;

import java.time.Instant;
import org.heddle.control.model.AuditRecord;

/** A request for a change in a database. */
record StoredAudit(
    long id, Instant at, String actor, String remote, String action, int status, String note)
    implements StoredDocument<AuditRecord> {
  static StoredAudit of(AuditRecord r) {
    return new StoredAudit(r.id(), r.at(), r.actor(), r.remote(), r.action(), r.status(), r.note());
  }

  @Override
  public AuditRecord value() {
    return new AuditRecord(id, at, actor, remote, action, status, note);
  }
}
