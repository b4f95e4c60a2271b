package org.heddle.control.model;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A user or an API token. Secrets are kept as hashes only.
 *
 * @param name of the user or token
 * @param kind {@code token} or {@code password}
 * @param hash see the class that makes it
 * @param tenant for role tenant: the tenant whose resources it sees
 * @param expires when it expires
 * @param user of a token: the user by whom, or by a token of whom, it was made; it ends with that
 *     user. Empty if there is none
 * @param asked the last requests under keys that made or changed it, the newest last
 */
public record Credential(
    String name,
    String kind,
    String hash,
    Actor.Role role,
    String tenant,
    Instant issued,
    boolean revoked,
    Optional<Instant> expires,
    String user,
    List<Asked> asked) {
  /** Requests that are remembered of each. */
  private static final int REMEMBERED = 16;

  /**
   * A request under a key.
   *
   * @param digest of what was asked for, without secrets
   */
  public record Asked(String actor, String key, String digest) {}

  public Credential {
    asked = List.copyOf(asked);
  }

  /** One that does not end by itself, of which no request is remembered. */
  public Credential(
      String name,
      String kind,
      String hash,
      Actor.Role role,
      String tenant,
      Instant issued,
      boolean revoked) {
    this(name, kind, hash, role, tenant, issued, revoked, Optional.empty(), "", List.of());
  }

  /** Whom it stands for. */
  public Actor actor() {
    return new Actor(name, role, tenant);
  }

  /** True if it counts at a moment. */
  public boolean counts(Instant at) {
    return !revoked && expires.filter(end -> !at.isBefore(end)).isEmpty();
  }

  /** The same, made by a user. */
  public Credential of(String other) {
    return new Credential(name, kind, hash, role, tenant, issued, revoked, expires, other, asked);
  }

  /** The same with another secret. */
  public Credential withHash(String other, Instant at) {
    return new Credential(name, kind, other, role, tenant, at, revoked, expires, user, asked);
  }

  /** The same, of no use any more. */
  public Credential ended() {
    return new Credential(name, kind, hash, role, tenant, issued, true, expires, user, asked);
  }

  /** The same after a request; without a key nothing is remembered of it. */
  public Credential after(Asked request) {
    if (request.key().isEmpty()) {
      return this;
    }
    List<Asked> all = new ArrayList<>(asked);
    all.add(request);
    List<Asked> kept = all.subList(Math.max(0, all.size() - REMEMBERED), all.size());
    return new Credential(name, kind, hash, role, tenant, issued, revoked, expires, user, kept);
  }
}
