package org.heddle.cli.serve;

import java.nio.file.Path;
import java.util.List;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Inputs;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import org.heddle.control.port.StoreException;
import org.heddle.server.store.Backups;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code heddle serve restore}: a copy becomes the database of a controller that is stopped. */
@Command(
    name = "restore",
    description = {
      "Check a copy made by 'heddle serve backup', and put it in place of the database.",
      "The controller must not be running. At its next start it makes the fabric what the copy "
          + "says."
    },
    footer = {"", "Example:", "  heddle serve restore --data /var/lib/heddle heddle-monday.db"})
public final class ServeRestoreCommand extends ShellCommand {
  @Option(
      names = "--data",
      paramLabel = "DIR",
      defaultValue = ServeSettings.DATA,
      description = "Directory to put the database in (default: ${DEFAULT-VALUE}).")
  private String data;

  @Option(names = "--force", description = "Replace an existing database.")
  private boolean force;

  @Parameters(index = "0", paramLabel = "FILE", description = "The copy.")
  private String file;

  public ServeRestoreCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    Path copy = Inputs.path(file);
    Path database = ServeSettings.database(data);
    try {
      Backups.check(copy);
      if (session.inputs().exists(database.toString()) && !force) {
        throw Failure.refused(
            "there is a database already: " + database, List.of("--force replaces it"));
      }
      ServeBackupCommand.print(
          session,
          json(),
          "heddle.serve-restore/1",
          file,
          database,
          Backups.restore(copy, database));
    } catch (StoreException e) {
      throw Failure.badInput(e.getMessage());
    }
    return ExitCode.OK;
  }
}
