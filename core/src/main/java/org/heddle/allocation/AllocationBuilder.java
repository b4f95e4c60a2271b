package org.heddle.allocation;

import java.util.Arrays;

/**
 * Collects what a tenant gets, in the plant's coordinates. Not thread-safe; of no use after {@link
 * #build}.
 */
public final class AllocationBuilder {
  final Plant plant;
  final int requested;
  final int oversubscription;
  final boolean links;
  private final long[] hosts;
  private final long[] ups;
  private final long[] roots;

  // What was touched, so that building does not have to look at the whole plant.
  private final int[] leafList;
  private final boolean[] leafTouched;
  private int leafCount;
  private final int[] spineList;
  private final boolean[] spineTouched;
  private int spineCount;

  /** Nothing yet, for a tenant that asked for that. */
  public AllocationBuilder(Plant plant, AllocationRequest request) {
    this(plant, request.hosts(), request.oversubscription(), request.links());
  }

  /**
   * Nothing yet.
   *
   * @param requested hosts asked for
   * @param oversubscription hosts that may share an up-link
   * @param links true if the tenant is promised links of its own
   */
  public AllocationBuilder(Plant plant, int requested, int oversubscription, boolean links) {
    this.plant = plant;
    this.requested = requested;
    this.oversubscription = oversubscription;
    this.links = links;
    hosts = new long[plant.leafCount() * plant.slotWords()];
    ups = new long[plant.leafCount() * plant.positionWords()];
    int spines = plant.subtreeCount() * plant.planes();
    roots = new long[spines * plant.rootWords()];
    leafList = new int[plant.leafCount()];
    leafTouched = new boolean[plant.leafCount()];
    spineList = new int[spines];
    spineTouched = new boolean[spines];
  }

  private void touchLeaf(int leaf) {
    if (!leafTouched[leaf]) {
      leafTouched[leaf] = true;
      leafList[leafCount++] = leaf;
    }
  }

  private void touchSpine(int spine) {
    if (!spineTouched[spine]) {
      spineTouched[spine] = true;
      spineList[spineCount++] = spine;
    }
  }

  /** Adds the host in a slot. */
  public AllocationBuilder host(int leaf, int slot) {
    touchLeaf(leaf);
    Bits.set(hosts, leaf * plant.slotWords(), slot);
    return this;
  }

  /** Adds the hosts in the lowest n slots of a mask, which has them. */
  public AllocationBuilder lowestHosts(int leaf, int n, long[] mask, int at) {
    touchLeaf(leaf);
    Bits.addLowest(mask, at, n, hosts, leaf * plant.slotWords(), plant.slotWords());
    return this;
  }

  /** Adds an up-link of a leaf. */
  public AllocationBuilder up(int leaf, int position) {
    touchLeaf(leaf);
    Bits.set(ups, leaf * plant.positionWords(), position);
    return this;
  }

  /** Adds the up-links of a mask. */
  public AllocationBuilder ups(int leaf, long[] mask, int at) {
    touchLeaf(leaf);
    int words = plant.positionWords();
    for (int w = 0; w < words; w++) {
      ups[leaf * words + w] |= mask[at + w];
    }
    return this;
  }

  /** Adds a root link. */
  public AllocationBuilder root(int subtree, int plane, int root) {
    touchSpine(subtree * plant.planes() + plane);
    Bits.set(roots, (subtree * plant.planes() + plane) * plant.rootWords(), root);
    return this;
  }

  /** Adds the root links of a mask. */
  public AllocationBuilder roots(int subtree, int plane, long[] mask, int at) {
    touchSpine(subtree * plant.planes() + plane);
    int words = plant.rootWords();
    for (int w = 0; w < words; w++) {
      roots[(subtree * plant.planes() + plane) * words + w] |= mask[at + w];
    }
    return this;
  }

  /** The allocation. O(what it has * log of it). */
  public Allocation build() {
    return new Allocation(this);
  }

  int[] leaves() {
    int sw = plant.slotWords();
    int pw = plant.positionWords();
    int n = 0;
    for (int i = 0; i < leafCount; i++) {
      int l = leafList[i];
      if (any(hosts, l * sw, sw) || any(ups, l * pw, pw)) {
        leafList[n++] = l;
      }
    }
    leafCount = n;
    int[] out = Arrays.copyOf(leafList, n);
    Arrays.sort(out);
    return out;
  }

  int[] spines() {
    int words = plant.rootWords();
    int n = 0;
    for (int i = 0; i < spineCount; i++) {
      if (any(roots, spineList[i] * words, words)) {
        spineList[n++] = spineList[i];
      }
    }
    spineCount = n;
    int[] out = Arrays.copyOf(spineList, n);
    Arrays.sort(out);
    return out;
  }

  private static boolean any(long[] a, int at, int words) {
    return Bits.next(a, at, words, 0) >= 0;
  }

  long[] hostMasks(int[] leaves) {
    return pick(hosts, leaves, plant.slotWords());
  }

  long[] upMasks(int[] leaves) {
    return pick(ups, leaves, plant.positionWords());
  }

  long[] rootMasks(int[] spines) {
    return pick(roots, spines, plant.rootWords());
  }

  private static long[] pick(long[] from, int[] which, int words) {
    long[] out = new long[which.length * words];
    for (int i = 0; i < which.length; i++) {
      System.arraycopy(from, which[i] * words, out, i * words, words);
    }
    return out;
  }
}
