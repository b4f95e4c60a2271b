package org.heddle.agent;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.heddle.fabric.Counted;
import org.heddle.fabric.Fabric;
import org.heddle.mad.AttributeId;
import org.heddle.mad.PortInfo;
import org.heddle.mad.SlToVlMap;
import org.heddle.mad.VlArbitrationBlock;
import org.heddle.opensm.QosOptions;
import org.heddle.plan.model.Partition;
import org.heddle.plan.model.PartitionOptions;
import org.heddle.smp.client.SmpClient;
import org.heddle.smp.client.SmpOutcome;
import org.heddle.smp.client.SmpRoute;
import org.heddle.smp.discover.DiscoveredFabric;

/**
 * Reads lanes back: whether every linked port sends the service levels in use on the lanes they
 * should have, has these lanes, and gives all of them the same share. A switch has a table for
 * every pair of ports, so each look reads only a part of the fabric, and whatever was wrong before;
 * the next look continues from there. Not thread-safe.
 */
final class LaneCheck {
  private static final QosOptions LANES = new QosOptions(PartitionOptions.LANES);
  private static final int LAST_CODE = 5;
  private static final int MOST_LANES = 15;
  private static final int TABLES_OF_A_PORT = 3;

  private final int budget;
  private TreeSet<Integer> levels = new TreeSet<>();
  private long fingerprint;
  private int next;
  private int looked;
  private int ports;
  private final TreeMap<Integer, Wrong> wrong = new TreeMap<>();

  /**
   * A port that does not do what it should.
   *
   * @param lacking true if the port cannot; false if nobody has told it
   */
  private record Wrong(String text, boolean lacking) {}

  /** What one port has said. */
  private static final class Port {
    private final int id;
    private int operational;
    private boolean silent;
    private final List<int[]> inputs = new ArrayList<>(); // input port, then a lane for each level
    private final int[] low = new int[SlToVlMap.LEVELS]; // weights by lane
    private final int[] high = new int[SlToVlMap.LEVELS];

    Port(int id) {
      this.id = id;
    }
  }

  /**
   * @param budget SMPs of a look, about
   */
  LaneCheck(int budget) {
    this.budget = budget;
  }

  /** The lane of each service level at all linked ports of hosts that answer, by port id. */
  static Map<Integer, int[]> ofHosts(SmpClient client, DiscoveredFabric discovered) {
    Map<Integer, Port> asked = new TreeMap<>();
    for (int id : PortKeys.hostPorts(discovered.fabric())) {
      Port port = new Port(id);
      asked.put(id, port);
      map(client, discovered.routeToPort(id), port, 0, 0);
    }
    client.drain();
    Map<Integer, int[]> out = new TreeMap<>();
    asked.forEach(
        (id, port) -> {
          if (!port.inputs.isEmpty()) {
            out.put(id, Arrays.copyOfRange(port.inputs.getFirst(), 1, 1 + SlToVlMap.LEVELS));
          }
        });
    return out;
  }

  /** Service levels of partitions other than management's; empty if QoS is off. */
  static TreeSet<Integer> levels(List<Partition> partitions) {
    TreeSet<Integer> out = new TreeSet<>();
    for (Partition p : partitions) {
      if (p.options().pkey() != PartitionOptions.MANAGEMENT) {
        out.add(p.options().serviceLevel());
      }
    }
    boolean off = out.isEmpty() || out.last() == 0;
    return off ? new TreeSet<>() : out;
  }

  /** Looks at a part of the fabric. */
  void look(SmpClient client, DiscoveredFabric discovered, List<Partition> partitions) {
    Fabric fabric = discovered.fabric();
    TreeSet<Integer> wanted = levels(partitions);
    if (!wanted.equals(levels) || fabric.fingerprint() != fingerprint) {
      levels = wanted;
      fingerprint = fabric.fingerprint();
      wrong.clear();
      next = 0;
      looked = 0;
      ports = linked(fabric);
    }
    if (levels.isEmpty()) {
      return;
    }
    List<Port> asked = new ArrayList<>();
    int left = budget;
    for (int id : List.copyOf(wrong.keySet())) {
      left -= left > 0 ? ask(client, discovered, id, asked) : 0;
    }
    for (int i = 0; i < fabric.portIdLimit() && left > 0; i++) {
      int id = fabric.portIdLimit() - 1 - next; // hosts first: they have the large ids
      next = (next + 1) % fabric.portIdLimit();
      if (fabric.peer(id) != Fabric.NONE && !wrong.containsKey(id)) {
        left -= ask(client, discovered, id, asked);
        looked = Math.min(looked + 1, ports);
      }
    }
    client.drain();
    for (Port port : asked) {
      Wrong now = port.silent ? null : judge(fabric, port);
      if (now != null) {
        wrong.put(port.id, now);
      } else {
        wrong.remove(port.id);
      }
    }
  }

  private static int linked(Fabric fabric) {
    int count = 0;
    for (int port = 0; port < fabric.portIdLimit(); port++) {
      count += fabric.peer(port) == Fabric.NONE ? 0 : 1;
    }
    return count;
  }

  /** True if every port has been looked at since levels or cabling changed. */
  boolean complete() {
    return levels.isEmpty() || looked >= ports;
  }

