package org.heddle.server.auth;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.heddle.control.port.Store;
import org.heddle.control.port.StoreException;
import org.heddle.server.http.Threads;

/**
 * Writes down when credentials were used last: a first use soon, later ones once a minute, all in
 * one transaction, so that requests cost no write.
 */
public final class CredentialUse implements AutoCloseable {
  private static final long EVERY_SECONDS = 60;

  private final Store store;
  private final Credentials credentials;
  private final Semaphore wake = new Semaphore(0);
  private final Map<String, Instant> written = new HashMap<>();
  private final Thread thread;

  public CredentialUse(Store store, Credentials credentials) {
    this.store = store;
    this.credentials = credentials;
    written.putAll(store.lastUsed());
    credentials.usedBefore(written);
    credentials.onFirstUse(wake::release);
    this.thread = Thread.ofPlatform().name("heddle-credential-use").daemon().unstarted(this::run);
  }

  public void start() {
    thread.start();
  }

  private void run() {
    while (true) {
      try {
        wake.tryAcquire(EVERY_SECONDS, TimeUnit.SECONDS);
      } catch (InterruptedException _) {
        return;
      }
      wake.drainPermits();
      write();
    }
  }

  private void write() {
    Map<String, Instant> now = new HashMap<>(credentials.used());
    now.entrySet().removeIf(e -> e.getValue().equals(written.get(e.getKey())));
    if (now.isEmpty()) {
      return;
    }
    try {
      store.used(now);
      written.putAll(now);
    } catch (StoreException _) {
      // readiness tells that the database fails; it is tried again in a minute
    }
  }

  /** Writes what is left. */
  @Override
  public void close() {
    Threads.end(thread);
    write();
  }
}
