package org.heddle.server.auth;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.heddle.server.http.Digests;

/**
 * Checks passwords. Clients send them with every request, so what was right is remembered (as a
 * hash); what was not costs its time, and not all processors.
 */
final class Passwords {
  private static final int REMEMBERED = 1000;
  private static final int AT_ONCE = 2;

  private final Set<String> right = ConcurrentHashMap.newKeySet();
  private final Semaphore computing = new Semaphore(AT_ONCE, true);

  /** True if it is remembered that this was kept of this password; costs no time. */
  boolean remembers(String password, String kept) {
    return right.contains(both(password, kept));
  }

  private static String both(String password, String kept) {
    return Digests.sha256(
        kept.getBytes(StandardCharsets.UTF_8), password.getBytes(StandardCharsets.UTF_8));
  }

  /** True if that was kept of this password. */
  boolean matches(String password, String kept) {
    String known = both(password, kept);
    if (right.contains(known)) {
      return true;
    }
    computing.acquireUninterruptibly();
    try {
      if (!right.contains(known) && !PasswordHash.matches(password, kept)) {
        return false;
      }
    } finally {
      computing.release();
    }
    remember(known);
    return true;
  }

  /** Remembers that this was made of this password just now. */
  void remember(String password, String kept) {
    remember(both(password, kept));
  }

  private void remember(String known) {
    if (right.size() >= REMEMBERED) {
      right.clear();
    }
    right.add(known);
  }
}
