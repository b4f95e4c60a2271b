package org.heddle.plan;

import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.heddle.addressing.VirtualMachine;
import org.heddle.addressing.VmPlacement;
import org.heddle.allocation.HostChoice;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.plan.ChangePlanner.Decision;
import org.heddle.plan.model.Change;
import org.heddle.plan.model.Column;
import org.heddle.plan.model.HostRef;
import org.heddle.plan.model.JournalEntry;
import org.heddle.plan.model.Migration;
import org.heddle.plan.model.Outcome;
import org.heddle.plan.model.Outcome.Code;
import org.heddle.plan.model.Policy;
import org.heddle.plan.model.Tenant;
import org.heddle.plan.model.Vm;
import org.heddle.plan.model.VmSpec;
import org.heddle.reconfig.TableChange;
import org.heddle.reconfig.migration.MigrationOptions;
import org.heddle.reconfig.migration.MigrationOptions.Method;
import org.heddle.reconfig.migration.MigrationPlan;
import org.heddle.reconfig.migration.MigrationPlanner;
import org.heddle.reconfig.migration.VmMigration;
import org.heddle.routing.ForwardingTables;

/**
 * Works out what starting, stopping and moving machines does to a {@link DraftState} copy, or why
 * it cannot be. A machine runs on a host that its tenant holds or, if the tenant's policy is {@code
 * def}, on one that nobody holds for itself and whose port is a member of the tenant's partition.
 */
