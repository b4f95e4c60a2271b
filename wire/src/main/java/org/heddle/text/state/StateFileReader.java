package org.heddle.text.state;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.heddle.allocation.Rails;
import org.heddle.fabric.FabricBuilder;
import org.heddle.fabric.Guid;
import org.heddle.fabric.MachineList;
import org.heddle.tenancy.PKeys;
import org.heddle.text.Parsed;
import org.heddle.text.Problems;
import org.heddle.text.Source;
import org.heddle.text.Tokens;
import org.heddle.text.state.StateFile.Host;
import org.heddle.text.state.StateFile.Link;
import org.heddle.text.state.StateFile.Mark;
import org.heddle.text.state.StateFile.Tenant;
import org.heddle.text.tenants.TenantsChecks;
import org.heddle.text.yaml.YamlFields;
import org.heddle.text.yaml.YamlNode;
import org.heddle.text.yaml.YamlNode.Mapping;
import org.heddle.text.yaml.YamlNode.Pair;
import org.heddle.text.yaml.YamlNode.Scalar;
import org.heddle.text.yaml.YamlNode.Sequence;
import org.heddle.text.yaml.YamlReader;

/**
 * Reads a state file. JSON is YAML, so the reader of tenants files does the first half, which keeps
 * the line of every value. Unknown keys, missing keys and wrong values are errors, and so are a
 * host or a link in two tenants: nothing about who owns what is guessed. O(bytes).
 */
public final class StateFileReader {
  private static final List<String> TOP =
      List.of("version", "fabric", "engine", "machines", "tenants");
  private static final List<String> TENANT =
      List.of(
          "name",
          "pkey",
          "requested",
          "oversubscription",
          "allocator",
          "guaranteed",
          "rails",
          "hosts",
          "links");
  private static final List<String> HOST = List.of("guid", "name", "adapters");
  private static final List<String> LINK = List.of("switch", "port", "to", "to_port");

  private final Problems problems;
  private final StateParts parts;
  private final Set<String> names = new HashSet<>();
  private final Map<Integer, Integer> keyLines = new HashMap<>();
  private final Map<Guid, Integer> hostLines = new HashMap<>();
  private final Map<Link, Integer> linkLines = new HashMap<>();

  private StateFileReader(Problems problems) {
    this.problems = problems;
    this.parts = new StateParts(problems);
  }

  /** Reads a file. */
  public static Parsed<StateFile> read(Source source) {
    Problems problems = new Problems(source.name());
    YamlNode root = YamlReader.parse(source.bytes(), problems);
    StateFile state = null;
    if (root instanceof Mapping map) {
      state = new StateFileReader(problems).state(source.name(), map);
    } else if (root != null) {
      problems.error(
          root.line(),
          "a state file is a JSON object with version, fabric, engine and tenants, got: "
              + root.kind());
    }
    return problems.result(state);
  }

  private StateFile state(String source, Mapping map) {
    YamlFields fields = new YamlFields(map, TOP, "of a state file", problems);
    parts.version(fields, map.line());
    String engine = required(fields, "engine", "the name of a routing engine", map.line());
    List<Tenant> tenants = new ArrayList<>();
    if (!fields.has("tenants")) {
      problems.error(map.line(), "'tenants' is missing");
    }
    for (YamlNode node : fields.list("tenants", "a list of tenants")) {
      if (node instanceof Mapping tenant) {
        tenants.add(tenant(tenant));
      } else {
        problems.error(node.line(), "a tenant must be an object, got: " + node.kind());
      }
    }
    Optional<Mark> mark = parts.mark(fields, this::mark);
    if (mark.isEmpty() && !tenants.isEmpty()) {
      problems.error(map.line(), "'fabric' is missing: the fabric these tenants are on");
    }
    return new StateFile(source, mark, engine, machines(fields), tenants);
  }

  /** Machines as the site listed them; files of sites that list none have no such key. */
  private MachineList machines(YamlFields fields) {
    YamlNode node = fields.value("machines");
    Map<Long, String> machineOf = new LinkedHashMap<>();
    if (node instanceof Mapping map) {
      map.pairs().forEach(pair -> machine(pair, machineOf));
    } else if (node != null) {
      problems.error(fields.line("machines"), "'machines' must be an object, got: " + node.kind());
    }
    return MachineList.of(machineOf);
  }

  private void machine(Pair pair, Map<Long, String> machineOf) {
    List<YamlNode> adapters = pair.value() instanceof Sequence s ? s.items() : List.of();
    if (adapters.isEmpty()) {
      problems.error(pair.line(), "machine '" + pair.key() + "' needs a list of node GUIDs");
    }
    for (YamlNode adapter : adapters) {
      Optional<Guid> guid = guid(adapter);
      if (guid.isPresent() && machineOf.putIfAbsent(guid.get().value(), pair.key()) != null) {
        problems.error(adapter.line(), "adapter " + guid.get() + " is listed already");
      }
    }
  }

  private Optional<Guid> guid(YamlNode node) {
    String text = node instanceof Scalar s ? s.text() : "";
    String digits = Tokens.withoutPrefix(text);
    if (text.startsWith("0x") && Tokens.isHex(digits)) {
      return Optional.of(new Guid(Long.parseUnsignedLong(digits, 16)));
    }
    problems.error(node.line(), "a node GUID is expected, got: " + Tokens.excerpt(text));
    return Optional.empty();
  }

