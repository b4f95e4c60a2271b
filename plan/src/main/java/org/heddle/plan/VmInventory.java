package org.heddle.plan;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.heddle.addressing.AddressingOptions;
import org.heddle.addressing.AddressingScheme;
import org.heddle.addressing.VirtualMachine;
import org.heddle.addressing.VmPlacement;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.fabric.Lid;
import org.heddle.plan.model.Column;
import org.heddle.plan.model.JournalEntry;
import org.heddle.plan.model.Vm;
import org.heddle.plan.model.VmSpec;
import org.heddle.routing.ForwardingTables;

/**
 * The virtual machines of a state: where they run and what their addresses are. Immutable; every
 * change gives another one, in O(machines). What they may do is decided elsewhere ({@link
 * VmPlanner}), and so are their routes ({@link VmRoutes}).
 *
 * <p>LIDs of machines are taken from a ceiling downwards, so that they do not meet the LIDs that a
 * subnet manager assigns to hosts from below. The ceiling is a power of two that leaves room for
 * the fabric to grow, because every table has an entry for each LID up to it.
 */
public final class VmInventory {
  /** Virtual functions of every port. */
  public static final int FUNCTIONS = 16;

  /** Outside the range from which ib-kubernetes gives GUIDs (02:00:... to 02:FF:...). */
  static final long FIRST_VGUID = 0x0600_0000_0000_0001L;

  private static final int KEYS = 128;
  private static final int GROWTH = 8;
  private static final long PREFIX = 0xfe80_0000_0000_0000L;

  private final PhysicalFabric site;
  private final SortedMap<String, Vm> all;
  private final VmPlacement placement;

  /** With the machines' LIDs; made when it is asked for. */
  private Fabric fabric;

  private VmInventory(PhysicalFabric site, SortedMap<String, Vm> all, VmPlacement placement) {
    this.site = site;
    this.all = Collections.unmodifiableSortedMap(all);
    this.placement = placement;
  }

  /** No machines, and there never were any. */
  static VmInventory none(PhysicalFabric site) {
    return of(site, List.of(), FIRST_VGUID, new ArrayList<>());
  }

  /**
   * Machines on a fabric: who was stranded and can be reached again is, who cannot any more is
   * stranded.
   *
   * @param nextVguid 0 if there never were any
   * @param changed gets machines that are stranded or not, or have another LID, otherwise than they
   *     said themselves
   */
  public static VmInventory of(
      PhysicalFabric site, Collection<Vm> vms, long nextVguid, List<Vm> changed) {
    Fabric fabric = site.fabric();
    TreeMap<String, Vm> all = new TreeMap<>();
    List<VirtualMachine> running = new ArrayList<>();
    List<VmPlacement.FunctionLid> lids = new ArrayList<>();
    BitSet reserved = new BitSet();
    BitSet taken = new BitSet();
    int top = 0;
    for (Vm vm : vms) {
      int port = fabric.findPort(vm.portGuid());
      String why = obstacle(fabric, port, vm);
      int slot = port * FUNCTIONS + vm.function();
      if (why.isEmpty() && (taken.get(slot) || vm.ownLid() && reserved.get(vm.lid()))) {
        why = "its virtual function or its LID belongs to another VM";
      }
      int lid = vm.ownLid() || !why.isEmpty() ? vm.lid() : fabric.lid(port);
      if (!why.equals(vm.stranded()) || lid != vm.lid()) {
        changed.add(vm);
      }
      Vm now = why.equals(vm.stranded()) && lid == vm.lid() ? vm : vm.with(lid, why, vm.changed());
      all.put(now.name(), now);
      if (now.ownLid()) {
        reserved.set(now.lid());
        top = Math.max(top, now.lid());
      }
      if (why.isEmpty()) {
        taken.set(slot);
        running.add(virtual(now, port));
      }
      if (now.routed()) {
        lids.add(new VmPlacement.FunctionLid(port, now.function(), now.lid()));
      }
    }
    long vguid = Math.max(nextVguid, FIRST_VGUID);
    return switch (VmPlacement.restore(fabric, options(fabric, top), running, lids, vguid)) {
      case VmPlacement.Contradiction no -> throw new IllegalStateException(no.reason());
      case VmPlacement.Restoration yes ->
          new VmInventory(site, all, yes.placement().reserving(reserved));
    };
  }

