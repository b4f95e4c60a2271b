package org.heddle.plan;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import org.heddle.allocation.Advisor;
import org.heddle.allocation.Allocation;
import org.heddle.allocation.AllocationRequest;
import org.heddle.allocation.AllocationResult;
import org.heddle.allocation.HostChoice;
import org.heddle.allocation.Relinking;
import org.heddle.catalog.Catalog;
import org.heddle.fabric.Fabric;
import org.heddle.plan.model.Breach;
import org.heddle.plan.model.Drained;
import org.heddle.plan.model.JournalEntry;
import org.heddle.plan.model.JournalEntry.Effect;
import org.heddle.plan.model.Outcome;
import org.heddle.plan.model.Policy;
import org.heddle.plan.model.Tenant;

/**
 * Puts tenants on another fabric, in one pass whatever the reason is: lost and regained cables and
 * nodes, drains and returns, a rollback, a restart.
 *
 * <ol>
 *   <li>Everybody takes what is there of what it lists, whole or not, in the order of admission. Of
 *       two that list one thing, the first keeps it and the other is flagged. So nothing that
 *       somebody lists is ever free to others, and who lost something has it again as soon as it is
 *       there.
 *   <li>Only then who lost links, but no host, gets others for the same hosts, in the order of
 *       admission, each from what is free with its own remains; who finds none keeps these. What
 *       one gives back may help another, so it goes round until nothing more can be mended.
 *   <li>Those that were to be kept apart from others give way where that is not possible: {@link
 *       Isolation#settle}.
 * </ol>
 */
public final class FabricChange {
  private FabricChange() {}

  /** Another fabric; what is out of service stays so. */
  static ChangePlanner.Decision apply(DraftState w, Fabric fabric, long epoch) {
    return apply(w, fabric, w.site.drained(), epoch);
  }

  static ChangePlanner.Decision apply(DraftState w, Fabric fabric, Drained drained, long epoch) {
    Map<String, Tenant> before = new LinkedHashMap<>(w.tenants);
    List<JournalEntry.Machine> machines = new ArrayList<>();
    Optional<Outcome.Refused> no = onto(w, fabric, drained, epoch, machines);
    if (no.isPresent()) {
      return new ChangePlanner.Decision.Settled(no.get());
    }
    Map<String, List<Breach>> lost = take(w, w.tenants.values());
    flag(w, lost, epoch);
    repair(w, false, epoch);
    Isolation.settle(w, epoch);
    return ChangePlanner.Decision.Changed.of(effects(w, before)).with(machines);
  }

  /** Changes the site; nobody holds anything afterwards. Returns why that is not possible. */
  static Optional<Outcome.Refused> onto(
      DraftState w,
      Fabric fabric,
      Drained drained,
      long epoch,
      List<JournalEntry.Machine> machines) {
    // what a site lists of its machines is not seen in the fabric
    Fabric listed = fabric.withMachines(w.site.fabric().machineList());
    return switch (PhysicalFabric.of(listed, w.engine, drained)) {
      case PhysicalFabric.Outcome.Refused no ->
          Optional.of(new Outcome.Refused(Outcome.Code.NO_PLACE, no.reason(), no.details()));
      case PhysicalFabric.Outcome.Built built -> {
        PhysicalFabric site = built.site();
        w.machines = w.machines.onto(site, epoch, machines);
        w.planner = null;
        w.reference = site.covers(w.reference) ? site : w.reference;
        w.site = site;
        w.holdings = Holdings.none(site);
        yield Optional.empty();
      }
    };
  }

  /**
   * Takes what is there of what tenants list, in this order.
   *
   * @return what each of them has not; an empty list for who is whole
   */
  public static Map<String, List<Breach>> take(DraftState w, Collection<Tenant> order) {
    Map<String, List<Breach>> lost = new LinkedHashMap<>();
    for (Tenant t : order) {
      if (!t.hosts().isEmpty()) {
        PhysicalFabric.Remains r = w.site.remains(t, w.holdings);
        w.holdings = w.holdings.with(t.name(), r.held());
        List<Breach> all = new ArrayList<>(r.lost());
        Set<String> told = hosts(all);
        lostPorts(w, t).stream().filter(b -> !told.contains(b.host())).forEach(all::add);
        lost.put(t.name(), all);
      }
    }
    return lost;
  }

  /** Hosts of which it is said that they, or ports of theirs, are lost. */
  private static Set<String> hosts(List<Breach> all) {
    Set<String> out = new HashSet<>();
    for (Breach b : all) {
      switch (b) {
        case Breach.LostHost h -> out.add(h.host());
        case Breach.LostPort p -> out.add(p.host());
        default -> {}
      }
    }
    return out;
  }

  /** Ports on which links were promised, and which the fabric has lost with all they hung at. */
  private static List<Breach.LostPort> lostPorts(DraftState w, Tenant t) {
    if (t.spec().policy() != Policy.LINKS) {
      return List.of();
    }
    return w.reference == w.site ? w.site.lostAdapters(t) : w.site.lossesSince(w.reference, t);
  }

  /**
   * Has tenants say what they lost, and nothing else.
   *
   * @param lost by name, as {@link #take} returned it
   */
  public static void flag(DraftState w, Map<String, List<Breach>> lost, long epoch) {
    for (Tenant t : List.copyOf(w.tenants.values())) {
      List<Breach> now = lost.getOrDefault(t.name(), List.of());
      if (!t.broken().equals(now)) {
        w.tenants.put(t.name(), t.holding(t.hosts(), t.links(), now, epoch));
      }
    }
  }

