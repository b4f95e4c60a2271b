package org.heddle.allocation;

import java.util.Arrays;
import org.heddle.fabric.Fabric;

/**
 * What one tenant holds: hosts, links, and their shape in the plant's coordinates. Immutable, made
 * by an {@link AllocationBuilder}.
 */
public final class Allocation {
  final Plant plant;
  private final int requested;
  private final int oversubscription;
  private final boolean links;
  private final int hostCount;
  private final int linkCount;

  // Made when asked for: a scheduler never asks.
  private volatile int[] hosts;
  private volatile int[] linkPorts;
  final int[] leaves;
  final long[] hostMasks;
  final long[] upMasks;
  final int[] spines;
  final long[] rootMasks;

  Allocation(AllocationBuilder from) {
    plant = from.plant;
    requested = from.requested;
    oversubscription = from.oversubscription;
    links = from.links;
    leaves = from.leaves();
    hostMasks = from.hostMasks(leaves);
    upMasks = from.upMasks(leaves);
    spines = from.spines();
    rootMasks = from.rootMasks(spines);
    hostCount = Bits.count(hostMasks, 0, hostMasks.length);
    linkCount =
        plant.rails()
            * (Bits.count(upMasks, 0, upMasks.length) + Bits.count(rootMasks, 0, rootMasks.length));
  }

  private int[] hostArray() {
    int[] out = hosts;
    if (out == null) {
      out = collectHosts();
      hosts = out;
    }
    return out;
  }

  private int[] linkArray() {
    int[] out = linkPorts;
    if (out == null) {
      out = collectLinks();
      linkPorts = out;
    }
    return out;
  }

  private int[] collectHosts() {
    int words = plant.slotWords();
    int[] out = new int[hostCount];
    int n = 0;
    for (int i = 0; i < leaves.length; i++) {
      for (int s = Bits.next(hostMasks, i * words, words, 0);
          s >= 0;
          s = Bits.next(hostMasks, i * words, words, s + 1)) {
        out[n++] = plant.host(leaves[i], s);
      }
    }
    Arrays.sort(out);
    return out;
  }

  private int[] collectLinks() {
    int rails = plant.rails();
    int[] out = new int[linkCount];
    int n = 0;
    int pw = plant.positionWords();
    int rw = plant.rootWords();
    for (int rail = 0; rail < rails; rail++) {
      for (int i = 0; i < leaves.length; i++) {
        for (int p = Bits.next(upMasks, i * pw, pw, 0);
            p >= 0;
            p = Bits.next(upMasks, i * pw, pw, p + 1)) {
          out[n++] = plant.upPort(rail, leaves[i], p);
        }
      }
      for (int i = 0; i < spines.length; i++) {
        int t = spines[i] / plant.planes();
        int q = spines[i] % plant.planes();
        for (int r = Bits.next(rootMasks, i * rw, rw, 0);
            r >= 0;
            r = Bits.next(rootMasks, i * rw, rw, r + 1)) {
          out[n++] = plant.rootPort(rail, t, q, r);
        }
      }
    }
    Arrays.sort(out);
    return out;
  }

  /** The plant the coordinates belong to. */
  public Plant plant() {
    return plant;
  }

  /** Hosts asked for; an allocator that rounds holds more. */
  public int requested() {
    return requested;
  }

  /** Hosts that may share an up-link. */
  public int oversubscription() {
    return oversubscription;
  }

  /** True if the tenant was promised links of its own (a tenant on one leaf needs none). */
  public boolean guaranteed() {
    return links;
  }

  /** Number of hosts held. */
  public int hostCount() {
    return hostCount;
  }

  /** Node id of the i-th host, ascending. */
  public int host(int i) {
    return hostArray()[i];
  }

  /** Node ids of the hosts, ascending. A copy. */
  public int[] hosts() {
    return hostArray().clone();
  }

