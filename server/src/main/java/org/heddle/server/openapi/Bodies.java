package org.heddle.server.openapi;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.heddle.allocation.Rails;
import org.heddle.fabric.PathRate;
import org.heddle.plan.model.Policy;
import org.heddle.server.v1.MigrationApi;
import org.heddle.server.v1.PlanChanges;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What requests may have as their bodies. */
final class Bodies {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /** Names of schemas by method and path. */
  private static final Map<String, String> NAMES =
      Map.ofEntries(
          Map.entry("POST /v1/tenants", "TenantRequest"),
          Map.entry("PUT /v1/tenants/{name}", "TenantRequest"),
          Map.entry("POST /v1/plans", "PlanRequest"),
          Map.entry("POST /v1/vms", "VmRequest"),
          Map.entry("POST /v1/migrations", "MigrationRequest"),
          Map.entry("POST /v1/tokens", "TokenRequest"),
          Map.entry("POST /v1/users", "UserRequest"),
          Map.entry("PUT /v1/users/{name}", "PasswordRequest"),
          Map.entry("POST /v1/rollback", "RollbackRequest"),
          Map.entry("PUT /v1/links/{id}", "ServiceRequest"),
          Map.entry("PUT /v1/nodes/{guid}", "ServiceRequest"));

  private Bodies() {}

  /** The name of the schema of a call's body; empty if it has none. */
  static Optional<String> name(String call) {
    return Optional.ofNullable(NAMES.get(call));
  }

  /** All schemas, into those of a document. */
  static void add(ObjectNode schemas) {
    schemas.set("TenantRequest", tenant());
    schemas.set("PlanRequest", plan());
    schemas.set("VmRequest", machine());
    schemas.set("MigrationRequest", migration());
    schemas.set("TokenRequest", account(false));
    schemas.set("UserRequest", account(true));
    ObjectNode password = object("password");
    properties(password).set("password", password());
    schemas.set("PasswordRequest", password);
    ObjectNode rollback = object("epoch");
    properties(rollback).putObject("epoch").put("type", "integer").put("minimum", 0);
    properties(rollback)
        .putObject("tenant")
        .put("type", "string")
        .put("description", "Only this one, with its VMs; everything else stays as it is");
    schemas.set("RollbackRequest", rollback);
    ObjectNode service = object("state");
    words(properties(service), "state", List.of("up", "drained"));
    properties(service).putObject("force").put("type", "boolean").put("default", false);
    schemas.set("ServiceRequest", service);
  }

  private static ObjectNode object(String... required) {
    ObjectNode out = JSON.objectNode().put("type", "object").put("additionalProperties", false);
    ArrayNode names = out.putArray("required");
    List.of(required).forEach(names::add);
    out.putObject("properties");
    return out;
  }

  private static ObjectNode properties(ObjectNode of) {
    return (ObjectNode) of.get("properties");
  }

  private static void words(ObjectNode properties, String name, List<String> words) {
    ArrayNode all = properties.putObject(name).put("type", "string").putArray("enum");
    words.forEach(all::add);
  }

  private static ObjectNode password() {
    return JSON.objectNode().put("type", "string").put("minLength", 8).put("maxLength", 1024);
  }

  private static ObjectNode account(boolean user) {
    ObjectNode out = user ? object("name", "password") : object("name");
    ObjectNode properties = properties(out);
    properties
        .putObject("name")
        .put("type", "string")
        .put("pattern", "^[A-Za-z0-9][A-Za-z0-9_-]{0,30}$");
    words(properties, "role", List.of("provider", "tenant", "viewer"));
    properties.putObject("tenant").put("type", "string");
    properties.putObject("expires").put("type", "string").put("format", "date-time");
    if (user) {
      properties.set("password", password());
    }
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
    properties.putObject("ipoib").put("type", "boolean");
    ArrayNode mtus = properties.putObject("mtu").put("type", "integer").putArray("enum");
    PathRate.mtus().forEach(mtus::add);
    ArrayNode rates = properties.putObject("rate").put("type", "number").putArray("enum");
    PathRate.all().forEach(r -> rates.add(r.gigabits()));
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
