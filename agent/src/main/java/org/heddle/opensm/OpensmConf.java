package org.heddle.opensm;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** OpenSM's configuration file: one option per line, name and value separated by a space. */
public final class OpensmConf {
  private OpensmConf() {}

  /** The text of options, each after the comment lines. */
  static byte[] write(String comment, Map<String, String> options) {
    StringBuilder out = new StringBuilder();
    comment.lines().forEach(line -> out.append("# ").append(line).append('\n'));
    options.forEach((name, value) -> out.append(name).append(' ').append(value).append('\n'));
    return out.toString().getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Reads options back.
   *
   * @throws IllegalStateException for a line that OpenSM would pass over or an option that is there
   *     twice: it takes the last, silently
   */
  static Map<String, String> read(byte[] text) {
    Map<String, String> out = new LinkedHashMap<>();
    for (String line : new String(text, StandardCharsets.UTF_8).split("\n")) {
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      int blank = line.indexOf(' ');
      if (blank < 1 || blank == line.length() - 1) {
        throw new IllegalStateException("no option of OpenSM: '" + line + "'");
      }
      String name = line.substring(0, blank);
      if (out.put(name, line.substring(blank + 1)) != null) {
        throw new IllegalStateException("option " + name + " is there twice");
      }
    }
    return out;
  }

  /**
   * Reads a site's options as OpenSM does: blanks of any kind between name and value, of an option
   * that is there twice the last.
   *
   * @throws IllegalArgumentException with file and line if one has no value, which OpenSM would
   *     pass over
   */
  public static Map<String, String> site(String name, byte[] text) {
    Map<String, String> out = new LinkedHashMap<>();
    int number = 0;
    for (String line : new String(text, StandardCharsets.UTF_8).split("\n")) {
      number++;
      String option = line.strip();
      if (option.isEmpty() || option.startsWith("#")) {
        continue;
      }
      String[] words = option.split("\\s+", 2);
      if (words.length < 2) {
        throw new IllegalArgumentException(
            name + ":" + number + ": option '" + words[0] + "' has no value");
      }
      out.remove(words[0]);
      out.put(words[0], words[1]);
    }
    return out;
  }
}