  /**
   * Port ids by which the hosts are reached, by host and port number: with links, those at the
   * host's leaf in every rail, since the links lead from there; a port of a host on some other leaf
   * (dual-homed) is not the tenant's. Without links all that have a switch behind them.
   */
  public int[] hostPorts() {
    Fabric fabric = plant.fabric();
    int[] out = new int[Math.max(1, hostArray().length * plant.rails())]; // grows, seldom
    int n = 0;
    for (int host : hostArray()) {
      int leaf = plant.leafOfHost(host);
      for (int number = 1; number <= fabric.portCount(host); number++) {
        int port = fabric.port(host, number);
        int sw = fabric.attachedSwitch(port);
        if (sw != Fabric.NONE && (!links || plant.isAt(leaf, sw))) {
          out = n == out.length ? Arrays.copyOf(out, 2 * n) : out;
          out[n++] = port;
        }
      }
    }
    return Arrays.copyOf(out, n);
  }

  /** True if switches join all hosts, whoever has the links between them. */
  public boolean joined() {
    int island = Fabric.NONE;
    for (int i = 0; i < leaves.length; i++) {
      if (hostsOn(i) > 0 && island != Fabric.NONE && plant.islandOf(leaves[i]) != island) {
        return false;
      }
      island = hostsOn(i) > 0 ? plant.islandOf(leaves[i]) : island;
    }
    return true;
  }

  /** Number of cabled ports of the hosts that are not among {@link #hostPorts}. */
  public int otherHostPorts() {
    Fabric fabric = plant.fabric();
    int all = 0;
    for (int host : hostArray()) {
      for (int number = 1; number <= fabric.portCount(host); number++) {
        all += fabric.attachedSwitch(fabric.port(host, number)) != Fabric.NONE ? 1 : 0;
      }
    }
    return all - hostPorts().length;
  }

  /** Number of links held, in all rails. */
  public int linkCount() {
    return linkCount;
  }

  /** Links by the port id of their lower end, ascending. A copy. */
  public int[] links() {
    return linkArray().clone();
  }

  // ---- shape

  /** Number of leaves with hosts or links of the tenant. */
  public int leafCount() {
    return leaves.length;
  }

  /** The i-th leaf (index in the plant), ascending. */
  public int leaf(int i) {
    return leaves[i];
  }

  /** Number of the tenant's hosts on its i-th leaf. */
  public int hostsOn(int i) {
    return Bits.count(hostMasks, i * plant.slotWords(), plant.slotWords());
  }

  /** Number of up-links the tenant has from its i-th leaf. */
  public int upsOn(int i) {
    return Bits.count(upMasks, i * plant.positionWords(), plant.positionWords());
  }

  /** Word w of the mask of slots on the i-th leaf. */
  public long hostMask(int i, int w) {
    return hostMasks[i * plant.slotWords() + w];
  }

  /** Word w of the mask of positions on the i-th leaf. */
  public long upMask(int i, int w) {
    return upMasks[i * plant.positionWords() + w];
  }

  /** Number of level-2 switches with root links of the tenant. */
  public int spineCount() {
    return spines.length;
  }

  /** Sub-tree of the i-th of these switches. */
  public int spineSubtree(int i) {
    return spines[i] / plant.planes();
  }

  /** Plane of the i-th of these switches. */
  public int spinePlane(int i) {
    return spines[i] % plant.planes();
  }

  /** Word w of the mask of root links of the i-th of these switches. */
  public long rootMask(int i, int w) {
    return rootMasks[i * plant.rootWords() + w];
  }

  /** Number of sub-trees with hosts of the tenant. */
  public int subtreeCount() {
    int n = 0;
    int last = Fabric.NONE;
    for (int leaf : leaves) {
      if (plant.subtreeOf(leaf) != last) {
        last = plant.subtreeOf(leaf);
        n++;
      }
    }
    return n;
  }

  /** Same plant, hosts, links and promise. */
  @Override
  public boolean equals(Object o) {
    return o instanceof Allocation a
        && plant == a.plant
        && requested == a.requested
        && oversubscription == a.oversubscription
        && links == a.links
        && Arrays.equals(leaves, a.leaves)
        && Arrays.equals(hostMasks, a.hostMasks)
        && Arrays.equals(upMasks, a.upMasks)
        && Arrays.equals(spines, a.spines)
        && Arrays.equals(rootMasks, a.rootMasks);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(hostMasks) + Arrays.hashCode(upMasks) + Arrays.hashCode(leaves);
  }

  @Override
  public String toString() {
    return hostCount + " hosts on " + leaves.length + " leaves, " + linkCount + " links";
  }
}
