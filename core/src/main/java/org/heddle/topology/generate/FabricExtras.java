package org.heddle.topology.generate;

import java.util.Arrays;
import java.util.BitSet;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.FabricBuilder;
import org.heddle.fabric.LinkSpeed;
import org.heddle.fabric.LinkWidth;
import org.heddle.fabric.NodeNames;

/**
 * Attaches to a fabric what real fabrics have beside compute hosts: a subnet manager node on a
 * spine, storage hosts, aggregation nodes in the switches.
 *
 * <p>Each is a channel adapter with one port, 4x HDR, without LID. It takes the first port of the
 * switch without cable, or a new port after the last. Its GUID is the smallest multiple of 0x100000
 * above all GUIDs in use, the port has that plus one, the next one that plus two. O(nodes + ports)
 * a call.
 */
public final class FabricExtras {
  /** Description of the aggregation node (SHARP) that newer switches have inside. */
  public static final String AGGREGATION_NODE = "Mellanox Technologies Aggregation Node";

  private static final long GUID_ROUND = 0x100000;
  private static final int MTU_4096 = 5;

  private FabricExtras() {}

  /** Where storage hosts go. */
  public enum Place {
    /** Switches that have hosts. */
    LEAVES,
    /** Switches farthest from any host. */
    SPINES
  }

  /**
   * A subnet manager node, {@code sm-node}, on a switch.
   *
   * @throws IllegalArgumentException if the switch has no port left and cannot get another
   */
  public static Fabric withSmNode(Fabric fabric, int sw) {
    return attach(fabric, new int[] {sw}, i -> "sm-node");
  }

  /**
   * A subnet manager node on the first of the {@link #spines}.
   *
   * @throws IllegalArgumentException if the fabric has no spine, or that has no port to give
   */
  public static Fabric withSmNode(Fabric fabric) {
    int[] spines = spines(fabric);
    if (spines.length == 0) {
      throw new IllegalArgumentException("the fabric has no spine to attach a node to");
    }
    return withSmNode(fabric, spines[0]);
  }

  /**
   * Storage hosts {@code storage-1 ..}, dealt out one by one over the leaves or the spines.
   *
   * @throws IllegalArgumentException if there is no such switch, or one has no port to give
   */
  public static Fabric withStorageHosts(Fabric fabric, int count, Place place) {
    int[] where = place == Place.LEAVES ? leaves(fabric) : spines(fabric);
    if (where.length == 0) {
      throw new IllegalArgumentException("the fabric has no switch to attach storage to");
    }
    int[] switches = new int[count];
    Arrays.setAll(switches, i -> where[i % where.length]);
    return attach(fabric, switches, i -> "storage-" + (i + 1));
  }

  /**
   * An aggregation node on every switch.
   *
   * @throws IllegalArgumentException if a switch has no port to give
   */
  public static Fabric withAggregationNodes(Fabric fabric) {
    int[] switches = new int[fabric.switchCount()];
    Arrays.setAll(switches, i -> i);
    return attach(fabric, switches, i -> AGGREGATION_NODE);
  }

  /**
   * An aggregation node on every spine, as newer fabrics have.
   *
   * @throws IllegalArgumentException if there is no spine, or one has no port to give
   */
  public static Fabric withAggregationNodesOnSpines(Fabric fabric) {
    int[] spines = spines(fabric);
    if (spines.length == 0) {
      throw new IllegalArgumentException("the fabric has no spine to attach a node to");
    }
    return attach(fabric, spines, i -> AGGREGATION_NODE);
  }

