package org.heddle.cli.simulate;

import java.util.ArrayList;
import java.util.List;
import org.heddle.migrate.MigrationResult;
import org.heddle.migrate.MigrationScenario;
import org.heddle.migrate.MigrationSimulation;

/**
 * The JSON output of {@code simulate migrate}.
 *
 * @param from how machines are spread at first
 * @param to what they are moved to
 * @param population machines as a percentage of all functions
 * @param vmsPerHost functions of a hypervisor
 * @param moves in all
 * @param totals of all moves, one each method
 * @param samples before the first move, and after equal parts of them
 */
record MigrationDocument(
    String format,
    String fabric,
    int hypervisors,
    int switches,
    String engine,
    String from,
    String to,
    int population,
    int vmsPerHost,
    int groups,
    String scheme,
    int machines,
    int moves,
    long bisections,
    long seed,
    List<Total> totals,
    List<Sample> samples) {
  static final String FORMAT = "heddle.simulate-migrate/1";

  /**
   * One method, all moves.
   *
   * @param minimumMean 2c - 1, c the level of the common ancestors
   * @param noted moves for which more was looked at than the method's switches, or a LID dropped
   */
  record Total(
      String method,
      Double switchesMean,
      int switchesMax,
      Double smpsMean,
      int smpsMax,
      long smps,
      Double minimumMean,
      int noted) {}

  /**
   * One state.
   *
   * @param percent of the moves
   * @param freshBandwidth of tables computed anew, null without bisections
   */
  record Sample(
      int moves, double percent, Double freshBandwidth, long freshLostFlows, List<Of> methods) {}

  /**
   * One method in one state; switches and packets of the moves since the state before.
   *
   * @param bandwidth of the tables that have followed the machines, null without bisections
   * @param freshSmps packets that would write the tables computed anew
   */
  record Of(
      String method,
      Double bandwidth,
      long lostFlows,
      Double switchesMean,
      int switchesMax,
      Double smpsMean,
      int smpsMax,
      Double minimumMean,
      int noted,
      long freshSmps) {}

  static MigrationDocument of(
      String fabric,
      String engine,
      MigrationScenario scenario,
      MigrationSimulation.Settings settings,
      MigrationResult result) {
    List<Total> totals = new ArrayList<>();
    settings.methods().forEach(m -> totals.add(total(m.key(), result.total(m))));
    List<Sample> samples = new ArrayList<>();
    for (MigrationResult.Sample s : result.samples()) {
      samples.add(
          new Sample(
              s.moves(),
              result.moves() == 0 ? 100 : 100.0 * s.moves() / result.moves(),
              number(s.freshBandwidth()),
              s.freshLost(),
              s.methods().stream().map(MigrationDocument::of).toList()));
    }
    return new MigrationDocument(
        FORMAT,
        fabric,
        result.hypervisors(),
        result.switches(),
        engine,
        scenario.from().key(),
        scenario.to().key(),
        scenario.population(),
        scenario.functions(),
        scenario.groups(),
        scenario.scheme().key(),
        result.machines(),
        result.moves(),
        settings.bisections(),
        settings.seed(),
        totals,
        samples);
  }

  private static Total total(String method, MigrationResult.Costs c) {
    return new Total(
        method,
        number(c.meanSwitches()),
        c.mostSwitches(),
        number(c.meanSmps()),
        c.mostSmps(),
        c.smps(),
        number(c.meanMinimum()),
        c.noted());
  }

  private static Of of(MigrationResult.Of of) {
    MigrationResult.Costs c = of.costs();
    return new Of(
        of.method().key(),
        number(of.bandwidth()),
        of.lost(),
        number(c.meanSwitches()),
        c.mostSwitches(),
        number(c.meanSmps()),
        c.mostSmps(),
        number(c.meanMinimum()),
        c.noted(),
        of.freshSmps());
  }

  private static Double number(double value) {
    return Double.isNaN(value) ? null : value;
  }
}
