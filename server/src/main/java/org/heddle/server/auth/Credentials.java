package org.heddle.server.auth;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiPredicate;
import org.heddle.control.model.Actor;
import org.heddle.control.model.Credential;
import org.heddle.server.http.Digests;

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

  /** A use is noted again after so long. */
  private static final Duration GRAIN = Duration.ofMinutes(1);

  private final Map<String, Credential> byHash = new ConcurrentHashMap<>();
  private final Map<String, Credential> users = new ConcurrentHashMap<>();
  private final Map<String, Instant> used = new ConcurrentHashMap<>();
  private final List<Runnable> onChange = new CopyOnWriteArrayList<>();
  private final List<Runnable> onFirstUse = new CopyOnWriteArrayList<>();
  private final InstantSource clock;
  private final Passwords passwords = new Passwords();
  private volatile boolean some;

  /** Credentials that expire by the system's clock. */
  public Credentials() {
    this(InstantSource.system());
  }

  /** The same by another clock. */
  public Credentials(InstantSource clock) {
    this.clock = clock;
  }

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

  /**
   * Accepts a credential from now on, in the place of another one of its name, or no more if it is
   * revoked.
   */
  public void accept(Credential credential) {
    some = true;
    String name = credential.name();
    boolean there = users.remove(name) != null;
    there |= byHash.values().removeIf(c -> c.name().equals(name));
    if (!credential.revoked()) {
      if (credential.kind().equals(PASSWORD)) {
        users.put(name, credential);
      } else {
        byHash.put(credential.hash(), credential);
      }
    }
    if (there) {
      onChange.forEach(Runnable::run);
    }
  }

  /** Has somebody told when a credential is revoked or replaced. */
  public void onChange(Runnable listener) {
    onChange.add(listener);
  }

  /** Has somebody told when a credential is used that was not used before. */
  void onFirstUse(Runnable listener) {
    onFirstUse.add(listener);
  }

  /** When credentials were used last, as a store says: later uses are newer. */
  public void usedBefore(Map<String, Instant> at) {
    at.forEach((name, when) -> used.merge(name, when, (a, b) -> a.isAfter(b) ? a : b));
  }

  /** When credentials were used last, to the minute. */
  Map<String, Instant> used() {
    return Map.copyOf(used);
  }

  /** When a credential was used last since it got the secret it has, to the minute. */
  public Optional<Instant> used(Credential credential) {
    return Optional.ofNullable(used.get(credential.name()))
        .filter(at -> !at.isBefore(credential.issued().truncatedTo(ChronoUnit.SECONDS)));
  }

  private Actor using(Credential credential) {
    Instant now = clock.instant();
    Instant before = used.get(credential.name());
    if (before == null || Duration.between(before, now).compareTo(GRAIN) >= 0) {
      boolean first = used(credential).isEmpty();
      used.put(credential.name(), now);
      if (first) {
        onFirstUse.forEach(Runnable::run);
      }
    }
    return credential.actor();
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
  public Optional<Actor> actor(String header) {
    return sender(header, passwords::matches);
  }

  /** The same at no cost: a token, or a password that was right before. */
  public Optional<Actor> known(String header) {
    return sender(header, passwords::remembers);
  }

  private Optional<Actor> sender(String header, BiPredicate<String, String> right) {
    return credential(header, right).map(this::using);
  }

  private Optional<Credential> credential(String header, BiPredicate<String, String> right) {
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

  private Optional<Credential> token(String secret) {
    return Optional.ofNullable(byHash.get(hash(secret))).filter(c -> c.counts(clock.instant()));
  }

  private static Optional<String> decoded(String value) {
    try {
      return Optional.of(new String(Base64.getDecoder().decode(value), StandardCharsets.UTF_8));
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  private Optional<Credential> basic(String pair, BiPredicate<String, String> right) {
    int colon = pair.indexOf(':');
    if (colon < 0) {
      return Optional.empty();
    }
    String name = pair.substring(0, colon);
    String password = pair.substring(colon + 1);
    if (password.isEmpty()) {
      return token(name);
    }
    return user(name, password, right);
  }

  /** The user with this password. */
  public Optional<Credential> user(String name, String password) {
    Optional<Credential> user = user(name, password, passwords::matches);
    user.ifPresent(this::using);
    return user;
  }

  private Optional<Credential> user(
      String name, String password, BiPredicate<String, String> right) {
    Optional<Credential> user = user(name);
    // a name that nobody has must not be told from a wrong password by the time it takes
    String kept = user.map(Credential::hash).orElse(PasswordHash.NOBODYS);
    return right.test(password, kept) ? user : Optional.empty();
  }

  /** The user of this name. */
  public Optional<Credential> user(String name) {
    return Optional.ofNullable(users.get(name)).filter(c -> c.counts(clock.instant()));
  }

  /** True if a password is the one that a user has. */
  public boolean isPassword(Credential user, String password) {
    return passwords.matches(password, user.hash());
  }
}
