package org.heddle.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.heddle.control.model.Actor;
import org.heddle.control.model.Credential;
import org.heddle.server.auth.Credentials;
import org.heddle.server.http.Documents;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Tokens and users: made once, listed without secrets, revoked at once; conditions of versions. */
class AccountTest {
  private static final String LATER = "2999-01-01T00:00:00Z";

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

  private JsonNode sent(
      String token, String method, String path, String body, int status, String... header)
      throws Exception {
    Map<String, String> headers = header.length == 0 ? Map.of() : Map.of(header[0], header[1]);
    HttpResponse<String> answer = at.send(token, method, path, body, headers);
    assertThat(answer.statusCode())
        .as(method + " " + path + ": " + answer.body())
        .isEqualTo(status);
    return Documents.JSON.readTree(answer.body());
  }

  private String made(String body) throws Exception {
    return sent("root", "POST", "/v1/tokens", body, 201).get("access_token").stringValue();
  }

  @Test
  void tokensAreListedWithoutSecretsAndCountUntilTheyAreRevoked() throws Exception {
    String ci = made("{\"name\":\"ci\",\"role\":\"viewer\",\"expires\":\"" + LATER + "\"}");
    sent(ci, "GET", "/v1/tenants", "", 200);
    for (String reader : List.of("root", "eye")) {
      HttpResponse<String> list = at.send(reader, "GET", "/v1/tokens", "");
      assertThat(list.body()).doesNotContain(ci, Credentials.hash(ci), "hash", "access_token");
      JsonNode first = Documents.JSON.readTree(list.body()).get("items").get(0);
      assertThat(first.get("name").stringValue()).isEqualTo("ci");
      assertThat(first.get("role").stringValue()).isEqualTo("viewer");
      assertThat(first.get("expires").stringValue()).isEqualTo(LATER);
      assertThat(first.get("last_used").isString()).isTrue();
      assertThat(first.get("state").stringValue()).isEqualTo("valid");
    }
    sent("red", "GET", "/v1/tokens", "", 404);
    sent("red", "GET", "/v1/tokens/ci", "", 404);
    sent("red", "DELETE", "/v1/tokens/ci", "", 404);
    sent("eye", "DELETE", "/v1/tokens/ci", "", 403);
    sent("root", "DELETE", "/v1/tokens/ci?dry_run=true", "", 200);
    sent(ci, "GET", "/v1/tenants", "", 200);
    assertThat(sent("root", "DELETE", "/v1/tokens/ci", "", 200).get("outcome").stringValue())
        .isEqualTo("revoked");
    sent(ci, "GET", "/v1/tenants", "", 401);
    sent("root", "GET", "/v1/tokens/ci", "", 404);
    sent("root", "DELETE", "/v1/tokens/ci", "", 404);
    assertThat(at.store.credentials()).anyMatch(c -> c.name().equals("ci") && c.revoked());
    String again = made("{\"name\":\"ci\"}"); // its name is free again
    sent(again, "GET", "/v1/tenants", "", 200);
    sent(ci, "GET", "/v1/tenants", "", 401);
  }

