package org.heddle.addressing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.heddle.fabric.Counted;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Lid;
import org.heddle.fabric.NodeType;
import org.heddle.fabric.VirtualLids;

/**
 * Which virtual machine runs where, and which LID belongs to which virtual function. Immutable;
 * starting, stopping and moving give a new placement, or the reason why they cannot, in O(machines
 * + hypervisors). Valid for one fabric snapshot.
 *
 * <p>Lifetime of addresses: a vGUID belongs to its machine for life and is never reused. A LID
 * belongs to its machine from start to stop and moves with it; under {@link
 * AddressingScheme#PREPOPULATED} LIDs always belong to functions, and a move exchanges two of them.
 * Machines without a LID of their own are reached at their hypervisor's, wherever that is.
 */
public final class VmPlacement {
  private static final int[] NO_LIDS = {};

  private final Fabric plain;
  private final AddressingOptions options;
  private final int[][] functionLid; // by port id, then function; NO_LIDS if no function has one
  private final TreeMap<String, VirtualMachine> machines;
  private final long nextVguid;
  private final BitSet reserved; // LIDs that are given to nobody; never written

  private VmPlacement(
      Fabric plain,
      AddressingOptions options,
      int[][] functionLid,
      TreeMap<String, VirtualMachine> machines,
      long nextVguid,
      BitSet reserved) {
    this.plain = plain;
    this.options = options;
    this.functionLid = functionLid;
    this.machines = machines;
    this.nextVguid = nextVguid;
    this.reserved = reserved;
  }

  /** The same, giving none of these LIDs to machines that start. */
  public VmPlacement reserving(BitSet lids) {
    BitSet copy = (BitSet) lids.clone();
    return new VmPlacement(plain, options, functionLid, machines, nextVguid, copy);
  }

  /** What became of a change. */
  public sealed interface Outcome {}

  /**
   * It is done.
   *
   * @param placement afterwards
   * @param machine as it is afterwards; as it was, if it was stopped
   */
  public record Done(VmPlacement placement, VirtualMachine machine) implements Outcome {}

  /** It is not possible; nothing changes. */
  public record Refused(String reason) implements Outcome {}

  /** True for ports whose node can run machines: linked ports of channel adapters with a LID. */
  public static boolean isHypervisor(Fabric fabric, int port) {
    return fabric.nodeType(fabric.nodeOf(port)) == NodeType.CA
        && fabric.attachedSwitch(port) != Fabric.NONE
        && fabric.lid(port) != Lid.NONE;
  }

  /**
   * A placement without machines. Under {@link AddressingScheme#PREPOPULATED} every function of
   * every hypervisor gets its LID here, in the order of port ids.
   *
   * @param fabric with LIDs; virtual LIDs it has are forgotten
   * @return the placement; empty if the LIDs do not suffice to prepopulate
   */
  public static Optional<VmPlacement> empty(Fabric fabric, AddressingOptions options) {
    Fabric plain = fabric.withVirtualLids(VirtualLids.NONE);
    int[][] lids = new int[plain.portIdLimit()][];
    Arrays.fill(lids, NO_LIDS);
    if (options.scheme() == AddressingScheme.PREPOPULATED) {
      BitSet used = used(plain, lids);
      for (int port = 0; port < lids.length; port++) {
        if (!isHypervisor(plain, port)) {
          continue;
        }
        lids[port] = new int[options.functions()];
        for (int f = 0; f < lids[port].length; f++) {
          lids[port][f] = freeLid(used, options);
          if (lids[port][f] == Lid.NONE) {
            return Optional.empty();
          }
          used.set(lids[port][f]);
        }
      }
    }
    return Optional.of(
        new VmPlacement(plain, options, lids, new TreeMap<>(), options.firstVguid(), new BitSet()));
  }

  /** A LID that belongs to a virtual function. */
  public record FunctionLid(int port, int function, int lid) {}

  /** What became of {@link #restore}. */
  public sealed interface Restored {}

  /** The placement is there again. */
  public record Restoration(VmPlacement placement) implements Restored {}

  /** The parts contradict each other or the fabric. */
  public record Contradiction(String reason) implements Restored {}

