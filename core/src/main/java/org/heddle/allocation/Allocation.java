package org.heddle.allocation;

import java.util.Arrays;
import org.heddle.fabric.Counted;
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
  private final Rails rails;
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
    rails = from.rails;
    leaves = from.leaves();
    hostMasks = from.hostMasks(leaves);
    upMasks = from.upMasks(leaves);
    spines = from.spines();
    rootMasks = from.rootMasks(spines);
    hostCount = Bits.count(hostMasks, 0, hostMasks.length);
    linkCount = countLinks();
  }

  /** Where units have all rails, as in most fabrics, nothing but a product. */
  private int countLinks() {
    int ups = Bits.count(upMasks, 0, upMasks.length);
    int roots = Bits.count(rootMasks, 0, rootMasks.length);
    return plant.rails() == 1 || ups + roots == 0
        ? ups + roots
        : collectLinks(plant.rails() * (ups + roots)).length;
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
      out = collectLinks(linkCount);
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

  private int[] collectLinks(int most) {
    int rails = plant.rails();
    int[] out = new int[most];
    int n = 0;
    int pw = plant.positionWords();
    int rw = plant.rootWords();
    for (int rail = 0; rail < rails; rail++) {
      for (int i = 0; i < leaves.length; i++) {
        for (int p = Bits.next(upMasks, i * pw, pw, 0);
            p >= 0;
            p = Bits.next(upMasks, i * pw, pw, p + 1)) {
          n = add(out, n, plant.upPort(rail, leaves[i], p), plant.hasUp(leaves[i], p));
        }
      }
      for (int i = 0; i < spines.length; i++) {
        int t = spines[i] / plant.planes();
        int q = spines[i] % plant.planes();
        for (int r = Bits.next(rootMasks, i * rw, rw, 0);
            r >= 0;
            r = Bits.next(rootMasks, i * rw, rw, r + 1)) {
          n = add(out, n, plant.rootPort(rail, t, q, r), plant.hasRoot(t, q, r));
        }
      }
    }
    out = Arrays.copyOf(out, n);
    Arrays.sort(out);
    return out;
  }

  /** A rail that a unit does not have has no port at a coordinate that is there. */
  private static int add(int[] out, int n, int port, boolean there) {
    if (port == Fabric.NONE && there) {
      return n;
    }
    out[n] = port;
    return n + 1;
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

  /** Between which adapters of its machines the tenant was promised links. */
  public Rails rails() {
    return rails;
  }

  /** Number of machines held. */
  public int hostCount() {
    return hostCount;
  }

  /** Node id of the first adapter of the i-th machine, ascending. */
  public int host(int i) {
    return hostArray()[i];
  }

  /** Node ids of the first adapters of the machines, ascending. A copy. */
  public int[] hosts() {
    return hostArray().clone();
  }

  /** Node ids of all adapters of the machines, ascending. */
  public int[] adapters() {
    int[] out = new int[hostCount];
    int n = 0;
    for (int host : hostArray()) {
      int count = plant.adapterCount(host);
      out = n + count > out.length ? Arrays.copyOf(out, 2 * (n + count)) : out;
      for (int i = 0; i < count; i++) {
        out[n++] = plant.adapter(host, i);
      }
    }
    out = Arrays.copyOf(out, n);
    Arrays.sort(out);
    return out;
  }

  /**
   * Port ids by which the machines are reached, by adapter and port number: with links, those at
   * the leaves of the machine's unit, since the links lead from there; a port on some other leaf is
   * not the tenant's. Without links all that have a switch behind them.
   */
  public int[] hostPorts() {
    Fabric fabric = plant.fabric();
    int[] out = new int[Math.max(1, hostArray().length * plant.rails())]; // grows, seldom
    int n = 0;
    for (int host : adapters()) {
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

  /**
   * Which of the machines' ports the links join: those with equal numbers. With separate rails it
   * is the rail; all have one number if the links join rails, or if there is no promise.
   *
   * @param ports some of {@link #hostPorts}
   */
  public int[] railsOf(int[] ports) {
    int[] out = new int[ports.length];
    if (!links || acrossRails()) {
      return out;
    }
    Fabric fabric = plant.fabric();
    for (int i = 0; i < ports.length; i++) {
      int leaf = plant.leafOfHost(fabric.nodeOf(ports[i]));
      int sw = fabric.attachedSwitch(ports[i]);
      while (out[i] < plant.rails() - 1 && plant.leafSwitch(out[i], leaf) != sw) {
        out[i]++;
      }
    }
    return out;
  }

  /** True if the links join the machines' adapters across rails, asked for or not. */
  public boolean acrossRails() {
    boolean inside = false;
    for (int leaf : leaves) {
      inside |= plant.linksInside(leaf);
    }
    return rails == Rails.JOINED || inside && hostCount > 1;
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
    for (int host : adapters()) {
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
        && rails == a.rails
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
    int switches = Arrays.stream(leaves).map(leaf -> plant.switches(leaf).length).sum();
    return Counted.of(hostCount, "host", "hosts")
        + " on "
        + Counted.of(switches, "leaf", "leaves")
        + ", "
        + Counted.of(linkCount, "link", "links");
  }
}
