package org.heddle.text.yaml;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.heddle.text.NearWords;
import org.heddle.text.Problems;
import org.heddle.text.Tokens;
import org.heddle.text.yaml.YamlNode.Mapping;
import org.heddle.text.yaml.YamlNode.Pair;
import org.heddle.text.yaml.YamlNode.Scalar;
import org.heddle.text.yaml.YamlNode.Sequence;

/**
 * The keys of one map with typed access. Unknown keys, keys that are there twice and values of
 * another type are noted as errors; a default then stands in, so that reading goes on.
 */
public final class YamlFields {
  private final Problems problems;
  private final Map<String, Pair> byKey = new LinkedHashMap<>();

  /**
   * @param where completes "unknown key 'x' ...", for instance "of a tenant"
   */
  public YamlFields(Mapping map, List<String> known, String where, Problems problems) {
    this.problems = problems;
    for (Pair pair : map.pairs()) {
      String key = pair.key();
      if (!known.contains(key)) {
        problems.error(
            pair.line(),
            "unknown key '"
                + Tokens.excerpt(key)
                + "' "
                + where
                + NearWords.hint(key, known)
                + "; known: "
                + String.join(", ", known));
      } else if (byKey.containsKey(key)) {
        problems.error(
            pair.line(),
            "'" + key + "' is here twice; the first is in line " + byKey.get(key).line());
      } else {
        byKey.put(key, pair);
      }
    }
  }

  public boolean has(String key) {
    return byKey.containsKey(key);
  }

  /** Line of a key, or 0 if it is not there. */
  public int line(String key) {
    Pair pair = byKey.get(key);
    return pair == null ? 0 : pair.line();
  }

  public YamlNode value(String key) {
    Pair pair = byKey.get(key);
    return pair == null ? null : pair.value();
  }

  private void expected(Pair pair, String what) {
    problems.error(
        pair.line(), "'" + pair.key() + "' must be " + what + ", got: " + pair.value().kind());
  }

  /** Text that is not empty; null if absent or wrong. */
  public String text(String key, String what) {
    Pair pair = byKey.get(key);
    if (pair == null) {
      return null;
    }
    if (pair.value() instanceof Scalar s && !s.isNull() && !s.text().isBlank()) {
      return s.text().strip();
    }
    expected(pair, what);
    return null;
  }

  /** A whole number in a range; the default if absent or wrong. */
  public int integer(String key, int least, int most, int otherwise) {
    Pair pair = byKey.get(key);
    if (pair == null) {
      return otherwise;
    }
    int value = pair.value() instanceof Scalar s ? Tokens.number(s.text().strip()) : -1;
    if (value >= least && value <= most) {
      return value;
    }
    expected(pair, "a whole number from " + least + " to " + most);
    return otherwise;
  }

  /** One of a set of words; the default if absent or wrong. */
  public <T> T choice(String key, Map<String, T> words, T otherwise) {
    Pair pair = byKey.get(key);
    if (pair == null) {
      return otherwise;
    }
    T value = pair.value() instanceof Scalar s ? words.get(s.text().strip()) : null;
    if (value == null) {
      String near =
          pair.value() instanceof Scalar s && !s.isNull()
              ? NearWords.hint(s.text().strip(), words.keySet())
              : "";
      problems.error(
          pair.line(),
          "'"
              + key
              + "' must be one of "
              + String.join(", ", words.keySet())
              + ", got: "
              + pair.value().kind()
              + near);
      return otherwise;
    }
    return value;
  }

  /** The elements of a list; none if absent or wrong. */
  public List<YamlNode> list(String key, String what) {
    Pair pair = byKey.get(key);
    if (pair == null) {
      return List.of();
    }
    if (pair.value() instanceof Sequence s) {
      return s.items();
    }
    if (!(pair.value() instanceof Scalar s && s.isNull())) {
      expected(pair, what);
    }
    return List.of();
  }
}
