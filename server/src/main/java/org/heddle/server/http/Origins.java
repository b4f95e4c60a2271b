package org.heddle.server.http;

import java.util.Optional;

/**
 * Keeps pages of other sites from using a browser that can reach the server. A browser says with
 * {@code Origin} whose page sends a request; a page whose name was made to point here says its own
 * name with {@code Host}, which matters where nobody needs a credential.
 */
public final class Origins {
  private static final String LOCAL =
      "(localhost|127\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}|\\[::1])(:\\d{1,5})?";

  private Origins() {}

  /**
   * Refuses what another site's page sends.
   *
   * @param open true if no credential is needed
   */
  public static void check(Optional<String> origin, Optional<String> host, boolean open) {
    String own = host.orElse("");
    if (origin.isPresent() && !origin.get().replaceFirst("^https?://", "").equalsIgnoreCase(own)) {
      throw new Problem(403, "forbidden", "a page of another site sent this");
    }
    if (open && !own.isEmpty() && !own.toLowerCase(java.util.Locale.ROOT).matches(LOCAL)) {
      throw new Problem(
          403, "forbidden", "without credentials the server answers to localhost only");
    }
  }
}
