package org.heddle.cli.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.heddle.cli.shell.Failure;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What is tried again and how, against a server that answers by a script; nothing really waits. */
class ServerClientTest {
  /** One answer of the script; status 0 closes the connection instead. */
  private record Scripted(int status, String retryAfter, String type, String body) {}

  private static final Scripted FINE =
      new Scripted(200, "", "application/json", "{\"outcome\":\"accepted\"}");
  private static final Scripted STANDBY =
      new Scripted(503, "1", "application/problem+json", "{\"detail\":\"stands by\"}");
  private static final Scripted CUT = new Scripted(0, "", "", "");

  private final List<Duration> pauses = new ArrayList<>();
  private final List<String> keys = new CopyOnWriteArrayList<>();
  private final List<Scripted> script = new CopyOnWriteArrayList<>();
  private HttpServer server;
  private String address;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    address = "http://127.0.0.1:" + server.getAddress().getPort();
    server.createContext(
        "/",
        exchange -> {
          exchange.getRequestBody().readAllBytes();
          keys.add(String.valueOf(exchange.getRequestHeaders().getFirst("Idempotency-Key")));
          Scripted next = script.removeFirst();
          if (next.status() != 0) {
            byte[] body = next.body().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", next.type());
            if (!next.retryAfter().isEmpty()) {
              exchange.getResponseHeaders().set("Retry-After", next.retryAfter());
            }
            exchange.sendResponseHeaders(next.status(), body.length);
            exchange.getResponseBody().write(body);
          }
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private ServerClient client(String... servers) {
    List<URI> uris = new ArrayList<>();
    for (String s : servers) {
      uris.add(URI.create(s));
    }
    return new ServerClient(uris, Optional.empty(), Optional.empty(), pauses::add);
  }

  private JsonNode create(ServerClient client) {
    ObjectNode body = JsonNodeFactory.instance.objectNode().put("name", "blue");
    return client.change("POST", "/v1/tenants", Optional.of(body));
  }

  @Test
  void aChangeWhoseAnswerWasLostIsAskedForAgainUnderTheSameKey() {
    script.addAll(List.of(CUT, STANDBY, FINE));
    try (ServerClient client = client(address)) {
      assertThat(create(client).get("outcome").stringValue()).isEqualTo("accepted");
      script.add(FINE);
      create(client);
    }
    assertThat(keys).hasSize(4);
    assertThat(keys.get(0)).matches("[0-9a-f-]{36}").isEqualTo(keys.get(1)).isEqualTo(keys.get(2));
    assertThat(keys.get(3)).isNotEqualTo(keys.get(0));
    // first pause 0.2 s; then the server asked for 1 s, which is more than 0.4 s
    assertThat(pauses).containsExactly(Duration.ofMillis(200), Duration.ofSeconds(1));
  }

  @Test
  void afterSevenTimesItGivesUp() {
    for (int i = 0; i < 7; i++) {
      script.add(STANDBY);
    }
    try (ServerClient client = client(address)) {
      assertThatThrownBy(() -> create(client))
          .isInstanceOf(Failure.class)
          .hasMessageContaining("stands by (503)");
    }
    assertThat(keys).hasSize(7);
    assertThat(pauses).hasSize(6);
  }

  @Test
  void refusalsAreNotAskedForAgain() {
    script.add(new Scripted(409, "", "application/problem+json", "{\"detail\":\"taken\"}"));
    try (ServerClient client = client(address)) {
      assertThatThrownBy(() -> create(client)).hasMessage("taken");
    }
    assertThat(keys).hasSize(1);
  }

  @Test
  void theOtherAddressIsAskedAtOnceWhereNobodyListens() throws IOException {
    try (Socket taken = new Socket()) {
      taken.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)); // nobody listens
      String gone = "http://127.0.0.1:" + taken.getLocalPort();
      script.addAll(List.of(FINE, FINE));
      try (ServerClient client = client(gone, address)) {
        create(client);
        assertThat(client.server()).isEqualTo(address);
        create(client); // the one that answered is asked first now
      }
      assertThat(pauses).isEmpty();
      try (ServerClient client = client(gone, gone)) {
        assertThatThrownBy(() -> create(client)).hasMessageContaining("cannot connect to " + gone);
      }
    }
  }

  @Test
  void somebodyElsesServerIsSaidToBeOne() {
    for (Scripted answer :
        List.of(
            new Scripted(200, "", "text/html", "<html>log in</html>"),
            new Scripted(302, "", "text/html", "x"),
            new Scripted(404, "", "text/html", "x"),
            new Scripted(404, "", "application/json", "[]"),
            new Scripted(200, "", "application/json", "{"))) {
      script.add(answer);
      try (ServerClient client = client(address)) {
        assertThatThrownBy(() -> client.get("/v1/tenants"))
            .isInstanceOf(Failure.class)
            .hasMessageContaining("does not answer like a controller");
      }
    }
  }

  @Test
  void aListIsReadPageByPage() {
    script.add(new Scripted(200, "", "application/json", "{\"items\":[1,2],\"next\":\"a b\"}"));
    script.add(new Scripted(200, "", "application/json", "{\"items\":[3],\"next\":null}"));
    try (ServerClient client = client(address)) {
      assertThat(client.all("/v1/tenants")).hasSize(3);
    }
  }

  @Test
  void aStreamThatEndsIsOpenedAgainBehindTheLastEvent() {
    String type = "text/event-stream";
    script.add(new Scripted(200, "", type, ":\n\nid: 4\nevent: drift\ndata: {\"id\":4}\n\n"));
    script.add(new Scripted(200, "", type, ":\n\n"));
    script.add(STANDBY);
    script.add(new Scripted(200, "", type, "id: 5\nevent: in-sync\ndata: {\"id\":5}\n\n"));
    List<Integer> seen = new ArrayList<>();
    try (ServerClient client = client(address)) {
      new Events(client, Optional.empty())
          .follow(
              e -> {
                seen.add(e.get("id").intValue());
                return seen.size() < 2;
              });
    }
    assertThat(seen).containsExactly(4, 5);
    assertThat(script).isEmpty();
  }
}