  @Test
  void aStreamEndsAsSoonAsItsTokenIsRevoked() throws Exception {
    HttpResponse<InputStream> stream =
        at.client.send(
            at.request("red", "/v1/events").header("Accept", "text/event-stream").build(),
            HttpResponse.BodyHandlers.ofInputStream());
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8))) {
      assertThat(in.readLine()).isEqualTo(":");
      sent("root", "DELETE", "/v1/tokens/red", "", 200);
      assertThat(in.lines()).allMatch(line -> line.isEmpty() || line.equals(":"));
    }
  }

  @Test
  void theLastCredentialThatLetsTheProviderInStays() throws Exception {
    made("{\"name\":\"short\",\"expires\":\"" + LATER + "\"}");
    assertThat(sent("root", "DELETE", "/v1/tokens/root", "", 409).get("detail").stringValue())
        .contains("last credential");
    String other = made("{\"name\":\"other\"}");
    sent("root", "DELETE", "/v1/tokens/root", "", 200);
    sent(other, "DELETE", "/v1/tokens/other", "", 409);
    sent(other, "DELETE", "/v1/tokens/short", "", 200);
  }

  @Test
  void underItsKeyATokenIsMadeOnceAndALostSecretIsReplacedUntilItIsUsed() throws Exception {
    String body = "{\"name\":\"ci\"}";
    String[] key = {"Idempotency-Key", "k"};
    String lost =
        sent("root", "POST", "/v1/tokens", body, 201, key).get("access_token").stringValue();
    String known =
        sent("root", "POST", "/v1/tokens", body, 201, key).get("access_token").stringValue();
    assertThat(known).isNotEqualTo(lost);
    sent("root", "POST", "/v1/tokens", "{\"name\":\"cj\"}", 422, key);
    sent(lost, "GET", "/v1/tenants", "", 401);
    sent(known, "GET", "/v1/tenants", "", 200);
    assertThat(sent("root", "POST", "/v1/tokens", body, 409, key).get("detail").stringValue())
        .contains("in use");
    sent(known, "GET", "/v1/tenants", "", 200);
    String[] end = {"Idempotency-Key", "e"};
    sent("root", "DELETE", "/v1/tokens/ci", "", 200, end);
    sent("root", "DELETE", "/v1/tokens/ci", "", 200, end);
    sent("root", "POST", "/v1/tokens", body, 409, key);
    assertThat(at.store.credentials()).hasSize(4);
  }

  private static String basic(String name, String password) {
    return "Basic "
        + Base64.getEncoder()
            .encodeToString((name + ":" + password).getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void aUserGetsAnotherPasswordAndGoes() throws Exception {
    String body =
        "{\"name\":\"tom\",\"password\":\"first word\",\"role\":\"tenant\",\"tenant\":\"red\"}";
    String[] key = {"Idempotency-Key", "k"};
    sent("root", "POST", "/v1/users", body, 201, key);
    sent("root", "POST", "/v1/users", body, 201, key);
    sent("root", "POST", "/v1/users", body.replace("first", "other"), 422, key);
    assertThat(at.store.credentials().toString()).doesNotContain("first word");
    String[] first = {"Authorization", basic("tom", "first word")};
    sent("", "GET", "/v1/tenants", "", 200, first);
    String second = "{\"password\":\"second word\"}";
    sent("red", "PUT", "/v1/users/tom", second, 404);
    sent("", "PUT", "/v1/users/tom", second, 200, first);
    sent("", "GET", "/v1/tenants", "", 401, first);
    sent("root", "PUT", "/v1/users/tom", "{\"password\":\"short\"}", 400);
    sent("root", "PUT", "/v1/users/tom", "{\"password\":\"third word\"}", 200);
    String[] third = {"Authorization", basic("tom", "third word")};
    sent("", "GET", "/v1/tenants", "", 200, third);
    assertThat(sent("root", "GET", "/v1/users", "", 200).get("items")).hasSize(1);
    sent("root", "DELETE", "/v1/tokens/tom", "", 404);
    sent("root", "DELETE", "/v1/users/tom", "", 200);
    sent("", "GET", "/v1/tenants", "", 401, third);
  }

  @Test
  void anExpiredTokenIsOfNoUse() {
    Instant end = Instant.parse("2030-01-01T00:00:00Z");
    Instant[] now = {end.minusSeconds(1)};
    Credentials credentials = new Credentials(() -> now[0]);
    credentials.accept(
        new Credential(
            "ci",
            Credentials.TOKEN,
            Credentials.hash("s"),
            Actor.Role.VIEWER,
            "",
            Instant.EPOCH,
            false,
            Optional.of(end),
            "",
            List.of()));
    assertThat(credentials.actor("Bearer s")).isPresent();
    now[0] = end;
    assertThat(credentials.actor("Bearer s")).isEmpty();
    assertThat(credentials.isEmpty()).isFalse();
  }

  @Test
  void whatIsWrongWithARequestForATokenIsSaid() throws Exception {
    for (String wrong :
        List.of(
            "{\"name\":\"a\",\"expires\":\"2001-01-01T00:00:00Z\"}",
            "{\"name\":\"a\",\"expires\":\"tomorrow\"}",
            "{\"name\":\"a\",\"expires\":7}",
            "{\"name\":\"a\",\"password\":\"12345678\"}",
            "{\"name\":\"a b\"}")) {
      sent("root", "POST", "/v1/tokens", wrong, 400);
    }
    sent("root", "POST", "/v1/tokens?dry_run=true", "{\"name\":\"a\"}", 200);
    sent("root", "POST", "/v1/tokens", "{\"name\":\"eye\"}", 409);
    assertThat(at.store.credentials()).hasSize(3);
  }

  @Test
  void aStaleVersionIsAFailedPrecondition() throws Exception {
    String body = "{\"name\":\"a\",\"hosts\":2}";
    sent("root", "POST", "/v1/tenants", body, 201, "If-None-Match", "*");
    sent("root", "POST", "/v1/tenants", body, 412, "If-None-Match", "*");
    sent("root", "POST", "/v1/tenants", body, 200);
    String more = body.replace("2", "3");
    String path = "/v1/tenants/a";
    for (String tag : List.of("\"7\"", "W/\"1\"", "\"x\"", "\"7\", \"8\"", "\"\"")) {
      sent("root", "PUT", path, more, 412, "If-Match", tag);
      sent("root", "DELETE", path, "", 412, "If-Match", tag);
    }
    for (String wrong : List.of("1", "\"1", "x, \"1\"", "\"1\" \"2\"")) {
      sent("root", "PUT", path, more, 400, "If-Match", wrong);
    }
    sent("root", "PUT", path, more, 412, "If-None-Match", "*");
    sent("root", "PUT", path, more, 412, "If-None-Match", "W/\"1\"");
    sent("root", "PUT", path, more, 200, "If-Match", "\"9\" ,, W/\"1\", \"1\"");
    sent("root", "DELETE", path, "", 200, "If-Match", "*");
    sent("root", "DELETE", path, "", 404, "If-Match", "*");
  }

  /** Those of its own, those that its tokens made, and no others. */
  @Test
  void aUsersTokensEndWithTheUser() throws Exception {
    made("{\"name\":\"stays\",\"role\":\"viewer\"}");
    sent("root", "POST", "/v1/users", "{\"name\":\"bob\",\"password\":\"bob's password\"}", 201);
    String pair =
        Base64.getEncoder().encodeToString("bob:bob's password".getBytes(StandardCharsets.UTF_8));
    String[] basic = {"Authorization", "Basic " + pair};
    String first =
        sent("", "POST", "/v1/tokens", "{\"name\":\"b1\"}", 201, basic)
            .get("access_token")
            .stringValue();
    String second =
        sent(first, "POST", "/v1/tokens", "{\"name\":\"b2\",\"role\":\"viewer\"}", 201)
            .get("access_token")
            .stringValue();
    String third =
        sent(first, "POST", "/ufmRest/app/tokens", "", 200).get("access_token").stringValue();
    assertThat(sent("root", "GET", "/v1/tokens/b2", "", 200).get("user").stringValue())
        .isEqualTo("bob");
    assertThat(sent("root", "GET", "/v1/tokens/stays", "", 200).get("user").isNull()).isTrue();
    // the token that made it may go: it is bob's all the same
    sent("root", "DELETE", "/v1/tokens/b1", "", 200);
    sent(second, "GET", "/v1/tenants", "", 200);
    sent(third, "GET", "/v1/tenants", "", 200);
    JsonNode would = sent("root", "DELETE", "/v1/users/bob?dry_run=true", "", 200);
    assertThat(would.get("tokens")).hasSize(2);
    sent(second, "GET", "/v1/tenants", "", 200);
    assertThat(sent("root", "DELETE", "/v1/users/bob", "", 200).get("tokens")).hasSize(2);
    for (String token : List.of(first, second, third)) {
      sent(token, "GET", "/v1/tenants", "", 401);
    }
    assertThat(at.store.credentials())
        .filteredOn(c -> c.user().equals("bob"))
        .hasSize(3)
        .allMatch(Credential::revoked);
    sent("root", "GET", "/v1/tokens/stays", "", 200);
  }

  @Test
  void aUserWhoseTokensAreTheLastThatLetTheProviderInStays() throws Exception {
    sent("root", "POST", "/v1/users", "{\"name\":\"bob\",\"password\":\"bob's password\"}", 201);
    String pair =
        Base64.getEncoder().encodeToString("bob:bob's password".getBytes(StandardCharsets.UTF_8));
    String[] basic = {"Authorization", "Basic " + pair};
    String own =
        sent("", "POST", "/v1/tokens", "{\"name\":\"b1\"}", 201, basic)
            .get("access_token")
            .stringValue();
    sent(own, "DELETE", "/v1/tokens/root", "", 200);
    assertThat(sent(own, "DELETE", "/v1/users/bob", "", 409).get("detail").stringValue())
        .contains("last credential");
    sent(own, "GET", "/v1/tenants", "", 200);
  }
}
