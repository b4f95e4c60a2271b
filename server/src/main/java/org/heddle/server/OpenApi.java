package org.heddle.server;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.heddle.allocation.Rails;
import org.heddle.plan.model.Policy;
import org.heddle.server.http.Route;
import org.heddle.server.v1.MigrationApi;
import org.heddle.server.v1.PlanChanges;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The description of the interface, made from the list of its routes. */
final class OpenApi {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private static final List<String> PAGE = List.of("after", "limit");

  /** Parameters of queries, by method and path. */
  private static final Map<String, List<String>> QUERY =
      Map.ofEntries(
          Map.entry("GET /v1/tenants", PAGE),
          Map.entry("GET /v1/tokens", PAGE),
          Map.entry("GET /v1/users", PAGE),
          Map.entry("GET /v1/events", PAGE),
          Map.entry("GET /v1/audit", PAGE),
          Map.entry("GET /v1/history", PAGE),
          Map.entry("GET /v1/plans", PAGE),
          Map.entry("GET /v1/jobs", List.of("after", "limit", "state")),
          Map.entry("GET /v1/vms", List.of("after", "limit", "tenant", "host")),
          Map.entry("GET /v1/migrations", PAGE),
          Map.entry("GET /v1/nodes", List.of("after", "limit", "kind", "state", "tenant")),
          Map.entry("GET /v1/links", List.of("after", "limit", "kind", "state", "tenant")));

  /** Things that have versions. */
  private static final Set<String> VERSIONED = Set.of("/v1/tenants/{name}", "/v1/vms/{name}");

  /** Calls that can be asked to make something only if nothing has its name. */
  private static final Set<String> MAKING = Set.of("POST /v1/tenants", "POST /v1/vms");

  private OpenApi() {}

  /** An OpenAPI 3.1 document. */
  static ObjectNode document(List<Route> routes) {
    ObjectNode out = JSON.objectNode().put("openapi", "3.1.0");
    out.putObject("info")
        .put("title", "Heddle controller")
        .put("version", "1")
        .put("description", "Tenants of an InfiniBand fat-tree. Refusals have a reason.");
    ObjectNode paths = out.putObject("paths");
    for (Route route : routes) {
      ObjectNode path =
          paths.get(route.path()) instanceof ObjectNode there
              ? there
              : paths.putObject(route.path());
      path.set(route.method().toLowerCase(Locale.ROOT), operation(route));
    }
    ObjectNode components = out.putObject("components");
    ObjectNode schemes = components.putObject("securitySchemes");
    schemes.putObject("token").put("type", "http").put("scheme", "bearer");
    schemes.putObject("user").put("type", "http").put("scheme", "basic");
    ObjectNode schemas = components.putObject("schemas");
    schemas.set("Problem", problem());
    schemas.set("TenantRequest", tenant());
    schemas.set("PlanRequest", plan());
    schemas.set("VmRequest", machine());
    schemas.set("MigrationRequest", migration());
    ArrayNode security = out.putArray("security");
    security.addObject().putArray("token");
    security.addObject().putArray("user");
    return out;
  }

  private static ObjectNode operation(Route route) {
    ObjectNode out = JSON.objectNode().put("summary", route.summary());
    ArrayNode parameters = out.putArray("parameters");
    for (String segment : route.path().split("/")) {
      if (segment.startsWith("{")) {
        parameter(parameters, segment.substring(1, segment.length() - 1), "path", true);
      }
    }
    boolean ofV1 = route.path().startsWith("/v1/");
    if (route.changes() && ofV1) {
      parameter(parameters, "Idempotency-Key", "header", false);
      parameter(parameters, "dry_run", "query", false);
      if (route.later().isPresent()) {
        parameter(parameters, "Prefer", "header", false);
      }
      if (VERSIONED.contains(route.path())) {
        parameter(parameters, "If-Match", "header", false);
      }
      if (MAKING.contains(route.method() + " " + route.path())) {
        parameter(parameters, "If-None-Match", "header", false);
      }
    }
    for (String name : QUERY.getOrDefault(route.method() + " " + route.path(), List.of())) {
      parameter(parameters, name, "query", false);
    }
    if (route.method().equals("POST") || route.method().equals("PUT")) {
      String type = ofV1 ? "application/json" : "application/x-www-form-urlencoded";
      ObjectNode schema =
          out.putObject("requestBody").putObject("content").putObject(type).putObject("schema");
      String name = schema(route.path());
      if (name.isEmpty()) {
        schema.put("type", "object");
      } else {
        schema.put("$ref", "#/components/schemas/" + name);
      }
    }
    ObjectNode responses = out.putObject("responses");
    responses.putObject("2XX").put("description", "Done, or as it was already");
    if (route.later().isPresent()) {
      responses.putObject("202").put("description", "A job, if Prefer is respond-async");
    }
    responses
        .putObject("default")
        .put("description", "Refused, with a reason")
        .putObject("content")
        .putObject("application/problem+json")
        .putObject("schema")
        .put("$ref", "#/components/schemas/Problem");
    return out;
  }

