package org.heddle.cli.experiment;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.heddle.experiment.ExperimentRow;
import org.heddle.plot.Figure;
import org.heddle.text.config.ExperimentFile;

/** The figures that a file declares, from rows. */
final class ExperimentFigures {
  private ExperimentFigures() {}

  /** A figure, or empty if no row has a point for it. */
  static Optional<Figure> draw(
      ExperimentPlan plan, ExperimentFile.Figure figure, List<ExperimentRow> rows) {
    List<String> axes = Experiments.axes(plan.kind());
    Map<String, List<double[]>> curves = new LinkedHashMap<>();
    Map<String, String> families = new HashMap<>();
    for (ExperimentRow row : rows) {
      if (!wanted(axes, figure, row)) {
        continue;
      }
      double x = value(plan, axes, row, figure.x());
      double y = value(plan, axes, row, figure.y());
      boolean shown = !figure.logarithmicX() || x > 0;
      shown &= !figure.logarithmicY() || y > 0;
      if (shown && !Double.isNaN(x) && !Double.isNaN(y)) {
        String name = curve(axes, figure, row);
        families.putIfAbsent(name, family(axes, figure, row));
        curves.computeIfAbsent(name, _ -> new ArrayList<>()).add(new double[] {x, y});
      }
    }
    if (curves.isEmpty()) {
      return Optional.empty();
    }
    List<Figure.Curve> out = new ArrayList<>();
    curves.forEach(
        (name, points) -> {
          points.sort((a, b) -> Double.compare(a[0], b[0]));
          out.add(
              new Figure.Curve(
                  name,
                  families.get(name),
                  points.stream().mapToDouble(p -> p[0]).toArray(),
                  points.stream().mapToDouble(p -> p[1]).toArray()));
        });
    return Optional.of(
        new Figure(
            figure.title(),
            figure.xLabel(),
            figure.yLabel(),
            Figure.Style.LINE,
            figure.logarithmicX(),
            figure.logarithmicY(),
            Double.NaN,
            Double.NaN,
            out));
  }

  private static boolean wanted(
      List<String> axes, ExperimentFile.Figure figure, ExperimentRow row) {
    for (Map.Entry<String, List<String>> condition : figure.where().entrySet()) {
      if (!condition.getValue().contains(row.axes().get(axes.indexOf(condition.getKey())))) {
        return false;
      }
    }
    return true;
  }

  private static String curve(List<String> axes, ExperimentFile.Figure figure, ExperimentRow row) {
    List<String> parts = new ArrayList<>();
    for (String axis : figure.curves()) {
      parts.add(row.axes().get(axes.indexOf(axis)));
    }
    return parts.isEmpty() ? figure.yLabel() : String.join(", ", parts);
  }

  /** Of several axes the first tells which curves belong together. */
  private static String family(List<String> axes, ExperimentFile.Figure figure, ExperimentRow row) {
    return figure.curves().isEmpty()
        ? figure.yLabel()
        : row.axes().get(axes.indexOf(figure.curves().getFirst()));
  }

  private static double value(
      ExperimentPlan plan, List<String> axes, ExperimentRow row, String column) {
    int result = plan.kind().results().indexOf(column);
    if (result >= 0) {
      return row.results().get(result);
    }
    try {
      return Double.parseDouble(row.axes().get(axes.indexOf(column)));
    } catch (NumberFormatException e) {
      return Double.NaN; // an axis of words has no place on a line
    }
  }
}
