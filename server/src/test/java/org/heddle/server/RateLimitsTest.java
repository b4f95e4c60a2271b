package org.heddle.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.heddle.control.model.Actor;
import org.heddle.control.model.Credential;
import org.heddle.server.auth.Credentials;
import org.heddle.server.auth.PasswordHash;
import org.heddle.server.http.Rates;
import org.heddle.server.v1.EventStreams;
import org.heddle.text.config.ServeFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who asks too often is told when to ask again, and nobody else is. The clock is the test's. */
class RateLimitsTest {
  private static final int RATE = 5;
  private static final int AT_ONCE = 20;
  private static final int FAILURES = 3;
  private static final TestServer.Token TENANT =
      new TestServer.Token("secret-a", Actor.Role.TENANT, "a");
  private static final TestServer.Token OTHER =
      new TestServer.Token("secret-b", Actor.Role.TENANT, "b");
  private static final TestServer.Token PROVIDER =
      new TestServer.Token("secret-p", Actor.Role.PROVIDER, "");

  @TempDir Path directory;

  private final AtomicLong now = new AtomicLong(-7_000_000_000L); // as nanoTime may
  private final List<InputStream> streams = new ArrayList<>();
  private TestServer at;

  private void start(ServeFile.Limits limits, TestServer.Token... tokens) throws Exception {
    at = TestServer.start(directory, limits, now::get, tokens);
  }

  @AfterEach
  void stop() {
    at.close();
  }

