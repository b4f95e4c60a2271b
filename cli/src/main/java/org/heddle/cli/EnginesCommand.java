package org.heddle.cli;

import java.util.List;
import org.heddle.catalog.Catalog;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import org.heddle.cli.shell.TextTable;
import org.heddle.routing.RoutingEngine;
import picocli.CommandLine.Command;

/** {@code heddle engines}: what {@code route --engine} takes. */
@Command(name = "engines", description = "List the routing engines.")
final class EnginesCommand extends ShellCommand {
  /** One engine in the JSON output. */
  record Engine(String name, String description, String source) {}

  /** The JSON output. */
  record Document(String format, List<Engine> engines) {}

  EnginesCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    List<RoutingEngine> engines = Catalog.engines();
    if (json()) {
      List<Engine> list =
          engines.stream().map(e -> new Engine(e.name(), e.description(), e.source())).toList();
      Json.print(session, new Document("heddle.engines/1", list));
      return ExitCode.OK;
    }
    TextTable table = new TextTable("ENGINE", "WHAT IT DOES", "SOURCE");
    engines.forEach(e -> table.row(e.name(), e.description(), e.source()));
    table.print(session.out(), session.terminal(), "");
    return ExitCode.OK;
  }
}
