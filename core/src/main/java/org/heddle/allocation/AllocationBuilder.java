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
    roots = new long[plant.subtreeCount() * plant.planes() * plant.rootWords()];
  }

  /** Adds the host in a slot. */
  public AllocationBuilder host(int leaf, int slot) {
    Bits.set(hosts, leaf * plant.slotWords(), slot);
    return this;
  }

  /** Adds an up-link of a leaf. */
  public AllocationBuilder up(int leaf, int position) {
    Bits.set(ups, leaf * plant.positionWords(), position);
    return this;
  }

  /** Adds the up-links of a mask. */
  public AllocationBuilder ups(int leaf, long[] mask, int at) {
    int words = plant.positionWords();
    for (int w = 0; w < words; w++) {
      ups[leaf * words + w] |= mask[at + w];
    }
    return this;
  }

  /** Adds a root link. */
  public AllocationBuilder root(int subtree, int plane, int root) {
    Bits.set(roots, (subtree * plant.planes() + plane) * plant.rootWords(), root);
    return this;
  }

  /** Adds the root links of a mask. */
  public AllocationBuilder roots(int subtree, int plane, long[] mask, int at) {
    int words = plant.rootWords();
    for (int w = 0; w < words; w++) {
      roots[(subtree * plant.planes() + plane) * words + w] |= mask[at + w];
    }
    return this;
  }

  /** The allocation. O(leaves + planes * sub-trees). */
  public Allocation build() {
    return new Allocation(this);
  }

  int[] leaves() {
    int[] out = new int[plant.leafCount()];
    int n = 0;
    int sw = plant.slotWords();
    int pw = plant.positionWords();
    for (int l = 0; l < out.length; l++) {
      if (any(hosts, l * sw, sw) || any(ups, l * pw, pw)) {
        out[n++] = l;
      }
    }
    return Arrays.copyOf(out, n);
  }

  int[] spines() {
    int words = plant.rootWords();
    int[] out = new int[plant.subtreeCount() * plant.planes()];
    int n = 0;
    for (int i = 0; i < out.length; i++) {
      if (any(roots, i * words, words)) {
        out[n++] = i;
      }
    }
    return Arrays.copyOf(out, n);
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
