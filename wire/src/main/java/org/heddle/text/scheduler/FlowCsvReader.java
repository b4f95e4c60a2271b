package org.heddle.text.scheduler;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Lid;
import org.heddle.text.LineReader;
import org.heddle.text.Parsed;
import org.heddle.text.Problems;
import org.heddle.text.Source;
import org.heddle.text.Tokens;

/**
 * Reads flows as CSV: {@code from,to} or {@code from,to,level}, hosts by description (or its first
 * word), node or port GUID ({@code 0x..}) or LID, levels from 0. A first line {@code from,to...} is
 * a heading; empty lines and what follows a {@code #} are passed over. O(bytes + nodes).
 *
 * <p>Errors: a line with another number of columns, a host that is not in the fabric or stands for
 * two, a flow from a host to itself, a level that is no number from 0 to 1,000,000, a file without
 * flows.
 */
public final class FlowCsvReader {
  private static final int MOST_LEVELS = 1_000_000;
  private static final int TWICE = -2;

  /**
   * Flows between endports.
   *
   * @param from port ids of senders
   * @param to port ids of receivers
   * @param level level of each
   */
  public record FlowRows(int[] from, int[] to, int[] level) {}

  private record Row(int from, int to, int level) {}

  private final Fabric fabric;
  private final Problems problems;
  private final Map<String, Integer> byName = new HashMap<>();
  private final List<Row> rows = new ArrayList<>();
  private boolean started;

  private FlowCsvReader(Fabric fabric, Problems problems) {
    this.fabric = fabric;
    this.problems = problems;
    for (int node = fabric.switchCount(); node < fabric.nodeCount(); node++) {
      String description = fabric.description(node);
      name(description, node);
      int space = description.indexOf(' ');
      if (space > 0) {
        name(description.substring(0, space), node);
      }
    }
  }

  private void name(String name, int node) {
    int port = endport(node);
    if (port != Fabric.NONE) {
      byName.merge(name, port, (a, b) -> a.equals(b) ? a : TWICE);
    }
  }

  /** The first endport of a node that can send and receive. */
  private int endport(int node) {
    for (int number = 1; number <= fabric.portCount(node); number++) {
      int port = fabric.port(node, number);
      if (isHost(port)) {
        return port;
      }
    }
    return Fabric.NONE;
  }

  private boolean isHost(int port) {
    return !fabric.isSwitch(fabric.nodeOf(port))
        && fabric.lid(port) != Lid.NONE
        && fabric.attachedSwitch(port) != Fabric.NONE;
  }

  /** The flows, in file order. */
  public static Parsed<FlowRows> read(Source source, Fabric fabric) {
    Problems problems = new Problems(source.name());
    FlowCsvReader reader = new FlowCsvReader(fabric, problems);
    LineReader lines = new LineReader(source.bytes());
    for (String line = lines.next(); line != null; line = lines.next()) {
      if (LineReader.isUnusable(line)) {
        problems.error(lines.line(), "not a line of text; from,to,level is expected");
        continue;
      }
      int hash = line.indexOf('#');
      String text = (hash < 0 ? line : line.substring(0, hash)).strip();
      if (!text.isEmpty()) {
        reader.line(text.split(",", -1), lines.line());
      }
    }
    lines.report(problems);
    if (reader.rows.isEmpty() && !problems.hasErrors()) {
      problems.error(0, "no flow; lines of from,to,level are expected");
    }
    return problems.result(reader.flows());
  }

  private FlowRows flows() {
    int n = rows.size();
    FlowRows out = new FlowRows(new int[n], new int[n], new int[n]);
    for (int i = 0; i < n; i++) {
      out.from[i] = rows.get(i).from;
      out.to[i] = rows.get(i).to;
      out.level[i] = rows.get(i).level;
    }
    return out;
  }

  private void line(String[] cells, int line) {
    boolean first = !started;
    started = true;
    if (first && cells[0].strip().equalsIgnoreCase("from")) {
      return;
    }
    if (cells.length != 2 && cells.length != 3) {
      problems.error(
          line,
          cells.length
              + (cells.length == 1 ? " column" : " columns")
              + ", from,to or from,to,level is expected");
      return;
    }
    int from = host(cells[0].strip(), line);
    int to = host(cells[1].strip(), line);
    int level = cells.length == 2 ? 0 : level(cells[2].strip(), line);
    if (from < 0 || to < 0 || level < 0) {
      return;
    }
    if (from == to) {
      problems.error(line, "a flow from a host to itself");
      return;
    }
    rows.add(new Row(from, to, level));
  }

  private int level(String text, int line) {
    int level = decimal(text);
    if (level < 0 || level > MOST_LEVELS) {
      problems.error(
          line, "level '" + Tokens.excerpt(text) + "', a number from 0 to 1000000 is expected");
      return -1;
    }
    return level;
  }

  private static int decimal(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  private int host(String word, int line) {
    int port = byName.getOrDefault(word, Fabric.NONE);
    if (port == TWICE) {
      problems.error(line, "'" + Tokens.excerpt(word) + "' is the name of more than one host");
      return Fabric.NONE;
    }
    if (port == Fabric.NONE) {
      port = word.startsWith("0x") ? byGuid(word) : fabric.portOfLid(decimal(word));
    }
    if (port == Fabric.NONE || !isHost(port)) {
      problems.error(
          line, "'" + Tokens.excerpt(word) + "' is not a host with a LID and a link to a switch");
      return Fabric.NONE;
    }
    return port;
  }

  private int byGuid(String word) {
    try {
      long guid = Long.parseUnsignedLong(word.substring(2), 16);
      int node = fabric.findNode(guid);
      boolean host = node != Fabric.NONE && !fabric.isSwitch(node);
      return host ? endport(node) : fabric.findPort(guid);
    } catch (NumberFormatException e) {
      return Fabric.NONE;
    }
  }
}
