package org.heddle.text.topology;

import java.util.HashMap;
import java.util.Map;
import org.heddle.fabric.Guid;
import org.heddle.text.LineReader;
import org.heddle.text.Parsed;
import org.heddle.text.ProblemGroup;
import org.heddle.text.Problems;
import org.heddle.text.Source;
import org.heddle.text.Tokens;

/**
 * Reads a node name map as the InfiniBand tools take with {@code --node-name-map}: {@code 0xguid
 * "name"} a line, {@code #} starts a comment.
 *
 * <p>Quotes may be missing: the name is then what stands before a comment. GUIDs are read as in
 * {@link GuidListReader}. As the tools do it, a line without a GUID is skipped (warning), a GUID
 * without a name is ignored (note), and of two names for one GUID the first counts (warning); a
 * file without any usable line is an error. O(n).
 */
public final class NodeNameMapReader {
  private NodeNameMapReader() {}

  /** The names by node GUID. */
  public static Parsed<NodeNameMap> read(Source source) {
    Problems problems = new Problems(source.name());
    Map<Guid, String> names = new HashMap<>();
    LineReader lines = new LineReader(source.bytes());
    ProblemGroup unusable = new ProblemGroup(problems, "lines without a GUID");
    ProblemGroup unnamed = ProblemGroup.ofNotes(problems, "GUIDs without a name");
    ProblemGroup repeated = new ProblemGroup(problems, "GUIDs named twice");
    for (String line = lines.next(); line != null; line = lines.next()) {
      String text = line.strip();
      if (text.isEmpty() || text.charAt(0) == '#') {
        continue;
      }
      if (!startsWithGuid(text)) {
        unusable.warn(
            lines.line(),
            "expected a GUID such as 0x0002c903007b78b0 and a name, got: "
                + Tokens.excerpt(text)
                + "; skipped");
        continue;
      }
      long guid = GuidListReader.guid(text, lines.line(), problems);
      String name = name(text);
      if (name.isEmpty()) {
        unnamed.warn(lines.line(), Guid.format(guid) + " has no name; ignored");
      } else if (names.putIfAbsent(new Guid(guid), name) != null) {
        repeated.warn(lines.line(), Guid.format(guid) + " was named before; kept the first name");
      }
    }
    lines.report(problems);
    unusable.close();
    unnamed.close();
    if (names.isEmpty() && unusable.count() > 0) {
      problems.error(0, "no line names a node; a node name map has lines 0xGUID \"name\"");
    }
    repeated.close();
    return problems.result(new NodeNameMap(names));
  }

  /** As in {@link GuidListReader}, with 0 for a placeholder that nobody filled in. */
  private static boolean startsWithGuid(String text) {
    int end = 0;
    while (end < text.length() && text.charAt(end) > ' ' && text.charAt(end) != '#') {
      end++;
    }
    String digits = Tokens.withoutPrefix(text.substring(0, end));
    return Tokens.isHex(digits) && Tokens.hex(digits) != 0;
  }

  private static String name(String text) {
    int from = 0;
    while (from < text.length() && text.charAt(from) > ' ' && text.charAt(from) != '#') {
      from++;
    }
    String rest = text.substring(from).strip();
    if (rest.startsWith("\"")) {
      int close = rest.indexOf('"', 1);
      return close < 0 ? rest.substring(1) : rest.substring(1, close);
    }
    int comment = rest.indexOf('#');
    return (comment < 0 ? rest : rest.substring(0, comment)).strip();
  }
}
