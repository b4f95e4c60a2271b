package org.heddle.cli.simulate;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import org.heddle.addressing.AddressingScheme;
import org.heddle.cli.shell.Choices;
import org.heddle.cli.shell.Engines;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.FabricFiles;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.FigureFiles;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.MachinesOption;
import org.heddle.cli.shell.Named;
import org.heddle.cli.shell.Progress;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.Shard;
import org.heddle.cli.shell.ShellCommand;
import org.heddle.fabric.Fabric;
import org.heddle.migrate.Layout;
import org.heddle.migrate.MigrationResult;
import org.heddle.migrate.MigrationScenario;
import org.heddle.migrate.MigrationSimulation;
import org.heddle.plot.Figure;
import org.heddle.reconfig.migration.MigrationOptions;
import org.heddle.routing.EngineNames;
import org.heddle.routing.RoutingEngine;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.Recognition;
import org.heddle.topology.RecognitionOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code heddle simulate migrate}: what many moves do to forwarding tables. */
@Command(
    name = "migrate",
    description = {
      "Move virtual machines one by one, and compare tables that follow the moves with fresh ones.",
      "Prints the switches and packets of a move, and the bandwidth among the VMs."
    },
    footer = {
      "",
      "Layouts: random, uniform (the same number on every host), consolidate (as few hosts as "
          + "will do, from",
      "the left), grouping (groups of VMs, each on hosts of its own, side by side).",
      "--to random makes two random moves for every host. All bandwidths are those of the same",
      "random bisections. The seven panels of the paper: 'heddle experiment run migration'.",
      "",
      "Examples:",
      "  heddle simulate migrate --fabric 'XGFT(3;8,8,16;1,8,8)' --from random --to grouping",
      "  heddle simulate migrate --fabric site.net --from uniform --to random --population 75 \\",
      "    --scheme prepopulated -o migration"
    })
public final class MigrationCommand extends ShellCommand {
  private static final long MOST_BISECTIONS = 1_000_000_000_000L;

  @Mixin private MachinesOption machines;

  @Option(
      names = "--fabric",
      paramLabel = "TREE|FILE",
      required = true,
      description = "XGFT(..), PGFT(..) or K-ary-N-tree, or a fabric file.")
  private String fabricName;

  @Option(
      names = "--from",
      paramLabel = "LAYOUT",
      defaultValue = "random",
      completionCandidates = Choices.Layouts.class,
      description = "How VMs are spread at the start (default: random).")
  private String from;

  @Option(
      names = "--to",
      paramLabel = "LAYOUT",
      required = true,
      completionCandidates = Choices.Layouts.class,
      description = "How VMs are spread at the end.")
  private String to;

  @Option(
      names = "--population",
      paramLabel = "PERCENT",
      defaultValue = "25",
      description = "Share of the functions that run a VM (default: 25).")
  private int population;

  @Option(
      names = "--vms-per-host",
      paramLabel = "N",
      defaultValue = "4",
      description = "Virtual functions per host (default: 4).")
  private int functions;

  @Option(
      names = "--groups",
      paramLabel = "N",
      defaultValue = "2",
      description = "Number of groups of equal size, for grouping (default: 2).")
  private int groups;

  @Option(
      names = "--scheme",
      paramLabel = "NAME",
      defaultValue = "dynamic",
      description = "dynamic (default): moves copy routes; prepopulated: they swap two LIDs.")
  private String scheme;

  @Option(
      names = "--method",
      paramLabel = "NAME",
      split = ",",
      defaultValue = "ftree-minrc,itrc",
      completionCandidates = Choices.MigrationMethods.class,
      description = "ftree-minrc, itrc, or both with a comma (default).")
  private List<String> methods;

  @Option(
      names = {"-e", "--engine"},
      paramLabel = "NAME",
      defaultValue = EngineNames.VSWITCH_FTREE,
      completionCandidates = Choices.Engines.class,
      description = "Engine of the first tables and the fresh ones (default: vswitch-ftree).")
  private String engine;

  @Option(
      names = {"-n", "--bisections"},
      paramLabel = "N",
      defaultValue = "10000",
      description = "Random bisections per comparison (default: 10000); 0 counts packets only.")
  private long bisections;

  @Option(
      names = "--samples",
      paramLabel = "N",
      defaultValue = "10",
      description = "Number of comparisons, each after an equal part of the moves (default: 10).")
  private int samples;

