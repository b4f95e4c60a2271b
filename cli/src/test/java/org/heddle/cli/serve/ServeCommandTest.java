package org.heddle.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Optional;
import org.heddle.catalog.BaseEngines;
import org.heddle.catalog.Catalog;
import org.heddle.cli.Cli;
import org.heddle.routing.RoutingEngine;
import org.heddle.server.store.SqlStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is wrong is said before anything is opened; a server that runs is tested elsewhere. */
class ServeCommandTest {
  @TempDir Path directory;

  private Cli.Result serve(String... more) {
    String[] words = new String[more.length + 3];
    words[0] = "serve";
    words[1] = "--data";
    words[2] = directory.resolve("data").toString();
    System.arraycopy(more, 0, words, 3, more.length);
    return Cli.run(words);
  }

  @Test
  void aWrongConfigurationIsNamedWithItsLine() throws IOException {
    Path file = directory.resolve("serve.yaml");
    Files.writeString(file, "version: 1\nlistne: x\n");
    Cli.Result result = serve("--config", file.toString());
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains("serve.yaml:2").contains("listen");
    assertThat(Files.exists(directory.resolve("data"))).isFalse();
  }

  @Test
  void agentAddressDatabaseAndWayAreChecked() throws IOException {
    assertThat(serve("--agent", "ufm").err()).contains("agents: emulator, opensm, dry-run");
    assertThat(serve("--listen", "8480").code()).isEqualTo(2);
    assertThat(serve("--database", "mysql:x").err()).contains("jdbc:postgresql");
    Path file = directory.resolve("serve.yaml");
    Files.writeString(file, "version: 1\nagent: dry-run\nvia: pigeon\n");
    Cli.Result result = serve("--config", file.toString());
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains("pigeon");
  }

  @Test
  void aKeystoreThatCannotBeUsedIsNamedWithWhatIsWrongWithIt() throws Exception {
    Path file = directory.resolve("serve.yaml");
    Path keystore = directory.resolve("tls.p12");
    Path password = directory.resolve("password");
    Files.writeString(
        file, "version: 1\ntls_keystore: " + keystore + "\ntls_password_file: " + password + "\n");
    Files.writeString(password, "right\n");
    assertThat(serve("--config", file.toString()).err()).contains("no such file: " + keystore);
    Files.writeString(keystore, "no keystore");
    Cli.Result stranger = serve("--config", file.toString());
    assertThat(stranger.code()).isEqualTo(2);
    assertThat(stranger.err()).contains("tls.p12 is not a PKCS #12 file", "openssl pkcs12 -export");
    KeyStore empty = KeyStore.getInstance("PKCS12");
    empty.load(null, null);
    try (OutputStream out = Files.newOutputStream(keystore)) {
      empty.store(out, "right".toCharArray());
    }
    assertThat(serve("--config", file.toString()).err()).contains("tls.p12 holds no key");
    Files.writeString(password, "wrong\n");
    assertThat(serve("--config", file.toString()).err()).contains("the password is wrong");
    assertThat(Files.exists(directory.resolve("data"))).isFalse();
  }

  @Test
  void whoMeantPostgresDoesNotGetSqlite() throws IOException {
    Path file = directory.resolve("serve.yaml");
    Files.writeString(file, "version: 1\n#database: x\ndatabase_user: heddle\n");
    Cli.Result result = serve("--config", file.toString(), "--listen", "127.0.0.1:0");
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains("no 'database'");
    assertThat(Files.exists(directory.resolve("data"))).isFalse();
  }

  @Test
  void aPortThatIsTakenIsCalledSo() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String listen = "127.0.0.1:" + taken.getLocalPort();
      Cli.Result result = serve("--fabric", "XGFT(2;2,2;1,2)", "--listen", listen);
      assertThat(result.code()).isEqualTo(2);
      assertThat(result.err()).contains("cannot listen on " + listen, "already in use");
    }
  }

  @Test
  void aWrongTreeIsBadInput() {
    for (String tree : new String[] {"XGFT(2;18,18;1)", "XGFT(3;36,36,40;1,36,36)"}) {
      Cli.Result result = serve("--fabric", tree, "--listen", "127.0.0.1:0");
      assertThat(result.code()).as(result.err()).isEqualTo(2);
      assertThat(result.err()).contains("the fabric cannot be served", tree);
    }
  }

  /** Each engine there is: it is taken, or the message says which one to take. */
  @Test
  void everyEngineIsTakenOrRefusedWithAnother() throws IOException {
    Path file = directory.resolve("serve.yaml");
    int taken = 0;
    for (RoutingEngine e : Catalog.engines()) {
      Files.writeString(file, "version: 1\nengine: " + e.name() + "\n");
      for (String[] words :
          new String[][] {{"--engine", e.name()}, {"--config", file.toString()}}) {
        // it ends, because there are no tokens: after the engine was looked at
        String tree = "XGFT(2;2,2;1,2)";
        Cli.Result result =
            serve(words[0], words[1], "--open", "--fabric", tree, "--listen", "0.0.0.0:0");
        Optional<String> refusal = BaseEngines.refusal(e);
        assertThat(result.code()).as(e.name()).isEqualTo(refusal.isPresent() ? 2 : 1);
        assertThat(result.err()).contains(refusal.orElse("open to the network"));
        taken += refusal.isPresent() ? 0 : 1;
        if (refusal.isEmpty()) {
          // another process on the same database goes on with it, or takes the one it is given
          assertThat(engineOfDatabase()).isEqualTo(e.name());
          serve("--open", "--listen", "0.0.0.0:0");
          assertThat(engineOfDatabase()).isEqualTo(e.name());
        }
      }
    }
    assertThat(taken).isGreaterThan(8);
    Cli.Result unknown = serve("--engine", "dmodc");
    assertThat(unknown.code()).isEqualTo(2);
    assertThat(unknown.err()).contains("there is no engine 'dmodc'", "did you mean dmodk?");
  }

  private String engineOfDatabase() {
    String data = directory.resolve("data").toString();
    try (SqlStore store = SqlStore.sqlite(ServeSettings.database(data))) {
      return store.load("default").orElseThrow().engine();
    }
  }

  @Test
  void nobodyIsServedOnTheNetworkWithoutCredentials() {
    Cli.Result result = serve("--open", "--fabric", "XGFT(2;2,2;1,2)", "--listen", "0.0.0.0:0");
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err()).contains("open to the network");
  }

  /** Who comes through a proxy of this machine seems to be on it. */
  @Test
  void nobodyIsServedThroughAProxyWithoutCredentials() throws IOException {
    Path file = directory.resolve("serve.yaml");
    Files.writeString(file, "version: 1\nopen: true\nproxies: [127.0.0.1]\n");
    Cli.Result result =
        serve(
            "--config", file.toString(), "--fabric", "XGFT(2;2,2;1,2)", "--listen", "127.0.0.1:0");
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err()).contains("proxies", "leave out --open");
  }
}
