package org.heddle.plan;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.heddle.allocation.Allocation;
import org.heddle.fabric.Counted;
import org.heddle.plan.model.Outcome;
import org.heddle.routing.RoutingResult;
import org.heddle.routing.links.LinkRouting;
import org.heddle.routing.links.Region;
import org.heddle.tenancy.IsolationPolicy;
import org.heddle.tenancy.Partition;
import org.heddle.tenancy.Tenancy;
import org.heddle.verify.links.AllocationAudit;
import org.heddle.verify.links.AllocationFinding;

/**
 * Makes the tables of a {@link DraftState} state, whichever door it came in by: those of an engine,
 * over them tenants inside links of their own, over these machines.
 */
public final class StateRouter {
  private StateRouter() {}

  /**
   * Routes tenants inside their links, those whose promise is broken on the base, and machines as
   * their hosts or as they were. What the state was copied from is not routed anew if it is the
   * same.
   */
  public static Tables route(DraftState w) {
    DraftState o = w.origin;
    Tables under = o != null && w.routesAs(o) ? o.routed : tenants(w);
    if (!under.ok()) {
      return under;
    }
    if (o != null && under == o.routed && w.machines.routedAs(o.machines)) {
      return under.with(w.machines, under.tables());
    }
    VmInventory settled = VmRoutes.settled(w, under.plain());
    return under.with(settled, VmRoutes.over(w, under.plain(), settled));
  }

  private static Tables tenants(DraftState w) {
    List<Allocation> all = w.held().stream().map(e -> e.getValue().charged()).toList();
    List<AllocationFinding> shared =
        new AllocationAudit(w.site.used(), w.site.usedTree(), null, 0).exclusive(all);
    if (!shared.isEmpty()) {
      return Tables.refused(Outcome.Code.NO_PLACE, shared.getFirst().toString());
    }
    RoutingResult base =
        Isolation.physical(w)
            ? w.site.base(Isolation.forEngine(Isolation.tenancy(w), w.site.used()))
            : w.site.base();
    return switch (base) {
      case RoutingResult.Unsupported no -> {
        String detail = no.details().isEmpty() ? "" : ": " + no.details().getFirst();
        yield Tables.refused(Outcome.Code.NO_PLACE, no.reason() + detail);
      }
      case RoutingResult.Routed yes -> over(w, yes);
    };
  }

  /** Tenants inside their links over tables that were made for them; without machines. */
  public static Tables over(DraftState w, RoutingResult.Routed base) {
    PhysicalFabric site = w.site;
    List<Region> regions = new ArrayList<>();
    List<String> notes = new ArrayList<>(base.notes());
    for (Map.Entry<String, Holdings.Held> e : w.held()) {
      Allocation a = e.getValue().charged();
      if (promised(w, e)) {
        int[] ports = site.hostPorts(a);
        regions.add(new Region(e.getKey(), ports, a.railsOf(ports), e.getValue().links()));
        int others = a.otherHostPorts();
        if (others > 0) {
          notes.add(
              "%s: %s on other leaves, off its links, and not in its partition"
                  .formatted(
                      e.getKey(),
                      Counted.of(others, "port of its hosts is", "ports of its hosts are")));
        }
      }
    }
    if (regions.isEmpty()) {
      return Tables.plain(site.out().complete(base.tables()), notes);
    }
    return switch (LinkRouting.route(site.used(), site.usedTree(), base.tables(), regions)) {
      case LinkRouting.Refused no ->
          Tables.refused(
              Outcome.Code.NO_PLACE, "tenant " + no.region() + ": " + no.reason(), no.region());
      case LinkRouting.Routed yes -> {
        if (yes.sharedEntries() > 0) {
          notes.add(
              "hosts without links of their own cross tenants' links: "
                  + Counted.of(yes.sharedEntries(), "entry", "entries"));
        }
        yield Tables.plain(site.out().complete(yes.tables()), notes);
      }
    };
  }

  /**
   * Partitions without policies of those who are kept apart from others by links of their own: what
   * an engine and an isolation audit need not look after.
   */
  public static Tenancy besideLinks(DraftState w, Tenancy tenancy) {
    Set<String> own = new HashSet<>();
    w.held().stream().filter(e -> promised(w, e)).forEach(e -> own.add(e.getKey()));
    List<Partition> out = new ArrayList<>();
    for (Partition p : tenancy.partitions()) {
      IsolationPolicy policy = own.contains(p.name()) ? IsolationPolicy.DEF : p.policy();
      out.add(new Partition(p.name(), p.pkey(), policy, p.members(), p.pending()));
    }
    return new Tenancy(tenancy.rules(), out);
  }

  /** True if a tenant has links of its own now. */
  static boolean promised(DraftState w, Map.Entry<String, Holdings.Held> e) {
    return e.getValue().charged().guaranteed() && w.tenants.get(e.getKey()).broken().isEmpty();
  }
}
