package org.heddle.server.ufm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.heddle.control.Reconciler;
import org.heddle.control.emulator.Emulator;
import org.heddle.control.model.Actor;
import org.heddle.control.model.Credential;
import org.heddle.server.HttpServer;
import org.heddle.server.auth.Credentials;
import org.heddle.server.auth.PasswordHash;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The same cases over a socket, byte for byte as the clients send them. */
class UfmHttpTest extends UfmCases {
  private static final String HASH = PasswordHash.of("secret word");
  private static final String USER = basic("somebody:secret word");

  /** Of the last answer. */
  private String head = "";

  private HttpServer server;
  private Credentials credentials;
  private int port;

  private static String basic(String text) {
    return "Basic " + Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  @BeforeEach
  void open() throws Exception {
    super.open();
    credentials = new Credentials();
    credential(credentials, "somebody", "password", HASH, "");
    credential(credentials, "robot", "token", Credentials.hash("1234abcd"), "");
    credential(credentials, "red", "token", Credentials.hash("redred"), "red");
    Reconciler reconciler =
        new Reconciler(controller, new Emulator(fabric), true, Duration.ofHours(1));
    server =
        new HttpServer(
            controller,
            reconciler,
            credentials,
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    port = server.start();
  }

  private static void credential(
      Credentials to, String name, String kind, String hash, String tenant) {
    Actor.Role role = tenant.isEmpty() ? Actor.Role.PROVIDER : Actor.Role.TENANT;
    to.accept(new Credential(name, kind, hash, role, tenant, Instant.EPOCH, false));
  }

  @Override
  @AfterEach
  void close() throws Exception {
    server.close();
    super.close();
  }

  @Override
  Answer call(String line, String body) throws IOException {
    String target = line.replaceFirst(" ", " /ufmRest");
    return exchange(target, "Authorization: " + USER + "\r\n", body);
  }

  /** One request on a connection of its own; the whole answer is read. */
  private Answer exchange(String line, String headers, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    String request =
        line
            + " HTTP/1.1\r\nHost: ufm\r\nConnection: close\r\n"
            + headers
            + (bytes.length == 0
                ? ""
                : "Content-Type: application/json\r\nContent-Length: " + bytes.length + "\r\n")
            + "\r\n";
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      socket.getOutputStream().write(bytes);
      socket.getOutputStream().flush();
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int blank = answer.indexOf("\r\n\r\n");
      head = answer.substring(0, blank);
      assertThat(head).contains("Content-Type: application/json; charset=utf-8");
      if (answer.startsWith("HTTP/1.1 202")) {
        String job = answer.substring(blank + 4).replace("\"", "");
        assertThat(head).contains("Location: /ufmRest/" + job);
      }
      return new Answer(Integer.parseInt(answer.substring(9, 12)), answer.substring(blank + 4));
    }
  }

  private int statusWith(String authorization) throws IOException {
    return exchange("GET /ufmRestV3/app/ufm_version", authorization, "").status();
  }

  @Test
  void everyWayInWhichClientsSayWhoTheyAreIsUnderstood() throws Exception {
    for (String value :
        List.of(USER, "Basic 1234abcd", basic("1234abcd:"), "Bearer 1234abcd", "basic 1234abcd")) {
      assertThat(statusWith("Authorization: " + value + "\r\n")).as(value).isEqualTo(200);
    }
    for (String value :
        List.of("", "Basic", basic("somebody:wrong"), basic("nobody:x"), basic("x"), "Basic ???")) {
      assertThat(statusWith("Authorization: " + value + "\r\n")).as(value).isEqualTo(401);
    }
    assertThat(statusWith("")).isEqualTo(401);
    assertThat(statusWith("Authorization: Bearer redred\r\n")).isEqualTo(403);
  }

  @Test
  void aBaseThatEndsWithASlashAndHeadAndErrorsOfTheServerItselfAreAnsweredAlike() throws Exception {
    String auth = "Authorization: " + USER + "\r\n";
    assertThat(exchange("GET /ufmRest//resources/pkeys?guids_data=true", auth, "").text())
        .contains("management");
    assertThat(exchange("HEAD /ufmRest/app/ufm_version", auth, "").status()).isEqualTo(200);
    for (String wrong : List.of("resources/pkeys?a=%ZZ", "resources/pkeys/%ff", "jobs/..%2f1")) {
      Answer answer = exchange("GET /ufmRest/" + wrong, auth, "");
      assertThat(answer.status()).as(wrong).isEqualTo(400);
      assertThat(answer.text()).startsWith("{\"error\":\"the request cannot be read");
    }
    String zipped = auth + "Content-Encoding: gzip\r\n";
    assertThat(exchange("POST /ufmRest/resources/pkeys", zipped, "x").status()).isEqualTo(415);
    Answer half = exchange("POST /ufmRest/resources/pkeys", auth, "{\"pkey\":\"\\ud800\"}");
    assertThat(half.status()).isEqualTo(400);
  }

  @Test
  void aSessionCountsBesideAnEmptyAuthorization() throws Exception {
    exchange("POST /dologin", FORM, "httpd_username=somebody&httpd_password=secret+word");
    String both = cookie() + "Authorization: \r\n";
    assertThat(exchange("GET /ufmRest/jobs/0", both, "").status()).isEqualTo(200);
  }

  @Test
  void allThreeBasesLeadToTheSame() throws Exception {
    String auth = "Authorization: " + USER + "\r\n";
    call("POST /resources/pkeys/add", "{\"pkey\":\"0x12\"}");
    for (String base : List.of("/ufmRest", "/ufmRestV2", "/ufmRestV3")) {
      Answer answer = exchange("GET " + base + "/resources/pkeys/", auth, "");
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.text()).contains("0x12");
    }
  }

