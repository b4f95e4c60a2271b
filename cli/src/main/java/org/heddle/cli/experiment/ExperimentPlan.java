package org.heddle.cli.experiment;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.heddle.cli.shell.Failure;
import org.heddle.experiment.ExperimentCase;
import org.heddle.experiment.ExperimentKind;
import org.heddle.text.config.ExperimentFile;

/**
 * What is to be computed: an experiment with its parameters settled.
 *
 * @param file as declared
 * @param parameters all of the kind: defaults, then the file's, then the command line's
 */
record ExperimentPlan(ExperimentFile file, ExperimentKind kind, Map<String, String> parameters) {
  private static final int FINGERPRINT_BYTES = 8;

  /**
   * Settles the parameters.
   *
   * @param settings of the command line
   */
  static ExperimentPlan of(ExperimentFile file, Map<String, String> settings) {
    ExperimentKind kind = Experiments.kind(file);
    Map<String, String> parameters = new LinkedHashMap<>(kind.parameters());
    parameters.putAll(file.parameters());
    settings.forEach(
        (name, value) -> {
          if (!parameters.containsKey(name)) {
            throw Failure.badInput(
                "--set " + name + "=" + value + ": " + kind.name() + " has no such parameter",
                "parameters: " + String.join(", ", parameters.keySet()));
          }
          parameters.put(name, value);
        });
    return new ExperimentPlan(file, kind, parameters);
  }

  List<ExperimentCase> cases(BooleanSupplier goOn) {
    return ExperimentCase.all(kind, file.axes(), parameters, goOn);
  }

  /** Axes, then results. */
  List<String> columns() {
    List<String> out = Experiments.axes(kind);
    out.addAll(kind.results());
    return out;
  }

  /**
   * Stands for all that decides the numbers, so that cases of another experiment, or of other
   * parameters, are not taken for these.
   */
  String fingerprint() {
    String all = kind.name() + "\n" + file.axes() + "\n" + parameters + "\n" + kind.results();
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(all.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest, 0, FINGERPRINT_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java has it
    }
  }
}
