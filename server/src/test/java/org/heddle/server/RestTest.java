package org.heddle.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPInputStream;
import org.heddle.server.http.Documents;
import org.heddle.server.http.Route;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What programs that read the interface rely on: queries, pages, tags, packed answers. */
class RestTest {
  private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

  /** Lists of things with numbers. */
  private static final List<String> NUMBERED =
      List.of("/v1/history", "/v1/events", "/v1/audit", "/v1/plans", "/v1/jobs", "/v1/migrations");

  @TempDir Path directory;

  private final AtomicLong minutes = new AtomicLong();
  private TestServer at;

  @BeforeEach
  void start() throws Exception {
    InstantSource source = () -> BEGIN.plus(Duration.ofMinutes(minutes.get()));
    at =
        TestServer.start(
            directory,
            TreeGenerator.generate(TreeSpec.parse("XGFT(2;4,8;1,4)")).withAssignedLids(),
            clock(source),
            TestServer.ROOT,
            new TestServer.Token("ann", org.heddle.control.model.Actor.Role.PROVIDER, ""),
            TestServer.RED);
  }

  private static Clock clock(InstantSource source) {
    return source.withZone(ZoneOffset.UTC);
  }

  @AfterEach
  void stop() {
    at.close();
  }

  private JsonNode get(String path) throws Exception {
    HttpResponse<String> answer = at.send("root", "GET", path, "");
    assertThat(answer.statusCode()).as(path + " " + answer.body()).isEqualTo(200);
    return Documents.JSON.readTree(answer.body());
  }

  private HttpResponse<String> post(String who, String path, String body) throws Exception {
    HttpResponse<String> answer = at.send(who, "POST", path, body);
    assertThat(answer.statusCode()).as(path + " " + answer.body()).isEqualTo(201);
    return answer;
  }

  private void fill() throws Exception {
    for (int i = 0; i < 5; i++) {
      minutes.incrementAndGet();
      post(i % 2 == 0 ? "root" : "ann", "/v1/tenants", "{\"name\":\"t" + i + "\",\"hosts\":2}");
      post("root", "/v1/plans", "{\"changes\":[{\"op\":\"delete\",\"name\":\"t" + i + "\"}]}");
    }
    String host = get("/v1/tenants/t0").get("hosts").get(0).get("name").stringValue();
    String other = get("/v1/tenants/t0").get("hosts").get(1).get("name").stringValue();
    post("root", "/v1/vms", "{\"name\":\"v\",\"tenant\":\"t0\",\"host\":\"" + host + "\"}");
    for (String to : List.of(other, host, other)) {
      post("root", "/v1/migrations", "{\"moves\":[{\"vm\":\"v\",\"to\":\"" + to + "\"}]}");
    }
    for (int i = 0; i < 3; i++) {
      at.send(
          "root",
          "POST",
          "/v1/tenants",
          "{\"name\":\"j" + i + "\",\"hosts\":1}",
          Map.of("Prefer", "respond-async"));
    }
    while (get("/v1/jobs?state=queued").get("items").size()
            + get("/v1/jobs?state=running").get("items").size()
        > 0) {
      Thread.onSpinWait();
    }
  }

  private static String path(Route route) {
    return route.path().replace("{id}", "1").replace("{guid}", "0x1").replace("{name}", "t0");
  }

  /** One that is misspelt must not count as left out. */
  @Test
  void aNameInAQueryThatMeansNothingIsRefusedWithThoseThatDo() throws Exception {
    int tried = 0;
    for (Route route : at.server.routes()) {
      if (route.path().startsWith("/v1/")) {
        HttpResponse<String> answer =
            at.send("root", route.method(), path(route) + "?limti=5", "{}");
        assertThat(answer.statusCode()).as(route.method() + " " + route.path()).isEqualTo(400);
        assertThat(answer.body()).contains("unknown parameter 'limti'");
        route.query().forEach(name -> assertThat(answer.body()).contains(name));
        tried++;
      }
    }
    assertThat(tried).isGreaterThan(40);
    assertThat(at.send("root", "POST", "/v1/tenants?dryrun=true", "{}").body())
        .contains("unknown parameter 'dryrun': did you mean 'dry_run'? dry_run");
    assertThat(at.view().tenants()).isEmpty();
  }