  /** A tenant that got other links, as it was before and what it held. */
  private record Mended(Tenant before, Holdings.Held remains) {}

  /**
   * Gives those that lost links others. Not at the cost of somebody's promise for good: while the
   * fabric lacks something, what is found must do for the one that lacks nothing, too.
   *
   * @param moveHosts who gets none on its hosts gets other hosts, too, as few as may be
   */
  public static void repair(DraftState w, boolean moveHosts, long epoch) {
    Deque<Mended> mended = new ArrayDeque<>();
    boolean progress = true;
    while (progress) {
      progress =
          round(w, FabricChange::here, mended, epoch)
              || moveHosts && round(w, FabricChange::elsewhere, mended, epoch);
    }
    while (!mended.isEmpty() && !Isolation.lostForGood(w).isEmpty()) {
      Mended last = mended.pop();
      String name = last.before.name();
      w.holdings = w.holdings.without(name).with(name, last.remains);
      w.tenants.put(name, last.before);
    }
  }

  /** Tries to mend everybody once; true if somebody was. */
  private static boolean round(
      DraftState w,
      BiFunction<DraftState, Tenant, Optional<Allocation>> search,
      Deque<Mended> mended,
      long epoch) {
    boolean progress = false;
    for (Tenant t : List.copyOf(w.tenants.values())) {
      if (t.broken().isEmpty() || w.holdings.of(t.name()) == null) {
        continue;
      }
      Optional<Allocation> found = search.apply(w, t);
      if (found.isPresent()) {
        Allocation a = found.get();
        mended.push(new Mended(t, w.holdings.of(t.name())));
        w.holdings = w.holdings.without(t.name()).with(t.name(), Holdings.Held.of(a));
        w.tenants.put(t.name(), t.holding(w.site.hosts(a), w.site.links(a), List.of(), epoch));
        progress = true;
      }
    }
    return progress;
  }

  /** Other links for the same hosts, if all of these are there. */
  private static Optional<Allocation> here(DraftState w, Tenant t) {
    Allocation remains = w.holdings.of(t.name()).charged();
    return remains.hostCount() != t.hosts().size() || !lostPorts(w, t).isEmpty()
        ? Optional.empty()
        : Catalog.allocator(t.spec().allocator())
            .flatMap(
                a ->
                    Relinking.onSameHosts(
                        a,
                        remains,
                        w.holdings.without(t.name()).free(),
                        AllocationRequest.DEFAULT_BUDGET));
  }

  /** What a tenant asked for, anywhere; the hosts that it has count as cheap. */
  public static Optional<Allocation> elsewhere(DraftState w, Tenant t) {
    return Catalog.allocator(t.spec().allocator())
        .map(a -> a.place(again(w, t), w.holdings.without(t.name()).free()))
        .flatMap(
            r ->
                r instanceof AllocationResult.Placed(Allocation a)
                    ? Optional.of(a)
                    : Optional.empty());
  }

  /** Why there is nothing for a tenant {@link #elsewhere}. */
  public static String whyNot(DraftState w, Tenant t) {
    String allocator = t.spec().allocator();
    return Catalog.allocator(allocator)
        .map(a -> new Advisor(a).reason(again(w, t), w.holdings.without(t.name()).free()).text())
        .orElse("there is no allocator '" + allocator + "'");
  }

  private static AllocationRequest again(DraftState w, Tenant t) {
    Allocation remains = w.holdings.of(t.name()).charged();
    int[] cost = new int[w.site.fabric().nodeCount()];
    Arrays.fill(cost, 1);
    for (int host : remains.hosts()) {
      cost[host] = 0;
    }
    AllocationRequest request =
        AllocationRequest.of(t.hosts().size())
            .withOversubscription(t.spec().oversubscription())
            .withRails(t.spec().rails())
            .withChoice(
                HostChoice.ANY
                    .without(
                        remains.guaranteed() ? LostPorts.machines(w, null) : new BitSet(),
                        cost.length)
                    .withCost(cost));
    return remains.guaranteed() ? request : request.withoutLinks();
  }

  /** Gives up the promise of the one whose links cannot be routed or proven. */
  public static Effect giveUp(DraftState w, Tables tables, long epoch) {
    Tenant before = w.tenants.get(tables.culprit());
    List<Breach> broken = new ArrayList<>(before.broken());
    broken.add(new Breach.Unroutable(tables.trouble()));
    Tenant after = before.holding(before.hosts(), before.links(), broken, epoch);
    w.tenants.put(after.name(), after);
    return new Effect(after.name(), Optional.of(before), Optional.of(after));
  }

  /**
   * What became of tenants. Who is what it was but for its version gets that back.
   *
   * @param before everybody as it was before the change
   */
  static List<Effect> effects(DraftState w, Map<String, Tenant> before) {
    List<Effect> out = new ArrayList<>();
    Set<String> names = new LinkedHashSet<>(before.keySet());
    names.addAll(w.tenants.keySet());
    for (String name : names) {
      Tenant was = before.get(name);
      Tenant now = w.tenants.get(name);
      if (was != null && now != null && now.at(was.changed()).equals(was)) {
        w.tenants.put(name, was);
      } else {
        out.add(new Effect(name, Optional.ofNullable(was), Optional.ofNullable(now)));
      }
    }
    return out;
  }
}
