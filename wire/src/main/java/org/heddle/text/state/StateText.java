package org.heddle.text.state;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.heddle.fabric.Guid;
import org.heddle.text.Parsed;
import org.heddle.text.Source;

/** What state files of all kinds have in common, for their writers. */
final class StateText {
  private StateText() {}

  /** The version and the fabric, if there is one. */
  static StringBuilder begin(int version, Optional<StateFile.Mark> fabric) {
    StringBuilder out = new StringBuilder("{\n");
    out.append("  \"version\": ").append(version).append(",\n");
    fabric.ifPresent(
        mark ->
            out.append("  \"fabric\": {\"fingerprint\": \"0x")
                .append(Guid.hex16(mark.fingerprint()))
                .append("\", \"switches\": ")
                .append(mark.switches())
                .append(", \"hosts\": ")
                .append(mark.hosts())
                .append("},\n"));
    return out;
  }

  /**
   * The elements of a list, one a line.
   *
   * @param indent of the line with the list's name
   */
  static void list(List<String> lines, String indent, StringBuilder out) {
    if (!lines.isEmpty()) {
      String newLine = "\n" + indent + "  ";
      out.append(newLine).append(String.join("," + newLine, lines));
      out.append('\n').append(indent);
    }
  }

  /**
   * The bytes of a text, once it has been read back and compared.
   *
   * @param canonical the content without its place in a file
   * @throws IllegalArgumentException if the content breaks a rule of the format
   */
  static <T> byte[] proven(
      StringBuilder text,
      String source,
      T content,
      Function<Source, Parsed<T>> reader,
      UnaryOperator<T> canonical) {
    byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
    Parsed<T> back = reader.apply(new Source(source, bytes));
    if (!back.ok()) {
      throw new IllegalArgumentException("no valid state: " + back.problems());
    }
    if (!canonical.apply(back.get()).equals(canonical.apply(content))) {
      throw new IllegalStateException("a written state reads back differently");
    }
    return bytes;
  }

  /** A JSON text. */
  static String quoted(String text) {
    StringBuilder out = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < 0x20
          || c >= 0x7f && c < 0xa0
          || c == 0x2028
          || c == 0x2029
          || c >= 0xd800 && !Character.isSurrogate(c)) {
        out.append("\\u%04x".formatted((int) c));
      } else {
        out.append(c);
      }
    }
    return out.append('"').toString();
  }
}
