package org.heddle.server.openapi;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.heddle.control.model.Job;
import org.heddle.server.http.Documents;
import org.heddle.server.http.Listing;
import org.heddle.server.http.Problem;
import org.heddle.server.http.Route;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The description of the interface, made from the list of its routes and what they answer. */
public final class OpenApi {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private static final String PROBLEM = "application/problem+json";
  private static final String JSON_TYPE = "application/json";

  /** Things that have versions. */
  private static final Set<String> VERSIONED = Set.of("/v1/tenants/{name}", "/v1/vms/{name}");

  /** Calls that can be asked to make something only if nothing has its name. */
  private static final Set<String> MAKING = Set.of("POST /v1/tenants", "POST /v1/vms");

  /** Names of operations that do not follow from method and path. */
  private static final Map<String, String> IDS =
      Map.ofEntries(
          Map.entry("POST /v1/rollback", "rollback"),
          Map.entry("POST /v1/write-off", "writeOff"),
          Map.entry("POST /v1/plans/{id}/apply", "applyPlan"),
          Map.entry("GET /v1/session", "getSession"),
          Map.entry("GET /v1/history", "listHistory"),
          Map.entry("GET /v1/audit", "listAudit"),
          Map.entry("GET /v1/export", "exportTenants"),
          Map.entry("GET /v1/openapi.json", "getOpenapi"),
          Map.entry("GET /v1/fabrics/{name}/picture", "getFabricPicture"),
          Map.entry("GET /v1/fabrics/{name}/hosts", "getFabricHosts"),
          Map.entry("PUT /v1/links/{id}", "setLinkState"),
          Map.entry("PUT /v1/nodes/{guid}", "setNodeState"),
          Map.entry("PUT /v1/users/{name}", "setPassword"),
          Map.entry("DELETE /v1/jobs/{id}", "cancelJob"),
          Map.entry("GET /metrics", "getMetrics"),
          Map.entry("GET /tenants", "laasList"),
          Map.entry("POST /tenants", "laasCreate"),
          Map.entry("GET /tenants/{name}", "laasGet"),
          Map.entry("DELETE /tenants/{name}", "laasDelete"),
          Map.entry("GET /tenants/{name}/hosts", "laasHosts"),
          Map.entry("GET /tenants/{name}/l1Ports", "laasL1Ports"),
          Map.entry("GET /tenants/{name}/l2Ports", "laasL2Ports"));

  private final Schemas schemas = new Schemas();
  private final JsonNode examples;

  private OpenApi(JsonNode examples) {
    this.examples = examples;
  }

  /** An OpenAPI 3.1 document. */
  public static ObjectNode document(List<Route> routes) {
    return document(routes, examples());
  }

  /** The same with these examples of answers, by the names of operations. */
  static ObjectNode document(List<Route> routes, JsonNode examples) {
    return new OpenApi(examples).all(routes);
  }