  private static String obstacle(Fabric fabric, int port, Vm vm) {
    if (port == Fabric.NONE || !VmPlacement.isHypervisor(fabric, port)) {
      return "host " + vm.host().name() + (port == Fabric.NONE ? " is gone" : " has no link");
    }
    int owner = vm.ownLid() ? fabric.portOfLid(vm.lid()) : Fabric.NONE;
    return owner == Fabric.NONE
        ? ""
        : "LID "
            + vm.lid()
            + " was given to "
            + Guid.format(fabric.portGuid(owner))
            + ": stop the VM and start it again";
  }

  private static VirtualMachine virtual(Vm vm, int port) {
    return new VirtualMachine(
        vm.name(), vm.vguid(), port, vm.function(), vm.lid(), vm.ownLid(), vm.weight(), List.of());
  }

  /** Room for every function of every host, and for a fabric of twice as many LIDs. */
  private static AddressingOptions options(Fabric fabric, int top) {
    int lids = fabric.topLid() + 1;
    int wanted = Math.max(GROWTH * lids, 2 * lids + FUNCTIONS * fabric.caCount());
    int capacity = 1024;
    while (capacity < wanted && capacity <= Lid.MAX_UNICAST) {
      capacity *= 2;
    }
    return new AddressingOptions(
        AddressingScheme.HYBRID,
        AddressingOptions.LidOrder.DOWN,
        FUNCTIONS,
        Math.max(Math.min(capacity, Lid.MAX_UNICAST + 1), top + 1),
        KEYS,
        PREFIX,
        FIRST_VGUID);
  }

  /** All of them, by name. */
  public SortedMap<String, Vm> all() {
    return all;
  }

  public VmPlacement placement() {
    return placement;
  }

  /** The site's fabric, whose ports answer to the machines' LIDs, too. */
  public Fabric fabric() {
    if (fabric == null) {
      fabric = all.isEmpty() ? site.fabric() : placement.fabric();
    }
    return fabric;
  }

  /** The largest LID of a machine that is reached; 0 if there is none. */
  int topLid() {
    int top = 0;
    for (Vm vm : all.values()) {
      top = vm.routed() ? Math.max(top, vm.lid()) : top;
    }
    return top;
  }

  /** True if some machine is not routed as its host. */
  boolean hasColumns() {
    return all.values().stream().anyMatch(vm -> vm.column().isPresent());
  }

  /** True if the tables have the same for both. */
  public boolean routedAs(VmInventory other) {
    if (all == other.all) {
      return true;
    }
    for (Vm vm : all.values()) {
      Vm there = other.all.get(vm.name());
      if (there == null ? vm.routed() : !vm.routedAs(there)) {
        return false;
      }
    }
    return other.all.values().stream().allMatch(vm -> !vm.routed() || all.containsKey(vm.name()));
  }

  /** A step, or why there is none. */
  record Step(VmInventory machines, Vm vm, String refusal) {
    private static Step refused(String why) {
      return new Step(null, null, why);
    }

    boolean ok() {
      return refusal == null;
    }
  }

  /** Starts a machine at a port. */
  Step start(VmSpec spec, int port, int pkey, long epoch) {
    VirtualMachine.Request request =
        new VirtualMachine.Request(spec.name(), spec.ownLid(), spec.weight(), List.of(pkey));
    return switch (placement.start(request, port)) {
      case VmPlacement.Refused no -> Step.refused(no.reason());
      case VmPlacement.Done done -> {
        VirtualMachine m = done.machine();
        Vm vm =
            new Vm(
                spec.name(),
                spec.tenant(),
                site.host(site.fabric().nodeOf(port)),
                site.fabric().portGuid(port),
                m.function(),
                m.vguid(),
                m.lid(),
                m.ownLid(),
                m.weight(),
                epoch,
                epoch,
                "",
                Optional.empty());
        yield new Step(with(done.placement(), vm), vm, null);
      }
    };
  }

