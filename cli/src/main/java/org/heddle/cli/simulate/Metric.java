package org.heddle.cli.simulate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.heddle.cli.shell.Failure;

/** What can be asked of congestion trials, with the names ORCS uses. */
enum Metric {
  HIST_MAX_CONG,
  HIST_ACC_BAND,
  SUM_MAX_CONG,
  DEP_MAX_DELAY,
  EFFECTIVE_BANDWIDTH,
  CHANNEL_LOAD;

  /** As on the command line. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The metrics of words.
   *
   * @throws Failure exit code 2 for a word that is none
   */
  static List<Metric> parse(List<String> words) {
    List<Metric> out = new ArrayList<>();
    for (String word : words) {
      String name = word.toLowerCase(Locale.ROOT).replace('-', '_');
      Metric metric =
          Arrays.stream(values())
              .filter(m -> m.word().equals(name))
              .findFirst()
              .orElseThrow(
                  () ->
                      Failure.badInput(
                          "there is no metric '" + word + "'",
                          "metrics: "
                              + String.join(
                                  ", ", Arrays.stream(values()).map(Metric::word).toList())));
      if (!out.contains(metric)) {
        out.add(metric);
      }
    }
    return out;
  }
}
