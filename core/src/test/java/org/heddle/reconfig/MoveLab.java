package org.heddle.reconfig;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.heddle.addressing.AddressingOptions;
import org.heddle.addressing.VirtualMachine;
import org.heddle.addressing.VmPlacement;
import org.heddle.catalog.Catalog;
import org.heddle.fabric.Fabric;
import org.heddle.reconfig.migration.LidMove;
import org.heddle.reconfig.migration.MigrationOptions;
import org.heddle.reconfig.migration.MigrationPlan;
import org.heddle.reconfig.migration.MigrationPlanner;
import org.heddle.routing.ForwardingTables;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.topology.FatTree;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.Recognition;
import org.heddle.topology.generate.DamageSpec;
import org.heddle.topology.generate.FabricDamage;
import org.heddle.topology.generate.FabricShuffle;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.heddle.verify.transition.TableWrite;
import org.heddle.verify.transition.TransitionAudit;
import org.heddle.verify.transition.TransitionReport;

/** A fabric with machines, its tables, and moves drawn at random; for the tests of migrations. */
public final class MoveLab {
  public final FatTree tree;
  public VmPlacement placement;
  public MigrationPlanner planner;

  private MoveLab(FatTree tree, VmPlacement placement, MigrationPlanner planner) {
    this.tree = tree;
    this.placement = placement;
    this.planner = planner;
  }

  /** Ports are shuffled if the seed is odd. */
  public static Fabric fabric(String spec, double damage, long seed) {
    Fabric tree = TreeGenerator.generate(TreeSpec.parse(spec)).withAssignedLids();
    Fabric whole = seed % 2 == 0 ? tree : FabricShuffle.ports(tree, seed);
    return damage == 0
        ? whole
        : FabricDamage.apply(
                whole,
                DamageSpec.none(seed).withLinks(DamageSpec.Amount.share(damage)).keepingConnected())
            .fabric();
  }

  /** Machines on half of the functions, at random; empty if the engine refuses the fabric. */
  public static Optional<MoveLab> of(
      Fabric fabric, AddressingOptions options, String engine, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    VmPlacement placement = VmPlacement.empty(fabric, options).orElseThrow();
    int[] hosts = hypervisors(fabric);
    for (int i = 0; i < hosts.length * options.functions() / 2; i++) {
      VirtualMachine.Request request = VirtualMachine.Request.of("vm" + i);
      if (placement.start(request, hosts[random.nextInt(hosts.length)])
          instanceof VmPlacement.Done done) {
        placement = done.placement();
      }
    }
    Fabric addressed = placement.fabric();
    Recognition recognition = FatTreeRecogniser.recognise(addressed);
    RoutingResult result =
        Catalog.engine(engine).orElseThrow().route(RoutingRequest.of(addressed, recognition));
    if (!(result instanceof RoutingResult.Routed routed)
        || !(recognition instanceof Recognition.Found found)) {
      return Optional.empty();
    }
    return Optional.of(
        new MoveLab(
            found.tree(),
            placement,
            MigrationPlanner.of(addressed, Optional.of(found.tree()), routed.tables())));
  }

  public static int[] hypervisors(Fabric fabric) {
    int[] out = new int[fabric.caCount()];
    int n = 0;
    for (int node = fabric.switchCount(); node < fabric.nodeCount(); node++) {
      if (VmPlacement.isHypervisor(fabric, fabric.port(node, 1))) {
        out[n++] = fabric.port(node, 1);
      }
    }
    return java.util.Arrays.copyOf(out, n);
  }

  /** A machine and another hypervisor with a free function. */
  public record Draw(VirtualMachine machine, int to, LidMove move) {}

  public Draw draw(SplittableRandom random) {
    List<VirtualMachine> all = placement.machines();
    int[] hosts = hypervisors(placement.fabric());
    while (true) {
      VirtualMachine machine = all.get(random.nextInt(all.size()));
      int to = hosts[random.nextInt(hosts.length)];
      if (to != machine.port() && placement.freeFunction(to) >= 0) {
        int other = placement.functionLid(to, placement.freeFunction(to));
        LidMove move =
            other == 0
                ? LidMove.copy(machine.lid(), machine.port(), to)
                : LidMove.swap(machine.lid(), other, machine.port(), to);
        return new Draw(machine, to, move);
      }
    }
  }

  public MigrationPlan plan(Draw draw, MigrationOptions options) {
    return ((MigrationPlanner.Planned) planner.plan(draw.move(), options)).plan();
  }

  /** Carries a plan out. */
  public void apply(Draw draw, MigrationPlan plan) {
    placement = ((VmPlacement.Done) placement.move(draw.machine().id(), draw.to())).placement();
    planner = planner.after(plan);
  }

  public static List<TableWrite> writes(MigrationPlan plan) {
    List<TableWrite> out = new ArrayList<>();
    for (int i = 0; i < plan.writeCount(); i++) {
      MigrationPlan.LftWrite w = plan.write(i);
      out.add(new TableWrite(w.sw(), w.block(), w.entries(), plan.drainBefore(i)));
    }
    return out;
  }

  /** The verifier's word on every state of a plan, before it is applied. */
  public TransitionReport check(MigrationPlan plan) {
    LidMove move = plan.move();
    TreeMap<Integer, int[]> owners = new TreeMap<>();
    owners.put(move.lid(), new int[] {move.from(), move.to()});
    if (move.partner() != 0) {
      owners.put(move.partner(), new int[] {move.from(), move.to()});
    }
    return TransitionAudit.run(
        placement.fabric(), planner.tables(), writes(plan), owners, new TreeSet<>(plan.dropped()));
  }

  public ForwardingTables tables() {
    return planner.tables();
  }
}
