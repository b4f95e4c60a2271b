package org.heddle.server.store;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import org.heddle.fabric.Guid;

/** A GUID in a document: a text like {@code 0x0002c903000b0000}; in format 1 a signed number. */
record StoredGuid(long guid) {
  /** As it is written. */
  @JsonValue
  String text() {
    return Guid.format(guid);
  }

  /** As it is read. */
  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  static StoredGuid of(Object read) {
    return new StoredGuid(
        read instanceof Number n ? n.longValue() : Guid.parse((String) read).value());
  }
}
