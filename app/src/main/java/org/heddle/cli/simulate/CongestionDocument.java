package org.heddle.cli.simulate;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.heddle.congestion.Histogram;
import org.heddle.congestion.Statistics;

/**
 * The JSON output of {@code simulate congestion} and {@code merge}. All counts are exact, so that
 * parts of a run can be put together again.
 *
 * @param from number of the first trial in here
 * @param to one more than that of the last
 */
record CongestionDocument(String format, Setup setup, long from, long to, Results results) {
  static final String FORMAT = "heddle.simulate-congestion/1";

  /**
   * What was evaluated.
   *
   * @param fabric file
   * @param tables file
   * @param network fingerprint of all routes, hexadecimal
   * @param group who was measured: {@code all}, or a tenant
   * @param hosts of the group
   * @param ranks that took part in a trial
   * @param interferer null for none
   * @param trials of the whole run
   * @param delayRanks ranks that enter dep_max_delay
   */
  record Setup(
      String fabric,
      String tables,
      String network,
      String group,
      String pattern,
      int hosts,
      int ranks,
      Interferer interferer,
      boolean shuffled,
      long seed,
      long trials,
      int delayRanks) {

    /** True if it is the same run, whatever the files are called. */
    boolean sameAs(Setup o) {
      return equals(o.withFiles(fabric, tables));
    }

    /** The same run with other names of its files. */
    Setup withFiles(String otherFabric, String otherTables) {
      return new Setup(
          otherFabric,
          otherTables,
          network,
          group,
          pattern,
          hosts,
          ranks,
          interferer,
          shuffled,
          seed,
          trials,
          delayRanks);
    }
  }

  /** The group that gets in the way. */
  record Interferer(String group, String pattern, int hosts) {}

  /**
   * What came out. Numbers that do not exist are null.
   *
   * @param histMaxCong weights of flows
   * @param sumMaxCong sums over levels of the largest weight
   * @param depMaxDelay longest chains of messages, null if not asked for
   * @param histAccBand trials by their mean of 1 / weight, 20 bins
   * @param channels load of channels, null if not asked for
   */
  record Results(
      long lostFlows,
      Double effectiveBandwidth,
      Spread histMaxCong,
      Spread sumMaxCong,
      Spread depMaxDelay,
      long[] histAccBand,
      List<ChannelCount> channels) {}

  /** Counted whole numbers. */
  record Spread(long count, int min, Double mean, Double variance, int max, List<Counted> values) {}

  /** How often a value was seen. */
  record Counted(int value, long count) {}

  /**
   * A channel.
   *
   * @param node GUID of the node it leaves
   * @param port number of the port it leaves
   * @param load flows, summed over levels and trials
   * @param peak most flows in one level
   */
  record ChannelCount(String node, int port, long load, int peak) {}

  /** The same with other names of its files. */
  CongestionDocument withFiles(String fabric, String tables) {
    return new CongestionDocument(format, setup.withFiles(fabric, tables), from, to, results);
  }

  static Results results(Statistics s, List<ChannelCount> channels) {
    return new Results(
        s.lost(),
        number(s.bandwidth()),
        spread(s.weights()),
        spread(s.maxima()),
        s.delays().max() < 0 ? null : spread(s.delays()),
        s.bands(),
        channels);
  }

  private static Double number(double value) {
    return Double.isNaN(value) ? null : value;
  }

  private static Spread spread(Histogram h) {
    List<Counted> values = new ArrayList<>();
    for (int v = Math.max(0, h.min()); v <= h.max(); v++) {
      if (h.count(v) != 0) {
        values.add(new Counted(v, h.count(v)));
      }
    }
    return new Spread(h.count(), h.min(), number(h.mean()), number(h.variance()), h.max(), values);
  }

  /**
   * The counts of a document.
   *
   * @throws IllegalArgumentException with a message for people if something is missing or absurd
   */
  Statistics statistics() {
    if (!FORMAT.equals(format) || setup == null || results == null) {
      throw new IllegalArgumentException("it is no document " + FORMAT);
    }
    if (setup.network == null || from < 0 || to < from || to > setup.trials) {
      throw new IllegalArgumentException("it does not say which trials it holds");
    }
    List<ChannelCount> channels = Objects.requireNonNullElse(results.channels, List.of());
    long[] load = new long[channels.size()];
    int[] peak = new int[channels.size()];
    for (int c = 0; c < load.length; c++) {
      if (channels.get(c) == null) {
        throw new IllegalArgumentException("a channel is missing");
      }
      load[c] = channels.get(c).load;
      peak[c] = channels.get(c).peak;
    }
    long[] bands = Objects.requireNonNullElse(results.histAccBand, new long[0]);
    return Statistics.of(
        to - from,
        results.lostFlows,
        histogram(results.histMaxCong),
        histogram(results.sumMaxCong),
        histogram(results.depMaxDelay),
        bands,
        load,
        peak);
  }

  private static Histogram histogram(Spread spread) {
    Histogram out = new Histogram();
    if (spread == null || spread.values == null) {
      return out;
    }
    for (Counted v : spread.values) {
      if (v == null || v.value < 0 || v.value > 1 << 28 || v.count < 0) {
        throw new IllegalArgumentException("a count is out of range");
      }
      out.add(v.value, v.count);
    }
    return out;
  }
}
