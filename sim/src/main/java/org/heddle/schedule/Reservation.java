package org.heddle.schedule;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import org.heddle.allocation.Allocation;
import org.heddle.allocation.AllocationBuilder;
import org.heddle.allocation.Bits;
import org.heddle.allocation.Occupancy;
import org.heddle.allocation.Plant;

/**
 * When and where the first in the queue will start, if nothing else starts before.
 *
 * <p>With links to be had, counting free hosts does not tell when a request fits, so the allocator
 * itself is asked, on copies of the occupancy as it will be when tenants have left. Whoever starts
 * before that time and stays beyond it keeps clear of the reserved place; thus the place is free
 * when the time has come.
 *
 * @param request whose it is
 * @param time when
 * @param place where
 */
record Reservation(int request, long time, Allocation place) {
  private static final Comparator<Tenant> BY_EXPECTED_END =
      Comparator.comparingLong(Tenant::expected).thenComparingInt(Tenant::request);

  /**
   * Looks for the earliest expected end of a tenant at which the request fits: ends with too few
   * free hosts are passed over, then steps double until it fits, then bisection. As allocators are
   * not quite monotone, an earlier time may be missed; the one found is always possible. O(log
   * tenants) attempts.
   *
   * @param running tenants in any order
   * @param trial places the request in an occupancy
   * @return null if it does not fit even when all have left
   */
  static Reservation find(
      int request, int size, Occupancy now, Collection<Tenant> running, Trial trial) {
    Tenant[] ends = running.toArray(new Tenant[0]);
    Arrays.sort(ends, BY_EXPECTED_END);
    Occupancy base = now.copy();
    int lo = 0; // tenants that have left in base, where the request does not fit
    while (lo < ends.length && base.freeHosts() + ends[lo].allocation().hostCount() < size) {
      base.release(ends[lo++].allocation());
    }
    int hi = lo;
    Allocation place = null;
    for (int step = 1; place == null; step *= 2) {
      if (hi == ends.length) {
        return null;
      }
      hi = sameEnd(ends, Math.min(ends.length, lo + step));
      Occupancy later = after(base, ends, lo, hi);
      place = trial.place(size, later);
      if (place == null) {
        base = later;
        lo = hi;
      }
    }
    while (true) {
      int mid = sameEnd(ends, (lo + hi) >>> 1);
      if (mid <= lo || mid >= hi) {
        break;
      }
      Occupancy later = after(base, ends, lo, mid);
      Allocation earlier = trial.place(size, later);
      if (earlier == null) {
        base = later;
        lo = mid;
      } else {
        place = earlier;
        hi = mid;
      }
    }
    return new Reservation(request, ends[hi - 1].expected(), place);
  }

  /** Tries to place so many hosts; null if it does not work. */
  @FunctionalInterface
  interface Trial {
    Allocation place(int hosts, Occupancy occupancy);
  }

  /** Those that leave together leave together. */
  private static int sameEnd(Tenant[] ends, int n) {
    int i = n;
    while (i > 0 && i < ends.length && ends[i].expected() == ends[i - 1].expected()) {
      i++;
    }
    return i;
  }

  private static Occupancy after(Occupancy base, Tenant[] ends, int from, int to) {
    Occupancy later = base.copy();
    for (int i = from; i < to; i++) {
      later.release(ends[i].allocation());
    }
    return later;
  }

  /** What is free now and not part of the reserved place. O(plant). */
  Occupancy guarded(Occupancy now) {
    Plant plant = now.plant();
    AllocationBuilder part =
        new AllocationBuilder(plant, 1, place.oversubscription(), place.guaranteed());
    for (int i = 0; i < place.leafCount(); i++) {
      int leaf = place.leaf(i);
      addHosts(i, leaf, now, part);
      addUps(i, leaf, now, part);
    }
    for (int i = 0; i < place.spineCount(); i++) {
      addRoots(i, now, part);
    }
    Occupancy guarded = now.copy();
    guarded.take(part.build());
    return guarded;
  }

  private void addHosts(int i, int leaf, Occupancy now, AllocationBuilder part) {
    int words = now.plant().slotWords();
    long[] mask = new long[words];
    for (int w = 0; w < words; w++) {
      mask[w] = place.hostMask(i, w) & now.slotMask(leaf, w);
    }
    for (int s = Bits.next(mask, 0, words, 0); s >= 0; s = Bits.next(mask, 0, words, s + 1)) {
      part.host(leaf, s);
    }
  }

  private void addUps(int i, int leaf, Occupancy now, AllocationBuilder part) {
    long[] mask = new long[now.plant().positionWords()];
    for (int w = 0; w < mask.length; w++) {
      mask[w] = place.upMask(i, w) & now.upMask(leaf, w);
    }
    part.ups(leaf, mask, 0);
  }

  private void addRoots(int i, Occupancy now, AllocationBuilder part) {
    int subtree = place.spineSubtree(i);
    int plane = place.spinePlane(i);
    long[] mask = new long[now.plant().rootWords()];
    for (int w = 0; w < mask.length; w++) {
      mask[w] = place.rootMask(i, w) & now.rootMask(subtree, plane, w);
    }
    part.roots(subtree, plane, mask, 0);
  }
}
