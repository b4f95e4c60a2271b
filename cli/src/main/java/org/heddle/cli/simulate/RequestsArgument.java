package org.heddle.cli.simulate;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Session;
import org.heddle.fabric.Counted;
import org.heddle.schedule.SizeDistribution;
import org.heddle.schedule.Workload;
import org.heddle.schedule.WorkloadGenerator;
import org.heddle.text.scheduler.RequestCsvReader;
import org.heddle.text.scheduler.RequestTrace;
import org.heddle.text.scheduler.SwfReader;

/**
 * What {@code --requests} takes: a file of requests, or distributions of sizes {@code
 * KIND:MEANS[:COUNT]}, where MEANS is a list of numbers and of ranges {@code 10..100/10} (in steps
 * of 10) and {@code 8..512x2} (each twice the one before).
 */
final class RequestsArgument {
  private static final Pattern DISTRIBUTION =
      Pattern.compile("(exp|gauss|pow2):([^:]+)(?::(.*))?", Pattern.CASE_INSENSITIVE);
  private static final Pattern RANGE = Pattern.compile("(.+)\\.\\.(.+)([/x])(.+)");
  private static final int MOST_MEANS = 1000;
  private static final int MOST_REQUESTS = 10_000_000;

  /**
   * A workload to run.
   *
   * @param label file name, or distribution with its mean
   * @param mean the parameter of the distribution; the mean size of a file
   */
  record Named(String label, double mean, Workload workload) {}

  /**
   * How distributions are drawn and files are read.
   *
   * @param processors processors of a host in the Standard Workload Format, 0: as the file says
   * @param knownRunTimes the scheduler knows run times, instead of what was announced
   */
  record Settings(
      long seed,
      long shortest,
      long longest,
      double meanGap,
      int processors,
      boolean knownRunTimes) {}

  private RequestsArgument() {}

  /** True if it is no file. */
  static boolean isDistribution(String text) {
    return DISTRIBUTION.matcher(text).matches();
  }

  /**
   * The workloads, at least one.
   *
   * @param hosts of the undamaged fabric
   * @throws Failure exit code 2
   */
  static List<Named> read(Session session, String text, Settings settings, int hosts) {
    Matcher m = DISTRIBUTION.matcher(text);
    if (!m.matches()) {
      return List.of(file(session, text, settings));
    }
    int count = count(text, m.group(3));
    List<Named> out = new ArrayList<>();
    try {
      for (double mean : means(m.group(2))) {
        String kind = m.group(1).toLowerCase(Locale.ROOT);
        SizeDistribution sizes = SizeDistribution.parse(kind + ":" + plain(mean));
        WorkloadGenerator.Spec spec =
            new WorkloadGenerator.Spec(
                sizes,
                count,
                settings.shortest(),
                settings.longest(),
                settings.meanGap(),
                settings.seed());
        out.add(new Named(sizes.label(), mean, WorkloadGenerator.generate(spec, hosts)));
      }
    } catch (IllegalArgumentException e) {
      throw Failure.badInput(
          "--requests " + text + ": " + e.getMessage(),
          "for example exp:36, gauss:10..400/10, pow2:8..512x2:5000");
    }
    return out;
  }

  private static String plain(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : Double.toString(value);
  }

  private static int count(String text, String digits) {
    if (digits == null) {
      return WorkloadGenerator.Spec.COUNT;
    }
    int count = 0;
    try {
      count = Integer.parseInt(digits);
    } catch (NumberFormatException e) {
      // reported below, like a number out of range
    }
    if (count < 1 || count > MOST_REQUESTS) {
      throw Failure.badInput(
          "--requests " + text + ": a number of requests from 1 to 10000000 is expected");
    }
    return count;
  }

  private static List<Double> means(String text) {
    List<Double> out = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      Matcher m = RANGE.matcher(part);
      if (m.matches()) {
        range(m, out);
      } else {
        out.add(number(part));
      }
      if (out.size() > MOST_MEANS) {
        throw new IllegalArgumentException("more than " + MOST_MEANS + " mean sizes");
      }
    }
    return out;
  }

  private static void range(Matcher m, List<Double> out) {
    double from = number(m.group(1));
    double to = number(m.group(2));
    double by = number(m.group(4));
    boolean times = m.group(3).equals("x");
    if (from > to || (times ? by <= 1 : by <= 0) || from <= 0) {
      throw new IllegalArgumentException("'" + m.group() + "' is not an ascending range");
    }
    for (int i = 0; out.size() <= MOST_MEANS; i++) {
      double value = times ? from * Math.pow(by, i) : from + i * by;
      if (value > to * (1 + 1e-9)) {
        return;
      }
      out.add(value);
    }
  }

  private static double number(String text) {
    try {
      double value = Double.parseDouble(text.strip());
      if (Double.isFinite(value)) {
        return value;
      }
    } catch (NumberFormatException e) {
      // reported below, like an infinite one
    }
    throw new IllegalArgumentException("'" + text + "' is not a number");
  }

  private static Named file(Session session, String name, Settings settings) {
    boolean swf = name.toLowerCase(Locale.ROOT).replaceFirst("\\.gz$", "").endsWith(".swf");
    RequestTrace trace =
        swf
            ? session.accept(name, SwfReader.read(session.read(name), settings.processors()))
            : session.accept(
                name,
                RequestCsvReader.read(session.read(name)),
                "expected: a file of requests, or a distribution such as exp:36, gauss:36, pow2:36");
    Workload announced =
        Workload.of(
            trace.ids(), trace.sizes(), trace.arrivals(), trace.lengths(), trace.expected());
    Workload workload = settings.knownRunTimes() ? announced.withKnownRunTimes() : announced;
    return new Named(name, workload.meanSize(), workload);
  }

  /** For messages: {@code 10,000 requests}. */
  static String counted(Workload workload) {
    return Counted.of(workload.count(), "request", "requests");
  }
}
