package org.heddle.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.heddle.congestion.Evaluation;
import org.heddle.congestion.Group;
import org.heddle.congestion.Routes;
import org.heddle.congestion.Statistics;
import org.heddle.congestion.Study;
import org.heddle.routing.ForwardingTables;
import org.heddle.tenancy.IsolationPolicy;
import org.heddle.tenancy.Tenancy;
import org.heddle.traffic.Patterns;

/**
 * What one tenant suffers from another (Zahid et al., section 6.3): a victim with physical
 * isolation on a share of the hosts of every leaf, drawn at random, runs a pattern while all other
 * hosts run another. The trials are spread evenly over draws of the victim's hosts; draw number d
 * is the same for all engines and patterns, and so are the trials.
 */
final class InterferenceKind implements ExperimentKind {
  private static final Shape SHAPE =
      new Shape(
          "interference",
          "delay and bandwidth of one tenant while another communicates",
          List.of("topology", "engine"),
          List.of("pattern", "interferer"),
          ExperimentKind.parameters(
              "trials", "50000", "draws", "50", "share", "4", "measure", "victim", "seed", "1"),
          List.of(
              "hosts",
              "oversubscription",
              "victims",
              "delay_min",
              "delay_mean",
              "delay_max",
              "bandwidth"));

  @Override
  public Shape shape() {
    return SHAPE;
  }

  @Override
  public Optional<String> problem(String axis, String value) {
    return switch (axis) {
      case "topology" -> TestTree.problem(value);
      case "engine" -> TestTree.engineProblem(value);
      default -> patternProblem(value);
    };
  }

  static Optional<String> patternProblem(String name) {
    try {
      Patterns.parse(name);
      return Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.of(e.getMessage() + "; patterns: " + String.join(", ", Patterns.names()));
    }
  }

  @Override
  public List<ExperimentRow> run(ExperimentCase one) {
    TestTree tree = TestTree.of(one.value("topology"));
    int draws = one.number("draws", 1);
    int trials = one.number("trials", 1);
    int share = one.number("share", 2);
    List<List<String>> cells = one.pairs("pattern", "interferer");
    List<Statistics> sums = new ArrayList<>();
    cells.forEach(_ -> sums.add(new Statistics(0)));
    int victims = 0;
    for (int draw = 0; draw < draws; draw++) {
      SplittableRandom random = new SplittableRandom(one.seed() * 1_000_003 + draw);
      Tenancy tenancy = Victims.draw(tree, IsolationPolicy.PHY, share, 0, random);
      ForwardingTables tables = tree.route(one.value("engine"), tenancy, List.of());
      Setting setting = Setting.of(tree, tables, tenancy, one.seed() * 31 + draw);
      victims = setting.victims.length;
      int count = trials / draws + (draw < trials % draws ? 1 : 0);
      for (int c = 0; c < cells.size(); c++) {
        one.check();
        sums.get(c).add(setting.run(cells.get(c), measured(one), count));
      }
    }
    List<ExperimentRow> rows = new ArrayList<>();
    for (int c = 0; c < cells.size(); c++) {
      List<String> axes = new ArrayList<>(List.of(one.value("topology"), one.value("engine")));
      axes.addAll(cells.get(c));
      rows.add(new ExperimentRow(axes, numbers(tree, victims, sums.get(c))));
    }
    return rows;
  }

  private static int measured(ExperimentCase one) {
    return switch (one.parameters().get("measure")) {
      case "victim" -> Victims.VICTIM;
      case "interferer" -> Victims.INTERFERER;
      default ->
          throw new IllegalArgumentException("parameter measure must be victim or interferer");
    };
  }

  private static List<Double> numbers(TestTree tree, int victims, Statistics s) {
    boolean delays = s.delays().count() > 0;
    return List.of(
        (double) tree.hosts(),
        tree.oversubscription(),
        (double) victims,
        delays ? s.delays().min() : Double.NaN,
        delays ? s.delays().mean() : Double.NaN,
        delays ? s.delays().max() : Double.NaN,
        s.bandwidth());
  }

  /** One draw of the victim's hosts, routed. */
  private record Setting(Routes routes, int[] victims, int[] others, long seed) {
    static Setting of(TestTree tree, ForwardingTables tables, Tenancy tenancy, long seed) {
      int[] victims = Victims.ports(tenancy, Victims.VICTIM);
      int[] others = Victims.ports(tenancy, Victims.INTERFERER);
      int[] all = IntStream.concat(IntStream.of(victims), IntStream.of(others)).toArray();
      return new Setting(
          Routes.trace(tree.fabric(), tables, all),
          IntStream.range(0, victims.length).toArray(),
          IntStream.range(victims.length, all.length).toArray(),
          seed);
    }

    Statistics run(List<String> patterns, int measured, int trials) {
      Group victim = Group.of("victim", Patterns.parse(patterns.get(0)), victims);
      Group other = Group.of("interferer", Patterns.parse(patterns.get(1)), others);
      List<Group> groups =
          measured == Victims.VICTIM ? List.of(victim, other) : List.of(other, victim);
      Study.Settings settings = new Study.Settings(seed, true, true, 0, false);
      return Evaluation.run(new Study(routes, groups, settings), trials);
    }
  }
}
