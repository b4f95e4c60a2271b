package org.heddle.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * SIGTERM to a controller under load, with streams that nobody reads, halves of requests, and
 * requests that wait. The seconds until it has ended are printed.
 */
@Tag("slow")
class ShutdownIT {
  private static final int EACH = 100;
  private static final int TIMES = 3;
  private static final int ANSWERS = 25;
  private static final double MOST_SECONDS = 60;

  /** 128 and the number of the signal. */
  private static final int TERMINATED = 143;

  private static final String STREAM =
      "GET /v1/events?after=0 HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n";
  private static final String HALF =
      "POST /v1/tenants HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{";

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path directory;

  private static Socket connect(ServeProcess server, String text) throws IOException {
    Socket s = new Socket(InetAddress.getLoopbackAddress(), URI.create(server.base()).getPort());
    s.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    return s;
  }

  @Test
  void underLoadAndWithStreamsOpenItEndsSoonAndLosesNothing() throws Exception {
    List<String> options = List.of("--data", directory.resolve("data").toString());
    List<Double> took = new ArrayList<>();
    List<Socket> sockets = new ArrayList<>();
    try (ServeProcess server = new ServeProcess(directory, "s", options)) {
      server.start("serving at");
      try (FailoverLoad load = new FailoverLoad(List.of(server))) {
        for (int i = 0; i < TIMES; i++) {
          for (int k = 0; k < EACH; k++) {
            sockets.add(connect(server, STREAM));
            sockets.add(connect(server, HALF));
          }
          load.awaitAnswers(server, ANSWERS);
          List<CompletableFuture<?>> waiting = new ArrayList<>();
          for (int k = 0; k < EACH; k++) {
            String dry = "/v1/tenants?dry_run=true";
            waiting.add(server.post(dry, "{\"name\":\"dry" + k + "\",\"hosts\":1}"));
          }
          long began = System.nanoTime();
          server.signal("TERM");
          assertThat(server.awaitEnd()).isEqualTo(TERMINATED);
          took.add((System.nanoTime() - began) / 1e9);
          assertThat(server.output()).doesNotContain("error");
          for (CompletableFuture<?> answer : waiting) {
            assertThat(answer.handle((_, _) -> true).join()).isTrue(); // answered, or cut off
          }
          server.start("serving at");
        }
        load.awaitAnswers(server, ANSWERS);
        load.end();
        load.check(server);
        System.err.printf("ShutdownIT: %s s after SIGTERM; %s%n", took, load.figures());
      }
      // the shortest, and many times what it takes: a busy machine may not run the process
      assertThat(Collections.min(took)).isLessThan(MOST_SECONDS);
    } finally {
      for (Socket s : sockets) {
        s.close();
      }
    }
  }
}