  private Mark mark(Mapping map) {
    YamlFields fields = new YamlFields(map, StateParts.FABRIC, "of 'fabric'", problems);
    return new Mark(
        hex(fields, "fingerprint", map.line()),
        number(fields, "switches", 0, StateParts.MANY, map.line()),
        number(fields, "hosts", 0, StateParts.MANY, map.line()));
  }

  private Tenant tenant(Mapping map) {
    YamlFields fields = new YamlFields(map, TENANT, "of a tenant", problems);
    int line = fields.has("name") ? fields.line("name") : map.line();
    String name = required(fields, "name", "the tenant's name", map.line());
    if (!name.isEmpty() && !TenantsChecks.isName(name)) {
      problems.error(
          line,
          "a name is 1 to 31 letters, digits, '_', '-' or '.', the first a letter or digit; got: "
              + Tokens.excerpt(name));
    } else if (!name.isEmpty() && !names.add(name)) {
      problems.error(line, "a second tenant '" + name + "'");
    }
    List<Host> hosts = new ArrayList<>();
    for (Mapping m : objects(fields, "hosts", map.line())) {
      hosts.add(host(m, name));
    }
    if (hosts.isEmpty() && fields.has("hosts")) {
      problems.error(
          fields.line("hosts"), "'" + name + "' has no hosts: a tenant has one at least");
    }
    List<Link> links = new ArrayList<>();
    for (Mapping m : objects(fields, "links", map.line())) {
      links.add(link(m, name));
    }
    Map<String, Boolean> truth = new LinkedHashMap<>();
    truth.put("true", true);
    truth.put("false", false);
    boolean guaranteed = fields.choice("guaranteed", truth, true);
    if (!fields.has("guaranteed")) {
      problems.error(map.line(), "'guaranteed' is missing: true or false");
    }
    return new Tenant(
        line,
        name,
        pkey(fields, name),
        number(fields, "requested", 1, StateParts.MANY, map.line()),
        number(fields, "oversubscription", 1, StateParts.MANY, map.line()),
        required(fields, "allocator", "the name of an allocator", map.line()),
        guaranteed,
        fields.choice("rails", rails(), Rails.SEPARATE),
        hosts,
        links);
  }

  private static Map<String, Rails> rails() {
    Map<String, Rails> words = new LinkedHashMap<>();
    for (Rails r : Rails.values()) {
      words.put(r.word(), r);
    }
    return words;
  }

  /** Files of before keys were kept have none. */
  private int pkey(YamlFields fields, String tenant) {
    String text = fields.has("pkey") ? fields.text("pkey", "a P_Key, 0x0001 to 0x7ffe") : null;
    if (text == null) {
      return 0;
    }
    int line = fields.line("pkey");
    long key = parts.hex(fields, "pkey", text);
    if (key < 1 || key > PKeys.LAST) {
      problems.error(line, "'pkey' must be 0x0001 to 0x7ffe, got: " + Tokens.excerpt(text));
      return 0;
    }
    Integer before = keyLines.putIfAbsent((int) key, line);
    if (before != null) {
      problems.error(
          line,
          "P_Key 0x%04x of '%s' is a tenant's already, see line %d".formatted(key, tenant, before));
      return 0;
    }
    return (int) key;
  }

  private Host host(Mapping map, String tenant) {
    YamlFields fields = new YamlFields(map, HOST, "of a host", problems);
    Guid guid = new Guid(hex(fields, "guid", map.line()));
    Set<Guid> all = new LinkedHashSet<>();
    for (YamlNode node : fields.list("adapters", "a list of node GUIDs")) {
      guid(node).ifPresent(all::add);
    }
    List<Guid> adapters = List.copyOf(all);
    all.add(guid);
    for (Guid one : all) {
      Integer before = hostLines.putIfAbsent(one, map.line());
      if (before != null && one.value() != 0) {
        problems.error(
            map.line(), one + " of '" + tenant + "' is a tenant's already, see line " + before);
      }
    }
    return new Host(map.line(), guid, parts.name(fields), adapters);
  }

  private Link link(Mapping map, String tenant) {
    YamlFields fields = new YamlFields(map, LINK, "of a link", problems);
    Link link =
        new Link(
            map.line(),
            new Guid(hex(fields, "switch", map.line())),
            number(fields, "port", 1, FabricBuilder.MAX_PORTS, map.line()),
            new Guid(hex(fields, "to", map.line())),
            number(fields, "to_port", 1, FabricBuilder.MAX_PORTS, map.line()));
    Integer before = linkLines.putIfAbsent(link.bare(), map.line());
    if (before != null && link.from().value() != 0) {
      problems.error(
          map.line(), "a link of '" + tenant + "' is a tenant's already, see line " + before);
    }
    return link;
  }

  private List<Mapping> objects(YamlFields fields, String key, int line) {
    if (!fields.has(key)) {
      problems.error(line, "'" + key + "' is missing");
    }
    return parts.objects(fields, key);
  }

  private String required(YamlFields fields, String key, String what, int line) {
    if (!fields.has(key)) {
      problems.error(line, "'" + key + "' is missing: " + what);
      return "";
    }
    String text = fields.text(key, what);
    return text == null ? "" : text;
  }

  private int number(YamlFields fields, String key, int least, int most, int line) {
    if (!fields.has(key)) {
      problems.error(line, "'" + key + "' is missing: a number");
    }
    return fields.integer(key, least, most, least);
  }

  private long hex(YamlFields fields, String key, int line) {
    String text = required(fields, key, "0x and up to 16 hexadecimal digits", line);
    return text.isEmpty() ? 0 : parts.hex(fields, key, text);
  }
}
