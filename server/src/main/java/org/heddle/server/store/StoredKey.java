package org.heddle.server.store;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/** A partition key in a document: a text like {@code 0x12}; in format 1 a number. */
record StoredKey(int key) {
  private static final int HEX = 16;

  /** As it is written. */
  @JsonValue
  String text() {
    return "0x" + Integer.toHexString(key);
  }

  /** As it is read. */
  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  static StoredKey of(Object read) {
    return new StoredKey(
        read instanceof Number n
            ? n.intValue()
            : Integer.parseInt(((String) read).substring(2), HEX));
  }
}
