package org.heddle.cli.simulate;

import java.util.concurrent.CancellationException;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Progress;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.Shard;
import org.heddle.congestion.Evaluation;
import org.heddle.congestion.Statistics;
import org.heddle.congestion.Study;

/**
 * A range of trials.
 *
 * @param from number of the first
 * @param to one more than that of the last
 */
record Trials(long from, long to) {
  private static final long MOST = 1_000_000_000_000L;

  /**
   * The part {@code i/n} of all trials, i from 1.
   *
   * @param shard null for all
   * @throws Failure exit code 2 for what is no part
   */
  static Trials of(long all, String shard) {
    if (all < 1 || all > MOST) {
      throw Failure.badInput("--trials " + all + ": 1 or more are expected");
    }
    Shard part = Shard.parse(shard);
    return new Trials(cut(all, part.number() - 1, part.of()), cut(all, part.number(), part.of()));
  }

  private static long cut(long all, long i, long n) {
    return all / n * i + all % n * i / n;
  }

  /** Runs them. */
  Statistics run(Session session, Study study, int threads) {
    try (Progress progress = session.terminal().progress("trials")) {
      Evaluation.Watcher watcher =
          new Evaluation.Watcher(done -> progress.update(done, to - from), () -> true);
      return Evaluation.run(study, from, to, threads, watcher);
    } catch (CancellationException e) {
      throw Failure.badInput("interrupted");
    }
  }
}
