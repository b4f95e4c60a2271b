package org.heddle.cli.allocate;

import java.util.List;
import java.util.OptionalLong;
import org.heddle.allocation.Holder;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import org.heddle.fabric.Counted;
import org.heddle.plan.ChangePlanner;
import org.heddle.plan.DraftState;
import org.heddle.plan.model.Change;
import org.heddle.plan.model.Tenant;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code heddle allocate FABRIC --state FILE remove NAME}. */
@Command(
    name = "remove",
    description = "Let a tenant go: its hosts and links are free again.",
    footer = {"", "Example:", "  heddle allocate big.net --state tenants.json remove physics"})
public final class RemoveCommand extends ShellCommand {
  /** The JSON output. */
  record Document(
      String format,
      String fabric,
      String state,
      String tenant,
      int hosts,
      int links,
      boolean dryRun,
      List<String> files) {}

  @ParentCommand private AllocateCommand parent;

  @Parameters(paramLabel = "NAME", description = "The tenant.")
  private String name;

  @Mixin private ChangeOptions change;

  public RemoveCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    AllocationState site = parent.change();
    Tenant gone = site.tenant(name);
    DraftState next = site.now().copy();
    ChangePlanner.of(next).decide(new Change.Delete(name, OptionalLong.empty()));
    List<String> files = List.of();
    if (!change.dryRun()) {
      if (change.directory() != null) {
        Holder held = new Holder(name, AllocationState.held(site.now(), gone));
        files = new ExportFiles(session, site, next, change.directory()).writeWithout(held);
      }
      site.write(session, next);
    }
    int links = gone.links().size();
    int hosts = gone.hosts().size();
    if (json()) {
      Json.print(
          session,
          new Document(
              "heddle.allocate-remove/1",
              site.fabricFile(),
              site.stateFile(),
              name,
              hosts,
              links,
              change.dryRun(),
              files));
    } else {
      session
          .out()
          .printf(
              "%s %s: %s and %s are free%n",
              change.dryRun() ? "would remove" : "removed",
              name,
              Counted.of(hosts, "host", "hosts"),
              Counted.of(links, "link", "links"));
      ExportCommand.print(session, change.directory(), files);
    }
    return ExitCode.OK;
  }
}
