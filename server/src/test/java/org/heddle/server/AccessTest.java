package org.heddle.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.heddle.control.model.Actor;
import org.heddle.control.port.Part;
import org.heddle.fabric.Guid;
import org.heddle.plan.DesiredState;
import org.heddle.plan.model.JournalEntry;
import org.heddle.plan.model.Tenant;
import org.heddle.server.http.Route;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every endpoint with one tenant's token against another tenant's things: refused with the same
 * answer as for things that do not exist, and nothing of the other in any answer.
 */
class AccessTest {
  private static final String A = "red";
  private static final String B = "blue";

  /** As long as {@link #A}, so that answers that repeat the name have the same length. */
  private static final String NOBODY = "nix";

  @TempDir Path directory;

  private int attempts;

  private TestServer at;

  @BeforeEach
  void start() throws Exception {
    at =
        TestServer.start(
            directory,
            TestServer.ROOT,
            new TestServer.Token(A, Actor.Role.TENANT, A),
            new TestServer.Token(B, Actor.Role.TENANT, B));
    assertThat(send(A, "POST", "/v1/tenants", Map.of("Idempotency-Key", "k"), tenant(A, A, 6)))
        .contains("accepted");
    send(A, "POST", "/v1/tenants", Map.of(), tenant(A + ".x", A, 5));
    machines();
    send("root", "POST", "/ufmRest/resources/pkeys/add", Map.of(), "{\"pkey\":\"0x777\"}");
    send(B, "POST", "/v1/tenants", Map.of(), tenant(B, B, 3));
    assertThat(at.controller.view().tenants()).containsOnlyKeys(A, A + ".x", "api_pkey_0x777", B);
  }

  /** One of its own, that has moved. */
  private void machines() throws Exception {
    assertThat(send(A, "POST", "/v1/vms", Map.of(), machine(A, A, host(0)))).contains("accepted");
    assertThat(send(A, "POST", "/v1/migrations", Map.of(), move(A, host(1)))).startsWith("201");
  }

  private String host(int i) {
    Tenant a = at.controller.view().tenant(A).orElseThrow();
    return Guid.format(a.hosts().get(i).guid());
  }

  private static String machine(String name, String tenant, String host) {
    return "{\"name\":\"%s\",\"tenant\":\"%s\",\"host\":\"%s\"}".formatted(name, tenant, host);
  }

  private static String move(String vm, String host) {
    return "{\"moves\":[{\"vm\":\"%s\",\"to\":\"%s\"}]}".formatted(vm, host);
  }

  @AfterEach
  void stop() {
    at.close();
  }

  private static String tenant(String name, String owner, int hosts) {
    return "{\"name\":\"%s\",\"owner\":\"%s\",\"hosts\":%d}".formatted(name, owner, hosts);
  }

  /** Status and body, in one text. */
  private String send(
      String token, String method, String path, Map<String, String> headers, String body)
      throws Exception {
    HttpResponse<String> answer = at.send(token, method, path, body, headers);
    return answer.statusCode()
        + " "
        + answer.headers().firstValue("ETag").orElse("")
        + "\n"
        + answer.body();
  }

  /** The same attempt at another's thing and at nobody's. */
  private void attempt(String method, String path, Map<String, String> headers, String body)
      throws Exception {
    String others = send(B, method, path, headers, body);
    String nobodys = send(B, method, path.replace(A, NOBODY), headers, body.replace(A, NOBODY));
    assertThat(others.replace(A, NOBODY)).as(method + " " + path + " " + body).isEqualTo(nobodys);
    assertThat(Integer.parseInt(others.substring(0, 3))).as(others).isBetween(400, 499);
    attempts++;
  }

