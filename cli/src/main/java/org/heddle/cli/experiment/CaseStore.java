package org.heddle.cli.experiment;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.heddle.cli.shell.Session;
import org.heddle.experiment.ExperimentRow;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Finished cases in a folder, one file each, so that a run that was stopped goes on where it was,
 * and several machines can share the work. Numbers are written so that reading gives the very same.
 */
final class CaseStore {
  private static final String FORMAT = "heddle.experiment-case/1";
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private final Session session;
  private final Path folder;
  private final String fingerprint;

  CaseStore(Session session, Path output, String fingerprint) {
    this.session = session;
    this.folder = session.outputs().directory(output.resolve("cases").toString());
    this.fingerprint = fingerprint;
  }

  private String name(int number) {
    return folder.resolve(String.format(Locale.ROOT, "%04d.json", number)).toString();
  }

  /** Keeps a case at once. */
  void put(int number, List<ExperimentRow> rows) {
    ObjectNode root = MAPPER.createObjectNode();
    root.put("format", FORMAT).put("fingerprint", fingerprint).put("case", number);
    ArrayNode list = root.putArray("rows");
    for (ExperimentRow row : rows) {
      ObjectNode one = list.addObject();
      ArrayNode axes = one.putArray("axes");
      row.axes().forEach(axes::add);
      ArrayNode results = one.putArray("results");
      for (double value : row.results()) {
        if (Double.isNaN(value)) {
          results.addNull();
        } else {
          results.add(value);
        }
      }
    }
    byte[] bytes = MAPPER.writeValueAsBytes(root);
    synchronized (session.outputs()) {
      session.outputs().write(name(number), bytes);
      session.outputs().commit();
    }
  }

  /** A case that is there and belongs to this experiment; anything else is computed again. */
  Optional<List<ExperimentRow>> get(int number) {
    if (!session.inputs().exists(name(number))) {
      return Optional.empty();
    }
    try (var in = session.inputs().open(name(number))) {
      JsonNode root = MAPPER.readTree(in.readAllBytes());
      if (!root.path("fingerprint").asString("").equals(fingerprint)
          || root.path("case").asInt(-1) != number) {
        return Optional.empty();
      }
      List<ExperimentRow> rows = new ArrayList<>();
      for (JsonNode one : root.get("rows")) {
        List<String> axes = new ArrayList<>();
        one.get("axes").forEach(a -> axes.add(a.stringValue()));
        List<Double> results = new ArrayList<>();
        one.get("results").forEach(r -> results.add(r.isNull() ? Double.NaN : r.doubleValue()));
        rows.add(new ExperimentRow(axes, results));
      }
      return Optional.of(rows);
    } catch (IOException | JacksonException | NullPointerException e) {
      return Optional.empty(); // cut short by a crash, perhaps
    }
  }
}
