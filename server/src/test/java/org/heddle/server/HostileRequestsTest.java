package org.heddle.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.heddle.control.model.AuditRecord;
import org.heddle.server.http.Route;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Every route there is (also those that come later: the test walks the server's table) with what no
 * decent client sends. Each answer is a success or a refusal in JSON that says what is wrong; never
 * a page, never the inside of the program, never 500.
 */
class HostileRequestsTest {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final int TIMEOUT_MILLIS = 120_000;
  private static final String LONG = "a".repeat(500);

  private static final List<String> SEGMENTS =
      List.of(
          "..%2f..%2fetc%2fpasswd",
          "%2e%2e",
          "%252e%252e%252f",
          "..;",
          "%00",
          "%ff",
          "%ZZ",
          "%0d%0aX-Evil:%201",
          "%F0%9F%98%80",
          "%E2%80%AEgnp",
          "<img src=x>".replace(" ", "%20"),
          "a\\b",
          "a;b=c",
          "-1",
          "0",
          "99999999999999999999",
          "*",
          "null",
          "%20",
          LONG);

  private static final List<String> QUERIES =
      List.of(
          "limit=-1",
          "limit=1.5",
          "limit=x",
          "limit=",
          "limit=99999999999999999999",
          "limit=1&limit=x",
          "after=-1",
          "after=%00",
          "after=%F0%9F%98%80",
          "last=-1",
          "dry_run=1",
          "dry_run=",
          "dryRun=true",
          "dry-run=true",
          "kind=x&state=y&tenant=" + LONG,
          "a=%ZZ",
          "a=%ff%fe",
          "=&&&=;",
          "%00=1");

  private static final List<String> HEADERS =
      List.of(
          "If-Match: x",
          "If-Match: \"x\"",
          "If-Match: W/\"1\"",
          "If-Match: \"99999999999999999999\"",
          "If-Match: \"0\"",
          "If-None-Match: *",
          "Idempotency-Key: " + "k".repeat(201),
          "Idempotency-Key: \u00e9",
          "Last-Event-ID: -1",
          "Content-Encoding: gzip",
          "Content-Type: multipart/form-data; boundary=x",
          "Accept: text/html",
          "Accept-Encoding: gzip, br",
          "Expect: 200-maybe",
          "Authorization: ",
          "Authorization: Basic ====",
          "Cookie: session=;;=\"",
          "X-Forwarded-For: <script>",
          "User-Agent: %0a\t{}${jndi:x}",
          "Host: evil.example",
          "Content-Length: -1",
          "Transfer-Encoding: chunked",
          "Range: bytes=0-0",
          "Bad Name: x",
          "X: " + "y".repeat(20_000));

  private static final List<String> BODIES =
      List.of(
          "",
          "null",
          "true",
          "[]",
          "{}",
          "\"text\"",
          "{",
          "{\"name\":",
          "{\"name\":\"x\"}}",
          "{\"name\":\"x\"} x",
          "{\"name\":\"x\",\"name\":\"y\"}",
          "{\"unknown\":1}",
          "[".repeat(60_000),
          "{\"a\":".repeat(5_000),
          "{\"name\":" + "9".repeat(2_000) + "}",
          "{\"name\":\"\\ud800\"}",
          "{\"\\udfff\":1}",
          "{\"name\":\"\\u0000\"}",
          "{\"name\":\"" + LONG + "\"}",
          "{\"name\":\"../x\",\"hosts\":1}",
          "{\"name\":\"<img src=x onerror=alert(1)>\",\"hosts\":1}",
          "{\"name\":\"\u202egnp\",\"hosts\":1}",
          "{\"name\":\"\ud83d\ude00\",\"hosts\":1}",
          "{\"name\":null,\"hosts\":null,\"role\":null,\"epoch\":null,\"changes\":null}",
          "{\"name\":1,\"role\":1,\"password\":1,\"changes\":1,\"epoch\":\"1\"}",
          "{\"name\":\"x\",\"hosts\":1.5}",
          "{\"name\":\"x\",\"hosts\":-1}",
          "{\"name\":\"x\",\"hosts\":1e400}",
          "{\"name\":\"x\",\"hosts\":99999999999999999999}",
          "{\"name\":\"x\",\"hosts\":2147483647}",
          "{\"name\":\"x\",\"hosts\":[1]}",
          "{\"name\":\"x\",\"hosts\":1,\"oversubscription\":0}",
          "{\"name\":\"x\",\"hosts\":1,\"pkey\":\"0xfffff\"}",
          "{\"name\":\"x\",\"hosts\":1,\"owner\":\"a\\nb<i>\"}",
          "{\"name\":\"x\",\"hosts\":1,\"policy\":\"\u00fcber\"}",
          "{\"name\":\"x\",\"host_guids\":[\"0\",null,1,{}]}",
          "{\"name\":\"x\",\"members\":[{\"guid\":\"0x1\",\"membership\":\"ful\"}]}",
          "{\"name\":\"x\",\"members\":[{\"guid\":\"0x1\",\"index\":1}]}",
          "{\"epoch\":-1}",
          "{\"epoch\":0.5}",
          "{\"epoch\":true}",
          "{\"epoch\":99999999999999999999}",
          "{\"changes\":[]}",
          "{\"changes\":[1,null,{}]}",
          "{\"changes\":[{\"op\":\"rm -rf\"}]}",
          "{\"changes\":[{\"op\":\"delete\",\"name\":\"" + LONG + "\"}]}",
          "{\"changes\":[{\"op\":\"without-link\",\"link\":\"0x1:999\"}]}",
          "{\"name\":\"x\",\"role\":\"root\"}",
          "{\"name\":\"x\",\"rolle\":\"viewer\"}",
          "{\"name\":\"x\",\"role\":\"tenant\",\"tenant\":\"../y\"}",
          "id=%&n=1",
          "id=x&n=99999999999999",
          "id=<b>&n=1",
          "\u0000\u0001\u0002",
          "\ufeff{}");

  @TempDir Path directory;
  private TestServer at;

  private record Answer(int status, Map<String, String> headers, String body) {
    /**
     * Without the second in which it was given, two of the same may be given in two, and without
     * the request's id.
     */
    Answer undated() {
      Map<String, String> others = new HashMap<>(headers);
      assertThat(others.remove("date")).isNotNull();
      others.remove("x-request-id");
      return new Answer(status, others, body);
    }
  }

  private void start(TestServer.Token... tokens) throws IOException {
    at = TestServer.start(directory, tokens);
  }

  @AfterEach
  void stop() {
    at.close();
  }

  private Answer send(String line, List<String> headers, byte[] body) throws IOException {
    StringBuilder head = new StringBuilder(line + " HTTP/1.1\r\nConnection: close\r\n");
    if (headers.stream().noneMatch(h -> h.startsWith("Host:"))) {
      head.append("Host: localhost\r\n");
    }
    headers.forEach(h -> head.append(h).append("\r\n"));
    if (headers.stream().noneMatch(h -> h.matches("(Content-Length|Transfer-Encoding):.*"))) {
      head.append("Content-Length: ").append(body.length).append("\r\n");
    }
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), at.port)) {
      socket.setSoTimeout(TIMEOUT_MILLIS);
      socket.getOutputStream().write((head + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
      socket.getOutputStream().write(body);
      socket.shutdownOutput();
      return answer(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  private static Answer answer(String text) {
    int blank = text.indexOf("\r\n\r\n");
    assertThat(blank).as("an answer, not '%s'", text).isPositive();
    String[] lines = text.substring(0, blank).split("\r\n");
    Map<String, String> headers = new TreeMap<>();
    for (int i = 1; i < lines.length; i++) {
      int colon = lines[i].indexOf(':');
      headers.put(
          lines[i].substring(0, colon).toLowerCase(Locale.ROOT),
          lines[i].substring(colon + 1).strip());
    }
    return new Answer(
        Integer.parseInt(lines[0].substring(9, 12)), headers, text.substring(blank + 4));
  }

  private Answer send(String line, String body) throws IOException {
    return send(line, List.of(), body.getBytes(StandardCharsets.UTF_8));
  }

  /** A success, or a refusal that a client can read and a person can act on. */
  private static void assertProper(String what, Answer answer) {
    assertThat(answer.status()).as(what + "\n" + answer.body()).isBetween(200, 499);
    assertThat(answer.body())
        .as(what)
        .doesNotContainIgnoringCase(
            "exception", "jackson", "jetty", "org.heddle", "<html", "\tat ");
    if (answer.status() < 400 || what.startsWith("HEAD")) {
      return;
    }
    assertThat(answer.headers().get("content-type")).as(what).contains("json");
    JsonNode document = JSON.readTree(answer.body());
    boolean ofPaper = document.has("reason");
    String text = ofPaper ? "reason" : "detail";
    assertThat(document.path(text).asString("")).as(what + "\n" + answer.body()).isNotBlank();
    if (!ofPaper) {
      assertThat(answer.headers().get("content-type"))
          .as(what)
          .isEqualTo("application/problem+json");
      assertThat(document.path("status").asInt(0)).as(what).isEqualTo(answer.status());
      assertThat(document.path("title").asString("")).as(what).isNotBlank();
    }
  }

  /** Nobody was told that the program failed, and it did not. */
  private void assertSound() throws Exception {
    assertThat(send("GET /readyz", "").status()).isEqualTo(200);
    at.server.close(); // the record of requests is complete then
    List<AuditRecord> all = new ArrayList<>();
    for (List<AuditRecord> page = at.store.audit(0, 1000); !page.isEmpty(); ) {
      all.addAll(page);
      page = at.store.audit(page.getLast().id(), 1000);
    }
    assertThat(all).extracting(AuditRecord::note).containsOnly("");
    assertThat(all).extracting(AuditRecord::action).noneMatch(a -> a.contains("\n"));
  }

  /**
   * Every route gets everything in the long sweep ({@code -Dheddle.sweep=true}), else a quarter:
   * the first another one than the second.
   */
  private static List<String> some(List<String> all, int turn) {
    int step = Boolean.getBoolean("heddle.sweep") ? 1 : 4;
    return IntStream.range(0, all.size())
        .filter(i -> (i + turn) % step == 0)
        .mapToObj(all::get)
        .toList();
  }

  private static String path(Route route, String segment) {
    return route.path().replaceAll("\\{[^}]*}", segment.replace("\\", "\\\\"));
  }

  private void fixtures() throws IOException {
    assertThat(send("POST /v1/tenants", "{\"name\":\"a\",\"hosts\":3}").status()).isEqualTo(201);
    assertThat(
            send("POST /v1/plans", "{\"changes\":[{\"op\":\"delete\",\"name\":\"a\"}]}").status())
        .isEqualTo(201);
  }

  @Test
  void segmentsQueriesAndHeadersOfAnyKindAreAnsweredInJson() throws Exception {
    start();
    fixtures();
    int turn = 0;
    for (Route route : at.server.routes()) {
      turn++;
      String call = route.method() + " " + path(route, "a");
      for (String query : some(QUERIES, turn)) {
        assertProper(call + "?" + query, send(call + "?" + query, "{}"));
      }
      for (String header : some(HEADERS, turn)) {
        assertProper(
            call + " with " + header,
            send(call, List.of(header), "{}".getBytes(StandardCharsets.UTF_8)));
      }
      if (route.path().contains("{")) {
        for (String segment : some(SEGMENTS, turn)) {
          String evil = route.method() + " " + path(route, segment);
          assertProper(evil, send(evil, "{}"));
        }
      }
    }
    assertSound();
  }

  @Test
  void bodiesOfAnyKindAreAnsweredInJson() throws Exception {
    start();
    for (Route route : at.server.routes()) {
      for (String id : route.path().contains("{") ? List.of("a", "1") : List.of("")) {
        for (String body : BODIES) {
          String call = route.method() + " " + path(route, id);
          String shown = body.substring(0, Math.min(100, body.length()));
          assertProper(call + " with " + shown, send(call, body));
        }
      }
    }
    assertThat(at.store.credentials()).isEmpty();
    assertSound();
  }

  @Test
  void aMethodThatARouteDoesNotHaveIsToldWhichItHas() throws Exception {
    start();
    Map<String, TreeSet<String>> methods = new TreeMap<>();
    for (Route route : at.server.routes()) {
      methods.computeIfAbsent(path(route, "a"), _ -> new TreeSet<>()).add(route.method());
    }
    for (Map.Entry<String, TreeSet<String>> e : methods.entrySet()) {
      if (e.getValue().contains("GET")) {
        e.getValue().add("HEAD");
      }
      for (String method :
          List.of("GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "BREW")) {
        if (e.getValue().contains(method)) {
          continue;
        }
        Answer answer = send(method + " " + e.getKey(), "{}");
        assertProper(method + " " + e.getKey(), answer);
        assertThat(answer.status()).as(method + " " + e.getKey()).isEqualTo(405);
        assertThat(answer.headers().get("allow")).isEqualTo(String.join(", ", e.getValue()));
      }
    }
    assertThat(send("POST /healthz", "{}").status()).isEqualTo(405);
  }

  @Test
  void headIsGetWithoutABody() throws Exception {
    start();
    fixtures();
    for (String path : List.of("/healthz", "/readyz", "/", "/v1/tenants", "/v1/tenants/a")) {
      Answer get = send("GET " + path, "");
      Answer head = send("HEAD " + path, "");
      assertThat(head.status()).as(path).isEqualTo(get.status()).isEqualTo(200);
      assertThat(head.body()).isEmpty();
      assertThat(head.headers().get("content-length"))
          .isEqualTo(get.headers().get("content-length"));
    }
    Answer stream = send("HEAD /v1/events", List.of("Accept: text/event-stream"), new byte[0]);
    assertThat(stream.status()).isEqualTo(200);
    assertThat(stream.body()).isEmpty();
  }

  @Test
  void everyRouteAsksWhoSendsItAndAViewerChangesNothing() throws Exception {
    start(TestServer.ROOT, TestServer.EYE);
    byte[] body = "{}".getBytes(StandardCharsets.UTF_8);
    for (Route route : at.server.routes()) {
      String call = route.method() + " " + path(route, "a");
      Answer nobody = send(call, "{}");
      Answer stranger = send(call, List.of("Authorization: Bearer x"), body);
      Answer viewer = send(call, List.of("Authorization: Bearer eye"), body);
      for (Answer answer : List.of(nobody, stranger, viewer)) {
        assertProper(call, answer);
      }
      assertThat(nobody.status()).as(call).isEqualTo(401);
      assertThat(stranger.undated()).as(call).isEqualTo(nobody.undated());
      assertThat(nobody.headers()).containsKey("www-authenticate");
      if (route.changes()) {
        assertThat(viewer.status()).as(call).isEqualTo(403);
      }
    }
    // a header without anything in it is no credential, whatever the path
    assertThat(send("GET /v1/tenants", List.of("Authorization:"), body).status()).isEqualTo(401);
    assertSound();
  }

  @Test
  void whatIsWrongWithABodyIsSaidWithItsPlace() throws Exception {
    start();
    Map<String, String> sentences =
        Map.of(
            "", "the body is empty: a JSON object is expected",
            "[]", "the body must be a JSON object",
            "{\"name\": \"a\",\n  hosts}", "the body is no JSON: it goes wrong at line 2, column 3",
            "{\"name\": \"a\"", "the body is no JSON: it ends too early at line 1, column 13",
            "{\"name\":\"a\",\"name\":\"b\"}", "the body names a field twice at line 1, column 19",
            "{\"hosts\":-1,\"name\":\"a\"}", "'hosts' is 0 or more",
            "{\"name\":\"a\",\"hots\":1}", "unknown field 'hots'",
            "{\"name\":\"\\ud800\"}",
                "a text of the body holds half a character (a lone surrogate)");
    for (Map.Entry<String, String> e : sentences.entrySet()) {
      Answer answer = send("POST /v1/tenants", e.getKey());
      assertThat(answer.status()).isEqualTo(400);
      assertThat(JSON.readTree(answer.body()).get("detail").stringValue())
          .as(e.getKey())
          .isEqualTo(e.getValue());
    }
    assertThat(send("GET /v1/tenants?limit=-1", "").body())
        .contains("'limit' must be a whole number from 1 to 1000");
    assertThat(send("POST /v1/tenants?dry-run=true", "{\"name\":\"a\",\"hosts\":1}").body())
        .contains("did you mean 'dry_run'");
    assertThat(at.controller.view().epoch()).isZero();
  }

  @Test
  void aMembersKindAndIndexAreKeptWhenATenantIsSentBackAsItWasRead() throws Exception {
    start();
    String member = "{\"guid\":\"0xbeef\",\"membership\":\"limited\",\"index0\":true}";
    send("POST /v1/tenants", "{\"name\":\"a\",\"policy\":\"def\",\"members\":[" + member + "]}");
    JsonNode read = JSON.readTree(send("GET /v1/tenants/a", "").body()).get("members");
    send("PUT /v1/tenants/a", "{\"name\":\"a\",\"policy\":\"def\",\"members\":" + read + "}");
    assertThat(JSON.readTree(send("GET /v1/tenants/a", "").body()).get("members")).isEqualTo(read);
    assertThat(read.get(0).get("membership").stringValue()).isEqualTo("limited");
    assertThat(read.get(0).get("index0").booleanValue()).isTrue();
    assertThat(at.controller.view().epoch()).isEqualTo(1);
  }
}