  /** Name of the schema of a body; empty if it has none. */
  private static String schema(String path) {
    return switch (path) {
      case "/v1/tenants", "/v1/tenants/{name}" -> "TenantRequest";
      case "/v1/plans" -> "PlanRequest";
      case "/v1/vms" -> "VmRequest";
      case "/v1/migrations" -> "MigrationRequest";
      default -> "";
    };
  }

  private static void parameter(ArrayNode to, String name, String in, boolean required) {
    to.addObject()
        .put("name", name)
        .put("in", in)
        .put("required", required)
        .putObject("schema")
        .put("type", "string");
  }

  private static ObjectNode problem() {
    ObjectNode out = JSON.objectNode().put("type", "object");
    ObjectNode properties = out.putObject("properties");
    for (String name : List.of("type", "title", "detail")) {
      properties.putObject(name).put("type", "string");
    }
    properties.putObject("status").put("type", "integer");
    texts(properties, "hints");
    return out;
  }

  private static ObjectNode tenant() {
    ObjectNode out = JSON.objectNode().put("type", "object");
    out.putArray("required").add("name");
    ObjectNode properties = out.putObject("properties");
    for (String name : List.of("name", "owner", "allocator", "pkey")) {
      properties.putObject(name).put("type", "string");
    }
    ArrayNode policies = properties.putObject("policy").put("type", "string").putArray("enum");
    for (Policy policy : Policy.values()) {
      policies.add(policy.word());
    }
    ArrayNode rails = properties.putObject("rails").put("type", "string").putArray("enum");
    Rails.words().forEach(rails::add);
    for (String name : List.of("hosts", "oversubscription")) {
      properties.putObject(name).put("type", "integer");
    }
    texts(properties, "host_guids");
    texts(properties, "members");
    return out;
  }

  private static ObjectNode plan() {
    ObjectNode out = JSON.objectNode().put("type", "object");
    out.putArray("required").add("changes");
    ObjectNode list = out.putObject("properties").putObject("changes").put("type", "array");
    ObjectNode item = list.put("minItems", 1).putObject("items").put("type", "object");
    item.putArray("required").add("op");
    ObjectNode properties = item.putObject("properties");
    ArrayNode ops = properties.putObject("op").put("type", "string").putArray("enum");
    PlanChanges.FIELDS.keySet().stream().sorted().forEach(ops::add);
    properties.putObject("tenant").put("$ref", "#/components/schemas/TenantRequest");
    for (String name : List.of("name", "link", "guid", "source", "text")) {
      properties.putObject(name).put("type", "string");
    }
    properties.putObject("keep").put("type", "boolean");
    properties.putObject("epoch").put("type", "integer");
    properties.putObject("vm").put("$ref", "#/components/schemas/VmRequest");
    ObjectNode moves = (ObjectNode) migration().get("properties");
    properties.set("moves", moves.get("moves"));
    properties.set("method", moves.get("method"));
    return out;
  }

  private static ObjectNode machine() {
    ObjectNode out = JSON.objectNode().put("type", "object");
    out.putArray("required").add("name").add("tenant").add("host");
    ObjectNode properties = out.putObject("properties");
    for (String name : List.of("name", "tenant", "host")) {
      properties.putObject(name).put("type", "string");
    }
    properties.putObject("weight").put("type", "integer");
    properties.putObject("own_lid").put("type", "boolean");
    return out;
  }

  private static ObjectNode migration() {
    ObjectNode out = JSON.objectNode().put("type", "object");
    out.putArray("required").add("moves");
    ObjectNode properties = out.putObject("properties");
    ObjectNode item =
        properties
            .putObject("moves")
            .put("type", "array")
            .put("minItems", 1)
            .putObject("items")
            .put("type", "object");
    item.putArray("required").add("vm").add("to");
    ObjectNode move = item.putObject("properties");
    move.putObject("vm").put("type", "string");
    move.putObject("to").put("type", "string");
    ArrayNode methods = properties.putObject("method").put("type", "string").putArray("enum");
    methods.add(MigrationApi.MINIMAL).add(MigrationApi.ALL);
    return out;
  }

  private static void texts(ObjectNode properties, String name) {
    properties.putObject(name).put("type", "array").putObject("items").put("type", "string");
  }
}
