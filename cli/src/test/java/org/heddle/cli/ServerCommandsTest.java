package org.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.heddle.cli.OnServer.as;
import static org.heddle.cli.OnServer.attended;
import static org.heddle.cli.OnServer.json;
import static org.heddle.cli.OnServer.run;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.heddle.control.model.Actor;
import org.heddle.fabric.Fabric;
import org.heddle.server.TestServer;
import org.heddle.server.http.Tls;
import org.heddle.topology.generate.MachineWiring;
import org.heddle.topology.generate.TreeSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Commands that talk to a controller, against one. */
class ServerCommandsTest {
  @TempDir Path directory;

  @Test
  void aTenantIsMadeShownChangedAndLetGo() throws IOException {
    try (TestServer server = TestServer.start(directory)) {
      assertThat(run(server, "tenants", "list").out()).isEqualTo("no tenants\n");
      Cli.Result tried = run(server, "tenants", "create", "blue", "-n", "6", "--dry-run");
      assertThat(tried.code()).isZero();
      assertThat(tried.out())
          .contains("blue would be admitted: 6 hosts", "1 switch changes, 1 block");
      Cli.Result made = run(server, "tenants", "create", "blue", "-n", "6", "--pkey", "0x12");
      assertThat(made.out())
          .startsWith("blue admitted at epoch 1: 6 hosts with links of their own, 6 members, key")
          .contains("0x12", "hosts: ");
      assertThat(run(server, "tenants", "create", "blue", "-n", "6", "--pkey", "0x12").out())
          .startsWith("blue was like that already");
      assertThat(run(server, "tenants", "list").out())
          .containsPattern("(?m)^blue +links +6 +6 +0x12 +1 +ok$");
      Cli.Result shown = run(server, "tenants", "show", "blue");
      assertThat(shown.code()).isZero();
      assertThat(shown.out()).contains("blue: 6 hosts", "policy links, version 1", "link from");
      assertThat(run(server, "tenants", "change", "blue", "-n", "8").out())
          .startsWith("blue changed at epoch 2: 8 hosts");
      assertThat(run(server, "tenants", "change", "blue", "--policy", "def").code()).isEqualTo(2);
      assertThat(run(server, "tenants", "delete", "blue", "--dry-run").out())
          .startsWith("blue would be deleted");
      assertThat(run(server, "tenants", "delete", "blue").out())
          .startsWith("blue deleted at epoch 3");
    }
  }

  @Test
  void aChangeWaitsForTheFabricAndSaysWhenItDoesNotGetThere() throws Exception {
    try (TestServer server = TestServer.start(directory)) {
      assertThat(run(server, "jobs", "list").out()).isEqualTo("no jobs\n");
      Cli.Result made = attended(server, "tenants", "create", "blue", "-n", "6", "--wait");
      assertThat(made.err()).isEmpty();
      assertThat(made.out())
          .startsWith("blue admitted at epoch 1, the fabric has it: 6 hosts with links");
      Cli.Result refused = attended(server, "tenants", "create", "red", "-n", "27", "--wait");
      assertThat(refused.code()).isEqualTo(1);
      assertThat(refused.err()).contains("largest tenant that fits now: 26 hosts");
      Cli.Result late = run(server, "tenants", "change", "blue", "-n", "8", "--wait-seconds", "4");
      assertThat(late.code()).isEqualTo(1);
      assertThat(late.err())
          .contains("decided at epoch 2, but the fabric does not have it after 4 s", "jobs wait 3");
      assertThat(run(server, "jobs", "list", "--state", "applying").out())
          .containsPattern("(?m)^ *3 .*tenant-changed +blue +applying +2$");
      assertThat(run(server, "jobs", "show", "2").code()).isEqualTo(1);
      assertThat(run(server, "jobs", "show", "2").out()).contains("job 2: failed (tenant-created");
      Cli.Result awaited = attended(server, "jobs", "wait", "3");
      assertThat(awaited.out()).startsWith("job 3: done (tenant-changed blue").contains("epoch 2");
      assertThat(run(server, "jobs", "cancel", "3").code()).isEqualTo(1);
      assertThat(run(server, "jobs", "cancel", "3").err()).contains("it is decided: done");
      assertThat(run(server, "jobs", "show", "99").code()).isEqualTo(1);
      for (String[] wrong :
          new String[][] {
            {"jobs", "show", "x"},
            {"jobs", "list", "--state", "odd"},
            {"jobs", "wait", "1", "--seconds", "0"},
            {"jobs"},
            {"tenants", "create", "c", "-n", "1", "--wait", "--dry-run"},
            {"tenants", "create", "c", "-n", "1", "--wait-seconds", "0"}
          }) {
        assertThat(run(server, wrong).code()).as(String.join(" ", wrong)).isEqualTo(2);
      }
      JsonNode gone = json(attended(server, "tenants", "delete", "blue", "--wait", "--json"));
      assertThat(gone.get("outcome").stringValue()).isEqualTo("in-fabric");
      assertThat(gone.get("epoch").longValue()).isEqualTo(3);
      JsonNode jobs = json(run(server, "jobs", "list", "--json"));
      assertThat(jobs.get("format").stringValue()).isEqualTo("heddle.jobs-list/1");
      assertThat(jobs.get("jobs")).hasSize(4);
      JsonNode shown = json(run(server, "jobs", "show", "1", "--json")).get("job");
      assertThat(shown.get("state").stringValue()).isEqualTo("done");
    }
  }

