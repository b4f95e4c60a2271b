package org.heddle.text;

/** Small readers of numbers that answer -1 instead of throwing. */
public final class Tokens {
  private Tokens() {}

  /** A decimal number of at most nine digits, or -1. */
  public static int number(String text) {
    int n = text.length();
    if (n == 0 || n > 9) {
      return -1;
    }
    int value = 0;
    for (int i = 0; i < n; i++) {
      int d = text.charAt(i) - '0';
      if (d < 0 || d > 9) {
        return -1;
      }
      value = value * 10 + d;
    }
    return value;
  }

  /** True for 1..16 hexadecimal digits. */
  public static boolean isHex(String text) {
    int n = text.length();
    if (n == 0 || n > 16) {
      return false;
    }
    for (int i = 0; i < n; i++) {
      if (Character.digit(text.charAt(i), 16) < 0 || text.charAt(i) > 'f') {
        return false;
      }
    }
    return true;
  }

  /** The digits behind {@code 0x}, or the text itself. */
  public static String withoutPrefix(String text) {
    return text.startsWith("0x") || text.startsWith("0X") ? text.substring(2) : text;
  }

  /** Hexadecimal digits with or without {@code 0x}; 0 if it is no such number. */
  public static long hex(String text) {
    String digits = withoutPrefix(text);
    return isHex(digits) ? Long.parseUnsignedLong(digits, 16) : 0;
  }

  /** A number as C's strtoul with base 0 reads it, 31 bits; -1 if it is none. */
  public static int cNumber(String text) {
    try {
      long value =
          text.startsWith("0x") || text.startsWith("0X")
              ? Long.parseLong(text.substring(2), 16)
              : text.length() > 1 && text.startsWith("0")
                  ? Long.parseLong(text, 8)
                  : Long.parseLong(text);
      return value < 0 || value > Integer.MAX_VALUE ? -1 : (int) value;
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  /** A piece of a line short enough for a message, without control characters. */
  public static String excerpt(String line) {
    // Lines can be long and many: look at the start only, without regular expressions.
    String head = line.length() <= 200 ? line : line.substring(0, 200);
    String text = TextOut.printable(head.strip());
    return text.length() <= 60 ? text : text.substring(0, 57) + "...";
  }
}