  private HttpResponse<String> get(String path, String authorization) throws Exception {
    HttpRequest.Builder request = at.request("", path);
    if (!authorization.isEmpty()) {
      request.header("Authorization", authorization);
    }
    return at.client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private int status(String authorization) throws Exception {
    return get("/v1/tenants", authorization).statusCode();
  }

  private void pass(double seconds) {
    now.addAndGet((long) (seconds * TimeUnit.SECONDS.toNanos(1)));
  }

  private static String bearer(TestServer.Token token) {
    return "Bearer " + token.name();
  }

  private static String basic(String user, String password) {
    byte[] pair = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
    return "Basic " + Base64.getEncoder().encodeToString(pair);
  }

  private void addUser(String name, String password) {
    Credential user =
        new Credential(
            name,
            Credentials.PASSWORD,
            PasswordHash.of(password),
            Actor.Role.PROVIDER,
            "",
            Instant.EPOCH,
            false);
    at.credentials.accept(user);
  }

  @Test
  void aTenantThatAsksTooOftenWaitsAndTheOthersDoNot() throws Exception {
    start(new ServeFile.Limits(RATE, 0, FAILURES), TENANT, OTHER, PROVIDER);
    for (int i = 0; i < AT_ONCE; i++) {
      assertThat(status(bearer(TENANT))).isEqualTo(200);
    }
    HttpResponse<String> refused = get("/v1/tenants", bearer(TENANT));
    assertThat(refused.statusCode()).isEqualTo(429);
    assertThat(refused.headers().firstValue("Retry-After")).contains("1");
    assertThat(refused.headers().firstValue("Content-Type")).contains("application/problem+json");
    assertThat(refused.body()).contains("\"too-many-requests\"").contains("again in 1 s");
    assertThat(status(bearer(OTHER))).isEqualTo(200);
    pass(1.0 / RATE);
    assertThat(status(bearer(TENANT))).isEqualTo(200);
    assertThat(status(bearer(TENANT))).isEqualTo(429);
    pass(3600);
    for (int i = 0; i < AT_ONCE; i++) {
      assertThat(status(bearer(TENANT))).isEqualTo(200);
    }
    assertThat(status(bearer(TENANT))).isEqualTo(429);
  }

  @Test
  void theClientsOfUfmAreNotLimitedUnlessTheFileSaysSo() throws Exception {
    start(new ServeFile.Limits(RATE, 0, FAILURES), TENANT, PROVIDER);
    for (int i = 0; i < 3 * AT_ONCE; i++) {
      String way = i % 2 == 0 ? basic(PROVIDER.name(), "") : "Basic " + PROVIDER.name();
      assertThat(get("/ufmRest/resources/pkeys", way).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void aProviderIsLimitedIfTheFileSaysSoAndToldInTheShapeOfItsInterface() throws Exception {
    start(new ServeFile.Limits(0, 1, FAILURES), TENANT, PROVIDER);
    for (int i = 0; i < 4; i++) {
      assertThat(status(bearer(PROVIDER))).isEqualTo(200);
    }
    HttpResponse<String> refused = get("/ufmRest/resources/pkeys", bearer(PROVIDER));
    assertThat(refused.statusCode()).isEqualTo(429);
    assertThat(refused.headers().firstValue("Retry-After")).contains("1");
    assertThat(refused.body()).startsWith("{\"error\":");
    for (int i = 0; i < 2 * AT_ONCE; i++) {
      assertThat(status(bearer(TENANT))).isEqualTo(200);
    }
  }

  @Test
  void wrongCredentialsAreLookedAtAFewTimesAMinuteAndRightOnesAlways() throws Exception {
    start(new ServeFile.Limits(0, 0, FAILURES), PROVIDER);
    addUser("ann", "long enough");
    addUser("bob", "longer still");
    assertThat(status(basic("ann", "long enough"))).isEqualTo(200);
    for (int i = 0; i < FAILURES; i++) {
      assertThat(status(i == 0 ? "Bearer nonsense" : basic("bob", "guess" + i))).isEqualTo(401);
    }
    HttpResponse<String> refused = get("/v1/tenants", basic("bob", "guess"));
    assertThat(refused.statusCode()).isEqualTo(429);
    assertThat(refused.headers().firstValue("Retry-After")).contains("20");
    assertThat(refused.headers().firstValue("WWW-Authenticate")).isEmpty();
    assertThat(status(bearer(PROVIDER))).isEqualTo(200);
    assertThat(status(basic("ann", "long enough"))).as("was right before").isEqualTo(200);
    assertThat(status(basic("bob", "longer still"))).as("not looked at").isEqualTo(429);
    pass(20);
    assertThat(status(basic("bob", "longer still"))).isEqualTo(200);
    assertThat(status("Bearer nonsense")).as("who was right is not counted").isEqualTo(401);
    assertThat(status("Bearer nonsense")).isEqualTo(429);
  }

  @Test
  void whoSendsNoCredentialIsAskedForOneAtTheRateOfATenant() throws Exception {
    start(new ServeFile.Limits(RATE, 0, FAILURES), PROVIDER);
    for (int i = 0; i < AT_ONCE; i++) {
      assertThat(status("")).isEqualTo(401);
    }
    assertThat(status("")).isEqualTo(429);
    assertThat(get("/healthz", "").statusCode()).isEqualTo(200);
    assertThat(get("/", "").statusCode()).isEqualTo(200);
    assertThat(status(bearer(PROVIDER))).isEqualTo(200);
  }

  @Test
  void withoutCredentialsThereIsNoLimit() throws Exception {
    start(new ServeFile.Limits(1, 1, 1));
    for (int i = 0; i < AT_ONCE; i++) {
      assertThat(status("")).isEqualTo(200);
    }
  }

  /** The first lines of a stream, until it says something. */
  private String stream(TestServer.Token token) throws Exception {
    HttpRequest request =
        at.request(token.name(), "/v1/events").header("Accept", "text/event-stream").build();
    HttpResponse<InputStream> answer =
        at.client.send(request, HttpResponse.BodyHandlers.ofInputStream());
    assertThat(answer.statusCode()).isEqualTo(200);
    streams.add(answer.body());
    return new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8))
        .readLine();
  }

  @Test
  void aTenantThatOpensManyStreamsLeavesRoomForOthers() throws Exception {
    start(new ServeFile.Limits(0, 0, FAILURES), TENANT, OTHER);
    for (int i = 0; i < EventStreams.MOST_OF_ONE; i++) {
      assertThat(stream(TENANT)).isEqualTo(":");
    }
    assertThat(stream(TENANT)).isEqualTo("event: too-many");
    assertThat(stream(OTHER)).isEqualTo(":");
    for (InputStream s : streams) {
      s.close();
    }
  }

  @Test
  void whatComesTooOftenIsNotRecorded() throws Exception {
    start(new ServeFile.Limits(0, 0, 1), PROVIDER);
    for (int i = 0; i < AT_ONCE; i++) {
      status("Bearer nonsense");
    }
    at.server.close(); // writes what is left
    assertThat(at.store.audit(0, 100)).hasSize(1).allMatch(r -> r.status() == 401);
  }

  @Test
  void anAddressOfIpv6CountsByItsNetwork() throws Exception {
    start(ServeFile.Limits.DEFAULT);
    assertThat(RateLimits.network("10.0.0.1")).isEqualTo("10.0.0.1");
    assertThat(RateLimits.network("2001:db8:0:1::5"))
        .isEqualTo(RateLimits.network("2001:db8:0:1:ffff::9"))
        .isNotEqualTo(RateLimits.network("2001:db8:0:2::5"));
    assertThat(RateLimits.network("[2001:db8:0:1::7]"))
        .isEqualTo(RateLimits.network("2001:db8:0:1::5"));
  }

  @Test
  void manyNamesTakeNoMoreMemoryThanSome() throws Exception {
    start(ServeFile.Limits.DEFAULT);
    Rates rates = new Rates(10, 1);
    assertThat(rates.take("first", 0)).isZero();
    assertThat(rates.take("first", 0)).isEqualTo(10);
    for (int i = 0; i < 20_000; i++) {
      assertThat(rates.take("n" + i, 0)).isZero();
    }
    assertThat(rates.take("first", 0)).as("forgotten").isZero();
    assertThat(rates.take("n19999", 0)).isPositive();
  }

  /** A form whose end does not come, as over a bad line, or of somebody who means it. */
  @Test
  void logInsThatComeSlowlyLockNobodyOut() throws Exception {
    start(new ServeFile.Limits(0, 0, FAILURES), PROVIDER);
    addUser("ann", "long enough");
    String half = "POST /dologin HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\nhttpd_user";
    List<Socket> slow = new ArrayList<>();
    try {
      for (int i = 0; i < 4 * FAILURES; i++) {
        Socket s = new Socket(InetAddress.getLoopbackAddress(), at.port);
        s.getOutputStream().write(half.getBytes(StandardCharsets.ISO_8859_1));
        slow.add(s);
      }
      awaitWaiting(4 * FAILURES);
      assertThat(status(basic("ann", "long enough"))).isEqualTo(200);
    } finally {
      for (Socket s : slow) {
        s.close();
      }
    }
  }

  /** Requests of which the server has read all that came. */
  private void awaitWaiting(int count) {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    while (at.server.reading() < count) {
      assertThat(System.nanoTime()).isLessThan(end);
      Thread.onSpinWait();
    }
  }

  /** As of all nodes of a job at once, of which nobody has asked since the start. */
  @Test
  void manyRightPasswordsAtOnceAreAllRight() throws Exception {
    start(new ServeFile.Limits(0, 0, FAILURES), PROVIDER);
    List<CompletableFuture<HttpResponse<String>>> all = new ArrayList<>();
    for (int u = 0; u < FAILURES + 1; u++) {
      addUser("user" + u, "the password of " + u);
    }
    for (int i = 0; i < 8 * FAILURES; i++) {
      int u = i % (FAILURES + 1);
      HttpRequest request =
          at.request("", "/v1/tenants")
              .header("Authorization", basic("user" + u, "the password of " + u))
              .build();
      all.add(at.client.sendAsync(request, HttpResponse.BodyHandlers.ofString()));
    }
    assertThat(all).allMatch(f -> f.join().statusCode() == 200);
  }

  /** One address leaves room for others; the answer to who has too many is an end. */
  @Test
  void anAddressHasSoManyConnectionsAndAsManyAgainWhenTheyEnd() throws Exception {
    ServeFile.Network network = new ServeFile.Network(3, List.of(), Optional.empty(), false);
    at = TestServer.start(directory, network, Optional.empty(), PROVIDER);
    List<Socket> open = new ArrayList<>();
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < 3; i++) {
        Socket s = new Socket(InetAddress.getLoopbackAddress(), at.port);
        open.add(s);
        assertThat(alive(s)).isTrue();
      }
      try (Socket more = new Socket(InetAddress.getLoopbackAddress(), at.port)) {
        assertThat(alive(more)).isFalse();
      }
      assertThat(alive(open.getFirst())).isTrue();
      for (Socket s : open) {
        s.shutdownOutput();
        while (s.getInputStream().read() >= 0) {} // until the server has ended it
        s.close();
      }
      open.clear();
      long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
      while (at.server.connections() > 0 && System.nanoTime() < end) {
        Thread.onSpinWait();
      }
    }
  }

