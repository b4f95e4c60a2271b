package org.heddle.experiment;

import java.util.List;
import java.util.Optional;

/** All kinds of experiments. */
public final class ExperimentKinds {
  private static final List<ExperimentKind> ALL =
      List.of(
          new InterferenceKind(),
          new ContentionKind(),
          new LossKind(),
          new NodeOrderKind(),
          new MigrationKind());

  private ExperimentKinds() {}

  /** All of them. */
  public static List<ExperimentKind> all() {
    return ALL;
  }

  /** The kind of that name. */
  public static Optional<ExperimentKind> named(String name) {
    return ALL.stream().filter(k -> k.name().equals(name)).findFirst();
  }
}
