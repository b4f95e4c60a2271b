package org.heddle.opensm;

import java.util.Arrays;
import java.util.TreeMap;
import java.util.TreeSet;
import org.heddle.fabric.Fabric;
import org.heddle.text.opensm.EffectivePartitions;
import org.heddle.text.opensm.PartitionsConf;

/**
 * On which lane each port of a host sends the service levels of its partitions. Maps of levels have
 * 16 entries; 15 stands for no lane.
 */
public final class LaneChanges {
  private static final int NONE = 15;
  private static final int[] MASKS = {15, 7, 3, 1, 0};

  private LaneChanges() {}

  /** The service levels of the partitions that a port is in: 0 only if QoS is off. */
  public static TreeSet<Integer> levels(
      PartitionsConf conf, EffectivePartitions partitions, int port, boolean qos) {
    TreeSet<Integer> out = new TreeSet<>();
    for (PartitionsConf.Definition d : conf.definitions()) {
      EffectivePartitions.Partition p = partitions.find(d.pkey());
      if (p != null && (p.isFull(port) || p.isLimited(port))) {
        out.add(qos ? d.flags().sl() : 0);
      }
    }
    return out;
  }

  /** The lanes of levels. */
  public static TreeMap<Integer, Integer> of(TreeSet<Integer> levels, int[] map) {
    TreeMap<Integer, Integer> out = new TreeMap<>();
    levels.forEach(level -> out.put(level, map[level]));
    return out;
  }

  /**
   * What a port has after OpenSM has written a map again: what it has now, if that is the map cut
   * to the lanes of the port, as OpenSM cuts it.
   */
  public static int[] written(int[] now, int[] map) {
    for (int mask : MASKS) {
      int[] cut = Arrays.stream(map).map(lane -> lane == NONE ? NONE : lane & mask).toArray();
      if (Arrays.equals(cut, now)) {
        return now;
      }
    }
    return map;
  }

  /** True for the ports whose lanes are compared: those of hosts with a cable. */
  public static boolean counts(Fabric fabric, int port) {
    return !fabric.isSwitch(fabric.nodeOf(port)) && fabric.peer(port) != Fabric.NONE;
  }
}
