package org.heddle.cli.serve;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.nio.file.Path;
import java.util.Optional;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Inputs;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import org.heddle.control.port.StoreException;
import org.heddle.fabric.Counted;
import org.heddle.server.store.Backups;
import org.heddle.server.store.Revival;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code heddle serve backup}: a copy of the database, also while the controller runs. */
@Command(
    name = "backup",
    description = {
      "Copy a controller's SQLite database as it is at one moment; the controller keeps running.",
      "For PostgreSQL use pg_dump."
    },
    footer = {"", "Example:", "  heddle serve backup --data /var/lib/heddle -o heddle-monday.db"})
public final class ServeBackupCommand extends ShellCommand {
  /** The JSON output, also of {@code restore}. */
  record Document(
      String format,
      String file,
      String database,
      int schema,
      int fabrics,
      long epoch,
      int tenants,
      long bytes,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Revival> revives) {}

  @Option(
      names = "--data",
      paramLabel = "DIR",
      defaultValue = ServeSettings.DATA,
      description = "Directory of the database (default: ${DEFAULT-VALUE}).")
  private String data;

  @Option(
      names = {"-o", "--output"},
      required = true,
      paramLabel = "FILE",
      description = "The copy; readable by its owner only.")
  private String output;

  public ServeBackupCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    if (output.equals("-")) {
      throw Failure.badInput("a database cannot be written to standard output");
    }
    Path database = ServeSettings.database(data);
    session.outputs().protect(database.toString());
    session.outputs().check(output);
    try {
      print(
          session,
          json(),
          "heddle.serve-backup/1",
          output,
          database,
          Backups.backup(database, Inputs.path(output)),
          Optional.empty());
    } catch (StoreException e) {
      throw Failure.badInput(e.getMessage());
    }
    return ExitCode.OK;
  }

  static void print(
      Session session,
      boolean json,
      String format,
      String file,
      Path database,
      Backups.Summary s,
      Optional<Revival> revives) {
    if (json) {
      Json.print(
          session,
          new Document(
              format,
              file,
              database.toString(),
              s.schema(),
              s.fabrics(),
              s.epoch(),
              s.tenants(),
              s.bytes(),
              revives));
      return;
    }
    session
        .out()
        .printf(
            "%s: %s, epoch %d, %d bytes, sound%n",
            format.contains("backup") ? file : database,
            Counted.of(s.tenants(), "tenant", "tenants"),
            s.epoch(),
            s.bytes());
  }
}
