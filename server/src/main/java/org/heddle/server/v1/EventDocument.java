package org.heddle.server.v1;

import org.heddle.plan.model.Event;

/** An event as it is shown, in lists and in streams; {@code kind} is of {@code /v1/event-kinds}. */
record EventDocument(
    long id, String at, String kind, String subject, String owner, String text, long epoch) {

  static EventDocument of(Event e) {
    return new EventDocument(
        e.id(), e.at().toString(), e.kind().word(), e.subject(), e.owner(), e.text(), e.epoch());
  }
}
