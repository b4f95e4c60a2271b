package org.heddle.routing.links;

import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Lid;
import org.heddle.routing.ForwardingTables;
import org.heddle.topology.FatTree;

/**
 * Routes tenants inside links of their own (Zahavi et al., "Links as a Service", with D-mod-K over
 * the tenant's virtual tree): changes the tables of an ordinary tree engine where they would take a
 * tenant's traffic over links that are not its own, or other hosts' traffic over links that are.
 *
 * <p><b>Tenants.</b> The i-th host of a leaf is reached through the i-th link the tenant has at
 * that leaf, modulo their number, and through the roots of the switch above in turn. All other
 * leaves of the tenant climb to that very switch if they have a link to it, else by another of
 * theirs that meets one of the destination's leaf, as the smaller leaves of a nested chain must. A
 * tenant's entries depend on the base tables, its own hosts and its own links only, so that the
 * arrival or departure of another changes none of them.
 *
 * <p><b>Rails.</b> Where a tenant's links join the adapters of each rail and not the rails ({@link
 * Region#rails}), traffic across rails goes as that of other hosts does.
 *
 * <p><b>Other hosts</b> (no tenant, or one without links of its own) keep the base entries wherever
 * these lead over links that nobody owns; otherwise they take another free link, and where there is
 * none they stay on the base route and share a tenant's link: {@link Routed#sharedEntries}.
 *
 * <p><b>Between tenants</b> traffic follows the base until it meets a switch that belongs to the
 * destination's ways. All routes stay up*&#47;down* if the base is, and every entry that the base
 * has stays an entry. LIDs of switches are not touched.
 *
 * <p>O(tenant's LIDs x leaves x ports of a leaf) for tenants, O(LIDs x leaves) for the others.
 */
public final class LinkRouting {
  /** The largest number of ports of a switch. */
  private static final int MAX_PORTS = 256;

  private final Fabric fabric;
  private final FatTree tree;
  private final ForwardingTables base;
  private final ForwardingTables.Edits edits;
  private final List<Region> regions;
  private final int[] owner;
  private final Ways ways;
  private final Ways free; // over links that nobody owns, for what the tenant's own do not join

  /** By level: the switch through which the destination at hand is reached, and the port there. */
  private final int[] main;

  private final int[] mainPort;

  /** By switch: how many destinations have been given a way up from it. */
  private final int[] turn;

  /** By switch: the leaf of the last of these destinations, and the turn of the first one there. */
  private final int[] lastLeaf;

  private final int[] firstTurn;

  private boolean railed; // the region has ports of several rails
  private final int[] visited;
  // Ports collected: one array for each use, as one method asks another while it holds its own.
  private final int[] ports = new int[MAX_PORTS];
  private final int[] onward = new int[MAX_PORTS];
  private final int[] siblings = new int[MAX_PORTS];
  private final int[] beside = new int[MAX_PORTS];
  private int visit;
  private long shared;
  private int sharedHosts;

  private LinkRouting(Fabric fabric, FatTree tree, ForwardingTables base, List<Region> regions) {
    this.fabric = fabric;
    this.tree = tree;
    this.base = base;
    this.edits = base.edit();
    this.regions = regions;
    this.owner = new int[fabric.portIdLimit()];
    this.ways = new Ways(fabric, tree, owner);
    this.free = new Ways(fabric, tree, owner);
    this.main = new int[tree.levels() + 2];
    this.mainPort = new int[tree.levels() + 2];
    this.turn = new int[fabric.switchCount()];
    this.lastLeaf = new int[fabric.switchCount()];
    this.firstTurn = new int[fabric.switchCount()];
    this.visited = new int[fabric.switchCount()];
  }

  /** Tables, or why there are none. */
  public sealed interface Outcome {}

  /**
   * The tables.
   *
   * @param changedEntries entries that differ from the base
   * @param sharedEntries (switch, LID) entries by which hosts without links of their own cross a
   *     tenant's link because no free one leads there
   * @param sharedHosts LIDs these entries lead to
   */
  public record Routed(
      ForwardingTables tables, long changedEntries, long sharedEntries, int sharedHosts)
      implements Outcome {}