  /**
   * What is wrong, in one sentence.
   *
   * @param start the command that starts OpenSM
   */
  Optional<String> trouble(String start) {
    if (wrong.isEmpty()) {
      return Optional.empty();
    }
    Wrong first = wrong.firstEntry().getValue();
    for (Wrong w : wrong.values()) {
      if (first.lacking && !w.lacking) {
        first = w;
      }
    }
    int more = wrong.size() - 1;
    String others = more == 0 ? "" : " (and " + Counted.of(more, "other port", "other ports") + ")";
    String remedy =
        first.lacking
            ? ": tenants on such lanes share one there"
            : ": start OpenSM again with " + start + ", which gives it the lanes";
    return Optional.of("lanes are not in force: " + first.text + others + remedy);
  }

  /** Asks a port for all that matters; returns how many SMPs that took. */
  private static int ask(SmpClient client, DiscoveredFabric discovered, int id, List<Port> asked) {
    Fabric fabric = discovered.fabric();
    int node = fabric.nodeOf(id);
    boolean isSwitch = fabric.isSwitch(node);
    SmpRoute route = isSwitch ? discovered.route(node) : discovered.routeToPort(id);
    Port port = new Port(id);
    asked.add(port);
    int number = isSwitch ? fabric.numberOf(id) : 0;
    client.get(
        route,
        AttributeId.PORT_INFO,
        fabric.numberOf(id),
        outcome -> {
          port.silent |= !(outcome instanceof SmpOutcome.Answer);
          if (outcome instanceof SmpOutcome.Answer answer) {
            port.operational = new PortInfo().wrap(answer.smp()).operationalVls();
          }
        });
    weights(client, route, port, port.low, VlArbitrationBlock.modifier(false, 0, number));
    weights(client, route, port, port.high, VlArbitrationBlock.modifier(true, 0, number));
    if (!isSwitch) {
      map(client, route, port, 0, 0);
      return TABLES_OF_A_PORT + 1;
    }
    map(client, route, port, 0, number);
    int count = TABLES_OF_A_PORT + 1;
    for (int in = 1; in <= fabric.portCount(node); in++) {
      if (in != number && fabric.peer(fabric.port(node, in)) != Fabric.NONE) {
        map(client, route, port, in, number);
        count++;
      }
    }
    return count;
  }

  private static void weights(
      SmpClient client, SmpRoute route, Port port, int[] weights, int modifier) {
    client.get(
        route,
        AttributeId.VL_ARBITRATION_TABLE,
        modifier,
        outcome -> {
          port.silent |= outcome instanceof SmpOutcome.Silence;
          if (outcome instanceof SmpOutcome.Answer answer) {
            VlArbitrationBlock block = new VlArbitrationBlock().wrap(answer.smp());
            for (int i = 0; i < VlArbitrationBlock.ENTRIES; i++) {
              weights[block.lane(i)] += block.weight(i);
            }
          }
        });
  }

  private static void map(SmpClient client, SmpRoute route, Port port, int in, int out) {
    client.get(
        route,
        AttributeId.SL_TO_VL_MAPPING_TABLE,
        SlToVlMap.modifier(in, out),
        outcome -> {
          port.silent |= outcome instanceof SmpOutcome.Silence;
          if (outcome instanceof SmpOutcome.Answer answer) {
            SlToVlMap map = new SlToVlMap().wrap(answer.smp());
            int[] lanes = new int[1 + SlToVlMap.LEVELS];
            lanes[0] = in;
            for (int level = 0; level < SlToVlMap.LEVELS; level++) {
              lanes[1 + level] = map.lane(level);
            }
            port.inputs.add(lanes);
          }
        });
  }

  /** Data lanes of a code of PortInfo. */
  private static int lanes(int code) {
    return code >= LAST_CODE ? MOST_LANES : code < 1 ? 1 : 1 << (code - 1);
  }

  /** What is wrong with a port; null for nothing. */
  private Wrong judge(Fabric fabric, Port port) {
    String at =
        "port " + fabric.numberOf(port.id) + " of " + fabric.node(fabric.nodeOf(port.id)).display();
    for (int level : levels) {
      int lane = LANES.lane(level);
      if (lane >= lanes(port.operational)) {
        return new Wrong(
            at
                + " has "
                + Counted.of(lanes(port.operational), "lane", "lanes")
                + ", service level "
                + level
                + " needs lane "
                + lane,
            true);
      }
      for (int[] map : port.inputs) {
        if (map[1 + level] != lane) {
          String from = map[0] == 0 ? "" : " for what comes in by port " + map[0];
          return new Wrong(
              at
                  + " has service level "
                  + level
                  + " on lane "
                  + map[1 + level]
                  + from
                  + ", not on lane "
                  + lane,
              false);
        }
      }
      if (port.low[lane] != QosOptions.WEIGHT || port.high[lane] != 0) {
        return new Wrong(
            at
                + " gives lane "
                + lane
                + " the weight "
                + port.low[lane]
                + (port.high[lane] == 0 ? "" : ", and " + port.high[lane] + " with priority")
                + ", not "
                + QosOptions.WEIGHT
                + " as every other",
            false);
      }
    }
    return null;
  }
}