  /**
   * Management leaves: switches {@code mgmt-leaf-1 ..} with two hosts each and one cable to the
   * last spine, where alone they meet the others.
   *
   * @throws IllegalArgumentException if there is no spine, or it has no port to give
   */
  public static Fabric withManagementLeaves(Fabric fabric, int count) {
    int[] spines = spines(fabric);
    if (spines.length == 0) {
      throw new IllegalArgumentException("the fabric has no spine to attach a switch to");
    }
    int spine = spines[spines.length - 1];
    int[] extra = new int[fabric.nodeCount()];
    extra[spine] = count;
    FabricCopy copy =
        new FabricCopy(
            fabric, new boolean[fabric.nodeCount()], new boolean[fabric.portIdLimit()], extra);
    FabricBuilder builder = copy.builder();
    long guid = firstFreeGuid(fabric);
    for (int i = 0; i < count; i++) {
      int leaf = builder.addSwitch(guid++, 3, "mgmt-leaf-" + (i + 1));
      cable(builder, leaf, 3, copy.handle(spine), fabric.portCount(spine) + 1 + i);
      for (int k = 1; k <= 2; k++) {
        int host = builder.addCa(guid, 1, "mgmt-" + (2 * i + k) + " mlx5_0");
        builder.setPortGuid(host, 1, guid + 1);
        guid += 2;
        cable(builder, host, 1, leaf, k);
      }
    }
    return copy.build();
  }

  private static void cable(FabricBuilder builder, int a, int portA, int b, int portB) {
    builder.connect(a, portA, b, portB, LinkWidth.X4, LinkSpeed.HDR);
    builder.setMtuCode(a, portA, MTU_4096);
    builder.setMtuCode(b, portB, MTU_4096);
  }

  /**
   * Half the speed, 4x EDR, on so many of the cables of hosts, chosen at random.
   *
   * @param share of all of them, 0 to 1
   */
  public static Fabric withSlowHosts(Fabric fabric, double share, long seed) {
    FabricCopy copy =
        new FabricCopy(
            fabric,
            new boolean[fabric.nodeCount()],
            new boolean[fabric.portIdLimit()],
            new int[fabric.nodeCount()]);
    SplittableRandom random = new SplittableRandom(seed);
    for (int node = fabric.switchCount(); node < fabric.nodeCount(); node++) {
      for (int k = 1; k <= fabric.portCount(node); k++) {
        int peer = fabric.peer(fabric.port(node, k));
        if (peer != Fabric.NONE && random.nextDouble() < share) {
          int far = copy.handle(fabric.nodeOf(peer));
          copy.builder().setLink(copy.handle(node), k, LinkWidth.X4, LinkSpeed.EDR);
          copy.builder().setLink(far, fabric.numberOf(peer), LinkWidth.X4, LinkSpeed.EDR);
        }
      }
    }
    return copy.build();
  }

  /**
   * Half the rate, as 4x EDR or 2x HDR, on so many of the cables between switches, chosen at
   * random.
   *
   * @param share of all of them, 0 to 1
   */
  public static Fabric withSlowLinks(Fabric fabric, double share, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    BitSet slow = new BitSet();
    BitSet narrow = new BitSet();
    for (int port = 0; port < fabric.portIdLimit(); port++) {
      int peer = fabric.peer(port);
      boolean cable =
          peer > port
              && fabric.isSwitch(fabric.nodeOf(port))
              && fabric.isSwitch(fabric.nodeOf(peer));
      if (cable && random.nextDouble() < share) {
        (random.nextBoolean() ? slow : narrow).set(port);
      }
    }
    Fabric slower = withRate(fabric, slow, LinkWidth.X4, LinkSpeed.EDR);
    return withRate(slower, narrow, LinkWidth.X2, LinkSpeed.HDR);
  }

  /**
   * The fabric with some cables at another rate; everything else, ids included, stays. O(ports).
   *
   * @param ports port ids; either end will do
   */
  public static Fabric withRate(Fabric fabric, BitSet ports, LinkWidth width, LinkSpeed speed) {
    if (ports.isEmpty()) {
      return fabric;
    }
    FabricCopy copy =
        new FabricCopy(
            fabric,
            new boolean[fabric.nodeCount()],
            new boolean[fabric.portIdLimit()],
            new int[fabric.nodeCount()]);
    ports.stream()
        .filter(port -> fabric.peer(port) != Fabric.NONE)
        .flatMap(port -> IntStream.of(port, fabric.peer(port)))
        .forEach(
            end ->
                copy.builder()
                    .setLink(copy.handle(fabric.nodeOf(end)), fabric.numberOf(end), width, speed));
    return copy.build();
  }

  /** Switches with a host, by id. O(ports). */
  public static int[] leaves(Fabric fabric) {
    return select(fabric, distancesFromHosts(fabric), 0);
  }

