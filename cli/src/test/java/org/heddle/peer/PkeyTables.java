package org.heddle.peer;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads what {@code smpquery pkeys} prints. */
final class PkeyTables {
  private static final Pattern LINE = Pattern.compile("(?m)^\\s*\\d+:((?:\\s+0x[0-9a-f]{4})+)");

  private PkeyTables() {}

  /** The keys in index order, empty slots left out. */
  static List<Integer> parse(String text) {
    List<Integer> keys = new ArrayList<>();
    Matcher line = LINE.matcher(text);
    while (line.find()) {
      for (String word : line.group(1).trim().split("\\s+")) {
        int key = Integer.decode(word);
        if (key != 0) {
          keys.add(key);
        }
      }
    }
    return keys;
  }
}
