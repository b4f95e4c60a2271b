package org.heddle.cli.serve;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Inputs;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import org.heddle.control.port.StoreException;
import org.heddle.server.store.Backups;
import org.heddle.server.store.Revival;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code heddle serve restore}: a copy becomes the database of a controller that is stopped. */
@Command(
    name = "restore",
    description = {
      "Check a copy made by 'heddle serve backup', and put it in place of the database.",
      "The controller must not be running. At its next start it makes the fabric what the copy "
          + "says: tenants that have come since go, and tokens that were revoked since count again. "
          + "Which ones is printed."
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
      if (Backups.replaces(database) && !force) {
        throw Failure.refused(
            "there is a database already: " + database, List.of("--force replaces it"));
      }
      Revival revival = Revival.of(copy, database, Instant.now());
      Backups.Summary summary = Backups.restore(copy, database);
      ServeBackupCommand.print(
          session, json(), "heddle.serve-restore/1", file, database, summary, Optional.of(revival));
      if (!json()) {
        say(revival);
      }
    } catch (StoreException e) {
      throw Failure.badInput(e.getMessage());
    }
    return ExitCode.OK;
  }

  private void say(Revival r) {
    if (!r.compared()) {
      session.out().println("there is no database to compare it with: all of it comes back");
    }
    List<String> credentials = new ArrayList<>();
    r.credentials()
        .forEach(c -> credentials.add(c.kind() + " " + c.name() + " (" + c.role() + ")"));
    say("credentials that count again", credentials);
    say("users with the passwords they had then", r.passwords());
    say("tenants that come back", r.tenants());
    say("tenants that go", r.gone());
    if (!r.credentials().isEmpty() && r.compared()) {
      session
          .out()
          .println("after the start, 'heddle tokens revoke' and 'heddle users delete' end them");
    }
  }

  private void say(String what, List<String> names) {
    if (!names.isEmpty()) {
      session.out().println(what + ": " + String.join(", ", names));
    }
  }
}
