package org.heddle.emulator;

import java.util.SplittableRandom;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Lid;
import org.heddle.mad.PortCounter;
import org.heddle.mad.PortInfo;
import org.heddle.mad.Smp;

/**
 * Carries datagrams over the links, at once; how many links they passed says how long it took.
 * Datagrams of subnet management are on lane 15, which is open from INIT on; others need a port
 * that is ACTIVE and one that is at least ARMED (section 7.2.7).
 */
final class Network {
  private static final int MOST_HOPS = 64;

  /** Local route header to invariant CRC, in units of 4 octets. */
  private static final int WORDS = 72;

  private final Fabric fabric;
  private final Ports ports;
  private final NodeTables tables;
  private final Counters counters;
  private final SplittableRandom random;
  private int lossPercent;
  private int hops;

  Network(Fabric fabric, Ports ports, NodeTables tables, Counters counters, long seed) {
    this.fabric = fabric;
    this.ports = ports;
    this.tables = tables;
    this.counters = counters;
    this.random = new SplittableRandom(seed);
  }

  void loss(int percent) {
    lossPercent = percent;
  }

  /** Begins to count hops anew. */
  void start() {
    hops = 0;
  }

  /** Links that were passed since {@link #start}. */
  int hops() {
    return hops;
  }

  /**
   * Follows a directed route from its first node on, and notes the way back.
   *
   * @param from where it begins: port 0 of a switch, a port of another node
   * @return the port it arrives at, {@link Fabric#NONE} if it does not
   */
  int forward(Smp smp, int from) {
    int count = smp.hopCount();
    if (count > Smp.MAX_HOPS || smp.hopPointer() != 0) {
      return Fabric.NONE;
    }
    int at = from;
    for (int hop = 1; hop <= count; hop++) {
      int out = output(at, smp.pathPort(hop), hop == 1);
      at = out == Fabric.NONE ? Fabric.NONE : cross(out, true);
      if (at == Fabric.NONE) {
        return Fabric.NONE;
      }
      smp.returnPort(hop, fabric.numberOf(at));
      smp.hopPointer(hop);
    }
    smp.hopPointer(count + 1);
    return at;
  }

  /** Follows the way back that {@link #forward} noted; returns where it ends. */
  int back(Smp smp, int from) {
    int count = smp.hopCount();
    if (count > Smp.MAX_HOPS) {
      return Fabric.NONE;
    }
    int at = from;
    for (int hop = count; hop >= 1; hop--) {
      int out = output(at, smp.returnPort(hop), hop == count);
      at = out == Fabric.NONE ? Fabric.NONE : cross(out, true);
      if (at == Fabric.NONE) {
        return Fabric.NONE;
      }
    }
    smp.hopPointer(0);
    return at;
  }

  /** The port of a number at the node where a datagram is; adapters do not pass any on. */
  private int output(int at, int number, boolean first) {
    int node = fabric.nodeOf(at);
    if (!fabric.isSwitch(node)) {
      return first && number == fabric.numberOf(at) ? at : Fabric.NONE;
    }
    return number == 0 || number > fabric.portCount(node) ? Fabric.NONE : fabric.port(node, number);
  }

  /**
   * Follows the forwarding tables.
   *
   * @param from port 0 of a switch, a port of another node
   * @param management true for lane 15
   * @return the port that answers to the LID, {@link Fabric#NONE} if the datagram does not get
   *     there
   */
  int byLid(int from, int lid, boolean management) {
    if (!Lid.isUnicast(lid)) {
      return lid == Packet.DIRECTED ? from : Fabric.NONE;
    }
    if (ports.hasLid(from, lid)) {
      return from;
    }
    int at = from;
    for (int hop = 0; hop < MOST_HOPS; hop++) {
      int node = fabric.nodeOf(at);
      int out = at;
      if (fabric.isSwitch(node)) {
        int number = tables.outputPort(node, lid);
        if (number == 0) {
          int port0 = fabric.port(node, 0);
          return ports.hasLid(port0, lid) ? port0 : Fabric.NONE;
        }
        if (number > fabric.portCount(node)) {
          counters.increment(at, PortCounter.RECEIVE_SWITCH_RELAY_ERRORS);
          return Fabric.NONE;
        }
        out = fabric.port(node, number);
      } else if (hop > 0) {
        return ports.hasLid(at, lid) ? at : Fabric.NONE;
      }
      at = cross(out, management);
      if (at == Fabric.NONE) {
        return Fabric.NONE;
      }
    }
    return Fabric.NONE;
  }

  /** Passes a link; returns the port at the other end, or {@link Fabric#NONE}. */
  private int cross(int out, boolean management) {
    int in = fabric.peer(out);
    if (!passes(out, management)) {
      counters.increment(out, PortCounter.TRANSMIT_DISCARDS);
      return Fabric.NONE;
    }
    hops++;
    counters.increment(out, PortCounter.TRANSMIT_PACKETS);
    counters.add(out, PortCounter.TRANSMIT_DATA, WORDS);
    if (lossPercent > 0 && random.nextInt(100) < lossPercent) {
      counters.increment(in, PortCounter.RECEIVE_ERRORS);
      return Fabric.NONE;
    }
    counters.increment(in, PortCounter.RECEIVE_PACKETS);
    counters.add(in, PortCounter.RECEIVE_DATA, WORDS);
    return in;
  }

  /** True if the states of both ends let it pass. */
  boolean passes(int out, boolean management) {
    if (fabric.peer(out) == Fabric.NONE || !ports.isUp(out)) {
      return false;
    }
    return management
        || ports.state(out) == PortInfo.STATE_ACTIVE
            && ports.state(fabric.peer(out)) >= PortInfo.STATE_ARMED;
  }
}
