package org.heddle.agent;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.heddle.control.model.Member;
import org.heddle.control.model.Partition;
import org.heddle.control.model.PartitionOptions;
import org.heddle.control.port.AgentException;
import org.heddle.control.port.FabricAgent;
import org.heddle.fabric.Fabric;
import org.heddle.routing.ForwardingTables;
import org.heddle.umad.DiscoveredFabric;
import org.heddle.umad.FabricDiscovery;
import org.heddle.umad.PortTables;
import org.heddle.umad.SmpClient;
import org.heddle.umad.SmpOptions;
import org.heddle.umad.SmpTransport;
import org.heddle.umad.TableAccess;
import org.heddle.umad.TransportSpec;

/**
 * Reads a live fabric by management datagrams: what is cabled, the tables in force, the keys of
 * ports. The connection is opened when it is needed first, and again after it broke. Thread-safe;
 * one reading at a time.
 */
public final class LiveReader implements AutoCloseable {
  private static final int KEYS = 64;
  private static final int KEY_MASK = 0x7fff;

  private final TransportSpec way;
  private SmpClient client;
  private DiscoveredFabric last;

  /** A reader that has not opened its way yet. */
  public LiveReader(TransportSpec way) {
    this.way = way;
  }

  private SmpClient client() throws IOException {
    if (client == null) {
      SmpTransport transport = way.open(false);
      client = new SmpClient(transport, SmpOptions.of(transport), System::nanoTime);
    }
    return client;
  }

  /**
   * The fabric and the tables in force. What does not answer is asked again from the start; it
   * counts as gone only if it does not answer then either.
   *
   * @throws AgentException if nothing answers, or tables cannot be read
   */
  public synchronized FabricAgent.Observation observe() {
    return reading(
        () -> {
          DiscoveredFabric found = FabricDiscovery.run(client());
          if (!found.warnings().isEmpty()) {
            found = FabricDiscovery.run(client());
          }
          if (found.fabric().switchCount() == 0) {
            throw new AgentException("no switch answers", null);
          }
          last = found;
          return new FabricAgent.Observation(found.fabric(), tables(found), found.warnings());
        });
  }

  private ForwardingTables tables(DiscoveredFabric found) throws IOException {
    TableAccess.LiveTables live = TableAccess.read(client(), found);
    if (!live.warnings().isEmpty()) {
      throw new AgentException("tables cannot be read: " + live.warnings().getFirst(), null);
    }
    return live.tables();
  }

  /** True if the switches that were there at the last observation hold these tables. */
  synchronized boolean holds(Fabric fabric, ForwardingTables tables) {
    return reading(
        () -> {
          if (last == null || last.fabric().fingerprint() != fabric.fingerprint()) {
            return false;
          }
          ForwardingTables live = tables(last);
          boolean same = true;
          for (int sw = 0; sw < fabric.switchCount() && same; sw++) {
            same = live.differingBlocks(sw, tables) == 0;
          }
          return same;
        });
  }

  /**
   * True if the members that are there have the keys of their partitions and no others, the default
   * partition's apart. Adapters with several linked ports are passed over.
   */
  synchronized boolean holds(List<Partition> partitions) {
    return reading(
        () -> {
          Fabric fabric = last.fabric();
          boolean same = true;
          for (int node = fabric.switchCount(); node < fabric.nodeCount() && same; node++) {
            int port = onlyPort(fabric, node);
            same = port == Fabric.NONE || keys(node).equals(wanted(partitions, fabric, port));
          }
          return same;
        });
  }

  private static int onlyPort(Fabric fabric, int node) {
    int found = Fabric.NONE;
    int count = 0;
    for (int k = 1; k <= fabric.portCount(node); k++) {
      int port = fabric.port(node, k);
      if (fabric.peer(port) != Fabric.NONE) {
        found = port;
        count++;
      }
    }
    return count == 1 ? found : Fabric.NONE;
  }

  private Set<Integer> keys(int node) throws IOException {
    Set<Integer> out = new HashSet<>();
    for (int key : PortTables.pKeys(client(), last.route(node), 0, KEYS).orElse(new int[0])) {
      if ((key & KEY_MASK) != 0 && (key & KEY_MASK) != PartitionOptions.MANAGEMENT) {
        out.add(key);
      }
    }
    return out;
  }

  private static Set<Integer> wanted(List<Partition> partitions, Fabric fabric, int port) {
    Set<Integer> out = new HashSet<>();
    long guid = fabric.portGuid(port);
    for (Partition p : partitions) {
      for (Member m : p.members()) {
        if (m.guid() == guid && p.options().pkey() != PartitionOptions.MANAGEMENT) {
          out.add(p.options().pkey() | (m.full() ? KEY_MASK + 1 : 0));
        }
      }
    }
    return out;
  }

  private interface Reading<T> {
    T run() throws IOException;
  }

  private <T> T reading(Reading<T> reading) {
    try {
      return reading.run();
    } catch (IOException | java.io.UncheckedIOException e) {
      close();
      throw new AgentException("no datagrams by this way: " + e.getMessage(), e);
    }
  }

  @Override
  public synchronized void close() {
    if (client != null) {
      client.close();
      client = null;
    }
  }
}