  @Test
  void aHostListInThePathIsTakenAsItIsAndInPercentSigns() throws Exception {
    // no such hosts: the answer names what was understood
    Answer raw = call("DELETE /resources/pkeys/0x12/hosts/nope[1-2],b", "");
    Answer coded = call("DELETE /resources/pkeys/0x12/hosts/nope%5B1-2%5D%2Cb", "");
    assertThat(raw.status()).isEqualTo(400);
    assertThat(raw.text()).contains("nope[1-2]");
    assertThat(coded).isEqualTo(raw);
  }

  @Test
  void aBodyThatIsTooLargeIsRefusedInJson() throws Exception {
    assertThat(call("POST /resources/pkeys", " ".repeat(2 << 20)).status()).isEqualTo(413);
    assertThat(controller.view().epoch()).isZero();
  }

  private static final String FORM = "Content-Type: application/x-www-form-urlencoded\r\n";

  private String cookie() {
    Matcher cookie = Pattern.compile("Set-Cookie: (session=[^;\r]*)(; [^\r]*)").matcher(head);
    assertThat(cookie.find()).isTrue();
    assertThat(cookie.group(2)).contains("HttpOnly", "SameSite=Strict").doesNotContain("Secure");
    return "Cookie: " + cookie.group(1) + "\r\n";
  }

  @Test
  void aFormGivesASessionAndAWrongOneNoPageThatLooksLikeSuccess() throws Exception {
    String documented = "httpd_username=somebody&httpd_password=secret+word";
    assertThat(exchange("POST /dologin", FORM, documented).status()).isEqualTo(200);
    String session = cookie();
    assertThat(exchange("GET /ufmRestV2/resources/systems", session, "").status()).isEqualTo(200);
    Answer added = exchange("POST /ufmRestV2/resources/pkeys/add", session, "{\"pkey\":\"0x12\"}");
    assertThat(added.status()).isEqualTo(200);
    String ofDriver = "username=somebody&password=secret word";
    assertThat(exchange("POST /ufmRest/login", FORM, ofDriver).status()).isEqualTo(200);
    assertThat(exchange("GET /ufmRest/resources/systems", cookie(), "").status()).isEqualTo(200);
    for (String form :
        List.of("", "username=somebody", "username=somebody&password=x", "%", "username=&=")) {
      Answer answer = exchange("POST /dologin", FORM, form);
      assertThat(answer.status()).as(form).isEqualTo(401);
      assertThat(answer.text()).startsWith("{");
      assertThat(head).doesNotContain("Set-Cookie");
    }
    assertThat(exchange("GET /dologin", "", "").status()).isEqualTo(405);
  }

  @Test
  void asDriverSendsItAPasswordIsTakenAsItIs() throws Exception {
    String hash = PasswordHash.of("50%+more");
    credential(credentials, "openstack", "password", hash, "");
    assertThat(exchange("POST /ufmRest/login", FORM, "username=openstack&password=50%+more"))
        .extracting(Answer::status)
        .isEqualTo(200);
  }

  @Test
  void aSessionEndsWithThePasswordAndCountsForThisInterfaceOnly() throws Exception {
    exchange("POST /dologin", FORM, "httpd_username=somebody&httpd_password=secret+word");
    String session = cookie();
    String forged = session.replaceFirst("\\.[0-9]{10}\\.", ".9999999999.");
    assertThat(exchange("GET /ufmRest/resources/systems", forged, "").status()).isEqualTo(401);
    for (String wrong : List.of("session=", "session=a.b.c", "session=..", "session=%.1.x")) {
      String cookie = "Cookie: " + wrong + "\r\n";
      assertThat(exchange("GET /ufmRest/jobs/0", cookie, "").status()).as(wrong).isEqualTo(401);
    }
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      String other = "GET /v1/tenants HTTP/1.1\r\nHost: ufm\r\nConnection: close\r\n";
      socket
          .getOutputStream()
          .write((other + session + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
      assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
          .startsWith("HTTP/1.1 401");
    }
    String body = "{\"password\":\"another word\"}";
    assertThat(exchange("PUT /ufmRest/app/users/somebody", session, body).text())
        .isEqualTo("{\"name\":\"somebody\"}");
    assertThat(exchange("GET /ufmRest/resources/systems", session, "").status()).isEqualTo(401);
    assertThat(statusWith("Authorization: " + USER + "\r\n")).isEqualTo(401);
    String now = basic("somebody:another word");
    assertThat(statusWith("Authorization: " + now + "\r\n")).isEqualTo(200);
  }

  @Test
  void aTokenMadeHereOpensTheOtherBase() throws Exception {
    JsonNode made = JsonMapper.builder().build().readTree(call("POST /app/tokens", "").text());
    assertThat(made.get("username").stringValue()).isEqualTo("somebody");
    assertThat(made.get("revoked").booleanValue()).isFalse();
    assertThat(made.get("issued_at").isIntegralNumber()).isTrue();
    assertThat(made.get("expires_in").intValue()).isEqualTo(315360000);
    String token = made.get("access_token").stringValue();
    assertThat(statusWith("Authorization: Basic " + token + "\r\n")).isEqualTo(200);
    assertThat(call("GET /app/tokens", "").text()).startsWith("[{").doesNotContain(token);
    assertThat(call("PUT /app/users/nobody", "{\"password\":\"long enough\"}").status())
        .isEqualTo(404);
    assertThat(call("PUT /app/users/somebody", "{\"password\":\"short\"}").status()).isEqualTo(400);
    assertThat(call("DELETE /app/tokens", "").status()).isEqualTo(405);
  }
}