  @Test
  void aLinkIsDrainedAndPutBack() throws Exception {
    try (TestServer server = TestServer.start(directory)) {
      run(server, "tenants", "create", "blue", "-n", "30");
      JsonNode blue = json(run(server, "tenants", "show", "blue", "--json")).get("tenant");
      JsonNode first = blue.get("links").get(0);
      String link = first.get("from").stringValue() + ":" + first.get("port").intValue();
      Cli.Result refused = run(server, "fabric", "drain", link);
      assertThat(refused.code()).isEqualTo(1);
      assertThat(refused.err()).contains("promised: blue", "out of service");
      Cli.Result tried = run(server, "fabric", "drain", link, "--force", "--dry-run");
      assertThat(tried.out()).contains("would be out of service", "blue: promise-broken");
      Cli.Result drained = attended(server, "fabric", "drain", link, "--force", "--wait");
      assertThat(drained.out()).contains("out of service at epoch 2; the fabric has it");
      assertThat(run(server, "fabric", "status").out())
          .contains("out of service: 1 link, 0 switch");
      assertThat(run(server, "fabric", "drain", link, "--force").out())
          .contains("was out of service already");
      JsonNode back = json(run(server, "fabric", "undrain", link, "--json"));
      assertThat(back.get("format").stringValue()).isEqualTo("heddle.fabric-undrain/1");
      assertThat(back.get("epoch").longValue()).isEqualTo(3);
      assertThat(run(server, "fabric", "status").out()).doesNotContain("out of service");
      assertThat(run(server, "fabric", "drain", "0x1:1").code()).isEqualTo(1);
      assertThat(run(server, "fabric", "drain", "spine-3").code()).isEqualTo(2);
    }
  }

  @Test
  void hostsAreNamedAsSlurmNamesThem() throws IOException {
    try (TestServer server = TestServer.start(directory)) {
      Cli.Result made =
          run(
              server,
              "tenants",
              "create",
              "blue",
              "--policy",
              "def",
              "--host-names",
              "H_0_[0-1],H_1_2");
      assertThat(made.err()).isEmpty();
      assertThat(made.out()).contains("3 hosts", "hosts: H_0_0, H_0_1, H_1_2");
      assertThat(run(server, "tenants", "change", "blue", "--host-names", "H_2_[0-3]").out())
          .contains("hosts: H_2_0, H_2_1, H_2_2, H_2_3");
      for (Map.Entry<String, String> e :
          Map.of(
                  "H_0_[0-9],nope",
                  "shows no host H_0_4, H_0_5, H_0_6, H_0_7, H_0_8 and 2 more",
                  "H_0_[0",
                  "a ] is missing",
                  "H_3_1,H_3_1",
                  "twice")
              .entrySet()) {
        Cli.Result wrong = run(server, "tenants", "create", "red", "--host-names", e.getKey());
        assertThat(wrong.code()).as(e.getKey()).isEqualTo(2);
        assertThat(wrong.err()).contains(e.getValue());
      }
      assertThat(run(server, "tenants", "create", "red", "-n", "3", "--host-names", "H_3_1").err())
          .contains("--hosts contradicts");
    }
  }

