package org.heddle.cli.simulate;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.FabricFiles;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.MachinesOption;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.Shard;
import org.heddle.cli.shell.ShellCommand;
import org.heddle.cli.shell.SlurmArray;
import org.heddle.cli.shell.TableFiles;
import org.heddle.cli.simulate.CongestionDocument.ChannelCount;
import org.heddle.congestion.AllToAllLoads;
import org.heddle.congestion.Group;
import org.heddle.congestion.Routes;
import org.heddle.congestion.Statistics;
import org.heddle.congestion.Study;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.text.lft.BoundTables;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code heddle simulate congestion}: patterns over forwarding tables. */
@Command(
    name = "congestion",
    description = {
      "Send messages of a pattern over forwarding tables, and see how they share channels.",
      "Patterns and metrics are those of ORCS; the weight of a message is the number of messages",
      "on the fullest channel of its route, host links included."
    },
    footer = {
      "",
      "Patterns: bisect, bisect-fb-sym, gather, scatter, all-to-all, null, neighbor:K, bruck,",
      "recdbl, ring, permutation, shift[:K], stencil2d[:XxY], stencil3d[:XxYxZ], tree, tree-reduce.",
      "Metrics: hist_max_cong, hist_acc_band, sum_max_cong, dep_max_delay, effective_bandwidth,",
      "channel_load; --json holds the first three always.",
      "",
      "Examples:",
      "  heddle simulate congestion big.net big.hlft --pattern bisect --trials 10000",
      "  heddle simulate congestion big.net big.hlft -p bruck -m sum_max_cong --no-shuffle",
      "  heddle simulate congestion big.net big.hlft --shard 1/4 -o part1.json",
      "  heddle simulate congestion big.net big.hlft -n 1000000 -o sum.json --slurm 8"
    })
public final class CongestionCommand extends ShellCommand {
  @Mixin private MachinesOption machines;

  @Parameters(index = "0", paramLabel = "FABRIC", description = "Fabric file.")
  private String fabricFile;

  @Parameters(index = "1", paramLabel = "TABLES", description = "Forwarding tables.")
  private String tablesFile;

  @Mixin private HostChoice hosts;

  @Mixin private MetricOption shown;

  @Option(
      names = {"-n", "--trials"},
      paramLabel = "N",
      defaultValue = "10000",
      description = "Number of trials (default: 10000; 1 with --no-shuffle and --flows).")
  private long trials;

  @Option(
      names = "--no-shuffle",
      description = "Give ranks to hosts in GUID order instead of drawing them in every trial.")
  private boolean inOrder;

  @Option(
      names = "--delay-ranks",
      paramLabel = "N",
      defaultValue = "0",
      description = "Count only the first N ranks in dep_max_delay (default: all).")
  private int delayRanks;

  @Option(
      names = "--shard",
      paramLabel = "I/N",
      description = "Run one of N equal parts of the trials; 'simulate merge' adds them up.")
  private String shard;

  @Option(
      names = "--slurm",
      paramLabel = "N",
      description = "Submit N parts as a Slurm job array, wait, and add them up; needs -o.")
  private Integer slurm;

  @Mixin private SlurmArray.Options cluster;

  @Mixin private TrialOptions how;

  @Option(names = "--csv", description = "Print CSV, one line per value or channel.")
  private boolean csv;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Write the JSON document to a file, for 'simulate merge'.")
  private String output;

