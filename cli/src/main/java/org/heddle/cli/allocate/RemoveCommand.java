package org.heddle.cli.allocate;

import java.util.List;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import org.heddle.text.state.BoundState;
import org.heddle.text.state.StateFile;
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
    BoundState.Held held = site.held(name);
    List<StateFile.Tenant> left = site.tenants();
    left.removeIf(t -> t.name().equals(name));
    List<String> files = List.of();
    if (!change.dryRun()) {
      if (change.directory() != null) {
        List<BoundState.Held> others = site.bound().held().stream().filter(h -> h != held).toList();
        files = new ExportFiles(session, site, others, change.directory()).writeWithout(held);
      }
      site.write(session, left, site.bound().state().engine());
    }
    int links = held.tenant().links().size();
    int hosts = held.tenant().hosts().size();
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
              "%s %s: %d hosts and %d links are free%n",
              change.dryRun() ? "would remove" : "removed", name, hosts, links);
      ExportCommand.print(session, change.directory(), files);
    }
    return ExitCode.OK;
  }
}
