package org.heddle.text.state;

import java.util.ArrayList;
import java.util.List;
import org.heddle.text.Parsed;
import org.heddle.text.Problems;
import org.heddle.text.Source;
import org.heddle.text.Tokens;

/**
 * Reads a list of machines and hosts: one {@code ID,HOST} a line; what follows {@code #} and a
 * first line {@code vm,host} are passed over. O(bytes).
 */
public final class VmListReader {
  /** A machine and the host it is to run on. */
  public record Pair(int line, String id, String host) {}

  private VmListReader() {}

  /** Reads a file. */
  public static Parsed<List<Pair>> read(Source source) {
    Problems problems = new Problems(source.name());
    List<Pair> out = new ArrayList<>();
    String text = new String(source.bytes(), java.nio.charset.StandardCharsets.UTF_8);
    int number = 0;
    for (String whole : text.split("\n", -1)) {
      number++;
      int hash = whole.indexOf('#');
      String line = (hash < 0 ? whole : whole.substring(0, hash)).strip();
      if (line.isEmpty() || number == 1 && line.equals("vm,host")) {
        continue;
      }
      int comma = line.indexOf(',');
      String id = comma < 0 ? line : line.substring(0, comma).strip();
      String host = comma < 0 ? "" : line.substring(comma + 1).strip();
      if (!VmFile.isId(id) || host.isEmpty()) {
        problems.error(number, "ID,HOST is expected, got: " + Tokens.excerpt(line));
      } else {
        out.add(new Pair(number, id, host));
      }
    }
    return problems.result(out);
  }
}
