package org.heddle.smp.discover;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.heddle.mad.AttributeId;
import org.heddle.mad.MadMethod;
import org.heddle.mad.PKeyBlock;
import org.heddle.mad.SlToVlMap;
import org.heddle.mad.Smp;
import org.heddle.mad.VlArbitrationBlock;
import org.heddle.smp.client.SmpClient;
import org.heddle.smp.client.SmpOutcome;
import org.heddle.smp.client.SmpRoute;

/**
 * Reads the small tables of a port: partition keys, service level to lane, lane arbitration. Each
 * method waits for its answers; empty results mean that the port did not answer or has no such
 * table.
 */
public final class PortTables {
  /**
   * A pair of an arbitration table.
   *
   * @param weight in units of 64 bytes; 0 means skipped
   */
  public record LaneWeight(int lane, int weight) {}

  private PortTables() {}

  /**
   * Partition keys in the order of their slots; empty slots are 0.
   *
   * @param port port of a switch, 0 for port 0 and on other nodes
   * @param entries slots: NodeInfo.PartitionCap, at external ports of a switch
   *     SwitchInfo.PartitionEnforcementCap
   */
  public static Optional<int[]> pKeys(SmpClient client, SmpRoute route, int port, int entries) {
    int[] keys = new int[entries];
    boolean[] failed = new boolean[1];
    PKeyBlock block = new PKeyBlock();
    for (int at = 0; at < entries; at += PKeyBlock.ENTRIES) {
      int from = at;
      client.get(
          route,
          AttributeId.P_KEY_TABLE,
          PKeyBlock.modifier(port, from / PKeyBlock.ENTRIES),
          outcome -> {
            if (!(outcome instanceof SmpOutcome.Answer(Smp smp))) {
              failed[0] = true;
              return;
            }
            block.wrap(smp);
            for (int i = 0; i < PKeyBlock.ENTRIES && from + i < entries; i++) {
              keys[from + i] = block.key(i);
            }
          });
    }
    client.drain();
    return failed[0] ? Optional.empty() : Optional.of(keys);
  }

  /**
   * The lane of each of the 16 service levels.
   *
   * @param inputPort input port of a switch, 0 on other nodes
   * @param outputPort output port of a switch, 0 on other nodes
   */
  public static Optional<int[]> lanes(
      SmpClient client, SmpRoute route, int inputPort, int outputPort) {
    SmpOutcome outcome =
        client.call(
            route,
            MadMethod.GET,
            AttributeId.SL_TO_VL_MAPPING_TABLE,
            SlToVlMap.modifier(inputPort, outputPort),
            null);
    if (!(outcome instanceof SmpOutcome.Answer(Smp smp))) {
      return Optional.empty();
    }
    SlToVlMap map = new SlToVlMap().wrap(smp);
    int[] lanes = new int[SlToVlMap.LEVELS];
    for (int level = 0; level < lanes.length; level++) {
      lanes[level] = map.lane(level);
    }
    return Optional.of(lanes);
  }

  /**
   * An arbitration table.
   *
   * @param high the high-priority one
   * @param port output port of a switch, 0 on other nodes
   * @param entries PortInfo.VLArbitrationHighCap or LowCap
   */
  public static Optional<List<LaneWeight>> arbitration(
      SmpClient client, SmpRoute route, boolean high, int port, int entries) {
    List<LaneWeight> pairs = new ArrayList<>();
    VlArbitrationBlock block = new VlArbitrationBlock();
    for (int half = 0; half * VlArbitrationBlock.ENTRIES < entries; half++) {
      SmpOutcome outcome =
          client.call(
              route,
              MadMethod.GET,
              AttributeId.VL_ARBITRATION_TABLE,
              VlArbitrationBlock.modifier(high, half, port),
              null);
      if (!(outcome instanceof SmpOutcome.Answer(Smp smp))) {
        return Optional.empty();
      }
      block.wrap(smp);
      int count = Math.min(VlArbitrationBlock.ENTRIES, entries - pairs.size());
      for (int i = 0; i < count; i++) {
        pairs.add(new LaneWeight(block.lane(i), block.weight(i)));
      }
    }
    return Optional.of(pairs);
  }
}