  /**
   * A region cannot be routed as it is.
   *
   * @param region its name
   * @param reason one sentence
   */
  public record Refused(String region, String reason) implements Outcome {}

  /**
   * Routes regions on top of base tables.
   *
   * @param base complete tables of an engine for trees, of this fabric
   * @param regions no link and no port in two of them
   * @throws IllegalArgumentException if a region names a link that is none between switches, or one
   *     that another region has, or the tables are of another size
   */
  public static Outcome route(
      Fabric fabric, FatTree tree, ForwardingTables base, List<Region> regions) {
    if (base.switchCount() != fabric.switchCount()) {
      throw new IllegalArgumentException("tables of another fabric");
    }
    return new LinkRouting(fabric, tree, base, List.copyOf(regions)).route();
  }

  private Outcome route() {
    int[] hostOwner = claim();
    for (int r = 0; r < regions.size(); r++) {
      String trouble = routeRegion(r);
      if (trouble != null) {
        return new Refused(regions.get(r).name(), trouble);
      }
    }
    routeOthers(hostOwner);
    return new Routed(edits.build(), edits.changes(), shared, sharedHosts);
  }

  /** Notes the owner of every link; returns the owner of every port of a host. */
  private int[] claim() {
    Arrays.fill(owner, Ways.NOBODY);
    int[] hostOwner = new int[owner.length];
    Arrays.fill(hostOwner, Ways.NOBODY);
    for (int r = 0; r < regions.size(); r++) {
      for (int port : regions.get(r).links()) {
        int peer = fabric.peer(port);
        if (peer == Fabric.NONE
            || !fabric.isSwitch(fabric.nodeOf(port))
            || !fabric.isSwitch(fabric.nodeOf(peer))) {
          throw new IllegalArgumentException("port " + port + " has no link between switches");
        }
        if (owner[port] != Ways.NOBODY && owner[port] != r) {
          throw new IllegalArgumentException("the link of port " + port + " is in two regions");
        }
        owner[port] = r;
        owner[peer] = r;
      }
      for (int port : regions.get(r).hostPorts()) {
        if (hostOwner[port] != Ways.NOBODY) {
          throw new IllegalArgumentException("host port " + port + " is in two regions");
        }
        hostOwner[port] = r;
      }
    }
    return hostOwner;
  }

  // ---- tenants

  /** Returns what is wrong, or null. */
  private String routeRegion(int r) {
    int[] hosts = regions.get(r).hostPorts();
    int[] leaves = attached(hosts);
    boolean[][] meet = meetings(regions.get(r), leaves);
    int[] apart = new int[leaves.length];
    if (leaves.length < 2) {
      return null; // one leaf: the base delivers there as well as anybody
    }
    Arrays.fill(turn, 0);
    Arrays.fill(lastLeaf, Fabric.NONE);
    railed = Arrays.stream(regions.get(r).rails()).distinct().count() > 1;
    for (int i = 0; i < leaves.length; i++) {
      int leaf = leaves[i];
      int others = 0;
      ways.to(leaf, r);
      for (int k = 0; k < leaves.length; k++) {
        int from = leaves[k];
        if (from == leaf || tree.plane(from) != tree.plane(leaf) || ways.leads(from)) {
          continue;
        }
        if (meet[i][k]) {
          return "its links do not join "
              + fabric.node(from).display()
              + " to "
              + fabric.node(leaf).display();
        }
        apart[others++] = from;
      }
      if (others > 0) {
        free.to(leaf, Ways.NOBODY);
      }
      int rank = 0;
      for (int host : hosts) {
        if (fabric.attachedSwitch(host) != leaf || fabric.lid(host) == Lid.NONE) {
          continue;
        }
        for (int k = 0; k < 1 << fabric.lmc(host); k++) {
          routeLid(leaf, leaves, fabric.lid(host) + k, rank + k);
          for (int a = 0; a < others; a++) {
            follow(free, apart[a], fabric.lid(host) + k, rank + k);
          }
        }
        rank++;
      }
    }
    return null;
  }

