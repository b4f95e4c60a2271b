package org.heddle.draw;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;

/**
 * Writes XML elements as UTF-8, well-formed by construction: elements close in order, text and
 * attribute values are escaped, characters that XML 1.0 forbids are replaced. Numbers have at most
 * one decimal and no locale. Buffers; {@link #finish()} closes what is open and flushes.
 */
final class SvgWriter {
  private static final int BUFFER = 1 << 15;

  private final OutputStream out;
  private final StringBuilder buffer = new StringBuilder(BUFFER + 1024);
  private final ArrayDeque<String> open = new ArrayDeque<>();
  private boolean inTag;

  SvgWriter(OutputStream out) {
    this.out = out;
    buffer.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
  }

  /** Opens an element; attributes may follow. */
  SvgWriter start(String name) throws IOException {
    closeTag();
    buffer.append('<').append(name);
    open.push(name);
    inTag = true;
    return this;
  }

  /** Adds an attribute to the element just opened. */
  SvgWriter attr(String name, String value) {
    buffer.append(' ').append(name).append("=\"");
    escape(buffer, value);
    buffer.append('"');
    return this;
  }

  /** Adds a numeric attribute. */
  SvgWriter attr(String name, double value) {
    buffer.append(' ').append(name).append("=\"");
    number(buffer, value);
    buffer.append('"');
    return this;
  }

  /** Adds text content. */
  SvgWriter text(String value) throws IOException {
    closeTag();
    escape(buffer, value);
    return this;
  }

  /** Closes the innermost element. */
  SvgWriter end() {
    String name = open.pop();
    if (inTag) {
      buffer.append("/>");
      inTag = false;
    } else {
      buffer.append("</").append(name).append('>');
    }
    return this;
  }

  /** An element with only text. */
  SvgWriter leaf(String name, String text) throws IOException {
    return start(name).text(text).end();
  }

  /** A line break between elements, so that diffs of drawings can be read. */
  SvgWriter line() throws IOException {
    closeTag();
    buffer.append('\n');
    if (buffer.length() >= BUFFER) {
      drain();
    }
    return this;
  }

  void finish() throws IOException {
    while (!open.isEmpty()) {
      end();
    }
    buffer.append('\n');
    drain();
    out.flush();
  }

  private void closeTag() throws IOException {
    if (inTag) {
      buffer.append('>');
      inTag = false;
    }
    if (buffer.length() >= 4 * BUFFER) {
      drain();
    }
  }

  private void drain() throws IOException {
    out.write(buffer.toString().getBytes(StandardCharsets.UTF_8));
    buffer.setLength(0);
  }

  /** Appends a number with at most one decimal: {@code 3}, {@code 3.5}, {@code -0.2}. */
  static StringBuilder number(StringBuilder to, double value) {
    long tenths = Math.round(value * 10);
    if (tenths < 0) {
      to.append('-');
      tenths = -tenths;
    }
    to.append(tenths / 10);
    if (tenths % 10 != 0) {
      to.append('.').append((char) ('0' + tenths % 10));
    }
    return to;
  }

  /**
   * Appends text such that it may stand in content and in a quoted attribute. Control characters
   * become their visible pictures (U+2400 and on), so that a name keeps telling what is in it;
   * unpaired surrogates and non-characters become U+FFFD.
   */
  static void escape(StringBuilder to, String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '&' -> to.append("&amp;");
        case '<' -> to.append("&lt;");
        case '>' -> to.append("&gt;");
        case '"' -> to.append("&quot;");
        default -> {
          if (Character.isHighSurrogate(c)
              && i + 1 < text.length()
              && Character.isLowSurrogate(text.charAt(i + 1))) {
            to.append(c).append(text.charAt(++i));
          } else {
            to.append(visible(c));
          }
        }
      }
    }
  }

  private static char visible(char c) {
    if (c < 0x20) {
      return (char) (0x2400 + c);
    }
    if (c == 0x7f) {
      return '\u2421';
    }
    boolean forbidden = Character.isSurrogate(c) || c >= 0xfffe || c >= 0x80 && c < 0xa0;
    return forbidden ? '\ufffd' : c;
  }
}
