package org.heddle.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.heddle.control.model.Actor;
import org.heddle.peer.Program;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Slurm's prolog and epilog, as slurmctld runs them, against a server. */
class SlurmScriptsTest {
  /** Nobody listens there: a controller that is down. */
  private static final String DOWN = "http://127.0.0.1:1";

  @TempDir Path directory;

  private record Ended(int code, String said) {}

  @BeforeEach
  void programs() {
    Program.need(Program.BASH, Program.CURL);
  }

  private Ended run(String script, String servers, Map<String, String> more) throws Exception {
    Path scripts = Path.of("..", "packaging", "slurm").toAbsolutePath().normalize();
    ProcessBuilder builder = new ProcessBuilder("bash", scripts.resolve(script).toString());
    builder.environment().put("HEDDLE_SERVER", servers);
    builder.environment().put("SLURM_JOB_ID", "4");
    builder.environment().put("SLURM_JOB_NODELIST", "H_0_[0-1]");
    builder.environment().putAll(more);
    builder.redirectErrorStream(true);
    Process process = builder.start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ended(process.waitFor(), said);
  }

  private Map<String, String> token(String text) throws IOException {
    Path file = Files.writeString(directory.resolve("token"), text + "\n");
    return Map.of("HEDDLE_TOKEN_FILE", file.toString());
  }

  @Test
  void aJobGetsItsTenantThoughTheFirstOfTwoControllersIsDown() throws Exception {
    TestServer.Token slurm = new TestServer.Token("slurm", Actor.Role.PROVIDER, "");
    try (TestServer server = TestServer.start(directory, slurm)) {
      String both = DOWN + "," + server.address() + "/";
      Ended prolog = run("prolog", both, token("slurm"));
      assertThat(prolog.code()).as(prolog.said()).isZero();
      assertThat(server.controller.view().tenantOfKey(5)).isPresent();
      Ended epilog = run("epilog", both, token("slurm"));
      assertThat(epilog.code()).as(epilog.said()).isZero();
      assertThat(server.controller.view().tenantOfKey(5)).isEmpty();
    }
  }

  @Test
  void aRefusalIsToldAtOnceAndAWrongTokenFileByItsName() throws Exception {
    TestServer.Token slurm = new TestServer.Token("slurm", Actor.Role.PROVIDER, "");
    try (TestServer server = TestServer.start(directory, slurm)) {
      Ended stranger = run("prolog", server.address(), token("other"));
      assertThat(stranger.code()).isEqualTo(1);
      assertThat(stranger.said()).contains("401");
      Ended nowhere =
          run("prolog", server.address(), Map.of("HEDDLE_TOKEN_FILE", directory + "/none"));
      assertThat(nowhere.code()).isEqualTo(1);
      assertThat(nowhere.said()).contains("cannot read the token in " + directory + "/none");
      assertThat(server.controller.view().tenants()).isEmpty();
    }
  }
}