  /** By two leaves: true if ports of one rail are on both. */
  private boolean[][] meetings(Region region, int[] leaves) {
    int[] ports = region.hostPorts();
    int[] rails = region.rails();
    Map<Integer, BitSet> leavesOf = new HashMap<>();
    for (int i = 0; i < ports.length; i++) {
      int at = Arrays.binarySearch(leaves, fabric.attachedSwitch(ports[i]));
      if (at >= 0) {
        leavesOf.computeIfAbsent(rails[i], _ -> new BitSet()).set(at);
      }
    }
    boolean[][] out = new boolean[leaves.length][leaves.length];
    for (BitSet some : leavesOf.values()) {
      some.stream().forEach(a -> some.stream().forEach(b -> out[a][b] = true));
    }
    return out;
  }

  private int[] attached(int[] hosts) {
    int[] out = new int[hosts.length];
    int n = 0;
    visit++;
    for (int host : hosts) {
      int sw = fabric.attachedSwitch(host);
      if (sw != Fabric.NONE && visited[sw] != visit) {
        visited[sw] = visit;
        out[n++] = sw;
      }
    }
    out = Arrays.copyOf(out, n);
    Arrays.sort(out);
    return out;
  }

  private void routeLid(int leaf, int[] leaves, int lid, int rank) {
    chooseMain(leaf, rank);
    visit++;
    visited[leaf] = visit;
    for (int from : leaves) {
      int sw = from;
      while (visited[sw] != visit && (sw != from || ways.leads(from))) {
        visited[sw] = visit;
        int port = ways.leadsDown(sw) ? downPort(sw, rank) : upPort(sw, rank);
        edits.set(sw, lid, port);
        sw = fabric.peerNode(fabric.port(sw, port));
      }
    }
  }

  /** The switches through which most come: up from the leaf by its rank, then in turns. */
  private void chooseMain(int leaf, int rank) {
    Arrays.fill(main, Fabric.NONE);
    int sw = leaf;
    for (int level = tree.level(leaf); level < main.length; level++) {
      main[level] = sw;
      int n = ways.allUpPorts(sw, ports);
      if (n == 0) {
        return;
      }
      int port = ports[(sw == leaf ? rank : turn(sw, leaf, n)) % n];
      int up = fabric.peer(fabric.port(sw, port));
      sw = fabric.nodeOf(up);
      mainPort[level + 1] = fabric.numberOf(up);
    }
  }

  /**
   * Whose turn it is at a switch above a leaf. Leaves of several rails do not begin with the same
   * link one after the other: the adapters of a machine, which are at the same place of their
   * leaves and send at the same time, would all have it.
   */
  private int turn(int sw, int leaf, int n) {
    if (railed && lastLeaf[sw] != leaf) {
      boolean again = lastLeaf[sw] != Fabric.NONE && turn[sw] % n == firstTurn[sw] % n;
      turn[sw] += again ? 1 : 0;
      firstTurn[sw] = turn[sw];
      lastLeaf[sw] = leaf;
    }
    return turn[sw]++;
  }

  private int downPort(int sw, int rank) {
    int level = tree.level(sw);
    if (main[level] == sw) {
      return mainPort[level];
    }
    int n = ways.downPorts(sw, ports);
    return ports[rank % n];
  }

  private int upPort(int sw, int rank) {
    int level = tree.level(sw);
    int parent = level + 1 < main.length ? main[level + 1] : Fabric.NONE;
    if (parent != Fabric.NONE) {
      int n = ways.upPortsTo(sw, parent, ports);
      if (n > 0) {
        return ports[parallel(level + 1) % n];
      }
    }
    int n = ways.upPorts(sw, true, ports);
    if (n > 0) {
      return ports[rank % n];
    }
    n = ways.upPorts(sw, false, ports);
    int top = level + 2 < main.length ? main[level + 2] : Fabric.NONE;
    for (int i = 0; top != Fabric.NONE && i < n; i++) {
      int next = fabric.peerNode(fabric.port(sw, ports[i]));
      if (ways.upPortsTo(next, top, onward) > 0) {
        return sibling(sw, next, n, level + 1);
      }
    }
    return ports[rank % n];
  }

