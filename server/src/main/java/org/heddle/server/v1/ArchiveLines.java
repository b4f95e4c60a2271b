package org.heddle.server.v1;

import org.heddle.control.model.AuditRecord;
import org.heddle.plan.model.Event;
import org.heddle.plan.model.JournalEntry;
import org.heddle.server.http.Documents;

/** What is forgotten, as the interface showed it: one JSON object a line. */
public final class ArchiveLines {
  private ArchiveLines() {}

  public static String of(JournalEntry e) {
    return Documents.JSON.writeValueAsString(HistoryDocument.of(e));
  }

  public static String of(Event e) {
    return Documents.JSON.writeValueAsString(EventDocument.of(e));
  }

  public static String of(AuditRecord r) {
    return Documents.JSON.writeValueAsString(AuditDocument.of(r));
  }
}
