package org.heddle.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.heddle.congestion.Evaluation;
import org.heddle.fabric.Fabric;
import org.heddle.reconfig.reroute.MinimalReroute;
import org.heddle.routing.EngineNames;
import org.heddle.routing.ForwardingTables;
import org.heddle.tenancy.Tenancy;
import org.heddle.topology.generate.DamageSpec;
import org.heddle.topology.generate.FabricDamage;

/**
 * What changes when links or hosts are lost one after the other (Zahid et al., "SlimUpdate",
 * section 6.2): paths changed by the loss, and the effective bisection bandwidth afterwards, for an
 * engine that routes anew and for the minimal update of its tables. Every seed is a chain of losses
 * of its own; losses that would cut a host off are not drawn.
 */
final class LossKind implements ExperimentKind {
  private static final Shape SHAPE =
      new Shape(
          "loss",
          "paths that change when links or hosts are lost, and the bandwidth that is left",
          List.of("topology", "loss"),
          List.of("method", "number"),
          ExperimentKind.parameters(
              "engine", EngineNames.FTREE, "seeds", "50", "trials", "10000", "seed", "1"),
          List.of(
              "hosts",
              "oversubscription",
              "lost",
              "chains",
              "changed_mean",
              "changed_total_mean",
              "unchanged_share",
              "bandwidth_mean"));

  @Override
  public Shape shape() {
    return SHAPE;
  }

  @Override
  public Optional<String> problem(String axis, String value) {
    return switch (axis) {
      case "topology" -> TestTree.problem(value);
      case "loss" -> oneOf(value, "links", "hosts");
      case "method" -> oneOf(value, "anew", "minimal");
      default ->
          value.matches("[1-9][0-9]?")
              ? Optional.empty()
              : Optional.of("'" + value + "' is not 1 to 99");
    };
  }

  private static Optional<String> oneOf(String value, String a, String b) {
    return value.equals(a) || value.equals(b)
        ? Optional.empty()
        : Optional.of("'" + value + "' is neither " + a + " nor " + b);
  }

  @Override
  public List<ExperimentRow> run(ExperimentCase one) {
    TestTree tree = TestTree.of(one.value("topology"));
    Optional<String> wrong = TestTree.engineProblem(one.parameters().get("engine"));
    if (wrong.isPresent()) {
      throw new IllegalArgumentException(wrong.get());
    }
    int steps = one.cells().get("number").stream().mapToInt(Integer::parseInt).max().orElse(0);
    if (one.value("loss").equals("links")) {
      steps = Math.min(steps, uplinks(tree) - 1);
    } else {
      steps = Math.min(steps, tree.hosts() - 2);
    }
    int seeds = one.number("seeds", 1);
    Sums anew = new Sums(steps);
    Sums minimal = new Sums(steps);
    for (int s = 0; s < seeds; s++) {
      chain(one, tree, one.seed() * 1_000_003 + s, anew, minimal);
    }
    List<ExperimentRow> rows = new ArrayList<>();
    for (List<String> cell : one.pairs("method", "number")) {
      int lost = Integer.parseInt(cell.get(1));
      if (lost <= steps) {
        Sums sums = cell.get(0).equals("anew") ? anew : minimal;
        rows.add(
            new ExperimentRow(
                List.of(one.value("topology"), one.value("loss"), cell.get(0), cell.get(1)),
                sums.numbers(tree, lost, seeds)));
      }
    }
    return rows;
  }

  /** Up-links of the first leaf: that many link failures cut a host off at the earliest. */
  private static int uplinks(TestTree tree) {
    int leaf = tree.tree().leaf(0);
    return (int) Math.rint(tree.hostPorts(leaf).length / tree.oversubscription());
  }

  private static void chain(ExperimentCase one, TestTree tree, long seed, Sums anew, Sums minimal) {
    String engine = one.parameters().get("engine");
    int trials = one.number("trials", 0);
    Fabric before = tree.fabric();
    ForwardingTables oldAnew = tree.route(engine, Tenancy.NONE, List.of());
    ForwardingTables oldMinimal = oldAnew;
    for (int step = 0; step < anew.changed.length; step++) {
      one.check();
      Fabric after = lose(before, one.value("loss"), seed * 127 + step);
      TestTree now = TestTree.of(after);
      ForwardingTables fresh = now.route(engine, Tenancy.NONE, List.of());
      ForwardingTables carried = MinimalReroute.carryOver(before, oldAnew, after);
      anew.add(
          step,
          MinimalReroute.Changes.between(after, carried, fresh).paths(),
          bandwidth(after, fresh, trials, seed));
      MinimalReroute update =
          MinimalReroute.of(
              after, now.tree(), MinimalReroute.carryOver(before, oldMinimal, after), fresh);
      minimal.add(
          step, update.report().changed().paths(), bandwidth(after, update.tables(), trials, seed));
      before = after;
      oldAnew = fresh;
      oldMinimal = update.tables();
    }
    anew.end();
    minimal.end();
  }

  private static Fabric lose(Fabric fabric, String what, long seed) {
    DamageSpec.Amount one = DamageSpec.Amount.of(1);
    DamageSpec none = DamageSpec.none(seed).keepingConnected();
    DamageSpec spec = what.equals("links") ? none.withLinks(one) : none.withHosts(one);
    return FabricDamage.apply(fabric, spec).fabric();
  }

  private static double bandwidth(Fabric fabric, ForwardingTables tables, int trials, long seed) {
    return trials == 0
        ? Double.NaN
        : Evaluation.bisection(fabric, tables, trials, seed).bandwidth();
  }

  /** Sums over chains, by step. */
  private static final class Sums {
    private final long[] changed;
    private final long[] total;
    private final int[] unchanged;
    private final double[] bandwidth;
    private long soFar;

    Sums(int steps) {
      changed = new long[steps];
      total = new long[steps];
      unchanged = new int[steps];
      bandwidth = new double[steps];
    }

    void add(int step, long paths, double share) {
      soFar += paths;
      changed[step] += paths;
      total[step] += soFar;
      unchanged[step] += paths == 0 ? 1 : 0;
      bandwidth[step] += share;
    }

    void end() {
      soFar = 0;
    }

    List<Double> numbers(TestTree tree, int lost, int chains) {
      int step = lost - 1;
      return List.of(
          (double) tree.hosts(),
          tree.oversubscription(),
          (double) lost,
          (double) chains,
          (double) changed[step] / chains,
          (double) total[step] / chains,
          (double) unchanged[step] / chains,
          bandwidth[step] / chains);
    }
  }
}
