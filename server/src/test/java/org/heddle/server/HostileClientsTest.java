package org.heddle.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.heddle.server.http.Documents;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Clients that are slow, broken, or many: they get what they deserve and the others their answers.
 */
class HostileClientsTest {
  private static final Duration REQUEST_TIME = Duration.ofMillis(400);
  private static final int POLL_MILLIS = 20;
  private static final int MOST_TRIES = 20;

  @TempDir Path directory;

  private TestServer at;

  @BeforeEach
  void start() throws Exception {
    at = TestServer.start(directory, REQUEST_TIME);
  }

  @AfterEach
  void stop() {
    at.close();
  }

  /**
   * A decent client's request. The limit of these tests is short: on a busy machine such a client
   * may not be run for longer than that in the middle of its request, is cut off before anything
   * has happened, and asks again.
   */
  private HttpResponse<String> send(String method, String path, byte[] body) throws Exception {
    HttpRequest request =
        at.request("", path).method(method, HttpRequest.BodyPublishers.ofByteArray(body)).build();
    for (int tries = 1; ; tries++) {
      try {
        return at.client.send(request, HttpResponse.BodyHandlers.ofString());
      } catch (IOException e) {
        if (tries == MOST_TRIES) {
          throw e;
        }
      }
    }
  }

  private int change(String name) throws Exception {
    String body = "{\"name\":\"" + name + "\",\"hosts\":1}";
    return send("POST", "/v1/tenants", body.getBytes(StandardCharsets.UTF_8)).statusCode();
  }

  private Socket connect(String text) throws IOException {
    Socket s = new Socket(InetAddress.getLoopbackAddress(), at.port);
    s.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    return s;
  }

  /** Sends a byte now and then until the server has closed; true if no answer came before. */
  private boolean cutOff(Socket s, Runnable meanwhile) throws IOException {
    s.setSoTimeout(POLL_MILLIS);
    while (true) {
      try {
        s.getOutputStream().write('a');
        if (s.getInputStream().read() >= 0) {
          return false;
        }
        return true;
      } catch (SocketTimeoutException _) {
        meanwhile.run();
      } catch (IOException _) {
        return true; // reset
      }
    }
  }

