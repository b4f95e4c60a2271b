package org.heddle.cli.simulate;

import java.util.List;
import org.heddle.cli.shell.Choices;
import picocli.CommandLine.Option;

/** {@code --metric}: what is printed of a study. */
final class MetricOption {
  @Option(
      names = {"-m", "--metric"},
      paramLabel = "NAME",
      split = ",",
      defaultValue = "hist_max_cong",
      completionCandidates = Choices.Metrics.class,
      description = "What to print (default: hist_max_cong); separate several with commas.")
  private List<String> metricNames;

  /** The metrics asked for, in that order. */
  List<Metric> metrics() {
    return Metric.parse(metricNames);
  }
}