  @Test
  void aPageOfNothingOrOfTooMuchIsRefused() throws Exception {
    for (Route route : at.server.routes()) {
      for (String name : List.of("limit", "last")) {
        for (String number : List.of("0", "1001", "99999999999999999999")) {
          if (route.query().contains(name)) {
            String path = route.path() + "?" + name + "=" + number;
            HttpResponse<String> none = at.send("root", "GET", path, "");
            assertThat(none.statusCode()).as(path).isEqualTo(400);
            assertThat(none.body())
                .contains("'" + name + "' must be a whole number from 1 to 1000");
            get(route.path() + "?" + name + "=1000");
          }
        }
      }
    }
  }

  /** Either could be meant, and one of them is a change. */
  @Test
  void aParameterThatIsThereTwiceIsRefused() throws Exception {
    for (String query : List.of("dry_run=false&dry_run=true", "dry_run=true&dry_run=true")) {
      HttpResponse<String> twice =
          at.send("root", "POST", "/v1/tenants?" + query, "{\"name\":\"a\",\"hosts\":1}");
      assertThat(twice.statusCode()).isEqualTo(400);
      assertThat(twice.body()).contains("the parameter 'dry_run' is there more than once");
    }
    assertThat(at.view().tenants()).isEmpty();
  }

  private List<JsonNode> pages(String path, int limit) throws Exception {
    List<JsonNode> out = new ArrayList<>();
    String after = "";
    while (true) {
      String more = (path.contains("?") ? "&" : "?") + "limit=" + limit;
      JsonNode page = get(path + more + after);
      page.get("items").forEach(out::add);
      if (page.get("items").isEmpty() || page.get("next").isNull()) {
        return out;
      }
      after = "&after=" + page.get("next").stringValue();
    }
  }

  @Test
  void descendingPagesAreTheAscendingOnesFromTheEnd() throws Exception {
    fill();
    await("/v1/audit", 12);
    for (String path : NUMBERED) {
      List<JsonNode> all = pages(path, 1000);
      assertThat(all).as(path).hasSizeGreaterThan(2);
      for (int limit = 1; limit < 4; limit++) {
        assertThat(pages(path, limit)).as(path).isEqualTo(all);
        assertThat(pages(path + "?order=desc", limit)).as(path).isEqualTo(all.reversed());
      }
      assertThat(at.send("root", "GET", path + "?order=down", "").statusCode()).isEqualTo(400);
    }
  }

  private void await(String path, int items) throws Exception {
    while (get(path).get("items").size() < items) {
      Thread.onSpinWait();
    }
  }

  @Test
  void timeAndActorChoose() throws Exception {
    fill();
    List<JsonNode> all = pages("/v1/history", 1000);
    String third = all.get(2).get("at").stringValue();
    assertThat(third).isEqualTo(BEGIN.plus(Duration.ofMinutes(3)).toString());
    assertThat(pages("/v1/history?since=" + third, 2)).isEqualTo(all.subList(2, all.size()));
    assertThat(pages("/v1/history?until=" + third, 2)).isEqualTo(all.subList(0, 2));
    assertThat(pages("/v1/history?order=desc&until=" + third, 1))
        .isEqualTo(all.subList(0, 2).reversed());
    assertThat(pages("/v1/history?actor=ann", 1)).isEqualTo(List.of(all.get(1), all.get(3)));
    assertThat(pages("/v1/history?actor=ann&since=" + third, 1)).isEqualTo(List.of(all.get(3)));
    assertThat(pages("/v1/history?actor=nobody", 1)).isEmpty();
    assertThat(pages("/v1/events?since=" + third, 1000))
        .isNotEmpty()
        .allMatch(e -> e.get("at").stringValue().compareTo(third) >= 0);
    await("/v1/audit", 12);
    assertThat(pages("/v1/audit?actor=ann", 1000))
        .hasSize(2)
        .allMatch(e -> e.get("actor").stringValue().equals("ann"));
    for (String wrong : List.of("since=yesterday", "until=2026-01-01", "since=1")) {
      assertThat(at.send("root", "GET", "/v1/history?" + wrong, "").statusCode()).isEqualTo(400);
    }
  }

