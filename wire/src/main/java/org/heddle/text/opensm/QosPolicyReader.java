package org.heddle.text.opensm;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.heddle.text.LineReader;
import org.heddle.text.Parsed;
import org.heddle.text.Problems;
import org.heddle.text.Source;
import org.heddle.text.Tokens;

/**
 * Reads the part of OpenSM's QoS policy that Heddle writes: groups by P_Key, levels with an SL, and
 * rules by key or by one group at both ends.
 *
 * <p>Strict: OpenSM drops a policy it cannot read and answers as if there were none. So everything
 * that is not of this form is an error with its line, also what OpenSM would accept. O(bytes).
 */
public final class QosPolicyReader {
  private static final Map<String, String> SECTIONS =
      Map.of(
          "port-groups", "port-group",
          "qos-levels", "qos-level",
          "qos-match-rules", "qos-match-rule");

  private static final Map<String, List<String>> KEYS =
      Map.of(
          "port-group", List.of("name", "pkey"),
          "qos-level", List.of("name", "sl"),
          "qos-match-rule", List.of("pkey", "source", "destination", "qos-level-name"));

  private final Problems problems;
  private final List<QosPolicy.Group> groups = new ArrayList<>();
  private final List<QosPolicy.Level> levels = new ArrayList<>();
  private final List<QosPolicy.Rule> rules = new ArrayList<>();
  private String section;
  private String item;
  private final Map<String, String> entries = new LinkedHashMap<>();

  private QosPolicyReader(Problems problems) {
    this.problems = problems;
  }

  /** Reads a file. */
  public static Parsed<QosPolicy> read(Source source) {
    Problems problems = new Problems(source.name());
    QosPolicyReader reader = new QosPolicyReader(problems);
    LineReader lines = new LineReader(source.bytes());
    for (String line = lines.next(); line != null; line = lines.next()) {
      int comment = line.indexOf('#');
      String text = (comment < 0 ? line : line.substring(0, comment)).strip();
      if (LineReader.isUnusable(line)) {
        problems.error(lines.line(), "this line cannot be read");
      } else if (!text.isEmpty()) {
        reader.line(lines.line(), text);
      }
    }
    lines.report(problems);
    if (reader.section != null) {
      problems.error(lines.line(), "the file ends inside of '" + reader.section + "'");
    }
    QosPolicy policy = new QosPolicy(reader.groups, reader.levels, reader.rules);
    String wrong = policy.inconsistency();
    if (wrong != null && !problems.hasErrors()) {
      problems.error(0, wrong);
    }
    return problems.result(policy);
  }

  private void line(int line, String text) {
    if (section == null) {
      open(line, text);
    } else if (item == null) {
      if (text.equals("end-" + section)) {
        section = null;
      } else if (text.equals(SECTIONS.get(section))) {
        item = text;
        entries.clear();
      } else {
        unexpected(line, text, SECTIONS.get(section) + " or end-" + section);
      }
    } else if (text.equals("end-" + item)) {
      close(line);
      item = null;
    } else {
      entry(line, text);
    }
  }

  private void open(int line, String text) {
    if (SECTIONS.containsKey(text)) {
      section = text;
    } else {
      unexpected(line, text, "port-groups, qos-levels or qos-match-rules");
    }
  }

  private void entry(int line, String text) {
    int colon = text.indexOf(':');
    String key = colon < 0 ? text : text.substring(0, colon).strip();
    if (colon < 0 || !KEYS.get(item).contains(key)) {
      unexpected(line, text, "'key: value' with " + String.join(", ", KEYS.get(item)));
    } else if (entries.putIfAbsent(key, text.substring(colon + 1).strip()) != null) {
      problems.error(line, "'" + key + "' is here twice");
    }
  }

  private void unexpected(int line, String text, String wanted) {
    problems.error(line, "expected " + wanted + ", got '" + Tokens.excerpt(text) + "'");
  }

  private void close(int line) {
    switch (item) {
      case "port-group" -> {
        String name = name(line, "name");
        int key = number(line, "pkey", 1, PartitionsConf.DEFAULT_PKEY);
        if (name != null && key >= 0) {
          groups.add(new QosPolicy.Group(name, key));
        }
      }
      case "qos-level" -> {
        String name = name(line, "name");
        int sl = number(line, "sl", 0, 15);
        if (name != null && sl >= 0) {
          levels.add(new QosPolicy.Level(name, sl));
        }
      }
      default -> rule(line);
    }
  }

  private void rule(int line) {
    String level = name(line, "qos-level-name");
    if (entries.containsKey("pkey")) {
      int key = number(line, "pkey", 1, PartitionsConf.DEFAULT_PKEY);
      if (entries.size() != 2) {
        problems.error(line, "a rule has either a key or a group at both ends");
      } else if (level != null && key >= 0) {
        rules.add(QosPolicy.Rule.ofKey(key, level));
      }
      return;
    }
    String source = name(line, "source");
    String destination = name(line, "destination");
    if (source != null && !source.equals(destination)) {
      problems.error(line, "source and destination must be the same group");
    } else if (source != null && level != null) {
      rules.add(QosPolicy.Rule.ofGroup(source, level));
    }
  }

  private String name(int line, String key) {
    String value = entries.get(key);
    if (value == null || !QosPolicy.isName(value)) {
      problems.error(
          line,
          value == null
              ? "the " + item + " that ends here has no '" + key + "'"
              : "'" + Tokens.excerpt(value) + "' is not a name: letters and digits are expected");
      return null;
    }
    return value;
  }

  private int number(int line, String key, int least, int most) {
    String value = entries.get(key);
    boolean digits = value != null && value.matches("0x[0-9a-fA-F]{1,4}|[0-9]{1,5}");
    int number = digits ? Integer.parseInt(plain(value), value.startsWith("0x") ? 16 : 10) : -1;
    if (number < least || number > most) {
      problems.error(
          line, "'" + key + "' of this " + item + " must be a number " + least + ".." + most);
      return -1;
    }
    return number;
  }

  private static String plain(String value) {
    return value.startsWith("0x") ? value.substring(2) : value;
  }
}
