package org.heddle.experiment;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A way to compute the rows of an experiment. The values of the first axes make a case; cases are
 * independent of each other, so that they can run side by side or on several machines. A row
 * depends on its case, the parameters and the values of the other axes only. Implementations hold
 * no state.
 */
public interface ExperimentKind {
  /** As files name it. */
  String name();

  /** One line: what is computed. */
  String description();

  /** The axes whose values make a case. */
  List<String> caseAxes();

  /** The other axes. */
  List<String> cellAxes();

  /** Parameters with the values they have if a file does not say. */
  Map<String, String> parameters();

  /** Names of the numbers of a row. */
  List<String> results();

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
