package org.heddle.server.store;

import java.time.Instant;
import org.heddle.control.model.Answer;

/** An answer remembered for a key, in a database. */
record StoredAnswer(String actor, String key, String digest, long epoch, String tenant, Instant at)
    implements StoredDocument<Answer> {
  static StoredAnswer of(Answer a) {
    return new StoredAnswer(a.actor(), a.key(), a.digest(), a.epoch(), a.tenant(), a.at());
  }

  @Override
  public Answer value() {
    return new Answer(actor, key, digest, epoch, tenant, at);
  }
}
