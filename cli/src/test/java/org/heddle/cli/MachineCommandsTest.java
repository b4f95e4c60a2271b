package org.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.heddle.cli.OnServer.as;
import static org.heddle.cli.OnServer.attended;
import static org.heddle.cli.OnServer.json;
import static org.heddle.cli.OnServer.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.heddle.control.model.Actor;
import org.heddle.control.model.AuditRecord;
import org.heddle.server.TestServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Commands about machines and tokens of a controller, against one. */
class MachineCommandsTest {
  @TempDir Path directory;

  /** Hosts of a new tenant, by name. */
  private static List<String> hosts(TestServer server, String tenant) {
    JsonNode made = json(run(server, "tenants", "create", tenant, "-n", "9", "--json"));
    return made.get("tenant")
        .get("hosts")
        .valueStream()
        .map(h -> h.get("name").asString())
        .toList();
  }

  @Test
  void aMachineIsStartedShownMovedAndStopped() throws IOException {
    try (TestServer server = TestServer.start(directory)) {
      assertThat(run(server, "vms", "list").out()).isEqualTo("no VMs\n");
      List<String> hosts = hosts(server, "blue");
      String[] start = {"vms", "start", "web", "--tenant", "blue", "--on", hosts.getFirst()};
      Cli.Result tried =
          run(server, "vms", "start", "web", "--tenant", "blue", "--on", hosts.get(0), "--dry-run");
      assertThat(tried.out()).startsWith("web would be started: on '" + hosts.getFirst());
      assertThat(run(server, "vms", "list").out()).isEqualTo("no VMs\n");
      Cli.Result started = run(server, start);
      assertThat(started.err()).isEmpty();
      assertThat(started.out())
          .startsWith("web started at epoch 2: on '" + hosts.getFirst() + "', function 0, LID 1023")
          .contains("vGUID 0x0600000000000001");
      assertThat(run(server, start).out()).startsWith("web was like that already");
      assertThat(run(server, "vms", "list", "--tenant", "blue").out())
          .containsPattern("(?m)^web +blue +" + hosts.getFirst() + " +0 +1023 +0x06.* 2 +ok$");
      assertThat(run(server, "vms", "list", "--tenant", "red").out()).isEqualTo("no VMs\n");
      assertThat(run(server, "vms", "list", "--host", hosts.get(1)).out()).isEqualTo("no VMs\n");
      Cli.Result shown = run(server, "vms", "show", "web");
      assertThat(shown.code()).isZero();
      assertThat(shown.out()).startsWith("web of blue\n  host " + hosts.getFirst());

      String to = hosts.getLast();
      Cli.Result planned = run(server, "vms", "move", "web=" + to, "--dry-run");
      assertThat(planned.err()).isEmpty();
      assertThat(planned.out())
          .startsWith("1 VM would be moved: ")
          .containsPattern("(?m)^web +" + hosts.getFirst() + " +" + to + " +1023 +\\d+ +\\d+");
      Cli.Result moved = run(server, "vms", "move", "web=" + to);
      assertThat(moved.out()).startsWith("1 VM moved at epoch 3: ");
      JsonNode machine = json(run(server, "vms", "show", "web", "--json")).get("vm");
      assertThat(machine.get("host").stringValue()).isEqualTo(to);
      assertThat(machine.get("lid").intValue()).isEqualTo(1023); // it keeps it
      JsonNode list = json(run(server, "vms", "list", "--json"));
      assertThat(list.get("format").stringValue()).isEqualTo("heddle.vms-list/2");
      assertThat(list.get("vms")).containsExactly(machine);

      Cli.Result stale = run(server, "vms", "stop", "web", "--if-version", "2");
      assertThat(stale.code()).isEqualTo(1);
      assertThat(stale.err()).contains("version 3 meanwhile");
      assertThat(run(server, "vms", "stop", "web", "--dry-run").out())
          .startsWith("web would be stopped");
      JsonNode stopped = json(run(server, "vms", "stop", "web", "--if-version", "3", "--json"));
      assertThat(stopped.get("outcome").stringValue()).isEqualTo("accepted");
      assertThat(run(server, "vms", "show", "web").code()).isEqualTo(1);
    }
  }

