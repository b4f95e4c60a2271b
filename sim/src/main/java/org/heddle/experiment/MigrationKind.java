package org.heddle.experiment;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.heddle.addressing.AddressingScheme;
import org.heddle.catalog.Catalog;
import org.heddle.migrate.Layout;
import org.heddle.migrate.MigrationResult;
import org.heddle.migrate.MigrationScenario;
import org.heddle.migrate.MigrationSimulation;
import org.heddle.reconfig.migration.MigrationOptions;
import org.heddle.routing.EngineNames;
import org.heddle.routing.RoutingEngine;

/**
 * Tables that follow migrating machines against tables that are computed anew (Tasoulas, thesis,
 * paper V, section 7.2): effective bisection bandwidth among machines after every tenth of the
 * moves, and what moves cost.
 */
final class MigrationKind implements ExperimentKind {
  private static final Pattern SCENARIO = Pattern.compile("([a-z]+)-to-([a-z]+)-(\\d{1,3})");
  private static final String FRESH = "fresh";
  private static final int SAMPLES = 10;

  private static final Shape SHAPE =
      new Shape(
          "migration",
          "tables that follow moving VMs, and tables computed anew for them",
          List.of("topology", "scenario"),
          List.of("tables", "done"),
          ExperimentKind.parameters(
              "trials",
              "10000",
              "functions",
              "4",
              "groups",
              "2",
              "scheme",
              "dynamic",
              "engine",
              EngineNames.VSWITCH_FTREE,
              "seed",
              "1"),
          List.of(
              "hosts",
              "machines",
              "moves",
              "moved",
              "bandwidth",
              "below_fresh",
              "switches_mean",
              "switches_max",
              "smps_mean",
              "fresh_smps"));

  @Override
  public Shape shape() {
    return SHAPE;
  }

  @Override
  public Optional<String> problem(String axis, String value) {
    return switch (axis) {
      case "topology" -> TestTree.problem(value);
      case "scenario" -> scenarioProblem(value);
      case "tables" ->
          value.equals(FRESH) || method(value).isPresent()
              ? Optional.empty()
              : Optional.of("'" + value + "' is none of fresh, ftree-minrc, itrc");
      default ->
          value.matches("0|[1-9]0|100")
              ? Optional.empty()
              : Optional.of("'" + value + "' is not 0, 10, 20, ... 100 (% of the moves)");
    };
  }

  private static Optional<MigrationOptions.Method> method(String key) {
    return Arrays.stream(MigrationOptions.Method.values())
        .filter(m -> m.key().equals(key))
        .findFirst();
  }

  private static Optional<String> scenarioProblem(String value) {
    try {
      scenario(value);
      return Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.of(e.getMessage());
    }
  }

  /**
   * Such as random-to-grouping-25.
   *
   * @throws IllegalArgumentException if it is none
   */
  private static MigrationScenario scenario(String value) {
    Matcher m = SCENARIO.matcher(value);
    if (m.matches()) {
      Optional<Layout> from = Layout.named(m.group(1));
      Optional<Layout> to = Layout.named(m.group(2));
      if (from.isPresent() && to.isPresent()) {
        return MigrationScenario.of(from.get(), to.get(), Integer.parseInt(m.group(3)));
      }
    }
    throw new IllegalArgumentException(
        "'" + value + "' is not a scenario such as random-to-grouping-25 (% of all functions)");
  }

  private static MigrationScenario scenario(ExperimentCase one) {
    MigrationScenario s = scenario(one.value("scenario"));
    String key = one.parameters().get("scheme");
    AddressingScheme scheme =
        Arrays.stream(AddressingScheme.values())
            .filter(a -> a.key().equals(key))
            .findFirst()
            .orElseThrow(
                () -> new IllegalArgumentException("parameter scheme: there is no '" + key + "'"));
    return new MigrationScenario(
        s.from(),
        s.to(),
        s.population(),
        one.number("functions", 1),
        one.number("groups", 1),
        scheme);
  }

  @Override
  public List<ExperimentRow> run(ExperimentCase one) {
    TestTree tree = TestTree.of(one.value("topology"));
    String name = one.parameters().get("engine");
    RoutingEngine engine =
        Catalog.engine(name)
            .orElseThrow(
                () -> new IllegalArgumentException(TestTree.engineProblem(name).orElseThrow()));
    Set<MigrationOptions.Method> methods = new LinkedHashSet<>();
    one.cells().get("tables").forEach(t -> method(t).ifPresent(methods::add));
    if (methods.isEmpty()) {
      methods.add(MigrationOptions.Method.FTREE_MINRC);
    }
    MigrationSimulation.Settings settings =
        new MigrationSimulation.Settings(
            List.copyOf(methods), SAMPLES, one.number("trials", 0), one.seed(), 1);
    return switch (MigrationSimulation.run(
        tree.fabric(),
        tree.tree(),
        engine,
        scenario(one),
        settings,
        (_, _) -> one.goOn().getAsBoolean())) {
      case MigrationSimulation.Refused no -> throw new IllegalArgumentException(no.reason());
      case MigrationSimulation.Done done -> rows(one, done.result());
    };
  }

  /** A row for each cell that there is a sample for: fewer than ten moves have fewer samples. */
  private static List<ExperimentRow> rows(ExperimentCase one, MigrationResult result) {
    List<ExperimentRow> rows = new ArrayList<>();
    for (List<String> cell : one.pairs("tables", "done")) {
      Optional<MigrationResult.Sample> sample = sample(result, Integer.parseInt(cell.get(1)));
      if (sample.isPresent()) {
        List<String> axes = new ArrayList<>(List.of(one.value("topology"), one.value("scenario")));
        axes.addAll(cell);
        rows.add(new ExperimentRow(axes, numbers(result, sample.get(), cell.getFirst())));
      }
    }
    return rows;
  }

  private static Optional<MigrationResult.Sample> sample(MigrationResult result, int done) {
    int parts = Math.min(SAMPLES, result.moves());
    int at = done * parts;
    boolean there = at % 100 == 0 && (parts > 0 || done == 0);
    return there ? Optional.of(result.samples().get(at / 100)) : Optional.empty();
  }

  private static List<Double> numbers(
      MigrationResult result, MigrationResult.Sample sample, String tables) {
    List<Double> out =
        new ArrayList<>(
            List.of(
                (double) result.hypervisors(),
                (double) result.machines(),
                (double) result.moves(),
                (double) sample.moves()));
    double fresh = sample.freshBandwidth();
    if (tables.equals(FRESH)) {
      out.addAll(List.of(fresh, 0.0, Double.NaN, Double.NaN, Double.NaN, 0.0));
      return out;
    }
    for (MigrationResult.Of of : sample.methods()) {
      if (of.method().key().equals(tables)) {
        boolean moved = of.costs().moves() > 0;
        out.add(of.bandwidth());
        out.add(1 - of.bandwidth() / fresh);
        out.add(of.costs().meanSwitches());
        out.add(moved ? of.costs().mostSwitches() : Double.NaN);
        out.add(of.costs().meanSmps());
        out.add((double) of.freshSmps());
      }
    }
    return out;
  }
}