  /** Of the ports that lead to a switch, the one with the place the destination's own link has. */
  private int sibling(int sw, int next, int all, int level) {
    int n = 0;
    for (int i = 0; i < all; i++) {
      if (fabric.peerNode(fabric.port(sw, ports[i])) == next) {
        siblings[n++] = ports[i];
      }
    }
    return siblings[parallel(level) % n];
  }

  /** Place of the main way's link among those parallel to it. */
  private int parallel(int level) {
    int down = fabric.port(main[level], mainPort[level]);
    int up = fabric.peer(down);
    int n = ways.upPortsTo(fabric.nodeOf(up), main[level], beside);
    return Math.max(0, Arrays.binarySearch(beside, 0, n, fabric.numberOf(up)));
  }

  // ---- the others

  private void routeOthers(int[] hostOwner) {
    int[] unowned = new int[hostOwner.length];
    int n = 0;
    for (int port = 0; port < hostOwner.length; port++) {
      if (hostOwner[port] == Ways.NOBODY
          && fabric.lid(port) != Lid.NONE
          && !fabric.isSwitch(fabric.nodeOf(port))
          && fabric.attachedSwitch(port) != Fabric.NONE) {
        unowned[n++] = port;
      }
    }
    unowned = Arrays.copyOf(unowned, n);
    if (regions.stream().allMatch(r -> r.links().length == 0)) {
      return;
    }
    int[] leaves = attached(unowned);
    Integer[] order = new Integer[n];
    for (int i = 0; i < n; i++) {
      order[i] = unowned[i];
    }
    Arrays.sort(
        order,
        (a, b) -> {
          int byLeaf = Integer.compare(fabric.attachedSwitch(a), fabric.attachedSwitch(b));
          return byLeaf != 0 ? byLeaf : Integer.compare(a, b);
        });
    int leaf = Fabric.NONE;
    int rank = 0;
    for (int host : order) {
      if (fabric.attachedSwitch(host) != leaf) {
        leaf = fabric.attachedSwitch(host);
        ways.to(leaf, Ways.NOBODY);
        rank = 0;
      }
      for (int k = 0; k < 1 << fabric.lmc(host); k++) {
        routeOther(leaf, leaves, fabric.lid(host) + k, rank + k);
      }
      rank++;
    }
  }

  private void routeOther(int leaf, int[] leaves, int lid, int rank) {
    visit++;
    visited[leaf] = visit;
    long before = shared;
    for (int from : leaves) {
      follow(ways, from, lid, rank);
    }
    sharedHosts += shared > before ? 1 : 0;
  }

  /** From a leaf over links that nobody owns, until it meets a way that is there. */
  private void follow(Ways over, int from, int lid, int rank) {
    int sw = from;
    while (visited[sw] != visit) {
      visited[sw] = visit;
      int port = otherPort(over, sw, lid, rank);
      int next =
          port >= 1 && port <= fabric.portCount(sw)
              ? fabric.peerNode(fabric.port(sw, port))
              : Fabric.NONE;
      if (next == Fabric.NONE || !fabric.isSwitch(next)) {
        break; // the base does not get there
      }
      shared += over.usable(sw, port) ? 0 : 1;
      sw = next;
    }
  }

  private int otherPort(Ways ways, int sw, int lid, int rank) {
    int port = base.port(sw, lid);
    if (ways.isWay(sw, port) || !ways.leads(sw)) {
      return port;
    }
    int n = ways.leadsDown(sw) ? ways.downPorts(sw, ports) : ways.upPorts(sw, true, ports);
    if (n == 0) {
      n = ways.upPorts(sw, false, ports);
    }
    edits.set(sw, lid, ports[rank % n]);
    return ports[rank % n];
  }
}
