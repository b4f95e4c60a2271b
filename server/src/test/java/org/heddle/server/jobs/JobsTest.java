package org.heddle.server.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.heddle.control.Controller;
import org.heddle.control.Reconciler;
import org.heddle.control.emulator.Emulator;
import org.heddle.control.model.Actor;
import org.heddle.control.model.Job;
import org.heddle.control.model.Plan;
import org.heddle.control.model.Request;
import org.heddle.plan.model.Change;
import org.heddle.plan.model.TenantSpec;
import org.heddle.server.TestServer;
import org.heddle.server.http.Documents;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class JobsTest {
  private static final Map<String, String> ASYNC = Map.of("Prefer", "respond-async");

  @TempDir Path directory;

  private TestServer at;

  @BeforeEach
  void start() throws Exception {
    at =
        TestServer.start(
            directory,
            TestServer.ROOT,
            TestServer.RED,
            new TestServer.Token("red2", Actor.Role.TENANT, "red"),
            new TestServer.Token("blue", Actor.Role.TENANT, "blue"),
            TestServer.EYE);
  }

  @AfterEach
  void stop() {
    at.close();
  }

  private static String tenant(String name, int hosts) {
    return "{\"name\":\"%s\",\"hosts\":%d}".formatted(name, hosts);
  }

  private static Map<String, String> under(String key) {
    Map<String, String> out = new HashMap<>(ASYNC);
    out.put("Idempotency-Key", key);
    return out;
  }

  private JsonNode asked(String token, String method, String path, String body) throws Exception {
    return asked(token, method, path, body, ASYNC);
  }

  private JsonNode asked(
      String token, String method, String path, String body, Map<String, String> headers)
      throws Exception {
    HttpResponse<String> answer = at.send(token, method, path, body, headers);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
    assertThat(answer.headers().firstValue("Preference-Applied")).contains("respond-async");
    JsonNode job = Documents.JSON.readTree(answer.body());
    assertThat(answer.headers().firstValue("Location"))
        .contains("/v1/jobs/" + job.get("id").longValue());
    return job;
  }

  private JsonNode read(String token, long id) throws Exception {
    HttpResponse<String> answer = at.send(token, "GET", "/v1/jobs/" + id, "");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return Documents.JSON.readTree(answer.body());
  }

  /** Asks until it is in one of the states. */
  private JsonNode until(String token, JsonNode job, String... states) throws Exception {
    JsonNode now = read(token, job.get("id").longValue());
    while (!List.of(states).contains(now.get("state").stringValue())) {
      Thread.onSpinWait();
      now = read(token, job.get("id").longValue());
    }
    return now;
  }

  @Test
  void aTenantIsMadeAndTheJobIsDoneWhenTheFabricHasIt() throws Exception {
    at.look();
    at.look();
    JsonNode job = asked("root", "POST", "/v1/tenants", tenant("a", 6));
    assertThat(job.get("kind").stringValue()).isEqualTo("tenant-created");
    assertThat(job.get("subject").stringValue()).isEqualTo("a");
    JsonNode decided = until("root", job, "applying");
    assertThat(decided.get("epoch").longValue()).isEqualTo(1);
    assertThat(decided.get("result").stringValue()).isEqualTo("/v1/tenants/a");
    assertThat(decided.get("finished").isNull()).isTrue();
    assertThat(at.controller.view().tenants()).containsOnlyKeys("a");
    at.look();
    JsonNode written = read("root", 1);
    assertThat(written.get("state").stringValue()).isEqualTo("applying");
    assertThat(written.get("progress").get("total").longValue()).isPositive();
    assertThat(written.get("progress").get("done")).isEqualTo(written.get("progress").get("total"));
    at.look();
    JsonNode done = read("root", 1);
    assertThat(done.get("state").stringValue()).isEqualTo("done");
    assertThat(done.get("finished").isNull()).isFalse();
  }

  @Test
  void whatIsRefusedOrMalformedIsAFailedJobWithTheSameProblem() throws Exception {
    String large = tenant("a", 33);
    HttpResponse<String> direct = at.send("root", "POST", "/v1/tenants", large);
    JsonNode job = until("root", asked("root", "POST", "/v1/tenants", large), "failed");
    assertThat(job.get("problem")).isEqualTo(Documents.JSON.readTree(direct.body()));
    JsonNode wrong = until("root", asked("root", "POST", "/v1/tenants", "{"), "failed");
    assertThat(wrong.get("problem").get("status").intValue()).isEqualTo(400);
    JsonNode none = until("root", asked("root", "DELETE", "/v1/tenants/no", ""), "failed");
    assertThat(none.get("problem").get("status").intValue()).isEqualTo(404);
    assertThat(at.send("eye", "POST", "/v1/tenants", large, ASYNC).statusCode()).isEqualTo(403);
    HttpResponse<String> dry =
        at.send("root", "POST", "/v1/tenants?dry_run=true", tenant("a", 3), ASYNC);
    assertThat(dry.statusCode()).isEqualTo(200);
    assertThat(at.controller.view().tenants()).isEmpty();
  }

  @Test
  void theSameKeyIsTheSameJobAndTheSameChange() throws Exception {
    JsonNode first = asked("root", "POST", "/v1/tenants", tenant("a", 6), under("k"));
    until("root", first, "applying");
    JsonNode again = asked("root", "POST", "/v1/tenants", tenant("a", 6), under("k"));
    assertThat(again.get("id")).isEqualTo(first.get("id"));
    HttpResponse<String> other = at.send("root", "POST", "/v1/tenants", tenant("a", 7), under("k"));
    assertThat(other.statusCode()).isEqualTo(422);
    HttpResponse<String> direct =
        at.send("root", "POST", "/v1/tenants", tenant("a", 6), Map.of("Idempotency-Key", "k"));
    assertThat(direct.body()).contains("\"epoch\":1");
    assertThat(at.controller.view().epoch()).isEqualTo(1);
    JsonNode failed =
        until("root", asked("root", "POST", "/v1/tenants", tenant("b", 32), under("b")), "failed");
    at.send("root", "DELETE", "/v1/tenants/a", "");
    JsonNode retried = asked("root", "POST", "/v1/tenants", tenant("b", 32), under("b"));
    assertThat(retried.get("id")).isNotEqualTo(failed.get("id"));
    until("root", retried, "applying");
    assertThat(at.controller.view().tenants()).containsOnlyKeys("b");
  }

  @Test
  void aPlanIsWorkedOutBesideTheWriterAndWithdrawnWhileItIs() throws Exception {
    String plan =
        "{\"changes\":[{\"op\":\"create\",\"tenant\":{\"name\":\"p\",\"hosts\":4}},"
            + "{\"op\":\"create\",\"tenant\":{\"name\":\"q\",\"hosts\":4}}]}";
    JsonNode job = until("root", asked("root", "POST", "/v1/plans", plan), "done");
    assertThat(job.get("kind").stringValue()).isEqualTo("plan");
    assertThat(job.get("result").stringValue()).isEqualTo("/v1/plans/1");
    assertThat(job.get("progress").get("total").longValue()).isEqualTo(2);
    assertThat(at.send("root", "GET", "/v1/plans/1", "").body()).contains("\"state\":\"ready\"");
    assertThat(at.send("root", "DELETE", "/v1/jobs/1", "").statusCode()).isEqualTo(409);
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    Change two =
        new Change.Batch(
            "t",
            List.of(
                new Change.Create(TenantSpec.links("x", "", 4)),
                new Change.Create(TenantSpec.links("y", "", 4))),
            java.util.OptionalLong.empty());
    Thread trial =
        Thread.ofVirtual()
            .start(
                () ->
                    at.controller.tryOut(
                        two,
                        (what, done, total) -> {
                          begun.countDown();
                          try {
                            go.await();
                          } catch (InterruptedException _) {
                            Thread.currentThread().interrupt();
                          }
                        }));
    begun.await();
    assertThat(at.send("root", "POST", "/v1/tenants", tenant("a", 6)).statusCode()).isEqualTo(201);
    go.countDown();
    trial.join();
    assertThat(at.controller.view().tenants()).containsOnlyKeys("a");
  }

  @Test
  void aTenantsCredentialsSeeAndWithdrawTheJobsOfThatTenantOnly() throws Exception {
    JsonNode red = asked("red", "POST", "/v1/tenants", tenant("red", 3));
    until("red", red, "applying");
    JsonNode root = asked("root", "POST", "/v1/tenants", tenant("a", 3));
    until("root", root, "applying");
    for (String call : List.of("GET", "DELETE")) {
      for (long id : new long[] {1, 2}) {
        HttpResponse<String> answer = at.send("blue", call, "/v1/jobs/" + id, "");
        assertThat(answer.statusCode()).isEqualTo(404);
        assertThat(answer.body()).isEqualTo(at.send("blue", call, "/v1/jobs/99", "").body());
      }
    }
    assertThat(at.send("blue", "GET", "/v1/jobs", "").body()).contains("\"items\":[]");
    assertThat(at.send("red2", "GET", "/v1/jobs", "").body())
        .contains("\"subject\":\"red\"")
        .doesNotContain("\"subject\":\"a\"");
    assertThat(at.send("red", "GET", "/v1/jobs/2", "").statusCode()).isEqualTo(404);
    assertThat(at.send("red2", "DELETE", "/v1/jobs/1", "").statusCode()).isEqualTo(409);
    assertThat(at.send("eye", "GET", "/v1/jobs/1", "").statusCode()).isEqualTo(200);
    assertThat(at.send("eye", "DELETE", "/v1/jobs/1", "").statusCode()).isEqualTo(403);
    assertThat(read("red", 1).get("progress").get("total").longValue()).isEqualTo(1);
  }

  @Test
  void jobsAreListedInPagesAndByState() throws Exception {
    for (int i = 0; i < 5; i++) {
      JsonNode job = asked("root", "POST", "/v1/tenants", tenant("t" + i, i == 3 ? 33 : 1));
      until("root", job, "applying", "failed");
    }
    JsonNode page = Documents.JSON.readTree(at.send("root", "GET", "/v1/jobs?limit=2", "").body());
    assertThat(page.get("items")).extracting(j -> j.get("id").intValue()).containsExactly(1, 2);
    JsonNode rest =
        Documents.JSON.readTree(
            at.send("root", "GET", "/v1/jobs?after=" + page.get("next").stringValue(), "").body());
    assertThat(rest.get("items")).extracting(j -> j.get("id").intValue()).containsExactly(3, 4, 5);
    assertThat(at.send("root", "GET", "/v1/jobs?state=failed", "").body())
        .contains("\"id\":4")
        .doesNotContain("\"id\":3");
    assertThat(at.send("root", "GET", "/v1/jobs?state=odd", "").statusCode()).isEqualTo(400);
    for (String id : List.of("0", "x", "-1", "99999999999999999999", "7")) {
      assertThat(at.send("root", "GET", "/v1/jobs/" + id, "").statusCode()).isEqualTo(404);
      assertThat(at.send("root", "DELETE", "/v1/jobs/" + id, "").statusCode()).isEqualTo(404);
    }
  }

  @Test
  void afterARestartWhatWasDecidedGoesOnAndWhatWasNotHasFailed() {
    Job lost = Job.queued("tenant-created", "x", actor("root"), "lost", "d", Instant.EPOCH);
    Job decided = Job.queued("tenant-created", "a", actor("root"), "", "", Instant.EPOCH);
    long first = at.store.jobs().add("f", lost, 10).job().id();
    Job second = at.store.jobs().add("f", decided, 10).job();
    at.controller
        .submit(
            new Change.Create(TenantSpec.links("a", "", 6)),
            new Request(actor("root"), second.key(), "any", false))
        .join();
    Job planned = Job.queued(Job.PLAN, "", actor("root"), "", "", Instant.EPOCH);
    Job third = at.store.jobs().add("f", planned, 10).job();
    at.store.put("f", new Plan(0, 1, Instant.EPOCH, "root", third.key(), "d", "[]", "{}"), 10);
    // the process ended here: the job's own record knows nothing of the change
    Emulator emulator = new Emulator(at.controller.view().fabric());
    try (Controller next = Controller.open(at.store, Clock.systemUTC(), "f")) {
      Reconciler reconciler = new Reconciler(next, emulator, true, Duration.ofHours(1));
      try (Jobs jobs = new Jobs(next, reconciler, Clock.systemUTC())) {
        jobs.start();
        assertThat(jobs.job(first).orElseThrow().state()).isEqualTo(Job.State.FAILED);
        assertThat(jobs.job(first).orElseThrow().problem()).contains("was restarted");
        assertThat(jobs.job(third.id()).orElseThrow().state()).isEqualTo(Job.State.DONE);
        assertThat(jobs.job(third.id()).orElseThrow().result()).isEqualTo("/v1/plans/1");
        Job on = jobs.job(second.id()).orElseThrow();
        assertThat(on.state()).isEqualTo(Job.State.APPLYING);
        assertThat(on.epoch()).isEqualTo(1);
        assertThat(on.result()).isEqualTo("/v1/tenants/a");
        List<Job.State> states = new ArrayList<>();
        for (int i = 0; i < 20 && !reconciler.pass().settled(); i++) {
          states.add(jobs.job(second.id()).orElseThrow().state());
        }
        assertThat(jobs.job(second.id()).orElseThrow().state()).isEqualTo(Job.State.DONE);
        assertThat(states).contains(Job.State.APPLYING);
      }
      assertThat(at.store.jobs().open("f")).isEmpty();
    }
  }

  private static Actor actor(String name) {
    return new Actor(name, Actor.Role.PROVIDER, "");
  }
}
