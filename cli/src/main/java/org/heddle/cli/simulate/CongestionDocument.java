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
    for (int v = h.min(); v >= 0; v = h.next(v)) {
      values.add(new Counted(v, h.count(v)));
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
      throw new IllegalArgumentException("it is not a document " + FORMAT);
    }
    if (setup.network == null || from < 0 || to < from || to > setup.trials) {
      throw new IllegalArgumentException("it does not say which trials it holds");
    }
    boolean named = setup.group != null && setup.pattern != null && setup.ranks >= 0;
    require(named && setup.hosts >= setup.ranks, "it does not say who was measured");
    long trials = to - from;
    List<ChannelCount> channels = Objects.requireNonNullElse(results.channels, List.of());
    long[] load = new long[channels.size()];
    int[] peak = new int[channels.size()];
    for (int c = 0; c < load.length; c++) {
      ChannelCount one = channels.get(c);
      require(one != null && one.node != null, "a channel is missing");
      require(one.load >= one.peak && one.peak >= 0, "the load of a channel is out of range");
      load[c] = one.load;
      peak[c] = one.peak;
    }
    Histogram weights = histogram(results.histMaxCong, "hist_max_cong");
    Histogram maxima = histogram(results.sumMaxCong, "sum_max_cong");
    Histogram delays = histogram(results.depMaxDelay, "dep_max_delay");
    long[] bands = Objects.requireNonNullElse(results.histAccBand, new long[0]);
    require(results.lostFlows >= 0, "lost_flows is below 0");
    require(weights.count(0) == 0, "hist_max_cong counts messages without weight");
    require(maxima.count() == trials, "sum_max_cong does not count every trial");
    boolean delayed = results.depMaxDelay != null;
    require(!delayed || delays.count() == trials, "dep_max_delay does not count every trial");
    long banded = 0;
    for (long count : bands) {
      require(count >= 0 && count <= trials - banded, "hist_acc_band counts more than all trials");
      banded += count;
    }
    return Statistics.of(trials, results.lostFlows, weights, maxima, delays, bands, load, peak);
  }

  private static void require(boolean condition, String otherwise) {
    if (!condition) {
      throw new IllegalArgumentException(otherwise);
    }
  }

  private static Histogram histogram(Spread spread, String name) {
    Histogram out = new Histogram();
    if (spread == null) {
      return out;
    }
    long sum = 0;
    for (Counted v : Objects.requireNonNullElse(spread.values, List.<Counted>of())) {
      boolean sane = v != null && v.value >= 0 && v.count > 0 && v.count <= spread.count - sum;
      require(sane, name + ": counts are out of range, or do not add up");
      out.add(v.value, v.count);
      sum += v.count;
    }
    require(sum == spread.count, name + ": counts do not add up");
    return out;
  }
}
