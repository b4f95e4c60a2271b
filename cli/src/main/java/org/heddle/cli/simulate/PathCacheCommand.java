package org.heddle.cli.simulate;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.heddle.addressing.AddressingScheme;
import org.heddle.cli.shell.Choices;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.FabricFiles;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.FigureFiles;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.MachinesOption;
import org.heddle.cli.shell.Named;
import org.heddle.cli.shell.Progress;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import org.heddle.cli.shell.TableFiles;
import org.heddle.pathcache.CacheMode;
import org.heddle.pathcache.MigrationStorm;
import org.heddle.pathcache.PathQualities;
import org.heddle.pathcache.Storm;
import org.heddle.text.lft.BoundTables;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code heddle simulate path-cache}: who asks the subnet administrator when machines move. */
@Command(
    name = "path-cache",
    description = {
      "Move virtual machines, and count the path record queries of their peers.",
      "All VMs of a tenant talk to each other. With a cache, each end asks once for a path;",
      "checked: it asks again if its record names an old LID, or a higher MTU or rate than there "
          + "is."
    },
    footer = {
      "",
      "The same moves, seed for seed, are made under every scheme and with every cache.",
      "Defaults of times and attempts are those measured on RDS in the paper.",
      "",
      "Examples:",
      "  heddle simulate path-cache big.net big.hlft --moves 500 --rate 10 -o storm",
      "  heddle simulate path-cache big.net big.hlft --scheme dynamic --slow 25"
    })
public final class PathCacheCommand extends ShellCommand {
  @Mixin private MachinesOption machines;

  @Parameters(index = "0", paramLabel = "FABRIC", description = "Fabric file.")
  private String fabricFile;

  @Parameters(index = "1", paramLabel = "TABLES", description = "Forwarding tables.")
  private String tablesFile;

  @Option(
      names = "--scheme",
      paramLabel = "NAME",
      split = ",",
      completionCandidates = Choices.Schemes.class,
      description = "Addressing schemes (default: all).")
  private List<String> schemes = List.of();

  @Option(
      names = "--cache",
      paramLabel = "off|on|checked",
      split = ",",
      completionCandidates = Choices.PathCaches.class,
      description = "What peers do with path records (default: all three).")
  private List<String> caches = List.of();

  @Option(
      names = "--functions",
      paramLabel = "N",
      defaultValue = "4",
      description = "Virtual functions per host (default: ${DEFAULT-VALUE}).")
  private int functions;

  @Option(
      names = "--population",
      paramLabel = "PERCENT",
      defaultValue = "50",
      description = "Share of the functions that run a VM (default: ${DEFAULT-VALUE}).")
  private double population;

  @Option(
      names = "--tenant-size",
      paramLabel = "N",
      defaultValue = "16",
      description = "Machines per tenant (default: ${DEFAULT-VALUE}).")
  private int tenantSize;

  @Option(
      names = "--own",
      paramLabel = "PERCENT",
      defaultValue = "50",
      description =
          "hybrid: share of VMs with a LID of their own (default: " + "${DEFAULT-VALUE}).")
  private double own;

  @Option(
      names = {"-n", "--moves"},
      paramLabel = "N",
      defaultValue = "100",
      description = "Moves (default: ${DEFAULT-VALUE}).")
  private int moves;

  @Option(
      names = "--rate",
      paramLabel = "N",
      defaultValue = "1",
      description = "Moves that begin per second (default: ${DEFAULT-VALUE}).")
  private double rate;

  @Option(
      names = "--slow",
      paramLabel = "PERCENT",
      defaultValue = "0",
      description =
          "Share of leaf switches, counted from the last, with 4x FDR and MTU 2048 "
              + "(default: 0).")
  private double slow;

  @Option(
      names = "--downtime",
      paramLabel = "SECONDS",
      defaultValue = "26",
      description = "How long a moving VM is unreachable (default: ${DEFAULT-VALUE}).")
  private double downtime;

