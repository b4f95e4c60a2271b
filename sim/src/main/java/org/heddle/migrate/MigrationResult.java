package org.heddle.migrate;

import java.util.List;
import org.heddle.reconfig.migration.MigrationOptions;

/**
 * The result of a simulation.
 *
 * @param hypervisors places for machines
 * @param switches in the fabric
 * @param machines all of them
 * @param moves in all
 * @param samples before the first move, then after equal parts of the moves
 */
public record MigrationResult(
    int hypervisors, int switches, int machines, int moves, List<Sample> samples) {
  public MigrationResult {
    samples = List.copyOf(samples);
  }

  /**
   * One state of the machines.
   *
   * @param moves made so far
   * @param freshBandwidth effective bisection bandwidth of tables computed anew, as a share of a
   *     link; NaN if none was asked for
   * @param freshLost messages that did not arrive with them
   * @param methods one each, in the order asked for
   */
  public record Sample(int moves, double freshBandwidth, long freshLost, List<Of> methods) {
    public Sample {
      methods = List.copyOf(methods);
    }
  }

  /**
   * One method.
   *
   * @param method how tables followed the machines
   * @param costs of the moves since the sample before
   * @param bandwidth as {@link Sample#freshBandwidth}, of the tables that have followed
   * @param lost messages that did not arrive
   * @param freshSmps packets that would replace these tables by those computed anew
   */
  public record Of(
      MigrationOptions.Method method, Costs costs, double bandwidth, long lost, long freshSmps) {}

  /**
   * What moves cost, summed up. Packets are those that write forwarding tables.
   *
   * @param moves number of them
   * @param switches switches written to
   * @param mostSwitches of one move
   * @param smps packets
   * @param mostSmps of one move
   * @param minimum 2c - 1 switches a move with common ancestors at level c: what would do for the
   *     traffic of hosts if ports could be chosen freely
   * @param noted moves whose plan says that more switches than the method's had to be looked at, or
   *     a LID dropped temporarily
   */
  public record Costs(
      int moves,
      long switches,
      int mostSwitches,
      long smps,
      int mostSmps,
      long minimum,
      int noted) {
    /** Of no move. */
    public static final Costs NONE = new Costs(0, 0, 0, 0, 0, 0, 0);

    /** Together with others. */
    public Costs plus(Costs o) {
      return new Costs(
          moves + o.moves,
          switches + o.switches,
          Math.max(mostSwitches, o.mostSwitches),
          smps + o.smps,
          Math.max(mostSmps, o.mostSmps),
          minimum + o.minimum,
          noted + o.noted);
    }

    /** Mean number of switches of a move, NaN without moves. */
    public double meanSwitches() {
      return moves == 0 ? Double.NaN : (double) switches / moves;
    }

    /** Mean number of packets of a move, NaN without moves. */
    public double meanSmps() {
      return moves == 0 ? Double.NaN : (double) smps / moves;
    }

    /** Mean of {@link #minimum}, NaN without moves. */
    public double meanMinimum() {
      return moves == 0 ? Double.NaN : (double) minimum / moves;
    }
  }

  /** Costs of all moves by one method. */
  public Costs total(MigrationOptions.Method method) {
    Costs sum = Costs.NONE;
    for (Sample sample : samples) {
      for (Of of : sample.methods()) {
        sum = of.method() == method ? sum.plus(of.costs()) : sum;
      }
    }
    return sum;
  }
}
