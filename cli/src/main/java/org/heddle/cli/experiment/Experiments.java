package org.heddle.cli.experiment;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Session;
import org.heddle.experiment.ExperimentKind;
import org.heddle.experiment.ExperimentKinds;
import org.heddle.text.Parsed;
import org.heddle.text.Source;
import org.heddle.text.config.ExperimentFile;
import org.heddle.text.config.ExperimentFileReader;

/** Experiments by name: those that come with Heddle, and files. */
final class Experiments {
  /** The files beside this class, without their ending. */
  static final List<String> EMBEDDED =
      List.of(
          "isolation-delay",
          "isolation-delay-range",
          "isolation-bandwidth",
          "weights-contention",
          "loss-first-link",
          "loss-of-links",
          "loss-of-hosts",
          "rank-order",
          "migration");

  private Experiments() {}

  /** An embedded experiment, or a file. */
  static ExperimentFile find(Session session, String name) {
    Parsed<ExperimentFile> parsed;
    if (EMBEDDED.contains(name)) {
      parsed = ExperimentFileReader.read(embedded(name), shapes());
    } else if (name.endsWith(".yaml") || name.endsWith(".yml") || session.inputs().exists(name)) {
      parsed = ExperimentFileReader.read(session.read(name), shapes());
    } else {
      throw Failure.badInput(
          "there is no experiment '" + name + "', and no such file",
          "experiments: " + String.join(", ", EMBEDDED));
    }
    ExperimentFile file = session.accept(name, parsed);
    check(name, file);
    return file;
  }

  static Source embedded(String name) {
    String resource = name + ".yaml";
    try (InputStream in = Experiments.class.getResourceAsStream(resource)) {
      return new Source(resource, in.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static ExperimentKind kind(ExperimentFile file) {
    return ExperimentKinds.named(file.kind()).orElseThrow();
  }

  /** What files of every kind may say. */
  static Map<String, ExperimentFile.Shape> shapes() {
    Map<String, ExperimentFile.Shape> out = new LinkedHashMap<>();
    for (ExperimentKind kind : ExperimentKinds.all()) {
      out.put(
          kind.name(),
          new ExperimentFile.Shape(
              axes(kind), List.copyOf(kind.parameters().keySet()), kind.results()));
    }
    return out;
  }

  static List<String> axes(ExperimentKind kind) {
    List<String> out = new ArrayList<>(kind.caseAxes());
    out.addAll(kind.cellAxes());
    return out;
  }

  private static void check(String name, ExperimentFile file) {
    ExperimentKind kind = kind(file);
    file.axes()
        .forEach(
            (axis, values) -> {
              for (String value : values) {
                Optional<String> problem = kind.problem(axis, value);
                if (problem.isPresent()) {
                  throw Failure.badInput(name + ": axis " + axis + ": " + problem.get());
                }
              }
            });
  }
}
