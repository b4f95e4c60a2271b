package org.heddle.experiment;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/**
 * One case of an experiment.
 *
 * @param values of the axes of cases, by name
 * @param cells values of the other axes, by name
 * @param parameters all of the kind
 * @param goOn called from time to time; false ends the case
 */
public record ExperimentCase(
    Map<String, String> values,
    Map<String, List<String>> cells,
    Map<String, String> parameters,
    BooleanSupplier goOn) {

  /** All cases of an experiment, the last axis of cases fastest. */
  public static List<ExperimentCase> all(
      ExperimentKind kind,
      Map<String, List<String>> axes,
      Map<String, String> parameters,
      BooleanSupplier goOn) {
    Map<String, List<String>> cells = new LinkedHashMap<>();
    kind.cellAxes().forEach(axis -> cells.put(axis, axes.get(axis)));
    Map<String, String> all = new LinkedHashMap<>(kind.parameters());
    all.putAll(parameters);
    List<ExperimentCase> out = new ArrayList<>();
    grid(
        kind.caseAxes(),
        axes,
        0,
        new LinkedHashMap<>(),
        values -> out.add(new ExperimentCase(Map.copyOf(values), cells, all, goOn)));
    return out;
  }

  private static void grid(
      List<String> names,
      Map<String, List<String>> axes,
      int at,
      Map<String, String> values,
      java.util.function.Consumer<Map<String, String>> out) {
    if (at == names.size()) {
      out.accept(values);
      return;
    }
    for (String value : axes.get(names.get(at))) {
      values.put(names.get(at), value);
      grid(names, axes, at + 1, values, out);
    }
  }

  String value(String axis) {
    return values.get(axis);
  }

  /** Values of two cell axes, every combination, the second fastest. */
  List<List<String>> pairs(String first, String second) {
    List<List<String>> out = new ArrayList<>();
    for (String a : cells.get(first)) {
      for (String b : cells.get(second)) {
        out.add(List.of(a, b));
      }
    }
    return out;
  }

  /**
   * A parameter that is a whole number.
   *
   * @throws IllegalArgumentException if it is none, or below the least
   */
  int number(String name, int least) {
    String text = parameters.get(name);
    try {
      int value = Integer.parseInt(text);
      if (value >= least) {
        return value;
      }
    } catch (NumberFormatException e) {
      // said below
    }
    throw new IllegalArgumentException(
        "parameter " + name + " is '" + text + "', a whole number from " + least + " is expected");
  }

  /** The seed of everything random. */
  long seed() {
    try {
      return Long.parseLong(parameters.get("seed"));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "parameter seed is '" + parameters.get("seed") + "', a whole number is expected");
    }
  }

  /** Ends the case if somebody wishes so. */
  void check() {
    if (!goOn.getAsBoolean()) {
      throw new CancellationException();
    }
  }
}
