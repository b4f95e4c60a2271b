package org.heddle.server.openapi;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.heddle.control.model.Job;
import org.heddle.plan.model.EventKind;
import org.heddle.plan.model.Policy;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Schemas of records, as the interface writes them: a component is a property, an {@link Optional}
 * may be null, and one that is left out when it is null is not required.
 */
final class Schemas {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /** Records whose own names say too little outside the class that they are in. */
  private static final Map<String, String> NAMES =
      Map.ofEntries(
          Map.entry("ApiV1.Change1", "TenantOutcome"),
          Map.entry("ApiV1.EngineDocument", "FabricEngine"),
          Map.entry("ApiV1.OutDocument", "OutOfService"),
          Map.entry("VmApi.Changed", "VmOutcome"),
          Map.entry("PlanApi.Summary", "PlanSummary"),
          Map.entry("PlanApi.Applied", "PlanOutcome"),
          Map.entry("NodeApi.Details", "NodeDetails"),
          Map.entry("NodeApi.PortDocument", "NodePort"),
          Map.entry("AccountApi.Ended", "AccountRevoked"),
          Map.entry("AccountApi.Done", "AccountOutcome"),
          Map.entry("InventoryApi.End", "LinkEnd"),
          Map.entry("InventoryApi.Load", "LinkLoad"),
          Map.entry("InventoryApi.Traffic", "LinkTraffic"),
          Map.entry("Documents.Host", "TenantHost"),
          Map.entry("Documents.Link", "TenantLink"),
          Map.entry("Documents.MemberOf", "TenantMember"),
          Map.entry("ServiceApi.StateDocument", "ServiceOutcome"),
          Map.entry("ExportApi.FileDocument", "ExportedFile"),
          Map.entry("Problem.Document", "Problem"));

  private static final List<String> POLICIES =
      Arrays.stream(Policy.values()).map(Policy::word).toList();

  private static final List<String> ROLES = List.of("provider", "tenant", "viewer");

  private static final List<String> OUTCOMES = List.of("accepted", "unchanged", "would-be");

  private static final List<String> KINDS =
      Arrays.stream(EventKind.values()).map(EventKind::word).toList();

  private static final List<String> VM_CHANGES =
      List.of("stranded", "stopped", "moved", "reached", "as-host", "started", "rerouted");

  /** The words that a text may be, by schema and property. */
  static final Map<String, List<String>> WORDS =
      Map.ofEntries(
          Map.entry("Tenant.policy", POLICIES),
          Map.entry("PlanResultSide.policy", POLICIES),
          Map.entry("HistorySpecState.policy", POLICIES),
          Map.entry("PictureOwner.policy", POLICIES),
          Map.entry("TenantMember.membership", List.of("full", "limited")),
          Map.entry("TenantOutcome.outcome", OUTCOMES),
          Map.entry("VmOutcome.outcome", OUTCOMES),
          Map.entry("ServiceOutcome.outcome", OUTCOMES),
          Map.entry("ServiceOutcome.state", List.of("up", "drained")),
          Map.entry("PlanOutcome.outcome", List.of("applied", "unchanged", "would-be")),
          Map.entry("AccountRevoked.outcome", List.of("revoked", "would-be")),
          Map.entry("AccountOutcome.outcome", List.of("changed", "would-be")),
          Map.entry("Account.role", ROLES),
          Map.entry("Account.state", List.of("valid", "expired")),
          Map.entry("MadeToken.role", ROLES),
          Map.entry("MadeUser.role", ROLES),
          Map.entry("Session.role", ROLES),
          Map.entry("Job.state", Arrays.stream(Job.State.values()).map(Job.State::word).toList()),
          Map.entry("Job.kind", Stream.concat(Stream.of(Job.PLAN), KINDS.stream()).toList()),
          Map.entry("PlanSummary.state", List.of("ready", "refused", "applied", "stale")),
          Map.entry("Plan.state", List.of("tried", "ready", "refused", "applied", "stale")),
          Map.entry(
              "PlanResultTenantChange.change",
              List.of(
                  "admitted", "gone", "promise-broken", "promise-restored", "moved", "changed")),
          Map.entry("PlanResultVmChange.change", VM_CHANGES),
          Map.entry("PlanResultVmSide.route", List.of("own", "host", "none")),
          Map.entry("Migration.state", List.of("pending", "done", "would-be", "refused")),
          Map.entry("Node.kind", List.of("switch", "host", "router")),
          Map.entry("Node.state", List.of("up", "drained", "gone")),
          Map.entry("Link.kind", List.of("switch", "host")),
          Map.entry("Link.state", List.of("up", "drained", "gone")),
          Map.entry("Event.kind", KINDS),
          Map.entry("EventKind.kind", KINDS),
          Map.entry("EventKind.severity", List.of("info", "warning", "trouble")),
          Map.entry("EventKind.about", List.of("tenant", "vm", "link", "node", "fabric")),
          Map.entry("ExportedFile.format", List.of("tenants", "state")));

