package org.heddle.allocation;

import java.util.Arrays;
import org.heddle.fabric.Counted;

/**
 * What of a plant is free: a mask of slots and one of positions a leaf, a mask of root links a
 * level-2 switch, and counters. Mutable, not thread-safe.
 */
public final class Occupancy {
  private final Plant plant;
  private final long[] slots;
  private final long[] ups;
  private final long[] roots;
  private final int[] freeOnLeaf;
  private final int[] freeInSubtree;
  private final int[] upsOfLeaf;

  /** Leaves of each sub-tree by rising free hosts, then free up-links, then index. */
  private final int[] order;

  private int free;

  private Occupancy(Plant plant, long[] slots, long[] ups, long[] roots) {
    this.plant = plant;
    this.slots = slots;
    this.ups = ups;
    this.roots = roots;
    freeOnLeaf = new int[plant.leafCount()];
    freeInSubtree = new int[plant.subtreeCount()];
    upsOfLeaf = new int[plant.leafCount()];
    order = new int[plant.leafCount()];
    for (int l = 0; l < freeOnLeaf.length; l++) {
      upsOfLeaf[l] = Bits.count(ups, l * plant.positionWords(), plant.positionWords());
      order[l] = l;
      freeOnLeaf[l] = Bits.count(slots, l * plant.slotWords(), plant.slotWords());
      freeInSubtree[plant.subtreeOf(l)] += freeOnLeaf[l];
      free += freeOnLeaf[l];
    }
    for (int t = 0; t < freeInSubtree.length; t++) {
      sort(t);
    }
  }

  private Occupancy(Occupancy from) {
    plant = from.plant;
    slots = from.slots.clone();
    ups = from.ups.clone();
    roots = from.roots.clone();
    freeOnLeaf = from.freeOnLeaf.clone();
    freeInSubtree = from.freeInSubtree.clone();
    upsOfLeaf = from.upsOfLeaf.clone();
    order = from.order.clone();
    free = from.free;
  }

  /** Puts the leaves of a sub-tree in order again: insertion, as few have changed. */
  private void sort(int t) {
    int first = plant.firstLeaf(t);
    int end = plant.firstLeaf(t + 1);
    for (int i = first + 1; i < end; i++) {
      int l = order[i];
      int at = i;
      while (at > first && before(l, order[at - 1])) {
        order[at] = order[at - 1];
        at--;
      }
      order[at] = l;
    }
  }

  private boolean before(int a, int b) {
    if (freeOnLeaf[a] != freeOnLeaf[b]) {
      return freeOnLeaf[a] < freeOnLeaf[b];
    }
    return upsOfLeaf[a] != upsOfLeaf[b] ? upsOfLeaf[a] < upsOfLeaf[b] : a < b;
  }

  /** Everything is free. */
  public static Occupancy empty(Plant plant) {
    PlantShape s = plant.shape;
    return new Occupancy(plant, s.slotMask.clone(), s.upMask.clone(), s.rootMask.clone());
  }

  /**
   * Only what a tenant holds is free: the plant on which its own tenants are placed. Serves tenants
   * inside a tenant, and the shared region of those without link guarantee.
   */
  public static Occupancy within(Allocation tenant) {
    PlantShape s = tenant.plant.shape;
    Occupancy all =
        new Occupancy(
            tenant.plant,
            new long[s.slotMask.length],
            new long[s.upMask.length],
            new long[s.rootMask.length]);
    all.release(tenant);
    return all;
  }

  /** An independent copy. */
  public Occupancy copy() {
    return new Occupancy(this);
  }

  /** The same hosts free, and all links, whoever holds them: for finding out what is scarce. */
  public Occupancy withAllLinks() {
    return new Occupancy(
        plant, slots.clone(), plant.shape.upMask.clone(), plant.shape.rootMask.clone());
  }

  /** The plant. */
  public Plant plant() {
    return plant;
  }

