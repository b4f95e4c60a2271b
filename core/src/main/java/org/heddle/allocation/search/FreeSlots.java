package org.heddle.allocation.search;

import java.util.Arrays;
import org.heddle.allocation.AllocationBuilder;
import org.heddle.allocation.AllocationRequest;
import org.heddle.allocation.AllocationRequest.Preference;
import org.heddle.allocation.Bits;
import org.heddle.allocation.HostChoice;
import org.heddle.allocation.Occupancy;
import org.heddle.allocation.Plant;

/** The free slots whose hosts a request accepts. Scratch of one attempt. */
public final class FreeSlots {
  private final Plant plant;
  private final Occupancy occupancy;
  private final HostChoice choice;
  private final Preference preference;

  /** Free slots of all leaves without those not acceptable; null if all free ones are. */
  private final long[] mask;

  /** Free slots of one leaf. */
  private final long[] here;

  private final int[] count;
  private int total;

  public FreeSlots(AllocationRequest request, Occupancy occupancy) {
    plant = occupancy.plant();
    this.occupancy = occupancy;
    choice = request.choice();
    preference = request.preference();
    int words = plant.slotWords();
    here = new long[words];
    count = new int[plant.leafCount()];
    if (choice.acceptsAll()) {
      mask = null;
      occupancy.copyFreeHosts(count);
      total = occupancy.freeHosts();
      return;
    }
    mask = new long[plant.leafCount() * words];
    occupancy.copySlots(mask);
    for (int l = 0; l < count.length; l++) {
      dropUnacceptable(l);
      count[l] = Bits.count(mask, l * words, words);
      total += count[l];
    }
  }

  /** Copies the free slots of a leaf to {@link #here}. */
  private void look(int leaf) {
    for (int w = 0; w < here.length; w++) {
      here[w] = mask == null ? occupancy.slotMask(leaf, w) : mask[leaf * here.length + w];
    }
  }

  private void dropUnacceptable(int leaf) {
    int at = leaf * plant.slotWords();
    for (int s = Bits.next(mask, at, plant.slotWords(), 0);
        s >= 0;
        s = Bits.next(mask, at, plant.slotWords(), s + 1)) {
      if (!plant.accepts(choice, leaf, s)) {
        Bits.clear(mask, at, s);
      }
    }
  }

  public int total() {
    return total;
  }

  /** Free hosts by leaf; not to be changed. */
  int[] counts() {
    return count;
  }

  int on(int leaf) {
    return count[leaf];
  }

  /** Cost of the n cheapest free hosts of a leaf; 0 without costs. */
  long cost(int leaf, int n) {
    if (!choice.hasCosts()) {
      return 0;
    }
    long[] order = byCost(leaf);
    long sum = 0;
    for (int i = 0; i < n; i++) {
      sum += order[i] >>> 32;
    }
    return sum;
  }

  private long[] byCost(int leaf) {
    look(leaf);
    long[] order = new long[count[leaf]];
    int n = 0;
    for (int s = Bits.next(here, 0, here.length, 0);
        s >= 0;
        s = Bits.next(here, 0, here.length, s + 1)) {
      order[n++] = (long) plant.cost(choice, leaf, s) << 32 | s;
    }
    Arrays.sort(order);
    return order;
  }

  /** Adds the n cheapest free hosts of a leaf, the lowest slots if all cost the same. */
  void pick(int leaf, int n, AllocationBuilder to) {
    if (choice.hasCosts()) {
      long[] order = byCost(leaf);
      for (int i = 0; i < n; i++) {
        to.host(leaf, (int) order[i]);
      }
      return;
    }
    look(leaf);
    to.lowestHosts(leaf, n, here, 0);
  }

  /** Leaves with free slots: cheapest first, then fullest (or emptiest) first, then by index. */
  int[] leavesByPreference() {
    long[] keys = new long[count.length];
    int n = 0;
    for (int l = 0; l < count.length; l++) {
      if (count[l] > 0) {
        long cost = choice.hasCosts() ? cost(l, count[l]) / count[l] : 0;
        int order = preference == Preference.PACK ? count[l] : plant.maxSlots() - count[l];
        keys[n++] = Math.min(cost, 0xfffff) << 40 | (long) order << 28 | l;
      }
    }
    Arrays.sort(keys, 0, n);
    int[] out = new int[n];
    for (int i = 0; i < n; i++) {
      out[i] = (int) (keys[i] & 0xfffffff);
    }
    return out;
  }
}
