package org.heddle.migrate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import org.heddle.addressing.AddressingOptions;
import org.heddle.addressing.VirtualMachine;
import org.heddle.addressing.VmPlacement;
import org.heddle.congestion.Evaluation;
import org.heddle.congestion.Routes;
import org.heddle.congestion.Statistics;
import org.heddle.congestion.Study;
import org.heddle.fabric.Fabric;
import org.heddle.reconfig.TableDiff;
import org.heddle.reconfig.migration.MigrationOptions;
import org.heddle.reconfig.migration.MigrationPlan;
import org.heddle.reconfig.migration.MigrationPlanner;
import org.heddle.reconfig.migration.VmMigration;
import org.heddle.routing.ForwardingTables;
import org.heddle.routing.RoutingEngine;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.topology.FatTree;
import org.heddle.topology.Recognition;
import org.heddle.traffic.Bisect;
import org.heddle.traffic.TrialRandom;

/**
 * Moves machines one after the other, reconfigures the forwarding tables for each move, and after
 * equal parts of the moves compares them with tables that the engine computes anew for the machines
 * where they then are: by the effective bisection bandwidth among the machines (Tasoulas, thesis,
 * paper V, section 7.2, vSwitchMigrationSim and figure 8).
 *
 * <p>Every method starts from the tables the engine computes for the machines where they are at
 * first and carries its own tables on. All bandwidths of a simulation are those of the same random
 * bisections, machine for machine, so that differences come from tables alone. How hypervisors
 * share their link is said at {@link Routes#traceMachines}.
 *
 * <p>The result depends on the arguments only, not on the number of threads. Time: for each sample
 * an engine's run, a planner and {@code bisections} trials for each set of tables; for each move a
 * plan for each method.
 */
public final class MigrationSimulation {
  // Stream 0 of the seed belongs to the bisections.
  private static final int PLACING = 1;
  private static final int GROUPING = 2;
  private static final int MOVING = 3;

  private final Fabric plain;
  private final FatTree tree;
  private final RoutingEngine engine;
  private final MigrationScenario scenario;
  private final Settings settings;
  private final Watcher watcher;
  private final int[] ports; // of hypervisors, from the left
  private final Chain[] chains;
  private VmPlacement placement;
  private int[] lids; // of machines, by number: a move changes none
  private long done;
  private long total;

  private MigrationSimulation(
      Fabric fabric,
      FatTree tree,
      RoutingEngine engine,
      MigrationScenario scenario,
      Settings settings,
      Watcher watcher) {
    this.plain = fabric;
    this.tree = tree;
    this.engine = engine;
    this.scenario = scenario;
    this.settings = settings;
    this.watcher = watcher;
    ports = hypervisors(fabric, tree);
    chains = new Chain[settings.methods().size()];
  }

  /**
   * What is measured.
   *
   * @param methods of reconfiguration
   * @param samples parts of the moves after each of which tables are compared; as many as moves, if
   *     there are fewer
   * @param bisections random ones a comparison; 0 for none, so that only costs are counted
   * @param seed of everything random
   * @param threads bisections at a time
   */
  public record Settings(
      List<MigrationOptions.Method> methods, int samples, long bisections, long seed, int threads) {
    /**
     * @throws IllegalArgumentException if a number is out of range
     */
    public Settings {
      methods = List.copyOf(methods);
      if (methods.isEmpty() || samples < 1 || bisections < 0 || threads < 1) {
        throw new IllegalArgumentException("settings out of range");
      }
    }
  }

  /** Somebody who watches; called from several threads. */
  @FunctionalInterface
  public interface Watcher {
    /**
     * So much of the whole is done.
     *
     * @return false to end the simulation
     */
    boolean at(long done, long total);
  }

  /** What became of a simulation. */
  public sealed interface Outcome {}

  /** It ran. */
  public record Done(MigrationResult result) implements Outcome {}

  /** It cannot be run on this fabric, or not to its end. */
  public record Refused(String reason) implements Outcome {}

