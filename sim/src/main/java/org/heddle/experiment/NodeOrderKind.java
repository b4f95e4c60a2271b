package org.heddle.experiment;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.heddle.catalog.Catalog;
import org.heddle.congestion.FlowWeights;
import org.heddle.congestion.Group;
import org.heddle.congestion.Histogram;
import org.heddle.congestion.Routes;
import org.heddle.fabric.Guid;
import org.heddle.routing.EngineNames;
import org.heddle.routing.ForwardingTables;
import org.heddle.routing.RoutingOption;
import org.heddle.tenancy.Tenancy;
import org.heddle.traffic.Patterns;
import org.heddle.traffic.TrafficPattern;

/**
 * Effective bandwidth of collectives when the order of ranks is known to the engine (Zahid et al.,
 * "SlimUpdate", section 8): ranks are put on hosts in a random order, or leaf by leaf with leaves
 * and hosts of a leaf in random order; the engines named by the parameter {@code informed} get it.
 * Engines that search for long may get fewer orders, the first of them: {@code fewer} is a list of
 * ENGINE=ORDERS and ENGINE>HOSTS=ORDERS, the latter for trees of more hosts; the last that fits
 * counts.
 */
final class NodeOrderKind implements ExperimentKind {
  private static final Pattern FEWER = Pattern.compile("([^=>]+)(?:>(\\d{1,9}))?=([1-9]\\d{0,8})");

  private static final Shape SHAPE =
      new Shape(
          "node-order",
          "bandwidth of collectives when engines know the order of ranks",
          List.of("topology", "engine"),
          List.of("order", "pattern"),
          ExperimentKind.parameters(
              "orders", "10000", "fewer", "", "informed", EngineNames.METABASE, "seed", "1"),
          List.of(
              "hosts", "oversubscription", "orders", "bandwidth_mean", "bandwidth_min", "worst"));

  @Override
  public Shape shape() {
    return SHAPE;
  }

  @Override
  public Optional<String> problem(String axis, String value) {
    return switch (axis) {
      case "topology" -> TestTree.problem(value);
      case "engine" -> TestTree.engineProblem(value);
      case "order" ->
          value.equals("random") || value.equals("leaf-by-leaf")
              ? Optional.empty()
              : Optional.of("'" + value + "' is neither random nor leaf-by-leaf");
      default -> InterferenceKind.patternProblem(value);
    };
  }

  @Override
  public List<ExperimentRow> run(ExperimentCase one) {
    TestTree tree = TestTree.of(one.value("topology"));
    String engine = one.value("engine");
    int orders = orders(one, engine, tree.hosts());
    int[] hosts = Routes.hosts(tree.fabric());
    Function<List<Guid>, ForwardingTables> routes = routes(one, engine, tree);
    FlowWeights weights = new FlowWeights(tree.fabric(), hosts);
    int[] number = numbers(hosts);
    List<ExperimentRow> rows = new ArrayList<>();
    List<String> patterns = one.cells().get("pattern");
    List<TrafficPattern> parsed = patterns.stream().map(Patterns::parse).toList();
    for (TrafficPattern pattern : parsed) {
      Group.of("all", pattern, new int[hosts.length]); // or it refuses
    }
    for (String order : one.cells().get("order")) {
      Sums[] sums = new Sums[patterns.size()];
      for (int p = 0; p < sums.length; p++) {
        sums[p] = new Sums();
      }
      for (int n = 0; n < orders; n++) {
        one.check();
        int[] ports = draw(tree, order, new SplittableRandom(one.seed() * 1_000_003 + n));
        ForwardingTables tables = routes.apply(guids(tree, ports));
        int[] ranks = Arrays.stream(ports).map(port -> number[port]).toArray();
        for (int p = 0; p < sums.length; p++) {
          sums[p].add(weights, tables, parsed.get(p), ranks);
        }
      }
      for (int p = 0; p < sums.length; p++) {
        rows.add(
            new ExperimentRow(
                List.of(one.value("topology"), engine, order, patterns.get(p)),
                sums[p].numbers(tree, orders)));
      }
    }
    return rows;
  }

