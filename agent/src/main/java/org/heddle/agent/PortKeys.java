package org.heddle.agent;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.heddle.fabric.Counted;
import org.heddle.fabric.Fabric;
import org.heddle.mad.AttributeId;
import org.heddle.mad.NodeInfo;
import org.heddle.mad.PKeyBlock;
import org.heddle.mad.PortInfo;
import org.heddle.mad.Smp;
import org.heddle.opensm.ControlPartitions;
import org.heddle.plan.model.Member;
import org.heddle.plan.model.Partition;
import org.heddle.plan.model.PartitionOptions;
import org.heddle.smp.client.SmpClient;
import org.heddle.smp.client.SmpOutcome;
import org.heddle.smp.client.SmpRoute;
import org.heddle.smp.discover.DiscoveredFabric;
import org.heddle.text.opensm.EffectivePartitions;
import org.heddle.text.opensm.PartitionsConf;

/**
 * Compares the P_Key tables of all linked ports of hosts, and of the ports of switches that hosts
 * are linked to, with partitions: OpenSM gives both ends of such a cable the same keys, and has the
 * switch discard what has another one. For the default partition, of which everybody is a limited
 * member, only full membership is checked: nobody but its members and the subnet manager may have
 * it. The index of a key matters only where index 0 was requested. Not thread-safe.
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

  /**
   * The keys of a port.
   *
   * @param host the port of a host itself, or the one that a port of a switch is linked to
   */
  record Table(int port, int host, int[] keys, boolean[] unread) {
    boolean ofSwitch() {
      return port != host;
    }
  }

  /** Tables of hosts as they were when all was right, by port GUID: what OpenSM believes in. */
  private final Map<Long, int[]> right = new HashMap<>();

  /** All tables as they were read last; none if not all was right. */
  private List<Table> lastRight = List.of();

  /** What switches enforced when all was right, by the port GUID of the host at the port. */
  private final Map<Long, Integer> enforced = new HashMap<>();

  /**
   * Ports that are not as they should be; a sentence for each kind.
   *
   * @param count of both kinds
   */
  record Astray(Optional<String> hosts, Optional<String> switches, int count) {
    static final Astray NONE = new Astray(Optional.empty(), Optional.empty(), 0);

    boolean isEmpty() {
      return count == 0;
    }

    Optional<String> first() {
      return hosts.or(() -> switches);
    }
  }

  /**
   * What decides besides the partitions which port has which key.
   *
   * @param manager port GUID of the subnet manager; 0 if unknown: then full membership of the
   *     default partition is not looked at
   * @param enforcing false if OpenSM was told to leave keys and enforcement of switches alone
   * @param allowsBoth true if a port may have both keys of a partition
   */
  record Rules(long manager, boolean enforcing, boolean allowsBoth) {
    /** With a manager, and with what the options for it say. */
    static Rules of(SubnetManager manager, GenerationDirectory directory) {
      return new Rules(manager.guid(), directory.enforcing(), directory.allowsBoth());
    }
  }

  /** What is wrong, as it is found. */
  private static final class Wrong {
    private String first = "";
    private int count;

    void add(String what) {
      first = count++ == 0 ? what : first;
    }

    Optional<String> text() {
      int more = count - 1;
      String others =
          more > 0 ? " (and " + Counted.of(more, "other port", "other ports") + ")" : "";
      return count == 0 ? Optional.empty() : Optional.of(first + others);
    }
  }

  /** What {@link #astray} has read the last time, if all was right. */
  List<Table> lastRight() {
    return lastRight;
  }

  /** Forgets what switches enforced: another subnet manager may have been told otherwise. */
  void forgetEnforcement() {
    enforced.clear();
  }

  /**
   * The ports that have other keys than they should, or do not enforce what they did. Ports that do
   * not answer are passed over. An SMP for every 64 keys of a host's table and 32 keys of that of
   * the switch before it.
   */
  Astray astray(
      SmpClient client, DiscoveredFabric discovered, List<Partition> partitions, Rules rules) {
    boolean enforcing = rules.enforcing;
    long manager = rules.manager;
    Fabric fabric = discovered.fabric();
    Map<Long, Wanted> wanted = wanted(fabric, partitions, rules);
    List<Table> tables = read(client, discovered, enforcing);
    Wrong hosts = new Wrong();
    Wrong switches = new Wrong();
    Wanted none = new Wanted();
    for (Table table : tables) {
      long guid = fabric.portGuid(table.host);
      if (!table.unread[0] && enforceable(table, wanted.getOrDefault(guid, none))) {
        differs(table, wanted.getOrDefault(guid, none), manager == 0 || guid == manager)
            .ifPresent(
                why -> (table.ofSwitch() ? switches : hosts).add(name(fabric, table.port) + why));
      }
    }
    Map<Integer, Integer> now = enforcing ? enforcement(client, discovered) : Map.of();
    now.forEach(
        (port, bits) -> {
          if (lacks(fabric, port, bits)) {
            switches.add(name(fabric, port) + " does not enforce partitions any more");
          }
        });
    lastRight = List.of();
    if (hosts.count + switches.count == 0) {
      lastRight = List.copyOf(tables);
      remember(fabric, tables, now);
      return Astray.NONE;
    }
    return new Astray(hosts.text(), switches.text(), hosts.count + switches.count);
  }

  /** The tables of all linked ports of hosts, by port id; of those that answer. */
  Map<Integer, int[]> ofHosts(SmpClient client, DiscoveredFabric discovered) {
    Map<Integer, int[]> out = new TreeMap<>();
    for (Table table : read(client, discovered, false)) {
      if (!table.unread[0]) {
        out.put(table.port, table.keys);
      }
    }
    return out;
  }

  private void remember(Fabric fabric, List<Table> tables, Map<Integer, Integer> now) {
    right.clear();
    for (Table table : tables) {
      if (!table.unread[0] && !table.ofSwitch()) {
        right.put(fabric.portGuid(table.port), table.keys);
      }
    }
    enforced.clear();
    now.forEach((port, bits) -> enforced.put(fabric.portGuid(fabric.peer(port)), bits));
  }

  static String name(Fabric fabric, int port) {
    return "port " + fabric.numberOf(port) + " of " + fabric.node(fabric.nodeOf(port)).display();
  }

  /** OpenSM gives a switch whose tables are too small for the keys of a host none of them. */
  private static boolean enforceable(Table table, Wanted wanted) {
    return !table.ofSwitch() || wanted.keys.size() < table.keys.length;
  }

  private boolean lacks(Fabric fabric, int port, int bits) {
    return (enforced.getOrDefault(fabric.portGuid(fabric.peer(port)), 0) & ~bits) != 0;
  }

  /** What ports of switches with a host enforce; those that enforce less than before say so now. */
  private Map<Integer, Integer> enforcement(SmpClient client, DiscoveredFabric discovered) {
    Fabric fabric = discovered.fabric();
    Map<Integer, Integer> out = new HashMap<>();
    for (int host : hostPorts(fabric)) {
      int port = fabric.peer(host);
      if (!fabric.isSwitch(fabric.nodeOf(port))) {
        continue;
      }
      out.put(port, discovered.enforcement(port));
      if (lacks(fabric, port, out.get(port))) {
        portInfo(client, discovered, port, info -> out.put(port, bits(info)));
      }
    }
    client.drain();
    return new TreeMap<>(out);
  }

  private static int bits(PortInfo info) {
    return (info.partitionEnforcementInbound() ? 1 : 0)
        | (info.partitionEnforcementOutbound() ? 2 : 0);
  }

  private interface Use {
    void use(PortInfo info);
  }

  private static void portInfo(SmpClient client, DiscoveredFabric discovered, int port, Use use) {
    Fabric fabric = discovered.fabric();
    client.get(
        discovered.route(fabric.nodeOf(port)),
        AttributeId.PORT_INFO,
        fabric.numberOf(port),
        outcome -> {
          if (outcome instanceof SmpOutcome.Answer answer) {
            use.use(new PortInfo().wrap(answer.smp()));
          }
        });
  }

  /**
   * Writes back what was in the tables of hosts when {@link #astray} found nothing the last time,
   * where it is not there any more; nothing where it is unknown.
   *
   * @return why not everything is written
   */
  Optional<String> restoreHosts(SmpClient client, DiscoveredFabric discovered) {
    String[] failure = new String[1];
    for (Table table : read(client, discovered, false)) {
      int[] before = right.get(discovered.fabric().portGuid(table.port));
      if (!table.unread[0] && before != null && before.length == table.keys.length) {
        write(client, discovered, table, before, failure);
      }
    }
    client.drain();
    return Optional.ofNullable(failure[0]);
  }

  /**
   * Gives ports of switches the keys of the hosts at them, as OpenSM does, and has them enforce
   * what they did. To be called when those of hosts are right.
   *
   * @return why not everything is written
   */
  Optional<String> restoreSwitches(SmpClient client, DiscoveredFabric discovered) {
    String[] failure = new String[1];
    Map<Integer, int[]> hosts = new HashMap<>();
    for (Table table : read(client, discovered, true)) {
      if (!table.ofSwitch()) {
        if (!table.unread[0]) {
          hosts.put(table.port, table.keys);
        }
      } else if (!table.unread[0] && hosts.containsKey(table.host)) {
        int[] keys = Arrays.copyOf(hosts.get(table.host), table.keys.length);
        if (Arrays.stream(hosts.get(table.host)).filter(k -> k != 0).count()
            == Arrays.stream(keys).filter(k -> k != 0).count()) {
          write(client, discovered, table, keys, failure);
        }
      }
    }
    enforce(client, discovered, failure);
    client.drain();
    return Optional.ofNullable(failure[0]);
  }

  private void enforce(SmpClient client, DiscoveredFabric discovered, String[] failure) {
    Fabric fabric = discovered.fabric();
    enforcement(client, discovered)
        .forEach(
            (port, bits) -> {
              if (lacks(fabric, port, bits)) {
                int all = bits | enforced.get(fabric.portGuid(fabric.peer(port)));
                portInfo(
                    client,
                    discovered,
                    port,
                    i -> enforce(client, discovered, port, i, all, failure));
              }
            });
  }

  /** The port's own answer with nothing changed but that, as OpenSM does it. */
  private static void enforce(
      SmpClient client,
      DiscoveredFabric discovered,
      int port,
      PortInfo now,
      int bits,
      String[] failure) {
    byte[] data = now.copy();
    PortInfo info = new PortInfo().wrap(data, 0);
    info.portState(0); // no change
    info.physicalState(0);
    info.linkDownDefaultState(0);
    info.partitionEnforcementInbound((bits & 1) != 0);
    info.partitionEnforcementOutbound((bits & 2) != 0);
    Fabric fabric = discovered.fabric();
    client.set(
        discovered.route(fabric.nodeOf(port)),
        AttributeId.PORT_INFO,
        fabric.numberOf(port),
        data,
        outcome -> {
          if (!(outcome instanceof SmpOutcome.Answer)) {
            failure[0] = "enforcement at " + name(fabric, port) + ": " + outcome;
          }
        });
  }

  /** Writes the blocks that differ. */
  private static void write(
      SmpClient client, DiscoveredFabric discovered, Table table, int[] keys, String[] failure) {
    for (int from = 0; from < keys.length; from += PKeyBlock.ENTRIES) {
      int end = Math.min(from + PKeyBlock.ENTRIES, keys.length);
      if (!Arrays.equals(keys, from, end, table.keys, from, end)) {
        write(client, discovered, table, keys, from, failure);
      }
    }
  }

  private static void write(
      SmpClient client,
      DiscoveredFabric discovered,
      Table table,
      int[] keys,
      int from,
      String[] failure) {
    byte[] data = new byte[Smp.DATA_SIZE];
    PKeyBlock block = new PKeyBlock().wrap(data, 0);
    for (int i = 0; i < PKeyBlock.ENTRIES && from + i < keys.length; i++) {
      block.key(i, keys[from + i]);
    }
    client.set(
        route(discovered, table),
        AttributeId.P_KEY_TABLE,
        modifier(discovered, table, from),
        data,
        outcome -> {
          if (!(outcome instanceof SmpOutcome.Answer)) {
            failure[0] = "keys of " + name(discovered.fabric(), table.port) + ": " + outcome;
          }
        });
  }

  static SmpRoute route(DiscoveredFabric discovered, Table table) {
    return table.ofSwitch()
        ? discovered.route(discovered.fabric().nodeOf(table.port))
        : discovered.routeToPort(table.port);
  }

  static int modifier(DiscoveredFabric discovered, Table table, int from) {
    int number = table.ofSwitch() ? discovered.fabric().numberOf(table.port) : 0;
    return PKeyBlock.modifier(number, from / PKeyBlock.ENTRIES);
  }

  /** The keys of ports by their GUIDs. */
  private static Map<Long, Wanted> wanted(Fabric fabric, List<Partition> partitions, Rules rules) {
    Map<Long, Wanted> out = new HashMap<>();
    for (Partition p : partitions) {
      int pkey = p.options().pkey();
      if (!p.options().kept().isEmpty()) {
        kept(fabric, p, rules, out);
        continue;
      }
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

  /** Those of a partition that names ports by their kind, as a site's may. */
  private static void kept(Fabric fabric, Partition p, Rules rules, Map<Long, Wanted> out) {
    int pkey = p.options().pkey();
    EffectivePartitions all =
        ControlPartitions.of(List.of(p))
            .members(fabric, new PartitionsConf.Options(rules.manager, rules.allowsBoth));
    EffectivePartitions.Partition partition = all.find(pkey);
    if (partition == null) {
      return;
    }
    boolean management = pkey == PartitionOptions.MANAGEMENT;
    for (int port : partition.fullMembers()) {
      Wanted wanted = out.computeIfAbsent(fabric.portGuid(port), _ -> new Wanted());
      wanted.manages |= management;
      if (!management) {
        wanted.keys.add(pkey | FULL);
      }
    }
    for (int port : management ? new int[0] : partition.limitedMembers()) {
      out.computeIfAbsent(fabric.portGuid(port), _ -> new Wanted()).keys.add(pkey);
    }
    for (int port = 0; port < fabric.portIdLimit(); port++) {
      if (all.indexZeroKey(port) >= 0) {
        out.computeIfAbsent(fabric.portGuid(port), _ -> new Wanted())
            .first
            .add(all.indexZeroKey(port));
      }
    }
  }

  private static Optional<String> differs(Table table, Wanted wanted, boolean manages) {
    TreeSet<Integer> found = new TreeSet<>();
    boolean fullDefault = false;
    for (int key : table.keys) {
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
    if (!table.ofSwitch() && !wanted.first.isEmpty() && !wanted.first.contains(table.keys[0])) {
      return Optional.of(
          " has the key "
              + text(List.of(table.keys[0]))
              + " at index 0, not "
              + text(wanted.first));
    }
    return Optional.empty();
  }

  private static String text(Iterable<Integer> keys) {
    List<String> out = new ArrayList<>();
    keys.forEach(k -> out.add("0x%04x".formatted(k)));
    return out.isEmpty() ? "none" : String.join(", ", out);
  }

  static List<Integer> hostPorts(Fabric fabric) {
    List<Integer> ports = new ArrayList<>();
    for (int node = fabric.switchCount(); node < fabric.nodeCount(); node++) {
      for (int k = 1; k <= fabric.portCount(node); k++) {
        if (fabric.peer(fabric.port(node, k)) != Fabric.NONE) {
          ports.add(fabric.port(node, k));
        }
      }
    }
    return ports;
  }

  /** A host's table, then that of the port of the switch before it, if wanted and if it has one. */
  private List<Table> read(SmpClient client, DiscoveredFabric discovered, boolean switches) {
    Fabric fabric = discovered.fabric();
    for (int node = fabric.switchCount(); node < fabric.nodeCount(); node++) {
      capacity(client, discovered, node);
    }
    client.drain();
    List<Table> out = new ArrayList<>();
    for (int port : hostPorts(fabric)) {
      int entries = capacity.getOrDefault(fabric.nodeGuid(fabric.nodeOf(port)), 0);
      out.add(new Table(port, port, new int[entries], new boolean[] {entries == 0}));
      int before = fabric.peer(port);
      int sw = fabric.nodeOf(before);
      if (switches && fabric.isSwitch(sw) && discovered.partitionCap(sw) > 0) {
        out.add(new Table(before, port, new int[discovered.partitionCap(sw)], new boolean[1]));
      }
    }
    for (Table table : out) {
      for (int from = 0; from < table.keys.length; from += PKeyBlock.ENTRIES) {
        block(client, discovered, table, from);
      }
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
        route(discovered, table),
        AttributeId.P_KEY_TABLE,
        modifier(discovered, table, from),
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