  /** Ports that can hold machines, leaf by leaf, by the ports of the leaf. */
  public static int[] hypervisors(Fabric fabric, FatTree tree) {
    int[] out = new int[fabric.portIdLimit()];
    int n = 0;
    for (int i = 0; i < tree.leafCount(); i++) {
      int leaf = tree.leaf(i);
      for (int number = 1; number <= fabric.portCount(leaf); number++) {
        int peer = fabric.peer(fabric.port(leaf, number));
        if (peer != Fabric.NONE && VmPlacement.isHypervisor(fabric, peer)) {
          out[n++] = peer;
        }
      }
    }
    return Arrays.copyOf(out, n);
  }

  /**
   * Runs a simulation.
   *
   * @param fabric with LIDs; virtual LIDs it has are forgotten
   * @param engine whose tables are compared with, and started from
   * @throws CancellationException if the watcher ends it
   */
  public static Outcome run(
      Fabric fabric,
      FatTree tree,
      RoutingEngine engine,
      MigrationScenario scenario,
      Settings settings,
      Watcher watcher) {
    try {
      return new Done(
          new MigrationSimulation(fabric, tree, engine, scenario, settings, watcher).run());
    } catch (Impossible e) {
      return new Refused(e.getMessage());
    }
  }

  /** Ends a simulation with its reason; never leaves this class. */
  private static final class Impossible extends RuntimeException {
    private static final long serialVersionUID = 1;

    Impossible(String reason) {
      super(reason, null, false, false);
    }
  }

  private MigrationResult run() {
    if (ports.length < 2) {
      throw new Impossible("there are fewer than two hypervisors");
    }
    List<MovePatterns.Move> moves = prepare();
    int parts = Math.min(settings.samples(), moves.size());
    total = moves.size() + (parts + 1) * (chains.length + 1) * settings.bisections();
    ForwardingTables first = fresh(placement.fabric());
    for (int c = 0; c < chains.length; c++) {
      chains[c] = new Chain(settings.methods().get(c), first);
    }
    List<MigrationResult.Sample> samples = new ArrayList<>();
    samples.add(sample(0));
    for (int part = 1, next = 0; part <= parts; part++) {
      int end = (int) ((long) moves.size() * part / parts);
      for (; next < end; next++) {
        move(moves.get(next));
      }
      samples.add(sample(end));
    }
    return new MigrationResult(
        ports.length, plain.switchCount(), lids.length, moves.size(), samples);
  }

  /** Starts the machines; what is to be moved. */
  private List<MovePatterns.Move> prepare() {
    List<MovePatterns.Move> moves;
    Machines machines;
    try {
      machines = Machines.place(scenario, ports.length, random(PLACING), random(GROUPING));
      moves = MovePatterns.of(machines, scenario.to(), random(MOVING));
    } catch (IllegalArgumentException e) {
      throw new Impossible(e.getMessage());
    }
    AddressingOptions options =
        AddressingOptions.of(scenario.scheme()).withFunctions(scenario.functions());
    placement =
        VmPlacement.empty(plain, options)
            .orElseThrow(() -> new Impossible("there are not enough LIDs for all functions"));
    lids = new int[machines.size()];
    for (int m = 0; m < lids.length; m++) {
      VirtualMachine.Request request = VirtualMachine.Request.of(id(m));
      switch (placement.start(request, ports[machines.hostOf[m]])) {
        case VmPlacement.Refused no -> throw new Impossible(no.reason());
        case VmPlacement.Done ok -> {
          placement = ok.placement();
          lids[m] = ok.machine().lid();
        }
      }
    }
    return moves;
  }

  private TrialRandom random(int stream) {
    TrialRandom random = new TrialRandom();
    random.start(settings.seed(), 0, stream);
    return random;
  }

  private static String id(int machine) {
    return String.format(Locale.ROOT, "vm%05d", machine);
  }

