package org.heddle.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.heddle.catalog.Catalog;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import org.heddle.cli.shell.TextTable;
import org.heddle.cli.shell.plugin.PlugInLoader;
import org.heddle.cli.shell.plugin.PlugInOrigin;
import picocli.CommandLine.Command;

/** {@code heddle plugins}: the jars, what each brings, and which were left out. */
@Command(
    name = "plugins",
    description = {
      "List the jars of plug-ins, what each brings, and what is wrong with those left out.",
      "Exit code 1 if one is left out."
    })
final class PluginsCommand extends ShellCommand {
  private static final String ENGINE = "engine";
  private static final String ALLOCATOR = "allocator";
  private static final String LIBRARY = "library";

  /**
   * One line of the list.
   *
   * @param jar its path
   * @param kind engine, allocator, or library of others
   * @param name that of the plug-in; null for a library
   * @param description what it does; null for a library
   */
  record PlugIn(String jar, String kind, String name, String description) {}

  /** A jar that is not used. */
  record LeftOut(String jar, String reason) {}

  /** The JSON output. */
  record Document(String format, List<PlugIn> plugins, List<LeftOut> leftOut) {}

  PluginsCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    Map<String, String> jars = PlugInLoader.jars();
    List<PlugIn> all = new ArrayList<>();
    Catalog.engines()
        .forEach(e -> add(all, PlugInOrigin.path(e), ENGINE, e.name(), e.description()));
    Catalog.allocators()
        .forEach(a -> add(all, PlugInOrigin.path(a), ALLOCATOR, a.name(), a.description()));
    List<LeftOut> leftOut = new ArrayList<>();
    jars.forEach(
        (jar, why) -> {
          if (!why.isEmpty()) {
            leftOut.add(new LeftOut(jar, why));
          } else if (all.stream().noneMatch(p -> p.jar.equals(jar))) {
            all.add(new PlugIn(jar, LIBRARY, null, null));
          }
        });
    if (json()) {
      Json.print(session, new Document("heddle.plugins/1", all, leftOut));
    } else if (jars.isEmpty()) {
      session.out().println("no plug-ins; docs/plugins.md says where Heddle looks for jars");
    } else {
      TextTable table = new TextTable("KIND", "NAME", "JAR", "WHAT IT DOES");
      all.forEach(p -> table.row(p.kind, shown(p.name), p.jar, shown(p.description)));
      leftOut.forEach(l -> table.row("left out", "", l.jar, l.reason));
      table.print(session.out(), session.terminal(), "");
    }
    return leftOut.isEmpty() ? ExitCode.OK : ExitCode.FINDINGS;
  }

  private static void add(
      List<PlugIn> all, String jar, String kind, String name, String description) {
    if (jar != null) {
      all.add(new PlugIn(jar, kind, name, description));
    }
  }

  private static String shown(String text) {
    return text == null ? "" : text;
  }
}
