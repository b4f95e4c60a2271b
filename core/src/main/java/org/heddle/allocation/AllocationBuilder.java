package org.heddle.allocation;

import java.util.Arrays;

/**
 * Collects what a tenant gets, in the plant's coordinates. Not thread-safe; of no use after {@link
 * #build}.
 */
public final class AllocationBuilder {
  private static final int FIRST = 16;

  final Plant plant;
  final int requested;
  final int oversubscription;
  final boolean links;
  Rails rails = Rails.SEPARATE;

  // What was touched, in that order; a leaf's or level-2 switch's masks lie at its index.
  private int[] leafList = new int[FIRST];
  private long[] hosts;
  private long[] ups;
  private int leafCount;
  private int[] spineList = new int[FIRST];
  private long[] roots;
  private int spineCount;

  /** One more than the index of a leaf, of a level-2 switch; 0 if not touched. */
  private final int[] leafAt;

  private final int[] spineAt;

  /** Nothing yet, for a tenant that asked for that. */
  public AllocationBuilder(Plant plant, AllocationRequest request) {
    this(plant, request.hosts(), request.oversubscription(), request.links());
    rails = request.rails();
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
    hosts = new long[FIRST * plant.slotWords()];
    ups = new long[FIRST * plant.positionWords()];
    roots = new long[FIRST * plant.rootWords()];
    leafAt = new int[plant.leafCount()];
    spineAt = new int[plant.subtreeCount() * plant.planes()];
  }

  /** Between which adapters the links are promised; on every rail by itself unless this says it. */
  public AllocationBuilder rails(Rails promised) {
    rails = promised;
    return this;
  }

  private int leaf(int leaf) {
    if (leafAt[leaf] == 0) {
      if (leafCount == leafList.length) {
        leafList = Arrays.copyOf(leafList, 2 * leafCount);
        hosts = Arrays.copyOf(hosts, 2 * hosts.length);
        ups = Arrays.copyOf(ups, 2 * ups.length);
      }
      leafList[leafCount++] = leaf;
      leafAt[leaf] = leafCount;
    }
    return leafAt[leaf] - 1;
  }

  private int spine(int spine) {
    if (spineAt[spine] == 0) {
      if (spineCount == spineList.length) {
        spineList = Arrays.copyOf(spineList, 2 * spineCount);
        roots = Arrays.copyOf(roots, 2 * roots.length);
      }
      spineList[spineCount++] = spine;
      spineAt[spine] = spineCount;
    }
    return spineAt[spine] - 1;
  }

  /** Adds the host in a slot. */
  public AllocationBuilder host(int leaf, int slot) {
    int at = leaf(leaf) * plant.slotWords();
    Bits.set(hosts, at, slot);
    return this;
  }

  /** Adds the hosts in the lowest n slots of a mask, which has them. */
  public AllocationBuilder lowestHosts(int leaf, int n, long[] mask, int at) {
    int to = leaf(leaf) * plant.slotWords();
    Bits.addLowest(mask, at, n, hosts, to, plant.slotWords());
    return this;
  }

  /** Adds an up-link of a leaf. */
  public AllocationBuilder up(int leaf, int position) {
    int at = leaf(leaf) * plant.positionWords();
    Bits.set(ups, at, position);
    return this;
  }

  /** Adds the up-links of a mask. */
  public AllocationBuilder ups(int leaf, long[] mask, int at) {
    int words = plant.positionWords();
    int to = leaf(leaf) * words;
    for (int w = 0; w < words; w++) {
      ups[to + w] |= mask[at + w];
    }
    return this;
  }

  /** Adds the up-links that a tenant has on its i-th leaf. */
  public AllocationBuilder ups(int leaf, Allocation of, int i) {
    return ups(leaf, of.upMasks, i * plant.positionWords());
  }

  /** Adds all root links of a tenant. */
  public AllocationBuilder roots(Allocation of) {
    for (int i = 0; i < of.spineCount(); i++) {
      roots(of.spineSubtree(i), of.spinePlane(i), of.rootMasks, i * plant.rootWords());
    }
    return this;
  }

  /** Adds a root link. */
  public AllocationBuilder root(int subtree, int plane, int root) {
    int at = spine(subtree * plant.planes() + plane) * plant.rootWords();
    Bits.set(roots, at, root);
    return this;
  }

  /** Adds the root links of a mask. */
  public AllocationBuilder roots(int subtree, int plane, long[] mask, int at) {
    int words = plant.rootWords();
    int to = spine(subtree * plant.planes() + plane) * words;
    for (int w = 0; w < words; w++) {
      roots[to + w] |= mask[at + w];
    }
    return this;
  }

  /** The allocation. O(what it has * log of it). */
  public Allocation build() {
    return new Allocation(this);
  }

  /** Leaves of which something was added, rising. */
  int[] leaves() {
    int[] out = new int[leafCount];
    int n = 0;
    for (int i = 0; i < leafCount; i++) {
      if (any(hosts, i, plant.slotWords()) || any(ups, i, plant.positionWords())) {
        out[n++] = leafList[i];
      }
    }
    return rising(out, n);
  }

  /** Level-2 switches of which something was added, rising. */
  int[] spines() {
    int[] out = new int[spineCount];
    int n = 0;
    for (int i = 0; i < spineCount; i++) {
      if (any(roots, i, plant.rootWords())) {
        out[n++] = spineList[i];
      }
    }
    return rising(out, n);
  }

  private static int[] rising(int[] list, int n) {
    int[] out = n == list.length ? list : Arrays.copyOf(list, n);
    Arrays.sort(out);
    return out;
  }

  private static boolean any(long[] a, int i, int words) {
    return Bits.next(a, i * words, words, 0) >= 0;
  }

  long[] hostMasks(int[] leaves) {
    return pick(hosts, leaves, leafAt, plant.slotWords());
  }

  long[] upMasks(int[] leaves) {
    return pick(ups, leaves, leafAt, plant.positionWords());
  }

  long[] rootMasks(int[] spines) {
    return pick(roots, spines, spineAt, plant.rootWords());
  }

  private static long[] pick(long[] from, int[] which, int[] at, int words) {
    long[] out = new long[which.length * words];
    for (int i = 0; i < which.length; i++) {
      System.arraycopy(from, (at[which[i]] - 1) * words, out, i * words, words);
    }
    return out;
  }
}
