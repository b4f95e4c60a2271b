package org.heddle.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.heddle.control.model.Actor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerTest {
  @TempDir Path directory;

  private TestServer at;

  @BeforeEach
  void start() throws Exception {
    at =
        TestServer.start(
            directory,
            TestServer.ROOT,
            TestServer.RED,
            new TestServer.Token("blue", Actor.Role.TENANT, "blue"),
            TestServer.EYE);
  }

  @AfterEach
  void stop() {
    at.close();
  }

  @Test
  void aTenantIsMadeReadChangedAndLetGo() throws Exception {
    assertThat(at.send("root", "POST", "/v1/tenants", "{\"name\":\"a\",\"hosts\":6}").statusCode())
        .isEqualTo(201);
    HttpResponse<String> got = at.send("root", "GET", "/v1/tenants/a", "");
    assertThat(got.statusCode()).isEqualTo(200);
    assertThat(got.headers().firstValue("ETag").orElseThrow()).matches("\"1-[0-9a-f]{16}\"");
    assertThat(at.send("root", "DELETE", "/v1/tenants/a", "").statusCode()).isEqualTo(200);
    assertThat(at.send("root", "GET", "/v1/tenants/a", "").statusCode()).isEqualTo(404);
  }

  @Test
  void aDeletionSentTwiceUnderOneKeyIsAnsweredTwice() throws Exception {
    at.send("root", "POST", "/v1/tenants", "{\"name\":\"a\",\"hosts\":6}");
    HttpRequest request =
        at.request("root", "/v1/tenants/a").header("Idempotency-Key", "k").DELETE().build();
    HttpResponse<String> first = at.client.send(request, HttpResponse.BodyHandlers.ofString());
    HttpResponse<String> second = at.client.send(request, HttpResponse.BodyHandlers.ofString());
    assertThat(first.statusCode()).isEqualTo(200);
    assertThat(second.statusCode()).isEqualTo(200);
    assertThat(second.body()).isEqualTo(first.body());
    assertThat(at.controller.view().epoch()).isEqualTo(2);
  }

  @Test
  void whatIsAnothersLooksLikeWhatIsNotThere() throws Exception {
    at.send("red", "POST", "/v1/tenants", "{\"name\":\"red\",\"hosts\":6}");
    for (String method : new String[] {"GET", "PUT", "DELETE"}) {
      HttpResponse<String> others =
          at.send("blue", method, "/v1/tenants/red", "{\"name\":\"red\",\"hosts\":1}");
      HttpResponse<String> nothing =
          at.send("blue", method, "/v1/tenants/nix", "{\"name\":\"nix\",\"hosts\":1}");
      assertThat(others.statusCode()).isEqualTo(404);
      assertThat(others.body()).isEqualTo(nothing.body());
    }
    String mine = "{\"name\":\"red\",\"owner\":\"blue\",\"hosts\":1}";
    assertThat(at.send("blue", "POST", "/v1/tenants", mine).statusCode()).isEqualTo(403);
    assertThat(at.send("blue", "GET", "/v1/tenants", "").body()).doesNotContain("red");
    assertThat(at.send("blue", "GET", "/v1/events", "").body()).doesNotContain("red");
    assertThat(at.send("blue", "GET", "/v1/history", "").statusCode()).isEqualTo(404);
    assertThat(at.controller.view().tenant("red")).isPresent();
  }

  @Test
  void withoutATokenNothingIsSaid() throws Exception {
    assertThat(at.send("wrong", "GET", "/v1/tenants", "").statusCode()).isEqualTo(401);
    assertThat(at.send("eye", "POST", "/v1/tenants", "{}").statusCode()).isEqualTo(403);
  }

  @Test
  void malformedAndOversizedBodiesAreProblems() throws Exception {
    assertThat(at.send("root", "POST", "/v1/tenants", "{").statusCode()).isEqualTo(400);
    assertThat(at.send("root", "POST", "/v1/tenants", "[]").statusCode()).isEqualTo(400);
    assertThat(at.send("root", "POST", "/v1/tenants", "{\"what\":1}").statusCode()).isEqualTo(400);
    assertThat(at.send("root", "POST", "/v1/tenants", "x".repeat(2 << 20)).statusCode())
        .isEqualTo(413);
    assertThat(at.send("root", "PATCH", "/v1/tenants", "").statusCode()).isEqualTo(405);
  }

  @Test
  void aChangeWithoutANameIsToldThatAndNotThatItHasAnotherOne() throws Exception {
    at.send("root", "POST", "/v1/tenants", "{\"name\":\"a\",\"hosts\":6}");
    HttpResponse<String> none = at.send("root", "PUT", "/v1/tenants/a", "{\"hosts\":7}");
    assertThat(none.statusCode()).isEqualTo(400);
    assertThat(none.body()).contains("'name' is missing");
    HttpResponse<String> other =
        at.send("root", "PUT", "/v1/tenants/a", "{\"name\":\"b\",\"hosts\":7}");
    assertThat(other.statusCode()).isEqualTo(400);
    assertThat(other.body()).contains("not that of the path");
    assertThat(at.controller.view().epoch()).isEqualTo(1);
  }
}
