package org.heddle.cli.experiment;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.heddle.experiment.ExperimentRow;
import org.heddle.text.config.ExperimentFile;

/** Rows as CSV, and beside what was printed. */
final class ExperimentTables {
  private ExperimentTables() {}

  /**
   * A printed value and ours.
   *
   * @param ours NaN if there is no such row
   */
  record Compared(ExperimentFile.Printed printed, double ours) {
    String axes() {
      return String.join(" ", printed.where().values());
    }
  }

  /** One line for the names, one for each row. */
  static void csv(PrintStream out, ExperimentPlan plan, List<ExperimentRow> rows) {
    out.print(String.join(",", plan.columns()) + "\n");
    for (ExperimentRow row : rows) {
      List<String> cells = new ArrayList<>();
      row.axes().forEach(axis -> cells.add(quoted(axis)));
      row.results().forEach(value -> cells.add(number(value)));
      out.print(String.join(",", cells) + "\n");
    }
  }

  private static String quoted(String text) {
    return text.indexOf(',') < 0 && text.indexOf('"') < 0
        ? text
        : '"' + text.replace("\"", "\"\"") + '"';
  }

  /** Whole numbers without a point, others in full; nothing where there is none. */
  static String number(double value) {
    if (Double.isNaN(value)) {
      return "";
    }
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : Double.toString(value);
  }

  /** Printed values with ours. */
  static List<Compared> compare(ExperimentPlan plan, List<ExperimentRow> rows) {
    List<String> axes = Experiments.axes(plan.kind());
    List<Compared> out = new ArrayList<>();
    for (ExperimentFile.Printed printed : plan.file().printed()) {
      int result = plan.kind().results().indexOf(printed.result());
      double ours = Double.NaN;
      for (ExperimentRow row : rows) {
        if (matches(axes, row, printed.where())) {
          ours = row.results().get(result);
          break;
        }
      }
      out.add(new Compared(printed, ours));
    }
    return out;
  }

  private static boolean matches(List<String> axes, ExperimentRow row, Map<String, String> where) {
    for (Map.Entry<String, String> condition : where.entrySet()) {
      if (!row.axes().get(axes.indexOf(condition.getKey())).equals(condition.getValue())) {
        return false;
      }
    }
    return true;
  }

  /** A table in Markdown, for the documents. */
  static void markdown(PrintStream out, List<Compared> compared) {
    out.print("| printed in | case | value | printed | ours |\n|---|---|---|---|---|\n");
    for (Compared one : compared) {
      out.print(
          "| "
              + one.printed().place()
              + " | "
              + one.axes()
              + " | "
              + one.printed().result()
              + " | "
              + brief(one.printed().value())
              + " | "
              + brief(one.ours())
              + " |\n");
    }
  }

  /** Four digits. */
  static String brief(double value) {
    if (Double.isNaN(value)) {
      return "-";
    }
    if (value == Math.rint(value)) {
      return String.format(Locale.ROOT, "%.0f", value);
    }
    return String.format(Locale.ROOT, Math.abs(value) < 10 ? "%.3f" : "%.1f", value);
  }
}
