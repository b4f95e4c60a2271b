package org.heddle.text.state;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.heddle.text.Problems;
import org.heddle.text.Tokens;
import org.heddle.text.yaml.YamlFields;
import org.heddle.text.yaml.YamlNode;
import org.heddle.text.yaml.YamlNode.Mapping;
import org.heddle.text.yaml.YamlNode.Scalar;

/** What state files of all kinds have in common, for their readers. */
final class StateParts {
  /** No number in a state file is larger. */
  static final int MANY = 1 << 24;

  /** Keys of {@link StateFile.Mark}. */
  static final List<String> FABRIC = List.of("fingerprint", "switches", "hosts");

  private final Problems problems;

  StateParts(Problems problems) {
    this.problems = problems;
  }

  /** Requires version 1. */
  void version(YamlFields fields, int line) {
    if (!fields.has("version")) {
      problems.error(line, "\"version\": 1 is missing");
    } else if (!(fields.value("version") instanceof Scalar s && s.text().equals("1"))) {
      problems.error(
          fields.line("version"),
          "this is Heddle for version 1 of the format, the file says version "
              + fields.value("version").kind());
    }
  }

  /**
   * The fabric a file was last written for; empty if it does not say, or not in an object.
   *
   * @param content reads the object
   */
  Optional<StateFile.Mark> mark(YamlFields top, Function<Mapping, StateFile.Mark> content) {
    YamlNode node = top.value("fabric");
    if (node == null) {
      return Optional.empty();
    }
    if (node instanceof Mapping map) {
      return Optional.of(content.apply(map));
    }
    problems.error(top.line("fabric"), "'fabric' must be an object, got: " + node.kind());
    return Optional.empty();
  }

  /** The objects of a list; none if it is absent or wrong. */
  List<Mapping> objects(YamlFields fields, String key) {
    List<Mapping> out = new ArrayList<>();
    for (YamlNode node : fields.list(key, "a list of objects")) {
      if (node instanceof Mapping map) {
        out.add(map);
      } else {
        problems.error(node.line(), "'" + key + "' holds objects, got: " + node.kind());
      }
    }
    return out;
  }

  /** A name for people, empty if absent or wrong. */
  String name(YamlFields fields) {
    if (fields.value("name") instanceof Scalar s) {
      return s.text();
    }
    if (fields.has("name")) {
      problems.error(fields.line("name"), "'name' must be a text");
    }
    return "";
  }

  /**
   * A number of 64 bits; 0 if it is wrong.
   *
   * @param text of the key
   */
  long hex(YamlFields fields, String key, String text) {
    String digits = Tokens.withoutPrefix(text);
    if (text.startsWith("0x") && Tokens.isHex(digits)) {
      return Long.parseUnsignedLong(digits, 16);
    }
    problems.error(
        fields.line(key),
        "'" + key + "' must be 0x and up to 16 hexadecimal digits, got: " + Tokens.excerpt(text));
    return 0;
  }
}
