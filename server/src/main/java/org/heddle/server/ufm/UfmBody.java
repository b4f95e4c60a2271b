package org.heddle.server.ufm;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.heddle.plan.model.Member;
import org.heddle.plan.model.PartitionOptions;
import org.heddle.server.json.JsonBodies;
import tools.jackson.databind.JsonNode;

/** The body of a call, read leniently where clients differ and strictly where it matters. */
final class UfmBody {
  private final JsonNode root;

  private UfmBody(JsonNode root) {
    this.root = root;
  }

  /** A body that cannot be used; the message says what was expected. */
  static final class Wrong extends Exception {
    private static final long serialVersionUID = 1;

    Wrong(String message) {
      super(message);
    }
  }

  static UfmBody read(byte[] bytes) throws Wrong {
    try {
      return new UfmBody(JsonBodies.lenient(bytes));
    } catch (JsonBodies.Malformed e) {
      throw new Wrong(e.getMessage());
    }
  }

  /** The partition's key; a text or, as some clients do, a number. */
  int key() throws Wrong {
    JsonNode node = root.get("pkey");
    if (node == null || !(node.isString() || node.isIntegralNumber())) {
      throw new Wrong("pkey is missing: expected a text like \"0x12\"");
    }
    return tenantKey(node.asString());
  }

  /** A key from a path or a body; the default partition's is one, 0 and others are none. */
  static int tenantKey(String text) throws Wrong {
    OptionalInt key = UfmText.key(text);
    if (key.isEmpty()) {
      throw new Wrong("pkey '" + text + "' is none: expected 0x1 to 0x7ffe");
    }
    return key.getAsInt();
  }

  /** What the body says, name by name. */
  List<Map.Entry<String, JsonNode>> fields() {
    return List.copyOf(root.properties());
  }

  /** A part of the body, or a missing node. */
  JsonNode at(String name) {
    return root.path(name);
  }

  boolean flag(String name, boolean otherwise) throws Wrong {
    JsonNode node = root.get(name);
    if (node == null || node.isNull()) {
      return otherwise;
    }
    // Slurm's prolog sends what stands in its configuration file, as text
    String word = node.isString() ? node.stringValue().strip().toLowerCase(Locale.ROOT) : "";
    if (!node.isBoolean() && !word.equals("true") && !word.equals("false")) {
      throw new Wrong(name + " must be true or false");
    }
    return node.isBoolean() ? node.booleanValue() : word.equals("true");
  }

  String text(String name, String otherwise) throws Wrong {
    JsonNode node = root.get(name);
    if (node == null || node.isNull()) {
      return otherwise;
    }
    if (!node.isString()) {
      throw new Wrong(name + " must be a text");
    }
    return node.stringValue();
  }

  /** GUIDs with their kind of membership; empty if the call names none. */
  List<Member> members() throws Wrong {
    List<Long> guids = guids();
    JsonNode kinds = root.get("memberships");
    kinds = kinds != null && kinds.isNull() ? null : kinds; // what Go makes of an empty list
    if (kinds != null && (!kinds.isArray() || kinds.size() != guids.size())) {
      throw new Wrong("memberships must be an array as long as guids");
    }
    boolean one = full();
    boolean index0 = flag("index0", false);
    Map<Long, Member> members = new LinkedHashMap<>();
    for (int i = 0; i < guids.size(); i++) {
      boolean full = kinds == null ? one : full(kinds.get(i).asString());
      Member before = members.put(guids.get(i), new Member(guids.get(i), full, index0));
      if (before != null && before.full() != full) {
        throw new Wrong("guids names one GUID as full and as limited member");
      }
    }
    return List.copyOf(members.values());
  }

  /** The kind of membership that all get whom the call names. */
  boolean full() throws Wrong {
    return full(text("membership", "full"));
  }

  /** True if the call says something of quality of service. */
  boolean saysQuality() {
    return root.has("mtu_limit") || root.has("service_level") || root.has("rate_limit");
  }

  List<Long> guids() throws Wrong {
    JsonNode node = root.get("guids");
    if (node == null || !node.isArray()) {
      throw new Wrong("guids is missing: expected an array of texts of 16 hexadecimal digits");
    }
    List<Long> out = new ArrayList<>(node.size());
    for (JsonNode guid : node) {
      out.add(guid(guid.asString()));
    }
    return out;
  }

  static long guid(String text) throws Wrong {
    OptionalLong guid = UfmText.guid(text);
    if (guid.isEmpty()) {
      throw new Wrong("guid '" + text + "' is none: expected 16 hexadecimal digits");
    }
    return guid.getAsLong();
  }

  /** Options with the quality of service that the call names, if it names any. */
  PartitionOptions quality(PartitionOptions options) throws Wrong {
    if (!saysQuality()) {
      return options;
    }
    UfmQuality before = UfmQuality.of(options);
    UfmQuality q =
        new UfmQuality(
            number("mtu_limit", before.mtuLimit()),
            number("service_level", before.serviceLevel()),
            number("rate_limit", before.rateLimit()));
    if (q.problem() != null) {
      throw new Wrong(q.problem());
    }
    return options.withQuality(q.mtu(), q.rateLimit(), (int) q.serviceLevel());
  }

  private double number(String name, double otherwise) throws Wrong {
    JsonNode node = root.get(name);
    if (node == null || node.isNull()) {
      return otherwise;
    }
    if (!node.isNumber()) {
      throw new Wrong(name + " must be a number");
    }
    return node.doubleValue();
  }

  private static boolean full(String word) throws Wrong {
    return switch (word.toLowerCase(Locale.ROOT)) {
      case "full" -> true;
      case "limited" -> false;
      default -> throw new Wrong("membership '" + word + "' must be full or limited");
    };
  }
}
