package org.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.heddle.server.TestServer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Runs commands that talk to a controller. */
final class OnServer {
  private OnServer() {}

  static Cli.Result run(String server, Map<String, String> more, String... words) {
    Map<String, String> env = new HashMap<>(more);
    env.put("HEDDLE_SERVER", server);
    return Cli.run(env, "", words);
  }

  static Cli.Result run(TestServer server, String... words) {
    return run(server.address(), Map.of(), words);
  }

  /** A command at a terminal, where something happens before the question is answered. */
  static Cli.Result answering(TestServer server, String answer, Runnable before, String... words) {
    Map<String, String> env =
        Map.of(
            "HEDDLE_SERVER",
            server.address(),
            "HEDDLE_TTY_OUT",
            "1",
            "HEDDLE_TTY_IN",
            "1",
            "NO_COLOR",
            "1");
    InputStream in =
        new InputStream() {
          private int at;

          @Override
          public int read() {
            if (at == 0) {
              before.run();
            }
            return at < answer.length() ? answer.charAt(at++) : -1;
          }
        };
    return Cli.run(env, in, words);
  }

  static Cli.Result as(TestServer server, String token, String... words) {
    return run(server.address(), Map.of("HEDDLE_TOKEN", token), words);
  }

  static JsonNode json(Cli.Result result) {
    assertThat(result.err()).isEmpty();
    return JsonMapper.builder().build().readTree(result.out());
  }

  /** Runs a command while the controller looks after its fabric. */
  static Cli.Result attended(TestServer server, String... words) throws Exception {
    AtomicBoolean done = new AtomicBoolean();
    Thread attendant =
        Thread.ofPlatform()
            .start(
                () -> {
                  while (!done.get()) {
                    server.look();
                  }
                });
    try {
      return run(server, words);
    } finally {
      done.set(true);
      attendant.join();
    }
  }
}