  @Test
  void refusalsAndWrongRequestsSayWhy() throws IOException {
    try (TestServer server = TestServer.start(directory)) {
      List<String> hosts = hosts(server, "blue");
      run(server, "vms", "start", "web", "--tenant", "blue", "--on", hosts.getFirst());
      Cli.Result nowhere = run(server, "vms", "move", "web=elsewhere", "--dry-run");
      assertThat(nowhere.code()).isEqualTo(1);
      assertThat(nowhere.err()).contains("elsewhere");
      Cli.Result none = run(server, "vms", "start", "db", "--tenant", "red", "--on", hosts.get(0));
      assertThat(none.code()).isEqualTo(1);
      assertThat(none.err()).contains("there is no tenant 'red'");
      for (String[] wrong :
          new String[][] {
            {"vms"},
            {"vms", "show", "../tenants"},
            {"vms", "stop", ""},
            {"vms", "move", "web"},
            {"vms", "move", "=" + hosts.getFirst()},
            {"vms", "move", "web=" + hosts.get(1), "--method", "odd"},
            {"vms", "start", "x", "--tenant", "blue", "--on", hosts.get(1), "--weight", "0"},
            {"tokens"},
            {"tokens", "revoke", ".."}
          }) {
        assertThat(run(server, wrong).code()).as(String.join(" ", wrong)).isEqualTo(2);
      }
    }
  }

  @Test
  void movesWaitForTheFabric() throws Exception {
    try (TestServer server = TestServer.start(directory)) {
      List<String> hosts = hosts(server, "blue");
      for (int i = 0; i < 2; i++) {
        run(server, "vms", "start", "m" + i, "--tenant", "blue", "--on", hosts.get(i));
      }
      Cli.Result moved =
          attended(server, "vms", "move", "m0=" + hosts.get(7), "m1=" + hosts.get(8), "--wait");
      assertThat(moved.err()).isEmpty();
      assertThat(moved.out()).startsWith("2 VMs moved at epoch 4, the fabric has it: ");
    }
  }

  @Test
  void tokensAreListedAndRevoked() throws IOException {
    TestServer.Token root = new TestServer.Token("rootroot", Actor.Role.PROVIDER, "");
    try (TestServer server = TestServer.start(directory, root)) {
      String[] make = {"token", "ci", "--role", "viewer", "--expires", "2199-01-31T00:00:00Z"};
      Cli.Result secret = as(server, "rootroot", make);
      assertThat(secret.err()).isEmpty();
      String ci = secret.out().strip();
      assertThat(as(server, ci, "tenants", "list").code()).isZero();
      Cli.Result list = as(server, ci, "tokens", "list");
      assertThat(list.out())
          .containsPattern("(?m)^ci +viewer .*2199-01-31 00:00:00Z.* valid$")
          .doesNotContain(ci);
      assertThat(as(server, ci, "tokens", "revoke", "rootroot").code()).isEqualTo(1);
      Cli.Result last = as(server, "rootroot", "tokens", "revoke", "rootroot");
      assertThat(last.code()).isEqualTo(1);
      assertThat(as(server, "rootroot", "tokens", "revoke", "ci").out()).isEqualTo("ci revoked\n");
      assertThat(as(server, ci, "tenants", "list").code()).isEqualTo(2);
      JsonNode left = json(as(server, "rootroot", "tokens", "list", "--json"));
      assertThat(left.get("tokens")).hasSize(1);
      assertThat(as(server, "rootroot", "token", "x", "--expires", "soon").code()).isEqualTo(2);
    }
  }

