package org.heddle.cli.simulate;

import java.util.concurrent.CancellationException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Progress;
import org.heddle.cli.shell.Session;
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
  private static final Pattern SHARD = Pattern.compile("(\\d{1,9})/(\\d{1,9})");
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
    if (shard == null) {
      return new Trials(0, all);
    }
    Matcher m = SHARD.matcher(shard);
    long i = m.matches() ? Long.parseLong(m.group(1)) : 0;
    long n = m.matches() ? Long.parseLong(m.group(2)) : 0;
    if (i < 1 || i > n) {
      throw Failure.badInput("--shard " + shard + ": a part such as 1/4, 2/4 is expected");
    }
    return new Trials(cut(all, i - 1, n), cut(all, i, n));
  }

  private static long cut(long all, long i, long n) {
    return all / n * i + all % n * i / n;
  }

  /** Number of threads to use: as many as asked for, or one a processor. */
  static int threads(int asked) {
    if (asked < 0) {
      throw Failure.badInput("--threads " + asked + ": 1 or more are expected");
    }
    return asked > 0 ? asked : Runtime.getRuntime().availableProcessors();
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
