package org.heddle.text;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Collects lines and writes them as UTF-8 in large pieces. Does not close the stream. */
public final class TextOut {
  private static final int PIECE = 1 << 16;

  private final OutputStream out;
  private final StringBuilder text = new StringBuilder(PIECE + 512);

  public TextOut(OutputStream out) {
    this.out = out;
  }

  public TextOut add(String s) {
    text.append(s);
    return this;
  }

  public TextOut add(int value) {
    text.append(value);
    return this;
  }

  public TextOut add(char c) {
    text.append(c);
    return this;
  }

  /** Hexadecimal digits without leading zeros. */
  public TextOut hex(long value) {
    text.append(Long.toHexString(value));
    return this;
  }

  /** Upper-case hexadecimal digits, at least so many. */
  public TextOut upperHex(long value, int digits) {
    String bare = Long.toHexString(value);
    for (int i = bare.length(); i < digits; i++) {
      text.append('0');
    }
    for (int i = 0; i < bare.length(); i++) {
      text.append(Character.toUpperCase(bare.charAt(i)));
    }
    return this;
  }

  /** Ends the line. Pieces are cut here only, so that no character is. */
  public void line() throws IOException {
    text.append('\n');
    if (text.length() >= PIECE) {
      flush();
    }
  }

  public void flush() throws IOException {
    out.write(text.toString().getBytes(StandardCharsets.UTF_8));
    text.setLength(0);
    out.flush();
  }

  /**
   * The text with a space for every character that is not to be seen, as the tools print it: what a
   * terminal obeys, what ends a line for some readers, what turns the order of letters round, and
   * what no format of text allows. Whoever has a host or a partition chooses its name.
   */
  public static String printable(String s) {
    for (int i = 0; i < s.length(); i++) {
      if (!isPrintable(s.charAt(i))) {
        return replaceUnprintable(s);
      }
    }
    return s;
  }

  /** Whether a character may stand in a line of text as it is. */
  public static boolean isPrintable(char c) {
    boolean control = c < 0x20 || c >= 0x7f && c < 0xa0; // C0, DEL and C1
    boolean endOfLine = c == 0x2028 || c == 0x2029;
    boolean turn = c >= 0x202a && c <= 0x202e || c >= 0x2066 && c <= 0x2069;
    return !control && !endOfLine && !turn && c != 0xfeff && c < 0xfffe;
  }

  private static String replaceUnprintable(String s) {
    StringBuilder b = new StringBuilder(s);
    for (int i = 0; i < b.length(); i++) {
      if (!isPrintable(b.charAt(i))) {
        b.setCharAt(i, ' ');
      }
    }
    return b.toString();
  }
}