  private void othersAreServed() {
    try {
      assertThat(send("GET", "/v1/tenants", new byte[0]).statusCode()).isEqualTo(200);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void whoSendsItsHeadersByteByByteIsCutOffWhileOthersAreServed() throws Exception {
    try (Socket s = connect("GET /v1/tenants HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")) {
      assertThat(cutOff(s, this::othersAreServed)).isTrue();
    }
  }

  @Test
  void whoSendsItsBodyByteByByteIsCutOffAndChangesNothing() throws Exception {
    String head =
        "POST /v1/tenants HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n{\"name\":\"";
    try (Socket s = connect(head)) {
      cutOff(s, this::othersAreServed);
    }
    assertThat(at.controller.view().tenants()).isEmpty();
    assertThat(change("a")).isEqualTo(201);
  }

  @Test
  void manySlowClientsKeepNobodyFromWorking() throws Exception {
    List<Socket> slow = new ArrayList<>();
    for (int i = 0; i < 150; i++) {
      slow.add(
          connect("POST /v1/tenants HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{"));
    }
    assertThat(change("a")).isEqualTo(201);
    for (Socket s : slow) {
      cutOff(s, () -> {});
      s.close();
    }
    assertThat(at.controller.view().epoch()).isEqualTo(1);
  }

  @Test
  void aStreamAndARestingConnectionOutliveTheLimit() throws Exception {
    assertThat(change("a")).isEqualTo(201); // the client keeps this connection
    try (Socket stream =
            connect(
                "GET /v1/events?after=1 HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n");
        Socket s = connect("GET")) {
      assertThat(cutOff(s, () -> {})).isTrue();
      assertThat(change("b")).isEqualTo(201);
      assertThat(lines(stream).filter(line -> line.startsWith("id:")).findFirst())
          .contains("id: 2");
    }
  }

  @Test
  void nobodyKeepsTheServerFromEnding() throws Exception {
    assertThat(change("a")).isEqualTo(201);
    List<Socket> there = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      there.add(connect("GET /v1/tenants HTTP/1.1\r\nHost: localhost\r\nX-Slow: "));
      there.add(
          connect("POST /v1/tenants HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{"));
      there.add(
          connect(
              "GET /v1/events?after=0 HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n"));
    }
    Socket stream = there.getLast();
    assertThat(lines(stream).anyMatch("id: 1"::equals)).isTrue();
    at.server.close(); // does not throw, and comes back
    for (Socket s : there) {
      readToTheEnd(s);
      s.close();
    }
    assertThat(at.controller.view().epoch()).isEqualTo(1);
  }

  /** Comes back if the server has closed. */
  private static void readToTheEnd(Socket s) {
    try {
      s.getInputStream().transferTo(OutputStream.nullOutputStream());
    } catch (IOException _) {
      // reset, which is an end as well
    }
  }

  private static java.util.stream.Stream<String> lines(Socket s) throws IOException {
    InputStream in = s.getInputStream();
    return new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8)).lines();
  }

  @Test
  void aHundredReadersGetEveryEventInOrderWhileFourClientsChange() throws Exception {
    int changes = 40;
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Socket> sockets = new ArrayList<>();
      List<Future<List<String>>> readers = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        Socket s =
            connect(
                "GET /v1/events?after=0 HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n");
        sockets.add(s);
        readers.add(
            threads.submit(
                () -> lines(s).filter(line -> line.startsWith("id:")).limit(changes).toList()));
      }
      List<Future<Integer>> writers = new ArrayList<>();
      for (int w = 0; w < 4; w++) {
        String prefix = "w" + w + "-";
        writers.add(threads.submit(() -> makeAndDelete(prefix, changes / 8)));
      }
      for (Future<Integer> w : writers) {
        assertThat(w.get()).isEqualTo(changes / 4);
      }
      List<String> expected = new ArrayList<>();
      for (int id = 1; id <= changes; id++) {
        expected.add("id: " + id);
      }
      for (Future<List<String>> r : readers) {
        assertThat(r.get()).isEqualTo(expected);
      }
      for (Socket s : sockets) {
        s.close();
      }
    }
  }

  private int makeAndDelete(String prefix, int times) throws Exception {
    int done = 0;
    for (int i = 0; i < times; i++) {
      done += change(prefix + i) == 201 ? 1 : 0;
      done += send("DELETE", "/v1/tenants/" + prefix + i, new byte[0]).statusCode() == 200 ? 1 : 0;
    }
    return done;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "null",
        "7",
        "\"a\"",
        "[[]]",
        "{\"name\":1e999,\"hosts\":1}",
        "{\"name\":\"a\",\"hosts\":-1}",
        "{\"name\":\"a\",\"hosts\":1e308}",
        "{\"name\":\"a\",\"hosts\":99999999999999999999}",
        "{\"name\":\"a\",\"hosts\":1.5}",
        "{\"name\":\"a\",\"hosts\":{}}",
        "{\"name\":\"a\",\"hosts\":1}{",
        "{\"name\":\"a\\u0000\",\"hosts\":1}",
        "{\"name\":\"../a\",\"hosts\":1}",
        "{\"name\":\"a\",\"hosts\":1,\"pkey\":70000}",
        "{\"name\":\"\u00ff\u00fe\",\"hosts\":1}"
      })
  void whatMakesNoSenseIsRefusedWithAReasonAndChangesNothing(String body) throws Exception {
    refused(body.getBytes(StandardCharsets.ISO_8859_1));
  }

  @Test
  void bodiesThatAreDeepOrWideAreRefused() throws Exception {
    refused("[".repeat(500_000).getBytes(StandardCharsets.UTF_8));
    refused("{\"a\":".repeat(100_000).getBytes(StandardCharsets.UTF_8));
    refused(("{\"name\":\"" + "a".repeat(1_000_000) + "\"}").getBytes(StandardCharsets.UTF_8));
    refused(("{\"hosts\":" + "9".repeat(1_000_000) + "}").getBytes(StandardCharsets.UTF_8));
    refused(new byte[3 << 20]);
  }

  private void refused(byte[] body) throws Exception {
    for (String method : List.of("POST", "PUT")) {
      String path = "/v1/tenants" + (method.equals("PUT") ? "/nix" : "");
      HttpResponse<String> answer = send(method, path, body);
      assertThat(answer.statusCode()).as(answer.body()).isBetween(400, 422);
      assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
      assertThat(Documents.JSON.readTree(answer.body()).has("detail")).as(answer.body()).isTrue();
    }
    assertThat(at.controller.view().epoch()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\u0000\u0001\u0002\r\n\r\n",
        "GET\r\n\r\n",
        "GET / HTTP/9.9\r\n\r\n",
        "POST /v1/tenants HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n",
        "POST /v1/tenants HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        "POST /v1/tenants HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "GET /v1/%zz HTTP/1.1\r\nHost: localhost\r\n\r\n"
      })
  void whatIsNoRequestIsNoneAndTheNextOneIsServed(String text) throws Exception {
    try (Socket s = connect(text)) {
      assertThat(lines(s).findFirst().orElse("HTTP/1.1 400")).matches("HTTP/1.1 (4..|505).*");
    }
    othersAreServed();
  }

  @Test
  void aHeaderThatIsTooLongIsRefused() throws Exception {
    try (Socket s =
        connect("GET / HTTP/1.1\r\nHost: localhost\r\nX: " + "a".repeat(20_000) + "\r\n\r\n")) {
      assertThat(lines(s).findFirst().orElse("")).startsWith("HTTP/1.1 431");
    }
    othersAreServed();
  }
}
