package org.heddle.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.TrustManagerFactory;
import org.heddle.control.Controller;
import org.heddle.control.Reconciler;
import org.heddle.control.emulator.Emulator;
import org.heddle.control.model.Actor;
import org.heddle.control.model.AuditRecord;
import org.heddle.control.model.Credential;
import org.heddle.fabric.Fabric;
import org.heddle.server.auth.Credentials;
import org.heddle.server.http.Tls;
import org.heddle.server.store.SqlStore;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TLS, and the record of who asked for what. */
class SecurityTest {
  private static final String PASSWORD = "changeit";

  @TempDir Path directory;

  private final Fabric fabric =
      TreeGenerator.generate(TreeSpec.parse("XGFT(2;4,8;1,4)")).withAssignedLids();

  /** A certificate for 127.0.0.1, made by the tool that comes with Java. */
  private Path keystore() throws Exception {
    Path file = directory.resolve("tls.p12");
    String tool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    Process process =
        new ProcessBuilder(
                tool,
                "-genkeypair",
                "-alias",
                "heddle",
                "-keyalg",
                "EC",
                "-storetype",
                "PKCS12",
                "-keystore",
                file.toString(),
                "-storepass",
                PASSWORD,
                "-dname",
                "CN=heddle",
                "-ext",
                "san=ip:127.0.0.1")
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("keytool.out").toFile())
            .start();
    assertThat(process.waitFor()).as(Files.readString(directory.resolve("keytool.out"))).isZero();
    return file;
  }

  private static SSLContext trusting(Path keystore) throws Exception {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(keystore)) {
      trusted.load(in, PASSWORD.toCharArray());
    }
    KeyStore certificates = KeyStore.getInstance("PKCS12");
    certificates.load(null, null);
    certificates.setCertificateEntry("heddle", trusted.getCertificate("heddle"));
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(certificates);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, factory.getTrustManagers(), null);
    return context;
  }

  private HttpServer server(Controller controller, Credentials credentials, Optional<Tls> tls) {
    return new HttpServer(
        controller,
        new Reconciler(controller, new Emulator(fabric), true, Duration.ofHours(1)),
        credentials,
        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
        tls);
  }

  private static Credential token(String name, Actor.Role role) {
    return new Credential(name, "token", Credentials.hash(name), role, "", Instant.EPOCH, false);
  }

  @Test
  void withAKeystoreItIsTlsAndNothingElse() throws Exception {
    Path keystore = keystore();
    try (SqlStore store = SqlStore.sqlite(directory.resolve("s.db"))) {
      store.create("f", fabric, "dmodk");
      try (Controller controller = Controller.open(store, Clock.systemUTC(), "f");
          HttpServer server =
              server(controller, new Credentials(), Optional.of(new Tls(keystore, PASSWORD)));
          HttpClient trusting = HttpClient.newBuilder().sslContext(trusting(keystore)).build();
          HttpClient other = HttpClient.newHttpClient()) {
        int port = server.start();
        HttpRequest request =
            HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + port + "/v1/fabrics")).build();
        assertThat(trusting.send(request, HttpResponse.BodyHandlers.ofString()).statusCode())
            .isEqualTo(200);
        assertThatThrownBy(() -> other.send(request, HttpResponse.BodyHandlers.ofString()))
            .isInstanceOf(SSLHandshakeException.class);
      }
    }
  }

  @Test
  void whatIsAskedWhileTheDatabaseIsAwayIsWrittenDownLater() throws Exception {
    Path database = directory.resolve("s.db");
    Path away = directory.resolve("away");
    try (TestServer at = TestServer.start(directory)) {
      Files.move(database, away);
      HttpResponse<String> refused =
          at.send("", "POST", "/v1/tenants", "{\"name\":\"a\",\"hosts\":1}");
      assertThat(refused.statusCode()).isEqualTo(503);
      assertThat(refused.body()).contains("moved", "nothing is written");
      assertThat(at.send("", "GET", "/readyz", "").statusCode()).isEqualTo(503);
      assertThat(at.send("", "POST", "/v1/tokens", "{\"name\":\"root\"}").statusCode())
          .isEqualTo(503);
      Files.move(away, database);
      assertThat(at.send("", "POST", "/v1/tenants", "{\"name\":\"a\",\"hosts\":1}").statusCode())
          .isEqualTo(201);
      at.server.close();
      assertThat(at.store.audit(0, 10))
          .extracting(AuditRecord::action, AuditRecord::status)
          .containsExactly(
              tuple("POST /v1/tenants", 503),
              tuple("POST /v1/tokens", 503),
              tuple("POST /v1/tenants", 201));
    }
  }

  @Test
  void whoAskedForChangesIsWrittenDownWithoutSecrets() throws Exception {
    Credentials credentials = new Credentials();
    credentials.accept(token("root", Actor.Role.PROVIDER));
    credentials.accept(token("eye", Actor.Role.VIEWER));
    try (SqlStore store = SqlStore.sqlite(directory.resolve("s.db"))) {
      store.create("f", fabric, "dmodk");
      try (Controller controller = Controller.open(store, Clock.systemUTC(), "f")) {
        try (HttpServer server = server(controller, credentials, Optional.empty());
            HttpClient client = HttpClient.newHttpClient()) {
          String base = "http://127.0.0.1:" + server.start();
          for (String line :
              List.of(
                  "root POST /v1/tenants?secret=1",
                  "root GET /v1/tenants",
                  "eye POST /v1/tenants",
                  "nobody GET /v1/tenants",
                  "root POST /ufmRest/resources/pkeys/add")) {
            String[] words = line.split(" ");
            client.send(
                HttpRequest.newBuilder(URI.create(base + words[2]))
                    .header("Authorization", "Bearer " + words[0])
                    .method(
                        words[1],
                        HttpRequest.BodyPublishers.ofString(
                            "{\"name\":\"a\",\"hosts\":2,\"pkey\":\"0x12\"}"))
                    .build(),
                HttpResponse.BodyHandlers.ofString());
          }
        }
        assertThat(store.audit(0, 10))
            .extracting(AuditRecord::actor, AuditRecord::action, AuditRecord::status)
            .containsExactly(
                tuple("root", "POST /v1/tenants", 201),
                tuple("eye", "POST /v1/tenants", 403),
                tuple("", "GET /v1/tenants", 401),
                tuple("root", "POST /ufmRest/resources/pkeys/add", 400));
        assertThat(store.audit(0, 10)).extracting(AuditRecord::remote).containsOnly("127.0.0.1");
      }
    }
  }
}
