package org.heddle.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.heddle.control.Controller;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.plan.DesiredState;
import org.heddle.plan.model.LinkRef;
import org.heddle.server.http.Documents;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Links and switches out of service, over HTTP and a real database. */
class ServiceTest {
  private static final String DRAIN = "{\"state\":\"drained\"}";
  private static final String UP = "{\"state\":\"up\"}";

  @TempDir Path directory;

  private TestServer at;

  @BeforeEach
  void start() throws Exception {
    at = TestServer.start(directory, TestServer.ROOT, TestServer.RED, TestServer.EYE);
  }

  @AfterEach
  void stop() {
    at.close();
  }

  private JsonNode json(String method, String path, String body) throws Exception {
    HttpResponse<String> answer = at.send("root", method, path, body);
    assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 202);
    return Documents.JSON.readTree(answer.body());
  }

  private LinkRef link(String tenant) {
    return at.controller.view().tenant(tenant).orElseThrow().links().getFirst();
  }

  private static String path(LinkRef l) {
    return "/v1/links/" + Guid.format(l.from()) + ":" + l.port();
  }

  private static String otherEnd(LinkRef l) {
    return "/v1/links/" + Guid.format(l.to()) + ":" + l.toPort();
  }

  private void admit(int hosts) throws Exception {
    json(
        "POST",
        "/v1/tenants",
        "{\"name\":\"red\",\"owner\":\"red\",\"hosts\":%d}".formatted(hosts));
  }

  @Test
  void aLinkIsDrainedByEitherEndShownAndPutBack() throws Exception {
    admit(6);
    LinkRef link = link("red");
    JsonNode would = json("PUT", path(link) + "?dry_run=true", DRAIN);
    assertThat(would.get("outcome").stringValue()).isEqualTo("would-be");
    assertThat(would.get("tenants").toString()).contains("\"moved\"");
    assertThat(would.get("tables").get("blocks").intValue()).isPositive();
    assertThat(at.controller.view().drained().isEmpty()).isTrue();
    JsonNode done = json("PUT", otherEnd(link), DRAIN);
    assertThat(done.get("id").stringValue()).isEqualTo(path(link).substring(10));
    assertThat(done.get("epoch").longValue()).isEqualTo(2);
    assertThat(link("red")).isNotEqualTo(link);
    JsonNode shown = json("GET", "/v1/links?state=drained", "").get("items");
    assertThat(shown).hasSize(1);
    assertThat(shown.get(0).get("present").booleanValue()).isTrue();
    assertThat(shown.get(0).get("load").toString()).isEqualTo("{\"up\":0,\"down\":0}");
    assertThat(json("GET", "/v1/fabrics", "").toString())
        .contains("\"drained\":{\"links\":1,\"switches\":0}");
    JsonNode picture = json("GET", "/v1/fabrics/f/picture", "");
    assertThat(picture.get("drained_links")).hasSize(2);
    assertThat(picture.get("drained_switches")).isEmpty();
    assertThat(json("PUT", path(link), DRAIN).get("outcome").stringValue()).isEqualTo("unchanged");
    assertThat(json("GET", "/v1/events", "").toString()).contains("link-drained", "S1_");
    try (Controller next = Controller.open(at.store, Clock.systemUTC(), "f")) {
      assertThat(next.view().drained().links()).containsExactly(link);
      assertThat(next.view().tables()).isEqualTo(at.controller.view().tables());
    }
    json("POST", "/v1/rollback", "{\"epoch\":1}");
    assertThat(link("red")).isEqualTo(link);
    assertThat(at.controller.view().drained().isEmpty()).isTrue();
    assertThat(json("GET", "/v1/history", "").toString()).contains("link-drained", "rolled-back");
  }

  @Test
  void whoWouldLoseWhatIsSaidAndForceFlagsThem() throws Exception {
    admit(32);
    HttpResponse<String> no = at.send("root", "PUT", path(link("red")), DRAIN);
    assertThat(no.statusCode()).isEqualTo(409);
    assertThat(no.body()).contains("\"title\":\"conflict\"", "red", "is out of service");
    json("PUT", path(link("red")), "{\"state\":\"drained\",\"force\":true}");
    assertThat(at.controller.view().tenant("red").orElseThrow().broken()).hasSize(1);
    json("PUT", path(link("red")), UP);
    assertThat(at.controller.view().tenant("red").orElseThrow().broken()).isEmpty();
  }

  @Test
  void aSwitchIsDrainedShownAndPutBack() throws Exception {
    DesiredState v = at.controller.view();
    Fabric f = v.fabric();
    int top = 0;
    while (v.tree().level(top) != 2) {
      top++;
    }
    String guid = Guid.format(f.nodeGuid(top));
    json("PUT", "/v1/nodes/" + guid, DRAIN);
    JsonNode nodes = json("GET", "/v1/nodes?state=drained", "").get("items");
    assertThat(nodes).extracting(n -> n.get("guid").stringValue()).containsExactly(guid);
    assertThat(json("GET", "/v1/links?state=drained", "").get("items")).hasSize(8);
    assertThat(json("GET", "/v1/fabrics/f/picture", "").get("drained_switches")).hasSize(1);
    assertThat(json("GET", "/v1/events", "").toString()).contains("node-drained");
    JsonNode job =
        Documents.JSON.readTree(
            at.send(
                    "root",
                    "PUT",
                    "/v1/nodes/" + guid,
                    UP,
                    Map.of("Prefer", "respond-async", "Idempotency-Key", "k"))
                .body());
    assertThat(job.get("kind").stringValue()).isEqualTo("node-returned");
    while (at.controller.view().drained().hasSwitch(f.nodeGuid(top))) {
      Thread.onSpinWait();
    }
    long epoch = at.controller.view().epoch();
    json("PUT", "/v1/nodes/" + guid, DRAIN);
    HttpResponse<String> again =
        at.send("root", "PUT", "/v1/nodes/" + guid, UP, Map.of("Idempotency-Key", "k"));
    assertThat(again.body()).contains("\"epoch\":" + epoch);
    assertThat(at.controller.view().drained().hasSwitch(f.nodeGuid(top))).isTrue();
  }

  @Test
  void aHostIsDrainedByItsCables() throws Exception {
    Fabric f = at.controller.view().fabric();
    int host = f.nodeCount() - 1;
    String path = "/v1/nodes/" + Guid.format(f.nodeGuid(host));
    json("PUT", path, DRAIN);
    assertThat(json("GET", "/v1/links?state=drained", "").get("items")).hasSize(f.portCount(host));
    json("PUT", path, UP);
    assertThat(json("GET", "/v1/links?state=drained", "").get("items")).isEmpty();
  }

  @Test
  void onlyTheProviderDrainsAndWrongRequestsSayWhy() throws Exception {
    admit(6);
    String path = path(link("red"));
    assertThat(at.send("eye", "PUT", path, DRAIN).statusCode()).isEqualTo(403);
    HttpResponse<String> tenants = at.send("red", "PUT", path, DRAIN);
    assertThat(tenants.statusCode()).isEqualTo(404);
    assertThat(tenants.body())
        .isEqualTo(at.send("red", "PUT", "/v1/links/0x1:1", DRAIN).body())
        .isEqualTo(at.send("red", "PUT", "/v1/nodes/0x1", DRAIN).body());
    for (String body :
        List.of(
            "",
            "{",
            "{}",
            "[]",
            "{\"state\":\"gone\"}",
            "{\"state\":1}",
            "{\"state\":\"up\",\"force\":\"yes\"}",
            "{\"state\":\"up\",\"more\":1}")) {
      assertThat(at.send("root", "PUT", path, body).statusCode()).as(body).isEqualTo(400);
    }
    for (String id : List.of("links/0x1:1", "links/x", "links/0x1", "nodes/0x1", "nodes/x")) {
      assertThat(at.send("root", "PUT", "/v1/" + id, DRAIN).statusCode()).as(id).isEqualTo(404);
    }
    json("PUT", path, DRAIN);
    assertThat(at.send("red", "GET", "/v1/links", "").body()).doesNotContain("drained");
    assertThat(at.send("red", "GET", "/v1/fabrics/f/picture", "").body())
        .contains("\"drained_links\":[]");
  }
}
