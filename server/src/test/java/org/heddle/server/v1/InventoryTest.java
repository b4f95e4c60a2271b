package org.heddle.server.v1;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.heddle.control.model.Actor;
import org.heddle.control.model.Request;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.plan.DesiredState;
import org.heddle.plan.model.Change;
import org.heddle.plan.model.Member;
import org.heddle.plan.model.Outcome;
import org.heddle.plan.model.Tenant;
import org.heddle.server.TestServer;
import org.heddle.server.http.Documents;
import org.heddle.topology.generate.FabricCut;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Policies over REST, nodes and links. */
class InventoryTest {
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

  private void admit(String name, String policy, int hosts) throws Exception {
    String body = "{\"name\":\"%s\",\"owner\":\"%s\",\"policy\":\"%s\",\"hosts\":%d}";
    HttpResponse<String> answer =
        at.send("root", "POST", "/v1/tenants", body.formatted(name, name, policy, hosts));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
  }

  /** All pages of a list. */
  private List<JsonNode> all(String token, String path, int limit) throws Exception {
    List<JsonNode> out = new ArrayList<>();
    String next = "";
    do {
      String from = path + (path.contains("?") ? "&" : "?") + "limit=" + limit + "&after=" + next;
      HttpResponse<String> answer = at.send(token, "GET", from, "");
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
      JsonNode page = Documents.JSON.readTree(answer.body());
      page.get("items").forEach(out::add);
      assertThat(page.get("items").size()).isLessThanOrEqualTo(limit);
      next = page.get("next").isNull() ? "" : page.get("next").stringValue();
    } while (!next.isEmpty());
    return out;
  }

  private static List<String> texts(List<JsonNode> items, String key) {
    return items.stream().map(n -> n.get(key).stringValue()).toList();
  }

  @Test
  void tenantsAreAdmittedWithEveryPolicyAndTheRefusalOfOneSaysWhy() throws Exception {
    admit("p", "phy", 6);
    admit("v", "vlane", 5);
    admit("l", "links", 4);
    admit("d", "def", 4);
    at.reconciler.pass();
    assertThat(at.send("root", "GET", "/v1/tenants/p", "").body()).contains("\"policy\":\"phy\"");
    List<Member> members = at.controller.view().members(tenant("p")); // more than a leaf has
    String both =
        "\"%s\",\"%s\""
            .formatted(
                Guid.format(members.getFirst().guid()), Guid.format(members.getLast().guid()));
    HttpResponse<String> no =
        at.send(
            "root",
            "POST",
            "/v1/tenants",
            "{\"name\":\"q\",\"policy\":\"def\",\"members\":[" + both + "]}");
    assertThat(no.statusCode()).isIn(409, 422);
    assertThat(Documents.JSON.readTree(no.body()).get("detail").stringValue())
        .containsAnyOf("isolation cannot be kept", "share");
    assertThat(at.send("root", "GET", "/v1/openapi.json", "").body()).contains("vlane");
  }

  private Tenant tenant(String name) {
    return at.controller.view().tenant(name).orElseThrow();
  }

  @Test
  void nodesAreListedInPagesByKindAndTenant() throws Exception {
    admit("red", "links", 6);
    List<JsonNode> nodes = all("root", "/v1/nodes", 7);
    assertThat(nodes).hasSize(32 + 8 + 4);
    assertThat(texts(nodes, "guid")).isSorted().doesNotHaveDuplicates();
    assertThat(all("eye", "/v1/nodes?kind=host", 1000)).hasSize(32);
    List<JsonNode> switches = all("root", "/v1/nodes?kind=switch", 5);
    assertThat(switches).hasSize(12);
    assertThat(switches.stream().filter(s -> s.get("level").intValue() == 2)).hasSize(4);
    List<JsonNode> its = all("root", "/v1/nodes?tenant=red", 4);
    Tenant red = at.controller.view().tenant("red").orElseThrow();
    assertThat(texts(its, "guid"))
        .containsExactlyInAnyOrderElementsOf(
            red.hosts().stream().map(h -> Guid.format(h.guid())).toList());
    assertThat(all("root", "/v1/nodes?tenant=nix", 10)).isEmpty();
  }

