package org.heddle.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;
import org.heddle.server.TestServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Conditions of requests, in the forms that RFC 9110 allows and some that it does not. */
class ConditionsTest {
  @TempDir Path directory;

  private static int status(TestServer at, String method, String header, String value)
      throws Exception {
    String body = method.equals("DELETE") ? "" : "{\"name\":\"a\",\"hosts\":2}";
    HttpResponse<String> answer =
        at.send("", method, "/v1/tenants/a?dry_run=true", body, Map.of(header, value));
    return answer.statusCode();
  }

  @Test
  void listsOfTagsWeakOnesAndWhatIsNone() throws Exception {
    try (TestServer at = TestServer.start(directory)) {
      at.send("", "POST", "/v1/tenants", "{\"name\":\"a\",\"hosts\":2}"); // version 1
      assertThat(status(at, "DELETE", "If-Match", "\"1\"")).isEqualTo(200);
      assertThat(status(at, "DELETE", "If-Match", "*")).isEqualTo(200);
      assertThat(status(at, "DELETE", "If-Match", " , \"7\" ,, W/\"1\", \"1\" ,")).isEqualTo(200);
      assertThat(status(at, "DELETE", "If-Match", "\"7\"")).isEqualTo(412);
      assertThat(status(at, "DELETE", "If-Match", "W/\"1\"")).isEqualTo(412);
      assertThat(status(at, "DELETE", "If-None-Match", "W/\"1\"")).isEqualTo(412);
      for (String none : new String[] {"1", "\"1", "\"1\" \"1\"", ",", "w/\"1\"", "\"1\",*"}) {
        assertThat(status(at, "DELETE", "If-Match", none)).as(none).isEqualTo(400);
      }
    }
  }

  @Test
  void thousandsOfTagsAreNoDeepRecursion() throws Exception {
    try (TestServer at = TestServer.start(directory)) {
      at.send("", "POST", "/v1/tenants", "{\"name\":\"a\",\"hosts\":2}");
      String others = "\"7\",".repeat(3500); // 14,000 characters, headers have 16 KiB
      assertThat(status(at, "DELETE", "If-Match", others + "\"1\"")).isEqualTo(200);
      assertThat(status(at, "DELETE", "If-Match", others)).isEqualTo(412);
      assertThat(status(at, "DELETE", "If-Match", others + "x")).isEqualTo(400);
      assertThat(status(at, "DELETE", "If-Match", " ,".repeat(7000) + "x")).isEqualTo(400);
    }
  }
}
