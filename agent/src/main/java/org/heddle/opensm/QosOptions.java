package org.heddle.opensm;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.heddle.tenancy.Tenancy;

/**
 * OpenSM's low-level QoS options: how service levels become virtual lanes and how lanes take turns.
 *
 * <p>SL2VL is the identity for the service levels in use; the others are folded onto the lanes that
 * exist, so that no packet is dropped or waits on a lane that nobody serves. All lanes are in the
 * low-priority arbitration table with the same weight, and the high-priority table is empty (weight
 * 0 is skipped): every lane with packets gets the same share of a channel, and an idle lane's share
 * goes to the others. The same values are set for channel adapters, routers, and both kinds of
 * switch ports, so that values left over in a configuration do not win.
 *
 * @param lanes data lanes in use, VL0 .. VL(lanes-1), 1..15
 */
public record QosOptions(int lanes) {
  /** 64 units of 64 bytes: one packet of the largest MTU a turn. */
  public static final int WEIGHT = 64;

  private static final int SERVICE_LEVELS = 16;

  /** Prefixes of the sets: for all, and for each kind of port. */
  private static final List<String> SETS =
      List.of("qos", "qos_ca", "qos_rtr", "qos_sw0", "qos_swe");

  public QosOptions {
    if (lanes < 1 || lanes > Tenancy.MAX_DATA_LANES) {
      throw new IllegalArgumentException(lanes + " lanes are not 1..15");
    }
  }

  /** The lane of a service level, 0..15. */
  public int lane(int sl) {
    return sl % lanes;
  }

  /** Options and their values in the order to write them. */
  public Map<String, String> options() {
    Map<String, String> out = new LinkedHashMap<>();
    out.put("qos", "TRUE");
    for (String set : SETS) {
      out.put(set + "_max_vls", String.valueOf(lanes));
      out.put(set + "_high_limit", "0");
      out.put(set + "_vlarb_high", arbitration(0));
      out.put(set + "_vlarb_low", arbitration(WEIGHT));
      out.put(set + "_sl2vl", mapping());
    }
    return out;
  }

  private String arbitration(int weight) {
    List<String> out = new ArrayList<>();
    for (int lane = 0; lane < lanes; lane++) {
      out.add(lane + ":" + weight);
    }
    return String.join(",", out);
  }

  private String mapping() {
    List<String> out = new ArrayList<>();
    for (int sl = 0; sl < SERVICE_LEVELS; sl++) {
      out.add(String.valueOf(lane(sl)));
    }
    return String.join(",", out);
  }
}
