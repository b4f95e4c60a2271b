package org.heddle.cli;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Runs command lines in this process. */
public final class Cli {
  private Cli() {}

  /** What a command did. */
  public record Result(int code, String out, String err) {}

  public static Result run(String... words) {
    return run(Map.of(), "", words);
  }

  public static Result run(Map<String, String> env, String input, String... words) {
    return run(env, new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)), words);
  }

  static Result run(Map<String, String> env, InputStream input, String... words) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code =
        Main.run(
            List.of(words),
            input,
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            env);
    return new Result(
        code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }
}
