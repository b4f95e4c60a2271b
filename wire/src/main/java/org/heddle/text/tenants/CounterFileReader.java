package org.heddle.text.tenants;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.text.FileKinds;
import org.heddle.text.LineReader;
import org.heddle.text.NearWords;
import org.heddle.text.Parsed;
import org.heddle.text.Problems;
import org.heddle.text.Source;
import org.heddle.text.Tokens;

/**
 * Reads how many bytes hosts have received, in any of these forms, also mixed:
 *
 * <ul>
 *   <li>CSV: {@code host-or-GUID,port,bytes} in bytes; port 0 or empty for an adapter's only linked
 *       port; a heading line may be there;
 *   <li>{@code perfquery}: a heading {@code # Port extended counters: Lid 4 port 1}, then {@code
 *       PortRcvData:....123}, in units of 4 bytes;
 *   <li>{@code ibqueryerrors --data}: lines {@code GUID 0x.. port 1: .. [PortXmitData == 1]
 *       [PortRcvData == 2]}, in units of 4 bytes.
 * </ul>
 *
 * <p>What a host receives is PortRcvData of its own port, or PortXmitData of the switch port at the
 * other end of its cable; the host's own counter wins. Lines about other ports are passed over,
 * since the tools print whole fabrics. Unreadable lines of a CSV are errors. 32-bit counters stop
 * at their largest value; one that has is a warning. O(bytes).
 */
public final class CounterFileReader {
  private static final long SATURATED = 0xffffffffL;
  private static final int BYTES_A_UNIT = 4;

  private static final Pattern HEADING =
      Pattern.compile("# Port (extended )?counters: {1,4}Lid (\\d{1,5}) port (\\d{1,3})\\b.*");
  private static final Pattern COUNTER =
      Pattern.compile("(PortXmitData|PortRcvData):\\.*\\s*(\\d{1,20}).*");
  private static final Pattern ERRORS_LINE =
      Pattern.compile("\\s*GUID (0x[0-9a-fA-F]{1,16}) port (\\d{1,3}): (.*)");
  private static final Pattern ERRORS_DATA =
      Pattern.compile("\\[(PortXmitData|PortRcvData) == (\\d{1,20})[^\\]]*\\]");

  private final Fabric fabric;
  private final TenantsHosts hosts;
  private final Problems problems;
  private final Map<Guid, Long> own = new TreeMap<>();
  private final Map<Guid, Long> fromSwitch = new TreeMap<>();
  private int headingPort = Fabric.NONE;
  private boolean extended;

  private CounterFileReader(Fabric fabric, Problems problems) {
    this.fabric = fabric;
    this.hosts = new TenantsHosts(fabric);
    this.problems = problems;
  }

  /** Bytes received, by port GUID in ascending order. */
  public static Parsed<Map<Guid, Long>> read(Source source, Fabric fabric) {
    Problems problems = new Problems(source.name());
    CounterFileReader reader = new CounterFileReader(fabric, problems);
    LineReader lines = new LineReader(source.bytes());
    for (String line = lines.next(); line != null; line = lines.next()) {
      if (!LineReader.isUnusable(line)) {
        reader.line(line.strip(), lines.line());
      }
    }
    lines.report(problems);
    Map<Guid, Long> all = new TreeMap<>(reader.fromSwitch);
    all.putAll(reader.own);
    if (all.isEmpty() && !problems.hasErrors()) {
      problems.error(
          0,
          "no receive counter of a host of this fabric; CSV (host,port,bytes) or the output of"
              + " perfquery or ibqueryerrors --data is expected"
              + FileKinds.hint(source, "receive counters"));
    }
    return problems.result(Collections.unmodifiableMap(all));
  }

  private void line(String line, int number) {
    Matcher heading = HEADING.matcher(line);
    if (heading.matches()) {
      extended = heading.group(1) != null;
      int port = fabric.portOfLid(Integer.parseInt(heading.group(2)));
      headingPort = port == Fabric.NONE ? port : portOf(fabric.nodeOf(port), heading.group(3));
      return;
    }
    if (line.isEmpty() || line.startsWith("#")) {
      return;
    }
    Matcher counter = COUNTER.matcher(line);
    if (counter.matches()) {
      saturation(counter, number);
      add(headingPort, counter, number);
      return;
    }
    Matcher errors = ERRORS_LINE.matcher(line);
    if (errors.matches()) {
      int node = fabric.findNode(Tokens.hex(errors.group(1)));
      int port = node == Fabric.NONE ? node : portOf(node, errors.group(2));
      Matcher data = ERRORS_DATA.matcher(errors.group(3));
      while (data.find()) {
        add(port, data, number);
      }
      return;
    }
    if (line.indexOf(',') > 0) {
      csv(line.split(",", -1), number);
    }
  }

