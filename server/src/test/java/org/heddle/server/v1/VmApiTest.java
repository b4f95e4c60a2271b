package org.heddle.server.v1;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;
import org.heddle.fabric.Guid;
import org.heddle.plan.model.HostRef;
import org.heddle.server.TestServer;
import org.heddle.server.http.Documents;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class VmApiTest {
  @TempDir Path directory;

  private TestServer at;

  @BeforeEach
  void start() throws Exception {
    at = TestServer.start(directory, TestServer.ROOT, TestServer.RED, TestServer.EYE);
    for (String name : new String[] {"red", "blue"}) {
      String body = "{\"name\":\"%s\",\"owner\":\"%s\",\"hosts\":9}".formatted(name, name);
      assertThat(at.send("root", "POST", "/v1/tenants", body).statusCode()).isEqualTo(201);
    }
  }

  @AfterEach
  void stop() {
    at.close();
  }

  private HostRef host(String tenant, int i) {
    return at.controller.view().tenant(tenant).orElseThrow().hosts().get(i);
  }

  private String guid(String tenant, int i) {
    return Guid.format(host(tenant, i).guid());
  }

  private static String machine(String name, String tenant, String host) {
    return "{\"name\":\"%s\",\"tenant\":\"%s\",\"host\":\"%s\"}".formatted(name, tenant, host);
  }

  private static String move(String vm, String to) {
    return "{\"vm\":\"%s\",\"to\":\"%s\"}".formatted(vm, to);
  }

  private static String moves(String... all) {
    return "{\"moves\":[" + String.join(",", all) + "]}";
  }

  private JsonNode sent(String token, String method, String path, String body, int status)
      throws Exception {
    HttpResponse<String> answer = at.send(token, method, path, body);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    return Documents.JSON.readTree(answer.body());
  }

  private JsonNode started(String name, String tenant, int host) throws Exception {
    String body = machine(name, tenant, host(tenant, host).name());
    return sent("root", "POST", "/v1/vms", body, 201).get("vm");
  }

  @Test
  void aMachineIsStartedShownMovedAndStopped() throws Exception {
    JsonNode x = started("x", "red", 0);
    assertThat(x.get("host_guid").stringValue()).isEqualTo(guid("red", 0));
    assertThat(x.get("lid").intValue()).isEqualTo(1023);
    assertThat(x.get("own_lid").booleanValue()).isTrue();
    assertThat(x.get("vguid").stringValue()).isEqualTo("0x0600000000000001");
    assertThat(sent("root", "GET", "/v1/vms/x", "", 200)).isEqualTo(x);
    String body = moves(move("x", guid("red", 8)));
    JsonNode would = sent("root", "POST", "/v1/migrations?dry_run=true", body, 200);
    assertThat(would.get("state").stringValue()).isEqualTo("would-be");
    assertThat(would.get("id").isNull()).isTrue();
    JsonNode m = sent("root", "POST", "/v1/migrations", body, 201);
    assertThat(would.get("tables").get("blocks")).isEqualTo(m.get("smps"));
    assertThat(m.get("state").stringValue()).isEqualTo("pending");
    JsonNode moved = m.get("moves").get(0);
    assertThat(moved.get("from").stringValue()).isEqualTo(host("red", 0).name());
    assertThat(moved.get("to_guid").stringValue()).isEqualTo(guid("red", 8));
    assertThat(moved.get("lid").intValue()).isEqualTo(1023);
    assertThat(moved.get("switches").intValue()).isPositive();
    for (int i = 0; i < 10; i++) {
      at.look();
    }
    String id = "/v1/migrations/" + m.get("id").longValue();
    assertThat(sent("root", "GET", id, "", 200).get("state").stringValue()).isEqualTo("done");
    JsonNode all = sent("eye", "GET", "/v1/migrations", "", 200).get("items");
    assertThat(all).hasSize(1);
    assertThat(all.get(0).get("dropped_lids").isArray()).isTrue();
    assertThat(at.send("root", "GET", "/metrics", "").body())
        .contains("heddle_vms{fabric=\"f\"} 1\n", "heddle_vms_stranded{fabric=\"f\"} 0\n");
    assertThat(sent("root", "DELETE", "/v1/vms/x", "", 200).get("outcome").stringValue())
        .isEqualTo("accepted");
    sent("root", "GET", "/v1/vms/x", "", 404);
    sent("root", "DELETE", "/v1/vms/x", "", 404);
    assertThat(at.send("root", "GET", "/v1/events", "").body())
        .contains("vm-started", "vm-moved", "vm-stopped");
  }

  @Test
  void theListIsByNameInPagesByTenantAndHost() throws Exception {
    started("c", "red", 0);
    started("a", "blue", 1);
    started("b", "red", 1);
    JsonNode page = sent("eye", "GET", "/v1/vms?limit=2", "", 200);
    assertThat(page.get("items"))
        .extracting(v -> v.get("name").stringValue())
        .containsExactly("a", "b");
    assertThat(page.get("next").stringValue()).isEqualTo("b");
    JsonNode rest = sent("eye", "GET", "/v1/vms?limit=2&after=b", "", 200);
    assertThat(rest.get("items")).hasSize(1);
    assertThat(rest.get("next").isNull()).isTrue();
    assertThat(sent("eye", "GET", "/v1/vms?tenant=red", "", 200).get("items")).hasSize(2);
    String host = guid("blue", 1);
    assertThat(sent("eye", "GET", "/v1/vms?host=" + host, "", 200).get("items")).hasSize(1);
    assertThat(sent("red", "GET", "/v1/vms", "", 200).get("items")).hasSize(2);
    sent("red", "GET", "/v1/vms/a", "", 404);
    sent("eye", "POST", "/v1/vms", machine("d", "blue", host), 403);
  }

  @Test
  void aTenantsTokenHasItsOwnMachinesOnItsOwnHosts() throws Exception {
    String own = guid("red", 0);
    String others = guid("blue", 0);
    sent("red", "POST", "/v1/vms", machine("web", "red", own), 403);
    String body = machine("red.web", "red", own);
    JsonNode dry = sent("red", "POST", "/v1/vms?dry_run=true", body, 200);
    assertThat(dry.get("tables").isNull()).isTrue();
    sent("red", "POST", "/v1/vms", body, 201);
    String nobodys = "0x00000000000fffff";
    JsonNode known = sent("red", "POST", "/v1/vms", machine("red.b", "red", others), 409);
    JsonNode unknown = sent("red", "POST", "/v1/vms", machine("red.b", "red", nobodys), 409);
    assertThat(known.toString().replace(others, nobodys)).isEqualTo(unknown.toString());
    started("x", "blue", 0);
    sent("red", "POST", "/v1/migrations", moves(move("x", own)), 404);
    sent("red", "DELETE", "/v1/vms/x", "", 404);
    String both = moves(move("red.web", guid("red", 8)), move("x", guid("blue", 8)));
    JsonNode m = sent("root", "POST", "/v1/migrations", both, 201);
    JsonNode mine = sent("red", "GET", "/v1/migrations/" + m.get("id").longValue(), "", 200);
    assertThat(mine.get("moves")).hasSize(1);
    assertThat(mine.get("smps").isNull()).isTrue();
    assertThat(mine.get("actor").stringValue()).isEmpty();
    assertThat(at.send("red", "GET", "/v1/events", "").body()).doesNotContain("\"x\"");
    sent("red", "DELETE", "/v1/vms/red.web", "", 200);
  }

  @Test
  void whatIsAskedForTwiceUnderOneKeyHappensOnce() throws Exception {
    String host = guid("red", 0);
    String there = moves(move("x", guid("red", 8)));
    for (String[] call :
        new String[][] {
          {"POST", "/v1/vms", machine("x", "red", host)},
          {"POST", "/v1/migrations", there},
          {"DELETE", "/v1/vms/x", ""}
        }) {
      Map<String, String> key = Map.of("Idempotency-Key", call[0] + call[1]);
      HttpResponse<String> first = at.send("root", call[0], call[1], call[2], key);
      assertThat(first.statusCode()).as(first.body()).isBetween(200, 201);
      long epoch = at.controller.view().epoch();
      HttpResponse<String> again = at.send("root", call[0], call[1], call[2], key);
      assertThat(again.statusCode()).isEqualTo(first.statusCode());
      assertThat(again.body()).isEqualTo(first.body());
      assertThat(at.controller.view().epoch()).isEqualTo(epoch);
    }
  }

  @Test
  void refusalsSayWhyAndADryRunOfMovesIsAnAnswer() throws Exception {
    started("x", "red", 0);
    String same = moves(move("x", guid("red", 0)));
    JsonNode no = sent("root", "POST", "/v1/migrations?dry_run=true", same, 200);
    assertThat(no.get("state").stringValue()).isEqualTo("refused");
    assertThat(no.get("reason").stringValue()).contains("already");
    sent("root", "POST", "/v1/migrations", same, 409);
    sent("root", "POST", "/v1/migrations", moves(move("y", guid("red", 0))), 404);
    sent("root", "POST", "/v1/migrations", moves(), 400);
    sent("root", "POST", "/v1/migrations", moves("3"), 400);
    sent("root", "POST", "/v1/migrations", "{\"moves\":[],\"method\":\"q\"}", 400);
    sent("root", "POST", "/v1/vms", "{\"name\":\"y\",\"what\":1}", 400);
    assertThat(sent("root", "DELETE", "/v1/tenants/red", "", 409).get("detail").stringValue())
        .contains("x of tenant 'red'");
    Map<String, String> stale = Map.of("If-Match", "\"1\"");
    assertThat(at.send("root", "DELETE", "/v1/vms/x", "", stale).statusCode()).isEqualTo(412);
    at.controller.refuseOwnLids("own_lid false does");
    String host = guid("red", 1);
    assertThat(sent("root", "POST", "/v1/vms", machine("z", "red", host), 409).toString())
        .contains("own_lid false does");
    String shared = machine("z", "red", host).replace("}", ",\"own_lid\":false,\"weight\":3}");
    JsonNode z = sent("root", "POST", "/v1/vms", shared, 201).get("vm");
    assertThat(z.get("own_lid").booleanValue()).isFalse();
    assertThat(z.get("weight").intValue()).isEqualTo(3);
  }
}
