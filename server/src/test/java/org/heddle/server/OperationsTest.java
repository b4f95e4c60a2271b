package org.heddle.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.reflect.Proxy;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.heddle.control.Reconciler;
import org.heddle.control.model.Actor;
import org.heddle.control.model.Credential;
import org.heddle.control.port.FabricAgent;
import org.heddle.server.auth.Credentials;
import org.heddle.server.http.Documents;
import org.heddle.server.http.Reply;
import org.heddle.server.http.Route;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Streams of events, figures, health, the description, and the calls of the LaaS service. */
class OperationsTest {
  @TempDir Path directory;

  private TestServer at;

  @BeforeEach
  void start() throws Exception {
    at = TestServer.start(directory, TestServer.ROOT, TestServer.RED);
  }

  @AfterEach
  void stop() {
    at.close();
  }

  private void make(String name) throws Exception {
    String body = "{\"name\":\"" + name + "\",\"owner\":\"" + name + "\",\"hosts\":2}";
    assertThat(at.send("root", "POST", "/v1/tenants", body).statusCode()).isEqualTo(201);
  }

  /** A reader of a stream. */
  private final class Stream implements AutoCloseable {
    private final BufferedReader reader;
    private final InputStream in;

    Stream(String token, String lastId) throws Exception {
      HttpRequest.Builder request =
          at.request(token, "/v1/events").header("Accept", "text/event-stream");
      if (!lastId.isEmpty()) {
        request.header("Last-Event-ID", lastId);
      }
      HttpResponse<InputStream> answer =
          at.client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.headers().firstValue("Content-Type")).contains("text/event-stream");
      in = answer.body();
      reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
      assertThat(reader.readLine()).isEqualTo(":");
    }