  private int portOf(int node, String number) {
    int n = Integer.parseInt(number);
    return n >= 1 && n <= fabric.portCount(node) ? fabric.port(node, n) : Fabric.NONE;
  }

  private void saturation(Matcher counter, int line) {
    if (!extended && counter.group(2).equals(Long.toString(SATURATED))) {
      problems.warn(
          line,
          counter.group(1)
              + " stands at its 32-bit limit: the real value is higher; use perfquery -x");
    }
  }

  private void add(int port, Matcher counter, int line) {
    if (port == Fabric.NONE) {
      return;
    }
    boolean received = counter.group(1).equals("PortRcvData");
    boolean atSwitch = fabric.isSwitch(fabric.nodeOf(port));
    if (received == atSwitch) {
      return; // what a host sends, or what a switch receives
    }
    int host = atSwitch ? fabric.peer(port) : port;
    if (host == Fabric.NONE || fabric.isSwitch(fabric.nodeOf(host))) {
      return;
    }
    long units = units(counter.group(2));
    if (units < 0) {
      problems.error(line, counter.group(1) + " is larger than 64 bits of bytes");
      return;
    }
    (atSwitch ? fromSwitch : own).put(new Guid(fabric.portGuid(host)), BYTES_A_UNIT * units);
  }

  private static long units(String digits) {
    try {
      long value = Long.parseLong(digits);
      return value <= Long.MAX_VALUE / BYTES_A_UNIT ? value : -1;
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  private void csv(String[] cells, int line) {
    String who = cells[0].strip();
    boolean heading = who.equalsIgnoreCase("host") || who.equalsIgnoreCase("guid");
    if (heading && own.isEmpty()) {
      return;
    }
    long bytes = cells.length == 3 ? number(cells[2].strip()) : -1;
    if (bytes < 0) {
      problems.error(
          line,
          "expected host-or-GUID,port,bytes, got: " + Tokens.excerpt(String.join(",", cells)));
      return;
    }
    String port = cells[1].strip();
    int wanted = port.isEmpty() ? 0 : Tokens.number(port);
    int found = wanted < 0 ? Fabric.NONE : find(who, wanted);
    if (found == Fabric.NONE) {
      problems.error(
          line,
          "'"
              + Tokens.excerpt(who)
              + "' has no linked port "
              + (wanted == 0 ? "" : Tokens.excerpt(port) + " ")
              + "in this fabric, or more than one fits"
              + (hosts.nodes(who).isEmpty() ? NearWords.hint(who, hosts.names()) : ""));
      return;
    }
    own.put(new Guid(fabric.portGuid(found)), bytes);
  }

  private static long number(String digits) {
    try {
      return Long.parseLong(digits);
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  /** The only linked port that fits, or {@link Fabric#NONE}. */
  private int find(String who, int number) {
    if (who.startsWith("0x")) {
      int port = fabric.findPort(Tokens.hex(who));
      if (port != Fabric.NONE && !fabric.isSwitch(fabric.nodeOf(port))) {
        return number == 0 || number == fabric.numberOf(port) ? port : Fabric.NONE;
      }
      int node = fabric.findNode(Tokens.hex(who));
      return node == Fabric.NONE || fabric.isSwitch(node)
          ? Fabric.NONE
          : only(List.of(node), number);
    }
    return TenantsHosts.isPattern(who) ? Fabric.NONE : only(hosts.nodes(who), number);
  }

  private int only(Iterable<Integer> nodes, int number) {
    int found = Fabric.NONE;
    for (int node : nodes) {
      for (int k = 1; k <= fabric.portCount(node); k++) {
        int port = fabric.port(node, k);
        if (fabric.isEndport(port) && (number == 0 || number == k)) {
          if (found != Fabric.NONE) {
            return Fabric.NONE;
          }
          found = port;
        }
      }
    }
    return found;
  }
}
