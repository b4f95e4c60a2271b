package org.heddle.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.heddle.server.http.Documents;
import org.heddle.server.http.Route;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The description is true: each answer that was recorded is as it says, whatever programs are
 * generated from it.
 */
class OpenApiTest {
  private static final Path CASES =
      Path.of("..", "server", "src/test/resources/org/heddle/server/recorded");

  private static final Path EXAMPLES =
      Path.of("..", "server", "src/main/resources/org/heddle/server/openapi/examples.json");

  private static final Pattern REQUEST =
      Pattern.compile("> \\w+ (?<method>[A-Z]+)(?: \\d+)? (?<path>/\\S*)");

  private static final Pattern ANSWER = Pattern.compile("< (?<status>\\d{3})(?<head>.*)");

  /** Characters of an example at most. */
  private static final int LONGEST = 4000;

  @TempDir Path directory;

  private TestServer at;
  private JsonNode document;

  /** A recorded answer. */
  private record Answer(String method, String path, int status, JsonNode body) {}

  @BeforeEach
  void start() throws Exception {
    at = TestServer.start(directory, TestServer.ROOT);
    document = Documents.JSON.readTree(at.send("root", "GET", "/v1/openapi.json", "").body());
  }

  @AfterEach
  void stop() {
    at.close();
  }

  private static List<Answer> answers() throws Exception {
    List<Answer> out = new ArrayList<>();
    List<Path> files;
    try (Stream<Path> all = Files.list(CASES)) {
      files = all.sorted().toList();
    }
    for (Path file : files) {
      List<String> lines = Files.readAllLines(file);
      String method = "";
      String path = "";
      for (int i = 0; i < lines.size(); i++) {
        Matcher request = REQUEST.matcher(lines.get(i));
        Matcher answer = ANSWER.matcher(lines.get(i));
        if (request.lookingAt()) {
          method = request.group("method").equals("UNTIL") ? "GET" : request.group("method");
          path = request.group("path").replaceFirst("\\?.*", "");
        } else if (answer.matches()
            && answer.group("head").contains("json")
            && i + 1 < lines.size()
            && lines.get(i + 1).startsWith("< ")
            && !lines.get(i + 1).contains("(how far it is)")) {
          int status = Integer.parseInt(answer.group("status"));
          String text = lines.get(i + 1).substring(2).replace("(a time)", "2026-01-01T00:00:00Z");
          out.add(new Answer(method, path, status, Documents.JSON.readTree(text)));
        }
      }
    }
    return out;
  }

  private Optional<Route> route(Answer a) {
    List<String> segments = List.of(a.path.substring(1).split("/"));
    return at.server.routes().stream()
        .filter(r -> r.method().equals(a.method) && r.match(segments).isPresent())
        .filter(r -> r.path().startsWith("/v1/"))
        .findFirst();
  }

  private JsonNode operation(Route route) {
    return document.get("paths").get(route.path()).get(route.method().toLowerCase());
  }

  private JsonNode resolved(JsonNode schema) {
    return schema.has("$ref") ? document.at(schema.get("$ref").stringValue().substring(1)) : schema;
  }

  /** What of a value is not as a schema says; empty if nothing. */
  private String wrong(JsonNode schema, JsonNode value, String where) {
    JsonNode s = resolved(schema);
    if (s.has("anyOf")) {
      List<String> all = new ArrayList<>();
      for (JsonNode one : s.get("anyOf")) {
        all.add(wrong(one, value, where));
      }
      return all.contains("") ? "" : String.join(" and ", all);
    }
    if (s.has("type") && !isOfType(s.get("type"), value)) {
      return where + " is " + value.getNodeType() + ", not " + s.get("type");
    }
    if (s.has("enum") && !value.isNull() && s.get("enum").valueStream().noneMatch(value::equals)) {
      return where + " is " + value + ", none of " + s.get("enum");
    }
    if (value.isObject()) {
      for (JsonNode name : s.path("required")) {
        if (!value.has(name.stringValue())) {
          return where + " has no " + name;
        }
      }
      for (String name : value.propertyNames()) {
        JsonNode own = s.path("properties").path(name);
        JsonNode other = own.isMissingNode() ? s.path("additionalProperties") : own;
        if (other.isBoolean() && !other.booleanValue()) {
          return where + " has " + name;
        }
        String inside = other.isObject() ? wrong(other, value.get(name), where + "." + name) : "";
        if (!inside.isEmpty()) {
          return inside;
        }
      }
    }
    if (value.isArray() && s.has("items")) {
      for (JsonNode item : value) {
        String inside = wrong(s.get("items"), item, where + "[]");
        if (!inside.isEmpty()) {
          return inside;
        }
      }
    }
    return "";
  }

  private static boolean isOfType(JsonNode type, JsonNode value) {
    List<String> types =
        type.isString()
            ? List.of(type.stringValue())
            : type.valueStream().map(JsonNode::stringValue).toList();
    return types.stream()
        .anyMatch(
            t ->
                switch (t) {
                  case "object" -> value.isObject();
                  case "array" -> value.isArray();
                  case "string" -> value.isString();
                  case "integer" -> value.isIntegralNumber();
                  case "number" -> value.isNumber();
                  case "boolean" -> value.isBoolean();
                  default -> value.isNull();
                });
  }

