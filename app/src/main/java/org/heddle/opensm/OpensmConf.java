package org.heddle.opensm;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** OpenSM's configuration file: one option a line, name and value with a blank between. */
final class OpensmConf {
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
}
