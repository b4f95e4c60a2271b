package org.heddle.text;

/** A number as the C function {@code strtoull(text, &end, 0)} reads it. */
public record CNumber(long value, int end) {

  /** Reads decimal, 0-octal or 0x-hexadecimal digits behind blanks and a sign; end is 0 if none. */
  public static CNumber parse(String text) {
    int p = 0;
    while (p < text.length() && isSpace(text.charAt(p))) {
      p++;
    }
    boolean negative = p < text.length() && text.charAt(p) == '-';
    if (p < text.length() && (negative || text.charAt(p) == '+')) {
      p++;
    }
    int base = 10;
    if (p < text.length() && text.charAt(p) == '0') {
      boolean hex =
          p + 2 < text.length()
              && (text.charAt(p + 1) | 0x20) == 'x'
              && digit(text.charAt(p + 2)) < 16;
      base = hex ? 16 : 8;
      p += hex ? 2 : 0;
    }
    int start = p;
    long value = 0;
    boolean overflow = false;
    for (int d; p < text.length() && (d = digit(text.charAt(p))) < base; p++) {
      long high = Math.multiplyHigh(value, base) + (value < 0 ? base : 0); // unsigned high word
      long next = value * base + d;
      overflow |= high != 0 || Long.compareUnsigned(next, value * base) < 0;
      value = next;
    }
    if (p == start) {
      return new CNumber(0, 0);
    }
    return new CNumber(overflow ? -1 : negative ? -value : value, p);
  }

  public static boolean isSpace(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
  }

  private static int digit(char c) {
    if (c >= '0' && c <= '9') {
      return c - '0';
    }
    int letter = c | 0x20;
    return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : 99;
  }
}
