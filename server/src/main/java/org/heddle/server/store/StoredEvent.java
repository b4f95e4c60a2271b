package org.heddle.server.store;

import java.time.Instant;
import org.heddle.plan.model.Event;
import org.heddle.plan.model.EventKind;

/** An event in a database. */
record StoredEvent(
    long id, Instant at, String kind, String subject, String owner, String text, long epoch)
    implements StoredDocument<Event> {
  static StoredEvent of(Event e) {
    return new StoredEvent(
        e.id(), e.at(), e.kind().word(), e.subject(), e.owner(), e.text(), e.epoch());
  }

  /** The kind of a word that some Heddle has written. */
  static EventKind kind(String word) {
    return EventKind.of(word)
        .orElseThrow(() -> new IllegalStateException("unknown kind of event: " + word));
  }

  @Override
  public Event value() {
    return new Event(id, at, kind(kind), subject, owner, text, epoch);
  }
}