  @Test
  void aNameThatSeveralAdaptersHaveIsRefusedWithTheirGuids() throws IOException {
    String nodes =
        """
        {"items": [
          {"guid": "0x1", "name": "node7 HCA-1", "kind": "host"},
          {"guid": "0x2", "name": "node7 HCA-2", "kind": "host"},
          {"guid": "0x3", "name": "node7", "kind": "switch"},
          {"guid": "0x4", "name": "node8 mlx5_0", "kind": "host"}], "next": null}\
        """;
    HttpServer fake = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    List<String> bodies = new CopyOnWriteArrayList<>();
    fake.createContext(
        "/",
        exchange -> {
          bodies.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
          boolean list = exchange.getRequestURI().getPath().equals("/v1/nodes");
          byte[] answer = (list ? nodes : "{}").getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().set("Content-Type", "application/json");
          exchange.sendResponseHeaders(200, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    fake.start();
    try {
      String server = "http://127.0.0.1:" + fake.getAddress().getPort();
      String[] create = {"tenants", "create", "x", "--host-names", "node[7-8]"};
      Cli.Result both = run(server, Map.of(), create);
      assertThat(both.code()).isEqualTo(2);
      assertThat(both.err())
          .contains("'node7' is 2 hosts: 0x1 (node7 HCA-1), 0x2 (node7 HCA-2)", "--host-guids");
      create[4] = "node7 HCA-2";
      run(server, Map.of(), create);
      assertThat(bodies.getLast()).contains("\"host_guids\":[\"0x2\"]");
      create[4] = "node8";
      run(server, Map.of(), create);
      assertThat(bodies.getLast()).contains("\"host_guids\":[\"0x4\"]");
    } finally {
      fake.stop(0);
    }
  }

  @Test
  void aChangeOnConditionOfAVersionIsRefusedWhenAnotherOneCameBefore() throws IOException {
    try (TestServer server = TestServer.start(directory)) {
      run(server, "tenants", "create", "blue", "-n", "2");
      run(server, "tenants", "change", "blue", "-n", "3", "--if-version", "1");
      for (String[] words :
          List.of(
              new String[] {"tenants", "change", "blue", "-n", "4", "--if-version", "1"},
              new String[] {"tenants", "delete", "blue", "--if-version", "1"})) {
        Cli.Result late = run(server, words);
        assertThat(late.code()).isEqualTo(1);
        assertThat(late.err()).contains("at version 2");
      }
      assertThat(run(server, "tenants", "delete", "blue", "--if-version", "-1").code())
          .isEqualTo(2);
      assertThat(run(server, "tenants", "delete", "blue", "--if-version", "2").code()).isZero();
    }
  }

  @Test
  void machinesReadDocumentsWithAFormatAndTheServersFields() throws IOException {
    try (TestServer server = TestServer.start(directory)) {
      JsonNode made = json(run(server, "tenants", "create", "blue", "-n", "6", "--json"));
      assertThat(made.get("format").stringValue()).isEqualTo("heddle.tenants-create/1");
      assertThat(made.get("outcome").stringValue()).isEqualTo("accepted");
      assertThat(made.get("tenant").get("hosts")).hasSize(6);
      assertThat(made.get("tables").isNull()).isTrue();
      JsonNode list = json(run(server, "tenants", "list", "--json"));
      assertThat(list.get("server").stringValue()).isEqualTo(server.address());
      assertThat(list.get("tenants").get(0).get("name").stringValue()).isEqualTo("blue");
      assertThat(json(run(server, "tenants", "show", "blue", "--json")).get("tenant").get("links"))
          .isNotEmpty();
      assertThat(json(run(server, "history", "--json")).get("changes")).hasSize(1);
      JsonNode back = json(run(server, "rollback", "0", "--json"));
      assertThat(back.get("outcome").stringValue()).isEqualTo("accepted");
      assertThat(json(run(server, "tenants", "list", "--json")).get("tenants")).isEmpty();
      JsonNode events = json(run(server, "events", "--json"));
      assertThat(events.get("events")).hasSize(3);
    }
  }

  @Test
  void theStatusCountsMachinesAndSaysWhoseTablesTheyAre() throws IOException {
    Fabric fabric = MachineWiring.generate(TreeSpec.parse("XGFT(2;4,4;1,4)"), 2, 1);
    try (TestServer server =
        TestServer.start(directory, fabric.withAssignedLids(), Clock.systemUTC())) {
      assertThat(run(server, "fabric", "status").out())
          .contains("8 switches, 8 machines with 16 adapters (8 free), 0 tenants")
          .contains("  tables of dmodk\n");
      run(server, "tenants", "create", "red", "-n", "2", "--policy", "phy");
      assertThat(run(server, "fabric", "status").out())
          .contains(
              "  tables of pftree-ext, which keeps tenants with policy phy apart; else those");
    }
  }

  @Test
  void theStatusIsFineOnceTheFabricIsWhatItShouldBe() throws IOException {
    try (TestServer server = TestServer.start(directory)) {
      run(server, "tenants", "create", "blue", "-n", "6");
      Cli.Result before = run(server, "fabric", "status");
      assertThat(before.code()).isEqualTo(1);
      assertThat(before.out()).contains("32 hosts (26 free), 1 tenant", "not in sync");
      for (int i = 0; i < 10; i++) {
        server.look();
      }
      Cli.Result after = run(server, "fabric", "status");
      assertThat(after.out()).contains("epoch 1, in sync");
      assertThat(after.code()).isZero();
      assertThat(json(run(server, "fabric", "status", "--json")).get("fine").booleanValue())
          .isTrue();
    }
  }

  @Test
  void eventsAreShownAndFollowedWithoutGaps() throws IOException {
    try (TestServer server = TestServer.start(directory)) {
      for (String name : List.of("a", "b", "c")) {
        run(server, "tenants", "create", name, "-n", "2");
      }
      assertThat(run(server, "events", "--last", "2").out().lines())
          .hasSize(2)
          .allSatisfy(line -> assertThat(line).contains("tenant-created"));
      // three of them, of which the first is asked for and the others come by the stream
      Cli.Result followed =
          run(server, "events", "--follow", "--after", "0", "--count", "3", "--json");
      assertThat(followed.out().lines()).hasSize(3).first().asString().startsWith("{\"id\":1,");
      Cli.Result streamed = run(server, "events", "-f", "--last", "1", "--count", "1");
      assertThat(streamed.out()).contains("  c");
    }
  }

  @Test
  void historyIsATableAndRollbackSaysWhatItDid() throws IOException {
    try (TestServer server = TestServer.start(directory)) {
      run(server, "tenants", "create", "blue", "-n", "6");
      run(server, "tenants", "delete", "blue");
      assertThat(run(server, "history").out())
          .containsPattern("1 .* local +tenant-created +blue")
          .containsPattern("2 .* local +tenant-deleted +blue");
      assertThat(run(server, "rollback", "1", "--dry-run").out()).contains("would be those");
      assertThat(run(server, "rollback", "1").out())
          .isEqualTo("the tenants are those of epoch 1, at epoch 3\n");
      assertThat(run(server, "rollback", "3").out()).contains("already");
      Cli.Result never = run(server, "rollback", "77");
      assertThat(never.code()).isEqualTo(2);
      assertThat(never.err()).contains("there is no such epoch");
    }
  }

  @Test
  void refusalsCarryTheControllersReasonAndHints() throws IOException {
    try (TestServer server = TestServer.start(directory)) {
      Cli.Result large = run(server, "tenants", "create", "blue", "-n", "33");
      assertThat(large.code()).isEqualTo(1);
      assertThat(large.err())
          .contains("error: ", "free hosts: 32", "largest tenant that fits now: 32 hosts");
      run(server, "tenants", "create", "blue", "-n", "2");
      Cli.Result taken = run(server, "tenants", "create", "blue", "-n", "3");
      assertThat(taken.code()).isEqualTo(1);
      assertThat(taken.err()).contains("there is a tenant 'blue' already");
      for (String command : List.of("show", "delete")) {
        Cli.Result gone = run(server, "tenants", command, "nobody");
        assertThat(gone.code()).as(command).isEqualTo(1);
        assertThat(gone.err()).contains("there is no such thing");
      }
      assertThat(run(server, "tenants", "show", "a/b").err())
          .contains("'a/b' is not a tenant name");
      Cli.Result wrong = run(server, "tenants", "create", "blue2", "-n", "2", "--policy", "best");
      assertThat(wrong.code()).isEqualTo(2);
      assertThat(wrong.err()).contains("unknown policy 'best'");
      JsonNode error =
          JsonMapper.builder()
              .build()
              .readTree(run(server, "tenants", "create", "x", "-n", "99", "--json").out());
      assertThat(error.get("format").stringValue()).isEqualTo("heddle.error/1");
      assertThat(error.get("hints")).isNotEmpty();
    }
  }

  @Test
  void whoAsksIsSaidByFileOrEnvironmentAndTenantsSeeTheirOwn() throws IOException {
    TestServer.Token root = new TestServer.Token("rootroot", Actor.Role.PROVIDER, "");
    TestServer.Token red = new TestServer.Token("redred", Actor.Role.TENANT, "red");
    TestServer.Token eye = new TestServer.Token("eyeeye", Actor.Role.VIEWER, "");
    try (TestServer server = TestServer.start(directory, root, red, eye)) {
      Cli.Result nobody = run(server, "tenants", "list");
      assertThat(nobody.code()).isEqualTo(2);
      assertThat(nobody.err()).contains("requires a token (401)", "--token-file");
      Cli.Result stranger = as(server, "somebody", "tenants", "list");
      assertThat(stranger.code()).isEqualTo(2);
      assertThat(stranger.err()).contains("does not know this token").doesNotContain("somebody");
      assertThat(as(server, "eyeeye", "tenants", "list").code()).isZero();
      Cli.Result viewer = as(server, "eyeeye", "tenants", "create", "blue", "-n", "2");
      assertThat(viewer.code()).isEqualTo(1);
      assertThat(viewer.err()).contains("a viewer changes nothing");
      Path file = directory.resolve("token");
      Files.writeString(file, "rootroot\n");
      String[] create = {"tenants", "create", "blue", "-n", "2", "--token-file", file.toString()};
      assertThat(run(server, create).code()).isZero();
      assertThat(as(server, "redred", "tenants", "show", "blue").code()).isEqualTo(1);
      assertThat(as(server, "redred", "tenants", "create", "red.1", "-n", "2").code()).isZero();
      Cli.Result own = as(server, "redred", "fabric", "status");
      assertThat(own.code()).isZero();
      assertThat(own.out()).contains("32 hosts, 1 tenant").doesNotContain("epoch");
      Cli.Result secret = as(server, "rootroot", "token", "ci", "--role", "viewer");
      assertThat(secret.out()).matches("[0-9a-f]{64}\n");
      assertThat(as(server, secret.out().strip(), "tenants", "list").out()).contains("blue");
      assertThat(as(server, "rootroot", "token", "ci").err()).contains("a credential 'ci' already");
    }
  }

  @Test
  void whatCannotBeAskedIsExitCode2WithAReason() throws IOException {
    try (Socket taken = new Socket()) {
      taken.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)); // nobody listens
      String nobody = "http://127.0.0.1:" + taken.getLocalPort();
      Cli.Result refused = run(nobody, Map.of(), "tenants", "list");
      assertThat(refused.code()).isEqualTo(2);
      assertThat(refused.err()).contains("cannot connect to " + nobody, "--server");
      // as 'heddle serve' says where it serves
      for (String end : List.of("/v1", "/v1/", "/")) {
        assertThat(run(nobody + end, Map.of(), "tenants", "list").err())
            .contains("cannot connect to " + nobody);
      }
    }
    assertThat(run("http://no-such-host.invalid", Map.of(), "tenants", "list").err())
        .contains("there is no host 'no-such-host.invalid'");
    for (String url : List.of("127.0.0.1:8480", "ftp://x", "http://", "http://a/b", "http://u@a")) {
      Cli.Result wrong = run(url, Map.of(), "tenants", "list");
      assertThat(wrong.code()).as(url).isEqualTo(2);
      assertThat(wrong.err()).contains("is not the address of a controller");
    }
    Path file = directory.resolve("token");
    Files.writeString(file, "two\nlines\n");
    Cli.Result lines = Cli.run("tenants", "list", "--token-file", file.toString());
    assertThat(lines.code()).isEqualTo(2);
    assertThat(lines.err()).contains("token:1: expected one line");
    Cli.Result missing = Cli.run("tenants", "list", "--token-file", directory + "/none");
    assertThat(missing.err()).contains("no such file");
  }

  @Test
  void aCertificateIsTrustedIfItsFileSaysSo() throws Exception {
    Path keystore = keytool("-genkeypair", "tls.p12", "-keyalg", "EC", "-dname", "CN=heddle");
    Path pem = directory.resolve("ca.pem");
    keytool("-exportcert", "tls.p12", "-rfc", "-file", pem.toString());
    try (TestServer server = TestServer.start(directory, new Tls(keystore, "changeit"))) {
      String https = server.address().replace("http:", "https:");
      Cli.Result trusted = Cli.run("tenants", "list", "--server", https, "--ca-file", "" + pem);
      assertThat(trusted.err()).isEmpty();
      assertThat(trusted.out()).isEqualTo("no tenants\n");
      Cli.Result doubted = Cli.run("tenants", "list", "--server", https);
      assertThat(doubted.code()).isEqualTo(2);
      assertThat(doubted.err()).contains("is not trusted", "--ca-file FILE");
      Cli.Result other =
          Cli.run(
              "tenants",
              "list",
              "--server",
              https.replace("127.0.0.1", "localhost"),
              "--ca-file",
              "" + pem);
      assertThat(other.err()).contains("is for another name");
      Cli.Result plain = Cli.run("tenants", "list", "--server", server.address());
      assertThat(plain.code()).isEqualTo(2);
      assertThat(plain.err()).contains("https://");
      Cli.Result noCertificate =
          Cli.run("tenants", "list", "--server", https, "--ca-file", "" + keystore);
      assertThat(noCertificate.err()).contains("expected certificates in PEM form");
    }
  }

  @Test
  void aControllerThatInsistsIsShownACertificate() throws Exception {
    Path keystore = keytool("-genkeypair", "tls.p12", "-keyalg", "EC", "-dname", "CN=heddle");
    Path own = keytool("-genkeypair", "own.p12", "-keyalg", "EC", "-dname", "CN=ann");
    Path other = keytool("-genkeypair", "other.p12", "-keyalg", "EC", "-dname", "CN=eve");
    Path ca = directory.resolve("ca.pem");
    Path clients = directory.resolve("clients.pem");
    keytool("-exportcert", "tls.p12", "-rfc", "-file", ca.toString());
    keytool("-exportcert", "own.p12", "-rfc", "-file", clients.toString());
    Path password = Files.writeString(directory.resolve("password"), "changeit\n");
    Tls tls = new Tls(keystore, "changeit", Optional.of(clients), true);
    try (TestServer server = TestServer.start(directory, tls)) {
      String https = server.address().replace("http:", "https:");
      Map<String, String> env = new HashMap<>();
      env.put("HEDDLE_SERVER", https);
      env.put("HEDDLE_CA_FILE", ca.toString());
      Cli.Result none = Cli.run(env, "", "tenants", "list");
      assertThat(none.code()).isEqualTo(2);
      env.put("HEDDLE_CLIENT_KEYSTORE", own.toString());
      assertThat(Cli.run(env, "", "tenants", "list").err())
          .contains("own.p12", "HEDDLE_CLIENT_PASSWORD_FILE");
      env.put("HEDDLE_CLIENT_PASSWORD_FILE", password.toString());
      Cli.Result shown = Cli.run(env, "", "tenants", "list");
      assertThat(shown.err()).isEmpty();
      assertThat(shown.out()).isEqualTo("no tenants\n");
      env.put("HEDDLE_CLIENT_KEYSTORE", other.toString());
      assertThat(Cli.run(env, "", "tenants", "list").code()).isEqualTo(2);
    }
  }

  @Test
  void plainHttpIsNotTls() throws IOException {
    try (TestServer server = TestServer.start(directory)) {
      String https = server.address().replace("http:", "https:");
      Cli.Result result = Cli.run("tenants", "list", "--server", https);
      assertThat(result.code()).isEqualTo(2);
      assertThat(result.err()).contains("does not speak TLS", "http://");
    }
  }

  private Path keytool(String command, String name, String... more) throws Exception {
    Path file = directory.resolve(name);
    Path said = directory.resolve("keytool.out");
    java.util.ArrayList<String> words =
        new java.util.ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                command,
                "-alias",
                "heddle",
                "-storetype",
                "PKCS12",
                "-keystore",
                file.toString(),
                "-storepass",
                "changeit"));
    words.addAll(List.of(more));
    if (command.equals("-genkeypair")) {
      words.addAll(List.of("-ext", "san=ip:127.0.0.1"));
    }
    Process process =
        new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(said.toFile()).start();
    assertThat(process.waitFor()).as(Files.readString(said, StandardCharsets.UTF_8)).isZero();
    return file;
  }
}
