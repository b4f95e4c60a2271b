package org.heddle.text.topology;

import java.util.Locale;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.fabric.NodeType;
import org.heddle.text.FileKinds;
import org.heddle.text.LineReader;
import org.heddle.text.Parsed;
import org.heddle.text.ProblemGroup;
import org.heddle.text.Problems;
import org.heddle.text.Source;
import org.heddle.text.Tokens;

/**
 * Reads the full output of ibnetdiscover, of all ages, and the formats that look like it: what
 * ibdiagnet2 writes, what topology generators write, and netlists of ibsim. The dialects, and what
 * happens to damaged files, are described in {@code docs/formats.md}.
 *
 * <p>Node GUIDs come from the id ({@code S-}/{@code H-}/{@code R-} and 16 digits). Ids that are
 * names get the GUIDs that ibsim gives: channel adapters from 0x100000, each taking its number of
 * ports and one; switches from 0x200000, each taking one; a {@code switchguid=}, {@code caguid=} or
 * {@code rtguid=} line sets the count, {@code +n} sets it relative to the last line with {@code =}.
 * Routers count from 0x300000 (ibsim starts them at 0, which is no GUID).
 *
 * <p>Never throws for what the file says. Linear in the file.
 */
public final class IbnetdiscoverReader {
  private static final String[] WORDS = {
    "Switch",
    "Hca",
    "Ca",
    "Rt",
    "vendid=",
    "devid=",
    "sysimgguid=",
    "switchguid=",
    "caguid=",
    "rtguid="
  };

  private static final long[] FIRST_GUID = {0x200000, 0x100000, 0x300000}; // by NodeType

  private final LineReader lines;
  private final Problems problems;
  private final TopologyDraft draft;
  private final ProblemGroup strange;
  private final ProblemGroup badPorts;
  private final long[] absolute = FIRST_GUID.clone();
  private final long[] next = FIRST_GUID.clone();

  private TopologyDraft.Node current;
  private boolean skipping;
  private boolean rateExpected;

  /** True if the line just taken may be only the first part of what it was. */
  private boolean cutInside;

  private String prefix = "";

  // What the lines before a node's own line say about it.
  private int vendorId;
  private int deviceId;
  private int netDeviceId;
  private long systemGuid;
  private long nodeGuid;
  private long switchPortGuid;
  private int attributeLine;

  private IbnetdiscoverReader(Source source, Problems problems) {
    this.problems = problems;
    this.lines = new LineReader(source.bytes());
    this.draft = new TopologyDraft(problems);
    this.strange = ProblemGroup.ofNotes(problems, "lines that are no topology");
    this.badPorts = new ProblemGroup(problems, "unusable port lines");
  }

  /** Reads a fabric. Compressed input must be unpacked first, see {@link FabricFormats}. */
  public static Parsed<Fabric> read(Source source) {
    Problems problems = new Problems(source.name());
    return problems.result(new IbnetdiscoverReader(source, problems).run(source));
  }

  private Fabric run(Source source) {
    String line = lines.next();
    while (line != null && !draft.full()) {
      boolean structural = take(line);
      if (!lines.terminated()) {
        endsWithoutLineEnd(line, structural);
      }
      line = lines.next();
    }
    lines.report(problems);
    if (attributeLine > 0 && !draft.nodes.isEmpty()) {
      problems.warn(attributeLine, "a node's attributes without the node; the file may be cut off");
    }
    strange.close();
    badPorts.close();
    if (draft.nodes.isEmpty() && !problems.hasErrors()) {
      problems.error(
          0,
          "no node found; expected ibnetdiscover output"
              + FileKinds.hint(source, "an ibnetdiscover"));
    }
    return FabricAssembler.assemble(draft, problems);
  }

  private void endsWithoutLineEnd(String line, boolean structural) {
    if (structural && !cutInside) {
      problems.warn(
          lines.line(), "the last line has no line end; the file may be cut off, check its end");
    } else if (structural || startsAWord(line.strip())) {
      problems.error(
          lines.line(), "the file is cut off in the middle of a line: " + Tokens.excerpt(line));
    }
  }

