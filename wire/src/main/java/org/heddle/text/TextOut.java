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

  /** The text with every control character turned into a space, as the tools print it. */
  public static String printable(String s) {
    for (int i = 0; i < s.length(); i++) {
      if (isControl(s.charAt(i))) {
        return replaceControls(s);
      }
    }
    return s;
  }

  private static boolean isControl(char c) {
    return c < 0x20 || c == 0x7f;
  }

  private static String replaceControls(String s) {
    StringBuilder b = new StringBuilder(s);
    for (int i = 0; i < b.length(); i++) {
      if (isControl(b.charAt(i))) {
        b.setCharAt(i, ' ');
      }
    }
    return b.toString();
  }
}
