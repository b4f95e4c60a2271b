package org.heddle.server.auth;

import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.HexFormat;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/** What is kept of a password: PBKDF2 with HMAC-SHA-256 and a salt. */
public final class PasswordHash {
  private static final int ITERATIONS = 210_000;
  private static final int BITS = 256;
  private static final SecureRandom RANDOM = new SecureRandom();

  /** Of no password: what is compared where there is no user, so that it takes as long. */
  static final String NOBODYS =
      "pbkdf2$" + ITERATIONS + "$" + "00".repeat(16) + "$" + "00".repeat(32);

  private PasswordHash() {}

  /** {@code pbkdf2$ITERATIONS$SALT$HASH} of a password. */
  public static String of(String password) {
    byte[] salt = new byte[16];
    RANDOM.nextBytes(salt);
    HexFormat hex = HexFormat.of();
    return "pbkdf2$"
        + ITERATIONS
        + "$"
        + hex.formatHex(salt)
        + "$"
        + hex.formatHex(derive(password, salt, ITERATIONS));
  }

  static byte[] derive(String password, byte[] salt, int iterations) {
    try {
      return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
          .generateSecret(new PBEKeySpec(password.toCharArray(), salt, iterations, BITS))
          .getEncoded();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
