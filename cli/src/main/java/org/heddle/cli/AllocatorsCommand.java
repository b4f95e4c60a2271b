package org.heddle.cli;

import java.util.List;
import org.heddle.catalog.Catalog;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import picocli.CommandLine.Command;

/** {@code heddle allocators}: what {@code allocate add --allocator} takes. */
@Command(name = "allocators", description = "List the allocators, those of plug-ins included.")
final class AllocatorsCommand extends ShellCommand {
  /** The JSON output. */
  record Document(String format, List<ListedPlugIn> allocators) {}

  AllocatorsCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    List<ListedPlugIn> all = Catalog.allocators().stream().map(ListedPlugIn::of).toList();
    if (json()) {
      Json.print(session, new Document("heddle.allocators/1", all));
    } else {
      ListedPlugIn.print(session, "ALLOCATOR", all);
    }
    return ExitCode.OK;
  }
}
