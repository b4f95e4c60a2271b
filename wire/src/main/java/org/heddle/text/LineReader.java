package org.heddle.text;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/**
 * The lines of a text file, freed of what terminals, editors and pipes leave in it: a byte order
 * mark, CRLF, bare carriage returns (progress displays), NUL and other control bytes, ANSI escape
 * sequences. UTF-8; a file in UTF-16 with a mark is converted.
 *
 * <p>Lines longer than {@value #MAX_LINE} bytes and lines of binary data come out as a stand-in: no
 * format of the field has such lines, and a binary file must not become one string. Linear in the
 * file, holds one line.
 */
public final class LineReader {
  /** Longest line that is looked at, in bytes. */
  public static final int MAX_LINE = 1 << 16;

  /** Stands for a line that was too long; compare by identity. */
  private static final String TOO_LONG = new String("(line too long)");

  /** Stands for a line of binary data. */
  private static final String BINARY = new String("(binary data)");

  private static final byte ESCAPE = 0x1b;

  private final byte[] bytes;
  private int pos;
  private int line;
  private boolean lineEnded = true;
  private boolean terminated;
  private boolean sawControls;
  private boolean sawUtf16;
  private byte[] scratch = new byte[256];

  public LineReader(byte[] raw) {
    Charset wide = wideCharset(raw);
    if (wide != null) {
      sawUtf16 = true;
      bytes = new String(raw, wide).getBytes(StandardCharsets.UTF_8);
    } else {
      bytes = raw;
    }
    pos = startsWithMark(bytes) ? 3 : 0;
  }

  private static Charset wideCharset(byte[] raw) {
    if (raw.length < 2) {
      return null;
    }
    int mark = (raw[0] & 0xff) << 8 | raw[1] & 0xff;
    // StandardCharsets.UTF_16 reads the mark, says which end comes first, and drops it.
    return mark == 0xfffe || mark == 0xfeff ? StandardCharsets.UTF_16 : null;
  }

  private static boolean startsWithMark(byte[] b) {
    return b.length >= 3 && b[0] == (byte) 0xef && b[1] == (byte) 0xbb && b[2] == (byte) 0xbf;
  }

  /** True for a line that is only a stand-in for what was there. */
  public static boolean isUnusable(String line) {
    return line == TOO_LONG || line == BINARY;
  }

  /** The next line without its end, or null after the last. */
  public String next() {
    if (pos >= bytes.length) {
      return null;
    }
    if (lineEnded) {
      line++;
    }
    int start = pos;
    int end = start;
    boolean plain = true;
    int signs = 0;
    while (end < bytes.length && bytes[end] != '\n' && bytes[end] != '\r') {
      int b = bytes[end];
      plain &= b < 0 || b >= 0x20 && b != 0x7f || b == '\t';
      signs |= b;
      end++;
    }
    pos = end;
    terminated = end < bytes.length;
    lineEnded = terminated;
    if (terminated) {
      // A bare carriage return ends the text, but editors do not count it as a line.
      boolean bare = bytes[pos++] == '\r';
      if (bare && pos < bytes.length && bytes[pos] == '\n') {
        pos++;
        bare = false;
      }
      lineEnded = !bare;
    }
    if (end - start > MAX_LINE) {
      return TOO_LONG;
    }
    if (plain && signs >= 0) { // ASCII, as nearly every line: nothing to decode
      return new String(bytes, start, end - start, StandardCharsets.ISO_8859_1);
    }
    return plain ? decoded(bytes, start, end - start) : cleaned(start, end);
  }

  /** UTF-8; a line that is none is Latin-1, as old consoles set node descriptions. */
  private String decoded(byte[] b, int start, int length) {
    String text = new String(b, start, length, StandardCharsets.UTF_8);
    if (text.indexOf('\ufffd') >= 0) {
      text = new String(b, start, length, StandardCharsets.ISO_8859_1);
    }
    return withoutControls(text);
  }

  /** Without the control characters that take two bytes: a terminal obeys them as well. */
  private String withoutControls(String text) {
    StringBuilder out = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < 0x80 || TextOut.isPrintable(c)) {
        out.append(c);
      } else {
        sawControls = true;
      }
    }
    return out.toString();
  }

  private String cleaned(int start, int end) {
    sawControls = true;
    if (scratch.length < end - start) {
      scratch = new byte[end - start];
    }
    int n = 0;
    int odd = 0;
    for (int i = start; i < end; i++) {
      int b = bytes[i];
      if (b == ESCAPE) {
        i = endOfEscape(i, end) - 1;
      } else if (b < 0 || b >= 0x20 && b != 0x7f || b == '\t') {
        scratch[n++] = (byte) b;
      } else if (b != 0) {
        odd++; // NUL bytes do not count: crashed hosts leave whole blocks of them
      }
    }
    if (odd > 4 && odd > n / 16) {
      return BINARY;
    }
    return decoded(scratch, 0, n);
  }

  /** Position behind the escape sequence (ECMA-48) that starts at {@code i}. */
  private int endOfEscape(int i, int end) {
    int at = i + 1;
    if (at >= end) {
      return end;
    }
    if (bytes[at] == '[') {
      at++;
      while (at < end && bytes[at] >= 0x20 && bytes[at] < 0x40) {
        at++;
      }
      return Math.min(at + 1, end);
    }
    if (bytes[at] == ']') {
      // Operating system command (window title): up to BEL or ESC \. Unterminated: only the two.
      for (int k = at + 1; k < end; k++) {
        if (bytes[k] == 0x07) {
          return k + 1;
        }
        if (bytes[k] == ESCAPE) {
          return Math.min(k + 2, end);
        }
      }
    }
    return at + 1;
  }

  /** Number of the line last returned, from 1. */
  public int line() {
    return line;
  }

  /** False if the line last returned ended with the file. */
  public boolean terminated() {
    return terminated;
  }

  /** Reports once what had to be cleaned. */
  public void report(Problems problems) {
    if (sawUtf16) {
      problems.note(0, "UTF-16 text was converted; UTF-8 was expected");
    }
    if (sawControls) {
      problems.note(0, "control bytes and terminal escape sequences were skipped");
    }
  }
}
