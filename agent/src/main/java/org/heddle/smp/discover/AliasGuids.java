package org.heddle.smp.discover;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.heddle.fabric.Counted;
import org.heddle.fabric.Fabric;
import org.heddle.mad.AttributeId;
import org.heddle.mad.GuidInfo;
import org.heddle.mad.PortInfo;
import org.heddle.mad.Smp;
import org.heddle.reconfig.migration.GuidUpdate;
import org.heddle.reconfig.migration.VmMoves;
import org.heddle.smp.client.SmpClient;
import org.heddle.smp.client.SmpOutcome;
import org.heddle.smp.client.SmpRoute;

/**
 * Blocks of the GUID tables of hypervisors' ports: the alias GUIDs that make virtual functions
 * reachable by the vGUIDs of their machines. Only entries of machines that move change; the other
 * seven of a block stay as they were read. Immutable.
 */
public final class AliasGuids {
  private record Key(long portGuid, int block) {}

  private final Fabric fabric;
  private final Map<Key, byte[]> blocks;

  private AliasGuids(Fabric fabric, Map<Key, byte[]> blocks) {
    this.fabric = fabric;
    this.blocks = blocks;
  }

  /** The blocks with a port's own GUID in its place. */
  public AliasGuids withOwn(int port) {
    Key key = new Key(fabric.portGuid(port), 0);
    byte[] data = blocks.getOrDefault(key, new byte[Smp.DATA_SIZE]).clone();
    new GuidInfo().wrap(data, 0).guid(0, fabric.portGuid(port));
    Map<Key, byte[]> changed = new HashMap<>(blocks);
    changed.put(key, data);
    return new AliasGuids(fabric, changed);
  }

  /**
   * What was read.
   *
   * @param guids the blocks that could be read
   * @param obstacles why vGUIDs cannot be written, one sentence for each port; empty if they can
   */
  public record Live(AliasGuids guids, List<String> obstacles) {
    public Live {
      obstacles = List.copyOf(obstacles);
    }
  }

  /** Blocks given by hand, for ports of a fabric; all GUIDs of other blocks are 0. */
  public static AliasGuids empty(Fabric fabric) {
    return new AliasGuids(fabric, Map.of());
  }

  /**
   * Reads the blocks that moves will change, and how many GUIDs each port can have (PortInfo,
   * GUIDCap). Two Gets a port, and one for each further block. Then every block is set to what it
   * is, which changes nothing: an adapter, or a simulator, may answer to Gets only.
   */
  public static Live read(SmpClient client, DiscoveredFabric discovered, List<VmMoves.Wave> waves) {
    Fabric fabric = discovered.fabric();
    Map<Integer, TreeSet<Integer>> wanted = new HashMap<>();
    for (VmMoves.Wave wave : waves) {
      wave.guids()
          .forEach(u -> wanted.computeIfAbsent(u.port(), _ -> new TreeSet<>()).add(u.index()));
    }
    Map<Key, byte[]> blocks = new HashMap<>();
    List<String> obstacles = new ArrayList<>();
    for (int port : new TreeSet<>(wanted.keySet())) {
      List<String> mine = new ArrayList<>();
      SmpRoute route = discovered.routeToPort(port);
      int last = wanted.get(port).last();
      client.get(route, AttributeId.PORT_INFO, fabric.numberOf(port), o -> checkCap(o, last, mine));
      TreeSet<Integer> numbers = new TreeSet<>();
      wanted.get(port).forEach(index -> numbers.add(index / GuidUpdate.BLOCK_SIZE));
      for (int block : numbers) {
        Key key = new Key(fabric.portGuid(port), block);
        client.get(route, AttributeId.GUID_INFO, block, o -> keep(o, key, blocks, mine));
      }
      client.drain();
      for (int block : mine.isEmpty() ? numbers : new TreeSet<Integer>()) {
        byte[] same = blocks.get(new Key(fabric.portGuid(port), block));
        client.set(route, AttributeId.GUID_INFO, block, same, o -> checkSet(o, mine));
      }
      client.drain();
      if (!mine.isEmpty()) {
        obstacles.add(
            "port " + fabric.numberOf(port) + " of " + name(fabric, port) + " " + mine.getFirst());
      }
    }
    return new Live(new AliasGuids(fabric, blocks), obstacles);
  }

  private static void checkCap(SmpOutcome outcome, int index, List<String> obstacles) {
    if (outcome instanceof SmpOutcome.Answer(Smp smp)) {
      int cap = new PortInfo().wrap(smp).guidCap();
      if (index >= cap) {
        obstacles.add(
            "has a GUID table of "
                + Counted.of(cap, "entry", "entries")
                + ", entry "
                + index
                + " is needed");
      }
    } else {
      obstacles.add("does not say how many GUIDs it can have: " + outcome);
    }
  }

  private static void keep(
      SmpOutcome outcome, Key key, Map<Key, byte[]> blocks, List<String> obstacles) {
    if (outcome instanceof SmpOutcome.Answer(Smp smp)) {
      byte[] data = new byte[Smp.DATA_SIZE];
      System.arraycopy(smp.buffer(), smp.dataOffset(), data, 0, data.length);
      blocks.put(key, data);
    } else {
      obstacles.add("does not answer to GUIDInfo, block " + key.block() + ": " + outcome);
    }
  }

  private static void checkSet(SmpOutcome outcome, List<String> obstacles) {
    if (!(outcome instanceof SmpOutcome.Answer)) {
      obstacles.add("lets its GUIDs be read but not set: " + outcome);
    }
  }

  private static String name(Fabric fabric, int port) {
    return fabric.node(fabric.nodeOf(port)).display();
  }

  /** The GUID of the port that an update is for. */
  public long portGuid(GuidUpdate update) {
    return fabric.portGuid(update.port());
  }

  /** The 64 bytes of the block that an update is for. */
  public byte[] block(GuidUpdate update) {
    byte[] data = blocks.get(new Key(portGuid(update), update.block()));
    return data == null ? new byte[Smp.DATA_SIZE] : data.clone();
  }

  /** The blocks after an update. */
  public AliasGuids after(GuidUpdate update) {
    byte[] data = block(update);
    new GuidInfo().wrap(data, 0).guid(update.entry(), update.guid());
    Map<Key, byte[]> changed = new HashMap<>(blocks);
    changed.put(new Key(portGuid(update), update.block()), data);
    return new AliasGuids(fabric, changed);
  }

  /** True if the ports hold, of every entry that moves change, what the last of them made it. */
  public boolean holds(List<VmMoves.Wave> waves) {
    Map<String, GuidUpdate> last = new HashMap<>();
    for (VmMoves.Wave wave : waves) {
      wave.guids().forEach(u -> last.put(u.port() + "/" + u.index(), u));
    }
    return last.values().stream()
        .allMatch(u -> new GuidInfo().wrap(block(u), 0).guid(u.entry()) == u.guid());
  }
}