  @Test
  void twoHundredAttemptsAtAnothersThingsAreAnsweredAsIfThereWereNothing() throws Exception {
    DesiredState before = at.controller.view();
    for (String name : List.of(A, A + ".x", A + "%2Ex", "%72ed", A + ".y", A + "/", "./" + A)) {
      for (Route route : at.server.routes()) {
        if (route.path().contains("{")) {
          everyWay(route, name);
        }
      }
    }
    for (Route route : at.server.routes()) {
      if (route.changes() && !route.path().contains("{")) {
        making(route);
      }
    }
    long moved = at.store.migrations("f", 0, 1).getFirst().epoch();
    assertThat(send(B, "GET", "/v1/migrations/" + moved, Map.of(), "")).startsWith("404");
    assertThat(send(A, "GET", "/v1/migrations/" + moved, Map.of(), "")).startsWith("200");
    ufm();
    assertThat(attempts).isGreaterThanOrEqualTo(200);
    assertThat(at.controller.view().tenants()).isEqualTo(before.tenants());
    assertThat(at.controller.view().vms()).isEqualTo(before.vms());
    assertThat(at.store.journal("f", before.epoch(), 100)).isEmpty();
    assertThat(at.store.credentials()).hasSize(3);
  }

  @Test
  void whatWouldHelpARefusedRequestNamesNoOtherTenant() throws Exception {
    send("root", "DELETE", "/v1/vms/" + A, Map.of(), "");
    String no = send(B, "POST", "/v1/tenants", Map.of(), tenant(B + ".big", B, 20));
    assertThat(no).startsWith("409").contains("largest tenant that fits now").doesNotContain(A);
    assertThat(send("root", "POST", "/v1/tenants", Map.of(), tenant("big", "", 20)))
        .startsWith("409")
        .contains("it would fit without tenant " + B);
  }

  @Test
  void theExportIsTheProvidersAndNotForTenants() throws Exception {
    assertThat(send(B, "GET", "/v1/export", Map.of(), "")).startsWith("404").doesNotContain(A);
    assertThat(send("root", "GET", "/v1/export", Map.of(), "")).startsWith("200").contains(A);
  }

  /** What a job of one tenant's credential says of another's things, and of nobody's. */
  @Test
  void asJobsTheyAreRefusedInTheSameWords() throws Exception {
    DesiredState before = at.controller.view();
    int tried = 0;
    for (Route route : at.server.routes()) {
      if (route.later().isEmpty()) {
        continue;
      }
      String path = route.path().replaceAll("\\{[^}]*}", A);
      for (String body : List.of(tenant(A, A, 1), tenant(A + ".x", A, 5), "{\"epoch\":0}", "")) {
        String others = failed(route.method(), path, body);
        assertThat(others.replace(A, NOBODY))
            .as(route.method() + " " + path + " " + body)
            .isEqualTo(failed(route.method(), path.replace(A, NOBODY), body.replace(A, NOBODY)));
        tried++;
      }
    }
    assertThat(tried).isGreaterThanOrEqualTo(20);
    assertThat(at.controller.view().tenants()).isEqualTo(before.tenants());
    long last =
        at.store.jobs().jobs("f", Part.after(0, 1000), java.util.Optional.empty()).getLast().id();
    for (String path : List.of("/v1/jobs/" + last, "/v1/jobs/1", "/v1/jobs/999999")) {
      for (String method : List.of("GET", "DELETE")) {
        assertThat(send(A, method, path, Map.of(), ""))
            .isEqualTo(send(A, method, "/v1/jobs/999999", Map.of(), ""));
      }
    }
    assertThat(send(A, "GET", "/v1/jobs", Map.of(), "")).contains("\"items\":[]");
  }

  private String failed(String method, String path, String body) throws Exception {
    String job =
        send(B, method, path, Map.of("Prefer", "respond-async"), body)
            .replaceFirst("(?s).*\"id\":(\\d+).*", "$1");
    String now;
    do {
      now = send(B, "GET", "/v1/jobs/" + job, Map.of(), "");
    } while (now.contains("\"queued\"") || now.contains("\"running\""));
    assertThat(now).contains("\"failed\"");
    return now.replaceFirst("(?s).*\"problem\":(\\{[^}]*}).*", "$1");
  }

