package org.heddle.text.opensm;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.heddle.text.Parsed;
import org.heddle.text.Problems;
import org.heddle.text.Source;
import org.heddle.text.Tokens;

/**
 * Strict reader of the paragraphs of MLNX_SM's policy files for routing chains: {@code port-group},
 * {@code topology}, {@code unicast-step}, each up to its {@code end-...} line, with {@code key:
 * value} in between. What the manuals say makes the policy fail is an error: an unknown or repeated
 * key, a colon in a value, a missing id or name, an id or name twice, a first step that is not for
 * topology 0. {@code obj_list:} goes on over lines up to the semicolon. {@code #} starts a comment.
 */
public final class ChainFileReader {
  private static final Map<String, List<String>> KEYS =
      Map.of(
          "port-group", List.of("name", "use", "obj_list", "port-guid"),
          "topology", List.of("id", "sw-grp", "hca-grp"),
          "unicast-step", List.of("id", "engine", "use", "config", "topology", "fallback-to"));

  private ChainFileReader() {}

  /**
   * One paragraph.
   *
   * @param kind port-group, topology or unicast-step
   * @param values by key, in file order; the objects of a list are separated by line feeds
   */
  public record Paragraph(int line, String kind, Map<String, String> values) {
    public Paragraph {
      values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }
  }

  /** Reads a file of such paragraphs. */
  public static Parsed<List<Paragraph>> read(Source source) {
    Problems problems = new Problems(source.name());
    List<Paragraph> out = new ArrayList<>();
    String[] lines = new String(source.bytes(), StandardCharsets.UTF_8).split("\n", -1);
    Set<String> names = new HashSet<>();
    int i = 0;
    while (i < lines.length) {
      String text = bare(lines[i]);
      if (text.isEmpty()) {
        i++;
      } else if (KEYS.containsKey(text)) {
        i = paragraph(lines, i, text, out, problems);
        check(out.getLast(), names, problems);
      } else {
        problems.error(
            i + 1,
            "a paragraph begins with one of port-group, topology, unicast-step; got: "
                + Tokens.excerpt(text));
        i++;
      }
    }
    for (Paragraph p : out) {
      if (p.kind().equals("unicast-step")) {
        if (!p.values().getOrDefault("topology", "0").equals("0")) {
          problems.error(p.line(), "the first step must be for topology 0, the whole fabric");
        }
        break;
      }
    }
    return problems.result(List.copyOf(out));
  }

  private static String bare(String line) {
    int comment = line.indexOf('#');
    return (comment < 0 ? line : line.substring(0, comment)).strip();
  }

  private static int paragraph(
      String[] lines, int start, String kind, List<Paragraph> out, Problems problems) {
    Map<String, String> values = new LinkedHashMap<>();
    int i = start + 1;
    for (; i < lines.length && !bare(lines[i]).equals("end-" + kind); i++) {
      String text = bare(lines[i]);
      if (text.isEmpty()) {
        continue;
      }
      int colon = text.indexOf(':');
      String key = colon < 0 ? text : text.substring(0, colon).strip();
      if (colon < 0 || !KEYS.get(kind).contains(key)) {
        problems.error(i + 1, "no key of a " + kind + ": " + Tokens.excerpt(text));
        continue;
      }
      int at = i;
      String value = text.substring(colon + 1).strip();
      if (key.equals("obj_list")) {
        StringBuilder list = new StringBuilder(value);
        while (list.indexOf(";") < 0
            && i + 1 < lines.length
            && !bare(lines[i + 1]).startsWith("end-")) {
          list.append(list.isEmpty() ? "" : "\n").append(bare(lines[++i]));
        }
        if (list.indexOf(";") != list.length() - 1) {
          problems.error(i + 1, "a list of objects ends with a semicolon");
          continue;
        }
        value = list.substring(0, list.length() - 1);
        objects(value, at + 1, problems);
      } else if (value.isEmpty() || value.indexOf(':') >= 0) {
        problems.error(i + 1, "'" + key + "' needs a value without a colon");
      }
      if (values.putIfAbsent(key, value) != null) {
        problems.error(at + 1, "'" + key + "' is here twice");
      }
    }
    if (i == lines.length) {
      problems.error(start + 1, "end-" + kind + " is missing");
    }
    out.add(new Paragraph(start + 1, kind, values));
    return i + 1;
  }

  private static void objects(String list, int line, Problems problems) {
    for (String object : list.split("\n")) {
      if (!object.matches("name=[^ :,;]+(:P[0-9]+| pmask=0x[0-9a-f]+)?")) {
        problems.error(
            line,
            "an object is name=NODE/U1:P1 or name=SWITCH/U1 pmask=0x1e; got: "
                + Tokens.excerpt(object));
      }
    }
  }

  private static void check(Paragraph p, Set<String> names, Problems problems) {
    String id = p.kind().equals("port-group") ? "name" : "id";
    String value = p.values().get(id);
    if (value == null) {
      problems.error(p.line(), "a " + p.kind() + " without '" + id + "'");
    } else if (!names.add(p.kind() + " " + value)) {
      problems.error(p.line(), "a second " + p.kind() + " " + value);
    } else if (id.equals("id") && Tokens.number(value) < 1) {
      problems.error(p.line(), "an id is a number from 1");
    }
    boolean complete =
        switch (p.kind()) {
          case "topology" -> p.values().containsKey("sw-grp") && p.values().containsKey("hca-grp");
          case "unicast-step" -> p.values().containsKey("engine");
          default -> p.values().containsKey("obj_list") != p.values().containsKey("port-guid");
        };
    if (!complete) {
      problems.error(p.line(), "a " + p.kind() + " that lacks something");
    }
  }

  /** The text of paragraphs, as it is written. */
  static String write(List<Paragraph> paragraphs) {
    StringBuilder out = new StringBuilder();
    for (Paragraph p : paragraphs) {
      out.append(p.kind()).append('\n');
      p.values()
          .forEach(
              (key, value) ->
                  out.append(
                      key.equals("obj_list")
                          ? key + ":\n   " + value.replace("\n", "\n   ") + ";\n"
                          : key + ": " + value + "\n"));
      out.append("end-").append(p.kind()).append("\n\n");
    }
    return out.toString();
  }
}
