package org.heddle.server.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.heddle.control.model.Actor;
import org.heddle.control.model.Credential;
import org.heddle.control.port.StoreException;
import org.junit.jupiter.api.Test;

/** Passwords that are kept as an older program kept them, and those that are kept today. */
class CredentialsTest {
  /** Of "the old password", with the iterations of revision 091c0cf8. */
  private static final String OLD =
      "pbkdf2$210000$000102030405060708090a0b0c0d0e0f$29caccf62a913ba85ab4db6b057f44d368eb8907fcc950146f2717851805ac97";

  /** OWASP, Password Storage Cheat Sheet: PBKDF2-HMAC-SHA256. */
  private static final int RECOMMENDED = 600_000;

  private final Credentials credentials = new Credentials();
  private final List<Credential> saved = new ArrayList<>();

  private static Credential user(String hash) {
    return new Credential(
        "ann", Credentials.PASSWORD, hash, Actor.Role.PROVIDER, "", Instant.EPOCH, false);
  }

  private static String basic(String password) {
    byte[] pair = ("ann:" + password).getBytes(StandardCharsets.UTF_8);
    return "Basic " + Base64.getEncoder().encodeToString(pair);
  }

  private static int iterations(String kept) {
    return Integer.parseInt(kept.split("\\$")[1]);
  }

  @Test
  void passwordsAreKeptAsIsRecommended() {
    assertThat(iterations(PasswordHash.of("a password"))).isGreaterThanOrEqualTo(RECOMMENDED);
    assertThat(iterations(PasswordHash.NOBODYS)).isGreaterThanOrEqualTo(RECOMMENDED);
  }

  @Test
  void anOldOneCountsAndIsRenewedAtTheNextLogin() {
    credentials.accept(user(OLD));
    credentials.renewBy(saved::add);
    assertThat(credentials.actor(basic("a wrong password"))).isEmpty();
    assertThat(saved).isEmpty();
    Credential who = credentials.user("ann", "the old password").orElseThrow();
    assertThat(iterations(who.hash())).isGreaterThanOrEqualTo(RECOMMENDED);
    // a session is bound to what is kept, so it must be what is kept from now on
    assertThat(credentials.user("ann")).contains(who);
    assertThat(saved).containsExactly(who);
    assertThat(who.issued()).as("the password is as old as it was").isEqualTo(Instant.EPOCH);
    assertThat(credentials.known(basic("the old password"))).isPresent();
    assertThat(credentials.actor(basic("a wrong password"))).isEmpty();
    assertThat(saved).hasSize(1);
    Credentials next = new Credentials(); // after a restart
    next.accept(saved.getFirst());
    assertThat(next.actor(basic("the old password"))).isPresent();
  }

  @Test
  void whoseOldOneCannotBeRenewedGetsInAllTheSame() {
    credentials.accept(user(OLD));
    credentials.renewBy(
        _ -> {
          throw new StoreException("full", null, false);
        });
    assertThat(credentials.actor(basic("the old password"))).isPresent();
    assertThat(credentials.user("ann").orElseThrow().hash()).isEqualTo(OLD);
  }
}
