package org.heddle.agent;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.heddle.fabric.Fabric;
import org.heddle.mad.AttributeId;
import org.heddle.mad.NodeInfo;
import org.heddle.mad.PKeyBlock;
import org.heddle.mad.Smp;
import org.heddle.opensm.ControlPartitions;
import org.heddle.plan.model.Member;
import org.heddle.plan.model.Partition;
import org.heddle.plan.model.PartitionOptions;
import org.heddle.smp.client.SmpClient;
import org.heddle.smp.client.SmpOutcome;
import org.heddle.smp.discover.DiscoveredFabric;

/**
 * Compares the P_Key tables of all linked ports of hosts with partitions. For the default
 * partition, of which everybody is a limited member, only full membership is checked: nobody but
 * its members and the subnet manager may have it. The index of a key matters only where index 0 was
 * requested. Not thread-safe.
 */
final class PortKeys {
  private static final int FULL = 0x8000;
  private static final int KEY = 0x7fff;

  /** How many keys the tables of a node have, by its GUID; it does not change. */
  private final Map<Long, Integer> capacity = new HashMap<>();

  /** What a port should have. */
  private static final class Wanted {
    private final TreeSet<Integer> keys = new TreeSet<>();
    private final TreeSet<Integer> first = new TreeSet<>();
    private boolean manages;
  }

  private record Table(int port, int[] keys, boolean[] unread) {}

  /** Tables as they were when all was right, by port GUID: what OpenSM believes to be there. */
  private final Map<Long, int[]> right = new HashMap<>();

  /**
   * The first port, by id, that has other keys than it should; empty if there is none. Ports that
   * do not answer are passed over. Two SMPs a port for every 64 keys of its table.
   *
   * @param manager port GUID of the subnet manager; 0 if unknown: then full membership of the
   *     default partition is not looked at
   */
  Optional<String> astray(
      SmpClient client, DiscoveredFabric discovered, List<Partition> partitions, long manager) {
    Map<Long, Wanted> wanted = wanted(partitions);
    List<Table> tables = read(client, discovered);
    Optional<String> why = astray(discovered.fabric(), tables, wanted, manager);
    if (why.isEmpty()) {
      right.clear();
      for (Table table : tables) {
        if (!table.unread[0]) {
          right.put(discovered.fabric().portGuid(table.port), table.keys);
        }
      }
    }
    return why;
  }

  /**
   * Writes back what was in the tables when {@link #astray} found nothing the last time, where it
   * is not there any more; nothing where it is unknown.
   *
   * @return why not everything is written
   */
  Optional<String> restore(SmpClient client, DiscoveredFabric discovered) {
    String[] failure = new String[1];
    for (Table table : read(client, discovered)) {
      int[] before = right.get(discovered.fabric().portGuid(table.port));
      if (table.unread[0] || before == null || before.length != table.keys.length) {
        continue;
      }
      for (int from = 0; from < before.length; from += PKeyBlock.ENTRIES) {
        int end = Math.min(from + PKeyBlock.ENTRIES, before.length);
        if (!Arrays.equals(before, from, end, table.keys, from, end)) {
          write(client, discovered, table.port, before, from, failure);
        }
      }
    }
    client.drain();
    return Optional.ofNullable(failure[0]);
  }

  private static void write(
      SmpClient client,
      DiscoveredFabric discovered,
      int port,
      int[] keys,
      int from,
      String[] failure) {
    byte[] data = new byte[Smp.DATA_SIZE];
    PKeyBlock block = new PKeyBlock().wrap(data, 0);
    for (int i = 0; i < PKeyBlock.ENTRIES && from + i < keys.length; i++) {
      block.key(i, keys[from + i]);
    }
    client.set(
        discovered.routeToPort(port),
        AttributeId.P_KEY_TABLE,
        PKeyBlock.modifier(0, from / PKeyBlock.ENTRIES),
        data,
        outcome -> {
          if (!(outcome instanceof SmpOutcome.Answer)) {
            int node = discovered.fabric().nodeOf(port);
            failure[0] = "keys of " + discovered.fabric().node(node).display() + ": " + outcome;
          }
        });
  }