  private void everyWay(Route route, String name) throws Exception {
    String path = route.path().replaceAll("\\{[^}]*}", name);
    long version = at.controller.view().tenant(A).orElseThrow().changed();
    for (Map<String, String> headers :
        List.of(
            Map.<String, String>of(),
            Map.of("If-Match", "\"" + version + "\""),
            Map.of("If-Match", "*", "Idempotency-Key", "k"))) {
      for (String body : List.of("", "{", tenant(A, A, 1), tenant(A, B, 2))) {
        attempt(route.method(), path, headers, body);
      }
    }
    attempt(route.method(), path + "?dry_run=true", Map.of(), tenant(A, A, 6));
  }

  private void making(Route route) throws Exception {
    String port =
        Guid.format(
            at.controller
                .view()
                .members(at.controller.view().tenant(A).orElseThrow())
                .getFirst()
                .guid());
    for (String body :
        List.of(
            tenant(A, A, 6),
            tenant(A, B, 6),
            tenant(A + ".x", A, 5),
            tenant(A + ".new", A, 1),
            "{\"name\":\"blue.y\",\"owner\":\"red\",\"hosts\":1}",
            "{\"name\":\"blue.y\",\"hosts\":1,\"pkey\":\"0x777\"}",
            "{\"name\":\"blue.y\",\"hosts\":1,\"members\":[\"" + port + "\"]}",
            "{\"name\":\"red\",\"role\":\"tenant\",\"tenant\":\"red\",\"password\":\"12345678\"}",
            machine(A, A, host(0)),
            machine("blue.v", A, host(0)),
            machine("blue.v", B, host(0)),
            machine(A + ".v", B, "H"),
            move(A, host(2)),
            "id=red&n=3",
            "id=red.new&n=3",
            "{\"epoch\":0}",
            "{\"epoch\":1}")) {
      attempt(route.method(), route.path(), Map.of(), body);
      attempt(route.method(), route.path() + "?dry_run=true", Map.of("Idempotency-Key", "k"), body);
    }
  }

  private void ufm() throws Exception {
    for (String call :
        List.of(
            "GET /resources/pkeys?guids_data=true",
            "GET /resources/pkeys/0x777",
            "POST /resources/pkeys",
            "PUT /resources/pkeys",
            "POST /resources/pkeys/add",
            "POST /actions/remove_guids_from_pkey",
            "DELETE /resources/pkeys/0x777",
            "GET /resources/ports",
            "GET /jobs/1")) {
      String[] words = call.split(" ");
      for (String base : List.of("/ufmRest", "/ufmRestV2", "/ufmRestV3")) {
        attempt(words[0], base + words[1], Map.of(), "{\"pkey\":\"0x777\",\"guids\":[],\"red\":1}");
      }
    }
  }

  @Test
  void whatATenantMayReadTellsNothingOfAnother() throws Exception {
    Tenant a = at.controller.view().tenant(A).orElseThrow();
    List<String> secrets = new ArrayList<>(List.of("\"" + A, "0x777"));
    a.hosts().forEach(h -> secrets.add(Guid.format(h.guid())));
    secrets.add("\"0x" + Integer.toHexString(a.pkey()) + "\"");
    for (Route route : at.server.routes()) {
      if (!route.method().equals("GET") || route.path().contains("{")) {
        continue;
      }
      String before = send(B, "GET", route.path(), Map.of(), "");
      if (!route.path().equals("/v1/openapi.json")) { // whose examples are of recordings
        assertThat(before).as(route.path()).doesNotContain(secrets);
      }
      assertThat(send(A, "DELETE", "/v1/vms/" + A, Map.of(), "")).startsWith("200");
      assertThat(send(A, "DELETE", "/v1/tenants/" + A, Map.of(), "")).startsWith("200");
      assertThat(send(B, "GET", route.path(), Map.of(), "")).as(route.path()).isEqualTo(before);
      send(A, "POST", "/v1/tenants", Map.of(), tenant(A, A, 6));
      machines();
    }
    assertThat(at.store.journal("f", 0, 1000)).extracting(JournalEntry::actor).contains(A);
  }
}
