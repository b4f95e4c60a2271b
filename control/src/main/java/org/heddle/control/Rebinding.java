package org.heddle.control;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.heddle.allocation.Allocation;
import org.heddle.allocation.AllocationRequest;
import org.heddle.allocation.AllocationResult;
import org.heddle.allocation.HostChoice;
import org.heddle.allocation.Occupancy;
import org.heddle.catalog.Catalog;
import org.heddle.control.model.Drained;
import org.heddle.control.model.JournalEntry;
import org.heddle.control.model.JournalEntry.Effect;
import org.heddle.control.model.Outcome;
import org.heddle.control.model.Policy;
import org.heddle.control.model.Tenant;
import org.heddle.fabric.Fabric;

/**
 * Puts tenants on another fabric. Who lost nothing keeps everything. Who lost links or hosts keeps
 * its hosts and gets other links for them if there are any; who cannot be helped keeps what is left
 * and is flagged.
 */
final class Rebinding {
  private Rebinding() {}

  /** Another fabric; what is out of service stays so. */
  static Decider.Decision apply(Working w, Fabric fabric, long epoch) {
    return apply(w, fabric, w.site.drained(), epoch);
  }

  static Decider.Decision apply(Working w, Fabric fabric, Drained drained, long epoch) {
    Site site;
    switch (Site.of(fabric, w.engine, drained)) {
      case Site.Outcome.Refused no -> {
        return new Decider.Decision.Settled(
            new Outcome.Refused(Outcome.Code.NO_PLACE, no.reason(), no.details()));
      }
      case Site.Outcome.Built built -> site = built.site();
    }
    Map<String, Tenant> before = new LinkedHashMap<>(w.tenants);
    List<Tenant> all = List.copyOf(before.values());
    List<JournalEntry.Machine> machines = new ArrayList<>();
    w.machines = w.machines.onto(site, epoch, machines);
    w.planner = null;
    w.site = site;
    w.occupancy = Occupancy.empty(site.plant());
    w.held.clear();
    List<Tenant> damaged = new ArrayList<>();
    List<Effect> effects = new ArrayList<>();
    for (Tenant t : all) {
      if (t.hosts().isEmpty()) {
        continue;
      }
      List<String> lost = new ArrayList<>();
      Allocation a = site.bind(t, lost);
      if (lost.isEmpty()) {
        w.occupancy.take(a);
        w.held.put(t.name(), a);
        if (!t.broken().isEmpty()) {
          note(w, effects, t, t.holding(t.hosts(), t.links(), lost, epoch));
        }
      } else {
        damaged.add(t);
      }
    }
    for (Tenant t : damaged) {
      repair(w, effects, t, epoch);
    }
    Isolation.settle(w, before, effects, epoch);
    return Decider.Decision.Changed.of(effects).with(machines);
  }

  private static void repair(Working w, List<Effect> effects, Tenant t, long epoch) {
    List<String> lost = new ArrayList<>();
    Allocation left = w.site.bind(t, lost);
    boolean hostsLeft = left.hostCount() == t.hosts().size();
    Allocation found = hostsLeft ? again(w, t) : null;
    if (found != null) {
      w.occupancy.take(found);
      w.held.put(t.name(), found);
      note(w, effects, t, t.holding(w.site.hosts(found), w.site.links(found), List.of(), epoch));
      return;
    }
    if (left.hostCount() > 0 && w.occupancy.fits(left)) {
      w.occupancy.take(left);
      w.held.put(t.name(), left);
    }
    if (!t.broken().equals(lost)) { // keeps the names of what it lost, in case it comes back
      note(w, effects, t, t.holding(t.hosts(), t.links(), lost, epoch));
    }
  }

  /** Other links for the same hosts, or null. */
  private static Allocation again(Working w, Tenant t) {
    BitSet nodes = new BitSet();
    t.hosts().forEach(h -> nodes.set(w.site.fabric().findNode(h.guid())));
    AllocationRequest request =
        AllocationRequest.of(nodes.cardinality())
            .withOversubscription(t.spec().oversubscription())
            .withChoice(HostChoice.only(nodes));
    request = t.spec().policy() == Policy.LINKS ? request : request.withoutLinks();
    return Catalog.allocator(t.spec().allocator()).orElseThrow().place(request, w.occupancy)
            instanceof AllocationResult.Placed placed
        ? placed.allocation()
        : null;
  }

  private static void note(Working w, List<Effect> effects, Tenant before, Tenant after) {
    w.tenants.put(after.name(), after);
    effects.add(new Effect(before.name(), Optional.of(before), Optional.of(after)));
  }
}
