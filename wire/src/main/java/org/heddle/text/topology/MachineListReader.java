package org.heddle.text.topology;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.heddle.fabric.Counted;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.fabric.MachineList;
import org.heddle.fabric.Machines;
import org.heddle.fabric.NodeNames;
import org.heddle.text.LineReader;
import org.heddle.text.NearWords;
import org.heddle.text.Parsed;
import org.heddle.text.Problems;
import org.heddle.text.Source;
import org.heddle.text.Tokens;
import org.heddle.text.yaml.YamlFields;
import org.heddle.text.yaml.YamlNode;
import org.heddle.text.yaml.YamlNode.Mapping;
import org.heddle.text.yaml.YamlNode.Pair;
import org.heddle.text.yaml.YamlNode.Scalar;
import org.heddle.text.yaml.YamlNode.Sequence;
import org.heddle.text.yaml.YamlReader;

/**
 * Reads the machines that a site lists: YAML 1.2, described in {@code docs/topology.md}.
 *
 * <pre>{@code
 * version: 1
 * machines:
 *   gpu07: [0x0002c90300a0b0c0, gpu07-b mlx5_0]
 * ...
 * }</pre>
 *
 * <p>An adapter is meant by its node GUID, the GUID of one of its ports, or its whole description.
 * The list decides who gets which adapters, so nothing is passed over: what is not in the fabric,
 * is in two machines, or has its machine's other adapters left out, is an error with its line, and
 * so is a file without its last line, {@code ...}, which may be cut off. O(bytes + nodes).
 */
public final class MachineListReader {
  private static final List<String> KEYS = List.of("version", "machines");
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
  private static final Pattern GUID = Pattern.compile("0x[0-9a-fA-F]{1,16}");
  private static final String END = "...";

  private final Problems problems;
  private final List<Fabric> fabrics;
  private final Map<String, Integer> lines = new LinkedHashMap<>(); // by machine
  private final Map<Long, String> machineOf = new LinkedHashMap<>(); // by node GUID, in order
  private final Map<Long, Integer> lineOf = new HashMap<>();
  private final Map<String, Set<Long>> described = new HashMap<>(); // node GUIDs by description

  private MachineListReader(Problems problems, List<Fabric> fabrics) {
    this.problems = problems;
    this.fabrics = fabrics;
    for (Fabric fabric : fabrics) {
      for (int node = fabric.switchCount(); node < fabric.nodeCount(); node++) {
        if (Machines.isAdapter(fabric, node)) {
          described
              .computeIfAbsent(fabric.description(node).strip(), _ -> new TreeSet<>())
              .add(fabric.nodeGuid(node));
        }
      }
    }
  }

  /**
   * Reads a list.
   *
   * @param fabrics in one of which each adapter must be: the fabric, and others that it was before
   */
  public static Parsed<MachineList> read(Source source, List<Fabric> fabrics) {
    Problems problems = new Problems(source.name());
    YamlNode root =
        YamlReader.parse(
            source.bytes(), problems, "a list of machines", "'version: 1' is expected first");
    MachineListReader reader = new MachineListReader(problems, fabrics);
    if (root instanceof Mapping map) {
      reader.file(map);
    } else if (root != null) {
      problems.error(root.line(), "a list of machines is a map of keys, got: " + root.kind());
    }
    reader.end(source);
    if (!problems.hasErrors()) {
      fabrics.forEach(reader::complete);
    }
    return problems.result(MachineList.of(reader.machineOf));
  }

  private void file(Mapping map) {
    YamlFields fields = new YamlFields(map, KEYS, "of a list of machines", problems);
    if (!(fields.value("version") instanceof Scalar s && s.text().equals("1"))) {
      problems.error(
          fields.has("version") ? fields.line("version") : map.line(), "'version: 1' is expected");
    }
    if (!(fields.value("machines") instanceof Mapping machines)) {
      problems.error(
          fields.has("machines") ? fields.line("machines") : map.line(),
          "'machines' must be a map from names to lists of adapters, such as gpu07: [0x.., 0x..]");
      return;
    }
    for (Pair pair : machines.pairs()) {
      machine(pair);
    }
  }

