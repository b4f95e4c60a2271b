package org.heddle.text.scheduler;

import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.heddle.fabric.Counted;
import org.heddle.text.FileKinds;
import org.heddle.text.LineReader;
import org.heddle.text.Parsed;
import org.heddle.text.Problems;
import org.heddle.text.Source;
import org.heddle.text.Tokens;

/**
 * Reads a job log in the Standard Workload Format, version 2 (Feitelson and others, Parallel
 * Workloads Archive): 18 whole numbers a line, -1 for unknown; comments and header lines begin with
 * a semicolon. O(bytes).
 *
 * <p>Used are 1 job number, 2 submit time, 4 run time, 5 allocated processors, 8 requested
 * processors, 9 requested time, 11 status. A request's size is field 8, or 5 where 8 is unknown,
 * divided by the processors of a host and rounded up; it was announced to run for field 9, or as
 * long as it ran where that is unknown or less. Passed over, with one warning that counts them:
 * jobs of unknown size or run time (most were cancelled while they waited), and lines about a part
 * of a job (status 2, 3 and 4), since the job has a line of its own. A job number that comes again
 * is warned of. Submit times are moved so that the first is 0.
 *
 * <p>Errors: fewer than 11 fields, a field that is no number, numbers out of range, a log without
 * usable jobs. Fractions, which the format does not have and simulators write, are rounded, with
 * one note.
 */
public final class SwfReader {
  /** Processors of a host as the log's header says: MaxProcs / MaxNodes, or 1. */
  public static final int FROM_HEADER = 0;

  private static final int FIELDS_NEEDED = 11;
  private static final long MAX_PROCESSORS = 1_000_000_000;
  private static final Pattern HEADER =
      Pattern.compile(";\\s{0,9}(MaxNodes|MaxProcs):\\s{0,9}(\\d{1,9})\\b.*");

  private static final Pattern DECIMAL = Pattern.compile("-?\\d{1,18}\\.\\d{0,18}");

  private final Problems problems;
  private final RequestTrace raw = new RequestTrace();
  private final int given;
  private int maxNodes;
  private int maxProcs;
  private int unknown;
  private int parts;
  private final Set<Long> ids = new HashSet<>();
  private int fractions; // fields
  private int fractionAt; // line of the first
  private int twice; // jobs whose number another has
  private int twiceAt; // line of the first

  private SwfReader(Problems problems, int given) {
    this.problems = problems;
    this.given = given;
  }

  /**
   * The requests, in file order.
   *
   * @param processorsPerHost what one host has, or {@link #FROM_HEADER}
   */
  public static Parsed<RequestTrace> read(Source source, int processorsPerHost) {
    Problems problems = new Problems(source.name());
    SwfReader reader = new SwfReader(problems, processorsPerHost);
    LineReader lines = new LineReader(source.bytes());
    for (String line = lines.next(); line != null; line = lines.next()) {
      if (LineReader.isUnusable(line)) {
        problems.error(lines.line(), "not a line of text; 18 numbers are expected");
        continue;
      }
      String text = line.strip();
      if (text.startsWith(";")) {
        reader.header(text);
      } else if (!text.isEmpty()) {
        reader.job(text.split("\\s+"), lines.line());
      }
    }
    lines.report(problems);
    return problems.result(reader.finish(source));
  }

  private void header(String text) {
    Matcher m = HEADER.matcher(text);
    if (m.matches()) {
      int value = Integer.parseInt(m.group(2));
      if (m.group(1).equals("MaxNodes")) {
        maxNodes = value;
      } else {
        maxProcs = value;
      }
    }
  }

  private void job(String[] fields, int line) {
    if (fields.length < FIELDS_NEEDED) {
      problems.error(
          line, fields.length + " fields; a line of the Standard Workload Format has 18 numbers");
      return;
    }
    long id = number(fields, 1, Long.MAX_VALUE, line);
    long submitted = number(fields, 2, RequestTrace.MAX_TIME, line);
    long runs = number(fields, 4, RequestTrace.MAX_TIME, line);
    long allocated = number(fields, 5, MAX_PROCESSORS, line);
    long asked = number(fields, 8, MAX_PROCESSORS, line);
    long announced = number(fields, 9, RequestTrace.MAX_TIME, line);
    long status = number(fields, 11, MAX_PROCESSORS, line);
    if (Math.min(Math.min(id, submitted), Math.min(runs, Math.min(asked, allocated))) < -1
        || Math.min(status, announced) < -1) {
      return; // reported
    }
    long size = asked > 0 ? asked : allocated;
    if (status >= 2 && status <= 4) {
      parts++;
    } else if (size < 1 || runs < 0 || submitted < 0) {
      unknown++;
    } else {
      if (id >= 0 && !ids.add(id)) {
        twiceAt = twice++ == 0 ? line : twiceAt;
      }
      raw.add(id, (int) size, submitted, runs, Math.max(runs, announced));
    }
  }

  /** Field number {@code at} from 1; -1 for unknown, -2 after an error. */
  private long number(String[] fields, int at, long max, int line) {
    String text = fields[at - 1];
    long value = whole(text, line);
    if (value >= -1 && value <= max) {
      return value;
    }
    problems.error(
        line,
        "field "
            + at
            + " is '"
            + Tokens.excerpt(text)
            + "', a whole number from -1 to "
            + max
            + " is expected");
    return -2;
  }

  /** A number, fractions rounded to the nearest one (half upwards); -2 if it is none. */
  private long whole(String text, int line) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      // a fraction, or nothing
    }
    if (!DECIMAL.matcher(text).matches()) {
      return -2;
    }
    fractionAt = fractions++ == 0 ? line : fractionAt;
    return Math.round(Double.parseDouble(text));
  }

  private RequestTrace finish(Source source) {
    if (unknown > 0) {
      problems.note(
          0, "left out: " + Counted.of(unknown, "job", "jobs") + " without a size or a run time");
    }
    if (parts > 0) {
      problems.note(
          0,
          "left out: "
              + Counted.of(parts, "line", "lines")
              + " about parts of jobs (status 2, 3 or 4)");
    }
    if (fractions > 0) {
      problems.note(
          fractionAt,
          Counted.of(fractions, "field with a fraction was", "fields with a fraction were")
              + " rounded, the first is here");
    }
    if (twice > 0) {
      problems.warn(
          twiceAt,
          "a job number that occurs above already, the first of "
              + twice
              + "; each line is taken as a job of its own");
    }
    if (raw.count() == 0 && !problems.hasErrors()) {
      problems.error(
          0,
          "no job with a size and a run time; the Standard Workload Format is expected"
              + FileKinds.hint(source, "jobs"));
    }
    long first = Long.MAX_VALUE;
    for (long t : raw.arrivals()) {
      first = Math.min(first, t);
    }
    return scaled(raw, first, processorsPerHost());
  }

  private int processorsPerHost() {
    if (given != FROM_HEADER) {
      return given;
    }
    return maxNodes > 0 && maxProcs >= maxNodes ? maxProcs / maxNodes : 1;
  }

  private static RequestTrace scaled(RequestTrace raw, long first, int processors) {
    RequestTrace out = new RequestTrace();
    long[] id = raw.ids();
    int[] size = raw.sizes();
    long[] arrival = raw.arrivals();
    long[] length = raw.lengths();
    long[] expected = raw.expected();
    for (int i = 0; i < id.length; i++) {
      int hosts = Math.ceilDiv(size[i], processors);
      out.add(id[i], hosts, arrival[i] - first, length[i], expected[i]);
    }
    return out;
  }
}