  private static Function<List<Guid>, ForwardingTables> routes(
      ExperimentCase one, String engine, TestTree tree) {
    if (listens(one, engine)) {
      return tree.routes(engine);
    }
    ForwardingTables tables = tree.route(engine, Tenancy.NONE, List.of());
    return order -> tables;
  }

  private static int orders(ExperimentCase one, String engine, int hosts) {
    int orders = one.number("orders", 1);
    int out = orders;
    for (String entry : one.parameters().get("fewer").split("[, ]+")) {
      Matcher matcher = FEWER.matcher(entry);
      if (!entry.isEmpty() && !matcher.matches()) {
        throw new IllegalArgumentException(
            "parameter fewer has '"
                + entry
                + "'; ENGINE=ORDERS or ENGINE>HOSTS=ORDERS is expected");
      }
      if (!entry.isEmpty()
          && matcher.group(1).equals(engine)
          && (matcher.group(2) == null || hosts > Integer.parseInt(matcher.group(2)))) {
        out = Math.min(orders, Integer.parseInt(matcher.group(3)));
      }
    }
    return out;
  }

  /** By port: the place among these. */
  private static int[] numbers(int[] ports) {
    int[] out = new int[Arrays.stream(ports).max().orElse(-1) + 1];
    for (int i = 0; i < ports.length; i++) {
      out[ports[i]] = i;
    }
    return out;
  }

  private static boolean listens(ExperimentCase one, String engine) {
    boolean told = List.of(one.parameters().get("informed").split("[, ]+")).contains(engine);
    if (told && !Catalog.engine(engine).orElseThrow().uses().contains(RoutingOption.HOST_ORDER)) {
      throw new IllegalArgumentException(
          "parameter informed names " + engine + ", which has no use for an order of hosts");
    }
    return told;
  }

  private static List<Guid> guids(TestTree tree, int[] ports) {
    List<Guid> out = new ArrayList<>(ports.length);
    for (int port : ports) {
      out.add(new Guid(tree.fabric().portGuid(port)));
    }
    return out;
  }

  /** Ports of hosts in the order of ranks. */
  private static int[] draw(TestTree tree, String order, SplittableRandom random) {
    int[] leaves = new int[tree.tree().leafCount()];
    for (int i = 0; i < leaves.length; i++) {
      leaves[i] = tree.tree().leaf(i);
    }
    shuffle(leaves, random);
    int[] out = new int[tree.hosts()];
    int n = 0;
    for (int leaf : leaves) {
      int[] ports = tree.hostPorts(leaf);
      shuffle(ports, random);
      System.arraycopy(ports, 0, out, n, ports.length);
      n += ports.length;
    }
    if (order.equals("random")) {
      shuffle(out, random);
    }
    return out;
  }

  private static void shuffle(int[] values, SplittableRandom random) {
    for (int i = values.length - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      int other = values[j];
      values[j] = values[i];
      values[i] = other;
    }
  }

  /** Over orders: mean and least bandwidth, and the greatest congestion of any flow. */
  private static final class Sums {
    private final Histogram counts = new Histogram();
    private double sum;
    private double least = Double.MAX_VALUE;
    private int worst;

    void add(FlowWeights weights, ForwardingTables tables, TrafficPattern pattern, int[] ranks) {
      counts.clear();
      weights.add(tables, pattern, ranks, counts);
      double bandwidth = counts.meanInverse();
      sum += bandwidth;
      least = Math.min(least, bandwidth);
      worst = Math.max(worst, counts.max());
    }

    List<Double> numbers(TestTree tree, int orders) {
      return List.of(
          (double) tree.hosts(),
          tree.oversubscription(),
          (double) orders,
          sum / orders,
          least,
          (double) worst);
    }
  }
}
