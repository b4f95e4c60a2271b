package org.heddle.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.heddle.routing.ForwardingTables;
import org.heddle.tenancy.IsolationPolicy;
import org.heddle.tenancy.Lanes;
import org.heddle.tenancy.Tenancy;
import org.heddle.verify.isolation.IsolationAudit;
import org.heddle.verify.isolation.IsolationOptions;
import org.heddle.verify.isolation.IsolationReport;

/**
 * How many busy receivers meet on channels (Zahid et al., section 7.1): some victims of every leaf
 * receive, as many on each, from one to all of them. Contention is read from the tables, among
 * receivers only; interference is the number of (route, channel) combinations on channels that both
 * tenants use.
 */
final class ContentionKind implements ExperimentKind {
  private static final Shape SHAPE =
      new Shape(
          "contention",
          "busy receivers that meet on channels, and routes of two tenants that do",
          List.of("topology", "engine"),
          List.of(),
          ExperimentKind.parameters("draws", "10", "share", "4", "seed", "1"),
          List.of(
              "hosts",
              "oversubscription",
              "experiments",
              "down_total_min",
              "down_total_mean",
              "down_total_max",
              "up_total_min",
              "up_total_mean",
              "up_total_max",
              "down_channels_mean",
              "down_channels_max",
              "up_channels_mean",
              "up_channels_max",
              "interference_mean"));

  @Override
  public Shape shape() {
    return SHAPE;
  }

  @Override
  public Optional<String> problem(String axis, String value) {
    return axis.equals("topology") ? TestTree.problem(value) : TestTree.engineProblem(value);
  }

  @Override
  public List<ExperimentRow> run(ExperimentCase one) {
    TestTree tree = TestTree.of(one.value("topology"));
    int draws = one.number("draws", 1);
    int share = one.number("share", 2);
    int most = tree.hostPorts(tree.tree().leaf(0)).length / share;
    List<Tally> sums = List.of(new Tally(), new Tally(), new Tally(), new Tally(), new Tally());
    for (int receivers = 1; receivers <= most; receivers++) {
      for (int draw = 0; draw < draws; draw++) {
        one.check();
        SplittableRandom random =
            new SplittableRandom((one.seed() * 1_000_003 + receivers) * 1_009 + draw);
        Tenancy tenancy = Victims.draw(tree, IsolationPolicy.DEF, share, receivers, random);
        ForwardingTables tables = tree.route(one.value("engine"), tenancy, List.of());
        IsolationReport report =
            IsolationAudit.run(
                tree.fabric(),
                tables,
                tenancy,
                Lanes.single(2),
                IsolationOptions.defaults().withTree(tree.tree()).withThreads(1));
        IsolationReport.Contention met = report.receiverContention().orElseThrow();
        sums.get(0).add(met.down().total());
        sums.get(1).add(met.up().total());
        sums.get(2).add(met.down().contended());
        sums.get(3).add(met.up().contended());
        sums.get(4).add(report.interference().all());
      }
    }
    List<Double> out = new ArrayList<>();
    out.add((double) tree.hosts());
    out.add(tree.oversubscription());
    out.add((double) sums.get(0).count);
    for (Tally total : sums.subList(0, 2)) {
      out.addAll(List.of((double) total.min, total.mean(), (double) total.max));
    }
    for (Tally channels : sums.subList(2, 4)) {
      out.addAll(List.of(channels.mean(), (double) channels.max));
    }
    out.add(sums.get(4).mean());
    return List.of(new ExperimentRow(List.of(one.value("topology"), one.value("engine")), out));
  }

  /** Least, mean and greatest of whole numbers. */
  private static final class Tally {
    private long min = Long.MAX_VALUE;
    private long max = Long.MIN_VALUE;
    private long sum;
    private int count;

    void add(long value) {
      min = Math.min(min, value);
      max = Math.max(max, value);
      sum += value;
      count++;
    }

    double mean() {
      return (double) sum / count;
    }
  }
}