  @Test
  void everyRecordedAnswerIsAsItSays() throws Exception {
    Set<String> checked = new TreeSet<>();
    for (Answer a : answers()) {
      Optional<Route> route = route(a);
      if (route.isEmpty() || route.get().path().equals("/v1/openapi.json")) {
        continue;
      }
      JsonNode responses = operation(route.get()).get("responses");
      JsonNode response = responses.path(Integer.toString(a.status));
      response = response.isMissingNode() ? responses.get("default") : response;
      JsonNode content = response.get("content");
      assertThat(content).as(a.method + " " + a.path + " " + a.status).isNotNull();
      JsonNode schema = content.get(content.propertyNames().iterator().next()).get("schema");
      assertThat(wrong(schema, a.body, "body"))
          .as(a.method + " " + a.path + " " + a.status)
          .isEmpty();
      if (a.status / 100 == 2) {
        checked.add(route.get().method() + " " + route.get().path());
      }
    }
    assertThat(checked).hasSizeGreaterThan(40);
  }

  @Test
  void everyAnswerOfTheInterfaceHasASchema() {
    for (Route route : at.server.routes()) {
      boolean described =
          route.path().startsWith("/v1/") && !route.path().equals("/v1/openapi.json");
      assertThat(route.answer().isPresent()).as(route.path()).isEqualTo(described);
    }
  }

  @Test
  void everyOperationHasANameOfItsOwnAndParametersWithTypes() {
    Set<String> ids = new HashSet<>();
    int operations = 0;
    for (JsonNode path : document.get("paths")) {
      for (JsonNode operation : path) {
        operations++;
        assertThat(ids.add(operation.get("operationId").stringValue()))
            .as(operation.get("operationId").stringValue())
            .isTrue();
        assertThat(operation.get("operationId").stringValue()).matches("[a-z]\\w*");
        Set<String> names = new HashSet<>();
        for (JsonNode parameter : operation.get("parameters")) {
          assertThat(names.add(parameter.get("in") + " " + parameter.get("name"))).isTrue();
          assertThat(parameter.at("/schema/type").isString()).isTrue();
        }
        assertThat(operation.get("responses").propertyNames()).anyMatch(s -> s.startsWith("2"));
      }
    }
    assertThat(operations).isGreaterThan(at.server.routes().size() + 20);
    assertThat(document.at("/paths/~1v1~1tenants/get/operationId").stringValue())
        .isEqualTo("listTenants");
    assertThat(document.at("/paths/~1v1~1tenants/post/operationId").stringValue())
        .isEqualTo("createTenant");
  }

  @Test
  void everyReferenceLeadsSomewhere() {
    Matcher m = Pattern.compile("\"\\$ref\":\"#(/[^\"]+)\"").matcher(document.toString());
    int found = 0;
    while (m.find()) {
      assertThat(document.at(m.group(1)).isObject()).as(m.group(1)).isTrue();
      found++;
    }
    assertThat(found).isGreaterThan(100);
  }

  /** Each of them is one that the interface knows. */
  @Test
  void thePathsOfUfmAreThere() throws Exception {
    int tried = 0;
    for (String path : document.get("paths").propertyNames()) {
      if (!path.startsWith("/ufmRest/")) {
        continue;
      }
      for (String method : document.get("paths").get(path).propertyNames()) {
        String real =
            path.replace("{pkey}", "0x12")
                .replace("{list}", "x")
                .replace("{epoch}", "0")
                .replace("{names}", "x_1")
                .replace("{id}", "1")
                .replace("{report}", "UFM_Health")
                .replace("{guid}", "1")
                .replace("{name}", "nobody");
        String body =
            method.equals("get") || method.equals("delete") ? "" : "{\"password\":\"12345678\"}";
        var answer = at.send("root", method.toUpperCase(), real, body);
        assertThat(answer.statusCode()).as(method + " " + path).isNotEqualTo(405);
        assertThat(answer.body()).as(method + " " + path).doesNotContain("no such resource");
        tried++;
      }
    }
    assertThat(tried).isGreaterThan(20);
  }

  /**
   * Examples are answers that were recorded; with {@code -Dheddle.record=true} they are written.
   */
  @Test
  void examplesAreAnswersThatWereGiven() throws Exception {
    TreeMap<String, JsonNode> examples = new TreeMap<>();
    for (Answer a : answers()) {
      Optional<Route> route = route(a);
      if (route.isEmpty()
          || route.get().answer().isEmpty()
          || a.status != route.get().answer().get().status()
          || a.body.path("items").isArray() && a.body.get("items").isEmpty()) {
        continue;
      }
      if (a.body.path("items") instanceof ArrayNode items) {
        while (items.size() > 1) {
          items.remove(items.size() - 1);
        }
        ((ObjectNode) a.body).putNull("next");
      }
      if (a.body.toString().length() <= LONGEST) {
        String id = operation(route.get()).get("operationId").stringValue();
        examples.putIfAbsent(id, a.body);
      }
    }
    assertThat(examples).hasSizeGreaterThan(35);
    String text =
        JsonMapper.builder()
                .enable(SerializationFeature.INDENT_OUTPUT)
                .build()
                .writeValueAsString(examples)
            + "\n";
    boolean same = Files.exists(EXAMPLES) && Files.readString(EXAMPLES).equals(text);
    if (!same && Boolean.getBoolean("heddle.record")) {
      Files.createDirectories(EXAMPLES.getParent());
      Files.write(EXAMPLES, text.getBytes(StandardCharsets.UTF_8));
    }
    assertThat(same).as("run once with -Dheddle.record=true, which writes " + EXAMPLES).isTrue();
  }
}