  /**
   * The placement that {@link #machines}, {@link #functionLids} and {@link #nextVguid} were read
   * from, on this snapshot of the fabric.
   */
  public static Restored restore(
      Fabric fabric,
      AddressingOptions options,
      List<VirtualMachine> machines,
      List<FunctionLid> functionLids,
      long nextVguid) {
    Fabric plain = fabric.withVirtualLids(VirtualLids.NONE);
    int[][] lids = new int[plain.portIdLimit()][];
    Arrays.fill(lids, NO_LIDS);
    BitSet used = used(plain, lids);
    for (FunctionLid f : functionLids) {
      if (!isFunction(plain, options, f.port(), f.function())) {
        return new Contradiction("LID " + f.lid() + " belongs to no virtual function");
      }
      boolean fits =
          f.lid() >= Lid.MIN_UNICAST
              && (f.lid() <= options.topLid() || f.lid() >= AddressingOptions.FIRST_EXTENDED)
              && f.lid() <= AddressingOptions.LAST_EXTENDED;
      boolean first = f.function() >= lids[f.port()].length || lids[f.port()][f.function()] == 0;
      if (!fits || used.get(f.lid()) || !first) {
        return new Contradiction("LID " + f.lid() + " is out of range or used twice");
      }
      used.set(f.lid());
      lids[f.port()] = withLid(lids[f.port()], f.function(), f.lid());
    }
    TreeMap<String, VirtualMachine> all = new TreeMap<>();
    BitSet taken = new BitSet();
    for (VirtualMachine m : machines) {
      if (!isFunction(plain, options, m.port(), m.function())) {
        return new Contradiction("VM " + m.id() + " is on no virtual function");
      }
      int slot = m.port() * options.functions() + m.function();
      int[] ofPort = lids[m.port()];
      int expected =
          !m.ownLid()
              ? plain.lid(m.port())
              : m.function() < ofPort.length ? ofPort[m.function()] : Lid.NONE;
      if (taken.get(slot) || all.put(m.id(), m) != null || m.lid() != expected) {
        return new Contradiction(
            "VM " + m.id() + ": name, function or LID does not go with the others");
      }
      taken.set(slot);
    }
    return new Restoration(new VmPlacement(plain, options, lids, all, nextVguid, new BitSet()));
  }

  private static boolean isFunction(Fabric plain, AddressingOptions options, int port, int f) {
    return port >= 0
        && port < plain.portIdLimit()
        && f >= 0
        && f < options.functions()
        && isHypervisor(plain, port);
  }

  /** LIDs of all virtual functions that have one, by port, then function. */
  public List<FunctionLid> functionLids() {
    List<FunctionLid> out = new ArrayList<>();
    for (int port = 0; port < functionLid.length; port++) {
      for (int f = 0; f < functionLid[port].length; f++) {
        if (functionLid[port][f] != Lid.NONE) {
          out.add(new FunctionLid(port, f, functionLid[port][f]));
        }
      }
    }
    return out;
  }

  /** The vGUID that the next machine will get. */
  public long nextVguid() {
    return nextVguid;
  }

  /** How machines are addressed. */
  public AddressingOptions options() {
    return options;
  }

  /** All machines by id. */
  public List<VirtualMachine> machines() {
    return List.copyOf(machines.values());
  }

  /** A machine by its id. */
  public Optional<VirtualMachine> find(String id) {
    return Optional.ofNullable(machines.get(id));
  }

  /** LID of a virtual function, or {@link Lid#NONE}. */
  public int functionLid(int port, int function) {
    return function < functionLid[port].length ? functionLid[port][function] : Lid.NONE;
  }

  /**
   * The fabric whose hypervisors answer to the LIDs of this placement, weights included; what
   * engines and audit need. LIDs of the extended space are not in it. O(LIDs log LIDs).
   */
  public Fabric fabric() {
    Map<Integer, Integer> weightOf = new HashMap<>();
    machines.values().stream()
        .filter(VirtualMachine::ownLid)
        .forEach(m -> weightOf.put(m.lid(), m.weight()));
    int[] lids = new int[Lid.MAX_UNICAST + 1];
    int[] ports = new int[lids.length];
    int[] weights = new int[lids.length];
    int n = 0;
    for (int port = 0; port < functionLid.length; port++) {
      for (int lid : functionLid[port]) {
        if (Lid.isUnicast(lid)) {
          lids[n] = lid;
          ports[n] = port;
          weights[n++] = weightOf.getOrDefault(lid, VirtualLids.IDLE);
        }
      }
    }
    return plain.withVirtualLids(
        VirtualLids.of(Arrays.copyOf(lids, n), Arrays.copyOf(ports, n), Arrays.copyOf(weights, n)));
  }

  /** Starts a machine on the lowest free function of a hypervisor. */
  public Outcome start(VirtualMachine.Request request, int port) {
    if (machines.containsKey(request.id())) {
      return new Refused("VM " + request.id() + " runs already");
    }
    String obstacle = obstacle(port, request.pkeys());
    if (obstacle != null) {
      return new Refused(obstacle);
    }
    int function = freeFunction(port);
    int[][] lids = functionLid.clone();
    int lid = plain.lid(port);
    boolean own = ownsLid(request);
    if (own && options.scheme() == AddressingScheme.PREPOPULATED) {
      lid = functionLid[port][function];
    } else if (own) {
      BitSet used = used(plain, functionLid);
      used.or(reserved);
      lid = freeLid(used, options);
      if (lid == Lid.NONE) {
        return new Refused("no LID is free");
      }
      lids[port] = withLid(functionLid[port], function, lid);
    }
    VirtualMachine machine =
        new VirtualMachine(
            request.id(), nextVguid, port, function, lid, own, request.weight(), request.pkeys());
    return done(lids, machine, machine, nextVguid + 1);
  }

