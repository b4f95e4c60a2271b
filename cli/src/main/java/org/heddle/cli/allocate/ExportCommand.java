package org.heddle.cli.allocate;

import java.util.List;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code heddle allocate FABRIC --state FILE export DIR}. */
@Command(
    name = "export",
    description = {
      "Write what makes the allocation real: tables, partitions and options for OpenSM, routing "
          + "chains for MLNX_SM, scripts for OpenStack, topology.conf for Slurm, and what may be "
          + "powered down.",
      "Nothing is written if the audit finds a promise that is not kept."
    },
    footer = {"", "Example:", "  heddle allocate big.net --state tenants.json export files"})
public final class ExportCommand extends ShellCommand {
  /** The JSON output. */
  record Document(
      String format, String fabric, String state, String directory, List<String> files) {}

  @ParentCommand private AllocateCommand parent;

  @Parameters(paramLabel = "DIR", description = "Directory to write into.")
  private String directory;

  public ExportCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    AllocationState site = parent.look();
    List<String> files = new ExportFiles(session, site, site.now(), directory).write();
    if (json()) {
      Json.print(
          session,
          new Document(
              "heddle.allocate-export/1", site.fabricFile(), site.stateFile(), directory, files));
    } else {
      print(session, directory, files);
    }
    return ExitCode.OK;
  }

  /** Says which files were written, if any were. */
  static void print(Session session, String directory, List<String> files) {
    if (!files.isEmpty()) {
      session.out().println("wrote into " + directory + ": " + String.join(" ", files));
    }
  }
}
