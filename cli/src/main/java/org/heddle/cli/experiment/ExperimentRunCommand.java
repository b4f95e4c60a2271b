package org.heddle.cli.experiment;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.FigureFiles;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.Progress;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.Shard;
import org.heddle.cli.shell.ShellCommand;
import org.heddle.cli.shell.SlurmArray;
import org.heddle.cli.shell.TextTable;
import org.heddle.experiment.ExperimentRow;
import org.heddle.fabric.Counted;
import org.heddle.text.config.ExperimentFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code heddle experiment run}. */
@Command(
    name = "run",
    description = {
      "Compute an experiment: results.csv, figures, and the papers' printed values beside ours.",
      "Finished cases are kept in DIR/cases: the same command goes on where it was",
      "stopped. The numbers depend only on the experiment and its parameters, not on threads,",
      "shares or computers."
    },
    footer = {
      "",
      "Examples:",
      "  heddle experiment run isolation-delay-range -o results",
      "  heddle experiment run my.yaml --set trials=1000 --csv",
      "  heddle experiment run loss-of-links -o results --shard 2/8   # on the second of 8",
      "  heddle experiment run loss-of-links -o results               # combine them",
      "  heddle experiment run loss-of-links -o results --slurm 8 --sbatch=--partition=short"
    })
public final class ExperimentRunCommand extends ShellCommand {
  @Parameters(
      index = "0",
      paramLabel = "NAME|FILE",
      description = "A name from 'heddle " + "experiment list', or an experiment file.")
  private String name;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "DIR",
      description = "Write results.csv, comparison.md and figures.")
  private String output;

  @Option(
      names = "--set",
      paramLabel = "NAME=VALUE",
      description = "Another value for a parameter; may be given several times.")
  private Map<String, String> settings = new LinkedHashMap<>();

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "0",
      description = "Cases at a time (default: one per processor).")
  private int threads;

  @Option(
      names = "--shard",
      paramLabel = "I/N",
      description = "Compute only every N-th case, from the I-th; needs -o.")
  private String shard;

  @Option(
      names = "--slurm",
      paramLabel = "N",
      description = "Submit N shares as a Slurm job array, wait, and combine them; needs -o.")
  private Integer slurm;

  @Mixin private SlurmArray.Options cluster;

  @Option(names = "--csv", description = "Print the rows as CSV.")
  private boolean csv;

  /** A printed value and ours in {@code --json}. */
  record Comparison(
      String place, Map<String, String> axes, String result, double printed, Double ours) {}

  /** The document of {@code --json}. */
  record Document(
      String format,
      String experiment,
      String title,
      String source,
      String kind,
      Map<String, String> parameters,
      List<Map<String, Object>> rows,
      List<Comparison> printed) {}

  public ExperimentRunCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    forbidCsvWithJson(csv);
    if (output == null && (shard != null || slurm != null)) {
      throw Failure.badInput("--shard and --slurm need a folder for their results: -o DIR");
    }
    if (shard != null && slurm != null) {
      throw Failure.badInput("--slurm makes the shares itself; leave out --shard");
    }
    Shard part = Shard.parse(shard);
    int most = Shard.threads(threads);
    ExperimentPlan plan = ExperimentPlan.of(Experiments.find(session, name), settings);
    Path folder = output == null ? null : session.outputs().directory(output);
    CaseStore store = folder == null ? null : new CaseStore(session, folder, plan.fingerprint());
    if (slurm != null) {
      new SlurmArray(folder, slurm, cluster.sbatch()).run(session, arguments(folder));
    }
    ExperimentRunner runner = new ExperimentRunner(plan, store, most);
    List<ExperimentRow> rows;
    try (Progress progress = session.terminal().progress("cases")) {
      rows = runner.run(part, progress);
    }
    if (part.of() > 1) {
      session.out().println("share " + shard + " is in " + output + "/cases");
      return ExitCode.OK;
    }
    report(plan, rows, runner.reused(), folder);
    return ExitCode.OK;
  }

  private List<String> arguments(Path folder) {
    List<String> out = new ArrayList<>(List.of("experiment", "run"));
    boolean embedded = Experiments.EMBEDDED.contains(name);
    out.add(embedded ? name : Path.of(name).toAbsolutePath().toString());
    out.addAll(List.of("-o", folder.toString(), "--threads", "1"));
    settings.forEach((key, value) -> out.addAll(List.of("--set", key + "=" + value)));
    return out;
  }

  // ---- results

  private void report(ExperimentPlan plan, List<ExperimentRow> rows, int reused, Path folder) {
    List<ExperimentTables.Compared> compared = ExperimentTables.compare(plan, rows);
    if (folder != null) {
      write(plan, rows, compared, folder);
    }
    if (json()) {
      Json.print(session, document(plan, rows, compared));
    } else if (csv) {
      ExperimentTables.csv(session.out(), plan, rows);
    } else {
      print(plan, rows, compared);
      if (folder != null) {
        session
            .out()
            .println(
                "wrote "
                    + output
                    + (reused > 0
                        ? "; " + Counted.of(reused, "case was", "cases were") + " there already"
                        : ""));
      }
    }
  }

  private void print(
      ExperimentPlan plan, List<ExperimentRow> rows, List<ExperimentTables.Compared> compared) {
    session.out().println(plan.file().title());
    session.out().println(plan.file().source());
    session.out().println();
    TextTable table = new TextTable(plan.columns().toArray(new String[0]));
    for (ExperimentRow row : rows) {
      List<Object> cells = new ArrayList<>(row.axes());
      row.results().forEach(value -> cells.add(ExperimentTables.brief(value)));
      table.row(cells.toArray());
    }
    table.print(session.out(), session.terminal(), "");
    if (!compared.isEmpty()) {
      session.out().println();
      TextTable beside = new TextTable("PRINTED IN", "CASE", "VALUE", "PRINTED", "OURS");
      for (ExperimentTables.Compared one : compared) {
        beside.row(
            one.printed().place(),
            one.axes(),
            one.printed().result(),
            ExperimentTables.brief(one.printed().value()),
            ExperimentTables.brief(one.ours()));
      }
      beside.print(session.out(), session.terminal(), "");
    }
  }

  private static Document document(
      ExperimentPlan plan, List<ExperimentRow> rows, List<ExperimentTables.Compared> compared) {
    List<String> axes = Experiments.axes(plan.kind());
    List<Map<String, Object>> out = new ArrayList<>();
    for (ExperimentRow row : rows) {
      Map<String, Object> one = new LinkedHashMap<>();
      for (int i = 0; i < axes.size(); i++) {
        one.put(axes.get(i), row.axes().get(i));
      }
      for (int i = 0; i < plan.kind().results().size(); i++) {
        one.put(plan.kind().results().get(i), orNull(row.results().get(i)));
      }
      out.add(one);
    }
    List<Comparison> printed = new ArrayList<>();
    for (ExperimentTables.Compared one : compared) {
      ExperimentFile.Printed p = one.printed();
      printed.add(new Comparison(p.place(), p.where(), p.result(), p.value(), orNull(one.ours())));
    }
    return new Document(
        "heddle.experiment/1",
        plan.file().name(),
        plan.file().title(),
        plan.file().source(),
        plan.kind().name(),
        plan.parameters(),
        out,
        printed);
  }

  private static Double orNull(double value) {
    return Double.isNaN(value) ? null : value;
  }

  private void write(
      ExperimentPlan plan,
      List<ExperimentRow> rows,
      List<ExperimentTables.Compared> compared,
      Path folder) {
    session
        .outputs()
        .text(
            folder.resolve("results.csv").toString(), out -> ExperimentTables.csv(out, plan, rows));
    if (!compared.isEmpty()) {
      session
          .outputs()
          .text(
              folder.resolve("comparison.md").toString(),
              out -> ExperimentTables.markdown(out, compared));
    }
    FigureFiles figures = new FigureFiles(session);
    for (ExperimentFile.Figure figure : plan.file().figures()) {
      ExperimentFigures.draw(plan, figure, rows)
          .ifPresent(picture -> figures.write(folder.resolve(figure.name()).toString(), picture));
    }
    figures.warn();
  }
}