final class VmPlanner {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,62}");
  private static final int HEAVIEST = 1000;
  private static final int SHOWN = 5;

  private final DraftState w;
  private final long epoch;
  private final Instant now;

  /** Why machines cannot have LIDs of their own here; empty if they can. */
  private final String noOwnLids;

  VmPlanner(DraftState w, long epoch, Instant now, String noOwnLids) {
    this.w = w;
    this.epoch = epoch;
    this.now = now;
    this.noOwnLids = noOwnLids;
  }

  // ---- who may run where

  /** Names of the tenants that hold hosts for themselves, by node GUID. */
  private static Map<Long, String> holders(DraftState w) {
    Map<Long, String> out = new HashMap<>();
    Fabric fabric = w.site.fabric();
    for (Tenant t : w.tenants.values()) {
      for (HostRef host : t.hosts()) {
        out.put(host.guid(), t.name());
        int node = host.node(fabric);
        int machine = node == Fabric.NONE ? Fabric.NONE : fabric.machines().of(node);
        for (int i = 0;
            machine != Fabric.NONE && i < fabric.machines().adapterCount(machine);
            i++) {
          out.put(fabric.nodeGuid(fabric.machines().adapter(machine, i)), t.name());
        }
      }
    }
    return out;
  }

  /** Why a tenant's machine must not be at a host's port; null if it may. */
  private static String obstacle(Map<Long, String> holders, Tenant t, HostRef host, long port) {
    String holder = holders.get(host.guid());
    if (t.name().equals(holder)) {
      return null;
    }
    if (holder != null) {
      return "host " + host.name() + " is another tenant's";
    }
    if (t.spec().policy() != Policy.DEF) {
      return "tenant '" + t.name() + "' does not hold host " + host.name();
    }
    return t.spec().members().stream().anyMatch(m -> m.guid() == port)
        ? null
        : "host " + host.name() + " is no member of tenant '" + t.name() + "'";
  }

  /** What is refused because machines run where they then could not; empty if nothing is. */
  static Optional<Outcome.Refused> homeless(DraftState w) {
    if (w.machines.all().isEmpty()) {
      return Optional.empty();
    }
    Map<Long, String> holders = holders(w);
    List<String> names = new ArrayList<>();
    for (Vm vm : w.machines.all().values()) {
      Tenant t = w.tenants.get(vm.tenant());
      if (t == null || obstacle(holders, t, vm.host(), vm.portGuid()) != null) {
        names.add("%s of tenant '%s' on %s".formatted(vm.name(), vm.tenant(), vm.host().name()));
      }
    }
    if (names.isEmpty()) {
      return Optional.empty();
    }
    int more = names.size() - SHOWN;
    return Optional.of(
        Outcome.Refused.of(
            Code.CONFLICT,
            "VMs would lose their hosts: "
                + String.join(", ", names.subList(0, Math.min(SHOWN, names.size())))
                + (more > 0 ? " and " + more + " more" : "")
                + "; stop or move them first"));
  }

  /** Hosts on which no machines of other tenants run, which nobody need hold for itself. */
  static HostChoice withoutMachines(DraftState w, String butOf) {
    Set<Long> occupied = new HashSet<>();
    for (Vm vm : w.machines.all().values()) {
      if (!vm.tenant().equals(butOf)) {
        occupied.add(vm.host().guid());
      }
    }
    Fabric fabric = w.site.fabric();
    BitSet nodes = new BitSet();
    nodes.set(fabric.switchCount(), fabric.nodeCount());
    for (long guid : occupied) {
      int node = fabric.findNode(guid);
      int machine = node == Fabric.NONE ? Fabric.NONE : fabric.machines().of(node);
      for (int i = 0; machine != Fabric.NONE && i < fabric.machines().adapterCount(machine); i++) {
        nodes.clear(fabric.machines().adapter(machine, i));
      }
    }
    return occupied.isEmpty() ? HostChoice.ANY : HostChoice.only(nodes);
  }

  // ---- start, stop

  Decision start(VmSpec spec) {
    String bad = problem(spec);
    if (bad != null) {
      return refuse(Code.INVALID, bad);
    }
    Vm there = w.machines.all().get(spec.name());
    if (there != null) {
      return sameRequest(there, spec)
          ? new Decision.Settled(new Outcome.Unchanged(there.changed(), Optional.empty()))
          : refuse(Code.CONFLICT, "there is a VM '" + spec.name() + "' already");
    }
    Tenant t = w.tenants.get(spec.tenant());
    if (t == null) {
      return refuse(Code.CONFLICT, "there is no tenant '" + spec.tenant() + "'");
    }
    int port = port(spec.host());
    if (port == Fabric.NONE) {
      return refuse(Code.CONFLICT, noHost(spec.host()));
    }
    String why = obstacle(holders(w), t, host(port), w.site.fabric().portGuid(port));
    if (why != null) {
      return refuse(Code.CONFLICT, why);
    }
    if (spec.ownLid() && !noOwnLids.isEmpty()) {
      return refuse(Code.CONFLICT, noOwnLids);
    }
    VmInventory.Step step = w.machines.start(spec, port, t.pkey(), epoch);
    if (!step.ok()) {
      return refuse(Code.NO_PLACE, step.refusal());
    }
    w.machines = step.machines();
    return changed(Optional.empty(), Optional.of(step.vm()));
  }

  private static String problem(VmSpec spec) {
    if (!NAME.matcher(spec.name()).matches()) {
      return "a VM's name is 1 to 63 letters, digits, '_', '-' or '.', the first a letter or"
          + " digit";
    }
    return spec.weight() < 1 || spec.weight() > HEAVIEST ? "'weight' is 1 to " + HEAVIEST : null;
  }

  private static boolean sameRequest(Vm there, VmSpec spec) {
    return there.tenant().equals(spec.tenant())
        && there.host().guid() == spec.host()
        && there.ownLid() == spec.ownLid()
        && there.weight() == spec.weight();
  }

  Decision stop(Change.StopVm c) {
    Vm there = w.machines.all().get(c.name());
    if (there == null) {
      return refuse(Code.NOT_FOUND, "there is no VM '" + c.name() + "'");
    }
    if (c.version().isPresent() && c.version().getAsLong() != there.changed()) {
      return refuse(Code.STALE, "the VM is at version " + there.changed() + " meanwhile");
    }
    w.machines = w.machines.without(c.name());
    return changed(Optional.of(there), Optional.empty());
  }

  private int port(long host) {
    int node = w.site.fabric().findNode(host);
    return node == Fabric.NONE || w.site.fabric().isSwitch(node)
        ? Fabric.NONE
        : w.site.hypervisor(node);
  }

  private String noHost(long guid) {
    return Guid.format(guid) + " is no host of this fabric that can run VMs";
  }

  private HostRef host(int port) {
    return w.site.host(w.site.fabric().nodeOf(port));
  }

  // ---- moves

  Decision move(Change.MoveVms c) {
    Set<String> names = new HashSet<>();
    for (Change.VmMove m : c.moves()) {
      if (!names.add(m.name())) {
        return refuse(Code.INVALID, "VM '" + m.name() + "' is named twice");
      }
    }
    Tables now = StateRouter.route(w);
    if (!now.ok()) {
      return refuse(now.code(), now.trouble());
    }
    w.machines = now.machines();
    Moves moves = new Moves(now, c.minimal() ? Method.FTREE_MINRC : Method.ITRC);
    Map<Long, String> holders = holders(w);
    for (Change.VmMove m : c.moves()) {
      Optional<Outcome.Refused> no = one(m, holders, moves);
      if (no.isPresent()) {
        String which = c.moves().size() > 1 ? "VM '" + m.name() + "': " : "";
        Outcome.Refused r = no.get();
        return refuse(r.code(), which + r.reason());
      }
    }
    w.planner = moves.planner;
    return Decision.Changed.of(List.of()).with(moves.effects).with(moves.migration());
  }

  private Optional<Outcome.Refused> one(Change.VmMove m, Map<Long, String> holders, Moves moves) {
    Vm vm = w.machines.all().get(m.name());
    if (vm == null) {
      return refusal(Code.NOT_FOUND, "there is no VM '" + m.name() + "'");
    }
    int to = port(m.host());
    if (to == Fabric.NONE) {
      return refusal(Code.CONFLICT, noHost(m.host()));
    }
    if (vm.host().guid() == m.host()) {
      return refusal(Code.CONFLICT, "it runs on " + vm.host().name() + " already");
    }
    Tenant t = w.tenants.get(vm.tenant());
    String why = obstacle(holders, t, host(to), w.site.fabric().portGuid(to));
    if (why != null) {
      return refusal(Code.CONFLICT, why);
    }
    if (vm.ownLid() && !noOwnLids.isEmpty()) {
      return refusal(Code.CONFLICT, noOwnLids);
    }
    String trouble = vm.stranded().isEmpty() ? moves.move(vm, to) : moves.fetch(vm, to);
    return trouble == null ? Optional.empty() : refusal(Code.NO_PLACE, trouble);
  }

  private static Optional<Outcome.Refused> refusal(Code code, String reason) {
    return Optional.of(Outcome.Refused.of(code, reason));
  }

  /** The moves of one change, each on the tables that those before it leave. */
  private final class Moves {
    private final Tables start;
    private final MigrationOptions options;
    private final List<JournalEntry.Machine> effects = new ArrayList<>();
    private final List<Migration.Move> done = new ArrayList<>();
    private final Set<Integer> dropped = new TreeSet<>();
    private MigrationPlanner planner;
    private int planned;
    private int fetched;

    Moves(Tables start, Method method) {
      this.start = start;
      this.options = MigrationOptions.DEFAULT.withMethod(method);
      boolean known = w.planner != null && w.planner.tables().equals(start.tables());
      this.planner = known ? w.planner : null;
    }

    private MigrationPlanner planner() {
      if (planner == null) {
        planner =
            MigrationPlanner.of(w.machines.fabric(), Optional.of(w.site.tree()), start.tables());
      }
      return planner;
    }

    private boolean does(Vm vm, Column column) {
      return VmRoutes.does(w, start.plain(), vm, column);
    }

    /** Moves a machine that is reached; returns why not, or null. */
    String move(Vm vm, int to) {
      VmPlacement before = w.machines.placement();
      if (!vm.ownLid()) {
        return switch (before.move(vm.name(), to)) {
          case VmPlacement.Refused no -> no.reason();
          case VmPlacement.Done d -> {
            note(vm, d.placement(), at(vm, to, d.machine()), 0, 0, false);
            yield null;
          }
        };
      }
      return switch (VmMigration.move(planner(), before, vm.name(), to, options)) {
        case VmMigration.Refused no -> no.reason();
        case VmMigration.Planned p -> planned(vm, to, p, options.method());
      };
    }

    /** Takes a plan if its column does, else that of all switches. */
    private String planned(Vm vm, int to, VmMigration.Planned p, Method method) {
      MigrationPlan plan = p.plan().orElseThrow();
      MigrationPlanner after = planner.after(plan);
      Vm moved = at(vm, to, p.machine());
      Column column = w.machines.column(after.tables(), vm.lid());
      boolean asHost = column.equals(w.machines.column(start.plain(), hostLid(to)));
      if (!asHost && method == Method.FTREE_MINRC && !does(moved, column)) {
        MigrationOptions all = options.withMethod(Method.ITRC);
        return switch (VmMigration.move(planner, w.machines.placement(), vm.name(), to, all)) {
          case VmMigration.Refused no -> no.reason();
          case VmMigration.Planned whole -> planned(vm, to, whole, Method.ITRC);
        };
      }
      boolean widened =
          options.method() == Method.FTREE_MINRC
              && (method != options.method()
                  || plan.method() != Method.FTREE_MINRC
                  || !plan.notes().isEmpty());
      moved = asHost || method == Method.ITRC ? moved : moved.with(Optional.of(column));
      dropped.addAll(plan.dropped());
      planner = after;
      planned++;
      note(vm, p.placement(), moved, plan.switches(), plan.minimumSwitches(), widened);
      return null;
    }

    /** Moves a machine that is not reached where it is: it is routed as its new host. */
    String fetch(Vm vm, int to) {
      int function = w.machines.placement().freeFunction(to);
      if (function < 0) {
        return "all "
            + VmInventory.FUNCTIONS
            + " virtual functions of "
            + host(to).name()
            + " are taken";
      }
      int lid = vm.ownLid() ? vm.lid() : hostLid(to);
      Vm moved = vm.at(host(to), w.site.fabric().portGuid(to), function, lid, epoch);
      List<Vm> all = new ArrayList<>(w.machines.all().values());
      all.remove(vm);
      all.add(moved);
      VmInventory after = w.machines.replacing(all);
      String stranded = after.all().get(vm.name()).stranded();
      if (!stranded.isEmpty()) {
        return stranded;
      }
      int switches = 0;
      for (int sw = 0; vm.ownLid() && sw < start.plain().switchCount(); sw++) {
        boolean reached = start.plain().port(sw, hostLid(to)) != ForwardingTables.NO_PORT;
        switches += reached ? 1 : 0;
      }
      planner = null; // knows nothing of this LID
      fetched += switches;
      w.machines = after;
      record(vm, moved, switches, 0, false);
      return null;
    }

    private int hostLid(int port) {
      return w.site.fabric().lid(port);
    }

    private Vm at(Vm vm, int to, VirtualMachine m) {
      return vm.at(host(to), w.site.fabric().portGuid(to), m.function(), m.lid(), epoch);
    }

    private void note(
        Vm vm, VmPlacement placement, Vm moved, int switches, int minimum, boolean widened) {
      w.machines = w.machines.with(placement, moved);
      record(vm, moved, switches, minimum, widened);
    }

    private void record(Vm vm, Vm moved, int switches, int minimum, boolean widened) {
      effects.add(new JournalEntry.Machine(vm.name(), Optional.of(vm), Optional.of(moved)));
      done.add(
          new Migration.Move(
              vm.name(),
              vm.tenant(),
              vm.host(),
              moved.host(),
              moved.lid(),
              switches,
              minimum,
              widened));
    }

    /** What was done; one LID alone needs no other order than its plan's. */
    Migration migration() {
      ForwardingTables before = start.tables();
      ForwardingTables after = planner == null ? before : planner.tables();
      if (fetched > 0 || planned > 1) {
        after = VmRoutes.over(w, start.plain(), w.machines);
        dropped.clear();
        dropped.addAll(
            TableChange.order(w.machines.fabric(), Optional.of(w.site.tree()), before, after)
                .dropped());
      }
      int smps = 0;
      for (int sw = 0; sw < before.switchCount(); sw++) {
        smps += before.differingBlocks(sw, after);
      }
      return new Migration(
          epoch, now, "", options.method().key(), done, smps, List.copyOf(dropped));
    }
  }

  // ---- rollback

  /** Puts machines back where they were; the effects, or why not. */
  static Optional<String> restore(
      DraftState w,
      Map<String, Optional<Vm>> then,
      long epoch,
      List<JournalEntry.Machine> effects) {
    if (then.isEmpty()) {
      return Optional.empty();
    }
    Map<String, Vm> all = new TreeMap<>(w.machines.all());
    for (Map.Entry<String, Optional<Vm>> e : then.entrySet()) {
      Optional<Vm> was = Optional.ofNullable(all.remove(e.getKey()));
      Optional<Vm> back = e.getValue().map(vm -> vm.bare().as(epoch));
      boolean same = was.map(vm -> vm.bare().as(epoch)).equals(back);
      (same ? was : back).ifPresent(vm -> all.put(vm.name(), vm));
      if (!same) {
        effects.add(new JournalEntry.Machine(e.getKey(), was, back));
      }
    }
    VmInventory after = w.machines.replacing(all.values());
    Predicate<Vm> unlike = vm -> !after.all().get(vm.name()).equals(vm);
    Optional<Vm> bad = all.values().stream().filter(unlike).findFirst();
    w.machines = after;
    return bad.map(Vm::name);
  }

  private static Decision changed(Optional<Vm> before, Optional<Vm> after) {
    String name = after.or(() -> before).orElseThrow().name();
    return Decision.Changed.of(List.of())
        .with(List.of(new JournalEntry.Machine(name, before, after)))
        .with(after);
  }

  private static Decision refuse(Code code, String reason) {
    return new Decision.Settled(Outcome.Refused.of(code, reason));
  }
}