  private void move(MovePatterns.Move move) {
    VmPlacement after = placement;
    for (Chain chain : chains) {
      after = chain.move(id(move.machine()), ports[move.to()]);
    }
    placement = after;
    advance(done + 1);
    done++;
  }

  private void advance(long now) {
    if (!watcher.at(now, total)) {
      throw new CancellationException();
    }
  }

  private MigrationResult.Sample sample(int moves) {
    Fabric fabric = placement.fabric();
    ForwardingTables fresh = fresh(fabric);
    Statistics anew = bisections(fabric, fresh);
    List<MigrationResult.Of> methods = new ArrayList<>();
    for (Chain chain : chains) {
      ForwardingTables tables = chain.planner.tables();
      Statistics followed = tables.equals(fresh) ? skip(anew) : bisections(fabric, tables);
      methods.add(
          new MigrationResult.Of(
              chain.method,
              chain.costs,
              followed.bandwidth(),
              followed.lost(),
              TableDiff.of(fabric, tables, fresh).smps()));
      chain.restart(fabric);
    }
    return new MigrationResult.Sample(moves, anew.bandwidth(), anew.lost(), methods);
  }

  private ForwardingTables fresh(Fabric fabric) {
    RoutingRequest request = RoutingRequest.of(fabric, new Recognition.Found(tree, List.of()));
    return switch (engine.route(request)) {
      case RoutingResult.Routed routed -> routed.tables();
      case RoutingResult.Unsupported no ->
          throw new Impossible(engine.name() + " does not route this: " + no.reason());
    };
  }

  private Statistics bisections(Fabric fabric, ForwardingTables tables) {
    if (settings.bisections() == 0) {
      return new Statistics(0);
    }
    Routes routes;
    try {
      routes = Routes.traceMachines(fabric, tables, lids);
    } catch (IllegalArgumentException e) {
      throw new Impossible(e.getMessage());
    }
    Study study = Study.of(routes, new Bisect(), Study.Settings.shuffled(settings.seed()));
    Evaluation.Watcher inner =
        new Evaluation.Watcher(n -> watcher.at(done + n, total), () -> watcher.at(done, total));
    Statistics out = Evaluation.run(study, 0, settings.bisections(), settings.threads(), inner);
    done += settings.bisections();
    return out;
  }

  /** Equal tables need not be evaluated again. */
  private Statistics skip(Statistics same) {
    done += settings.bisections();
    return same;
  }

  /** The tables of one method. */
  private final class Chain {
    private final MigrationOptions.Method method;
    private MigrationPlanner planner;
    private MigrationResult.Costs costs = MigrationResult.Costs.NONE;

    Chain(MigrationOptions.Method method, ForwardingTables tables) {
      this.method = method;
      planner = MigrationPlanner.of(placement.fabric(), Optional.of(tree), tables);
    }

    /** The placement afterwards, which is the same by every method. */
    VmPlacement move(String id, int to) {
      MigrationOptions options = MigrationOptions.DEFAULT.withMethod(method);
      return switch (VmMigration.move(planner, placement, id, to, options)) {
        case VmMigration.Refused no ->
            throw new Impossible("VM " + id + " cannot move: " + no.reason());
        case VmMigration.Planned ok -> {
          MigrationPlan plan = ok.plan().orElseThrow();
          int switches = plan.switches();
          int smps = plan.writeCount();
          costs =
              costs.plus(
                  new MigrationResult.Costs(
                      1,
                      switches,
                      switches,
                      smps,
                      smps,
                      plan.minimumSwitches(),
                      plan.notes().isEmpty() ? 0 : 1));
          planner = planner.after(plan);
          yield ok.placement();
        }
      };
    }

    /**
     * Begins the next part. The planner is made anew, because one that is carried on only learns
     * what else packets in flight may wait for, and never forgets.
     */
    void restart(Fabric fabric) {
      costs = MigrationResult.Costs.NONE;
      planner = MigrationPlanner.of(fabric, Optional.of(tree), planner.tables());
    }
  }
}
