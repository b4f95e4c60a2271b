package org.heddle.server.v1;

import org.heddle.control.model.AuditRecord;

/** A request for a change as it is shown. */
record AuditDocument(
    long id, String at, String actor, String remote, String action, int status, String note) {

  static AuditDocument of(AuditRecord r) {
    return new AuditDocument(
        r.id(), r.at().toString(), r.actor(), r.remote(), r.action(), r.status(), r.note());
  }
}
