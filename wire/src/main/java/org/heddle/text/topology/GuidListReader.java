package org.heddle.text.topology;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.heddle.fabric.Guid;
import org.heddle.text.LineReader;
import org.heddle.text.Parsed;
import org.heddle.text.ProblemGroup;
import org.heddle.text.Problems;
import org.heddle.text.Source;
import org.heddle.text.Tokens;

/**
 * Reads the GUID files of OpenSM: {@code root_guid_file}, {@code cn_guid_file}, {@code
 * io_guid_file}, {@code guid_routing_order_file}. One GUID a line, {@code #} starts a comment, what
 * follows the GUID is ignored. The order is kept.
 *
 * <p>The grammar is that of OpenSM's parse_node_map: a number as C reads it, so without {@code 0x}
 * it is decimal, or octal with a leading 0. OpenSM gives up on the whole file at the first line
 * that is none, silently falling back to another routing; here such a line is an error with its
 * position. Hexadecimal digits without {@code 0x} are accepted with a warning, since no one can
 * mean anything else by them; digits that are valid decimal are read as OpenSM reads them, with a
 * warning. O(n).
 */
public final class GuidListReader {
  /** OpenSM reads lines in pieces of 255 bytes and takes the rest for the next line. */
  static final int LINE_LIMIT = 255;

  private GuidListReader() {}

  /** The GUIDs in file order, repeated ones once. */
  public static Parsed<List<Guid>> read(Source source) {
    Problems problems = new Problems(source.name());
    List<Guid> out = new ArrayList<>();
    Map<Long, Integer> lineOf = new HashMap<>();
    ProblemGroup repeated = new ProblemGroup(problems, "GUIDs listed twice");
    LineReader lines = new LineReader(source.bytes());
    for (String line = lines.next(); line != null; line = lines.next()) {
      String text = line.strip();
      if (text.isEmpty() || text.charAt(0) == '#') {
        continue;
      }
      long guid = guid(text, lines.line(), problems);
      if (guid == 0) {
        continue;
      }
      if (text.length() > LINE_LIMIT - 1) {
        problems.warn(lines.line(), "OpenSM cannot read lines of more than 254 characters");
      }
      Integer first = lineOf.putIfAbsent(guid, lines.line());
      if (first == null) {
        out.add(new Guid(guid));
      } else {
        repeated.warn(
            lines.line(), Guid.format(guid) + " was listed in line " + first + "; kept that one");
      }
    }
    lines.report(problems);
    repeated.close();
    if (out.isEmpty() && !problems.hasErrors()) {
      problems.warn(0, "no GUID in the file");
    }
    return problems.result(List.copyOf(out));
  }

  /** The GUID a line starts with; 0 if it has none (reported as an error). */
  static long guid(String text, int line, Problems problems) {
    int end = 0;
    while (end < text.length() && text.charAt(end) > ' ' && text.charAt(end) != '#') {
      end++;
    }
    String word = text.substring(0, end);
    boolean prefixed = word.startsWith("0x") || word.startsWith("0X");
    String digits = Tokens.withoutPrefix(word);
    if (!Tokens.isHex(digits)) {
      problems.error(
          line, "expected a GUID such as 0x0002c903007b78b0, got: " + Tokens.excerpt(text));
      return 0;
    }
    long value = prefixed ? Long.parseUnsignedLong(digits, 16) : bare(digits, line, problems);
    if (value == 0) {
      problems.error(line, "0 is not a GUID");
    }
    return value;
  }

  private static long bare(String digits, int line, Problems problems) {
    int radix = digits.length() > 1 && digits.charAt(0) == '0' ? 8 : 10;
    try {
      long value = Long.parseUnsignedLong(digits, radix);
      problems.warn(
          line,
          "without 0x OpenSM reads "
              + digits
              + " as the "
              + (radix == 8 ? "octal" : "decimal")
              + " number "
              + Guid.format(value)
              + "; so does Heddle");
      return value;
    } catch (NumberFormatException e) {
      problems.warn(line, "0x is missing before " + digits + "; OpenSM refuses the whole file");
      return Long.parseUnsignedLong(digits, 16);
    }
  }
}
