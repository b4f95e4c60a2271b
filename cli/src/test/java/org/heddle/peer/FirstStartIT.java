package org.heddle.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.heddle.cli.Cli;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A controller at its first start: who gets in, and who does not. */
class FirstStartIT {
  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path directory;

  private ServeProcess serve(String... more) {
    List<String> options =
        Stream.concat(Stream.of("--data", directory.resolve("data").toString()), Stream.of(more))
            .toList();
    return new ServeProcess(directory, "s", options, home());
  }

  private Map<String, String> home() {
    return Map.of("HOME", directory.resolve("home").toString(), "XDG_STATE_HOME", "");
  }

  private static Cli.Result run(
      ServeProcess at, Map<String, String> env, String word, String... words) {
    String[] all = new String[words.length + 3];
    all[0] = word;
    System.arraycopy(words, 0, all, 1, words.length);
    all[words.length + 1] = "--server";
    all[words.length + 2] = at.base();
    return Cli.run(env, "", all);
  }

  @Test
  void onlyTheAccountThatStartedItGetsInAndItsCommandsFindTheToken() throws Exception {
    Path file = directory.resolve("data/heddle.token");
    try (ServeProcess at = serve()) {
      at.start("serving at");
      at.await("the token's file", () -> at.output().contains("token: " + file));
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .isEqualTo("rw-------");
      String secret = Files.readString(file).strip();
      assertThat(at.output())
          .contains("made the provider's token 'initial', in " + file)
          .doesNotContain(secret);
      // somebody else on the machine
      assertThat(at.get("/v1/tenants").statusCode()).isEqualTo(401);
      Cli.Result other = run(at, Map.of("HOME", directory + "/other"), "tenants", "list");
      assertThat(other.code()).isEqualTo(2);
      assertThat(other.err()).contains("requires a token", "heddle.token");
      // the tour of README.md, by the same account
      Cli.Result made = run(at, home(), "tenants", "create", "blue", "-n", "2");
      assertThat(made.err()).isEmpty();
      assertThat(made.out()).startsWith("blue admitted at epoch 1");
      // or with the file
      Map<String, String> named = Map.of("HEDDLE_TOKEN_FILE", file.toString());
      assertThat(run(at, named, "tenants", "list").code()).isZero();
      at.signal("TERM");
      at.awaitEnd();
      // nobody who listens there now gets the token
      Path notes = directory.resolve("home/.local/state/heddle/servers");
      try (var left = Files.list(notes)) {
        assertThat(left).isEmpty();
      }
      // it stays, and counts
      at.start("serving at");
      assertThat(Files.readString(file).strip()).isEqualTo(secret);
      assertThat(run(at, home(), "tenants", "list").out()).contains("blue");
      // a note of a process that was killed counts for nothing
      at.kill();
      at.awaitEnd();
      Cli.Result dead = run(at, home(), "tenants", "list");
      assertThat(dead.err()).contains("cannot connect");
      assertThat(Files.list(notes)).hasSize(1);
      try (ServeProcess next =
          new ServeProcess(
              directory, "o", List.of("--open", "--data", directory + "/d2"), home())) {
        next.start("serving at");
        assertThat(next.get("/v1/tenants").statusCode()).isEqualTo(200);
      }
    }
  }

  @Test
  void whoAsksForItHasItOpenAndLaterItIsClosed() throws Exception {
    try (ServeProcess at = serve("--open")) {
      at.start("serving at");
      assertThat(at.get("/v1/tenants").statusCode()).isEqualTo(200);
      assertThat(at.output()).contains("every user of this machine is the provider");
      assertThat(directory.resolve("data/heddle.token")).doesNotExist();
      at.signal("TERM");
      at.awaitEnd();
    }
    // the same database without the option is closed
    try (ServeProcess at = serve()) {
      at.start("serving at");
      at.await("the token's file", () -> at.output().contains("token: "));
      assertThat(directory.resolve("data/heddle.token")).exists();
      assertThat(at.get("/v1/tenants").statusCode()).isEqualTo(401);
    }
  }

  @Test
  void whoHasLostTheTokenIsToldHowToGetAnother() throws Exception {
    Path file = directory.resolve("data/heddle.token");
    try (ServeProcess at = serve()) {
      at.start("serving at");
      at.signal("TERM");
      at.awaitEnd();
      Files.delete(file);
      at.start("serving at");
      at.await("the way in", () -> at.output().contains("starts once with --new-token"));
      assertThat(file).doesNotExist();
      at.signal("TERM");
      at.awaitEnd();
    }
    try (ServeProcess at = serve("--new-token")) {
      at.start("serving at");
      at.await("the token's file", () -> at.output().contains("token: " + file));
      assertThat(run(at, home(), "tenants", "list").code()).isZero();
    }
  }

  /** True if whoever started this test had SIGHUP ignored, which Java leaves as it is. */
  private static boolean ignored(long pid) throws IOException {
    Path status = Path.of("/proc", Long.toString(pid), "status");
    return Files.exists(status)
        && Files.readAllLines(status).stream()
            .filter(line -> line.startsWith("SigIgn:"))
            .anyMatch(line -> (Long.parseUnsignedLong(line.substring(7).strip(), 16) & 1) != 0);
  }

  /** As systemctl reload sends it, or a terminal that is closed. */
  @Test
  void aHangupEndsNothing() throws Exception {
    try (ServeProcess at = serve("--open")) {
      at.start("serving at");
      at.signal("HUP");
      if (!ignored(at.pid())) { // as it is below nohup
        at.await("word of it", () -> at.output().contains("SIGHUP: there is no certificate"));
      }
      assertThat(at.get("/v1/tenants").statusCode()).isEqualTo(200);
      at.signal("TERM");
      assertThat(at.awaitEnd()).isEqualTo(143);
    }
  }
}
