package org.heddle.cli.simulate;

import java.util.List;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code heddle simulate merge}: puts parts of a run together. */
@Command(
    name = "merge",
    description = {
      "Combine the parts of one run of 'simulate congestion --shard'.",
      "The result is that of an undivided run, to the last digit."
    },
    footer = {
      "",
      "Example:",
      "  heddle simulate merge part1.json part2.json part3.json part4.json"
    })
public final class MergeCommand extends ShellCommand {
  @Parameters(
      arity = "1..*",
      paramLabel = "FILE",
      description = "JSON documents of the parts, in any order.")
  private List<String> files;

  @Mixin private MetricOption shown;

  @Option(names = "--csv", description = "Print CSV, one line per value or channel.")
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
    forbidCsvWithJson(csv);
    forbidJsonIntoOutput(output);
    List<Metric> metrics = shown.metrics();
    CongestionDocument merged = CongestionParts.merge(session, files);
    for (Metric metric : metrics) {
      boolean delays = metric == Metric.DEP_MAX_DELAY && merged.results().depMaxDelay() == null;
      boolean loads = metric == Metric.CHANNEL_LOAD && merged.results().channels() == null;
      if (delays || loads) {
        throw Failure.badInput("the parts were run without --metric " + metric.word());
      }
    }
    if (output != null) {
      session.outputs().text(output, out -> Json.print(session, out, merged));
    }
    if (json()) {
      Json.print(session, merged);
    } else if (csv) {
      CongestionPrinter.csv(session.out(), merged, metrics);
    } else if (!"-".equals(output)) {
      CongestionPrinter.print(session, merged, metrics);
    }
    return merged.results().lostFlows() == 0 ? ExitCode.OK : ExitCode.FINDINGS;
  }
}
