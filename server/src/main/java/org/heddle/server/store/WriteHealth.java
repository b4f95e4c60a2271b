package org.heddle.server.store;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.heddle.control.port.StoreException;

/**
 * Whether a database takes writes: what became of the last one. While that is a failure, a write of
 * no consequence is tried when somebody asks and the last one is long enough ago. Reading alone
 * does not tell: a full disk can be read.
 */
final class WriteHealth {
  /** Of a server whose own words may name what is in it. */
  static final String REFUSED = "the database takes no writes";

  private static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** As much as a change of a few tenants: room for less is not worth being called ready. */
  private static final String FILLER = "x".repeat(1 << 16);

  private final SqlStore store;
  private String why;
  private long failed;

  WriteHealth(SqlStore store) {
    this.store = store;
  }

  void succeeded() {
    why = null;
  }

  void failed(String reason) {
    why = reason;
    failed = System.nanoTime();
  }

  /** Why the last write failed; empty if it did not. */
  Optional<String> trouble() {
    return why != null && System.nanoTime() - failed > AGAIN_NANOS
        ? tryAgain()
        : Optional.ofNullable(why);
  }

  /** The same after another attempt, if the last one failed. */
  Optional<String> tryAgain() {
    if (why != null) {
      try {
        store.write(
            () ->
                store.update("DELETE FROM probe")
                    + store.update("INSERT INTO probe (id, filler) VALUES (1, ?)", FILLER)
                    + store.update("DELETE FROM probe"));
      } catch (StoreException e) {
        failed(why); // whatever failed this time, too
      }
    }
    return Optional.ofNullable(why);
  }
}
