package org.heddle.cli;

import java.nio.file.Path;
import java.util.List;
import org.heddle.allocation.Allocator;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.TextTable;
import org.heddle.cli.shell.plugin.PlugInOrigin;
import org.heddle.routing.RoutingEngine;

/**
 * An engine or allocator in the list of what is there.
 *
 * @param jar path of the plug-in's jar; null for one of Heddle's own
 */
record ListedPlugIn(String name, String description, String source, String jar) {
  static ListedPlugIn of(RoutingEngine engine) {
    return new ListedPlugIn(
        engine.name(), engine.description(), engine.source(), PlugInOrigin.path(engine));
  }

  static ListedPlugIn of(Allocator allocator) {
    return new ListedPlugIn(
        allocator.name(),
        allocator.description(),
        allocator.source(),
        PlugInOrigin.path(allocator));
  }

  /** Prints a table of them. */
  static void print(Session session, String heading, List<ListedPlugIn> all) {
    TextTable table = new TextTable(heading, "FROM", "WHAT IT DOES", "SOURCE");
    all.forEach(p -> table.row(p.name, p.from(), p.description, p.source));
    table.print(session.out(), session.terminal(), "");
  }

  private String from() {
    return jar == null ? "Heddle" : Path.of(jar).getFileName().toString();
  }
}
