package org.heddle.bench;

import java.util.Locale;
import org.heddle.catalog.Catalog;
import org.heddle.congestion.Evaluation;
import org.heddle.congestion.Routes;
import org.heddle.congestion.Statistics;
import org.heddle.congestion.Study;
import org.heddle.fabric.Fabric;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.heddle.traffic.Bisect;

/**
 * Random bisections of a tree routed by ftree, in a warm process, on one thread and on two in turn:
 * wall times, their ratio, and what the machine itself gives, which is two evaluations on one
 * thread each side by side against one alone.
 */
public final class CongestionScaling {
  private static final int ROUNDS = 5;

  private CongestionScaling() {}

  /** Arguments: tree, trials. */
  public static void main(String[] args) throws InterruptedException {
    Fabric fabric = TreeGenerator.generate(TreeSpec.parse(args[0])).withAssignedLids();
    RoutingRequest request = RoutingRequest.of(fabric, FatTreeRecogniser.recognise(fabric));
    RoutingResult routed = Catalog.engine("ftree").orElseThrow().route(request);
    Routes routes =
        Routes.trace(fabric, ((RoutingResult.Routed) routed).tables(), Routes.hosts(fabric));
    Study study = Study.of(routes, new Bisect(), Study.Settings.shuffled(1));
    int trials = Integer.parseInt(args[1]);
    run(study, trials, 1);
    run(study, trials, 2);
    double[] best = {Double.MAX_VALUE, Double.MAX_VALUE, Double.MAX_VALUE};
    for (int r = 0; r < ROUNDS; r++) {
      best[0] = Math.min(best[0], run(study, trials, 1));
      best[1] = Math.min(best[1], run(study, trials, 2));
      best[2] = Math.min(best[2], sideBySide(study, trials));
    }
    System.out.printf(
        Locale.ROOT,
        "%s, %d trials, best of %d: one thread %.0f ms, two %.0f ms (%.2f times faster);"
            + " two evaluations side by side %.0f ms (the machine gives %.2f)%n",
        args[0],
        trials,
        ROUNDS,
        best[0],
        best[1],
        best[0] / best[1],
        best[2],
        2 * best[0] / best[2]);
  }

  private static double run(Study study, int trials, int threads) {
    long start = System.nanoTime();
    Statistics all = Evaluation.run(study, 0, trials, threads, Evaluation.Watcher.NONE);
    double millis = (System.nanoTime() - start) / 1e6;
    if (all.trials() != trials) {
      throw new IllegalStateException(all.trials() + " trials instead of " + trials);
    }
    return millis;
  }

  private static double sideBySide(Study study, int trials) throws InterruptedException {
    long start = System.nanoTime();
    Thread other = Thread.ofPlatform().start(() -> run(study, trials, 1));
    run(study, trials, 1);
    other.join();
    return (System.nanoTime() - start) / 1e6;
  }
}