  /** Stops a machine; its LID is free again unless it belongs to the function. */
  public Outcome stop(String id) {
    VirtualMachine machine = machines.get(id);
    if (machine == null) {
      return new Refused("no VM " + id);
    }
    int[][] lids = functionLid.clone();
    if (machine.ownLid() && options.scheme() != AddressingScheme.PREPOPULATED) {
      lids[machine.port()] = withLid(lids[machine.port()], machine.function(), Lid.NONE);
    }
    TreeMap<String, VirtualMachine> left = new TreeMap<>(machines);
    left.remove(id);
    return new Done(new VmPlacement(plain, options, lids, left, nextVguid, reserved), machine);
  }

  /**
   * Moves a machine with its addresses to the lowest free function of another hypervisor. A machine
   * that shares its hypervisor's LID has another LID afterwards.
   */
  public Outcome move(String id, int to) {
    VirtualMachine machine = machines.get(id);
    if (machine == null) {
      return new Refused("no VM " + id);
    }
    if (machine.port() == to) {
      return new Refused("VM " + id + " runs there already");
    }
    String obstacle = obstacle(to, machine.pkeys());
    if (obstacle != null) {
      return new Refused(obstacle);
    }
    int function = freeFunction(to);
    int from = machine.port();
    int[][] lids = functionLid.clone();
    int lid = plain.lid(to);
    if (machine.ownLid()) {
      lid = machine.lid();
      int other = functionLid(to, function); // swapped if the target has one, else free
      lids[to] = withLid(lids[to], function, lid);
      lids[from] = withLid(lids[from], machine.function(), other);
    }
    VirtualMachine moved =
        new VirtualMachine(
            id,
            machine.vguid(),
            to,
            function,
            lid,
            machine.ownLid(),
            machine.weight(),
            machine.pkeys());
    return done(lids, moved, moved, nextVguid);
  }

  private Done done(int[][] lids, VirtualMachine put, VirtualMachine shown, long vguid) {
    TreeMap<String, VirtualMachine> all = new TreeMap<>(machines);
    all.put(put.id(), put);
    return new Done(new VmPlacement(plain, options, lids, all, vguid, reserved), shown);
  }

  /** The lowest function of a hypervisor without a machine, or -1 if all are taken. */
  public int freeFunction(int port) {
    BitSet taken = new BitSet();
    for (VirtualMachine m : machines.values()) {
      if (m.port() == port) {
        taken.set(m.function());
      }
    }
    int function = taken.nextClearBit(0);
    return function < options.functions() ? function : -1;
  }

  private boolean ownsLid(VirtualMachine.Request request) {
    return switch (options.scheme()) {
      case PREPOPULATED, DYNAMIC, EXTENDED -> true;
      case SHARED_PORT -> false;
      case HYBRID -> request.ownLid();
    };
  }

  private String obstacle(int port, List<Integer> pkeys) {
    if (port < 0 || port >= plain.portIdLimit() || !isHypervisor(plain, port)) {
      return "port " + port + " is not that of a hypervisor";
    }
    String name = plain.node(plain.nodeOf(port)).display();
    if (freeFunction(port) < 0) {
      return "none of "
          + Counted.of(options.functions(), "virtual function", "virtual functions")
          + " of "
          + name
          + " is free";
    }
    TreeSet<Integer> keys = new TreeSet<>(pkeys);
    for (VirtualMachine m : machines.values()) {
      if (m.port() == port) {
        keys.addAll(m.pkeys());
      }
    }
    if (keys.size() + 1 > options.pkeyTable()) { // the default partition takes an entry, too
      return "the P_Key table of "
          + name
          + " has "
          + Counted.of(options.pkeyTable(), "entry", "entries");
    }
    return null;
  }

  private static BitSet used(Fabric plain, int[][] functionLid) {
    BitSet used = new BitSet(AddressingOptions.LAST_EXTENDED + 1);
    for (int lid = 1; lid <= plain.topLid(); lid++) {
      used.set(lid, plain.portOfLid(lid) != Fabric.NONE);
    }
    for (int[] ofPort : functionLid) {
      for (int lid : ofPort) {
        used.set(lid);
      }
    }
    return used;
  }

  /** The next free LID, or {@link Lid#NONE}. */
  private static int freeLid(BitSet used, AddressingOptions options) {
    boolean extended = options.scheme() == AddressingScheme.EXTENDED;
    int low = extended ? AddressingOptions.FIRST_EXTENDED : Lid.MIN_UNICAST;
    int high = extended ? AddressingOptions.LAST_EXTENDED : options.topLid();
    int lid =
        options.order() == AddressingOptions.LidOrder.UP
            ? used.nextClearBit(low)
            : used.previousClearBit(high);
    return lid < low || lid > high ? Lid.NONE : lid;
  }

  private static int[] withLid(int[] lids, int function, int lid) {
    int[] out = Arrays.copyOf(lids, Math.max(lids.length, function + 1));
    out[function] = lid;
    return out;
  }

  /** Ids of the machines of a hypervisor, in order. */
  public List<String> machinesAt(int port) {
    List<String> out = new ArrayList<>();
    for (VirtualMachine m : machines.values()) {
      if (m.port() == port) {
        out.add(m.id());
      }
    }
    return out;
  }
}
