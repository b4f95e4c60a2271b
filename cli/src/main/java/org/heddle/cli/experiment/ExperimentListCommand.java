package org.heddle.cli.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import org.heddle.cli.shell.TextTable;
import org.heddle.experiment.ExperimentCase;
import org.heddle.text.config.ExperimentFile;
import picocli.CommandLine.Command;

/** {@code heddle experiment list}. */
@Command(name = "list", description = "List the experiments that come with Heddle.")
public final class ExperimentListCommand extends ShellCommand {
  /** One experiment in {@code --json}. */
  record Entry(
      String name,
      String title,
      String source,
      String kind,
      Map<String, List<String>> axes,
      Map<String, String> parameters,
      int cases) {}

  /** The document of {@code --json}. */
  record Document(String format, List<Entry> experiments) {}

  public ExperimentListCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    List<Entry> entries = new ArrayList<>();
    for (String name : Experiments.EMBEDDED) {
      ExperimentFile file = Experiments.find(session, name);
      int cases =
          ExperimentCase.all(Experiments.kind(file), file.axes(), Map.of(), () -> true).size();
      entries.add(
          new Entry(
              name,
              file.title(),
              file.source(),
              file.kind(),
              file.axes(),
              file.parameters(),
              cases));
    }
    if (json()) {
      Json.print(session, new Document("heddle.experiment-list/1", entries));
      return ExitCode.OK;
    }
    TextTable table = new TextTable("NAME", "CASES", "TITLE", "SOURCE");
    for (Entry entry : entries) {
      table.row(entry.name(), entry.cases(), entry.title(), entry.source());
    }
    table.print(session.out(), session.terminal(), "");
    return ExitCode.OK;
  }
}
