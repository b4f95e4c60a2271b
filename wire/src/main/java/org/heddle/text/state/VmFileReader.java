package org.heddle.text.state;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.heddle.addressing.AddressingOptions;
import org.heddle.addressing.AddressingOptions.LidOrder;
import org.heddle.addressing.AddressingScheme;
import org.heddle.fabric.Counted;
import org.heddle.fabric.Guid;
import org.heddle.fabric.Lid;
import org.heddle.text.Parsed;
import org.heddle.text.Problems;
import org.heddle.text.Source;
import org.heddle.text.Tokens;
import org.heddle.text.state.VmFile.Hypervisor;
import org.heddle.text.state.VmFile.Machine;
import org.heddle.text.yaml.YamlFields;
import org.heddle.text.yaml.YamlNode;
import org.heddle.text.yaml.YamlNode.Mapping;
import org.heddle.text.yaml.YamlNode.Scalar;
import org.heddle.text.yaml.YamlReader;

/**
 * Reads a file of virtual machines. JSON is YAML, so the reader of tenants files does the first
 * half, which keeps the line of every value. Unknown keys, missing keys and wrong values are
 * errors, and so are an id, a vGUID, a function or a LID that is there twice: nothing about who has
 * which address is guessed. O(bytes).
 */
public final class VmFileReader {
  private static final List<String> TOP =
      List.of(
          "version",
          "fabric",
          "scheme",
          "lid_order",
          "functions",
          "table_entries",
          "pkey_table",
          "gid_prefix",
          "first_vguid",
          "next_vguid",
          "hypervisors",
          "machines");
  private static final List<String> HYPERVISOR = List.of("port", "name", "lids");
  private static final List<String> MACHINE =
      List.of("id", "vguid", "host", "function", "lid", "own_lid", "weight", "pkeys");
  private static final int LARGEST_PKEY = 0x7fff;

  private final Problems problems;
  private final StateParts parts;
  private final Map<Object, Integer> seen = new HashMap<>();

  private VmFileReader(Problems problems) {
    this.problems = problems;
    this.parts = new StateParts(problems);
  }

  /** Reads a file. */
  public static Parsed<VmFile> read(Source source) {
    Problems problems = new Problems(source.name());
    YamlNode root = YamlReader.parse(source.bytes(), problems);
    VmFile file = null;
    if (root instanceof Mapping map) {
      file = new VmFileReader(problems).file(source.name(), map);
    } else if (root != null) {
      problems.error(
          root.line(),
          "a file of VMs is a JSON object with version, scheme and machines, got: " + root.kind());
    }
    return problems.result(file);
  }

  /** The word of an order. */
  static String word(LidOrder order) {
    return order.name().toLowerCase(Locale.ROOT);
  }

  private VmFile file(String source, Mapping map) {
    YamlFields fields = new YamlFields(map, TOP, "of a file of VMs", problems);
    parts.version(fields, map.line());
    for (String key : TOP) {
      if (!fields.has(key) && !key.equals("version") && !key.equals("fabric")) {
        problems.error(map.line(), missing(key));
      }
    }
    AddressingOptions options = options(fields);
    List<Hypervisor> hypervisors = new ArrayList<>();
    for (Mapping m : parts.objects(fields, "hypervisors")) {
      hypervisors.add(hypervisor(m, options));
    }
    List<Machine> machines = new ArrayList<>();
    for (Mapping m : parts.objects(fields, "machines")) {
      machines.add(machine(m, options));
    }
    long next = hex(fields, "next_vguid");
    for (Machine m : machines) {
      if (Long.compareUnsigned(m.vguid().value(), next) >= 0) {
        problems.error(m.line(), "vGUID " + m.vguid() + " has not been given out yet");
      }
    }
    return new VmFile(source, parts.mark(fields, this::mark), options, next, hypervisors, machines);
  }

  private static String missing(String key) {
    return "'" + key + "' is missing";
  }