  private static Optional<String> astray(
      Fabric fabric, List<Table> tables, Map<Long, Wanted> wanted, long manager) {
    Wanted none = new Wanted();
    for (Table table : tables) {
      long guid = fabric.portGuid(table.port);
      Optional<String> why =
          table.unread[0]
              ? Optional.empty()
              : differs(
                  table.keys, wanted.getOrDefault(guid, none), manager == 0 || guid == manager);
      if (why.isPresent()) {
        int node = fabric.nodeOf(table.port);
        return Optional.of(
            "port "
                + fabric.numberOf(table.port)
                + " of "
                + fabric.node(node).display()
                + why.get());
      }
    }
    return Optional.empty();
  }

  private static Map<Long, Wanted> wanted(List<Partition> partitions) {
    Map<Long, Wanted> out = new HashMap<>();
    for (Partition p : partitions) {
      int pkey = p.options().pkey();
      boolean first = ControlPartitions.indexZero(p);
      for (Member m : p.members()) {
        Wanted port = out.computeIfAbsent(m.guid(), _ -> new Wanted());
        int key = pkey | (m.full() ? FULL : 0);
        if (pkey == PartitionOptions.MANAGEMENT) {
          port.manages |= m.full();
        } else {
          port.keys.add(key);
          if (first) {
            port.first.add(key);
          }
        }
      }
    }
    return out;
  }

  private static Optional<String> differs(int[] table, Wanted wanted, boolean manages) {
    TreeSet<Integer> found = new TreeSet<>();
    boolean fullDefault = false;
    for (int key : table) {
      fullDefault |= key == (PartitionOptions.MANAGEMENT | FULL);
      if ((key & KEY) != 0 && (key & KEY) != PartitionOptions.MANAGEMENT) {
        found.add(key);
      }
    }
    if (!found.equals(wanted.keys)) {
      return Optional.of(" has the keys " + text(found) + ", not " + text(wanted.keys));
    }
    if (fullDefault && !manages && !wanted.manages) {
      return Optional.of(" is a full member of the default partition");
    }
    if (!wanted.first.isEmpty() && !wanted.first.contains(table[0])) {
      return Optional.of(
          " has the key " + text(List.of(table[0])) + " at index 0, not " + text(wanted.first));
    }
    return Optional.empty();
  }

  private static String text(Iterable<Integer> keys) {
    List<String> out = new ArrayList<>();
    keys.forEach(k -> out.add("0x%04x".formatted(k)));
    return out.isEmpty() ? "none" : String.join(", ", out);
  }

  private List<Table> read(SmpClient client, DiscoveredFabric discovered) {
    Fabric fabric = discovered.fabric();
    List<Integer> ports = new ArrayList<>();
    for (int node = fabric.switchCount(); node < fabric.nodeCount(); node++) {
      for (int k = 1; k <= fabric.portCount(node); k++) {
        if (fabric.peer(fabric.port(node, k)) != Fabric.NONE) {
          ports.add(fabric.port(node, k));
        }
      }
      capacity(client, discovered, node);
    }
    client.drain();
    List<Table> out = new ArrayList<>();
    for (int port : ports) {
      int entries = capacity.getOrDefault(fabric.nodeGuid(fabric.nodeOf(port)), 0);
      Table table = new Table(port, new int[entries], new boolean[] {entries == 0});
      for (int from = 0; from < entries; from += PKeyBlock.ENTRIES) {
        block(client, discovered, table, from);
      }
      out.add(table);
    }
    client.drain();
    return out;
  }

  private void capacity(SmpClient client, DiscoveredFabric discovered, int node) {
    long guid = discovered.fabric().nodeGuid(node);
    if (!capacity.containsKey(guid)) {
      client.get(
          discovered.route(node),
          AttributeId.NODE_INFO,
          0,
          outcome -> {
            if (outcome instanceof SmpOutcome.Answer answer) {
              capacity.put(guid, new NodeInfo().wrap(answer.smp()).partitionCap());
            }
          });
    }
  }

  private static void block(SmpClient client, DiscoveredFabric discovered, Table table, int from) {
    client.get(
        discovered.routeToPort(table.port),
        AttributeId.P_KEY_TABLE,
        PKeyBlock.modifier(0, from / PKeyBlock.ENTRIES),
        outcome -> {
          if (!(outcome instanceof SmpOutcome.Answer answer)) {
            table.unread[0] = true;
            return;
          }
          PKeyBlock block = new PKeyBlock().wrap(answer.smp());
          int count = Math.min(PKeyBlock.ENTRIES, table.keys.length - from);
          for (int i = 0; i < count; i++) {
            table.keys[from + i] = block.key(i);
          }
        });
  }
}