  /** Switches farthest from any host, by id; empty if no switch is beyond the leaves. O(ports). */
  public static int[] spines(Fabric fabric) {
    int[] distance = distancesFromHosts(fabric);
    int max = 0;
    for (int d : distance) {
      max = Math.max(max, d);
    }
    return max == 0 ? new int[0] : select(fabric, distance, max);
  }

  private static int[] select(Fabric fabric, int[] distance, int wanted) {
    int[] out = new int[fabric.switchCount()];
    int n = 0;
    for (int sw = 0; sw < distance.length; sw++) {
      if (distance[sw] == wanted) {
        out[n++] = sw;
      }
    }
    return Arrays.copyOf(out, n);
  }

  private static int[] distancesFromHosts(Fabric fabric) {
    int[] distance = new int[fabric.switchCount()];
    Arrays.fill(distance, Fabric.NONE);
    int[] queue = new int[distance.length];
    int tail = 0;
    for (int sw = 0; sw < distance.length; sw++) {
      if (hasHost(fabric, sw)) {
        distance[sw] = 0;
        queue[tail++] = sw;
      }
    }
    for (int head = 0; head < tail; head++) {
      int sw = queue[head];
      for (int k = 1; k <= fabric.portCount(sw); k++) {
        int next = fabric.peerNode(fabric.port(sw, k));
        if (fabric.isSwitch(next) && distance[next] == Fabric.NONE) {
          distance[next] = distance[sw] + 1;
          queue[tail++] = next;
        }
      }
    }
    return distance;
  }

  private static boolean hasHost(Fabric fabric, int sw) {
    for (int k = 1; k <= fabric.portCount(sw); k++) {
      int node = fabric.peerNode(fabric.port(sw, k));
      if (node != Fabric.NONE && !fabric.isSwitch(node) && !isAggregationNode(fabric, node)) {
        return true;
      }
    }
    return false;
  }

  /** True if the node says that it is the aggregation node inside a switch. */
  public static boolean isAggregationNode(Fabric fabric, int node) {
    return NodeNames.isAggregationNode(fabric.description(node));
  }

  private static Fabric attach(Fabric fabric, int[] switches, IntFunction<String> name) {
    int[] port = new int[switches.length];
    int[] extra = new int[fabric.nodeCount()];
    int[] last = new int[fabric.nodeCount()];
    for (int i = 0; i < switches.length; i++) {
      int sw = switches[i];
      int k = last[sw] + 1;
      while (k <= fabric.portCount(sw) && fabric.peer(fabric.port(sw, k)) != Fabric.NONE) {
        k++;
      }
      last[sw] = k;
      port[i] = k;
      extra[sw] = Math.max(0, k - fabric.portCount(sw));
    }
    FabricCopy copy =
        new FabricCopy(
            fabric, new boolean[fabric.nodeCount()], new boolean[fabric.portIdLimit()], extra);
    FabricBuilder builder = copy.builder();
    long guid = firstFreeGuid(fabric);
    for (int i = 0; i < switches.length; i++) {
      int node = builder.addCa(guid, 1, name.apply(i));
      builder.setPortGuid(node, 1, guid + 1);
      int sw = copy.handle(switches[i]);
      builder.connect(node, 1, sw, port[i], LinkWidth.X4, LinkSpeed.HDR);
      builder.setMtuCode(node, 1, MTU_4096);
      builder.setMtuCode(sw, port[i], MTU_4096);
      guid += 2;
    }
    return copy.build();
  }

  private static long firstFreeGuid(Fabric fabric) {
    long max = 0;
    for (int node = 0; node < fabric.nodeCount(); node++) {
      max = Long.compareUnsigned(fabric.nodeGuid(node), max) > 0 ? fabric.nodeGuid(node) : max;
      for (int k = 0; k <= fabric.portCount(node); k++) {
        long guid = fabric.portGuid(fabric.port(node, k));
        max = Long.compareUnsigned(guid, max) > 0 ? guid : max;
      }
    }
    return (Long.divideUnsigned(max, GUID_ROUND) + 1) * GUID_ROUND;
  }
}