  private AddressingOptions options(YamlFields fields) {
    Map<String, AddressingScheme> schemes = new LinkedHashMap<>();
    for (AddressingScheme scheme : AddressingScheme.values()) {
      schemes.put(scheme.key(), scheme);
    }
    Map<String, LidOrder> orders = new LinkedHashMap<>();
    for (LidOrder order : LidOrder.values()) {
      orders.put(word(order), order);
    }
    return new AddressingOptions(
        fields.choice("scheme", schemes, AddressingScheme.DYNAMIC),
        fields.choice("lid_order", orders, LidOrder.UP),
        fields.integer("functions", 1, AddressingOptions.MAX_FUNCTIONS, 1),
        fields.integer("table_entries", 2, Lid.MAX_UNICAST + 1, Lid.MAX_UNICAST + 1),
        fields.integer("pkey_table", 1, StateParts.MANY, 1),
        hex(fields, "gid_prefix"),
        hex(fields, "first_vguid"));
  }

  private StateFile.Mark mark(Mapping map) {
    YamlFields fields = fields(map, StateParts.FABRIC, "of 'fabric'");
    return new StateFile.Mark(
        hex(fields, "fingerprint"),
        fields.integer("switches", 0, StateParts.MANY, 0),
        fields.integer("hosts", 0, StateParts.MANY, 0));
  }

  private YamlFields fields(Mapping map, List<String> keys, String where) {
    YamlFields fields = new YamlFields(map, keys, where, problems);
    for (String key : keys) {
      if (!fields.has(key)) {
        problems.error(map.line(), missing(key) + " " + where);
      }
    }
    return fields;
  }

  private Hypervisor hypervisor(Mapping map, AddressingOptions options) {
    YamlFields fields = fields(map, HYPERVISOR, "of a hypervisor");
    Guid port = new Guid(hex(fields, "port"));
    once("port " + port, map.line());
    String name = parts.name(fields);
    List<Integer> lids = numbers(fields, "lids", AddressingOptions.LAST_EXTENDED);
    if (lids.size() > options.functions()) {
      problems.error(
          map.line(),
          Counted.of(lids.size(), "LID", "LIDs")
              + ", but a port has "
              + Counted.of(options.functions(), "function", "functions"));
    }
    for (int lid : lids) {
      if (lid != Lid.NONE) {
        once("LID " + lid, map.line());
      }
    }
    return new Hypervisor(map.line(), port, name, lids);
  }

  private Machine machine(Mapping map, AddressingOptions options) {
    YamlFields fields = fields(map, MACHINE, "of a VM");
    String id = fields.text("id", "a text");
    if (id != null && !VmFile.isId(id)) {
      problems.error(
          fields.line("id"),
          "an id is 1 to 63 letters, digits, '_', '-', '.' or ':', the first a letter or digit;"
              + " got: "
              + Tokens.excerpt(id));
    }
    Guid vguid = new Guid(hex(fields, "vguid"));
    Guid host = new Guid(hex(fields, "host"));
    int function = fields.integer("function", 0, options.functions() - 1, 0);
    once("VM " + id, map.line());
    once("vGUID " + vguid, map.line());
    once("function " + function + " of " + host, map.line());
    return new Machine(
        map.line(),
        id == null ? "" : id,
        vguid,
        host,
        function,
        fields.integer("lid", 1, AddressingOptions.LAST_EXTENDED, 1),
        fields.choice("own_lid", Map.of("true", true, "false", false), true),
        fields.integer("weight", 1, StateParts.MANY, 1),
        numbers(fields, "pkeys", LARGEST_PKEY));
  }

  private void once(String what, int line) {
    Integer before = seen.putIfAbsent(what, line);
    if (before != null) {
      problems.error(line, what + " is here twice; the first is in line " + before);
    }
  }

  private List<Integer> numbers(YamlFields fields, String key, int most) {
    List<Integer> out = new ArrayList<>();
    for (YamlNode node : fields.list(key, "a list of numbers")) {
      int value = node instanceof Scalar s ? Tokens.number(s.text().strip()) : -1;
      if (value < 0 || value > most) {
        problems.error(
            node.line(), "'" + key + "' holds numbers from 0 to " + most + ", got: " + node.kind());
        value = 0;
      }
      out.add(value);
    }
    return out;
  }

  private long hex(YamlFields fields, String key) {
    String text = fields.has(key) ? fields.text(key, "0x and hexadecimal digits") : null;
    return text == null ? 0 : parts.hex(fields, key, text);
  }
}