  /** Moments among texts, by the name of the property. */
  private static final List<String> MOMENTS =
      List.of("at", "created", "expires", "finished", "last_used", "since");

  private final Map<String, ObjectNode> made = new TreeMap<>();
  private final Map<String, Class<?>> from = new TreeMap<>();

  /**
   * All that were needed, by name.
   *
   * @throws IllegalStateException if there are words for a property that none has
   */
  Map<String, ObjectNode> made() {
    for (String property : WORDS.keySet()) {
      String[] parts = property.split("\\.");
      if (!made.containsKey(parts[0]) || !made.get(parts[0]).at("/properties").has(parts[1])) {
        throw new IllegalStateException("there is no " + property);
      }
    }
    return made;
  }

  /** A reference to the schema of a record. */
  ObjectNode reference(Class<?> record) {
    String name = name(record);
    Class<?> before = from.putIfAbsent(name, record);
    if (before != null && before != record) {
      throw new IllegalStateException(before + " and " + record + " are both called " + name);
    }
    if (before == null) {
      made.put(name, JSON.objectNode()); // it may have one of its own kind inside
      made.put(name, object(name, record));
    }
    return JSON.objectNode().put("$ref", "#/components/schemas/" + name);
  }

  /** One of several records. */
  ObjectNode oneOf(List<Class<?>> records) {
    if (records.size() == 1) {
      return reference(records.getFirst());
    }
    ObjectNode out = JSON.objectNode();
    ArrayNode all = out.putArray("anyOf");
    records.forEach(r -> all.add(reference(r)));
    return out;
  }

  private static String name(Class<?> record) {
    Class<?> outer = record.getEnclosingClass();
    String own = record.getSimpleName();
    String named = NAMES.get(outer == null ? own : outer.getSimpleName() + "." + own);
    if (named != null) {
      return named;
    }
    String bare = own.replaceFirst("Document$", "");
    return outer != null && outer.isRecord()
        ? outer.getSimpleName().replaceFirst("Document$", "") + bare
        : bare;
  }

  private ObjectNode object(String name, Class<?> record) {
    ObjectNode out = JSON.objectNode().put("type", "object").put("additionalProperties", false);
    ArrayNode required = out.putArray("required");
    ObjectNode properties = out.putObject("properties");
    for (RecordComponent c : record.getRecordComponents()) {
      String key = snake(c.getName());
      ObjectNode schema = of(c.getGenericType());
      List<String> words = WORDS.get(name + "." + key);
      if (words != null) {
        ArrayNode all = schema.putArray("enum");
        words.forEach(all::add);
      } else if (MOMENTS.contains(key) && schema.toString().contains("\"string\"")) {
        schema.put("format", "date-time");
      }
      properties.set(key, schema);
      if (!c.getAccessor().isAnnotationPresent(JsonInclude.class)) {
        required.add(key);
      }
    }
    return out;
  }

  /** As the interface writes the names of components. */
  static String snake(String name) {
    return name.replaceAll("(?<=[a-z0-9])([A-Z])", "_$1").toLowerCase(Locale.ROOT);
  }

  private ObjectNode of(Type type) {
    if (type instanceof ParameterizedType p) {
      Type inner = p.getActualTypeArguments()[p.getActualTypeArguments().length - 1];
      if (p.getRawType() == Optional.class) {
        return nullable(of(inner));
      }
      if (p.getRawType() == List.class) {
        return list(of(inner));
      }
      if (p.getRawType() == Map.class) {
        ObjectNode out = JSON.objectNode().put("type", "object");
        out.set("additionalProperties", of(inner));
        return out;
      }
    }
    if (type instanceof Class<?> c) {
      if (c.isArray()) {
        return list(of(c.getComponentType()));
      }
      if (c.isRecord()) {
        return reference(c);
      }
      String simple = simple(c);
      if (!simple.isEmpty()) {
        ObjectNode out = JSON.objectNode().put("type", simple);
        return c == long.class || c == Long.class ? out.put("format", "int64") : out;
      }
      if (JsonNode.class.isAssignableFrom(c)) {
        return JSON.objectNode(); // whatever JSON it is
      }
    }
    throw new IllegalStateException("no schema for " + type);
  }

  private static String simple(Class<?> c) {
    return switch (c.getSimpleName()) {
      case "String" -> "string";
      case "int", "Integer", "long", "Long" -> "integer";
      case "double", "Double" -> "number";
      case "boolean", "Boolean" -> "boolean";
      default -> "";
    };
  }

  private static ObjectNode list(ObjectNode items) {
    ObjectNode out = JSON.objectNode().put("type", "array");
    out.set("items", items);
    return out;
  }

  /** As of version 3.1. */
  private static ObjectNode nullable(ObjectNode schema) {
    if (schema.isEmpty()) {
      return schema;
    }
    if (schema.has("$ref")) {
      ObjectNode out = JSON.objectNode();
      ArrayNode any = out.putArray("anyOf").add(schema);
      any.addObject().put("type", "null");
      return out;
    }
    String type = schema.get("type").stringValue();
    schema.putArray("type").add(type).add("null");
    return schema;
  }
}