  private static boolean startsAWord(String line) {
    if (line.isEmpty()) {
      return false;
    }
    for (String word : WORDS) {
      if (word.startsWith(line) || line.startsWith(word)) {
        return true;
      }
    }
    return false;
  }

  /** Takes one line. @return whether it is part of the topology */
  private boolean take(String raw) {
    cutInside = false;
    if (LineReader.isUnusable(raw)) {
      strange.warn(lines.line(), "binary, or more than " + LineReader.MAX_LINE + " bytes; ignored");
      return false;
    }
    int start = 0;
    while (start < raw.length() && raw.charAt(start) <= ' ') {
      start++;
    }
    if (start == raw.length()) {
      return false;
    }
    String line = start == 0 ? raw : raw.substring(start);
    char c = line.charAt(0);
    if (c == '#') {
      return false;
    }
    if (c == '['
        && (line.length() == 1 || Character.isDigit(line.charAt(1)) || line.charAt(1) == ' ')) {
      portLine(line);
      return true;
    }
    if (line.startsWith("@[")) {
      problems.error(lines.line(), "ibsim aliases are not supported; name the node and its port");
      return true;
    }
    NodeHeader header = NodeHeader.parse(line);
    if (header != null) {
      header(line, header);
      return true;
    }
    if (attribute(line)) {
      return true;
    }
    if (!isHeading(line)) {
      unknown(line);
    }
    return false;
  }

  private void unknown(String line) {
    if (strange.wanted()) {
      strange.warn(lines.line(), "not part of a topology, ignored: " + Tokens.excerpt(line));
    } else {
      strange.skip();
    }
  }

  /** Headings of grouped output and commands to ibsim: without meaning here. */
  private boolean isHeading(String line) {
    if (line.startsWith("Chassis ") || line.startsWith("Non-Chassis Nodes")) {
      current = null;
      return true;
    }
    return line.startsWith("Hostname: ") || line.startsWith("pdebug") || line.startsWith("do ");
  }

  // ---- lines before a node

  private boolean attribute(String line) {
    int sign = line.indexOf('=');
    int plus = line.indexOf('+');
    if (plus >= 0 && (sign < 0 || plus < sign)) {
      sign = plus;
    }
    if (sign < 1 || sign > 12) {
      if (line.startsWith("include") && line.indexOf('"') >= 0) {
        problems.error(lines.line(), "include is not followed; give one complete file");
        return true;
      }
      return false;
    }
    String value = line.substring(sign + 1);
    switch (line.substring(0, sign).strip().toLowerCase(Locale.ROOT)) {
      case "vendid" -> vendorId = (int) (number(value) & 0xffffff);
      case "devid" -> {
        deviceId = (int) (number(value) & 0xffff);
        netDeviceId = deviceId;
      }
      case "sysimgguid" -> systemGuid = number(value);
      case "switchguid" -> guidLine(NodeType.SWITCH, line.charAt(sign), value);
      case "caguid", "hcaguid", "hcaguids" -> guidLine(NodeType.CA, line.charAt(sign), value);
      case "rtguid" -> guidLine(NodeType.ROUTER, line.charAt(sign), value);
      case "module", "width", "speed", "speedext" -> {
        setting(line, value);
        return true;
      }
      default -> {
        return false;
      }
    }
    current = null;
    skipping = false;
    attributeLine = lines.line();
    return true;
  }

  /** Settings of ibsim. Its default width and speed are the simulator's, not the fabric's. */
  private void setting(String line, String value) {
    current = null;
    if (line.startsWith("module")) {
      int open = value.indexOf('"');
      int close = value.indexOf('"', open + 1);
      prefix = open >= 0 && close > open + 1 ? value.substring(open + 1, close) + "#" : "";
    }
  }

  private void guidLine(NodeType type, char sign, String value) {
    nodeGuid = number(value);
    int t = type.ordinal();
    if (sign == '+') {
      nodeGuid += absolute[t];
    } else {
      absolute[t] = nodeGuid;
    }
    next[t] = nodeGuid;
    int open = value.indexOf('(');
    int close = value.indexOf(')');
    switchPortGuid = open >= 0 && close > open ? Tokens.hex(value.substring(open + 1, close)) : 0;
  }

