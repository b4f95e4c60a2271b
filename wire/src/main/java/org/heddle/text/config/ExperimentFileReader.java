package org.heddle.text.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.heddle.text.NearWords;
import org.heddle.text.Parsed;
import org.heddle.text.Problems;
import org.heddle.text.Source;
import org.heddle.text.Tokens;
import org.heddle.text.config.ExperimentFile.Figure;
import org.heddle.text.config.ExperimentFile.Printed;
import org.heddle.text.config.ExperimentFile.Shape;
import org.heddle.text.yaml.YamlFields;
import org.heddle.text.yaml.YamlNode;
import org.heddle.text.yaml.YamlNode.Mapping;
import org.heddle.text.yaml.YamlNode.Pair;
import org.heddle.text.yaml.YamlNode.Scalar;
import org.heddle.text.yaml.YamlNode.Sequence;
import org.heddle.text.yaml.YamlReader;

/**
 * Reads an experiment file: YAML 1.2, format in {@code docs/experiments/README.md}. Unknown keys,
 * axes, parameters and results are errors with their line. O(bytes).
 */
public final class ExperimentFileReader {
  private static final List<String> KEYS =
      List.of(
          "version", "name", "title", "source", "kind", "axes", "parameters", "figures", "printed");

  private static final List<String> FIGURE_KEYS =
      List.of("name", "title", "x", "y", "x_label", "y_label", "curves", "where", "log_x", "log_y");

  private static final List<String> PRINTED_KEYS = List.of("place", "columns", "rows");

  private static final Map<String, Boolean> TRUTH = Map.of("true", true, "false", false);

  private final Problems problems;
  private final Map<String, Shape> kinds;

  private ExperimentFileReader(Problems problems, Map<String, Shape> kinds) {
    this.problems = problems;
    this.kinds = kinds;
  }

  /**
   * Reads a file.
   *
   * @param kinds what there is, by name
   */
  public static Parsed<ExperimentFile> read(Source source, Map<String, Shape> kinds) {
    Problems problems = new Problems(source.name());
    YamlNode root =
        YamlReader.parse(
            source.bytes(),
            problems,
            "an experiment file",
            "'version: 1', 'name:', 'kind:' and 'axes:' are expected");
    ExperimentFile file = null;
    if (root instanceof Mapping map) {
      file = new ExperimentFileReader(problems, kinds).file(map);
    } else if (root != null) {
      problems.error(
          root.line(),
          "an experiment file is a map of keys ("
              + String.join(", ", KEYS)
              + "), got: "
              + root.kind());
    }
    return problems.result(file);
  }

  private ExperimentFile file(Mapping map) {
    YamlFields fields = new YamlFields(map, KEYS, "of an experiment file.", problems);
    if (fields.integer("version", 1, 1, 0) != 1 && !fields.has("version")) {
      problems.error(map.line(), "'version: 1' is missing");
    }
    String name = needed(fields, map, "name", "one word");
    if (name != null && !name.matches("[a-z0-9][a-z0-9-]*")) {
      problems.error(fields.line("name"), "'name' must be lower-case letters, digits and dashes");
    }
    String kind = needed(fields, map, "kind", "one of " + String.join(", ", kinds.keySet()));
    Shape shape = kind == null ? null : kinds.get(kind);
    if (kind != null && shape == null) {
      problems.error(
          fields.line("kind"),
          "there is no kind of experiment '"
              + Tokens.excerpt(kind)
              + "'"
              + NearWords.hint(kind, kinds.keySet())
              + " Known: "
              + String.join(", ", kinds.keySet()));
    }
    if (shape == null) {
      return null;
    }
    Map<String, List<String>> axes = axes(fields, map, shape);
    Map<String, String> parameters = parameters(fields, shape);
    List<String> columns = new ArrayList<>(shape.axes());
    columns.addAll(shape.results());
    List<Figure> figures = new ArrayList<>();
    for (YamlNode node : fields.list("figures", "a list of figures")) {
      figure(node, axes, columns, figures);
    }
    List<Printed> printed = new ArrayList<>();
    for (YamlNode node : fields.list("printed", "a list of tables")) {
      printed(node, axes, shape, printed);
    }
    return new ExperimentFile(
        name == null ? "" : name,
        or(fields.text("title", "a text"), ""),
        or(fields.text("source", "a text"), ""),
        kind,
        axes,
        parameters,
        figures,
        printed);
  }

  private static String or(String text, String otherwise) {
    return text == null ? otherwise : text;
  }

  private String needed(YamlFields fields, Mapping map, String key, String what) {
    String text = fields.text(key, what);
    if (!fields.has(key)) {
      problems.error(map.line(), "'" + key + ":' is missing: " + what + " is expected");
    }
    return text;
  }

  private Map<String, List<String>> axes(YamlFields fields, Mapping map, Shape shape) {
    Map<String, List<String>> out = new LinkedHashMap<>();
    if (!(fields.value("axes") instanceof Mapping axes)) {
      problems.error(
          fields.has("axes") ? fields.line("axes") : map.line(),
          "'axes:' must be a map of lists: " + String.join(", ", shape.axes()));
      return out;
    }
    YamlFields each = new YamlFields(axes, shape.axes(), "of this kind.", problems);
    for (String axis : shape.axes()) {
      List<String> values = texts(each.list(axis, "a list of values"));
      if (values.isEmpty()) {
        problems.error(axes.line(), "axis '" + axis + "' needs a list of at least one value");
      }
      if (values.stream().distinct().count() < values.size()) {
        problems.error(each.line(axis), "axis '" + axis + "' has a value twice");
      }
      out.put(axis, values);
    }
    return out;
  }

