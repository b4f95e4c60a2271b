package org.heddle.cli.users;

import org.heddle.cli.remote.CredentialList;
import org.heddle.cli.remote.ServerClient;
import org.heddle.cli.remote.ServerOptions;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code heddle users list}: who can log in. */
@Command(
    name = "list",
    description = "List the users of a controller, by name, with their role, expiry and last use.")
public final class UsersListCommand extends ShellCommand {
  @Mixin private ServerOptions options;

  public UsersListCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    try (ServerClient client = options.open(session)) {
      CredentialList.print(session, client, json(), "user", "password set");
    }
    return ExitCode.OK;
  }
}
