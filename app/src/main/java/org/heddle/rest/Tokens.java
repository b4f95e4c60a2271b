package org.heddle.rest;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.heddle.control.model.Actor;
import org.heddle.control.model.Credential;

/**
 * API tokens: 256 random bits, of which the SHA-256 is kept. A secret of that size needs no slow
 * hash.
 */
public final class Tokens {
  private static final SecureRandom RANDOM = new SecureRandom();

  private final Map<String, Actor> byHash = new ConcurrentHashMap<>();

  /** A new secret. */
  public static String secret() {
    byte[] bytes = new byte[32];
    RANDOM.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  /** What is kept of a secret. */
  public static String hash(String secret) {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(sha.digest(secret.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Accepts a credential from now on, or no more if it is revoked. */
  public void accept(Credential credential) {
    if (credential.revoked()) {
      byHash.remove(credential.hash());
    } else {
      byHash.put(credential.hash(), credential.actor());
    }
  }

  /** True if there is none. */
  public boolean isEmpty() {
    return byHash.isEmpty();
  }

  /** Who sends {@code Authorization: Bearer TOKEN}. */
  Optional<Actor> actor(String header) {
    return header.startsWith("Bearer ")
        ? Optional.ofNullable(byHash.get(hash(header.substring(7).strip())))
        : Optional.empty();
  }
}
