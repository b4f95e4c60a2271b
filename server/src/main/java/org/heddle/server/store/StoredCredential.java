package org.heddle.server.store;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.heddle.control.model.Actor;
import org.heddle.control.model.Credential;

/**
 * A user or token in a database; before they could end by themselves, without end and requests, and
 * before tokens ended with their users, without those.
 */
record StoredCredential(
    String name,
    String kind,
    String hash,
    String role,
    String tenant,
    Instant issued,
    boolean revoked,
    Optional<Instant> expires,
    String user,
    List<Asked> asked)
    implements StoredDocument<Credential> {
  /** A request under a key. */
  record Asked(String actor, String key, String digest) {}

  static StoredCredential of(Credential c) {
    return new StoredCredential(
        c.name(),
        c.kind(),
        c.hash(),
        c.role().name().toLowerCase(Locale.ROOT),
        c.tenant(),
        c.issued(),
        c.revoked(),
        c.expires(),
        c.user(),
        c.asked().stream().map(a -> new Asked(a.actor(), a.key(), a.digest())).toList());
  }

  @Override
  public Credential value() {
    List<Asked> requests = asked == null ? List.of() : asked;
    return new Credential(
        name,
        kind,
        hash,
        Actor.Role.valueOf(role.toUpperCase(Locale.ROOT)),
        tenant,
        issued,
        revoked,
        expires == null ? Optional.empty() : expires,
        user == null ? "" : user,
        requests.stream().map(a -> new Credential.Asked(a.actor, a.key, a.digest)).toList());
  }
}
