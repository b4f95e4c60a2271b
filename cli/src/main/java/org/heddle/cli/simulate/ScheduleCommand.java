package org.heddle.cli.simulate;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.heddle.allocation.Allocator;
import org.heddle.cli.shell.Allocators;
import org.heddle.cli.shell.Choices;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.FigureFiles;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.MachinesOption;
import org.heddle.cli.shell.Progress;
import org.heddle.cli.shell.SearchOptions;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import org.heddle.fabric.Counted;
import org.heddle.plot.Figure;
import org.heddle.schedule.QueuePolicy;
import org.heddle.schedule.ScheduleOptions;
import org.heddle.schedule.Watcher;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code heddle simulate schedule}: tenants arrive, wait, run and leave. */
@Command(
    name = "schedule",
    description = {
      "Run requests of tenants through allocators, and see how much of the fabric is in use.",
      "Utilisation is the share of hosts that running requests asked for, from the first request",
      "that has to wait until none waits any more."
    },
    footer = {
      "",
      "REQUESTS is a CSV file of id,size,arrival,length, a log in the Standard Workload Format",
      "(.swf), or KIND:MEANS[:COUNT] with KIND exp, gauss or pow2: exp:36, gauss:10..400/10,",
      "pow2:8..1024x2:5000. Every allocator runs every workload with every queue.",
      "",
      "Examples:",
      "  heddle simulate schedule --fabric 'XGFT(3;18,18,36;1,18,18)' --requests exp:36 \\",
      "    --allocator exact,laas --queue fifo,easy",
      "  heddle simulate schedule --fabric site.net --requests log.swf -o results",
      "  heddle simulate schedule --fabric 'XGFT(3;8,8,8;1,8,8)' --requests exp:20 \\",
      "    --break-links 0,1%%,5%%,20%% -o damage"
    })
public final class ScheduleCommand extends ShellCommand {
  @Mixin private MachinesOption machines;

  @Option(
      names = "--fabric",
      paramLabel = "TREE|FILE",
      required = true,
      description = "XGFT(..), PGFT(..) or K-ary-N-tree, or a fabric file.")
  private String fabric;

  @Option(
      names = {"-r", "--requests"},
      paramLabel = "REQUESTS",
      required = true,
      description = "What arrives, see below; may be given several times.")
  private List<String> requests;

  @Option(
      names = {"-a", "--allocator"},
      paramLabel = "NAME",
      split = ",",
      defaultValue = Allocator.DEFAULT,
      completionCandidates = Choices.Allocators.class,
      description = "Allocators (default: exact).")
  private List<String> allocatorNames;

  @Option(
      names = {"-q", "--queue"},
      paramLabel = "NAME",
      split = ",",
      defaultValue = "fifo",
      completionCandidates = Choices.Queues.class,
      description = "fifo (the first blocks all, default) or easy (backfilling).")
  private List<String> queues;

  @Option(
      names = "--depth",
      paramLabel = "N",
      defaultValue = "" + ScheduleOptions.DEPTH,
      description = "Requests behind the first that easy looks at (default: 100).")
  private int depth;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Seed for drawn requests and broken links (default: 1).")
  private long seed;

  @Option(
      names = "--run-times",
      paramLabel = "A..B",
      defaultValue = "20..3000",
      description = "Range of drawn run times, uniform (default: 20..3000).")
  private String runTimes;

  @Option(
      names = "--mean-gap",
      paramLabel = "TIME",
      defaultValue = "0",
      description = "Drawn requests arrive at random with this mean gap; default: all at 0.")
  private double meanGap;

  @Option(
      names = "--processors-per-host",
      paramLabel = "N",
      defaultValue = "0",
      description = "For .swf files (default: MaxProcs / MaxNodes of the file, or 1).")
  private int processors;

  @Option(
      names = "--known-run-times",
      description =
          "Backfilling knows how long jobs of .swf files will run, not only what was requested "
              + "(field 9).")
  private boolean knownRunTimes;

  @Option(
      names = "--break-links",
      paramLabel = "N|N%",
      split = ",",
      defaultValue = "0",
      description = "First remove this many links between switches; several values for a sweep.")
  private List<String> damages;

  @Option(
      names = "--relink",
      paramLabel = "N",
      defaultValue = "0",
      description = {
        "Give up to N running tenants other links, on the hosts they have, when the first in the",
        "queue would have to wait for links (default: 0)."
      })
  private int relink;

