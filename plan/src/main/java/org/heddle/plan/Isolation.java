package org.heddle.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.plan.model.Breach;
import org.heddle.plan.model.Member;
import org.heddle.plan.model.PartitionOptions;
import org.heddle.plan.model.Policy;
import org.heddle.plan.model.Tenant;
import org.heddle.routing.ForwardingTables;
import org.heddle.tenancy.IsolationPolicy;
import org.heddle.tenancy.Lanes;
import org.heddle.tenancy.Partition;
import org.heddle.tenancy.PartitionMember;
import org.heddle.tenancy.Tenancy;
import org.heddle.verify.isolation.IsolationAudit;
import org.heddle.verify.isolation.IsolationOptions;
import org.heddle.verify.isolation.IsolationReport;

/**
 * Tenants that tables ({@code phy}) or virtual lanes ({@code vlane}) keep apart from others, rather
 * than links of their own: what the partition-aware engine and the isolation audit are told of a
 * {@link DraftState} state. The lane of a tenant is its service level, modulo {@link
 * PartitionOptions#LANES}; that of a {@code vlane} tenant is chosen when it is admitted and stays,
 * since its jobs have it.
 *
 * <p>When the fabric loses links, a promise may not be kept any more. Then the tenants that came
 * last give way: they are flagged by a {@link Breach.GaveWay} and count as {@code def} until it can
 * be kept again.
 */
final class Isolation {
  private static final int LANES = PartitionOptions.LANES;

  private Isolation() {}

  /** True if a tenant must be kept apart now. */
  static boolean wanted(Tenant t) {
    return promised(t) && !gaveWay(t);
  }

  private static boolean promised(Tenant t) {
    return t.spec().policy() == Policy.PHY || t.spec().policy() == Policy.VLANE;
  }

  private static boolean gaveWay(Tenant t) {
    return t.broken().stream().anyMatch(Breach.GaveWay.class::isInstance);
  }

  /** True if some tenant must be kept apart. */
  static boolean needed(DraftState w) {
    return w.tenants.values().stream().anyMatch(Isolation::wanted);
  }

  /** True if some tenant must be kept apart by the tables. */
  static boolean physical(DraftState w) {
    return w.tenants.values().stream().anyMatch(t -> t.spec().policy() == Policy.PHY && wanted(t));
  }

  /** Whose traffic counts, in an order that a restart does not change: not management's. */
  private static List<Tenant> counted(DraftState w) {
    List<Tenant> out = new ArrayList<>(w.tenants.values());
    out.removeIf(t -> t.pkey() == PartitionOptions.MANAGEMENT);
    out.sort(Comparator.comparingLong(Tenant::created).thenComparing(Tenant::name));
    return out;
  }

  /** The tenants as partitions; those with links of their own are kept apart otherwise. */
  static Tenancy tenancy(DraftState w) {
    List<Partition> out = new ArrayList<>();
    for (Tenant t : counted(w)) {
      IsolationPolicy policy =
          !wanted(t)
              ? IsolationPolicy.DEF
              : t.spec().policy() == Policy.PHY ? IsolationPolicy.PHY : IsolationPolicy.VLANE;
      out.add(partition(w.site.fabric(), t, policy));
    }
    return new Tenancy(new Tenancy.Rules(true, LANES, 1.0, List.of()), out);
  }

  /**
   * The same of what is in service for the engine, which would choose lanes itself and refuse if it
   * found none.
   */
  static Tenancy forEngine(Tenancy tenancy, Fabric used) {
    List<Partition> out = new ArrayList<>();
    for (Partition p : tenancy.partitions()) {
      IsolationPolicy policy =
          p.policy() == IsolationPolicy.VLANE ? IsolationPolicy.DEF : p.policy();
      List<PartitionMember> members =
          p.members().stream().filter(m -> used.attachedSwitch(m.port()) != Fabric.NONE).toList();
      out.add(new Partition(p.name(), p.pkey(), policy, members, p.pending()));
    }
    return new Tenancy(tenancy.rules(), out);
  }

  /** A tenant's ports that are there. */
  static Partition partition(Fabric fabric, Tenant t, IsolationPolicy policy) {
    TreeMap<Integer, Boolean> ports = new TreeMap<>();
    List<Guid> pending = new ArrayList<>();
    for (Member m : PartitionMembers.of(fabric, t)) {
      int port = fabric.findPort(m.guid());
      if (port == Fabric.NONE) {
        pending.add(new Guid(m.guid()));
      } else if (!fabric.isSwitch(fabric.nodeOf(port))
          && fabric.attachedSwitch(port) != Fabric.NONE) {
        ports.merge(port, m.full(), Boolean::logicalOr);
      }
    }
    List<PartitionMember> members = new ArrayList<>();
    ports.forEach((port, full) -> members.add(new PartitionMember(port, full, 1)));
    return new Partition(t.name(), t.pkey(), policy, members, pending);
  }

  /** The lanes of {@link #tenancy}. */
  static Lanes lanes(DraftState w) {
    return new Lanes(counted(w).stream().mapToInt(Isolation::lane).toArray());
  }

  private static int lane(Tenant t) {
    return t.spec().partition().serviceLevel() % LANES;
  }

  /** True if tables and lanes that keep everybody apart in one state do so in the other. */
  static boolean same(DraftState a, DraftState b) {
    return !needed(a) && !needed(b)
        || needed(a) && needed(b) && tenancy(a).equals(tenancy(b)) && lanes(a).equals(lanes(b));
  }

