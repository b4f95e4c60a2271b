package org.heddle.text.tenants;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.heddle.tenancy.Tenancy;
import org.heddle.text.FileKinds;
import org.heddle.text.Parsed;
import org.heddle.text.Problems;
import org.heddle.text.Source;
import org.heddle.text.Tokens;
import org.heddle.text.tenants.TenantsFile.Engine;
import org.heddle.text.tenants.TenantsFile.Group;
import org.heddle.text.tenants.TenantsFile.HostWeight;
import org.heddle.text.tenants.TenantsFile.Rules;
import org.heddle.text.tenants.TenantsFile.Tenant;
import org.heddle.text.yaml.YamlFields;
import org.heddle.text.yaml.YamlNode;
import org.heddle.text.yaml.YamlNode.Mapping;
import org.heddle.text.yaml.YamlNode.Pair;
import org.heddle.text.yaml.YamlNode.Scalar;
import org.heddle.text.yaml.YamlNode.Sequence;
import org.heddle.text.yaml.YamlReader;

/**
 * Reads a tenants file: YAML 1.2, format in {@code docs/tenants.md}, schema in {@code
 * docs/schema/tenants.schema.json}.
 *
 * <p>A tenants file decides who may talk to whom, so nothing in it is passed over: unknown keys,
 * keys that are there twice, values of another type, reserved or repeated P_Keys and names are
 * errors, each with its line and what was expected. What needs the fabric is checked by {@link
 * TenantsResolver}. O(bytes).
 */
public final class TenantsFileReader {
  static final List<String> TOP_KEYS =
      List.of(
          "version",
          "mode",
          "data_lanes",
          "physical_share",
          "isolation",
          "engine",
          "pkey_table",
          "sharing",
          "weights",
          "tenants");

  private static final Map<String, Boolean> MODES = modes();

  private TenantsFileReader() {}

  /** Reads a file. */
  public static Parsed<TenantsFile> read(Source source) {
    Problems problems = new Problems(source.name());
    YamlNode root = YamlReader.parse(source.bytes(), problems);
    TenantsFile file = null;
    if (root instanceof Mapping map) {
      file = new Reading(problems).file(source.name(), map);
    } else if (root != null) {
      problems.error(
          root.line(),
          "a tenants file is a map of keys ("
              + String.join(", ", TOP_KEYS)
              + "), got: "
              + root.kind());
    }
    if (problems.hasErrors()) {
      otherKind(source, problems);
    }
    return problems.result(file);
  }

  /** Many files are YAML by accident, so that the errors so far may not tell what is wrong. */
  private static void otherKind(Source source, Problems problems) {
    String kind = FileKinds.describe(source.bytes());
    boolean said = kind.isEmpty() || kind.equals("an empty file") || kind.contains("JSON");
    if (!said && !kind.contains("blank") && !kind.contains("binary")) {
      String advice =
          kind.contains("partitions.conf") ? "; 'heddle tenants init --from' takes it" : "";
      problems.error(1, "this looks like " + kind + ", not like a tenants file" + advice);
    }
  }

  private static Map<String, Boolean> modes() {
    Map<String, Boolean> words = new LinkedHashMap<>();
    words.put("strict", true);
    words.put("best-effort", false);
    return words;
  }

  /** Reading of one file. */
  private static final class Reading {
    final Problems problems;

    Reading(Problems problems) {
      this.problems = problems;
    }

    TenantsFile file(String source, Mapping map) {
      YamlFields fields = new YamlFields(map, TOP_KEYS, "at the top level", problems);
      version(fields, map);
      Rules rules = rules(fields);
      List<HostWeight> weights = weights(fields, problems);
      List<Tenant> tenants = new ArrayList<>();
      for (YamlNode node : fields.list("tenants", "a list of tenants")) {
        if (node instanceof Mapping tenant) {
          tenants.add(new TenantsTenantReader(problems).tenant(tenant));
        } else {
          problems.error(
              node.line(),
              "a tenant must be a map of keys (name, members, ...), got: " + node.kind());
        }
      }
      TenantsFile file = new TenantsFile(source, rules, weights, tenants);
      TenantsChecks.check(file, problems);
      if (tenants.isEmpty() && !problems.hasErrors()) {
        problems.note(fields.line("tenants"), "no tenant in the file");
      }
      return file;
    }

