package org.heddle.text;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.heddle.addressing.AddressingOptions;
import org.heddle.addressing.AddressingOptions.LidOrder;
import org.heddle.addressing.AddressingScheme;
import org.heddle.fabric.Guid;
import org.heddle.fabric.Lid;
import org.heddle.text.TenantsNode.Mapping;
import org.heddle.text.TenantsNode.Scalar;
import org.heddle.text.VmFile.Hypervisor;
import org.heddle.text.VmFile.Machine;

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
  private static final List<String> FABRIC = List.of("fingerprint", "switches", "hosts");
  private static final List<String> HYPERVISOR = List.of("port", "name", "lids");
  private static final List<String> MACHINE =
      List.of("id", "vguid", "host", "function", "lid", "own_lid", "weight", "pkeys");
  private static final int MANY = 1 << 24;
  private static final int LARGEST_PKEY = 0x7fff;

  private final Problems problems;
  private final Map<Object, Integer> seen = new HashMap<>();

  private VmFileReader(Problems problems) {
    this.problems = problems;
  }

  /** Reads a file. */
  public static Parsed<VmFile> read(Source source) {
    Problems problems = new Problems(source.name());
    TenantsNode root = TenantsYaml.parse(source.bytes(), problems);
    VmFile file = null;
    if (root instanceof Mapping map) {
      file = new VmFileReader(problems).file(source.name(), map);
    } else if (root != null) {
      problems.error(
          root.line(),
          "a file of machines is a JSON object with version, scheme and machines, got: "
              + root.kind());
    }
    return problems.result(file);
  }

  /** The word of an order. */
  static String word(LidOrder order) {
    return order.name().toLowerCase(Locale.ROOT);
  }

  private VmFile file(String source, Mapping map) {
    TenantsFields fields = new TenantsFields(map, TOP, "of a file of machines", problems);
    for (String key : TOP) {
      if (!fields.has(key) && !key.equals("fabric")) {
        problems.error(
            map.line(), key.equals("version") ? "\"version\": 1 is missing" : missing(key));
      }
    }
    if (fields.has("version")
        && !(fields.value("version") instanceof Scalar s && s.text().equals("1"))) {
      problems.error(
          fields.line("version"),
          "this is Heddle for version 1 of the format, the file says version "
              + fields.value("version").kind());
    }
    AddressingOptions options = options(fields);
    List<Hypervisor> hypervisors = new ArrayList<>();
    for (Mapping m : objects(fields, "hypervisors")) {
      hypervisors.add(hypervisor(m, options));
    }
    List<Machine> machines = new ArrayList<>();
    for (Mapping m : objects(fields, "machines")) {
      machines.add(machine(m, options));
    }
    long next = hex(fields, "next_vguid");
    for (Machine m : machines) {
      if (Long.compareUnsigned(m.vguid().value(), next) >= 0) {
        problems.error(m.line(), "vGUID " + m.vguid() + " has not been given out yet");
      }
    }
    return new VmFile(source, mark(fields), options, next, hypervisors, machines);
  }

  private static String missing(String key) {
    return "'" + key + "' is missing";
  }

  private AddressingOptions options(TenantsFields fields) {
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
        fields.integer("pkey_table", 1, MANY, 1),
        hex(fields, "gid_prefix"),
        hex(fields, "first_vguid"));
  }

  private Optional<StateFile.Mark> mark(TenantsFields top) {
    TenantsNode node = top.value("fabric");
    if (node == null) {
      return Optional.empty();
    }
    if (!(node instanceof Mapping map)) {
      problems.error(top.line("fabric"), "'fabric' must be an object, got: " + node.kind());
      return Optional.empty();
    }
    TenantsFields fields = fields(map, FABRIC, "of 'fabric'");
    return Optional.of(
        new StateFile.Mark(
            hex(fields, "fingerprint"),
            fields.integer("switches", 0, MANY, 0),
            fields.integer("hosts", 0, MANY, 0)));
  }

  private TenantsFields fields(Mapping map, List<String> keys, String where) {
    TenantsFields fields = new TenantsFields(map, keys, where, problems);
    for (String key : keys) {
      if (!fields.has(key)) {
        problems.error(map.line(), missing(key) + " " + where);
      }
    }
    return fields;
  }

  private Hypervisor hypervisor(Mapping map, AddressingOptions options) {
    TenantsFields fields = fields(map, HYPERVISOR, "of a hypervisor");
    Guid port = new Guid(hex(fields, "port"));
    once("port " + port, map.line());
    String name = "";
    if (fields.value("name") instanceof Scalar s) {
      name = s.text();
    } else if (fields.has("name")) {
      problems.error(fields.line("name"), "'name' must be a text");
    }
    List<Integer> lids = numbers(fields, "lids", AddressingOptions.LAST_EXTENDED);
    if (lids.size() > options.functions()) {
      problems.error(
          map.line(), lids.size() + " LIDs, but a port has " + options.functions() + " functions");
    }
    for (int lid : lids) {
      if (lid != Lid.NONE) {
        once("LID " + lid, map.line());
      }
    }
    return new Hypervisor(map.line(), port, name, lids);
  }

  private Machine machine(Mapping map, AddressingOptions options) {
    TenantsFields fields = fields(map, MACHINE, "of a machine");
    String id = fields.text("id", "a text");
    if (id != null && !VmFile.isId(id)) {
      problems.error(
          fields.line("id"),
          "an id is 1 to 63 letters, digits, '_', '-', '.' or ':', the first a letter or digit; got: "
              + Tokens.excerpt(id));
    }
    Guid vguid = new Guid(hex(fields, "vguid"));
    Guid host = new Guid(hex(fields, "host"));
    int function = fields.integer("function", 0, options.functions() - 1, 0);
    once("machine " + id, map.line());
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
        fields.integer("weight", 1, MANY, 1),
        numbers(fields, "pkeys", LARGEST_PKEY));
  }

  private void once(String what, int line) {
    Integer before = seen.putIfAbsent(what, line);
    if (before != null) {
      problems.error(line, what + " is here twice; the first is in line " + before);
    }
  }

  private List<Integer> numbers(TenantsFields fields, String key, int most) {
    List<Integer> out = new ArrayList<>();
    for (TenantsNode node : fields.list(key, "a list of numbers")) {
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

  private List<Mapping> objects(TenantsFields fields, String key) {
    List<Mapping> out = new ArrayList<>();
    for (TenantsNode node : fields.list(key, "a list of objects")) {
      if (node instanceof Mapping map) {
        out.add(map);
      } else {
        problems.error(node.line(), "'" + key + "' holds objects, got: " + node.kind());
      }
    }
    return out;
  }

  private long hex(TenantsFields fields, String key) {
    String text = fields.has(key) ? fields.text(key, "0x and hexadecimal digits") : null;
    String digits = text == null ? "" : Tokens.withoutPrefix(text);
    if (text == null) {
      return 0;
    }
    if (!text.startsWith("0x") || !Tokens.isHex(digits)) {
      problems.error(
          fields.line(key),
          "'" + key + "' must be 0x and up to 16 hexadecimal digits, got: " + Tokens.excerpt(text));
      return 0;
    }
    return Long.parseUnsignedLong(digits, 16);
  }
}