  @Option(
      names = "--attempts",
      paramLabel = "N",
      defaultValue = "10",
      description = "A peer's attempts to reconnect after a loss (default: ${DEFAULT-VALUE}).")
  private int attempts;

  @Option(
      names = "--retries",
      paramLabel = "N",
      defaultValue = "2",
      description = "A VM's attempts per second while peers wait for its old address (default: 2).")
  private double retries;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      defaultValue = "96.6",
      description = "Time until a peer gives up an old address (default: ${DEFAULT-VALUE}).")
  private double timeout;

  @Option(
      names = "--sa-rate",
      paramLabel = "N",
      defaultValue = "0",
      description = "Queries answered per second (default: no limit).")
  private double saRate;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Seed for everything random (default: 1).")
  private long seed;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "DIR",
      description = "Write report.json, load.csv and the figure of the load over time.")
  private String output;

  public PathCacheCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    List<AddressingScheme> schemeList =
        Named.allOr("scheme", schemes, AddressingScheme.values(), AddressingScheme::key);
    List<CacheMode> cacheList = Named.allOr("cache", caches, CacheMode.values(), CacheMode::key);
    if (!(slow >= 0 && slow <= 100)) {
      throw Failure.badInput("--slow is 0 to 100");
    }
    Storm storm = storm();
    BoundTables bound = TableFiles.read(session, FabricFiles.read(session, fabricFile), tablesFile);
    Path folder = output == null ? null : session.outputs().directory(output);
    PathQualities paths = PathQualities.of(bound.fabric(), bound.tables()).slowed(slow);
    List<PathCacheDocument.Run> runs = new ArrayList<>();
    try (Progress _ = session.terminal().progress("simulating")) {
      for (AddressingScheme scheme : schemeList) {
        for (CacheMode cache : cacheList) {
          runs.add(run(paths, storm.with(scheme, cache)));
        }
      }
    }
    PathCacheDocument document =
        new PathCacheDocument(
            "heddle.simulate-path-cache/1",
            fabricFile,
            tablesFile,
            slow,
            PathCacheDocument.Setup.of(storm),
            runs);
    if (json()) {
      Json.print(session, document);
    } else {
      PathCachePrinter.print(session, document);
    }
    if (folder != null) {
      write(document, folder);
    }
    return ExitCode.OK;
  }

  private Storm storm() {
    try {
      return new Storm(
          AddressingScheme.DYNAMIC,
          CacheMode.OFF,
          functions,
          population,
          tenantSize,
          own,
          moves,
          rate,
          seed,
          new Storm.Behaviour(downtime, attempts, retries, timeout, saRate));
    } catch (IllegalArgumentException e) {
      throw Failure.badInput(e.getMessage());
    }
  }

  private static PathCacheDocument.Run run(PathQualities paths, Storm storm) {
    return switch (MigrationStorm.run(paths, storm)) {
      case MigrationStorm.Done done -> PathCacheDocument.Run.of(done.result());
      case MigrationStorm.Refused no ->
          throw Failure.refused(
              "scheme " + storm.scheme().key() + ": " + no.reason(),
              List.of(
                  "heddle route FABRIC makes tables that lead to every host they can",
                  "how many VMs: --population, --functions; queries: --tenant-size, --moves"));
    };
  }

  private void write(PathCacheDocument document, Path folder) {
    session
        .outputs()
        .text(folder.resolve("report.json").toString(), out -> Json.print(session, out, document));
    session
        .outputs()
        .text(
            folder.resolve("load.csv").toString(),
            out -> PathCachePrinter.csv(out, document.runs()));
    FigureFiles figures = new FigureFiles(session);
    figures.write(folder.resolve("load").toString(), PathCachePrinter.figure(document));
    figures.warn();
    if (!json()) {
      session.out().println("wrote " + output + ": report.json, load.csv and load.svg, load.png");
    }
  }
}
