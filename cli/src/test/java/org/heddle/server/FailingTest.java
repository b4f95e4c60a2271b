package org.heddle.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import org.heddle.cli.shell.log.LogOutput;
import org.heddle.control.Controller;
import org.heddle.control.model.Actor;
import org.heddle.control.model.Request;
import org.heddle.control.port.Store;
import org.heddle.plan.model.Change;
import org.heddle.plan.model.Outcome;
import org.heddle.server.auth.Credentials;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * A bug of the program leaves a trace: in the log, with its stack, and in readiness if it lasts.
 */
@Isolated // there is one log of a process
class FailingTest {
  @TempDir Path directory;

  private final ByteArrayOutputStream log = new ByteArrayOutputStream();
  private final Broken clock = new Broken();
  private LogOutput output;
  private TestServer at;

  /** A clock that may be a bug: whoever decides a change asks it. */
  private static final class Broken extends Clock {
    private volatile boolean broken;

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }

    @Override
    public Instant instant() {
      if (broken) {
        throw new IllegalStateException("taken twice");
      }
      return Instant.EPOCH;
    }
  }

  @BeforeEach
  void start() throws Exception {
    PrintStream to = new PrintStream(log, true, StandardCharsets.UTF_8);
    output = LogOutput.start("info", false, Optional.empty(), to);
    at =
        TestServer.start(
            directory,
            TreeGenerator.generate(TreeSpec.parse("XGFT(2;4,4;1,4)")).withAssignedLids(),
            clock,
            TestServer.ROOT);
  }

  @AfterEach
  void stop() {
    at.close();
    output.close();
  }

  private String logged() {
    return log.toString(StandardCharsets.UTF_8);
  }

  private HttpResponse<String> create(String name, String id) throws Exception {
    String body = "{\"name\":\"%s\",\"hosts\":1,\"policy\":\"def\"}".formatted(name);
    return at.send("root", "POST", "/v1/tenants", body, Map.of("X-Request-Id", id));
  }

  private HttpResponse<String> ready() throws Exception {
    return at.send("", "GET", "/readyz", "");
  }

  @Test
  void aWriterThatFailsAgainAndAgainIsNotReadyAndSaysWhereInTheLog() throws Exception {
    clock.broken = true;
    for (int i = 0; i < 2; i++) {
      assertThat(create("a", "try-" + i).statusCode()).isEqualTo(503);
    }
    assertThat(ready().statusCode()).isEqualTo(200);
    HttpResponse<String> third = create("a", "try-2");
    assertThat(third.headers().firstValue("X-Request-Id")).contains("try-2");
    HttpResponse<String> ready = ready();
    assertThat(ready.statusCode()).isEqualTo(503);
    assertThat(ready.body()).contains("changes fail again and again").doesNotContain("taken");
    assertThat(logged())
        .contains("the writer failed at tenant-created a")
        .contains("request=try-2")
        .contains("java.lang.IllegalStateException: taken twice")
        .contains("at org.heddle.control.Controller.");
    clock.broken = false;
    assertThat(create("a", "well").statusCode()).isEqualTo(201);
    assertThat(ready().statusCode()).isEqualTo(200);
  }

  @Test
  void aChangeThatCannotSayWhatItIsIsRefusedAndTheWriterGoesOn() throws Exception {
    Outcome outcome =
        at.controller.submit(new Change.Create(null), Request.of(Actor.SYSTEM)).join();
    assertThat(outcome).isInstanceOf(Outcome.Refused.class);
    assertThat(logged()).contains("the writer failed at Create").contains("NullPointerException");
    assertThat(create("a", "next").statusCode()).isEqualTo(201);
  }

  @Test
  void aFabricThatIsNotFollowedIsNotReadyAlthoughTenantsAreAdmitted() throws Exception {
    for (int i = 0; i < 10; i++) {
      at.look();
    }
    long leaf = at.controller.view().fabric().nodeGuid(0);
    at.emulator.setLink(leaf, 5, false);
    assertThat(ready().statusCode()).isEqualTo(200);
    for (int i = 0; i < 3; i++) {
      clock.broken = true;
      at.look();
      clock.broken = false;
      assertThat(ready().statusCode()).isEqualTo(503); // no plan for the fabric as it is
      assertThat(ready().body()).contains("there is no plan for it");
      assertThat(create("t" + i, "t").statusCode()).isEqualTo(201);
    }
    assertThat(ready().body()).contains("the fabric is not followed");
    assertThat(logged()).contains("the writer failed at fabric-changed");
    at.look();
    assertThat(ready().statusCode()).isEqualTo(200);
  }

  @Test
  void aRequestThatFailsIs500AndItsStackIsInTheLogUnderItsId() throws Exception {
    Store failing =
        (Store)
            Proxy.newProxyInstance(
                Store.class.getClassLoader(),
                new Class<?>[] {Store.class},
                (_, method, arguments) -> {
                  if (method.getName().equals("journal")) {
                    throw new IllegalStateException("a value that may be secret");
                  }
                  return method.invoke(at.store, arguments);
                });
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (Controller controller = Controller.open(failing, clock, "f");
        HttpServer server = new HttpServer(controller, at.reconciler, new Credentials(), any)) {
      int port = server.start();
      HttpRequest request =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/v1/history?limit=7"))
              .header("X-Request-Id", "proxy.7")
              .build();
      HttpResponse<String> answer = at.client.send(request, HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).isEqualTo(500);
      assertThat(answer.headers().firstValue("X-Request-Id")).contains("proxy.7");
      assertThat(answer.body()).doesNotContain("secret");
    }
    assertThat(logged())
        .contains("a request failed: GET /v1/history request=proxy.7\n")
        .contains("java.lang.IllegalStateException: a value that may be secret")
        .contains("at org.heddle.server.v1.ApiV1.history")
        .doesNotContain("limit=7");
  }

  @Test
  void anIdThatIsNoIdIsNotUsed() throws Exception {
    HttpResponse<String> made = at.send("root", "GET", "/v1/tenants", "");
    HttpResponse<String> odd =
        at.send("root", "GET", "/v1/tenants", "", Map.of("X-Request-Id", "a b=\"c\""));
    String first = made.headers().firstValue("X-Request-Id").orElseThrow();
    String second = odd.headers().firstValue("X-Request-Id").orElseThrow();
    assertThat(first).matches("[0-9a-f]{8}-\\d+");
    assertThat(second).matches("[0-9a-f]{8}-\\d+").isNotEqualTo(first);
  }
}
