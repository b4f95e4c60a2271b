package org.heddle.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.heddle.control.Controller;
import org.heddle.plan.DesiredState;
import org.heddle.plan.model.EventKind;
import org.heddle.plan.model.JournalEntry;
import org.heddle.plan.model.Tenant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Many clients who want the same names, keys and hosts, and go back and forth in time. */
class ManyClientsTest {
  private static final int CLIENTS = 16;
  private static final int REQUESTS = 15;
  private static final JsonMapper JSON = JsonMapper.builder().build();

  /** What a client may be told: done, or a reason that lies with it or with others. */
  private static final Set<Integer> EXPECTED = Set.of(200, 201, 400, 404, 409, 422);

  @TempDir Path directory;
  private TestServer at;

  @BeforeEach
  void start() throws Exception {
    at = TestServer.start(directory);
  }

  @AfterEach
  void stop() {
    at.close();
  }

  private <T> List<T> together(List<Callable<T>> tasks) throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<T> out = new ArrayList<>();
      for (Future<T> done : threads.invokeAll(tasks)) {
        out.add(done.get());
      }
      return out;
    }
  }

  private String one(SplittableRandom random) throws Exception {
    String name = "t" + random.nextInt(6);
    String key = "0x" + Integer.toHexString(0x10 + random.nextInt(6));
    String tenant =
        "{\"name\":\"%s\",\"hosts\":%d,\"policy\":\"%s\"%s}"
            .formatted(
                name,
                1 + random.nextInt(8),
                random.nextInt(3) == 0 ? "def" : "links",
                random.nextInt(3) == 0 ? ",\"pkey\":\"" + key + "\"" : "");
    Map<String, String> headers =
        random.nextInt(4) == 0 ? Map.of("Idempotency-Key", "k" + random.nextInt(20)) : Map.of();
    long epoch = random.nextLong(at.controller.view().epoch() + 1);
    HttpResponse<String> answer =
        switch (random.nextInt(10)) {
          case 0, 1, 2 -> at.send("", "POST", "/v1/tenants", tenant, headers);
          case 3 -> at.send("", "PUT", "/v1/tenants/" + name, tenant, headers);
          case 4, 5 -> at.send("", "DELETE", "/v1/tenants/" + name, "", headers);
          case 6 -> at.send("", "POST", "/v1/rollback", "{\"epoch\":" + epoch + "}", headers);
          case 7 -> at.send("", "POST", "/ufmRest/resources/pkeys", members(random, key));
          case 8 -> at.send("", "DELETE", "/ufmRest/resources/pkeys/" + key, "");
          default -> planned(tenant, name);
        };
    assertThat(EXPECTED).as(answer.body()).contains(answer.statusCode());
    return answer.body();
  }

  private static String members(SplittableRandom random, String key) {
    return "{\"pkey\":\"%s\",\"guids\":[\"020000000000000%d\"]}"
        .formatted(key, 1 + random.nextInt(9));
  }

  private HttpResponse<String> planned(String tenant, String name) throws Exception {
    String changes =
        "{\"changes\":[{\"op\":\"create\",\"tenant\":%s},{\"op\":\"delete\",\"name\":\"%s\"}]}"
            .formatted(tenant.replace(name, name + "p"), name);
    HttpResponse<String> plan = at.send("", "POST", "/v1/plans", changes);
    assertThat(plan.statusCode()).as(plan.body()).isEqualTo(201);
    String id = JSON.readTree(plan.body()).get("id").asString();
    return at.send("", "POST", "/v1/plans/" + id + "/apply", "");
  }

  @Test
  void leaveAJournalWithoutGapsWhoseReplayIsTheStateAndNothingHeldTwice() throws Exception {
    List<Callable<Integer>> clients = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      SplittableRandom random = new SplittableRandom(i);
      clients.add(
          () -> {
            for (int k = 0; k < REQUESTS; k++) {
              one(random);
            }
            return REQUESTS;
          });
    }
    together(clients);
    DesiredState v = at.controller.view();
    assertThat(v.epoch()).isGreaterThan(CLIENTS);
    Map<String, Tenant> replayed = new TreeMap<>();
    long epoch = 0;
    for (JournalEntry entry : at.store.journal("f", 0, Integer.MAX_VALUE)) {
      assertThat(entry.epoch()).isEqualTo(++epoch);
      for (JournalEntry.Effect effect : entry.effects()) {
        assertThat(replayed.get(effect.name()))
            .as(entry.toString())
            .isEqualTo(effect.before().orElse(null));
        effect
            .after()
            .ifPresentOrElse(
                t -> replayed.put(effect.name(), t), () -> replayed.remove(effect.name()));
      }
      if (entry.kind() == EventKind.ROLLED_BACK) {
        assertThat(contents(replayed)).as(entry.toString()).isEqualTo(contents(then(entry)));
      }
    }
    assertThat(epoch).isEqualTo(v.epoch());
    assertThat(replayed).isEqualTo(new TreeMap<>(v.tenants()));
    assertNothingIsHeldTwice(v);
    try (Controller again = Controller.open(at.store, Clock.systemUTC(), "f")) {
      assertThat(again.view().tenants()).isEqualTo(v.tenants());
      for (int sw = 0; sw < v.fabric().switchCount(); sw++) {
        assertThat(again.view().tables().differingBlocks(sw, v.tables())).isZero();
      }
    }
  }

  /** The tenants at the epoch that an entry returned to. */
  private Map<String, Tenant> then(JournalEntry back) {
    long target = Long.parseLong(back.subject().replace("epoch ", ""));
    Map<String, Tenant> out = new TreeMap<>();
    for (JournalEntry entry : at.store.journal("f", 0, (int) target)) {
      for (JournalEntry.Effect e : entry.effects()) {
        e.after().ifPresentOrElse(t -> out.put(e.name(), t), () -> out.remove(e.name()));
      }
    }
    return out;
  }

  /** What tenants have, whenever they got it. */
  private static Map<String, List<Object>> contents(Map<String, Tenant> tenants) {
    return tenants.entrySet().stream()
        .collect(
            Collectors.toMap(
                Map.Entry::getKey,
                e -> List.of(e.getValue().spec(), e.getValue().hosts(), e.getValue().links())));
  }

  private static void assertNothingIsHeldTwice(DesiredState v) {
    Set<Object> held = new HashSet<>();
    for (Tenant t : v.all()) {
      List<Object> holds = new ArrayList<>(t.hosts());
      holds.addAll(t.links());
      holds.add(t.pkey());
      for (Object thing : holds) {
        assertThat(held.add(thing)).as(t.name() + " " + thing).isTrue();
      }
    }
  }

  @Test
  void whoSendTheSameRequestUnderTheSameKeyAtOnceMakeItOnce() throws Exception {
    Map<String, String> key = Map.of("Idempotency-Key", "same");
    List<Callable<String>> clients = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      clients.add(
          () -> {
            HttpResponse<String> answer =
                at.send("", "POST", "/v1/tenants", "{\"name\":\"a\",\"hosts\":2}", key);
            assertThat(answer.statusCode()).isEqualTo(201);
            JsonNode body = JSON.readTree(answer.body());
            return body.get("outcome").stringValue() + body.get("epoch").longValue();
          });
    }
    assertThat(together(clients)).containsOnly("accepted1");
    assertThat(at.send("", "POST", "/v1/tenants", "{\"name\":\"b\",\"hosts\":2}", key).statusCode())
        .isEqualTo(422);
    assertThat(at.controller.view().epoch()).isEqualTo(1);
  }

  @Test
  void whoMakeTheSameTokenAtOnceGetOneBetweenThem() throws Exception {
    List<Callable<Integer>> clients = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      clients.add(() -> at.send("", "POST", "/v1/tokens", "{\"name\":\"root\"}").statusCode());
    }
    List<Integer> statuses = together(clients);
    assertThat(statuses).filteredOn(s -> s == 201).hasSize(1);
    assertThat(at.store.credentials()).hasSize(1);
    assertThat(at.send("", "GET", "/v1/tenants", "").statusCode()).isEqualTo(401);
  }
}
