package org.heddle.peer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.mad.AttributeId;
import org.heddle.mad.LinearForwardingBlock;
import org.heddle.mad.PKeyBlock;
import org.heddle.smp.client.SmpClient;
import org.heddle.smp.client.SmpOutcome;
import org.heddle.smp.client.SmpRoute;
import org.heddle.smp.discover.DiscoveredFabric;
import org.heddle.smp.discover.FabricDiscovery;

/**
 * What is in the switches and ports of a live fabric, by datagrams of its own: which hosts are not
 * reached, and the keys at both ends of every host's cable.
 */
final class LiveReading implements AutoCloseable {
  private static final int NO_PORT = 255;

  private final SmpClient client;

  /**
   * A fabric at one moment.
   *
   * @param silent datagrams without an answer: something went while it was read
   * @param unreached "switch to host" for every pair that is connected and not reached
   * @param keys by port GUID, the keys of the host's port and those of the port before it, with its
   *     enforcement
   */
  record Now(Fabric fabric, int silent, List<String> unreached, TreeMap<Long, String> keys) {}

  private LiveReading(SmpClient client) {
    this.client = client;
  }

  static LiveReading at(String via) {
    try {
      return new LiveReading(Smps.client(via));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Now read() {
    DiscoveredFabric found = FabricDiscovery.run(client);
    Fabric f = found.fabric();
    int[] silent = new int[1];
    byte[][] rows = rows(found, silent);
    TreeMap<Long, String> keys = keys(found, silent);
    return new Now(f, silent[0], unreached(f, rows), keys);
  }

  private byte[][] rows(DiscoveredFabric found, int[] silent) {
    Fabric f = found.fabric();
    byte[][] rows = new byte[f.switchCount()][];
    LinearForwardingBlock block = new LinearForwardingBlock();
    for (int sw = 0; sw < rows.length; sw++) {
      int blocks = LinearForwardingBlock.blockOf(Math.min(found.linearFdbTop(sw), 0xbfff)) + 1;
      byte[] row = new byte[blocks * LinearForwardingBlock.ENTRIES];
      rows[sw] = row;
      for (int b = 0; b < blocks; b++) {
        int from = b * LinearForwardingBlock.ENTRIES;
        ask(
            found.route(sw),
            AttributeId.LINEAR_FORWARDING_TABLE,
            b,
            silent,
            answer -> {
              block.wrap(answer.smp());
              for (int i = 0; i < LinearForwardingBlock.ENTRIES; i++) {
                row[from + i] = (byte) block.port(i);
              }
            });
      }
    }
    client.drain();
    return rows;
  }

  private TreeMap<Long, String> keys(DiscoveredFabric found, int[] silent) {
    Fabric f = found.fabric();
    TreeMap<Long, String> keys = new TreeMap<>();
    PKeyBlock block = new PKeyBlock();
    for (int node = f.switchCount(); node < f.nodeCount(); node++) {
      for (int number = 1; number <= f.portCount(node); number++) {
        int port = f.port(node, number);
        int edge = f.peer(port);
        if (edge == Fabric.NONE) {
          continue;
        }
        long guid = f.portGuid(port);
        int enforcement = found.enforcement(edge);
        ask(
            found.routeToPort(port),
            AttributeId.P_KEY_TABLE,
            0,
            silent,
            answer -> keys.merge(guid, "port " + in(block.wrap(answer.smp())), (a, b) -> b + a));
        ask(
            found.route(f.nodeOf(edge)),
            AttributeId.P_KEY_TABLE,
            PKeyBlock.modifier(f.numberOf(edge), 0),
            silent,
            answer ->
                keys.merge(
                    guid,
                    " switch " + enforcement + " " + in(block.wrap(answer.smp())),
                    (a, b) -> a + b));
      }
    }
    client.drain();
    return keys;
  }

  private static TreeSet<Integer> in(PKeyBlock block) {
    TreeSet<Integer> out = new TreeSet<>();
    for (int i = 0; i < PKeyBlock.ENTRIES; i++) {
      if ((block.key(i) & 0x7fff) != 0) {
        out.add(block.key(i));
      }
    }
    return out;
  }

  private interface Answered {
    void with(SmpOutcome.Answer answer);
  }

  private void ask(SmpRoute route, int attribute, int modifier, int[] silent, Answered then) {
    client.get(
        route,
        attribute,
        modifier,
        outcome -> {
          if (outcome instanceof SmpOutcome.Answer answer) {
            then.with(answer);
          } else {
            silent[0]++;
          }
        });
  }

  /** Walks from every switch, as far as cables lead there at all. */
  private static List<String> unreached(Fabric f, byte[][] rows) {
    List<String> out = new ArrayList<>();
    for (int to = 0; to < f.portIdLimit(); to++) {
      if (!f.isEndport(to) || f.isSwitch(f.nodeOf(to)) || f.peer(to) == Fabric.NONE) {
        continue;
      }
      int lid = f.lid(to);
      byte[] known = new byte[f.switchCount()]; // 1 leads there, 2 does not
      for (int sw = 0; sw < f.switchCount(); sw++) {
        int[] way = new int[f.switchCount()];
        int hops = 0;
        int at = sw;
        byte end = 0;
        while (end == 0) {
          if (known[at] != 0 || hops == way.length) {
            end = known[at] == 0 ? 2 : known[at];
            break;
          }
          way[hops++] = at;
          int number = lid < rows[at].length ? rows[at][lid] & 0xff : NO_PORT;
          int port = number == 0 || number > f.portCount(at) ? Fabric.NONE : f.port(at, number);
          int peer = port == Fabric.NONE ? Fabric.NONE : f.peer(port);
          if (peer == to) {
            end = 1;
          } else if (peer == Fabric.NONE || !f.isSwitch(f.nodeOf(peer))) {
            end = 2;
          } else {
            at = f.nodeOf(peer);
          }
        }
        for (int i = 0; i < hops; i++) {
          known[way[i]] = end;
        }
        if (end == 2) {
          out.add(f.description(sw) + " to " + Guid.format(f.portGuid(to)));
        }
      }
    }
    return out;
  }

  @Override
  public void close() {
    client.close();
  }
}
