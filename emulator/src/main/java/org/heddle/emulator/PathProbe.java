package org.heddle.emulator;

import java.util.ArrayList;
import java.util.List;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Lid;
import org.heddle.mad.Notice;
import org.heddle.mad.PortCounter;
import org.heddle.mad.PortInfo;
import org.heddle.mad.SlToVlMap;

/**
 * Follows one data packet from a port to a LID through everything that may drop it: states of
 * ports, forwarding tables, P_Keys at both ends and where switches enforce them, lanes. It reads
 * the tables in the nodes, whoever wrote them. O(hops).
 */
public final class PathProbe {
  private static final int MOST_HOPS = 64;

  /** Why a packet does not arrive. */
  public enum Drop {
    PORT_NOT_ACTIVE("the port is not active"),
    NO_LINK("the port has no link"),
    NOT_A_UNICAST_LID("that is no unicast LID"),
    SOURCE_P_KEY("the P_Key table of the source does not have that key"),
    NO_ROUTE("the linear forwarding table has no port for the LID"),
    NO_SUCH_PORT("the linear forwarding table names a port that is not there"),
    LOOP("the linear forwarding tables lead in a circle"),
    WRONG_PORT("the port it arrives at does not have the LID"),
    NO_LANE("the SL-to-VL table drops that level"),
    LANE_NOT_OPERATIONAL("the SL-to-VL table names a lane that the port does not use"),
    INBOUND_P_KEY(
        "the switch enforces P_Keys of what comes in, and the port's table lacks the key"),
    OUTBOUND_P_KEY(
        "the switch enforces P_Keys of what goes out, and the port's table lacks the key"),
    DESTINATION_P_KEY("the P_Key table of the destination does not admit the key");

    private final String text;

    Drop(String text) {
      this.text = text;
    }

    /** The reason in words. */
    public String text() {
      return text;
    }
  }

  /**
   * What became of a packet.
   *
   * @param path ids of the ports it passed: out, in, out, in, ...
   * @param lanes the lane on each link
   * @param drop why it was dropped; null if it arrived
   * @param port id of the port that dropped it, or at which it arrived
   */
  public record Outcome(List<Integer> path, List<Integer> lanes, Drop drop, int port) {
    /** True if the packet arrived. */
    public boolean arrived() {
      return drop == null;
    }
  }

  private final Fabric fabric;
  private final Ports ports;
  private final NodeTables tables;
  private final Network network;
  private final Counters counters;
  private final Traps traps;

  PathProbe(
      Fabric fabric,
      Ports ports,
      NodeTables tables,
      Network network,
      Counters counters,
      Traps traps) {
    this.fabric = fabric;
    this.ports = ports;
    this.tables = tables;
    this.network = network;
    this.counters = counters;
    this.traps = traps;
  }

  /** One packet under way. */
  private static final class Walk {
    final List<Integer> path = new ArrayList<>();
    final List<Integer> lanes = new ArrayList<>();

    Outcome dropped(Drop drop, int port) {
      return new Outcome(List.copyOf(path), List.copyOf(lanes), drop, port);
    }
  }

  /**
   * Looks where a packet would go, and changes nothing.
   *
   * @param from port of an adapter, or port 0 of a switch
   * @param lid unicast LID it is for
   * @param key P_Key, with the bit of full members
   * @param level service level, 0..15
   */
  public Outcome look(int from, int lid, int key, int level) {
    if (level < 0 || level >= SlToVlMap.LEVELS) {
      throw new IllegalArgumentException("service level " + level + " is not 0..15");
    }
    Walk walk = new Walk();
    if (!Lid.isUnicast(lid)) {
      return walk.dropped(Drop.NOT_A_UNICAST_LID, from);
    }
    if (!tables.holds(from, key)) {
      return walk.dropped(Drop.SOURCE_P_KEY, from);
    }
    if (ports.hasLid(from, lid)) {
      return walk.dropped(null, from);
    }
    int at = from;
    for (int hop = 0; hop < MOST_HOPS; hop++) {
      int node = fabric.nodeOf(at);
      int out = at;
      if (fabric.isSwitch(node)) {
        int number = tables.outputPort(node, lid);
        if (number == NodeTables.NO_PORT) {
          return walk.dropped(Drop.NO_ROUTE, at);
        }
        if (number > fabric.portCount(node)) {
          return walk.dropped(Drop.NO_SUCH_PORT, at);
        }
        out = fabric.port(node, number);
        if (number == 0) {
          return arrival(walk, out, lid, key);
        }
      } else if (hop > 0) {
        return arrival(walk, at, lid, key);
      }
      Outcome dropped = leave(walk, at, out, key, level);
      if (dropped != null) {
        return dropped;
      }
      at = fabric.peer(out);
      if (enforcesInbound(at) && !tables.admits(at, key)) {
        return walk.dropped(Drop.INBOUND_P_KEY, at);
      }
    }
    return walk.dropped(Drop.LOOP, at);
  }