  @Test
  void usersAreMadeListedAndDeletedWithTheirTokens() throws IOException {
    TestServer.Token root = new TestServer.Token("rootroot", Actor.Role.PROVIDER, "");
    Path password = Files.writeString(directory.resolve("password"), "the first password\n");
    try (TestServer server = TestServer.start(directory, root)) {
      assertThat(as(server, "rootroot", "users", "list").out()).isEqualTo("no users\n");
      String file = password.toString();
      Cli.Result made = as(server, "rootroot", "users", "create", "bob", "--password-file", file);
      assertThat(made.err()).isEmpty();
      assertThat(made.out()).isEqualTo("bob made: provider\n");
      assertThat(as(server, "rootroot", "users", "list").out())
          .containsPattern("(?m)^bob +provider .* valid$");
      Files.writeString(password, "the second password");
      assertThat(as(server, "rootroot", "users", "password", "bob", "--password-file", file).out())
          .isEqualTo("bob has another password\n");
      assertThat(json(as(server, "rootroot", "users", "list", "--json")).at("/users/0/role"))
          .hasToString("\"provider\"");
      assertThat(as(server, "rootroot", "users", "delete", "bob", "--dry-run").out())
          .isEqualTo("bob would be deleted\n");
      assertThat(as(server, "rootroot", "users", "delete", "bob").out()).isEqualTo("bob deleted\n");
      assertThat(as(server, "rootroot", "users", "delete", "bob").code()).isEqualTo(1);
      Files.writeString(password, "two\nlines\n");
      for (String[] wrong :
          new String[][] {
            {"users"},
            {"users", "create", "ann", "--password-file", file},
            {"users", "create", "ann"},
            {"users", "delete", "../tokens/rootroot"}
          }) {
        assertThat(as(server, "rootroot", wrong).code()).as(String.join(" ", wrong)).isEqualTo(2);
      }
    }
  }

  @Test
  void whoAskedForWhatIsShownByTimeAndName() throws Exception {
    TestServer.Token root = new TestServer.Token("rootroot", Actor.Role.PROVIDER, "");
    TestServer.Token ci = new TestServer.Token("cicicici", Actor.Role.PROVIDER, "");
    try (TestServer server = TestServer.start(directory, root, ci)) {
      as(server, "rootroot", "tenants", "create", "red", "-n", "2");
      as(server, "cicicici", "tenants", "create", "blue", "-n", "2");
      as(server, "cicicici", "tenants", "create", "huge", "-n", "2000");
      as(server, "wrongwrong", "tenants", "list");
      assertThat(as(server, "rootroot", "history").out()).contains(" red", " blue");
      assertThat(as(server, "rootroot", "history", "--by", "cicicici", "--since", "1h").out())
          .contains(" blue")
          .doesNotContain(" red");
      assertThat(as(server, "rootroot", "history", "--last", "1").out())
          .contains(" blue")
          .doesNotContain(" red");
      assertThat(as(server, "rootroot", "history", "--until", "2020-01-01").out())
          .doesNotContain("red", "blue");
      assertThat(as(server, "rootroot", "history", "--since", "yesterday").err())
          .contains("--since: 'yesterday' is no time");
      while (json(as(server, "rootroot", "audit-log", "--json")).get("requests").size() < 4) {
        Thread.onSpinWait();
      }
      assertThat(as(server, "rootroot", "audit-log", "--since", "24h").out())
          .containsPattern("(?m)^\\S+ \\S+ +rootroot +127.0.0.1 +201 +POST /v1/tenants$")
          .containsPattern("(?m)^\\S+ \\S+ +- +127.0.0.1 +401 +GET /v1/tenants$");
      assertThat(as(server, "rootroot", "audit-log", "--refused", "--by", "cicicici").out())
          .contains(" 409 ")
          .doesNotContain(" 201 ", " 401 ");
    }
  }

  /** However much was done since: more than a page of the controller's answer. */
  @Test
  void refusedRequestsAreFoundBehindOthers() throws IOException {
    try (TestServer server = TestServer.start(directory)) {
      List<AuditRecord> requests = new ArrayList<>();
      for (int i = 0; i < 2500; i++) {
        int status = i == 3 || i == 4 || i == 1400 ? 409 : 200;
        requests.add(new AuditRecord(0, Instant.EPOCH, "ann", "::1", "POST /" + i, status, ""));
      }
      server.store.audit(requests);
      assertThat(run(server, "audit-log", "--refused", "--last", "2").out())
          .contains("POST /4", "POST /1400")
          .doesNotContain("POST /3\n", " 200 ");
      assertThat(run(server, "audit-log", "--refused").out())
          .containsSubsequence("POST /3\n", "POST /4\n", "POST /1400\n");
    }
  }
}
