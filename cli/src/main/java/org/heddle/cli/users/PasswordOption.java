package org.heddle.cli.users;

import java.nio.charset.StandardCharsets;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Session;
import picocli.CommandLine.Option;

/** A password, from a file: what is on a command line is in the list of processes. */
final class PasswordOption {
  @Option(
      names = "--password-file",
      required = true,
      paramLabel = "FILE",
      description = "File with the password on its first line, 8 to 1024 characters; - for input.")
  private String file;

  /**
   * The password.
   *
   * @throws Failure exit code 2 if there is none in the file
   */
  String read(Session session) {
    String text = new String(session.read(file).bytes(), StandardCharsets.UTF_8);
    String line = text.lines().findFirst().orElse("");
    if (line.isEmpty() || text.lines().count() > 1) {
      throw Failure.badInput(file + ":1: expected one line with a password, and nothing else");
    }
    return line;
  }

  /**
   * The path of a user.
   *
   * @throws Failure exit code 2 for what cannot be a name: the path would be another one
   */
  static String path(String name) {
    if (!name.matches("[A-Za-z0-9][A-Za-z0-9_-]{0,30}")) {
      throw Failure.badInput("'" + name + "' is not a user name", "'heddle users list'");
    }
    return "/v1/users/" + name;
  }
}
