package org.heddle.text.scheduler;

import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.heddle.text.FileKinds;
import org.heddle.text.LineReader;
import org.heddle.text.Parsed;
import org.heddle.text.Problems;
import org.heddle.text.Source;
import org.heddle.text.Tokens;

/**
 * Reads requests as CSV: {@code id,size,arrival,length}, whole numbers with or without blanks
 * around. A first line with these four names, in any order and among others, says where the columns
 * are. Empty lines and what follows a {@code #} are passed over. Sizes are hosts; arrival and
 * length are in any unit of time. O(bytes).
 *
 * <p>Errors: a line with fewer columns, a number that is none or out of range, an id that was there
 * before, a file without requests.
 */
public final class RequestCsvReader {
  private static final String[] NAMES = {"id", "size", "arrival", "length"};
  private static final long MAX_SIZE = 1_000_000_000;

  private final Problems problems;
  private final RequestTrace trace = new RequestTrace();
  private final Set<Long> seen = new HashSet<>();
  private final int[] column = {0, 1, 2, 3};
  private final String kind;
  private boolean started;

  private RequestCsvReader(Problems problems, String kind) {
    this.problems = problems;
    this.kind = kind;
  }

  /** The requests, in file order. */
  public static Parsed<RequestTrace> read(Source source) {
    Problems problems = new Problems(source.name());
    RequestCsvReader reader = new RequestCsvReader(problems, FileKinds.hint(source, "requests"));
    LineReader lines = new LineReader(source.bytes());
    for (String line = lines.next(); line != null; line = lines.next()) {
      if (LineReader.isUnusable(line)) {
        problems.error(lines.line(), "not a line of text; id,size,arrival,length is expected");
        continue;
      }
      int hash = line.indexOf('#');
      String text = (hash < 0 ? line : line.substring(0, hash)).strip();
      if (!text.isEmpty()) {
        reader.line(text.split(",", -1), lines.line());
      }
    }
    lines.report(problems);
    if (reader.trace.count() == 0 && !problems.hasErrors()) {
      problems.error(0, "no request; lines of id,size,arrival,length are expected" + reader.kind);
    }
    return problems.result(reader.trace);
  }

  private void line(String[] cells, int line) {
    boolean first = !started;
    started = true;
    if (first && isHeading(cells)) {
      heading(cells, line);
      return;
    }
    for (int c : column) {
      if (c >= cells.length) {
        problems.error(
            line,
            cells.length
                + (cells.length == 1 ? " column" : " columns")
                + ", id,size,arrival,length is expected");
        return;
      }
    }
    long id = number(cells, 0, 0, Long.MAX_VALUE, line);
    long size = number(cells, 1, 1, MAX_SIZE, line);
    long arrival = number(cells, 2, 0, RequestTrace.MAX_TIME, line);
    long length = number(cells, 3, 0, RequestTrace.MAX_TIME, line);
    if (id < 0 || size < 0 || arrival < 0 || length < 0) {
      return;
    }
    if (!seen.add(id)) {
      problems.error(line, "a second request with the id " + id);
      return;
    }
    trace.add(id, (int) size, arrival, length);
  }

  /** A first line that begins with a letter somewhere names columns. */
  private static boolean isHeading(String[] cells) {
    for (String cell : cells) {
      String text = cell.strip();
      if (!text.isEmpty() && Character.isLetter(text.charAt(0))) {
        return true;
      }
    }
    return false;
  }

  private void heading(String[] cells, int line) {
    if (cells.length < NAMES.length) {
      problems.error(line, "no request; id,size,arrival,length is expected" + kind);
      return;
    }
    for (int n = 0; n < NAMES.length; n++) {
      column[n] = -1;
      for (int c = 0; c < cells.length; c++) {
        if (cells[c].strip().toLowerCase(Locale.ROOT).equals(NAMES[n])) {
          column[n] = c;
        }
      }
      if (column[n] < 0) {
        problems.error(
            line,
            "no column '" + NAMES[n] + "' in the heading; id,size,arrival,length is expected");
        column[n] = n;
      }
    }
  }

  /** The number in one of the four columns, or -1 after an error. */
  private long number(String[] cells, int which, long min, long max, int line) {
    String text = cells[column[which]].strip();
    long value = -1;
    try {
      value = Long.parseLong(text);
    } catch (NumberFormatException e) {
      // reported below, like a number out of range
    }
    if (value < min || value > max) {
      problems.error(
          line,
          NAMES[which]
              + " '"
              + Tokens.excerpt(text)
              + "', a whole number from "
              + min
              + (max == Long.MAX_VALUE ? " on" : " to " + max)
              + " is expected");
      return -1;
    }
    return value;
  }
}