    /** The next event's lines. */
    List<String> next() throws IOException {
      List<String> out = new ArrayList<>();
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        if (line.isEmpty() && !out.isEmpty()) {
          return out;
        }
        if (!line.isEmpty() && !line.startsWith(":")) {
          out.add(line);
        }
      }
      return out;
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }

  @Test
  void eventsArriveAsTheyHappenAndATenantSeesItsOwn() throws Exception {
    make("early");
    try (Stream all = new Stream("root", "");
        Stream own = new Stream("red", "")) {
      make("blue");
      make("red");
      assertThat(all.next()).startsWith("id: 2", "event: tenant-created");
      assertThat(all.next().getFirst()).isEqualTo("id: 3");
      assertThat(own.next()).startsWith("id: 3").last().asString().contains("\"red\"");
    }
  }

  @Test
  void aReaderThatComesBackGoesOnWhereItStopped() throws Exception {
    for (String name : List.of("a", "b", "c")) {
      make(name);
    }
    try (Stream again = new Stream("root", "1")) {
      assertThat(again.next().getFirst()).isEqualTo("id: 2");
      assertThat(again.next().getFirst()).isEqualTo("id: 3");
    }
  }

  @Test
  void aStreamEndsWithItsToken() throws Exception {
    try (Stream own = new Stream("red", "")) {
      at.credentials.accept(
          new Credential(
              "red",
              "token",
              Credentials.hash("red"),
              Actor.Role.TENANT,
              "red",
              Instant.EPOCH,
              true));
      make("a"); // wakes it
      assertThat(own.next()).isEmpty();
    }
  }

  @Test
  void manyReadersGetEveryEvent() throws Exception {
    List<Stream> streams = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      streams.add(new Stream("root", ""));
    }
    make("a");
    make("b");
    for (Stream s : streams) {
      assertThat(s.next().getFirst()).isEqualTo("id: 1");
      assertThat(s.next().getFirst()).isEqualTo("id: 2");
      s.close();
    }
  }

  @Test
  void figuresAreInPrometheusForm() throws Exception {
    make("a");
    HttpResponse<String> answer = at.send("root", "GET", "/metrics", "");
    assertThat(answer.headers().firstValue("Content-Type").orElse("")).startsWith("text/plain");
    assertThat(answer.body().lines())
        .contains(
            "heddle_epoch{fabric=\"f\"} 1",
            "heddle_tenants{fabric=\"f\"} 1",
            "heddle_hosts_free{fabric=\"f\"} 30",
            "# TYPE heddle_fabric_looks_total counter",
            "heddle_fabric_looks_failed_total{fabric=\"f\"} 0",
            "# TYPE heddle_fabric_last_look_seconds gauge",
            "heddle_http_requests_total{status=\"2xx\"} 1",
            "heddle_http_request_seconds_count 1")
        .allMatch(line -> line.matches("# (HELP|TYPE) \\S+ .*|[a-z_0-9]+(\\{[^}]*})? \\S+"));
    assertThat(at.send("red", "GET", "/metrics", "").statusCode()).isEqualTo(404);
  }

  @Test
  void healthIsToldToEverybodyAndReadinessFollowsTheController() throws Exception {
    assertThat(at.send("", "GET", "/healthz", "").statusCode()).isEqualTo(200);
    assertThat(at.send("", "GET", "/readyz", "").statusCode()).isEqualTo(200);
    at.controller.close();
    assertThat(at.send("", "GET", "/readyz", "").statusCode()).isEqualTo(503);
    assertThat(at.send("", "GET", "/healthz", "").statusCode()).isEqualTo(200);
    assertThat(at.send("", "GET", "/metrics", "").statusCode()).isEqualTo(401);
  }

  /** A full disk, say: what is decided does not reach the fabric. */
  @Test
  void whoCannotWriteTheFilesIsNotReady() {
    boolean[] full = {true};
    FabricAgent agent =
        (FabricAgent)
            Proxy.newProxyInstance(
                FabricAgent.class.getClassLoader(),
                new Class<?>[] {FabricAgent.class},
                (_, method, arguments) ->
                    method.getName().equals("cannotWrite")
                        ? Optional.of("no room").filter(_ -> full[0])
                        : method.invoke(at.emulator, arguments));
    Reconciler reconciler = new Reconciler(at.controller, agent, true, Duration.ofHours(1));
    Operations operations = new Operations(at.controller, reconciler, new Metrics(), null, () -> 0);
    Reply reply = operations.open("GET", List.of("readyz")).orElseThrow();
    assertThat(reply.status()).isEqualTo(503);
    assertThat(((Operations.Health) reply.body()).problems())
        .containsExactly(
            "the files for the subnet manager cannot be written: see the status of the fabric");
    full[0] = false;
    assertThat(operations.open("GET", List.of("readyz")).orElseThrow().status()).isEqualTo(200);
  }

  @Test
  void theDescriptionNamesEveryRoute() throws Exception {
    JsonNode document =
        Documents.JSON.readTree(at.send("red", "GET", "/v1/openapi.json", "").body());
    assertThat(document.get("openapi").stringValue()).startsWith("3.");
    for (Route route : at.server.routes()) {
      JsonNode operation =
          document.get("paths").get(route.path()).get(route.method().toLowerCase());
      assertThat(operation.get("summary").stringValue()).isEqualTo(route.summary());
    }
    assertThat(document.at("/paths/~1v1~1tenants~1{name}/put/parameters").size()).isEqualTo(5);
  }

  @Test
  void theCallsOfLaasAnswerAsInItsPaper() throws Exception {
    assertThat(at.send("root", "GET", "/tenants", "").body()).isEqualTo("{}");
    assertThat(at.send("root", "POST", "/tenants", "id=4&n=10").body())
        .isEqualTo("{\"N\":10,\"hosts\":10,\"l1Ports\":10,\"l2Ports\":0}");
    assertThat(at.send("root", "GET", "/tenants", "").body())
        .isEqualTo("{\"4\":{\"N\":10,\"hosts\":10,\"l1Ports\":10,\"l2Ports\":0}}");
    JsonNode hosts = Documents.JSON.readTree(at.send("root", "GET", "/tenants/4/hosts", "").body());
    assertThat(hosts).hasSize(10).allMatch(JsonNode::isString);
    JsonNode ports =
        Documents.JSON.readTree(at.send("root", "GET", "/tenants/4/l1Ports", "").body());
    assertThat(ports).hasSize(10).allMatch(p -> p.get("pNum").isInt() && p.has("sName"));
    assertThat(at.send("root", "GET", "/tenants/4/l2Ports", "").body()).isEqualTo("[]");
    HttpResponse<String> full = at.send("root", "POST", "/tenants", "id=2&n=23");
    assertThat(full.statusCode()).isEqualTo(409);
    assertThat(full.body()).contains("\"message\":\"Fail to allocate tenant 2\"");
    assertThat(at.send("root", "DELETE", "/tenants/4", "").statusCode()).isEqualTo(204);
    assertThat(at.send("root", "POST", "/tenants", "id=2&n=23").statusCode()).isEqualTo(200);
    assertThat(at.send("red", "GET", "/tenants/2/hosts", "").statusCode()).isEqualTo(404);
    assertThat(at.send("root", "POST", "/tenants", "n=2").statusCode()).isEqualTo(400);
  }

  /** Anybody may send them, and they are kept for long. */
  @Test
  void pathsAndTextsOfRefusedRequestsAreKeptInPart() throws Exception {
    String text = "x".repeat(40_000);
    String path = "/v1/" + "a".repeat(9000);
    assertThat(at.send("", "DELETE", path, "").statusCode()).isEqualTo(401);
    String body = "{\"name\":\"t\",\"" + text + "\":1}";
    assertThat(at.send("root", "POST", "/v1/tenants", body).body())
        .contains("unknown field", "characters)")
        .hasSizeLessThan(10_000);
    String plan = "{\"changes\":[{\"op\":\"tenants-file\",\"text\":\"%s\"}]}".formatted(text);
    at.send("root", "POST", "/v1/plans", plan);
    assertThat(at.send("root", "GET", "/v1/plans/1", "").body().length()).isLessThan(10_000);
    String job = "{\"name\":\"" + text + "\"}";
    at.send("root", "POST", "/v1/tenants", job, Map.of("Prefer", "respond-async"));
    assertThat(at.send("root", "GET", "/v1/jobs/1", "").body().length()).isLessThan(10_000);
    at.server.close(); // writes what is left
    assertThat(at.store.audit(0, 100))
        .isNotEmpty()
        .allMatch(r -> r.action().length() < 400)
        .anyMatch(r -> r.status() == 401 && r.action().endsWith("characters)"));
  }

  /** A process that answers, and does nothing more. */
  @Test
  void aChangeThatHangsIsKnownToReadiness() throws Exception {
    CountDownLatch hangs = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    at.controller.onView(
        _ -> {
          hangs.countDown();
          try {
            goOn.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    make("a"); // it is answered before those who want to know of it are told
    hangs.await();
    assertThat(at.send("", "GET", "/readyz", "").statusCode()).isEqualTo(200);
    at.server.patience(Duration.ZERO);
    HttpResponse<String> stuck = at.send("", "GET", "/readyz", "");
    assertThat(stuck.statusCode()).isEqualTo(503);
    assertThat(stuck.body()).contains("a change has been under way for 0 s");
    goOn.countDown();
    make("b");
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    while (at.send("", "GET", "/readyz", "").statusCode() != 200) {
      assertThat(System.nanoTime()).isLessThan(end);
    }
  }

  @Test
  void metricsSayOfWhichFabricTheyAreAndHowTheProcessDoes() throws Exception {
    at.look();
    String text = at.send("root", "GET", "/metrics", "").body();
    assertThat(text)
        .contains(
            "heddle_epoch{fabric=\"f\"} 0\n",
            "heddle_tenants{fabric=\"f\"} 0\n",
            "heddle_fabric_looks_total{fabric=\"f\"} 1\n",
            "heddle_check_failed{check=\"database-writes\"} 0\n",
            "heddle_change_stage_seconds_count{fabric=\"f\",stage=\"commit\"} 0\n",
            "heddle_problems{fabric=\"f\"} 0\n",
            "heddle_leads 1\n")
        .containsPattern("heddle_fabric_look_age_seconds\\{fabric=\"f\"} [0-9.E-]+\n")
        .containsPattern("process_start_time_seconds 1[0-9.E]+\n")
        .containsPattern("jvm_memory_used_bytes\\{area=\"heap\"} [1-9]")
        .containsPattern("jvm_threads_current [1-9]");
    make("a");
    assertThat(at.send("root", "GET", "/metrics", "").body())
        .containsPattern("_seconds_count\\{fabric=\"f\",stage=\"wait\"} 1\n")
        .containsPattern("_seconds_count\\{fabric=\"f\",stage=\"commit\"} 1\n");
    for (String line : text.lines().toList()) {
      assertThat(line)
          .matches(
              "# (HELP|TYPE) [a-z_]+ .+"
                  + "|[a-z_]+(\\{[a-z]+=\"[^\"]*\"(,[a-z]+=\"[^\"]*\")*})? [0-9.E+-]+");
    }
  }
}
