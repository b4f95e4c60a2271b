package org.heddle.text;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.heddle.text.tenants.TenantsFiles;
import org.heddle.text.yaml.YamlNode;
import org.heddle.text.yaml.YamlNode.Mapping;
import org.heddle.text.yaml.YamlNode.Pair;
import org.heddle.text.yaml.YamlNode.Scalar;
import org.heddle.text.yaml.YamlNode.Sequence;
import org.heddle.text.yaml.YamlReader;

/**
 * A small JSON Schema validator with the words that the tenants schema uses, and nothing of the
 * reader it is compared with except the YAML tree. Fails on words it does not know.
 */
public final class TenantsSchema {
  public static final YamlNode ROOT = parse(Source.of("schema", TenantsFiles.schema()));

  private static final List<String> ANNOTATIONS =
      List.of("$schema", "$id", "$defs", "title", "description", "default");

  private final List<String> violations = new ArrayList<>();

  private TenantsSchema() {}

  private static YamlNode parse(Source source) {
    return YamlReader.parse(source.bytes(), new Problems(source.name()));
  }

  public static List<String> violations(Source source) {
    TenantsSchema schema = new TenantsSchema();
    schema.check(ROOT, parse(source), "$");
    return schema.violations;
  }

  public static YamlNode get(YamlNode node, String key) {
    for (Pair pair : ((Mapping) node).pairs()) {
      if (pair.key().equals(key)) {
        return pair.value();
      }
    }
    return null;
  }

  public static List<YamlNode> items(YamlNode node, String... path) {
    YamlNode at = node;
    for (String key : path) {
      at = get(at, key);
    }
    return ((Sequence) at).items();
  }

  private static String text(YamlNode node) {
    return ((Scalar) node).text();
  }

  private boolean fits(YamlNode schema, YamlNode value) {
    TenantsSchema inner = new TenantsSchema();
    inner.check(schema, value, "");
    return inner.violations.isEmpty();
  }

  private void check(YamlNode schema, YamlNode value, String path) {
    for (Pair word : ((Mapping) schema).pairs()) {
      if (!ANNOTATIONS.contains(word.key()) && !holds(word, schema, value, path)) {
        violations.add(path + ": " + word.key());
      }
    }
  }

  private boolean holds(Pair word, YamlNode schema, YamlNode value, String path) {
    YamlNode arg = word.value();
    return switch (word.key()) {
      case "$ref" -> {
        String name = text(arg).substring("#/$defs/".length());
        check(get(get(ROOT, "$defs"), name), value, path);
        yield true;
      }
      case "type" ->
          arg instanceof Sequence s
              ? s.items().stream().anyMatch(t -> isType(text(t), value))
              : isType(text(arg), value);
      case "const" -> value instanceof Scalar s && s.text().equals(text(arg));
      case "enum" ->
          value instanceof Scalar s
              && ((Sequence) arg).items().stream().anyMatch(w -> text(w).equals(s.text()));
      case "pattern" ->
          !isType("string", value) || Pattern.compile(text(arg)).matcher(text(value)).find();
      case "minimum" -> !isNumber(value) || number(value) >= Double.parseDouble(text(arg));
      case "maximum" -> !isNumber(value) || number(value) <= Double.parseDouble(text(arg));
      case "required" ->
          !(value instanceof Mapping)
              || ((Sequence) arg).items().stream().allMatch(k -> get(value, text(k)) != null);
      case "items" -> {
        if (value instanceof Sequence s) {
          s.items().forEach(item -> check(arg, item, path + "[]"));
        }
        yield true;
      }
      case "properties" -> properties(arg, value, path);
      case "additionalProperties" -> additional(arg, get(schema, "properties"), value, path);
      case "anyOf" -> ((Sequence) arg).items().stream().anyMatch(s -> fits(s, value));
      case "oneOf" -> ((Sequence) arg).items().stream().filter(s -> fits(s, value)).count() == 1;
      default -> throw new AssertionError("unknown word " + word.key());
    };
  }

  private boolean properties(YamlNode arg, YamlNode value, String path) {
    if (value instanceof Mapping m) {
      for (Pair pair : m.pairs()) {
        if (get(arg, pair.key()) != null) {
          check(get(arg, pair.key()), pair.value(), path + "." + pair.key());
        }
      }
    }
    return true;
  }

  private boolean additional(YamlNode arg, YamlNode properties, YamlNode value, String path) {
    if (!(value instanceof Mapping m)) {
      return true;
    }
    for (Pair pair : m.pairs()) {
      if (properties != null && get(properties, pair.key()) != null) {
        continue;
      }
      if (arg instanceof Scalar) {
        return false; // additionalProperties: false
      }
      check(arg, pair.value(), path + "." + pair.key());
    }
    return true;
  }

  private static boolean isNumber(YamlNode value) {
    return isType("number", value);
  }

  private static double number(YamlNode value) {
    String text = text(value);
    return text.startsWith("0x") ? Long.decode(text) : Double.parseDouble(text);
  }

  private static boolean isType(String type, YamlNode value) {
    boolean plain = value instanceof Scalar s && s.plain();
    String text = value instanceof Scalar s ? s.text() : "";
    boolean integer = plain && text.matches("-?[0-9]+|0x[0-9a-fA-F]{1,15}");
    boolean number = integer || plain && text.matches("-?[0-9]+\\.[0-9]+");
    boolean truth = plain && text.matches("true|false");
    return switch (type) {
      case "object" -> value instanceof Mapping;
      case "array" -> value instanceof Sequence;
      case "null" -> value instanceof Scalar s && s.isNull();
      case "integer" -> integer;
      case "number" -> number;
      case "boolean" -> truth;
      case "string" -> value instanceof Scalar s && !s.isNull() && !number && !truth;
      default -> throw new AssertionError("unknown type " + type);
    };
  }
}