  @Mixin private SeedOption random;

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "0",
      description = "Bisections at a time (default: one per processor).")
  private int threads;

  @Option(names = "--csv", description = "Print CSV, one line per set of tables and comparison.")
  private boolean csv;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "DIR",
      description = "Write migration.csv, report.json and figures.")
  private String output;

  public MigrationCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    forbidCsvWithJson(csv);
    MigrationScenario scenario = scenario();
    MigrationSimulation.Settings settings = settings();
    RoutingEngine chosen = Engines.named(engine);
    Fabric fabric = FabricFiles.withLids(PlantArgument.fabric(session, fabricName));
    Path folder = output == null ? null : session.outputs().directory(output);
    MigrationResult result = simulate(fabric, chosen, scenario, settings);
    MigrationDocument document =
        MigrationDocument.of(fabricName, chosen.name(), scenario, settings, result);
    if (json()) {
      Json.print(session, document);
    } else if (csv) {
      session.out().print(MigrationPrinter.csv(document));
    } else {
      MigrationPrinter.print(session, document);
    }
    if (folder != null) {
      write(folder, document);
    }
    return lost(result) ? ExitCode.FINDINGS : ExitCode.OK;
  }

  // ---- arguments

  private MigrationScenario scenario() {
    Layout first = Named.ofOption("--from", from, Layout.values(), Layout::key);
    Layout last = Named.ofOption("--to", to, Layout.values(), Layout::key);
    AddressingScheme addresses =
        Named.ofOption("--scheme", scheme, AddressingScheme.values(), AddressingScheme::key);
    try {
      return new MigrationScenario(first, last, population, functions, groups, addresses);
    } catch (IllegalArgumentException e) {
      throw Failure.badInput(e.getMessage());
    }
  }

  private MigrationSimulation.Settings settings() {
    List<MigrationOptions.Method> chosen = new ArrayList<>();
    for (String name : methods) {
      MigrationOptions.Method method =
          Named.ofOption(
              "--method", name, MigrationOptions.Method.values(), MigrationOptions.Method::key);
      if (chosen.contains(method)) {
        throw Failure.badInput("--method: " + name + " is named twice");
      }
      chosen.add(method);
    }
    if (samples < 1) {
      throw Failure.badInput("--samples " + samples + ": 1 or more are expected");
    }
    if (bisections < 0 || bisections > MOST_BISECTIONS) {
      throw Failure.badInput("--bisections " + bisections + ": 0 or more are expected");
    }
    return new MigrationSimulation.Settings(
        chosen, samples, bisections, random.seed(), Shard.threads(threads));
  }

  // ---- run

  private MigrationResult simulate(
      Fabric fabric,
      RoutingEngine chosen,
      MigrationScenario scenario,
      MigrationSimulation.Settings settings) {
    Recognition found = FatTreeRecogniser.recognise(fabric, RecognitionOptions.NONE);
    if (!(found instanceof Recognition.Found tree)) {
      throw Failure.refused(
          fabricName + " is not a fat-tree, so it has no left and right",
          List.of("'heddle fabric check' says why"));
    }
    try (Progress progress = session.terminal().progress("moving VMs")) {
      MigrationSimulation.Watcher watcher =
          (done, total) -> {
            progress.update(done, total);
            return true;
          };
      return switch (MigrationSimulation.run(
          fabric, tree.tree(), chosen, scenario, settings, watcher)) {
        case MigrationSimulation.Done done -> done.result();
        case MigrationSimulation.Refused no -> throw Failure.refused(no.reason(), List.of());
      };
    } catch (CancellationException e) {
      throw Failure.badInput("interrupted");
    }
  }

  private boolean lost(MigrationResult result) {
    for (MigrationResult.Sample sample : result.samples()) {
      if (sample.freshLost() > 0 || sample.methods().stream().anyMatch(of -> of.lost() > 0)) {
        session.note("messages between VMs do not arrive; 'heddle audit' says why");
        return true;
      }
    }
    return false;
  }

  private void write(Path folder, MigrationDocument document) {
    String name = folder.resolve("report.json").toString();
    session.outputs().text(name, out -> Json.print(session, out, document));
    name = folder.resolve("migration.csv").toString();
    session.outputs().text(name, out -> out.print(MigrationPrinter.csv(document)));
    FigureFiles figures = new FigureFiles(session);
    draw(figures, folder.resolve("bandwidth"), MigrationPrinter.bandwidth(document));
    draw(figures, folder.resolve("switches"), MigrationPrinter.switches(document));
    figures.warn();
  }

  private static void draw(FigureFiles figures, Path base, Optional<Figure> figure) {
    figure.ifPresent(f -> figures.write(base.toString(), f));
  }
}