  /** True if a request is answered. */
  private static boolean alive(Socket s) {
    try {
      s.getOutputStream()
          .write("GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
      byte[] begin = s.getInputStream().readNBytes(12);
      s.getInputStream().skipNBytes(s.getInputStream().available());
      return new String(begin, StandardCharsets.ISO_8859_1).equals("HTTP/1.1 200");
    } catch (IOException _) {
      return false;
    }
  }

  @Test
  void theCredentialsOfATenantShareItsRequests() throws Exception {
    TestServer.Token second = new TestServer.Token("secret-a2", Actor.Role.TENANT, "a");
    Map<String, ServeFile.Quota> quotas =
        Map.of(
            "a",
            new ServeFile.Quota(
                OptionalInt.empty(),
                OptionalInt.empty(),
                OptionalInt.empty(),
                OptionalInt.of(RATE)),
            "b",
            new ServeFile.Quota(
                OptionalInt.empty(), OptionalInt.empty(), OptionalInt.empty(), OptionalInt.of(0)));
    at =
        TestServer.start(
            directory,
            new RateLimits(new ServeFile.Limits(0, 0, 0), quotas, now::get),
            TENANT,
            second,
            OTHER);
    for (int i = 0; i < AT_ONCE; i++) {
      assertThat(status(bearer(i % 2 == 0 ? TENANT : second))).isEqualTo(200);
    }
    assertThat(status(bearer(TENANT))).isEqualTo(429);
    assertThat(status(bearer(second))).isEqualTo(429);
    assertThat(status(bearer(OTHER))).isEqualTo(403);
    pass(1);
    assertThat(status(bearer(second))).isEqualTo(200);
  }
}
