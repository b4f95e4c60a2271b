package org.heddle.server.auth;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/**
 * What is kept of a password: PBKDF2 with HMAC-SHA-256 and a salt, with as many iterations as OWASP
 * recommends (Password Storage Cheat Sheet). What was kept with fewer still counts.
 */
public final class PasswordHash {
  private static final int ITERATIONS = 600_000;
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

  /** True if somebody's password is kept with fewer iterations than today's. */
  static boolean isOld(String kept) {
    return iterations(kept) < ITERATIONS;
  }

  private static int iterations(String kept) {
    return Integer.parseInt(kept.split("\\$")[1]);
  }

  /**
   * True if that was kept of this password. It takes as long for every user, however old what is
   * kept of a password: the time would tell which names there are.
   */
  static boolean matches(String password, String kept) {
    String[] parts = kept.split("\\$");
    HexFormat hex = HexFormat.of();
    byte[] salt = hex.parseHex(parts[2]);
    byte[] mine = derive(password, salt, iterations(kept));
    if (isOld(kept)) {
      derive(password, salt, ITERATIONS - iterations(kept));
    }
    return MessageDigest.isEqual(mine, hex.parseHex(parts[3]));
  }

  private static byte[] derive(String password, byte[] salt, int iterations) {
    try {
      return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
          .generateSecret(new PBEKeySpec(password.toCharArray(), salt, iterations, BITS))
          .getEncoded();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
