package org.heddle.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyStore;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.TrustManager;
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
import org.heddle.text.config.ServeFile;
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
    return keystore("tls.p12", "heddle");
  }

  private Path keystore(String name, String commonName) throws Exception {
    Path file = directory.resolve(name);
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
                "CN=" + commonName,
                "-ext",
                "san=ip:127.0.0.1")
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("keytool.out").toFile())
            .start();
    assertThat(process.waitFor()).as(Files.readString(directory.resolve("keytool.out"))).isZero();
    return file;
  }

  /** What a client has that trusts the server and shows its own certificate. */
  private static SSLContext showing(Path own, Path server) throws Exception {
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(read(own), PASSWORD.toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trust(server), null);
    return context;
  }

  private static KeyStore read(Path keystore) throws Exception {
    KeyStore out = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(keystore)) {
      out.load(in, PASSWORD.toCharArray());
    }
    return out;
  }

  private Path pem(Path keystore) throws Exception {
    Path out = directory.resolve(keystore.getFileName() + ".pem");
    byte[] bytes = read(keystore).getCertificate("heddle").getEncoded();
    Files.writeString(
        out,
        "-----BEGIN CERTIFICATE-----\n"
            + Base64.getMimeEncoder().encodeToString(bytes)
            + "\n-----END CERTIFICATE-----\n");
    return out;
  }

  private static SSLContext trusting(Path keystore) throws Exception {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust(keystore), null);
    return context;
  }

  private static TrustManager[] trust(Path keystore) throws Exception {
    KeyStore trusted = read(keystore);
    KeyStore certificates = KeyStore.getInstance("PKCS12");
    certificates.load(null, null);
    certificates.setCertificateEntry("heddle", trusted.getCertificate("heddle"));
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(certificates);
    return factory.getTrustManagers();
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
                  "root POST /v1/tenants?dry_run=false",
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

  private static int status(SSLContext context, int port, String path, String... header)
      throws Exception {
    try (HttpClient client = HttpClient.newBuilder().sslContext(context).build()) {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + port + path));
      if (header.length > 0) {
        request.headers(header);
      }
      return client.send(request.build(), HttpResponse.BodyHandlers.ofString()).statusCode();
    }
  }

  @Test
  void anotherCertificateIsTakenWhileItServesAndABadOneIsNot() throws Exception {
    Path first = keystore();
    Path second = keystore("second.p12", "heddle");
    Tls tls = new Tls(directory.resolve("used.p12"), PASSWORD);
    Files.copy(first, tls.keystore());
    try (TestServer at = TestServer.start(directory, ServeFile.Network.DEFAULT, Optional.of(tls))) {
      assertThat(status(trusting(first), at.port, "/healthz")).isEqualTo(200);
      Files.copy(second, tls.keystore(), StandardCopyOption.REPLACE_EXISTING);
      at.server.reload(tls);
      assertThat(status(trusting(second), at.port, "/healthz")).isEqualTo(200);
      assertThatThrownBy(() -> status(trusting(first), at.port, "/healthz"))
          .isInstanceOf(SSLHandshakeException.class);
      Files.writeString(tls.keystore(), "half of one");
      assertThatThrownBy(() -> at.server.reload(tls)).isInstanceOf(IllegalArgumentException.class);
      assertThat(status(trusting(second), at.port, "/healthz")).isEqualTo(200);
    }
  }

  @Test
  void aClientsCertificateIsItsCredential() throws Exception {
    Path server = keystore();
    Path eye = keystore("eye.p12", "eye");
    Path nobody = keystore("nobody.p12", "nobody");
    Path stranger = keystore("stranger.p12", "root");
    Path ca = directory.resolve("clients.pem");
    Files.writeString(ca, Files.readString(pem(eye)) + Files.readString(pem(nobody)));
    Tls asking = new Tls(server, PASSWORD, Optional.of(ca), false);
    try (TestServer at =
        TestServer.start(
            directory,
            ServeFile.Network.DEFAULT,
            Optional.of(asking),
            TestServer.ROOT,
            TestServer.EYE)) {
      assertThat(status(showing(eye, server), at.port, "/v1/tenants")).isEqualTo(200);
      assertThat(status(showing(nobody, server), at.port, "/v1/tenants")).isEqualTo(401);
      assertThat(status(trusting(server), at.port, "/v1/tenants")).isEqualTo(401);
      assertThat(status(trusting(server), at.port, "/v1/tenants", "Authorization", "Bearer root"))
          .isEqualTo(200);
      // what is sent counts, not what is shown
      assertThat(
              status(showing(eye, server), at.port, "/v1/tenants", "Authorization", "Bearer wrong"))
          .isEqualTo(401);
      // the client does not even show one that others have signed
      assertThat(status(showing(stranger, server), at.port, "/v1/tenants")).isEqualTo(401);
    }
    Files.delete(directory.resolve("s.db"));
    Files.delete(directory.resolve("s.db.made"));
    Tls insisting = new Tls(server, PASSWORD, Optional.of(ca), true);
    try (TestServer at =
        TestServer.start(
            directory, ServeFile.Network.DEFAULT, Optional.of(insisting), TestServer.EYE)) {
      assertThat(status(showing(eye, server), at.port, "/v1/tenants")).isEqualTo(200);
      assertThatThrownBy(() -> status(trusting(server), at.port, "/healthz"))
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  void withoutTokensOnlyThisMachineIsTheProviderWhateverTheProxy() throws Exception {
    ServeFile.Network network =
        new ServeFile.Network(0, List.of("127.0.0.1"), Optional.empty(), false);
    try (TestServer at = TestServer.start(directory, network, Optional.empty())) {
      for (String from : List.of("127.0.0.1", "::1", "192.0.2.7", "2001:db8::1")) {
        boolean far = from.startsWith("192") || from.startsWith("2001");
        int status =
            at.send("", "GET", "/v1/tenants", "", Map.of("X-Forwarded-For", from)).statusCode();
        assertThat(status).as(from).isEqualTo(far ? 401 : 200);
      }
    }
  }

  @Test
  void whatAProxyThatIsNamedSaysIsWrittenDown() throws Exception {
    ServeFile.Network network =
        new ServeFile.Network(0, List.of("127.0.0.1"), Optional.empty(), false);
    try (TestServer at = TestServer.start(directory, network, Optional.empty(), TestServer.ROOT)) {
      Map<String, String> forwarded = Map.of("X-Forwarded-For", "1.1.1.1, 192.0.2.7");
      at.send("wrong", "GET", "/v1/tenants", "", forwarded);
      at.server.close();
      assertThat(at.store.audit(0, 10))
          .extracting(AuditRecord::remote)
          .containsExactly("192.0.2.7");
    }
  }
}
