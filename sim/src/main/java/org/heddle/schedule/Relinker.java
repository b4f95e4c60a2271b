package org.heddle.schedule;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.heddle.allocation.Allocation;
import org.heddle.allocation.Allocator;
import org.heddle.allocation.Occupancy;
import org.heddle.allocation.Plant;
import org.heddle.allocation.Relinking;
import org.heddle.fabric.Fabric;

/**
 * Room for a request that lacks links only: running tenants keep their hosts and get other links.
 *
 * <p>First the request is placed as if all links were free; if few tenants hold what it took, these
 * get others. Else the links of every group of N tenants that are neighbours in the tree (by their
 * first leaf) are taken as free in turn. The first arrangement in which everybody has links is
 * taken. O(tenants) attempts, so it is for finding out what relinking is worth.
 */
final class Relinker {
  private final Allocator allocator;
  private final ScheduleOptions options;
  private final int[] linkOwner;

  Relinker(Plant plant, Allocator allocator, ScheduleOptions options) {
    this.allocator = allocator;
    this.options = options;
    linkOwner = new int[plant.fabric().portIdLimit()];
  }

  /**
   * Who gets other links.
   *
   * @param place where the request goes
   * @param before tenants as they are
   * @param after their new allocations, in the same order
   */
  record Plan(Allocation place, List<Tenant> before, List<Allocation> after) {}

  /** An arrangement in which the request fits, or empty. */
  Optional<Plan> find(int size, Occupancy now, Collection<Tenant> running) {
    Tenant[] tenants =
        running.stream()
            .filter(t -> t.allocation().linkCount() > 0)
            .sorted(
                Comparator.comparingInt((Tenant t) -> t.allocation().leaf(0))
                    .thenComparingInt(Tenant::request))
            .toArray(Tenant[]::new);
    Allocation wish = place(size, now.withAllLinks());
    if (wish == null) {
      return Optional.empty(); // the hosts do not conform: links are no help
    }
    List<Tenant> inTheWay = holders(wish, tenants);
    if (inTheWay.size() <= options.relink()) {
      Optional<Plan> plan = around(wish, inTheWay, now);
      if (plan.isPresent()) {
        return plan;
      }
    }
    int group = Math.min(options.relink(), tenants.length);
    for (int i = 0; group > 0 && i + group <= tenants.length; i++) {
      Optional<Plan> plan = without(size, Arrays.asList(tenants).subList(i, i + group), now);
      if (plan.isPresent()) {
        return plan;
      }
    }
    return Optional.empty();
  }

  private Allocation place(int hosts, Occupancy where) {
    return AttemptLog.placed(allocator.place(options.request(hosts), where));
  }

  private List<Tenant> holders(Allocation wish, Tenant[] tenants) {
    Arrays.fill(linkOwner, Fabric.NONE);
    for (int i = 0; i < tenants.length; i++) {
      for (int link : tenants[i].allocation().links()) {
        linkOwner[link] = i;
      }
    }
    BitSet found = new BitSet();
    for (int link : wish.links()) {
      if (linkOwner[link] != Fabric.NONE) {
        found.set(linkOwner[link]);
      }
    }
    return found.stream().mapToObj(i -> tenants[i]).toList();
  }

  private Optional<Plan> without(int size, List<Tenant> group, Occupancy now) {
    Occupancy loose = now.copy();
    for (Tenant t : group) {
      loose.release(t.allocation());
      loose.take(Relinking.hostsOnly(t.allocation()));
    }
    Allocation place = place(size, loose);
    return place == null ? Optional.empty() : around(place, group, now);
  }

  /** Other links for these tenants beside that place; the largest chooses first. */
  private Optional<Plan> around(Allocation place, List<Tenant> group, Occupancy now) {
    Occupancy left = now.copy();
    group.forEach(t -> left.release(t.allocation()));
    left.take(place);
    List<Tenant> order = new ArrayList<>(group);
    order.sort(Comparator.comparingInt((Tenant t) -> -t.allocation().linkCount()));
    List<Tenant> before = new ArrayList<>();
    List<Allocation> after = new ArrayList<>();
    for (Tenant t : order) {
      if (left.fits(t.allocation())) {
        left.take(t.allocation()); // not touched after all
        continue;
      }
      Optional<Allocation> other =
          Relinking.onSameHosts(allocator, t.allocation(), left, options.budget());
      if (other.isEmpty()) {
        return Optional.empty();
      }
      left.take(other.get());
      before.add(t);
      after.add(other.get());
    }
    return Optional.of(new Plan(place, before, after));
  }

  /**
   * LFT blocks that differ, an estimate: every switch at an end of a link that the tenant gives up
   * or gets has new entries for all its hosts, whose LIDs follow the order of the nodes.
   */
  static int blocks(Allocation before, Allocation after) {
    Fabric fabric = before.plant().fabric();
    BitSet changed = new BitSet();
    for (int link : before.links()) {
      changed.flip(link);
    }
    for (int link : after.links()) {
      changed.flip(link);
    }
    BitSet switches = new BitSet();
    for (int link = changed.nextSetBit(0); link >= 0; link = changed.nextSetBit(link + 1)) {
      switches.set(fabric.nodeOf(link));
      switches.set(fabric.peerNode(link));
    }
    BitSet blocks = new BitSet();
    for (int host : before.hosts()) {
      blocks.set(host >>> 6);
    }
    return switches.cardinality() * blocks.cardinality();
  }
}
