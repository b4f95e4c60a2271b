package org.heddle.topology.generate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.NodeType;

/**
 * Removes parts of a fabric at random but reproducibly: same fabric, same spec, same result.
 *
 * <p>Switches go first, then hosts, then cables. Each kind draws from its own generator derived
 * from the seed, so that asking for more hosts does not change which switches go. O(nodes + ports),
 * and with {@code keepConnected} one search over the switches for each removal.
 */
public final class FabricDamage {
  private final Fabric fabric;
  private final DamageSpec spec;
  private final boolean[] dropNode;
  private final boolean[] dropPort;
  private final List<Removed> removed = new ArrayList<>();

  /** What a removed thing was. */
  public enum Kind {
    SWITCH,
    HOST,
    LINK
  }

  /**
   * One thing removed.
   *
   * @param guid node GUID of the node, or of one end of the cable
   * @param port port number of that end; 0 for nodes
   * @param peerGuid node GUID of the other end; 0 for nodes
   * @param peerPort port number of the other end; 0 for nodes
   * @param text for people: names and ports
   */
  public record Removed(Kind kind, long guid, int port, long peerGuid, int peerPort, String text) {}

  /**
   * Outcome.
   *
   * @param removed in order of removal; fewer than asked for if {@code keepConnected} forbids more
   */
  public record Damaged(Fabric fabric, List<Removed> removed) {
    public Damaged {
      removed = List.copyOf(removed);
    }
  }

  private FabricDamage(Fabric fabric, DamageSpec spec) {
    this.fabric = fabric;
    this.spec = spec;
    this.dropNode = new boolean[fabric.nodeCount()];
    this.dropPort = new boolean[fabric.portIdLimit()];
  }

  /** Damages a fabric; port counts, addresses and names of what is left stay as they are. */
  public static Damaged apply(Fabric fabric, DamageSpec spec) {
    FabricDamage damage = new FabricDamage(fabric, spec);
    SplittableRandom seeds = new SplittableRandom(spec.seed());
    damage.removeSwitches(seeds.split());
    damage.removeHosts(seeds.split());
    damage.removeLinks(seeds.split());
    Fabric left =
        new FabricCopy(fabric, damage.dropNode, damage.dropPort, new int[fabric.nodeCount()])
            .build();
    return new Damaged(left, damage.removed);
  }

  private void removeSwitches(SplittableRandom random) {
    int[] candidates = new int[fabric.switchCount()];
    Arrays.setAll(candidates, i -> i);
    int wanted = spec.switches().outOf(candidates.length);
    for (int i = 0; i < candidates.length && wanted > 0; i++) {
      int sw = draw(candidates, i, random);
      if (spec.keepConnected() && isNeeded(sw)) {
        continue;
      }
      removeNode(sw, Kind.SWITCH);
      wanted--;
    }
  }

  private void removeHosts(SplittableRandom random) {
    int[] candidates = new int[fabric.caCount()];
    int n = 0;
    for (int node = fabric.switchCount(); node < fabric.nodeCount(); node++) {
      if (fabric.nodeType(node) == NodeType.CA) {
        candidates[n++] = node;
      }
    }
    int wanted = spec.hosts().outOf(n);
    for (int i = 0; i < wanted; i++) {
      removeNode(draw(candidates, i, random), Kind.HOST);
    }
  }

  private void removeNode(int node, Kind kind) {
    dropNode[node] = true;
    removed.add(new Removed(kind, fabric.nodeGuid(node), 0, 0, 0, fabric.node(node).display()));
  }

  private void removeLinks(SplittableRandom random) {
    int[] candidates = new int[fabric.portIdLimit()];
    int n = 0;
    for (int port = 0; port < candidates.length; port++) {
      if (fabric.peer(port) > port && isLive(port) && (spec.hostLinks() || joinsSwitches(port))) {
        candidates[n++] = port;
      }
    }
    int[] cables = Arrays.copyOf(candidates, n);
    int wanted = spec.links().outOf(n);
    for (int i = 0; i < n && wanted > 0; i++) {
      int port = draw(cables, i, random);
      dropPort[port] = true;
      if (spec.keepConnected() && isCut(port)) {
        dropPort[port] = false;
        continue;
      }
      int peer = fabric.peer(port);
      int a = fabric.nodeOf(port);
      int b = fabric.nodeOf(peer);
      removed.add(
          new Removed(
              Kind.LINK,
              fabric.nodeGuid(a),
              fabric.numberOf(port),
              fabric.nodeGuid(b),
              fabric.numberOf(peer),
              Names.port(fabric, port) + " - " + Names.port(fabric, peer)));
      wanted--;
    }
  }

  // One step of a Fisher-Yates shuffle: position i gets one of the candidates not drawn yet.
  private static int draw(int[] candidates, int i, SplittableRandom random) {
    int j = i + random.nextInt(candidates.length - i);
    int drawn = candidates[j];
    candidates[j] = candidates[i];
    candidates[i] = drawn;
    return drawn;
  }

  private boolean joinsSwitches(int port) {
    return fabric.isSwitch(fabric.nodeOf(port)) && fabric.isSwitch(fabric.peerNode(port));
  }

  /** True if the port has a cable that is left. */
  private boolean isLive(int port) {
    int peer = fabric.peer(port);
    return peer != Fabric.NONE
        && !dropPort[port]
        && !dropPort[peer]
        && !dropNode[fabric.nodeOf(port)]
        && !dropNode[fabric.nodeOf(peer)];
  }

  /** True if some host has its last cable here, or the switches around would lose each other. */
  private boolean isNeeded(int sw) {
    dropNode[sw] = true;
    boolean[] reached = new boolean[fabric.switchCount()];
    boolean flooded = false;
    boolean needed = false;
    for (int k = 1; k <= fabric.portCount(sw) && !needed; k++) {
      int other = fabric.peerNode(fabric.port(sw, k));
      if (other == Fabric.NONE || dropNode[other]) {
        continue;
      }
      if (!fabric.isSwitch(other)) {
        needed = !hasCable(other);
      } else if (flooded) {
        needed = !reached[other];
      } else {
        flood(other, reached);
        flooded = true;
      }
    }
    dropNode[sw] = false;
    return needed;
  }

  private boolean isCut(int port) {
    int a = fabric.nodeOf(port);
    int b = fabric.peerNode(port);
    if (!fabric.isSwitch(a) || !fabric.isSwitch(b)) {
      return !hasCable(fabric.isSwitch(a) ? b : a);
    }
    boolean[] reached = new boolean[fabric.switchCount()];
    flood(a, reached);
    return !reached[b];
  }

  private boolean hasCable(int node) {
    for (int k = 1; k <= fabric.portCount(node); k++) {
      if (isLive(fabric.port(node, k))) {
        return true;
      }
    }
    return false;
  }

  private void flood(int from, boolean[] reached) {
    int[] queue = new int[fabric.switchCount()];
    int tail = 0;
    queue[tail++] = from;
    reached[from] = true;
    for (int head = 0; head < tail; head++) {
      int sw = queue[head];
      for (int k = 1; k <= fabric.portCount(sw); k++) {
        int port = fabric.port(sw, k);
        int next = isLive(port) ? fabric.peerNode(port) : Fabric.NONE;
        if (fabric.isSwitch(next) && !reached[next]) {
          reached[next] = true;
          queue[tail++] = next;
        }
      }
    }
  }
}