  /** True if everything the tenant holds is free here. */
  public boolean fits(Allocation a) {
    int sw = plant.slotWords();
    int pw = plant.positionWords();
    int rw = plant.rootWords();
    for (int i = 0; i < a.leaves.length; i++) {
      int l = a.leaves[i];
      if (!Bits.subset(a.hostMasks, i * sw, slots, l * sw, sw)
          || !Bits.subset(a.upMasks, i * pw, ups, l * pw, pw)) {
        return false;
      }
    }
    for (int i = 0; i < a.spines.length; i++) {
      if (!Bits.subset(a.rootMasks, i * rw, roots, a.spines[i] * rw, rw)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Books what a tenant got.
   *
   * @throws IllegalStateException if some of it is not free; nothing is booked then
   * @throws IllegalArgumentException if it belongs to another plant
   */
  public void take(Allocation a) {
    checkPlant(a);
    if (!fits(a)) {
      throw new IllegalStateException("taken twice: " + a);
    }
    flip(a, -1);
  }

  /**
   * Gives back what a tenant had.
   *
   * @throws IllegalStateException if some of it is free already; nothing is changed then
   * @throws IllegalArgumentException if it belongs to another plant
   */
  public void release(Allocation a) {
    checkPlant(a);
    int sw = plant.slotWords();
    int pw = plant.positionWords();
    int rw = plant.rootWords();
    for (int i = 0; i < a.leaves.length; i++) {
      int l = a.leaves[i];
      if (Bits.meet(a.hostMasks, i * sw, slots, l * sw, sw)
          || Bits.meet(a.upMasks, i * pw, ups, l * pw, pw)) {
        throw new IllegalStateException("released twice: " + a);
      }
    }
    for (int i = 0; i < a.spines.length; i++) {
      if (Bits.meet(a.rootMasks, i * rw, roots, a.spines[i] * rw, rw)) {
        throw new IllegalStateException("released twice: " + a);
      }
    }
    flip(a, 1);
  }

  private void checkPlant(Allocation a) {
    if (a.plant != plant) {
      throw new IllegalArgumentException("an allocation of another plant");
    }
  }

  // Bits are known to be all set or all clear, so that exclusive or does both.
  private void flip(Allocation a, int sign) {
    int sw = plant.slotWords();
    int pw = plant.positionWords();
    int rw = plant.rootWords();
    for (int i = 0; i < a.leaves.length; i++) {
      int l = a.leaves[i];
      int t = plant.subtreeOf(l);
      xor(a.hostMasks, i * sw, slots, l * sw, sw);
      xor(a.upMasks, i * pw, ups, l * pw, pw);
      int n = sign * Bits.count(a.hostMasks, i * sw, sw);
      freeOnLeaf[l] += n;
      upsOfLeaf[l] += sign * Bits.count(a.upMasks, i * pw, pw);
      freeInSubtree[t] += n;
      free += n;
      if (i + 1 == a.leaves.length || plant.subtreeOf(a.leaves[i + 1]) != t) {
        sort(t);
      }
    }
    for (int i = 0; i < a.spines.length; i++) {
      xor(a.rootMasks, i * rw, roots, a.spines[i] * rw, rw);
    }
  }

  private static void xor(long[] from, int ft, long[] to, int tt, int words) {
    for (int w = 0; w < words; w++) {
      to[tt + w] ^= from[ft + w];
    }
  }

  /** Withdraws a host (drained, broken); false if it was not free. */
  public boolean withdrawHost(int node) {
    int l = plant.leafOfHost(node);
    int s = plant.slotOfHost(node);
    if (l < 0 || !Bits.get(slots, l * plant.slotWords(), s)) {
      return false;
    }
    Bits.clear(slots, l * plant.slotWords(), s);
    freeOnLeaf[l]--;
    freeInSubtree[plant.subtreeOf(l)]--;
    free--;
    sort(plant.subtreeOf(l));
    return true;
  }

  // ---- what is free

  /** Number of free hosts. */
  public int freeHosts() {
    return free;
  }

  /** Number of free hosts of a leaf. */
  public int freeHosts(int leaf) {
    return freeOnLeaf[leaf];
  }

  /** Number of free hosts of a sub-tree. */
  public int freeHostsOfSubtree(int subtree) {
    return freeInSubtree[subtree];
  }

  /** Number of free up-links of a leaf. */
  public int freeUps(int leaf) {
    return upsOfLeaf[leaf];
  }

  /** Word w of the mask of free slots of a leaf. */
  public long slotMask(int leaf, int w) {
    return slots[leaf * plant.slotWords() + w];
  }

  /** Word w of the mask of free positions of a leaf. */
  public long upMask(int leaf, int w) {
    return ups[leaf * plant.positionWords() + w];
  }

  /** Word w of the mask of free root links of a level-2 switch. */
  public long rootMask(int subtree, int plane, int w) {
    return roots[(subtree * plant.planes() + plane) * plant.rootWords() + w];
  }

  /** Copies the numbers of free hosts by leaf. */
  public void copyFreeHosts(int[] to) {
    System.arraycopy(freeOnLeaf, 0, to, 0, freeOnLeaf.length);
  }

  /** Copies the numbers of free hosts by sub-tree. */
  public void copyFreeHostsOfSubtrees(int[] to) {
    System.arraycopy(freeInSubtree, 0, to, 0, freeInSubtree.length);
  }

  /** Copies the numbers of free up-links by leaf. */
  public void copyFreeUps(int[] to) {
    System.arraycopy(upsOfLeaf, 0, to, 0, upsOfLeaf.length);
  }

  /**
   * Copies the leaves, those of a sub-tree (from its first leaf's index on) by rising free hosts,
   * then free up-links, then index. Kept up to date by {@link #take} and {@link #release}.
   */
  public void copyLeavesByFree(int[] to) {
    System.arraycopy(order, 0, to, 0, order.length);
  }

  /** Copies the masks of free slots of all leaves: {@code [leaf * slotWords + w]}. */
  public void copySlots(long[] to) {
    System.arraycopy(slots, 0, to, 0, slots.length);
  }

  /** Copies the masks of free positions of all leaves: {@code [leaf * positionWords + w]}. */
  public void copyUps(long[] to) {
    System.arraycopy(ups, 0, to, 0, ups.length);
  }

  /** Copies the masks of free root links: {@code [(subtree * planes + plane) * rootWords + w]}. */
  public void copyRoots(long[] to) {
    System.arraycopy(roots, 0, to, 0, roots.length);
  }

  /** The same plant with the same things free. */
  @Override
  public boolean equals(Object o) {
    return o instanceof Occupancy other
        && plant == other.plant
        && Arrays.equals(slots, other.slots)
        && Arrays.equals(ups, other.ups)
        && Arrays.equals(roots, other.roots);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(slots) + Arrays.hashCode(ups);
  }

  @Override
  public String toString() {
    return free + " of " + Counted.of(plant.hostCount(), "host", "hosts") + " free";
  }
}