  public CongestionCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    forbidCsvWithJson(csv);
    forbidJsonIntoOutput(output);
    if (output != null) {
      session.outputs().check(output);
    }
    checkSlurm();
    List<Metric> metrics = shown.metrics();
    BoundTables bound = TableFiles.read(session, FabricFiles.read(session, fabricFile), tablesFile);
    HostChoice.Chosen chosen = hosts.choose(session, bound);
    boolean shuffled = !inOrder && !hosts.listed();
    boolean random = shuffled || chosen.groups().stream().anyMatch(g -> g.pattern().random());
    long all = random ? trials : 1;
    Trials part = Trials.of(all, shard);
    Study.Settings settings = settings(chosen.groups().getFirst(), shuffled, metrics);
    CongestionDocument document =
        slurm == null
            ? here(bound, chosen, settings, all, part)
            : onSlurm(metrics, settings).withFiles(fabricFile, tablesFile);
    report(document, metrics);
    return document.results().lostFlows() == 0 ? ExitCode.OK : ExitCode.FINDINGS;
  }

  private void checkSlurm() {
    if (slurm == null) {
      return;
    }
    if (shard != null) {
      throw Failure.badInput("--slurm makes the parts itself; leave out --shard");
    }
    if (output == null || output.equals("-")) {
      throw Failure.badInput("--slurm needs a file for the result: -o FILE");
    }
    HostChoice.elsewhere(fabricFile);
    HostChoice.elsewhere(tablesFile);
    hosts.words();
  }

  /** Parts go to a folder beside the output file. */
  private CongestionDocument onSlurm(List<Metric> metrics, Study.Settings settings) {
    Path folder = session.outputs().directory(output + ".parts");
    List<String> words = new ArrayList<>(List.of("simulate", "congestion"));
    words.add(HostChoice.elsewhere(fabricFile));
    words.add(HostChoice.elsewhere(tablesFile));
    words.addAll(hosts.words());
    metrics.forEach(metric -> words.addAll(List.of("--metric", metric.word())));
    words.addAll(List.of("--trials", String.valueOf(trials), "--seed", String.valueOf(how.seed())));
    words.addAll(List.of("--threads", String.valueOf(Math.max(1, how.threads()))));
    words.addAll(List.of("--delay-ranks", String.valueOf(settings.delayRanks())));
    if (inOrder) {
      words.add("--no-shuffle");
    }
    List<String> files = new SlurmArray(folder, slurm, cluster.sbatch()).collect(session, words);
    return CongestionParts.merge(session, files);
  }

  private CongestionDocument here(
      BoundTables bound, HostChoice.Chosen chosen, Study.Settings settings, long all, Trials part) {
    Done done = run(bound, chosen, settings, part);
    return new CongestionDocument(
        CongestionDocument.FORMAT,
        setup(chosen.groups(), settings, all, done.network),
        part.from(),
        part.to(),
        CongestionDocument.results(done.statistics, channels(bound.fabric(), done)));
  }

  private Study.Settings settings(Group measured, boolean shuffled, List<Metric> metrics) {
    if (delayRanks < 0) {
      throw Failure.badInput("--delay-ranks " + delayRanks + ": 1 or more are expected");
    }
    return new Study.Settings(
        how.seed(),
        shuffled,
        metrics.contains(Metric.DEP_MAX_DELAY),
        delayRanks < measured.ranks() ? delayRanks : 0,
        metrics.contains(Metric.CHANNEL_LOAD));
  }

  /**
   * What came out.
   *
   * @param network fingerprint of all routes
   * @param portOf the port a channel leaves
   */
  private record Done(Statistics statistics, long network, IntUnaryOperator portOf) {}

  private Done run(
      BoundTables bound, HostChoice.Chosen chosen, Study.Settings settings, Trials part) {
    int most = Shard.threads(how.threads());
    if (chosen.allToAll() && settings.delayRanks() == 0) {
      // The same numbers without tracing routes: one trial is like all others.
      AllToAllLoads loads = AllToAllLoads.of(bound.fabric(), bound.tables(), chosen.ports());
      AllToAllLoads.Exchange done = loads.exchange(part.to() - part.from(), settings);
      return new Done(done.statistics(), done.fingerprint(), loads::portOfChannel);
    }
    Routes routes = HostChoice.routes(session, bound, chosen.ports());
    Study study = new Study(routes, chosen.groups(), settings);
    return new Done(part.run(session, study, most), routes.fingerprint(), routes::portOfChannel);
  }

  private CongestionDocument.Setup setup(
      List<Group> groups, Study.Settings settings, long all, long network) {
    Group measured = groups.getFirst();
    Group other = groups.size() > 1 ? groups.get(1) : null;
    return new CongestionDocument.Setup(
        fabricFile,
        tablesFile,
        String.format("%016x", network),
        measured.name(),
        measured.pattern().name(),
        measured.hosts().length,
        measured.ranks(),
        other == null
            ? null
            : new CongestionDocument.Interferer(
                other.name(), other.pattern().name(), other.hosts().length),
        settings.shuffle(),
        how.seed(),
        all,
        settings.delayRanks() == 0 ? measured.ranks() : settings.delayRanks());
  }

  private static List<ChannelCount> channels(Fabric fabric, Done done) {
    Statistics statistics = done.statistics;
    if (statistics.channels() == 0) {
      return null;
    }
    List<ChannelCount> out = new ArrayList<>();
    for (int c = 0; c < statistics.channels(); c++) {
      int port = done.portOf.applyAsInt(c);
      String node = Guid.format(fabric.nodeGuid(fabric.nodeOf(port)));
      out.add(
          new ChannelCount(node, fabric.numberOf(port), statistics.load(c), statistics.peak(c)));
    }
    return out;
  }

  private void report(CongestionDocument document, List<Metric> metrics) {
    if (output != null) {
      session.outputs().text(output, out -> Json.print(session, out, document));
    }
    if (json()) {
      Json.print(session, document);
    } else if (csv) {
      CongestionPrinter.csv(session.out(), document, metrics);
    } else if (!"-".equals(output)) {
      CongestionPrinter.print(session, document, metrics);
    }
  }
}
