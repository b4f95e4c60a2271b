package org.heddle.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two controllers on one PostgreSQL database, with clients that go to the other one when one does
 * not answer. The seconds until the first change is acknowledged by the new leader are printed.
 */
@Tag("slow")
class FailoverIT {
  private static final int KILLS = Integer.getInteger("heddle.failover.kills", 3);

  /** Answers that the clients get from a leader before something is done to it. */
  private static final int ANSWERS = 25;

  private static final double MOST_SECONDS = 60;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path directory;

  private final List<ServeProcess> both = new ArrayList<>();
  private PostgresCluster cluster;

  @BeforeEach
  void start() throws IOException {
    Program.need(Program.POSTGRES);
    cluster = PostgresCluster.start(directory);
    Path file = directory.resolve("serve.yaml");
    Files.writeString(file, "version: 1\ndatabase_user: " + PostgresCluster.USER + "\n");
    for (String name : List.of("a", "b")) {
      both.add(
          new ServeProcess(
              directory, name, List.of("--config", file.toString(), "--database", cluster.url())));
    }
    leader().start("serving at");
    standby().start("standing by at");
  }

  @AfterEach
  void stop() {
    both.forEach(ServeProcess::close);
    if (cluster != null) {
      cluster.close();
    }
  }

  private ServeProcess leader() {
    return both.getFirst();
  }

  private ServeProcess standby() {
    return both.getLast();
  }

  private static double seconds(long from, long to) {
    return (to - from) / 1e9;
  }

  @Test
  void aStandbySaysWhoLeadsAndTakesNothing() throws Exception {
    HttpResponse<String> ready = standby().get("/readyz");
    assertThat(ready.statusCode()).isEqualTo(503);
    assertThat(ready.body()).contains("standby").contains(leader().base() + " leads");
    assertThat(standby().get("/healthz").statusCode()).isEqualTo(200);
    assertThat(standby().get("/metrics").body()).contains("\nheddle_leads 0\n");
    assertThat(leader().get("/metrics").body()).contains("\nheddle_leads 1\n");
    assertThat(leader().get("/readyz").statusCode()).isEqualTo(200);
    HttpResponse<String> refused = standby().make("x").join();
    assertThat(refused.statusCode()).isEqualTo(503);
    assertThat(refused.headers().firstValue("Retry-After")).contains("1");
    assertThat(refused.body()).contains(leader().base());
    assertThat(leader().get("/v1/tenants").body()).doesNotContain("\"x\"");
  }

  @Test
  void afterAKillTheOtherOneGoesOnWithAllThatWasAcknowledged() throws Exception {
    List<Double> took = new ArrayList<>();
    try (FailoverLoad load = new FailoverLoad(both)) {
      for (int i = 0; i < KILLS; i++) {
        load.awaitAnswers(leader(), ANSWERS);
        long began = System.nanoTime();
        leader().kill();
        took.add(seconds(began, load.awaitAnswers(standby(), 1)));
        both.add(both.removeFirst());
        standby().start("standing by at");
      }
      load.awaitAnswers(leader(), ANSWERS);
      load.end();
      load.check(leader());
      System.err.printf(
          "FailoverIT, SIGKILL: %s s to the first acknowledged change; %s%n", took, load.figures());
    }
    assertThat(took).allMatch(s -> s < MOST_SECONDS);
  }

  @Test
  void aLeaderThatWasStoppedWritesNothingWhenItComesBack() throws Exception {
    try (FailoverLoad load = new FailoverLoad(both)) {
      load.awaitAnswers(leader(), ANSWERS);
      long began = System.nanoTime();
      leader().signal("STOP");
      double took = seconds(began, load.awaitAnswers(standby(), 1));
      List<CompletableFuture<HttpResponse<String>>> late = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        late.add(leader().make("late" + i)); // they wait in its socket
      }
      load.awaitAnswers(standby(), ANSWERS);
      leader().signal("CONT");
      for (CompletableFuture<HttpResponse<String>> f : late) {
        assertThat(status(f)).isIn(503, -1);
      }
      leader().await("standing by", this::standsBy);
      load.awaitAnswers(standby(), ANSWERS);
      standby().kill();
      load.awaitAnswers(leader(), ANSWERS);
      load.end();
      load.check(leader());
      assertThat(leader().get("/v1/history?limit=1000").body()).doesNotContain("late");
      System.err.printf(
          "FailoverIT, SIGSTOP: %.1f s to the first acknowledged change; %s%n",
          took, load.figures());
      assertThat(took).isLessThan(MOST_SECONDS);
    }
  }

  private boolean standsBy() {
    try {
      HttpResponse<String> ready = leader().get("/readyz");
      return ready.statusCode() == 503 && ready.body().contains("\"standby\"");
    } catch (IOException _) {
      return false; // between one server and the other
    }
  }

  /** The status, or -1 if the connection ended without. */
  private static int status(CompletableFuture<HttpResponse<String>> answer) {
    try {
      return answer.join().statusCode();
    } catch (CompletionException e) {
      assertThat(e).hasCauseInstanceOf(IOException.class);
      return -1;
    }
  }

  @Test
  void aSecondProcessOnADataDirectoryIsRefused() throws Exception {
    List<String> options = List.of("--data", directory.resolve("data").toString());
    try (ServeProcess first = new ServeProcess(directory, "first", options);
        ServeProcess second = new ServeProcess(directory, "second", options)) {
      first.start("serving at");
      assertThat(first.make("x").join().statusCode()).isEqualTo(201);
      assertThat(second.runToItsEnd()).isEqualTo(2);
      assertThat(second.output()).contains("another heddle serve (process " + first.pid() + ")");
      assertThat(first.make("y").join().statusCode()).isEqualTo(201);
      first.kill();
      second.start("serving at");
      assertThat(second.get("/v1/tenants").body()).contains("\"x\"").contains("\"y\"");
    }
  }
}
