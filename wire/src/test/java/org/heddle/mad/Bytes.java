package org.heddle.mad;

import java.util.Arrays;
import java.util.HexFormat;

/** Bytes as the specification's tables show them. */
final class Bytes {
  private Bytes() {}

  /** Bytes from hexadecimal digits; blanks are ignored, zeros are appended. */
  static byte[] of(int length, String... hex) {
    byte[] bytes = HexFormat.of().parseHex(String.join("", hex).replace(" ", ""));
    if (bytes.length > length) {
      throw new IllegalArgumentException(bytes.length + " bytes instead of " + length);
    }
    return Arrays.copyOf(bytes, length);
  }

  /** Puts bytes at a place into others. */
  static byte[] with(byte[] bytes, int at, String hex) {
    byte[] part = of(hex.replace(" ", "").length() / 2, hex);
    System.arraycopy(part, 0, bytes, at, part.length);
    return bytes;
  }
}
