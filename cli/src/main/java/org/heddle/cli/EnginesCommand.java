package org.heddle.cli;

import java.util.List;
import org.heddle.catalog.Catalog;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import picocli.CommandLine.Command;

/** {@code heddle engines}: what {@code route --engine} takes. */
@Command(name = "engines", description = "List the routing engines, those of plug-ins included.")
final class EnginesCommand extends ShellCommand {
  /** The JSON output. */
  record Document(String format, List<ListedPlugIn> engines) {}

  EnginesCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    List<ListedPlugIn> all = Catalog.engines().stream().map(ListedPlugIn::of).toList();
    if (json()) {
      Json.print(session, new Document("heddle.engines/1", all));
    } else {
      ListedPlugIn.print(session, "ENGINE", all);
    }
    return ExitCode.OK;
  }
}