    private void version(YamlFields fields, Mapping map) {
      if (!fields.has("version")) {
        problems.error(map.line(), "'version: 1' is missing");
      } else if (!(fields.value("version") instanceof Scalar s && s.text().equals("1"))) {
        problems.error(
            fields.line("version"),
            "this is Heddle for version 1 of the format, the file says version "
                + fields.value("version").kind());
      }
    }

    private Rules rules(YamlFields fields) {
      Rules otherwise = Rules.DEFAULT;
      return new Rules(
          fields.choice("mode", MODES, otherwise.strict()),
          fields.integer("data_lanes", 1, Tenancy.MAX_DATA_LANES, otherwise.dataLanes()),
          share(fields, "physical_share", otherwise.physicalShare()),
          fields.integer("pkey_table", 2, 0xffff, otherwise.pkeyTable()),
          sharing(fields),
          fields.has("isolation")
              ? OptionalDouble.of(share(fields, "isolation", 0))
              : OptionalDouble.empty(),
          Optional.ofNullable(fields.text("engine", "the name of a routing engine"))
              .map(name -> new Engine(fields.line("engine"), name)));
    }

    private double share(YamlFields fields, String key, double otherwise) {
      String text = fields.text(key, "a share such as 0.5 or 50%");
      if (text == null) {
        return otherwise;
      }
      boolean percent = text.endsWith("%");
      String digits = (percent ? text.substring(0, text.length() - 1) : text).strip();
      if (digits.matches("[0-9]{1,3}(\\.[0-9]{1,9})?")) {
        double value = Double.parseDouble(digits) / (percent ? 100 : 1);
        if (value <= 1) {
          return value;
        }
      }
      problems.error(
          fields.line(key),
          "'" + key + "' must be 0 to 1, or 0% to 100%, got: " + Tokens.excerpt(text));
      return otherwise;
    }

    private List<Group> sharing(YamlFields fields) {
      List<Group> groups = new ArrayList<>();
      String what = "a list of lists of tenant names, such as [[a, b], [c, d]]";
      for (YamlNode node : fields.list("sharing", what)) {
        if (!(node instanceof Sequence names)) {
          problems.error(node.line(), "'sharing' must be " + what + ", got: " + node.kind());
          continue;
        }
        Set<String> group = new LinkedHashSet<>();
        for (YamlNode name : names.items()) {
          if (!(name instanceof Scalar s) || s.isNull()) {
            problems.error(name.line(), "a tenant's name is expected, got: " + name.kind());
          } else if (!group.add(s.text())) {
            problems.note(name.line(), "'" + s.text() + "' is in this group twice");
          }
        }
        groups.add(new Group(node.line(), List.copyOf(group)));
      }
      return groups;
    }
  }

  /** The {@code weights:} map of a file or tenant, in file order. */
  static List<HostWeight> weights(YamlFields fields, Problems problems) {
    List<HostWeight> out = new ArrayList<>();
    YamlNode node = fields.value("weights");
    if (node == null || node instanceof Scalar s && s.isNull()) {
      return out;
    }
    if (!(node instanceof Mapping map)) {
      problems.error(
          fields.line("weights"),
          "'weights' must be a map from hosts to 1..100, such as node[01-04]: 50, got: "
              + node.kind());
      return out;
    }
    Map<String, Integer> lines = new LinkedHashMap<>();
    for (Pair pair : map.pairs()) {
      Integer first = lines.putIfAbsent(pair.key(), pair.line());
      if (first != null) {
        problems.error(
            pair.line(),
            "'" + Tokens.excerpt(pair.key()) + "' is here twice; the first is in line " + first);
        continue;
      }
      int weight = pair.value() instanceof Scalar s ? Tokens.number(s.text().strip()) : -1;
      if (weight < 1 || weight > TenantsFile.MAX_WEIGHT) {
        problems.error(
            pair.line(),
            "a weight must be a whole number from 1 to 100, got: " + pair.value().kind());
        continue;
      }
      out.add(new HostWeight(pair.line(), pair.key().strip(), weight));
    }
    return out;
  }
}
