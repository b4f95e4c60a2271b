package org.heddle.control.model;

import java.time.Instant;

/**
 * A user or an API token. Secrets are kept as hashes only.
 *
 * @param name of the user or token
 * @param kind {@code token} or {@code password}
 * @param hash see the class that makes it
 * @param tenant of role tenant: whose things it sees
 */
public record Credential(
    String name,
    String kind,
    String hash,
    Actor.Role role,
    String tenant,
    Instant issued,
    boolean revoked) {
  /** Whom it stands for. */
  public Actor actor() {
    return new Actor(name, role, tenant);
  }
}
