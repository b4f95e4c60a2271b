package org.heddle.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.heddle.control.Controller;
import org.heddle.control.model.Actor;
import org.heddle.fabric.Guid;
import org.heddle.plan.DesiredState;
import org.heddle.plan.model.EventKind;
import org.heddle.plan.model.JournalEntry;
import org.heddle.plan.model.LinkRef;
import org.heddle.plan.model.Tenant;
import org.heddle.server.http.Documents;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class PlansTest {
  @TempDir Path directory;

  private TestServer at;

  @BeforeEach
  void start() throws Exception {
    at =
        TestServer.start(
            directory,
            TestServer.ROOT,
            new TestServer.Token("other", Actor.Role.PROVIDER, ""),
            TestServer.RED,
            TestServer.EYE);
  }

  @AfterEach
  void stop() {
    at.close();
  }

  private void admit(String name, int hosts) throws Exception {
    String body = "{\"name\":\"%s\",\"hosts\":%d}".formatted(name, hosts);
    assertThat(at.send("root", "POST", "/v1/tenants", body).statusCode()).isEqualTo(201);
  }

  private static String create(String name, int hosts) {
    return "{\"op\":\"create\",\"tenant\":{\"name\":\"%s\",\"hosts\":%d}}".formatted(name, hosts);
  }

  private static String delete(String name) {
    return "{\"op\":\"delete\",\"name\":\"%s\"}".formatted(name);
  }

  private static String of(String... changes) {
    return "{\"changes\":[" + String.join(",", changes) + "]}";
  }

  private JsonNode planned(String... changes) throws Exception {
    HttpResponse<String> answer = at.send("root", "POST", "/v1/plans", of(changes));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    JsonNode plan = Documents.JSON.readTree(answer.body());
    assertThat(answer.headers().firstValue("Location"))
        .contains("/v1/plans/" + plan.get("id").longValue());
    return plan;
  }

  private JsonNode read(String path) throws Exception {
    HttpResponse<String> answer = at.send("root", "GET", path, "");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return Documents.JSON.readTree(answer.body());
  }

  @Test
  void aPlanChangesNothingUntilItIsAppliedAndThenEverythingAsOneEpoch() throws Exception {
    admit("a", 20);
    DesiredState before = at.controller.view();
    String c = create("c", 8).replace("\"hosts\"", "\"policy\":\"phy\",\"hosts\"");
    JsonNode plan = planned(delete("a"), create("b", 16), c);
    assertThat(at.controller.view()).isSameAs(before);
    assertThat(plan.get("state").stringValue()).isEqualTo("ready");
    JsonNode result = plan.get("result");
    assertThat(result.get("proven").booleanValue()).isTrue();
    assertThat(result.get("tenants"))
        .extracting(t -> t.get("name").stringValue() + " " + t.get("change").stringValue())
        .containsExactly("a gone", "b admitted", "c admitted");
    HttpResponse<String> answer = at.send("root", "POST", "/v1/plans/1/apply", "");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    assertThat(at.controller.view().tenants()).containsOnlyKeys("b", "c");
    assertThat(at.controller.view().epoch()).isEqualTo(2);
    int blocks = 0;
    for (int sw = 0; sw < before.tables().switchCount(); sw++) {
      blocks += before.tables().differingBlocks(sw, at.controller.view().tables());
    }
    assertThat(result.get("tables").get("blocks").intValue()).isPositive().isEqualTo(blocks);
    JournalEntry entry = at.store.journal("f", 1, 10).getFirst();
    assertThat(entry.kind()).isEqualTo(EventKind.PLAN_APPLIED);
    assertThat(entry.subject()).isEqualTo("plan 1");
    assertThat(entry.effects()).hasSize(3);
    assertThat(read("/v1/plans/1").get("state").stringValue()).isEqualTo("applied");
    assertThat(read("/v1/plans/1").get("applied_epoch").longValue()).isEqualTo(2);
    assertThat(at.send("root", "GET", "/v1/events", "").body())
        .contains("plan-applied", "tenant-deleted", "tenant-created");
    HttpResponse<String> again = at.send("root", "POST", "/v1/plans/1/apply", "");
    assertThat(again.body()).isEqualTo(answer.body());
    assertThat(at.controller.view().epoch()).isEqualTo(2);
  }

  private static String vm(String name, String host) {
    return "{\"op\":\"start-vm\",\"vm\":{\"name\":\"%s\",\"tenant\":\"a\",\"host\":\"%s\"}}"
        .formatted(name, host);
  }

  @Test
  void aPlanStartsStopsAndMovesMachinesAndSaysWhatHappensToEach() throws Exception {
    admit("a", 20);
    List<String> hosts =
        at.controller.view().tenant("a").orElseThrow().hosts().stream().map(h -> h.name()).toList();
    planned(vm("one", hosts.get(0)), vm("two", hosts.get(1)));
    assertThat(at.send("root", "POST", "/v1/plans/1/apply", "").statusCode()).isEqualTo(200);
    JsonNode plan =
        planned(
            create("b", 4),
            "{\"op\":\"stop-vm\",\"name\":\"two\"}",
            vm("three", hosts.get(2)),
            "{\"op\":\"migrate\",\"moves\":[{\"vm\":\"one\",\"to\":\"%s\"}]}"
                .formatted(hosts.get(19)));
    JsonNode machines = plan.get("result").get("vms");
    assertThat(machines.get("total").intValue()).isEqualTo(3);
    assertThat(machines.get("counts").get("moved").intValue()).isEqualTo(1);
    assertThat(machines.get("list"))
        .extracting(m -> m.get("name").stringValue() + " " + m.get("change").stringValue())
        .containsExactly("two stopped", "one moved", "three started");
    JsonNode one = machines.get("list").get(1);
    assertThat(one.get("before").get("host").stringValue()).isEqualTo(hosts.get(0));
    assertThat(one.get("after").get("host").stringValue()).isEqualTo(hosts.get(19));
    assertThat(one.get("switches").intValue()).isPositive();
    assertThat(at.send("root", "POST", "/v1/plans/2/apply", "").statusCode()).isEqualTo(200);
    assertThat(at.controller.view().vms()).containsOnlyKeys("one", "three");
    assertThat(read("/v1/migrations/3").get("moves")).hasSize(1);
  }

  @Test
  void aPlanSaysWhichMachinesAreNotReachedAnyMoreAndWhichAreAgain() throws Exception {
    admit("a", 20);
    Tenant a = at.controller.view().tenant("a").orElseThrow();
    planned(vm("one", a.hosts().getFirst().name()));
    at.send("root", "POST", "/v1/plans/1/apply", "");
    String move = "{\"op\":\"migrate\",\"moves\":[{\"vm\":\"one\",\"to\":\"%s\"}]}";
    String twice = of(move.formatted("H_0_1"), move.formatted("H_0_2"));
    assertThat(at.send("root", "POST", "/v1/plans", twice).body())
        .contains("\"status\":400", "'migrate' is there once at most");
    assertThat(at.send("root", "POST", "/v1/plans", of(move.formatted("nowhere"))).body())
        .contains("\"status\":400", "change 1: there is no host 'nowhere'");
    assertThat(at.send("root", "POST", "/v1/plans", of("{\"op\":\"start-vm\"}")).statusCode())
        .isEqualTo(400);
    JsonNode gone = planned("{\"op\":\"stop-vm\",\"name\":\"nobody\"}");
    assertThat(gone.get("result").get("code").stringValue()).isEqualTo("not-found");
    assertThat(gone.get("result").get("vms").get("total").intValue()).isZero();
    JsonNode kept = planned(delete("a"));
    assertThat(kept.get("result").get("reason").stringValue()).contains("lose their hosts");
    String link = Guid.format(a.links().getFirst().from()) + ":" + a.links().getFirst().port();
    String drain = "{\"state\":\"drained\",\"force\":true}";
    HttpResponse<String> dry = at.send("root", "PUT", "/v1/links/" + link + "?dry_run=true", drain);
    assertThat(Documents.JSON.readTree(dry.body()).get("vms").has("counts")).isTrue();
  }

  @Test
  void aPlanWhoseStateIsGoneIsNotApplied() throws Exception {
    planned(create("b", 4));
    admit("a", 4);
    HttpResponse<String> answer = at.send("root", "POST", "/v1/plans/1/apply", "");
    assertThat(answer.statusCode()).isEqualTo(409);
    assertThat(answer.body()).contains("epoch 0");
    assertThat(read("/v1/plans/1").get("state").stringValue()).isEqualTo("stale");
    assertThat(at.controller.view().tenants()).containsOnlyKeys("a");
  }

  @Test
  void aPlanThatCannotBeSaysWhichChangeAndWhyAndIsNotApplied() throws Exception {
    JsonNode plan = planned(create("a", 20), create("b", 20));
    assertThat(plan.get("state").stringValue()).isEqualTo("refused");
    JsonNode result = plan.get("result");
    assertThat(result.get("code").stringValue()).isEqualTo("no-place");
    assertThat(result.get("reason").stringValue()).startsWith("b: ");
    assertThat(result.get("hints").toString()).contains("free hosts: 12");
    assertThat(at.send("root", "POST", "/v1/plans/1/apply", "").statusCode()).isEqualTo(409);
    assertThat(at.controller.view().tenants()).isEmpty();
  }

  @Test
  void whatHappensWithoutALinkOrASwitchIsSaidAndDoneWhenThePlanIsApplied() throws Exception {
    admit("a", 30);
    Tenant a = at.controller.view().tenant("a").orElseThrow();
    LinkRef link = a.links().getFirst();
    String without =
        "{\"op\":\"without-link\",\"link\":\"%s:%d\"}"
            .formatted(Guid.format(link.from()), link.port());
    JsonNode plan = planned(without);
    assertThat(plan.get("result").get("tenants"))
        .extracting(t -> t.get("name").stringValue() + " " + t.get("change").stringValue())
        .containsExactly("a promise-broken");
    assertThat(plan.get("result").get("tenants").toString()).contains("is out of service");
    String spine = "{\"op\":\"without-switch\",\"guid\":\"%s\"}".formatted(Guid.format(link.to()));
    JsonNode second = planned(spine, delete("a"));
    assertThat(second.get("result").get("proven").booleanValue()).isTrue();
    assertThat(second.get("result").get("tables").get("switches").intValue()).isPositive();
    assertThat(at.controller.view().tenant("a")).contains(a);
    HttpResponse<String> applied = at.send("root", "POST", "/v1/plans/1/apply", "");
    assertThat(applied.statusCode()).as(applied.body()).isEqualTo(200);
    assertThat(at.controller.view().drained().links()).containsExactly(link);
    assertThat(at.controller.view().tenant("a").orElseThrow().broken()).hasSize(1);
    assertThat(read("/v1/plans/2").get("state").stringValue()).isEqualTo("stale");
  }

  @Test
  void aPlanReturnsToAnEarlierEpochWithOtherChanges() throws Exception {
    admit("a", 6);
    admit("b", 6);
    at.send("root", "DELETE", "/v1/tenants/a", "");
    JsonNode plan = planned("{\"op\":\"rollback\",\"epoch\":1}", create("c", 4));
    assertThat(plan.get("result").get("tenants"))
        .extracting(t -> t.get("name").stringValue() + " " + t.get("change").stringValue())
        .containsExactlyInAnyOrder("a admitted", "b gone", "c admitted");
    assertThat(at.send("root", "POST", "/v1/plans/1/apply", "").statusCode()).isEqualTo(200);
    assertThat(at.controller.view().tenants()).containsOnlyKeys("a", "c");
  }

  @Test
  void theSameKeyIsTheSamePlanAndPlansOutliveTheProcess() throws Exception {
    Map<String, String> key = Map.of("Idempotency-Key", "k");
    HttpResponse<String> first = at.send("root", "POST", "/v1/plans", of(create("a", 4)), key);
    assertThat(at.send("root", "POST", "/v1/plans", of(create("a", 4)), key).body())
        .isEqualTo(first.body());
    assertThat(at.send("root", "POST", "/v1/plans", of(create("b", 4)), key).statusCode())
        .isEqualTo(422);
    assertThat(at.send("other", "POST", "/v1/plans", of(create("b", 4)), key).statusCode())
        .isEqualTo(201);
    HttpResponse<String> applied = at.send("root", "POST", "/v1/plans/1/apply", "", key);
    assertThat(applied.statusCode()).as(applied.body()).isEqualTo(200);
    assertThat(at.send("root", "POST", "/v1/plans/1/apply", "", key).body())
        .isEqualTo(applied.body());
    assertThat(at.store.plans("f", 0, 10)).hasSize(2);
    try (Controller next = Controller.open(at.store, Clock.systemUTC(), "f")) {
      assertThat(next.view().tenants()).containsOnlyKeys("a");
    }
    assertThat(at.store.plan("f", 1).orElseThrow().actor()).isEqualTo("root");
  }

  @Test
  void plansAreListedInPages() throws Exception {
    for (int i = 0; i < 5; i++) {
      planned(create("t" + i, 1 + i));
    }
    JsonNode page = read("/v1/plans?limit=2");
    assertThat(page.get("items")).extracting(p -> p.get("id").intValue()).containsExactly(1, 2);
    JsonNode rest = read("/v1/plans?after=" + page.get("next").stringValue());
    assertThat(rest.get("items")).extracting(p -> p.get("id").intValue()).containsExactly(3, 4, 5);
    assertThat(at.send("eye", "GET", "/v1/plans/1", "").statusCode()).isEqualTo(200);
    assertThat(at.send("eye", "POST", "/v1/plans", of(create("x", 1))).statusCode()).isEqualTo(403);
    assertThat(at.send("eye", "POST", "/v1/plans/1/apply", "").statusCode()).isEqualTo(403);
  }

  @Test
  void forATenantThereAreNoPlans() throws Exception {
    planned(create("red", 4));
    for (String call :
        List.of(
            "GET /v1/plans",
            "POST /v1/plans",
            "GET /v1/plans/1",
            "GET /v1/plans/2",
            "POST /v1/plans/1/apply",
            "POST /v1/plans/2/apply")) {
      String[] words = call.split(" ");
      HttpResponse<String> answer = at.send("red", words[0], words[1], of(create("red", 4)));
      assertThat(answer.statusCode()).as(call).isEqualTo(404);
      assertThat(answer.body()).isEqualTo(at.send("red", "GET", "/v1/nothing", "").body());
    }
    assertThat(at.controller.view().tenants()).isEmpty();
  }

  @Test
  void malformedPlansAreProblemsThatNameTheChange() throws Exception {
    for (String body :
        List.of(
            "",
            "{",
            "[]",
            "{}",
            "{\"changes\":{}}",
            "{\"changes\":[]}",
            "{\"changes\":[1]}",
            "{\"changes\":[null]}",
            of("{\"op\":\"explode\"}"),
            of("{\"op\":1}"),
            of("{\"op\":\"create\"}"),
            of("{\"op\":\"create\",\"tenant\":{\"what\":1}}"),
            of("{\"op\":\"create\",\"tenant\":{\"name\":\"a\",\"hosts\":\"x\"}}"),
            of("{\"op\":\"delete\"}"),
            of("{\"op\":\"delete\",\"name\":\"a\",\"more\":1}"),
            of("{\"op\":\"rollback\",\"epoch\":\"1\"}"),
            of("{\"op\":\"rollback\",\"epoch\":7}"),
            of("{\"op\":\"rollback\",\"epoch\":1e30}"),
            of("{\"op\":\"without-link\",\"link\":\"x\"}"),
            of("{\"op\":\"without-link\",\"link\":\"0x1:999\"}"),
            of("{\"op\":\"without-switch\",\"guid\":\"0x0\"}"),
            "{\"changes\":[" + (delete("a") + ",").repeat(100) + delete("a") + "]}",
            "{\"changes\":[" + delete("a") + "],\"more\":1}")) {
      HttpResponse<String> answer = at.send("root", "POST", "/v1/plans", body);
      assertThat(answer.statusCode()).as(body + answer.body()).isEqualTo(400);
    }
    assertThat(at.send("root", "POST", "/v1/plans", of(delete("a"), "{\"op\":1}")).body())
        .contains("change 2: ");
    assertThat(at.store.plans("f", 0, 10)).isEmpty();
    for (String id : List.of("0", "x", "-1", "99999999999999999999", "7")) {
      assertThat(at.send("root", "GET", "/v1/plans/" + id, "").statusCode()).isEqualTo(404);
      assertThat(at.send("root", "POST", "/v1/plans/" + id + "/apply", "").statusCode())
          .isEqualTo(404);
    }
  }
}