  private void machine(Pair pair) {
    String name = pair.key();
    if (!NAME.matcher(name).matches() || GUID.matcher(name).matches()) {
      problems.error(
          pair.line(),
          "a machine's name is 1 to 64 letters, digits, '.', '_' or '-', and no GUID; got: "
              + Tokens.excerpt(name));
      return;
    }
    Integer before = lines.putIfAbsent(name, pair.line());
    if (before != null) {
      problems.error(
          pair.line(), "machine '" + name + "' is here twice; the first is in line " + before);
      return;
    }
    if (!(pair.value() instanceof Sequence list) || list.items().isEmpty()) {
      problems.error(
          pair.line(),
          "machine '"
              + name
              + "' needs a list of adapters, such as [0x.., 0x..], got: "
              + pair.value().kind());
      return;
    }
    if (list.items().size() > Machines.MAX_ADAPTERS) {
      problems.error(
          pair.line(),
          "machine '%s' has more adapters than %d: %d"
              .formatted(name, Machines.MAX_ADAPTERS, list.items().size()));
      return;
    }
    for (YamlNode item : list.items()) {
      if (item instanceof Scalar s && !s.isNull()) {
        adapter(name, s);
      } else {
        problems.error(
            item.line(), "an adapter's GUID or description is expected, got: " + item.kind());
      }
    }
  }

  private void adapter(String machine, Scalar item) {
    String text = item.text().strip();
    long guid = GUID.matcher(text).matches() ? byGuid(text, item) : byDescription(text, item);
    if (guid == 0) {
      return;
    }
    String before = machineOf.putIfAbsent(guid, machine);
    if (before != null) {
      problems.error(
          item.line(),
          "adapter %s of machine '%s' is listed already, in machine '%s', line %d"
              .formatted(Guid.format(guid), machine, before, lineOf.get(guid)));
    }
    lineOf.putIfAbsent(guid, item.line());
  }

  /** Node GUID of the adapter that has it or a port with it; 0 after an error. */
  private long byGuid(String text, Scalar item) {
    long guid = Long.parseUnsignedLong(text.substring(2), 16);
    for (Fabric fabric : fabrics) {
      int node = fabric.findNode(guid);
      int port = node == Fabric.NONE ? fabric.findPort(guid) : Fabric.NONE;
      node = port == Fabric.NONE ? node : fabric.nodeOf(port);
      if (node != Fabric.NONE) {
        if (Machines.isAdapter(fabric, node)) {
          return fabric.nodeGuid(node);
        }
        problems.error(
            item.line(), text + " is " + fabric.node(node).display() + ", no adapter of a machine");
        return 0;
      }
    }
    problems.error(item.line(), "no adapter and no port of one in the fabric has the GUID " + text);
    return 0;
  }

  private long byDescription(String text, Scalar item) {
    Set<Long> found = described.getOrDefault(text, Set.of());
    if (found.size() == 1) {
      return found.iterator().next();
    }
    problems.error(
        item.line(),
        found.isEmpty()
            ? "no adapter of the fabric is called '"
                + Tokens.excerpt(text)
                + "'"
                + NearWords.hint(text, described.keySet())
            : Counted.of(found.size(), "adapter is", "adapters are")
                + " called '"
                + Tokens.excerpt(text)
                + "'; name one by its GUID");
    return 0;
  }

  /** A file that does not say where it ends may have lost its last machines. */
  private void end(Source source) {
    LineReader reader = new LineReader(source.bytes());
    String last = "";
    int at = 0;
    for (String line = reader.next(); line != null; line = reader.next()) {
      if (!line.isBlank()) {
        last = line.strip();
        at = reader.line();
      }
    }
    if (!last.equals(END)) {
      problems.error(
          at, "the last line is not '" + END + "', the end of a document: the file is cut off");
    }
  }

  /** Adapters that would be in a machine with those that are listed must be listed, too. */
  private void complete(Fabric fabric) {
    Machines plain = fabric.withMachines(MachineList.NONE).machines();
    Set<String> told = new TreeSet<>();
    List<Integer> left = new ArrayList<>();
    Map<Integer, String> listed = new HashMap<>(); // by machine as it is without the list
    for (int node = fabric.switchCount(); node < fabric.nodeCount(); node++) {
      String machine = machineOf.get(fabric.nodeGuid(node));
      if (machine != null) {
        listed.putIfAbsent(plain.of(node), machine);
      } else if (plain.of(node) != Fabric.NONE) {
        left.add(node);
      }
    }
    for (int node : left) {
      String name = NodeNames.machine(fabric.description(node));
      String machine = lines.containsKey(name) ? name : listed.get(plain.of(node));
      if (machine != null && told.add(machine)) {
        problems.error(
            lines.get(machine),
            "adapter "
                + fabric.node(node).display()
                + " is in no machine of the list, though its "
                + (lines.containsKey(name) ? "name" : "name or system image GUID")
                + " is that of machine '"
                + machine
                + "': list it there, or as a machine of its own");
      }
    }
  }
}