  @Mixin private SearchOptions search;

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "0",
      description = "Simulations at a time (default: one per processor; 1 with --times).")
  private int threads;

  @Option(names = "--times", description = "Report how long allocation attempts took.")
  private boolean times;

  @Option(
      names = "--verify",
      paramLabel = "N",
      arity = "0..1",
      defaultValue = "0",
      fallbackValue = "12",
      description = {
        "Prove every placement, each with N permutations (12 without N);",
        "exit code 1 if one is wrong."
      })
  private int permutations;

  @Option(names = "--csv", description = "Print CSV, one line per simulation.")
  private boolean csv;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "DIR",
      description = "Write runs.csv, report.json, figures, and what was held over time.")
  private String output;

  private final Map<ScheduleRun, PlacementProof> proofs = new ConcurrentHashMap<>();

  public ScheduleCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    forbidCsvWithJson(csv);
    if (permutations < 0) {
      throw Failure.badInput("--verify takes a number of permutations, 1 or more");
    }
    List<Allocator> allocators = allocatorNames.stream().map(Allocators::named).toList();
    List<ScheduleOptions> options = options();
    RequestsArgument.Settings settings = settings();
    List<ScheduleRun> runs = new ArrayList<>();
    List<PlantArgument.Damaged> plants = PlantArgument.read(session, fabric, damages, seed);
    for (String text : requests) {
      int hosts = plants.getFirst().plant().hostCount();
      for (var named : RequestsArgument.read(session, text, settings, hosts)) {
        for (PlantArgument.Damaged plant : plants) {
          for (Allocator allocator : allocators) {
            for (ScheduleOptions o : options) {
              runs.add(plant.run(named, allocator, o));
            }
          }
        }
      }
    }
    Path folder = output == null ? null : session.outputs().directory(output);
    List<ScheduleRun> done = simulate(runs);
    List<String> findings = new ArrayList<>();
    int verified = 0;
    for (ScheduleRun run : runs) {
      PlacementProof proof = proofs.get(run);
      verified += proof == null ? 0 : proof.checked();
      findings.addAll(proof == null ? List.of() : proof.findings());
    }
    report(done, verified, findings, folder);
    return findings.isEmpty() ? ExitCode.OK : ExitCode.FINDINGS;
  }

  private List<ScheduleRun> simulate(List<ScheduleRun> runs) {
    int most = times ? 1 : Runtime.getRuntime().availableProcessors();
    try (Progress progress = session.terminal().progress("simulating")) {
      return new ScheduleRunner(threads > 0 ? threads : most, progress, this::watcher).run(runs);
    }
  }

  private Watcher watcher(ScheduleRun run) {
    return permutations > 0
        ? proofs.computeIfAbsent(run, r -> new PlacementProof(r, seed, permutations))
        : Watcher.NONE;
  }

  // ---- arguments

  private List<ScheduleOptions> options() {
    List<ScheduleOptions> out = new ArrayList<>();
    for (String name : queues) {
      QueuePolicy policy =
          Arrays.stream(QueuePolicy.values())
              .filter(p -> p.name().equalsIgnoreCase(name))
              .findFirst()
              .orElseThrow(
                  () -> Failure.badInput("there is no queue '" + name + "'", "queues: fifo, easy"));
      try {
        out.add(
            new ScheduleOptions(policy, depth, search.oversubscription(), search.budget(), relink));
      } catch (IllegalArgumentException e) {
        throw Failure.badInput(e.getMessage());
      }
    }
    return out;
  }

  private RequestsArgument.Settings settings() {
    int dots = runTimes.indexOf("..");
    try {
      long shortest = Long.parseLong(runTimes.substring(0, Math.max(0, dots)));
      long longest = Long.parseLong(runTimes.substring(dots + 2));
      if (shortest >= 0 && shortest <= longest && longest <= 1_000_000_000_000L) {
        if (!(meanGap >= 0 && meanGap <= 1e9) || processors < 0) {
          throw Failure.badInput("--mean-gap and --processors-per-host must not be negative");
        }
        return new RequestsArgument.Settings(
            seed, shortest, longest, meanGap, processors, knownRunTimes);
      }
    } catch (NumberFormatException e) {
      // reported below, like an empty range
    }
    throw Failure.badInput("--run-times " + runTimes + ": a range such as 20..3000 is expected");
  }

  // ---- results

  private void report(List<ScheduleRun> runs, int verified, List<String> findings, Path folder) {
    ScheduleDocument document =
        new ScheduleDocument(
            "heddle.simulate-schedule/1",
            fabric,
            seed,
            runs.stream().map(r -> ScheduleDocument.run(r, times)).toList(),
            permutations > 0 ? verified : null,
            findings);
    if (json()) {
      Json.print(session, document);
    } else if (csv) {
      ScheduleTables.csv(session.out(), runs);
    } else {
      ScheduleTables.print(session, runs, times);
      if (permutations > 0) {
        session
            .out()
            .printf(
                Locale.ROOT,
                "verified %s: %s%n",
                Counted.of(verified, "placement", "placements"),
                findings.isEmpty() ? "all keep their promise" : "NOT ALL KEEP THEIR PROMISE");
        findings.forEach(f -> session.out().println("  " + f));
      }
    }
    if (folder != null) {
      write(runs, document, folder);
    }
  }

  private void write(List<ScheduleRun> runs, ScheduleDocument document, Path folder) {
    session
        .outputs()
        .text(folder.resolve("report.json").toString(), out -> Json.print(session, out, document));
    session
        .outputs()
        .text(folder.resolve("runs.csv").toString(), out -> ScheduleTables.csv(out, runs));
    Figure figure = ScheduleFigures.utilisation(runs, fabric);
    FigureFiles figures = new FigureFiles(session);
    if (figure != null) {
      figures.write(folder.resolve("utilisation").toString(), figure);
    } else {
      for (int i = 0; i < runs.size(); i++) {
        ScheduleRun run = runs.get(i);
        String queue = run.options().queue().name().toLowerCase(Locale.ROOT);
        String name =
            String.format(Locale.ROOT, "timeline-%02d-%s-%s", i + 1, run.allocator().name(), queue);
        session
            .outputs()
            .text(
                folder.resolve(name + ".csv").toString(),
                out -> ScheduleTables.timeline(out, run.result().timeline()));
        figures.write(folder.resolve(name).toString(), ScheduleFigures.timeline(run, fabric));
      }
    }
    figures.warn();
    if (!json() && !csv) {
      session.out().println("wrote " + output + ": report.json, runs.csv and figures");
    }
  }
}
