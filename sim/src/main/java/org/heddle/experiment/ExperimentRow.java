package org.heddle.experiment;

import java.util.List;

/**
 * A row of results.
 *
 * @param axes value of every axis: those of the case, then the others
 * @param results in the order of {@link ExperimentKind#results()}; NaN where there is none
 */
public record ExperimentRow(List<String> axes, List<Double> results) {
  public ExperimentRow {
    axes = List.copyOf(axes);
    results = List.copyOf(results);
  }
}