  /** The number a value starts with: hexadecimal after 0x, else decimal; 0 if there is none. */
  private static long number(String value) {
    String text = value.strip();
    boolean hex = text.startsWith("0x") || text.startsWith("0X");
    int from = hex ? 2 : 0;
    int end = from;
    while (end < text.length() && Character.digit(text.charAt(end), hex ? 16 : 10) >= 0) {
      end++;
    }
    String digits = text.substring(from, end);
    if (hex) {
      return Tokens.hex(digits);
    }
    return Math.max(0, Tokens.number(digits));
  }

  // ---- nodes

  private void header(String line, NodeHeader header) {
    current = null;
    skipping = true;
    attributeLine = 0;
    if (header.failure() != null) {
      cutInside = true;
      problems.error(
          lines.line(), "expected " + header.failure() + ", got: " + Tokens.excerpt(line));
      forget();
      return;
    }
    if (NodeIds.isZero(header.id())) {
      problems.error(lines.line(), "node GUID 0; every node needs a GUID of its own");
      forget();
      return;
    }
    String name = header.idGuid() != 0 ? "" : prefix + header.id();
    TopologyDraft.Node known = name.isEmpty() ? null : draft.byName(name);
    int t = header.type().ordinal();
    long guid = header.idGuid() != 0 ? header.idGuid() : known != null ? known.guid : next[t];
    if (header.idGuid() != 0 && nodeGuid != 0 && nodeGuid != header.idGuid()) {
      problems.warn(
          lines.line(),
          "the id says GUID "
              + Guid.format(header.idGuid())
              + ", the line before "
              + Guid.format(nodeGuid)
              + "; kept the id's");
      switchPortGuid = 0;
    }
    if (known == null && (!name.isEmpty() || nodeGuid != 0)) {
      next[t] += header.type() == NodeType.SWITCH ? 1 : header.portCount() + 1;
    }
    TopologyDraft.Node node =
        new TopologyDraft.Node(lines.line(), header.type(), guid, name, header.portCount());
    describe(node, header);
    forget();
    current = draft.add(node);
    skipping = current == null;
  }

  private void describe(TopologyDraft.Node node, NodeHeader header) {
    boolean named = !node.name.isEmpty();
    node.description = named && header.description().isEmpty() ? node.name : header.description();
    node.vendorId = vendorId;
    node.deviceId = named ? netDeviceId : deviceId; // ibsim: for all nodes from there on
    // As ibsim: a node that says nothing is its own system.
    node.systemGuid = named && systemGuid == 0 ? node.guid : systemGuid;
    node.portGuid = switchPortGuid;
    node.countedPortGuids = named && node.type != NodeType.SWITCH;
    node.enhancedPort0 = header.enhancedPort0();
    node.lid = Math.max(0, header.lid());
    node.lmc = header.lmc();
  }

  private void forget() {
    vendorId = 0;
    deviceId = 0;
    systemGuid = 0;
    nodeGuid = 0;
    switchPortGuid = 0;
  }

  // ---- ports

  private void portLine(String line) {
    if (skipping) {
      return;
    }
    if (current == null) {
      badPorts.warn(lines.line(), "port line without a node before it; dropped");
      return;
    }
    boolean onSwitch = current.type == NodeType.SWITCH;
    PortLineParser.Outcome outcome = PortLineParser.parse(line, onSwitch);
    TopologyDraft.Port port = outcome.port();
    if (port == null) {
      cutInside = true;
      badPorts.warn(
          lines.line(), "expected " + outcome.failure() + ", got: " + Tokens.excerpt(line));
      return;
    }
    cutInside = rateExpected && !outcome.rateSeen() || outcome.portDefaulted();
    rateExpected |= outcome.rateSeen();
    if (port.number < 1 || port.number > current.portCount) {
      badPorts.warn(
          lines.line(),
          current.display()
              + " has ports 1.."
              + current.portCount
              + ", no port "
              + port.number
              + "; line dropped");
      return;
    }
    port.line = lines.line();
    if (port.peerGuid == 0 && port.peerName.indexOf('#') < 0) {
      port.peerName = prefix + port.peerName;
    }
    draft.add(current, port);
  }
}
