package org.heddle.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import org.heddle.fabric.Guid;
import org.heddle.server.TestServer;
import org.heddle.server.http.Documents;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The calls that the console makes besides those that others make, too; its page. */
class ConsoleCallsTest {
  @TempDir Path directory;

  private TestServer at;

  @BeforeEach
  void start() throws Exception {
    at = TestServer.start(directory, TestServer.ROOT, TestServer.RED, TestServer.EYE);
    String body = "{\"name\":\"red\",\"owner\":\"red\",\"hosts\":6}";
    assertThat(at.send("root", "POST", "/v1/tenants", body).statusCode()).isEqualTo(201);
  }

  @AfterEach
  void stop() {
    at.close();
  }

  private JsonNode get(String token, String path) throws Exception {
    HttpResponse<String> answer = at.send(token, "GET", path, "");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return Documents.JSON.readTree(answer.body());
  }

  @Test
  void whoAsksIsTold() throws Exception {
    assertThat(get("red", "/v1/session").toString())
        .isEqualTo("{\"name\":\"red\",\"role\":\"tenant\",\"tenant\":\"red\",\"open\":false}");
    assertThat(get("eye", "/v1/session").get("role").stringValue()).isEqualTo("viewer");
  }

  @Test
  void hostsOfThePictureAreInTheOrderOfItsOwners() throws Exception {
    JsonNode picture = get("eye", "/v1/fabrics/f/picture");
    JsonNode hosts = get("eye", "/v1/fabrics/f/hosts");
    assertThat(hosts.get("fingerprint")).isEqualTo(picture.get("fingerprint"));
    List<String> mine =
        at.controller.view().tenant("red").orElseThrow().hosts().stream()
            .map(h -> Guid.format(h.guid()))
            .toList();
    assertThat(hosts.get("names")).hasSize(32);
    for (int c = 0; c < 32; c++) {
      boolean held = mine.contains(hosts.get("guids").get(c).stringValue());
      assertThat(picture.get("owners").get(c).intValue()).isEqualTo(held ? 0 : -1);
    }
  }

  @Test
  void aTenantIsToldTheNamesOfItsOwnHostsOnly() throws Exception {
    JsonNode hosts = get("red", "/v1/fabrics/f/hosts");
    int told = 0;
    for (int c = 0; c < 32; c++) {
      boolean named = !hosts.get("names").get(c).stringValue().isEmpty();
      told += named ? 1 : 0;
      assertThat(hosts.get("lids").get(c).intValue() > 0).isEqualTo(named);
      assertThat(hosts.get("guids").get(c).stringValue().isEmpty()).isEqualTo(!named);
      assertThat(hosts.get("port_guids").get(c).stringValue().isEmpty()).isEqualTo(!named);
    }
    assertThat(told).isEqualTo(6);
  }

  @Test
  void aNodeIsToldWithItsPortsAndATenantSeesItsOwnOnly() throws Exception {
    String host =
        Guid.format(at.controller.view().tenant("red").orElseThrow().hosts().getFirst().guid());
    JsonNode own = get("red", "/v1/nodes/" + host);
    assertThat(own.get("lid").intValue()).isPositive();
    JsonNode link = own.get("ports").get(0).get("link");
    assertThat(link.get("owner").stringValue()).isEqualTo("red");
    String leaf = link.get("to").get("guid").stringValue();
    assertThat(at.send("red", "GET", "/v1/nodes/" + leaf, "").statusCode()).isEqualTo(404);
    JsonNode seen = get("eye", "/v1/nodes/" + leaf);
    assertThat(seen.get("node").get("kind").stringValue()).isEqualTo("switch");
    assertThat(seen.get("ports")).hasSize(1 + 8); // 0, four hosts, four roots
    assertThat(seen.get("ports").get(0).get("lid").intValue()).isPositive();
    for (String none : List.of("0xfeed", "red", "0x")) {
      assertThat(at.send("eye", "GET", "/v1/nodes/" + none, "").statusCode()).isEqualTo(404);
    }
  }

  @Test
  void everyModuleThatThePageNamesIsThereAndNoOther() throws Exception {
    String page = at.send("", "GET", "/", "").body();
    for (String module : ConsolePages.MODULES) {
      assertThat(page).contains("\"" + module + "\"");
      HttpResponse<String> answer = at.send("", "GET", "/" + module, "");
      assertThat(answer.headers().firstValue("Content-Type").orElse("")).contains("javascript");
      assertThat(answer.body().lines().filter(l -> l.contains("from './")))
          .allMatch(l -> ConsolePages.MODULES.contains(l.replaceAll(".*'\\./(.*)'.*", "$1")));
    }
    assertThat(page.split("modulepreload", -1)).hasSize(ConsolePages.MODULES.size());
  }
}
