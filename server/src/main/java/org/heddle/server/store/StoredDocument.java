package org.heddle.server.store;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a row of a database has in its column {@code document}: JSON of a record that belongs to the
 * database alone. Each kind of document has one class here, with one converter each way; what older
 * programs left out is filled in there, so that the rest of the program knows one shape only.
 *
 * <p>The column {@code format} says in which way a document is written. In format 1, of schemas 1
 * to 5, GUIDs are signed numbers, keys are numbers, and policies, roles and states are names of
 * constants; in format 2 they are as in all other documents: GUIDs like {@code 0x0002c903000b0000},
 * keys like {@code 0x12}, and words. Old documents stay as they are until they are written again.
 *
 * @param <T> what it is a document of
 */
interface StoredDocument<T> {
  /** The format of what is written now. */
  int FORMAT = 2;

  /** Reads and writes all of them. */
  JsonMapper JSON = JsonMapper.builder().build();

  /** What it says. */
  T value();

  /** As it is stored, in {@link #FORMAT}. */
  default String json() {
    return JSON.writeValueAsString(this);
  }

  /**
   * Reads a document.
   *
   * @throws IllegalStateException if it is of a newer program, or is none
   */
  static <T, D extends StoredDocument<T>> T read(Class<D> type, int format, String json) {
    if (format < 1 || format > FORMAT) {
      throw new IllegalStateException(
          "a " + type.getSimpleName() + " is of a newer Heddle: format " + format);
    }
    try {
      return JSON.readValue(json, type).value();
    } catch (JacksonException e) {
      throw new IllegalStateException(
          "a " + type.getSimpleName() + " cannot be read: " + e.getOriginalMessage(), e);
    }
  }
}
