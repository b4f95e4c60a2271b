package org.heddle.text;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Findings that a site expects and has reason to accept, as a file keeps them: {@code CODE SUBJECT
 * REASON} a line, {@code #} starts a comment. A subject with blanks stands in double quotes. What
 * subjects are is said in {@code docs/audit.md}.
 *
 * @param entries in file order
 */
public record AcceptedFindings(List<Entry> entries) {
  private static final Pattern LINE =
      Pattern.compile("([a-z][a-z0-9-]*+)\\s++(?:\"([^\"]++)\"|([^\\s\"#]++))(?:\\s++(.*+))?+");

  public AcceptedFindings {
    entries = List.copyOf(entries);
  }

  /**
   * One line.
   *
   * @param line of the file, from 1
   * @param code of the finding, kebab-case
   * @param subject what it may be about
   * @param reason why it is accepted
   */
  public record Entry(int line, String code, String subject, String reason) {}

  /**
   * Reads a file. Lines of another form are errors, as is an entry without a reason; one that comes
   * twice is a note.
   */
  public static Parsed<AcceptedFindings> read(Source source) {
    Problems problems = new Problems(source.name());
    List<Entry> entries = new ArrayList<>();
    Map<String, Integer> lineOf = new HashMap<>();
    LineReader lines = new LineReader(source.bytes());
    for (String line = lines.next(); line != null; line = lines.next()) {
      String text = line.strip();
      if (text.isEmpty() || text.startsWith("#")) {
        continue;
      }
      Matcher m = LINE.matcher(text);
      if (!m.matches()) {
        problems.error(lines.line(), "expected CODE SUBJECT REASON, got: " + Tokens.excerpt(text));
        continue;
      }
      String subject = m.group(2) == null ? m.group(3) : m.group(2);
      String reason = m.group(4) == null ? "" : m.group(4).strip();
      if (reason.isEmpty() || reason.startsWith("#")) {
        problems.error(
            lines.line(), "say why '" + m.group(1) + "' is accepted, behind its subject");
        continue;
      }
      Integer before = lineOf.putIfAbsent(m.group(1) + " " + subject, lines.line());
      if (before != null) {
        problems.note(lines.line(), "accepted in line " + before + " already; ignored");
        continue;
      }
      entries.add(new Entry(lines.line(), m.group(1), subject, reason));
    }
    lines.report(problems);
    return problems.result(new AcceptedFindings(entries));
  }
}
