package org.heddle.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.heddle.control.Controller;
import org.heddle.control.Reconciler;
import org.heddle.control.agent.Emulator;
import org.heddle.control.model.Actor;
import org.heddle.control.model.Credential;
import org.heddle.fabric.Fabric;
import org.heddle.store.SqlStore;
import org.heddle.topology.TreeGenerator;
import org.heddle.topology.TreeSpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerTest {
  @TempDir Path directory;

  private final HttpClient client = HttpClient.newHttpClient();
  private final Credentials credentials = new Credentials();
  private SqlStore store;
  private Controller controller;
  private HttpServer server;
  private int port;

  @BeforeEach
  void start() throws Exception {
    Fabric fabric = TreeGenerator.generate(TreeSpec.parse("XGFT(2;4,8;1,4)")).withAssignedLids();
    store = SqlStore.sqlite(directory.resolve("s.db"));
    store.create("f", fabric, "dmodk");
    token("root", Actor.Role.PROVIDER, "");
    token("red", Actor.Role.TENANT, "red");
    token("blue", Actor.Role.TENANT, "blue");
    token("eye", Actor.Role.VIEWER, "");
    controller = Controller.open(store, Clock.systemUTC(), "f");
    Reconciler reconciler =
        new Reconciler(controller, new Emulator(fabric), true, Duration.ofHours(1));
    server =
        new HttpServer(
            controller,
            reconciler,
            credentials,
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    port = server.start();
  }

  private void token(String name, Actor.Role role, String tenant) {
    Credential c =
        new Credential(name, "token", Credentials.hash(name), role, tenant, Instant.EPOCH, false);
    store.put(c);
    credentials.accept(c);
  }

  @AfterEach
  void stop() {
    server.close();
    controller.close();
    store.close();
    client.close();
  }

  private HttpResponse<String> send(String token, String method, String path, String body)
      throws Exception {
    return client.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .header("Authorization", "Bearer " + token)
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void aTenantIsMadeReadChangedAndLetGo() throws Exception {
    assertThat(send("root", "POST", "/v1/tenants", "{\"name\":\"a\",\"hosts\":6}").statusCode())
        .isEqualTo(201);
    HttpResponse<String> got = send("root", "GET", "/v1/tenants/a", "");
    assertThat(got.statusCode()).isEqualTo(200);
    assertThat(got.headers().firstValue("ETag")).contains("\"1\"");
    assertThat(send("root", "DELETE", "/v1/tenants/a", "").statusCode()).isEqualTo(200);
    assertThat(send("root", "GET", "/v1/tenants/a", "").statusCode()).isEqualTo(404);
  }

  @Test
  void whatIsAnothersLooksLikeWhatIsNotThere() throws Exception {
    send("red", "POST", "/v1/tenants", "{\"name\":\"red\",\"hosts\":6}");
    for (String method : new String[] {"GET", "PUT", "DELETE"}) {
      HttpResponse<String> others =
          send("blue", method, "/v1/tenants/red", "{\"name\":\"red\",\"hosts\":1}");
      HttpResponse<String> nothing =
          send("blue", method, "/v1/tenants/nix", "{\"name\":\"nix\",\"hosts\":1}");
      assertThat(others.statusCode()).isEqualTo(404);
      assertThat(others.body()).isEqualTo(nothing.body());
    }
    String mine = "{\"name\":\"red\",\"owner\":\"blue\",\"hosts\":1}";
    assertThat(send("blue", "POST", "/v1/tenants", mine).statusCode()).isEqualTo(403);
    assertThat(send("blue", "GET", "/v1/tenants", "").body()).doesNotContain("red");
    assertThat(send("blue", "GET", "/v1/events", "").body()).doesNotContain("red");
    assertThat(send("blue", "GET", "/v1/history", "").statusCode()).isEqualTo(404);
    assertThat(controller.view().tenant("red")).isPresent();
  }

  @Test
  void withoutATokenNothingIsSaid() throws Exception {
    assertThat(send("wrong", "GET", "/v1/tenants", "").statusCode()).isEqualTo(401);
    assertThat(send("eye", "POST", "/v1/tenants", "{}").statusCode()).isEqualTo(403);
  }

  @Test
  void malformedAndOversizedBodiesAreProblems() throws Exception {
    assertThat(send("root", "POST", "/v1/tenants", "{").statusCode()).isEqualTo(400);
    assertThat(send("root", "POST", "/v1/tenants", "[]").statusCode()).isEqualTo(400);
    assertThat(send("root", "POST", "/v1/tenants", "{\"what\":1}").statusCode()).isEqualTo(400);
    assertThat(send("root", "POST", "/v1/tenants", "x".repeat(2 << 20)).statusCode())
        .isEqualTo(413);
    assertThat(send("root", "PATCH", "/v1/tenants", "").statusCode()).isEqualTo(405);
  }
}
