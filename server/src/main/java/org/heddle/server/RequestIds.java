package org.heddle.server;

import java.security.SecureRandom;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Ids of requests, which answers have in a header and the log has with every line about a request.
 * A client or proxy may choose them ({@code X-Request-Id}, 1 to 64 letters, digits and {@code
 * ._-}); what looks otherwise is not used. Those made here are a random word of the process and a
 * number.
 */
final class RequestIds {
  static final String HEADER = "X-Request-Id";

  private static final String FORM = "[A-Za-z0-9._-]{1,64}";

  private final String process = "%08x".formatted(new SecureRandom().nextInt());
  private final AtomicLong last = new AtomicLong();

  /** The id that was sent, or a new one. */
  String of(Optional<String> sent) {
    return sent.filter(id -> id.matches(FORM))
        .orElseGet(() -> process + "-" + last.incrementAndGet());
  }
}
