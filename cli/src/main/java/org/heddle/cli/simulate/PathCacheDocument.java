package org.heddle.cli.simulate;

import java.util.List;
import org.heddle.pathcache.Storm;
import org.heddle.pathcache.StormResult;

/**
 * The JSON output of {@code simulate path-cache}; what the numbers mean says {@link StormResult}.
 *
 * @param slow percent of the leaf switches that are of an older generation
 */
record PathCacheDocument(
    String format, String fabric, String tables, double slow, Setup setup, List<Run> runs) {

  /** What is the same in all runs. */
  record Setup(
      int functions,
      double population,
      int tenantSize,
      double own,
      int moves,
      double perSecond,
      long seed,
      double downtime,
      int attempts,
      double retries,
      double timeout,
      double saPerSecond) {
    static Setup of(Storm s) {
      Storm.Behaviour b = s.behaviour();
      return new Setup(
          s.functions(),
          s.population(),
          s.tenantSize(),
          s.own(),
          s.moves(),
          s.perSecond(),
          s.seed(),
          b.downtime(),
          b.attempts(),
          b.retries(),
          b.timeout(),
          b.saPerSecond());
    }
  }

  /** One scheme and cache. */
  record Run(
      String scheme,
      String cache,
      int machines,
      int moves,
      long ends,
      long warmUp,
      long peerQueries,
      long machineQueries,
      long peersAsking,
      long wrongLid,
      long wrongMtu,
      long wrongRate,
      long underrated,
      long broken,
      long tooFast,
      int peak,
      double longestWait,
      double lastAnswer,
      int[] queriesPerSecond) {
    static Run of(StormResult r) {
      return new Run(
          r.storm().scheme().key(),
          r.storm().cache().key(),
          r.machines(),
          r.moves(),
          r.ends(),
          r.warmUp(),
          r.peerQueries(),
          r.machineQueries(),
          r.peersAsking(),
          r.wrongLid(),
          r.wrongMtu(),
          r.wrongRate(),
          r.underrated(),
          r.broken(),
          r.tooFast(),
          r.load().peak(),
          r.load().longestWait(),
          r.load().lastAnswer(),
          r.load().perSecond());
    }
  }
}
