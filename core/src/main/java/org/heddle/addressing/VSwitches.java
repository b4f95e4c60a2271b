package org.heddle.addressing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.FabricBuilder;
import org.heddle.fabric.Lid;
import org.heddle.fabric.NodeType;
import org.heddle.fabric.VirtualLids;

/**
 * Virtual switches that a fabric file shows as separate switches: they have one cable to another
 * switch, and adapters (their virtual functions) behind all other cables (Tasoulas, thesis, paper
 * V, section 5). If they were routed as they are, they would be leaf switches whose tables nobody
 * can write.
 */
public final class VSwitches {
  private VSwitches() {}

  /**
   * Switches that look like virtual ones, by id. A real leaf switch with a single up-link looks the
   * same, so the caller decides which of them {@link #fold} gets. O(ports).
   */
  public static int[] find(Fabric fabric) {
    int[] out = new int[fabric.switchCount()];
    int n = 0;
    for (int s = 0; s < out.length; s++) {
      int up = 0;
      int adapters = 0;
      boolean other = false;
      for (int k = 1; k <= fabric.portCount(s); k++) {
        int next = fabric.peerNode(fabric.port(s, k));
        if (next == Fabric.NONE) {
          continue;
        }
        up += fabric.isSwitch(next) && next != s ? 1 : 0;
        adapters += fabric.nodeType(next) == NodeType.CA ? 1 : 0;
        other |= next == s || fabric.nodeType(next) == NodeType.ROUTER;
      }
      if (up == 1 && adapters > 0 && !other) {
        out[n++] = s;
      }
    }
    return Arrays.copyOf(out, n);
  }

  /**
   * The fabric in which every given switch is one adapter at the real switch, with the virtual
   * switch's GUID, description and LID; the LIDs of the adapters behind it are virtual LIDs there,
   * of weight 1. A virtual switch without a LID takes the smallest of its functions'. O(nodes +
   * ports).
   *
   * @param vswitches ids that {@link #find} gave
   */
  public static Fabric fold(Fabric fabric, int[] vswitches) {
    boolean[] folded = new boolean[fabric.nodeCount()];
    for (int s : vswitches) {
      folded[s] = true;
      for (int k = 1; k <= fabric.portCount(s); k++) {
        int next = fabric.peerNode(fabric.port(s, k));
        folded[next == Fabric.NONE || fabric.isSwitch(next) ? s : next] = true;
      }
    }
    FabricBuilder builder = new FabricBuilder();
    int[] handle = new int[fabric.nodeCount()];
    for (int n = 0; n < handle.length; n++) {
      handle[n] = folded[n] ? Fabric.NONE : copyNode(fabric, n, builder);
    }
    Map<Long, List<Integer>> lids = new HashMap<>(); // by GUID of the virtual switch
    for (int s : vswitches) {
      handle[s] = addHypervisor(fabric, s, builder, lids);
    }
    for (int port = 0; port < fabric.portIdLimit(); port++) {
      int peer = fabric.peer(port);
      if (peer >= port) {
        connect(fabric, port, peer, handle, builder);
      }
    }
    Fabric out = builder.build(fabric.epoch()).withMachines(fabric.machineList());
    return withVirtual(out, lids);
  }

  private static int copyNode(Fabric fabric, int n, FabricBuilder builder) {
    int at =
        builder.addNode(
            fabric.nodeType(n), fabric.nodeGuid(n), fabric.portCount(n), fabric.description(n));
    builder.setIds(at, fabric.vendorId(n), fabric.deviceId(n), fabric.systemGuid(n));
    builder.setEnhancedPort0(at, fabric.enhancedPort0(n));
    for (int k = 0; k <= fabric.portCount(n); k++) {
      int port = fabric.port(n, k);
      builder.setPortGuid(at, k, fabric.portGuid(port));
      builder.setLabel(at, k, fabric.label(port));
      builder.setLink(at, k, fabric.width(port), fabric.speed(port));
      builder.setMtuCode(at, k, fabric.mtuCode(port));
      if (fabric.isSwitch(n) == (k == 0)) {
        builder.setLid(at, k, fabric.lid(port), fabric.lmc(port));
      }
    }
    return at;
  }

  private static int addHypervisor(
      Fabric fabric, int s, FabricBuilder builder, Map<Long, List<Integer>> lids) {
    List<Integer> own = new ArrayList<>();
    int up = 0;
    for (int k = 1; k <= fabric.portCount(s); k++) {
      int peer = fabric.peer(fabric.port(s, k));
      if (peer != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(peer))) {
        up = fabric.port(s, k);
      } else if (peer != Fabric.NONE && fabric.lid(peer) != Lid.NONE) {
        for (int i = 0; i < 1 << fabric.lmc(peer); i++) {
          own.add(fabric.lid(peer) + i);
        }
      }
    }
    own.sort(null);
    int base = fabric.lid(fabric.port(s, 0));
    if (base == Lid.NONE && !own.isEmpty()) {
      base = own.removeFirst();
    }
    int at = builder.addCa(fabric.nodeGuid(s), 1, fabric.description(s));
    builder.setIds(at, fabric.vendorId(s), fabric.deviceId(s), fabric.systemGuid(s));
    builder.setPortGuid(at, 1, fabric.nodeGuid(s));
    builder.setLid(at, 1, base, 0);
    builder.setLink(at, 1, fabric.width(up), fabric.speed(up));
    builder.setMtuCode(at, 1, fabric.mtuCode(up));
    lids.put(fabric.nodeGuid(s), own);
    return at;
  }

  private static void connect(
      Fabric fabric, int port, int peer, int[] handle, FabricBuilder builder) {
    int a = fabric.nodeOf(port);
    int b = fabric.nodeOf(peer);
    if (handle[a] != Fabric.NONE && handle[b] != Fabric.NONE) {
      builder.connect(
          handle[a], number(fabric, port, handle[a], builder),
          handle[b], number(fabric, peer, handle[b], builder));
    }
  }

  /** The only port of what was a virtual switch is 1. */
  private static int number(Fabric fabric, int port, int handle, FabricBuilder builder) {
    boolean folded =
        fabric.isSwitch(fabric.nodeOf(port)) && builder.nodeType(handle) == NodeType.CA;
    return folded ? 1 : fabric.numberOf(port);
  }

  private static Fabric withVirtual(Fabric fabric, Map<Long, List<Integer>> lids) {
    List<int[]> all = new ArrayList<>();
    for (int n = fabric.switchCount(); n < fabric.nodeCount(); n++) {
      for (int lid : lids.getOrDefault(fabric.nodeGuid(n), List.of())) {
        all.add(new int[] {lid, fabric.port(n, 1)});
      }
    }
    int[] lid = new int[all.size()];
    int[] port = new int[lid.length];
    int[] weight = new int[lid.length];
    Arrays.setAll(lid, i -> all.get(i)[0]);
    Arrays.setAll(port, i -> all.get(i)[1]);
    Arrays.fill(weight, 1);
    return fabric.withVirtualLids(VirtualLids.of(lid, port, weight));
  }
}