  private Map<String, String> parameters(YamlFields fields, Shape shape) {
    Map<String, String> out = new LinkedHashMap<>();
    if (!(fields.value("parameters") instanceof Mapping map)) {
      if (fields.has("parameters")) {
        problems.error(fields.line("parameters"), "'parameters:' must be a map of values");
      }
      return out;
    }
    YamlFields each = new YamlFields(map, shape.parameters(), "of this kind.", problems);
    for (String name : shape.parameters()) {
      String text = each.text(name, "a value");
      if (text != null) {
        out.put(name, text);
      }
    }
    return out;
  }

  private List<String> texts(List<YamlNode> nodes) {
    List<String> out = new ArrayList<>();
    for (YamlNode node : nodes) {
      if (node instanceof Scalar s && !s.text().isBlank()) {
        out.add(s.text().strip());
      } else {
        problems.error(node.line(), "a value is expected, got: " + node.kind());
      }
    }
    return out;
  }

  // ---- figures

  private void figure(
      YamlNode node, Map<String, List<String>> axes, List<String> columns, List<Figure> out) {
    if (!(node instanceof Mapping map)) {
      problems.error(node.line(), "a figure is a map of keys, got: " + node.kind());
      return;
    }
    YamlFields fields = new YamlFields(map, FIGURE_KEYS, "of a figure.", problems);
    String name = needed(fields, map, "name", "one word");
    String x = column(fields, map, "x", columns);
    String y = column(fields, map, "y", columns);
    List<String> curves = texts(fields.list("curves", "a list of axes"));
    for (String curve : curves) {
      known(fields.line("curves"), curve, axes.keySet());
    }
    Map<String, List<String>> where = new LinkedHashMap<>();
    if (fields.value("where") instanceof Mapping conditions) {
      for (Pair pair : conditions.pairs()) {
        List<String> values =
            pair.value() instanceof Sequence list
                ? texts(list.items())
                : texts(List.of(pair.value()));
        if (known(pair.line(), pair.key(), axes.keySet())) {
          values.forEach(v -> known(pair.line(), v, axes.get(pair.key())));
        }
        where.put(pair.key(), values);
      }
    } else if (fields.has("where")) {
      problems.error(fields.line("where"), "'where' must be a map of axes");
    }
    if (name == null || x == null || y == null) {
      return;
    }
    if (!name.matches("[a-z0-9][a-z0-9-]*") || out.stream().anyMatch(f -> f.name().equals(name))) {
      problems.error(
          fields.line("name"),
          "'name' of a figure must be lower-case letters, digits and dashes, and its own");
    }
    out.add(
        new Figure(
            name,
            or(fields.text("title", "a text"), name),
            x,
            y,
            or(fields.text("x_label", "a text"), x),
            or(fields.text("y_label", "a text"), y),
            curves,
            where,
            fields.choice("log_x", TRUTH, false),
            fields.choice("log_y", TRUTH, false)));
  }

  private String column(YamlFields fields, Mapping map, String key, List<String> columns) {
    String text = needed(fields, map, key, "a result");
    return text != null && known(fields.line(key), text, columns) ? text : null;
  }

  private boolean known(int line, String word, java.util.Collection<String> words) {
    if (words.contains(word)) {
      return true;
    }
    problems.error(
        line,
        "'"
            + Tokens.excerpt(word)
            + "' is not known here"
            + NearWords.hint(word, words)
            + " Known: "
            + String.join(", ", words));
    return false;
  }

  // ---- printed values

  private void printed(
      YamlNode node, Map<String, List<String>> axes, Shape shape, List<Printed> out) {
    if (!(node instanceof Mapping map)) {
      problems.error(node.line(), "a printed table is a map of keys, got: " + node.kind());
      return;
    }
    YamlFields fields = new YamlFields(map, PRINTED_KEYS, "of a printed table.", problems);
    String place = needed(fields, map, "place", "where it was printed");
    List<String> columns = texts(fields.list("columns", "a list of axes and results"));
    List<String> all = new ArrayList<>(shape.axes());
    all.addAll(shape.results());
    boolean good = place != null;
    for (String column : columns) {
      good &= known(fields.line("columns"), column, all);
    }
    for (YamlNode row : fields.list("rows", "a list of lists")) {
      if (!(row instanceof Sequence list) || list.items().size() != columns.size()) {
        problems.error(row.line(), "a row must have as many values as there are columns");
      } else if (good) {
        row(place, columns, list, axes, out);
      }
    }
  }

  private void row(
      String place,
      List<String> columns,
      Sequence row,
      Map<String, List<String>> axes,
      List<Printed> out) {
    List<String> values = texts(row.items());
    if (values.size() != columns.size()) {
      return;
    }
    Map<String, String> where = new LinkedHashMap<>();
    for (int i = 0; i < values.size(); i++) {
      if (axes.containsKey(columns.get(i))
          && known(row.line(), values.get(i), axes.get(columns.get(i)))) {
        where.put(columns.get(i), values.get(i));
      }
    }
    for (int i = 0; i < values.size(); i++) {
      if (axes.containsKey(columns.get(i)) || values.get(i).equals("-")) {
        continue;
      }
      try {
        out.add(new Printed(where, columns.get(i), Double.parseDouble(values.get(i)), place));
      } catch (NumberFormatException e) {
        problems.error(row.line(), "a number is expected, got: " + Tokens.excerpt(values.get(i)));
      }
    }
  }
}