  /** The same after a machine was put where a placement says. */
  VmInventory with(VmPlacement after, Vm vm) {
    TreeMap<String, Vm> out = new TreeMap<>(all);
    out.put(vm.name(), vm);
    return new VmInventory(site, out, after);
  }

  /** The same without a machine that is there. */
  VmInventory without(String name) {
    TreeMap<String, Vm> left = new TreeMap<>(all);
    Vm gone = left.remove(name);
    if (!gone.stranded().isEmpty()) {
      return of(site, left.values(), placement.nextVguid(), new ArrayList<>());
    }
    VmPlacement after = ((VmPlacement.Done) placement.stop(name)).placement();
    if (gone.ownLid()) {
      BitSet reserved = new BitSet();
      left.values().stream().filter(Vm::ownLid).forEach(vm -> reserved.set(vm.lid()));
      after = after.reserving(reserved);
    }
    return new VmInventory(site, left, after);
  }

  /** Others in the place of all, the counter of vGUIDs kept. */
  VmInventory replacing(Collection<Vm> others) {
    return of(site, others, placement.nextVguid(), new ArrayList<>());
  }

  /** The same with other columns, and nothing else, for some. */
  VmInventory withColumns(Collection<Vm> others) {
    if (others.isEmpty()) {
      return this;
    }
    TreeMap<String, Vm> out = new TreeMap<>(all);
    others.forEach(vm -> out.put(vm.name(), vm));
    VmInventory same = new VmInventory(site, out, placement);
    same.fabric = fabric;
    return same;
  }

  /** The same without columns. */
  VmInventory withoutColumns() {
    List<Vm> bare = new ArrayList<>();
    all.values().stream().filter(vm -> vm.column().isPresent()).forEach(vm -> bare.add(vm.bare()));
    return withColumns(bare);
  }

  /** The column of a LID in tables of the site. */
  Column column(ForwardingTables tables, int lid) {
    byte[] out = new byte[tables.switchCount()];
    for (int sw = 0; sw < out.length; sw++) {
      out[sw] = (byte) tables.port(sw, lid);
    }
    return Column.of(site.switches(), out);
  }

  /**
   * Machines of one site on another: columns in the order of its switches.
   *
   * @param journal gets what happens to them; these have changed at the epoch
   */
  VmInventory onto(PhysicalFabric other, long epoch, List<JournalEntry.Machine> journal) {
    List<Vm> carried = new ArrayList<>();
    for (Vm vm : all.values()) {
      boolean same = vm.column().isEmpty() || other.switches() == site.switches();
      carried.add(same ? vm : vm.with(vm.column().map(c -> carried(c, other))));
    }
    List<Vm> changed = new ArrayList<>();
    VmInventory out = of(other, carried, placement.nextVguid(), changed);
    TreeMap<String, Vm> stamped = new TreeMap<>(out.all);
    for (Vm before : changed) {
      Vm after = out.all.get(before.name()).as(epoch);
      stamped.put(after.name(), after);
      journal.add(new JournalEntry.Machine(before.name(), Optional.of(before), Optional.of(after)));
    }
    return new VmInventory(other, stamped, out.placement);
  }

  private Column carried(Column column, PhysicalFabric other) {
    if (column.switches() != site.switches()) {
      return column; // of other switches: is found to be unusable
    }
    byte[] ports = column.bytes();
    byte[] out = new byte[other.fabric().switchCount()];
    for (int sw = 0; sw < out.length; sw++) {
      int there = site.fabric().findNode(other.fabric().nodeGuid(sw));
      boolean known = there != Fabric.NONE && there < ports.length;
      out[sw] = known ? ports[there] : (byte) ForwardingTables.NO_PORT;
    }
    return Column.of(other.switches(), out);
  }
}
