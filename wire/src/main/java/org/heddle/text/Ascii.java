package org.heddle.text;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Byte-level helpers of the table readers: no object per line, no exception for any content. */
public final class Ascii {
  private static final byte[] HEX = new byte[256];

  static {
    Arrays.fill(HEX, (byte) -1);
    for (int i = 0; i < 16; i++) {
      HEX[Character.forDigit(i, 16)] = (byte) i;
      HEX[Character.toUpperCase(Character.forDigit(i, 16))] = (byte) i;
    }
  }

  private Ascii() {}

  /** Value of a hexadecimal digit, or -1. */
  public static int hex(byte b) {
    return HEX[b & 0xff];
  }

  /** Value of a decimal digit, or -1. */
  public static int digit(byte b) {
    return b >= '0' && b <= '9' ? b - '0' : -1;
  }

  public static boolean isSpace(byte b) {
    return b == ' ' || (b >= '\t' && b <= '\r');
  }

  /** Position of a byte in {@code [from, to)}, or -1. */
  public static int indexOf(byte[] b, int value, int from, int to) {
    for (int i = from; i < to; i++) {
      if (b[i] == value) {
        return i;
      }
    }
    return -1;
  }

  /** Position of ASCII text in {@code [from, to)}, or -1. */
  public static int indexOf(byte[] b, String text, int from, int to) {
    for (int i = from; i <= to - text.length(); i++) {
      if (startsWith(b, i, to, text)) {
        return i;
      }
    }
    return -1;
  }

  public static boolean startsWith(byte[] b, int at, int to, String text) {
    if (to - at < text.length()) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      if (b[at + i] != text.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  public static int skipSpaces(byte[] b, int at, int to) {
    int p = at;
    while (p < to && isSpace(b[p])) {
      p++;
    }
    return p;
  }

  /** End of the hexadecimal digits from {@code at} on. */
  public static int hexEnd(byte[] b, int at, int to) {
    int p = at;
    while (p < to && hex(b[p]) >= 0) {
      p++;
    }
    return p;
  }

  /** End of the decimal digits from {@code at} on. */
  public static int digitsEnd(byte[] b, int at, int to) {
    int p = at;
    while (p < to && digit(b[p]) >= 0) {
      p++;
    }
    return p;
  }

  /** Value of hexadecimal digits; the lowest 64 bits if there are more than sixteen. */
  public static long hexValue(byte[] b, int from, int to) {
    long v = 0;
    for (int i = from; i < to; i++) {
      v = v << 4 | hex(b[i]);
    }
    return v;
  }

  /** A decimal or, with 0x, hexadecimal number at {@code at}; -1 if none or beyond 0xFFFFFF. */
  public static int number(byte[] b, int at, int to) {
    boolean hex = startsWith(b, at, to, "0x");
    int from = hex ? at + 2 : at;
    int end = hex ? hexEnd(b, from, to) : digitsEnd(b, from, to);
    if (end == from || end - from > 6) {
      return -1;
    }
    return hex ? (int) hexValue(b, from, end) : decimal(b, from, end);
  }

  /** Value of at most nine decimal digits; larger numbers give the largest int. */
  public static int decimal(byte[] b, int from, int to) {
    if (to - from > 9) {
      return Integer.MAX_VALUE;
    }
    int v = 0;
    for (int i = from; i < to; i++) {
      v = 10 * v + digit(b[i]);
    }
    return v;
  }

  /** A line without terminal escape sequences (ESC [ ... letter, ESC ] ... BEL, ESC x). */
  public static byte[] withoutEscapes(byte[] b, int from, int to) {
    byte[] out = new byte[to - from];
    int n = 0;
    int p = from;
    while (p < to) {
      if (b[p] != 0x1b) {
        out[n++] = b[p++];
        continue;
      }
      p++;
      if (p < to && b[p] == '[') {
        p++;
        while (p < to && (b[p] < 0x40 || b[p] > 0x7e)) {
          p++;
        }
      } else if (p < to && b[p] == ']') {
        while (p < to && b[p] != 7) {
          p++;
        }
      }
      p++;
    }
    return Arrays.copyOf(out, n);
  }

  /** The beginning of a line for a message, with control characters replaced. */
  public static String excerpt(byte[] b, int from, int to) {
    int end = Math.min(to, from + 60);
    String text = new String(b, from, Math.max(0, end - from), StandardCharsets.UTF_8);
    return text.replaceAll("\\p{Cntrl}", "?") + (end < to ? "..." : "");
  }
}
