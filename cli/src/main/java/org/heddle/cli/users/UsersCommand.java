package org.heddle.cli.users;

import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import picocli.CommandLine.Command;

/** {@code heddle users}: the group of commands about users. */
@Command(
    name = "users",
    description = {
      "List, make and delete the users of a controller ('heddle serve'), who log in with a "
          + "password: to the console, and with UFM's clients.",
      "Programs had better have tokens: 'heddle token NAME'."
    },
    subcommands = {
      UsersListCommand.class,
      UsersCreateCommand.class,
      UsersPasswordCommand.class,
      UsersDeleteCommand.class
    })
public final class UsersCommand extends ShellCommand {
  public UsersCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    return whichCommand();
  }
}