  /** Passes the link at an output port; null if it gets through. */
  private Outcome leave(Walk walk, int in, int out, int key, int level) {
    if (fabric.peer(out) == Fabric.NONE || !ports.isUp(out)) {
      return walk.dropped(Drop.NO_LINK, out);
    }
    int lane = tables.lane(in, out, level);
    if (lane == SlToVlMap.DROP) {
      return walk.dropped(Drop.NO_LANE, in == out ? out : in);
    }
    if (lane >= lanes(ports.info(out).operationalVls())) {
      return walk.dropped(Drop.LANE_NOT_OPERATIONAL, out);
    }
    if (fabric.isSwitch(fabric.nodeOf(out))
        && ports.info(out).partitionEnforcementOutbound()
        && !tables.admits(out, key)) {
      return walk.dropped(Drop.OUTBOUND_P_KEY, out);
    }
    if (!network.passes(out, false)) {
      boolean mine = ports.state(out) != PortInfo.STATE_ACTIVE;
      return walk.dropped(Drop.PORT_NOT_ACTIVE, mine ? out : fabric.peer(out));
    }
    walk.path.add(out);
    walk.path.add(fabric.peer(out));
    walk.lanes.add(lane);
    return null;
  }

  private boolean enforcesInbound(int port) {
    return fabric.isSwitch(fabric.nodeOf(port)) && ports.info(port).partitionEnforcementInbound();
  }

  private Outcome arrival(Walk walk, int at, int lid, int key) {
    if (!ports.hasLid(at, lid)) {
      return walk.dropped(Drop.WRONG_PORT, at);
    }
    return walk.dropped(tables.admits(at, key) ? null : Drop.DESTINATION_P_KEY, at);
  }

  /** Lanes for data that a code of PortInfo means (section 14.2.5.6). */
  private static int lanes(int code) {
    return code >= 5 ? 15 : code <= 0 ? 1 : 1 << code - 1;
  }

  /**
   * Sends a packet: as {@link #look}, but ports count it and its violation, and whoever drops it
   * for its key raises trap 257 or 259.
   *
   * @param words size in units of 4 octets
   */
  public Outcome send(int from, int lid, int key, int level, int words) {
    Outcome outcome = look(from, lid, key, level);
    for (int i = 0; i < outcome.path.size(); i += 2) {
      int out = outcome.path.get(i);
      int in = outcome.path.get(i + 1);
      counters.increment(out, PortCounter.TRANSMIT_PACKETS);
      counters.add(out, PortCounter.TRANSMIT_DATA, words);
      counters.increment(in, PortCounter.RECEIVE_PACKETS);
      counters.add(in, PortCounter.RECEIVE_DATA, words);
    }
    if (!outcome.arrived()) {
      count(outcome, from, lid, key, level);
      traps.run();
    }
    return outcome;
  }

  private void count(Outcome outcome, int from, int lid, int key, int level) {
    int port = outcome.port;
    switch (outcome.drop) {
      case INBOUND_P_KEY -> {
        counters.increment(port, PortCounter.RECEIVE_CONSTRAINT_ERRORS);
        violation(port, from, lid, key, level);
      }
      case OUTBOUND_P_KEY -> {
        counters.increment(port, PortCounter.TRANSMIT_CONSTRAINT_ERRORS);
        violation(port, from, lid, key, level);
      }
      case DESTINATION_P_KEY -> violation(port, from, lid, key, level);
      case NO_ROUTE, NO_SUCH_PORT ->
          counters.increment(port, PortCounter.RECEIVE_SWITCH_RELAY_ERRORS);
      case NO_LINK, PORT_NOT_ACTIVE, NO_LANE, LANE_NOT_OPERATIONAL ->
          counters.increment(port, PortCounter.TRANSMIT_DISCARDS);
      default -> {
        // no counter of PortCounters is for that
      }
    }
  }

  private void violation(int port, int from, int lid, int key, int level) {
    PortInfo info = ports.info(port);
    info.pKeyViolations(Math.min(0xffff, info.pKeyViolations() + 1));
    int home = ports.home(port);
    int source = ports.info(ports.home(from)).lid();
    int own = ports.info(home).lid();
    boolean atSwitch = fabric.isSwitch(fabric.nodeOf(port)) && port != home;
    traps.raise(
        home,
        atSwitch ? Notice.BAD_P_KEY_AT_SWITCH : Notice.BAD_P_KEY,
        notice -> {
          notice.subjectLid(source);
          notice.secondLid(lid);
          notice.key(key);
          notice.keyLevel(level);
          if (atSwitch) {
            notice.droppedAt(own, fabric.numberOf(port));
          }
        });
  }
}