  /** All that is read has a tag, and whoever has it is told so. */
  @Test
  void whoHasAnAnswerIsToldSo() throws Exception {
    fill();
    int tried = 0;
    for (Route route : at.server.routes()) {
      String path =
          route.path().startsWith("/v1/fabrics/")
              ? route.path().replace("{name}", "f")
              : path(route);
      HttpResponse<String> first = at.send("root", "GET", path, "");
      if (!route.method().equals("GET")
          || !route.path().startsWith("/v1/")
          || first.statusCode() != 200) {
        continue;
      }
      tried++;
      String tag = first.headers().firstValue("ETag").orElseThrow();
      HttpResponse<String> again =
          at.send("root", "GET", path, "", Map.of("If-None-Match", "\"x\", " + tag));
      assertThat(again.statusCode()).as(path).isEqualTo(304);
      assertThat(again.body()).isEmpty();
      assertThat(again.headers().firstValue("ETag")).contains(tag);
      assertThat(at.send("root", "GET", path, "", Map.of("If-None-Match", "\"x\"")).body())
          .isEqualTo(first.body());
    }
    assertThat(tried).isGreaterThan(20);
    String tag =
        at.send("root", "GET", "/v1/tenants", "").headers().firstValue("ETag").orElseThrow();
    post("root", "/v1/tenants", "{\"name\":\"more\",\"hosts\":1}");
    assertThat(at.send("root", "GET", "/v1/tenants", "", Map.of("If-None-Match", tag)).statusCode())
        .isEqualTo(200);
  }

  /** The tag of what was read is one that changes can be held against. */
  @Test
  void theTagOfWhatWasReadIsACondition() throws Exception {
    post("root", "/v1/tenants", "{\"name\":\"a\",\"hosts\":2}");
    String tag =
        at.send("root", "GET", "/v1/tenants/a", "").headers().firstValue("ETag").orElseThrow();
    String body = "{\"name\":\"a\",\"hosts\":3}";
    assertThat(at.send("root", "PUT", "/v1/tenants/a", body, Map.of("If-Match", tag)).statusCode())
        .isEqualTo(200);
    assertThat(at.send("root", "PUT", "/v1/tenants/a", body, Map.of("If-Match", tag)).statusCode())
        .isEqualTo(412);
  }

  @Test
  void longAnswersArePackedForWhoTakesIt() throws Exception {
    fill();
    for (String accepted : List.of("gzip", "br, gzip;q=0.5", "*", "identity", "gzip;q=0", "")) {
      HttpRequest.Builder request = at.request("root", "/v1/links");
      if (!accepted.isEmpty()) {
        request.header("Accept-Encoding", accepted);
      }
      HttpResponse<byte[]> answer =
          at.client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
      String plain = at.send("root", "GET", "/v1/links", "").body();
      boolean packed = accepted.matches("gzip|br.*|\\*");
      assertThat(answer.headers().firstValue("Content-Encoding").isPresent())
          .as(accepted)
          .isEqualTo(packed);
      assertThat(answer.headers().firstValue("Vary")).contains("Accept-Encoding");
      byte[] bytes =
          packed
              ? new GZIPInputStream(new ByteArrayInputStream(answer.body())).readAllBytes()
              : answer.body();
      assertThat(new String(bytes, StandardCharsets.UTF_8)).isEqualTo(plain);
      assertThat(packed && answer.body().length * 4 > plain.length()).isFalse();
    }
  }

  @Test
  void whatWasMadeSaysWhereItIs() throws Exception {
    fill();
    String user = "{\"name\":\"bob\",\"password\":\"long enough\"}";
    List<HttpResponse<String>> made =
        List.of(
            post("root", "/v1/tenants", "{\"name\":\"a\",\"hosts\":2}"),
            post(
                "root",
                "/v1/vms",
                "{\"name\":\"w\",\"tenant\":\"t0\",\"host\":\"%s\"}"
                    .formatted(
                        get("/v1/tenants/t0").get("hosts").get(0).get("name").stringValue())),
            post("root", "/v1/tokens", "{\"name\":\"k\"}"),
            post("root", "/v1/users", user),
            post("root", "/v1/plans", "{\"changes\":[{\"op\":\"delete\",\"name\":\"a\"}]}"));
    for (HttpResponse<String> answer : made) {
      get(answer.headers().firstValue("Location").orElseThrow());
    }
  }
}
