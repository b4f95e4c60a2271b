package org.heddle.cli.allocate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.heddle.allocation.Advisor;
import org.heddle.allocation.Allocation;
import org.heddle.allocation.AllocationRequest;
import org.heddle.allocation.AllocationResult;
import org.heddle.allocation.Allocator;
import org.heddle.allocation.HostChoice;
import org.heddle.allocation.Occupancy;
import org.heddle.allocation.Relinking;
import org.heddle.cli.shell.Allocators;
import org.heddle.text.state.BoundState;

/**
 * Looks for what tenants have lost. Those who can keep their hosts come first, in the order of
 * their admission; then, if hosts may change, the others. What one gives back may help another, so
 * it goes round until nothing more can be mended.
 */
final class Repair {
  /**
   * One damaged tenant.
   *
   * @param index in the state
   * @param allocation what it gets; empty if it cannot be mended
   * @param sameHosts only links change
   * @param reason why it cannot, else empty
   */
  record Mended(
      int index,
      BoundState.Held held,
      Optional<Allocation> allocation,
      boolean sameHosts,
      String reason) {}

  private final BoundState bound;
  private final boolean moveHosts;
  private final Occupancy occupancy;
  private final Mended[] mended;

  Repair(BoundState bound, boolean moveHosts) {
    this.bound = bound;
    this.moveHosts = moveHosts;
    occupancy = bound.occupancy().copy();
    mended = new Mended[bound.held().size()];
  }

  /** The damaged tenants, in the order of the state. */
  List<Mended> run() {
    boolean progress = true;
    while (progress) {
      progress = round(false);
      if (!progress && moveHosts) {
        progress = round(true);
      }
    }
    List<Mended> out = new ArrayList<>();
    for (int i = 0; i < mended.length; i++) {
      BoundState.Held held = bound.held().get(i);
      if (mended[i] != null) {
        out.add(mended[i]);
      } else if (!lost(held).isEmpty()) {
        out.add(new Mended(i, held, Optional.empty(), false, reason(held)));
      }
    }
    return out;
  }

  private boolean round(boolean otherHosts) {
    boolean progress = false;
    for (int i = 0; i < mended.length; i++) {
      BoundState.Held held = bound.held().get(i);
      if (lost(held).isEmpty() || mended[i] != null) {
        continue;
      }
      Occupancy without = occupancy.copy();
      without.release(held.allocation());
      Optional<Allocation> place = otherHosts ? elsewhere(held, without) : here(held, without);
      if (place.isPresent()) {
        occupancy.release(held.allocation());
        occupancy.take(place.get());
        mended[i] = new Mended(i, held, place, !otherHosts, "");
        progress = true;
      }
    }
    return progress;
  }

  /** What a tenant has lost, one sentence each: hosts, links, or every way between its hosts. */
  static List<String> lost(BoundState.Held held) {
    List<String> out = new ArrayList<>(held.lost());
    if (!held.allocation().joined()) {
      out.add(LinkTables.NOT_JOINED);
    }
    return out;
  }

  private static boolean allHosts(BoundState.Held held) {
    return held.allocation().hostCount() == held.tenant().hosts().size();
  }

  private static Allocator allocator(BoundState.Held held) {
    return Allocators.named(held.tenant().allocator());
  }

  private static Optional<Allocation> here(BoundState.Held held, Occupancy without) {
    return allHosts(held)
        ? Relinking.onSameHosts(
            allocator(held), held.allocation(), without, AllocationRequest.DEFAULT_BUDGET)
        : Optional.empty();
  }

  /** What it asked for; its own hosts are the cheap ones. */
  private static AllocationRequest request(BoundState.Held held) {
    Allocation a = held.allocation();
    int[] cost = new int[a.plant().fabric().nodeCount()];
    Arrays.fill(cost, 1);
    for (int host : a.hosts()) {
      cost[host] = 0;
    }
    AllocationRequest request =
        AllocationRequest.of(a.requested())
            .withOversubscription(a.oversubscription())
            .withChoice(HostChoice.ANY.withCost(cost));
    return a.guaranteed() ? request : request.withoutLinks();
  }

  private static Optional<Allocation> elsewhere(BoundState.Held held, Occupancy without) {
    return allocator(held).place(request(held), without)
            instanceof AllocationResult.Placed(Allocation a)
        ? Optional.of(a)
        : Optional.empty();
  }

  private String reason(BoundState.Held held) {
    Occupancy without = occupancy.copy();
    without.release(held.allocation());
    if (!moveHosts) {
      boolean helps = elsewhere(held, without).isPresent();
      String what =
          !held.allocation().joined()
              ? LinkTables.NOT_JOINED
              : allHosts(held) ? "no conforming links are free on its hosts" : "hosts are gone";
      return what + (helps ? "; --move-hosts would mend it" : ", and there is no other place");
    }
    return new Advisor(allocator(held)).reason(request(held), without).text();
  }
}
