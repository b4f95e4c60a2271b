package org.heddle.control;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.heddle.allocation.Allocation;
import org.heddle.allocation.Occupancy;
import org.heddle.allocation.Plant;

/**
 * Who holds which hosts and links of a plant, and what is free. Whoever has hosts is in it with
 * what is there of them and of its links, whole or partial, so that nothing that somebody lists
 * counts as free. Immutable: changes make another one.
 *
 * <p>Invariant: every host and every link of the plant is held by one tenant or free, never by two.
 * Each change checks it; one that would break it is an {@link IllegalStateException} and changes
 * nothing.
 *
 * <p>A change is O(plant + tenants); looking is O(1) but for the holder of something, which is
 * O(what tenants hold).
 */
final class Holdings {
  private final Occupancy free; // never changed, never given away
  private final Map<String, Allocation> held;

  private Holdings(Occupancy free, Map<String, Allocation> held) {
    this.free = free;
    this.held = Collections.unmodifiableMap(held);
  }

  /** Everything is free. */
  static Holdings none(Plant plant) {
    return new Holdings(Occupancy.empty(plant), new HashMap<>());
  }

  /** The plant. */
  Plant plant() {
    return free.plant();
  }

  /** What a tenant holds; null if it holds nothing. */
  Allocation of(String tenant) {
    return held.get(tenant);
  }

  /** What is free. A copy. */
  Occupancy free() {
    return free.copy();
  }

  /** Number of hosts that are free. */
  int freeHosts() {
    return free.freeHosts();
  }

  /** True if all of it is free. */
  boolean fits(Allocation a) {
    return free.fits(a);
  }

  /**
   * With what a tenant takes.
   *
   * @throws IllegalStateException if some of it is not free, or the tenant holds something already
   * @throws IllegalArgumentException if it belongs to another plant
   */
  Holdings with(String tenant, Allocation a) {
    if (held.containsKey(tenant)) {
      throw new IllegalStateException("tenant " + tenant + " holds something already");
    }
    Occupancy left = free.copy();
    left.take(a); // checks that all of it is free
    Map<String, Allocation> all = new HashMap<>(held);
    all.put(tenant, a);
    return new Holdings(left, all);
  }

  /** Without what a tenant holds; the same if that is nothing. */
  Holdings without(String tenant) {
    Allocation a = held.get(tenant);
    if (a == null) {
      return this;
    }
    Occupancy left = free.copy();
    left.release(a); // checks that none of it is free
    Map<String, Allocation> all = new HashMap<>(held);
    all.remove(tenant);
    return new Holdings(left, all);
  }

  // ---- single things, in the plant's coordinates

  boolean isFreeHost(int leaf, int slot) {
    return bit(free.slotMask(leaf, slot >> 6), slot);
  }

  boolean isFreeUp(int leaf, int position) {
    return bit(free.upMask(leaf, position >> 6), position);
  }

  boolean isFreeRoot(int subtree, int plane, int root) {
    return bit(free.rootMask(subtree, plane, root >> 6), root);
  }

  /** Who holds a host. */
  Optional<String> holderOfHost(int leaf, int slot) {
    return holder(
        a -> {
          int i = leafIn(a, leaf);
          return i >= 0 && bit(a.hostMask(i, slot >> 6), slot);
        });
  }

  /** Who holds an up-link of a leaf. */
  Optional<String> holderOfUp(int leaf, int position) {
    return holder(
        a -> {
          int i = leafIn(a, leaf);
          return i >= 0 && bit(a.upMask(i, position >> 6), position);
        });
  }

  /** Who holds a root link. */
  Optional<String> holderOfRoot(int subtree, int plane, int root) {
    return holder(
        a -> {
          for (int i = 0; i < a.spineCount(); i++) {
            if (a.spineSubtree(i) == subtree && a.spinePlane(i) == plane) {
              return bit(a.rootMask(i, root >> 6), root);
            }
          }
          return false;
        });
  }

  private Optional<String> holder(Predicate<Allocation> has) {
    return held.entrySet().stream()
        .filter(e -> has.test(e.getValue()))
        .map(Map.Entry::getKey)
        .findFirst();
  }

  private static int leafIn(Allocation a, int leaf) {
    for (int i = 0; i < a.leafCount(); i++) {
      if (a.leaf(i) == leaf) {
        return i;
      }
    }
    return -1;
  }

  private static boolean bit(long word, int i) {
    return (word >>> (i & 63) & 1) != 0;
  }
}
