package org.heddle.cli.allocate;

import java.util.List;
import java.util.Locale;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import org.heddle.cli.shell.TextTable;
import org.heddle.fabric.Counted;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParentCommand;

/** {@code heddle allocate FABRIC --state FILE list}. */
@Command(name = "list", description = "List the tenants and what is free.")
public final class ListCommand extends ShellCommand {
  /** The JSON output. */
  record Document(
      String format,
      String fabric,
      String state,
      boolean sameFabric,
      int hosts,
      int freeHosts,
      List<TenantView> tenants) {}

  @ParentCommand private AllocateCommand parent;

  public ListCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    AllocationState site = parent.look();
    List<TenantView> views = site.now().tenants.keySet().stream().map(site::view).toList();
    int free = site.now().holdings.freeHosts();
    if (json()) {
      Json.print(
          session,
          new Document(
              "heddle.allocate-list/1",
              site.fabricFile(),
              site.stateFile(),
              site.sameFabric(),
              site.plant().hostCount(),
              free,
              views));
      return ExitCode.OK;
    }
    TextTable table =
        new TextTable("tenant", "hosts", "leaves", "l1 ports", "l2 ports", "allocator", "lost");
    for (TenantView v : views) {
      table.row(
          v.name(),
          v.hosts(),
          v.leaves(),
          v.l1Ports(),
          v.l2Ports(),
          v.allocator(),
          v.lost().isEmpty() ? "" : v.lost().size());
    }
    if (!table.isEmpty()) {
      table.print(session.out(), session.terminal(), "");
    }
    session
        .out()
        .printf(
            Locale.ROOT,
            "%,d of %s free%n",
            free,
            Counted.of(site.plant().hostCount(), "host is", "hosts are"));
    return ExitCode.OK;
  }
}
