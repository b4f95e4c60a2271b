package org.heddle.cli.simulate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.heddle.cli.shell.Choices;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import org.heddle.congestion.Statistics;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code heddle simulate merge}: puts parts of a run together. */
@Command(
    name = "merge",
    description = {
      "Put parts of one run of 'simulate congestion --shard' together.",
      "The result is that of the whole run in one piece, to the last digit."
    },
    footer = {
      "",
      "Example:",
      "  heddle simulate merge part1.json part2.json part3.json part4.json"
    })
public final class MergeCommand extends ShellCommand {
  private record Part(String file, CongestionDocument document, Statistics statistics) {}

  @Parameters(
      arity = "1..*",
      paramLabel = "FILE",
      description = "JSON documents of the parts, in any order.")
  private List<String> files;

  @Option(
      names = {"-m", "--metric"},
      paramLabel = "NAME",
      split = ",",
      defaultValue = "hist_max_cong",
      completionCandidates = Choices.Metrics.class,
      description = "What to print (default: hist_max_cong); several with commas.")
  private List<String> metricNames;

  @Option(names = "--csv", description = "Print CSV, one line a value or channel.")
  private boolean csv;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Write the JSON document to a file.")
  private String output;

  public MergeCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    if (csv && json()) {
      throw Failure.badInput("--csv and --json would both go to standard output");
    }
    forbidJsonIntoOutput(output);
    List<Metric> metrics = Metric.parse(metricNames);
    List<Part> parts = new ArrayList<>();
    for (String file : files) {
      parts.add(read(file));
    }
    CongestionDocument merged = merge(parts);
    for (Metric metric : metrics) {
      boolean delays = metric == Metric.DEP_MAX_DELAY && merged.results().depMaxDelay() == null;
      boolean loads = metric == Metric.CHANNEL_LOAD && merged.results().channels() == null;
      if (delays || loads) {
        throw Failure.badInput("the parts were run without --metric " + metric.word());
      }
    }
    if (output != null) {
      session.outputs().text(output, out -> Json.print(out, merged));
    }
    if (json()) {
      Json.print(session.out(), merged);
    } else if (csv) {
      CongestionPrinter.csv(session.out(), merged, metrics);
    } else if (!"-".equals(output)) {
      CongestionPrinter.print(session, merged, metrics);
    }
    return merged.results().lostFlows() == 0 ? ExitCode.OK : ExitCode.FINDINGS;
  }

  private Part read(String file) {
    String expected = "the output of 'heddle simulate congestion --shard .. -o FILE'";
    CongestionDocument document = Json.read(session, file, CongestionDocument.class, expected);
    try {
      return new Part(file, document, document.statistics());
    } catch (IllegalArgumentException e) {
      throw Failure.badInput(file + ": " + e.getMessage(), expected + " is expected");
    }
  }

  private CongestionDocument merge(List<Part> parts) {
    parts.sort(Comparator.comparingLong(p -> p.document.from()));
    Part first = parts.getFirst();
    Statistics sum = new Statistics(first.statistics.channels());
    long next = 0;
    for (Part part : parts) {
      if (!part.document.setup().sameAs(first.document.setup())
          || part.statistics.channels() != sum.channels()) {
        throw Failure.badInput(part.file + " is of another run than " + first.file);
      }
      if (part.document.from() != next) {
        throw part.document.from() < next
            ? Failure.badInput(part.file + " holds trials that another file holds, too")
            : missing(next, part.document.from());
      }
      next = part.document.to();
      sum.add(part.statistics);
    }
    long all = first.document.setup().trials();
    if (next != all) {
      throw missing(next, all);
    }
    return new CongestionDocument(
        CongestionDocument.FORMAT,
        first.document.setup(),
        0,
        all,
        CongestionDocument.results(sum, channels(first, sum)));
  }

  private static Failure missing(long from, long to) {
    return Failure.badInput("trials " + from + " to " + (to - 1) + " are in none of the files");
  }

  private static List<CongestionDocument.ChannelCount> channels(Part first, Statistics sum) {
    List<CongestionDocument.ChannelCount> channels = first.document.results().channels();
    if (channels == null) {
      return null;
    }
    List<CongestionDocument.ChannelCount> out = new ArrayList<>();
    for (int c = 0; c < channels.size(); c++) {
      CongestionDocument.ChannelCount one = channels.get(c);
      out.add(
          new CongestionDocument.ChannelCount(one.node(), one.port(), sum.load(c), sum.peak(c)));
    }
    return out;
  }
}
