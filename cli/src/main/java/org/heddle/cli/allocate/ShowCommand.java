package org.heddle.cli.allocate;

import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code heddle allocate FABRIC --state FILE show NAME}. */
@Command(
    name = "show",
    description = "Show the hosts and links of a tenant, ports also as masks (bit n is port n).")
public final class ShowCommand extends ShellCommand {
  /** The JSON output. */
  record Document(String format, String fabric, String state, TenantView tenant) {}

  @ParentCommand private AllocateCommand parent;

  @Parameters(paramLabel = "NAME", description = "The tenant.")
  private String name;

  public ShowCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    AllocationState site = parent.look();
    TenantView view = site.view(name);
    if (json()) {
      Json.print(
          session,
          new Document("heddle.allocate-show/1", site.fabricFile(), site.stateFile(), view));
    } else {
      view.print(session.out(), session.terminal());
    }
    return ExitCode.OK;
  }
}
