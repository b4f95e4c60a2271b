package org.heddle.text.yaml;

import java.util.List;
import org.heddle.text.Tokens;

/** A piece of a YAML document with the line it starts at. */
public sealed interface YamlNode {
  /** Line number from 1. */
  int line();

  /** What the piece is, for messages. */
  String kind();

  /**
   * A value.
   *
   * @param plain written without quotes, so that an empty one means "no value"
   */
  record Scalar(int line, String text, boolean plain) implements YamlNode {
    /** True if there is nothing: {@code key:}, {@code ~}, {@code null}. */
    public boolean isNull() {
      return plain && (text.isEmpty() || text.equals("~") || text.equalsIgnoreCase("null"));
    }

    @Override
    public String kind() {
      return isNull() ? "nothing" : Tokens.excerpt(text);
    }
  }

  /** A list. */
  record Sequence(int line, List<YamlNode> items) implements YamlNode {
    @Override
    public String kind() {
      return "a list";
    }
  }

  /** Keys with values, in file order; a key may be there twice. */
  record Mapping(int line, List<Pair> pairs) implements YamlNode {
    @Override
    public String kind() {
      return "a map of keys";
    }
  }

  /** A key with its value. */
  record Pair(int line, String key, YamlNode value) {}
}
