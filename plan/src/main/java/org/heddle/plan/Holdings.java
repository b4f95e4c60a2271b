package org.heddle.plan;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.heddle.allocation.Allocation;
import org.heddle.allocation.AllocationBuilder;
import org.heddle.allocation.Occupancy;

/**
 * Who holds which hosts and links of a site, and what is free. Whoever has hosts is in it with what
 * is there of them and of its links, whole or partial, so that nothing that somebody lists counts
 * as free. Immutable: changes make another one.
 *
 * <p>Invariant: every host and every link is held by one tenant or free, never by two, and a
 * coordinate of the plant is free only if nobody holds a link of it. Each change checks it; one
 * that would break it is an {@link IllegalStateException} and changes nothing.
 *
 * <p>With one rail, a coordinate is a link. With several it stands for one link in each, and which
 * ones are put together depends on what of the rails is there. So two tenants may have links of one
 * coordinate, if each was admitted when they were put together in another way. It is charged to one
 * of them and free to nobody.
 *
 * <p>A change is O(plant + tenants); looking is O(1) but for the holder of a link, which is
 * O(tenants).
 */
public final class Holdings {
  /**
   * What a tenant holds.
   *
   * @param charged hosts, and coordinates that are not free because of it
   * @param links its links by the port id of their lower ends, ascending
   */
  public record Held(Allocation charged, int[] links) {
    /** All links of what an allocator found. */
    static Held of(Allocation a) {
      return new Held(a, a.links());
    }

    private boolean hasLink(int port) {
      return Arrays.binarySearch(links, port) >= 0;
    }
  }

  private final PhysicalFabric site;
  private final Occupancy free; // never changed, never given away
  private final Map<String, Held> held;

  private Holdings(PhysicalFabric site, Occupancy free, Map<String, Held> held) {
    this.site = site;
    this.free = free;
    this.held = Collections.unmodifiableMap(held);
  }

  /** Everything is free. */
  public static Holdings none(PhysicalFabric site) {
    return new Holdings(site, Occupancy.empty(site.plant()), new LinkedHashMap<>());
  }

  /** Where hosts that are free are nobody's to have: several share them, say. */
  public Holdings withdrawn(BitSet hosts) {
    Occupancy left = free.copy();
    hosts.stream().forEach(left::withdrawHost);
    return new Holdings(site, left, held);
  }

  /** What a tenant holds; null if it holds nothing. */
  public Held of(String tenant) {
    return held.get(tenant);
  }

  /** What is free. A copy. */
  Occupancy free() {
    return free.copy();
  }

  /** Number of hosts that are free. */
  public int freeHosts() {
    return free.freeHosts();
  }

  /**
   * With what a tenant takes.
   *
   * @throws IllegalStateException if some of it is not free, or the tenant holds something already
   * @throws IllegalArgumentException if it belongs to another plant
   */
  public Holdings with(String tenant, Held taken) {
    if (held.containsKey(tenant)) {
      throw new IllegalStateException("tenant " + tenant + " holds something already");
    }
    Occupancy left = free.copy();
    left.take(taken.charged); // checks that all of it is free
    if (site.plant().rails() > 1) {
      check(tenant, taken, left);
    }
    Map<String, Held> all = new LinkedHashMap<>(held);
    all.put(tenant, taken);
    return new Holdings(site, left, all);
  }

  /** With several rails the coordinates alone do not show that no link is held twice. */
  private void check(String tenant, Held taken, Occupancy left) {
    for (int port : taken.links) {
      Optional<String> other = holderOfLink(port);
      if (other.isPresent() || site.binder().isFree(left, port)) {
        throw new IllegalStateException(
            "the link of port " + port + " is not " + tenant + "'s: " + other.orElse("free"));
      }
    }
  }

  /** Without what a tenant holds; the same if that is nothing. */
  public Holdings without(String tenant) {
    Held gone = held.get(tenant);
    if (gone == null) {
      return this;
    }
    Occupancy left = free.copy();
    left.release(gone.charged); // checks that none of it is free
    Map<String, Held> all = new LinkedHashMap<>(held);
    all.remove(tenant);
    if (site.plant().rails() > 1) {
      all.replaceAll((_, h) -> recharged(h, left));
    }
    return new Holdings(site, left, all);
  }

  /** Charges coordinates that are free now to one who has a link of them. */
  private Held recharged(Held h, Occupancy left) {
    int[] ports = Arrays.stream(h.links).filter(port -> site.binder().isFree(left, port)).toArray();
    if (ports.length == 0) {
      return h;
    }
    Allocation a = h.charged;
    AllocationBuilder more = new AllocationBuilder(site.plant(), 1, 1, false);
    AllocationBuilder whole =
        new AllocationBuilder(site.plant(), a.requested(), a.oversubscription(), a.guaranteed())
            .rails(a.rails());
    for (int host : a.hosts()) {
      whole.host(site.plant().leafOfHost(host), site.plant().slotOfHost(host));
    }
    for (int port : a.links()) {
      site.binder().add(whole, port);
    }
    for (int port : ports) {
      site.binder().add(more, port);
      site.binder().add(whole, port);
    }
    left.take(more.build());
    return new Held(whole.build(), h.links);
  }

  /** True if nobody holds that host. */
  public boolean isFreeHost(int node) {
    int leaf = site.plant().leafOfHost(node);
    int slot = site.plant().slotOfHost(node);
    return (free.slotMask(leaf, slot >> 6) >>> (slot & 63) & 1) != 0;
  }

  /** True if nobody holds any link of the coordinate of the link at a port. */
  boolean isFreeCoordinate(int port) {
    return site.binder().isFree(free, port);
  }

  /** Who holds a host. */
  public Optional<String> holderOfHost(int node) {
    return held.entrySet().stream()
        .filter(e -> Arrays.binarySearch(e.getValue().charged.adapters(), node) >= 0)
        .map(Map.Entry::getKey)
        .findFirst();
  }

  /** Who holds the link with that lower end. */
  public Optional<String> holderOfLink(int port) {
    return held.entrySet().stream()
        .filter(e -> e.getValue().hasLink(port))
        .map(Map.Entry::getKey)
        .findFirst();
  }
}