  private static JsonNode examples() {
    try (InputStream in = OpenApi.class.getResourceAsStream("examples.json")) {
      return in == null ? JSON.objectNode() : Documents.JSON.readTree(in);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private ObjectNode all(List<Route> routes) {
    ObjectNode out = JSON.objectNode().put("openapi", "3.1.0");
    out.putObject("info")
        .put("title", "Heddle controller")
        .put("version", "1")
        .put("description", "Tenants of an InfiniBand fat-tree. Refusals have a reason.");
    ObjectNode paths = out.putObject("paths");
    for (Route route : routes) {
      path(paths, route.path()).set(route.method().toLowerCase(Locale.ROOT), operation(route));
    }
    for (UfmPaths.Call call : UfmPaths.ALL) {
      path(paths, "/ufmRest" + call.path())
          .set(call.method().toLowerCase(Locale.ROOT), operation(call));
    }
    ObjectNode components = out.putObject("components");
    ObjectNode schemes = components.putObject("securitySchemes");
    schemes.putObject("token").put("type", "http").put("scheme", "bearer");
    schemes.putObject("user").put("type", "http").put("scheme", "basic");
    schemas.reference(Problem.Document.class);
    ObjectNode all = components.putObject("schemas");
    schemas.made().forEach(all::set);
    Bodies.add(all);
    ArrayNode security = out.putArray("security");
    security.addObject().putArray("token");
    security.addObject().putArray("user");
    return out;
  }

  private static ObjectNode path(ObjectNode paths, String path) {
    return paths.get(path) instanceof ObjectNode there ? there : paths.putObject(path);
  }

  /** The name of a call in programs that are generated from the description. */
  static String id(Route route) {
    String named = IDS.get(route.method() + " " + route.path());
    if (named != null) {
      return named;
    }
    List<String> fixed =
        Arrays.stream(route.path().split("/"))
            .filter(s -> !s.isEmpty() && !s.equals("v1") && !s.startsWith("{"))
            .toList();
    String noun =
        Arrays.stream(fixed.getLast().split("-"))
            .map(w -> w.substring(0, 1).toUpperCase(Locale.ROOT) + w.substring(1))
            .collect(Collectors.joining());
    boolean list = route.answer().filter(Route.Answer::list).isPresent();
    String one = list ? noun : noun.replaceFirst("s$", "");
    return switch (route.method()) {
      case "GET" -> (list ? "list" : "get") + one;
      case "POST" -> "create" + one;
      case "PUT" -> "replace" + one;
      default -> "delete" + one;
    };
  }

  private ObjectNode operation(Route route) {
    String call = route.method() + " " + route.path();
    String id = id(route);
    boolean ofV1 = route.path().startsWith("/v1/");
    ObjectNode out = JSON.objectNode().put("operationId", id).put("summary", route.summary());
    out.putArray("tags").add(ofV1 ? route.path().split("/")[2] : "other");
    ArrayNode parameters = out.putArray("parameters");
    variables(parameters, route.path());
    if (route.changes() && ofV1) {
      parameter(parameters, "Idempotency-Key", "header", text());
      parameter(parameters, "dry_run", "query", JSON.objectNode().put("type", "boolean"));
      if (route.later().isPresent()) {
        parameter(parameters, "Prefer", "header", words("respond-async"));
      }
      if (VERSIONED.contains(route.path())) {
        parameter(parameters, "If-Match", "header", text());
      }
      if (MAKING.contains(call)) {
        parameter(parameters, "If-None-Match", "header", words("*"));
      }
    }
    route.query().forEach(q -> parameter(parameters, q, "query", query(call, q)));
    if (ofV1) {
      Bodies.name(call).ifPresent(body -> body(out, JSON_TYPE, reference(body)));
    } else if (route.method().equals("POST")) {
      ObjectNode form = JSON.objectNode().put("type", "object");
      ObjectNode properties = form.putObject("properties");
      properties.putObject("id").put("type", "string");
      properties.putObject("n").put("type", "integer");
      body(out, "application/x-www-form-urlencoded", form);
    }
    responses(out.putObject("responses"), route, id);
    return out;
  }

  private void responses(ObjectNode responses, Route route, String id) {
    if (route.answer().isPresent()) {
      Route.Answer a = route.answer().get();
      ObjectNode schema = a.list() ? page(schemas.oneOf(a.types())) : schemas.oneOf(a.types());
      if (a.status() == 201) {
        ObjectNode made = answer(responses, "201", "Made", schema, id);
        made.putObject("headers").putObject("Location").putObject("schema").put("type", "string");
        answer(responses, "200", "As it was already, or a dry run", schema.deepCopy(), "");
      } else {
        answer(responses, "200", "Done, or as it is", schema, id);
      }
    } else {
      boolean metrics = route.path().equals("/metrics");
      ObjectNode content =
          responses.putObject("200").put("description", "As it is").putObject("content");
      content
          .putObject(metrics ? "text/plain" : JSON_TYPE)
          .putObject("schema")
          .put("type", metrics ? "string" : "object");
      if (route.method().equals("DELETE")) {
        responses.remove("200");
        responses.putObject("204").put("description", "Gone");
      } else if (route.path().matches("/tenants/.*/.*")) {
        content.remove(JSON_TYPE);
        content.putObject(JSON_TYPE).putObject("schema").put("type", "array").putObject("items");
      }
    }
    if (route.method().equals("GET")) {
      responses.putObject("304").put("description", "As in the answer with this ETag");
    }
    if (route.later().isPresent()) {
      ObjectNode job =
          responses.putObject("202").put("description", "A job, if Prefer is respond-async");
      job.putObject("content").putObject(JSON_TYPE).set("schema", reference("Job"));
    }
    problem(responses, "default", "Refused, with a reason");
    problem(responses, "400", "The request is wrong in itself");
    problem(responses, "401", "Nobody knows who asks");
    if (route.path().contains("{")) {
      problem(responses, "404", "There is no such thing, or it belongs to others");
    }
    if (route.changes()) {
      problem(responses, "403", "A viewer changes nothing, or it is more than a quota");
      problem(responses, "409", "What there is is in the way");
      problem(responses, "422", "It cannot be proven, or the key was used for another request");
    }
    problem(responses, "429", "Too often: again after Retry-After seconds");
    problem(responses, "503", "Not now: again after Retry-After seconds");
  }

  private static void problem(ObjectNode responses, String status, String what) {
    responses
        .putObject(status)
        .put("description", what)
        .putObject("content")
        .putObject(PROBLEM)
        .set("schema", reference("Problem"));
  }

  private ObjectNode answer(
      ObjectNode responses, String status, String what, ObjectNode schema, String example) {
    ObjectNode out = responses.putObject(status).put("description", what);
    ObjectNode content = out.putObject("content").putObject(JSON_TYPE);
    content.set("schema", schema);
    if (examples.has(example)) {
      content.set("example", examples.get(example));
    }
    return out;
  }

  private static ObjectNode page(ObjectNode items) {
    ObjectNode out = JSON.objectNode().put("type", "object");
    out.putArray("required").add("items").add("next");
    ObjectNode properties = out.putObject("properties");
    properties.putObject("items").put("type", "array").set("items", items);
    properties.putObject("next").putArray("type").add("string").add("null");
    return out;
  }

  private static ObjectNode operation(UfmPaths.Call call) {
    ObjectNode out =
        JSON.objectNode().put("operationId", "ufm_" + call.id()).put("summary", call.summary());
    out.putArray("tags").add("ufm");
    ArrayNode parameters = out.putArray("parameters");
    variables(parameters, call.path());
    call.query().forEach(q -> parameter(parameters, q, "query", text()));
    if (!call.body().isEmpty()) {
      ObjectNode schema = JSON.objectNode().put("type", "object");
      ObjectNode properties = schema.putObject("properties");
      call.body().forEach(name -> properties.putObject(name));
      body(out, JSON_TYPE, schema);
    }
    ObjectNode responses = out.putObject("responses");
    for (String status : List.of(Integer.toString(call.status()), "default")) {
      responses
          .putObject(status)
          .put("description", status.equals("default") ? "Refused, as UFM says it" : "Done")
          .putObject("content")
          .putObject(JSON_TYPE)
          .putObject("schema");
    }
    return out;
  }

  private static void body(ObjectNode operation, String type, ObjectNode schema) {
    ObjectNode body = operation.putObject("requestBody").put("required", true);
    body.putObject("content").putObject(type).set("schema", schema);
  }

  private static ObjectNode reference(String schema) {
    return JSON.objectNode().put("$ref", "#/components/schemas/" + schema);
  }

  private static ObjectNode text() {
    return JSON.objectNode().put("type", "string");
  }

  private static ObjectNode words(String... words) {
    ObjectNode out = text();
    ArrayNode all = out.putArray("enum");
    List.of(words).forEach(all::add);
    return out;
  }

  private static ObjectNode query(String call, String name) {
    return switch (name) {
      case "limit" ->
          JSON.objectNode()
              .put("type", "integer")
              .put("minimum", 1)
              .put("maximum", Listing.MOST)
              .put("default", Listing.PAGE);
      case "last" ->
          JSON.objectNode().put("type", "integer").put("minimum", 1).put("maximum", Listing.MOST);
      case "order" -> words("asc", "desc");
      case "since", "until" -> text().put("format", "date-time");
      case "format" -> words("tenants", "state");
      case "kind" ->
          call.endsWith("/nodes") ? words("switch", "host", "router") : words("switch", "host");
      case "state" ->
          call.endsWith("/jobs")
              ? words(Arrays.stream(Job.State.values()).map(Job.State::word).toArray(String[]::new))
              : words("up", "drained", "gone");
      default -> text();
    };
  }

  private static void variables(ArrayNode parameters, String path) {
    for (String segment : path.split("/")) {
      if (segment.startsWith("{")) {
        parameters
            .addObject()
            .put("name", segment.substring(1, segment.length() - 1))
            .put("in", "path")
            .put("required", true)
            .set("schema", text());
      }
    }
  }

  private static void parameter(ArrayNode to, String name, String in, ObjectNode schema) {
    to.addObject().put("name", name).put("in", in).put("required", false).set("schema", schema);
  }
}
