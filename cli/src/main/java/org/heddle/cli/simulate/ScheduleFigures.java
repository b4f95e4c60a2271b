package org.heddle.cli.simulate;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.heddle.plot.Figure;
import org.heddle.schedule.ScheduleResult;
import org.heddle.schedule.Timeline;

/** Figures of an experiment: utilisation over what was varied, and what was held over time. */
final class ScheduleFigures {
  private static final String UTILISATION = "utilisation, % of hosts";

  /** Steps that a figure shows. */
  private static final int MOST_STEPS = 600;

  private ScheduleFigures() {}

  /**
   * Utilisation over the damage if that was varied, else over the mean size; null if neither was.
   */
  static Figure utilisation(List<ScheduleRun> runs, String fabric) {
    boolean damage = runs.stream().mapToDouble(ScheduleRun::damage).distinct().count() > 1;
    boolean sizes = runs.stream().mapToDouble(r -> r.requests().mean()).distinct().count() > 1;
    if (!damage && !sizes) {
      return null;
    }
    boolean queues = runs.stream().map(r -> r.options().queue()).distinct().count() > 1;
    Map<String, List<double[]>> curves = new LinkedHashMap<>();
    double largest = 0;
    double smallest = Double.MAX_VALUE;
    for (ScheduleRun run : runs) {
      String name = run.allocator().name();
      name += queues ? ", " + run.options().queue().name().toLowerCase(Locale.ROOT) : "";
      name += damage && sizes ? ", " + run.requests().label() : "";
      double x = damage ? run.damage() : run.requests().mean();
      if (run.result().steady().isPresent()) {
        double y = 100 * run.result().steady().get().utilisation();
        curves.computeIfAbsent(name, _ -> new ArrayList<>()).add(new double[] {x, y});
        largest = Math.max(largest, x);
        smallest = Math.min(smallest, x);
      }
    }
    if (curves.isEmpty()) {
      return null;
    }
    String x = damage ? "links broken, %" : "mean size of a request, hosts";
    boolean logarithmic = !damage && largest > 30 * smallest;
    return new Figure(
        fabric + title(runs, damage && !sizes),
        x,
        UTILISATION,
        Figure.Style.LINE,
        logarithmic,
        Double.NaN,
        100,
        curves(curves));
  }

  private static String title(List<ScheduleRun> runs, boolean oneWorkload) {
    String label = runs.getFirst().requests().label();
    int colon = label.indexOf(':');
    if (oneWorkload || colon < 0) {
      return ", " + label;
    }
    return switch (label.substring(0, colon)) {
      case "exp" -> ", exponential sizes";
      case "gauss" -> ", Gaussian sizes (deviation a fifth of the mean)";
      case "pow2" -> ", sizes with peaks at powers of two";
      default -> "";
    };
  }

  private static List<Figure.Curve> curves(Map<String, List<double[]>> points) {
    List<Figure.Curve> out = new ArrayList<>();
    points.forEach(
        (name, list) -> {
          list.sort((a, b) -> Double.compare(a[0], b[0]));
          out.add(
              new Figure.Curve(
                  name,
                  list.stream().mapToDouble(p -> p[0]).toArray(),
                  list.stream().mapToDouble(p -> p[1]).toArray()));
        });
    return out;
  }

  /** Hosts in use and links on, over time. */
  static Figure timeline(ScheduleRun run, String fabric) {
    ScheduleResult r = run.result();
    Timeline t = r.timeline();
    int n = Math.min(t.count(), MOST_STEPS);
    double[] time = new double[n];
    double[] hosts = new double[n];
    double[] links = new double[n];
    double width = n < t.count() ? (t.time(t.count() - 1) - t.time(0)) / (double) n : 0;
    for (int i = 0; i < n; i++) {
      time[i] = width == 0 ? t.time(i) : t.time(0) + i * width;
    }
    if (width == 0) {
      for (int i = 0; i < n; i++) {
        hosts[i] = t.requestedHosts(i);
        links[i] = t.links(i);
      }
    } else {
      average(t, time, width, hosts, links);
    }
    scale(hosts, 100.0 / Math.max(1, r.hosts()));
    scale(links, 100.0 / Math.max(1, r.links()));
    List<Figure.Curve> curves = new ArrayList<>();
    curves.add(new Figure.Curve("hosts in use", time, hosts));
    if (run.allocator().givesLinks()) {
      curves.add(new Figure.Curve("links on", time, links));
    }
    return new Figure(
        fabric
            + ", "
            + run.requests().label()
            + ", "
            + run.allocator().name()
            + ", "
            + run.options().queue().name().toLowerCase(Locale.ROOT),
        "time, units of the requests",
        "% of all hosts, % of all links between switches",
        Figure.Style.STEP,
        false,
        0,
        100,
        curves);
  }

  private static void scale(double[] values, double by) {
    for (int i = 0; i < values.length; i++) {
      values[i] *= by;
    }
  }

  /** Means over time of equal parts of the whole time; more steps than that nobody can see. */
  private static void average(
      Timeline t, double[] from, double width, double[] hosts, double[] links) {
    int step = 0;
    for (int i = 0; i < from.length; i++) {
      double at = from[i];
      double end = from[i] + width;
      while (at < end) {
        while (step + 1 < t.count() && t.time(step + 1) <= at) {
          step++;
        }
        double until = step + 1 < t.count() ? Math.min(end, t.time(step + 1)) : end;
        hosts[i] += t.requestedHosts(step) * (until - at) / width;
        links[i] += t.links(step) * (until - at) / width;
        at = until;
      }
    }
  }
}