  @Test
  void linksHaveEndsLoadAndTenants() throws Exception {
    admit("red", "links", 6);
    admit("blue", "def", 7);
    List<JsonNode> links = all("root", "/v1/links", 9);
    assertThat(links).hasSize(32 + 32);
    assertThat(texts(links, "id")).doesNotHaveDuplicates();
    Tenant red = at.controller.view().tenant("red").orElseThrow();
    List<JsonNode> own =
        all("root", "/v1/links?kind=switch&tenant=red", 3).stream()
            .filter(l -> !l.get("owner").isNull())
            .toList();
    assertThat(own).hasSize(red.links().size());
    for (JsonNode link : own) {
      assertThat(link.get("owner").stringValue()).isEqualTo("red");
      assertThat(link.get("tenants").size()).isEqualTo(1);
      assertThat(link.get("load").get("up").intValue())
          .isEqualTo(link.get("tenants").get(0).get("up").intValue());
    }
    // every destination comes down into each leaf over one of its links, once a host there
    int down = own.stream().mapToInt(l -> l.get("load").get("down").intValue()).sum();
    assertThat(down).isEqualTo(6);
    JsonNode cable = all("root", "/v1/links?kind=host&tenant=red", 50).getFirst();
    assertThat(cable.get("load").get("up").intValue()).isEqualTo(5);
    assertThat(cable.get("load").get("down").intValue()).isEqualTo(1);
  }

  @Test
  void aTenantSeesItsOwnHostsAndLinksOnlyAndNothingOfAnothersLoad() throws Exception {
    admit("red", "links", 6);
    String nodes = at.send("red", "GET", "/v1/nodes", "").body();
    String links = at.send("red", "GET", "/v1/links", "").body();
    Tenant red = at.controller.view().tenant("red").orElseThrow();
    assertThat(all("red", "/v1/nodes", 4)).hasSize(6);
    assertThat(all("red", "/v1/links", 4)).hasSize(6 + red.links().size());
    assertThat(all("red", "/v1/nodes?kind=switch", 4)).isEmpty();
    admit("blue", "def", 20);
    assertThat(at.send("red", "GET", "/v1/nodes", "").body()).isEqualTo(nodes);
    assertThat(at.send("red", "GET", "/v1/links", "").body()).isEqualTo(links);
    for (String list : List.of("/v1/nodes", "/v1/links")) {
      assertThat(at.send("red", "GET", list + "?tenant=blue", "").body())
          .isEqualTo(at.send("red", "GET", list + "?tenant=nix", "").body());
    }
  }

  @Test
  void whatATenantHoldsAndTheFabricLostIsGone() throws Exception {
    admit("red", "links", 30);
    DesiredState v = at.controller.view();
    Fabric f = v.fabric();
    Tenant red = v.tenant("red").orElseThrow();
    BitSet cut = new BitSet();
    cut.set(f.port(f.findNode(red.links().getFirst().from()), red.links().getFirst().port()));
    BitSet dead = new BitSet();
    dead.set(f.findNode(red.hosts().getLast().guid()));
    Change lost = new Change.FabricChanged(FabricCut.without(f, dead, cut), "cut");
    assertThat(at.controller.submit(lost, Request.of(Actor.SYSTEM)).join())
        .isInstanceOf(Outcome.Accepted.class);
    assertThat(all("red", "/v1/links?state=gone", 10)).hasSize(1);
    assertThat(texts(all("root", "/v1/nodes?state=gone", 10), "guid"))
        .containsExactly(Guid.format(red.hosts().getLast().guid()));
    assertThat(all("root", "/v1/links?state=up", 100)).hasSize(62);
  }

  @Test
  void wrongFiltersAndPagesAreProblems() throws Exception {
    for (String query :
        List.of("kind=x", "state=x", "after=x", "after=0x1:x", "limit=x", "limit=-1")) {
      for (String list : List.of("/v1/nodes?", "/v1/links?")) {
        for (String token : List.of("root", "red")) {
          assertThat(at.send(token, "GET", list + query, "").statusCode()).as(query).isEqualTo(400);
        }
      }
    }
  }
}
