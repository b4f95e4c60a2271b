package org.heddle.experiment;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;

/**
 * A way to compute the rows of an experiment. The values of the first axes make a case; cases are
 * independent of each other, so that they can run side by side or on several machines. A row
 * depends on its case, the parameters and the values of the other axes only. Implementations hold
 * no state.
 */
public interface ExperimentKind {
  /**
   * What a file of the kind may say, and what a row holds.
   *
   * @param name as files name the kind
   * @param description one line: what is computed
   * @param caseAxes the axes whose values make a case
   * @param cellAxes the other axes
   * @param parameters with the values they have if a file does not say, in this order
   * @param results names of the numbers of a row
   */
  record Shape(
      String name,
      String description,
      List<String> caseAxes,
      List<String> cellAxes,
      SequencedMap<String, String> parameters,
      List<String> results) {}

  /** The shape; always the same. */
  Shape shape();

  /** As files name it. */
  default String name() {
    return shape().name();
  }

  /** The axes whose values make a case. */
  default List<String> caseAxes() {
    return shape().caseAxes();
  }

  /** The other axes. */
  default List<String> cellAxes() {
    return shape().cellAxes();
  }

  /** Parameters with the values they have if a file does not say. */
  default Map<String, String> parameters() {
    return shape().parameters();
  }

  /** Names of the numbers of a row. */
  default List<String> results() {
    return shape().results();
  }

  /** Parameters of a shape: names and values in turn. */
  static SequencedMap<String, String> parameters(String... namesAndValues) {
    SequencedMap<String, String> out = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      out.put(namesAndValues[i], namesAndValues[i + 1]);
    }
    return Collections.unmodifiableSequencedMap(out);
  }

  /** What is wrong with a value of an axis, or empty. */
  Optional<String> problem(String axis, String value);

  /**
   * Computes a case.
   *
   * @throws IllegalArgumentException if values do not go together; the message is for people
   * @throws java.util.concurrent.CancellationException if the case says to stop
   */
  List<ExperimentRow> run(ExperimentCase one);
}
