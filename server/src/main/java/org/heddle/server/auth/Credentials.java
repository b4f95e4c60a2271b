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
import java.util.function.Consumer;
import org.heddle.control.model.Actor;
import org.heddle.control.model.Credential;
import org.heddle.control.port.StoreException;
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
  private volatile Consumer<Credential> save = _ -> {};
  private volatile boolean some;

  /** Credentials that expire by the system's clock. */
  public Credentials() {
    this(InstantSource.system());
  }

  /** The same by another clock. */
  public Credentials(InstantSource clock) {
    this.clock = clock;
  }

  /** The user who acts, by itself or by a token of its own; empty if it is neither. */
  public static String userOf(List<Credential> all, Actor actor) {
    return all.stream()
        .filter(c -> c.name().equals(actor.name()) && !c.revoked())
        .findFirst()
        .map(c -> c.kind().equals(PASSWORD) ? c.name() : c.user())
        .orElse("");
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
    boolean counts = !credential.revoked();
    boolean user = counts && credential.kind().equals(PASSWORD);
    // in its place at once: nobody who has it is refused while it is replaced
    boolean there = (user ? users.put(name, credential) : users.remove(name)) != null;
    if (counts && !user) {
      byHash.put(credential.hash(), credential);
    }
    there |= byHash.values().removeIf(c -> c.name().equals(name) && c != credential);
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

  /** True if a secret is that of a token that counts; nobody is noted to use it. */
  boolean isToken(String secret) {
    return token(secret).isPresent();
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

  /** Who is called so, user or token, by a client whose certificate says that it is that one. */
  public Optional<Actor> named(String name) {
    return Optional.ofNullable(users.get(name))
        .or(() -> byHash.values().stream().filter(c -> c.name().equals(name)).findFirst())
        .filter(c -> c.counts(clock.instant()))
        .map(this::using);
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
    boolean again = passwords.remembers(password, kept);
    if (!right.test(password, kept)) {
      return Optional.empty();
    }
    return again ? user : user.map(u -> renewed(u, password));
  }

  /** Has users whose passwords are kept in an older way kept in today's when they log in. */
  public void renewBy(Consumer<Credential> store) {
    save = store;
  }

  private Credential renewed(Credential user, String password) {
    if (!PasswordHash.isOld(user.hash())) {
      return user;
    }
    String hash = PasswordHash.of(password);
    synchronized (this) {
      Credential now = users.get(user.name());
      if (now != user) {
        return now == null ? user : now; // it has another password, or was renewed, meanwhile
      }
      Credential renewed = user.withHash(hash, user.issued());
      try {
        save.accept(renewed);
      } catch (StoreException _) {
        return user; // the old one counts, and the next start tries again
      }
      passwords.remember(password, hash);
      accept(renewed);
      return renewed;
    }
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
