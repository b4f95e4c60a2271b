package org.heddle.rest;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;
import org.heddle.control.model.Actor;
import org.heddle.control.model.Credential;

/**
 * Who may call: API tokens and users with passwords. A token is 256 random bits, of which the
 * SHA-256 is kept: a secret of that size needs no slow hash. Passwords have one ({@link
 * Passwords}).
 */
public final class Credentials {
  /** Kind of a token. */
  public static final String TOKEN = "token";

  /** Kind of a user. */
  public static final String PASSWORD = "password";

  private static final SecureRandom RANDOM = new SecureRandom();

  private final Map<String, Actor> byHash = new ConcurrentHashMap<>();
  private final Map<String, Credential> users = new ConcurrentHashMap<>();
  private final Passwords passwords = new Passwords();
  private volatile boolean some;

  /** A new secret. */
  public static String secret() {
    byte[] bytes = new byte[32];
    RANDOM.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  /** What is kept of a token. */
  public static String hash(String secret) {
    return Digests.sha256(secret.getBytes(StandardCharsets.UTF_8));
  }

  /** Accepts a credential from now on, or no more if it is revoked. */
  public void accept(Credential credential) {
    boolean user = credential.kind().equals(PASSWORD);
    some = true;
    if (credential.revoked()) {
      users.remove(credential.name());
      byHash.remove(credential.hash());
    } else if (user) {
      users.put(credential.name(), credential);
    } else {
      byHash.put(credential.hash(), credential.actor());
    }
  }

  /**
   * True if there has never been one. Once there was, a server does not become open to everybody
   * when the last one is revoked.
   */
  public boolean isEmpty() {
    return !some;
  }

  /**
   * Who sends an {@code Authorization} header: {@code Bearer TOKEN}, {@code Basic} with user and
   * password, and what clients of UFM send: {@code Basic TOKEN} as it is, or {@code TOKEN:} in
   * base64.
   */
  Optional<Actor> actor(String header) {
    return sender(header, passwords::matches);
  }

  /** The same at no cost: a token, or a password that was right before. */
  Optional<Actor> known(String header) {
    return sender(header, passwords::remembers);
  }

  private Optional<Actor> sender(String header, BiPredicate<String, String> right) {
    int blank = header.indexOf(' ');
    String scheme = blank < 0 ? "" : header.substring(0, blank);
    String value = header.substring(blank + 1).strip();
    if (scheme.equalsIgnoreCase("Bearer")) {
      return token(value);
    }
    return scheme.equalsIgnoreCase("Basic")
        ? token(value).or(() -> decoded(value).flatMap(pair -> basic(pair, right)))
        : Optional.empty();
  }

  private Optional<Actor> token(String secret) {
    return Optional.ofNullable(byHash.get(hash(secret)));
  }

  private static Optional<String> decoded(String value) {
    try {
      return Optional.of(new String(Base64.getDecoder().decode(value), StandardCharsets.UTF_8));
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  private Optional<Actor> basic(String pair, BiPredicate<String, String> right) {
    int colon = pair.indexOf(':');
    if (colon < 0) {
      return Optional.empty();
    }
    String name = pair.substring(0, colon);
    String password = pair.substring(colon + 1);
    if (password.isEmpty()) {
      return token(name);
    }
    return user(name, password, right).map(Credential::actor);
  }

  /** The user with this password. */
  Optional<Credential> user(String name, String password) {
    return user(name, password, passwords::matches);
  }

  private Optional<Credential> user(
      String name, String password, BiPredicate<String, String> right) {
    Optional<Credential> user = user(name);
    // a name that nobody has must not be told from a wrong password by the time it takes
    String kept = user.map(Credential::hash).orElse(PasswordHash.NOBODYS);
    return right.test(password, kept) ? user : Optional.empty();
  }

  /** The user of this name. */
  Optional<Credential> user(String name) {
    return Optional.ofNullable(users.get(name));
  }
}