  /** Who meets whom in finished tables; proven from these, without the engine's word. */
  static IsolationReport audit(DraftState w, ForwardingTables tables) {
    IsolationOptions options =
        IsolationOptions.defaults().withTree(w.site.tree()).withThreads(1).withExamples(1);
    return IsolationAudit.run(w.machines.fabric(), tables, tenancy(w), lanes(w), options);
  }

  /** What is not kept, or null. */
  static String trouble(DraftState w, ForwardingTables tables) {
    if (!needed(w)) {
      return null;
    }
    IsolationReport report = audit(w, tables);
    if (report.kept()) {
      return null;
    }
    var first = report.violations().getFirst();
    return first.message() + (first.examples().isEmpty() ? "" : ": " + first.examples().getFirst());
  }

  /**
   * A service level for a tenant that is in the state already: one that nobody has, else the lowest
   * of which it meets nobody.
   *
   * @return empty if there is none
   */
  static OptionalInt freeLane(DraftState w, Tenant tenant) {
    boolean[] taken = new boolean[LANES];
    taken[0] = true; // everybody's
    for (Tenant t : counted(w)) {
      if (!t.name().equals(tenant.name())) {
        taken[lane(t)] = true;
      }
    }
    OptionalInt unused = first(taken);
    if (unused.isPresent()) {
      return unused;
    }
    Arrays.fill(taken, false);
    taken[0] = true;
    return meets(w, tenant, taken)
            && (w.reference == w.site || meets(onReference(w), tenant, taken))
        ? first(taken)
        : OptionalInt.empty();
  }

  /** Marks the lanes of those that a tenant meets; false if there are no tables. */
  private static boolean meets(DraftState w, Tenant tenant, boolean[] taken) {
    Tables tables = StateRouter.route(w);
    if (!tables.ok()) {
      return false;
    }
    List<Tenant> all = counted(w);
    int me = 0;
    while (!all.get(me).name().equals(tenant.name())) {
      me++;
    }
    for (IsolationReport.Pair pair : audit(w, tables.tables()).pairs()) {
      if (pair.a() == me || pair.b() == me) {
        taken[lane(all.get(pair.a() == me ? pair.b() : pair.a()))] = true;
      }
    }
    return true;
  }

  private static OptionalInt first(boolean[] taken) {
    for (int i = 0; i < taken.length; i++) {
      if (!taken[i]) {
        return OptionalInt.of(i);
      }
    }
    return OptionalInt.empty();
  }

  /** True if somebody has given way. */
  static boolean someGaveWay(DraftState w) {
    return w.tenants.values().stream().anyMatch(Isolation::gaveWay);
  }

  /**
   * Lets tenants give way until the others are kept apart; who gave way before is tried again. The
   * order of admission decides, so the result depends on nothing but tenants and fabric.
   */
  static void settle(DraftState w, long epoch) {
    for (Tenant t : List.copyOf(w.tenants.values())) {
      if (gaveWay(t)) {
        List<Breach> left =
            t.broken().stream().filter(b -> !(b instanceof Breach.GaveWay)).toList();
        w.tenants.put(t.name(), t.holding(t.hosts(), t.links(), left, epoch));
      }
    }
    while (needed(w)) {
      Tables tables = StateRouter.route(w);
      if (!tables.ok() && tables.culprit() != null) {
        FabricChange.giveUp(w, tables, epoch);
        continue;
      }
      Tenant out = tables.ok() ? clashing(w, tables) : lastPhysical(w);
      if (out == null) {
        return;
      }
      List<Breach> broken = new ArrayList<>(out.broken());
      broken.add(new Breach.GaveWay(out.spec().policy()));
      w.tenants.put(out.name(), out.holding(out.hosts(), out.links(), broken, epoch));
    }
  }

  private static Tenant lastPhysical(DraftState w) {
    return counted(w).reversed().stream()
        .filter(t -> wanted(t) && t.spec().policy() == Policy.PHY)
        .findFirst()
        .orElse(null);
  }

  /** Who must give way, the last to come of those that clash; null if nobody must. */
  private static Tenant clashing(DraftState w, Tables tables) {
    List<Tenant> all = counted(w);
    for (IsolationReport.Pair pair : audit(w, tables.tables()).pairs()) {
      if (pair.violation().isPresent()) {
        Tenant later = all.get(pair.b()); // ascending by admission
        return wanted(later) ? later : all.get(pair.a());
      }
    }
    return null;
  }

  // ---- on the fabric that lacks nothing

  /**
   * Who would have to give way if everything that the fabric lacks were there again, and had not in
   * the state that this one was copied from; by name. Nobody as long as the fabric lacks nothing.
   */
  static Set<String> lostForGood(DraftState w) {
    Set<String> out = giveWay(w);
    DraftState o = w.origin;
    if (!out.isEmpty() && o != null && o.reference == w.reference) {
      out.removeAll(o.reference == o.site ? names(o) : giveWay(o));
    }
    return out;
  }

  private static Set<String> giveWay(DraftState w) {
    if (w.reference == w.site || w.tenants.values().stream().noneMatch(Isolation::promised)) {
      return Set.of();
    }
    DraftState then = onReference(w);
    settle(then, 0);
    return names(then);
  }

  /** Names of those that have given way. */
  private static Set<String> names(DraftState w) {
    Set<String> out = new TreeSet<>();
    w.tenants.values().stream().filter(Isolation::gaveWay).forEach(t -> out.add(t.name()));
    return out;
  }

  /** The tenants on the fabric that lacks nothing, nobody having given way; without machines. */
  private static DraftState onReference(DraftState w) {
    DraftState out = new DraftState(w.reference, w.engine);
    w.tenants.values().forEach(t -> out.add(t, null));
    FabricChange.flag(out, FabricChange.take(out, out.tenants.values()), 0);
    return out;
  }
}
