package org.heddle.umad;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.mad.AttributeId;
import org.heddle.mad.GuidInfo;
import org.heddle.mad.MadMethod;
import org.heddle.mad.PortInfo;
import org.heddle.mad.Smp;
import org.heddle.reconfig.VmMoves;

/**
 * The GUID tables of hypervisors' adapters as they are now, and then as a plan being made leaves
 * them. A packet writes eight GUIDs; those that belong to other functions are written as they are.
 *
 * <p>Mutable, for one plan. Virtual function f has entry f + 1; entry 0 is the port's own GUID.
 */
public final class GuidTables {
  private record Place(long portGuid, int block) {}

  /** What became of reading. */
  public sealed interface Outcome {}

  /**
   * All is there and fits the moves.
   *
   * @param tables for {@link SmpPlan#moves(Fabric, List, GuidTables)}
   */
  public record Known(GuidTables tables) implements Outcome {}

  /** vGUIDs cannot be moved; nothing has been sent but questions. One reason each, at least one. */
  public record Unfit(List<String> reasons) implements Outcome {
    public Unfit {
      reasons = List.copyOf(reasons);
    }
  }

  private final Fabric fabric;
  private final Map<Place, byte[]> blocks = new HashMap<>();

  private GuidTables(Fabric fabric) {
    this.fabric = fabric;
  }

  /**
   * Reads the blocks that moves change. Two requests for each hypervisor and each of its blocks.
   *
   * @param discovered the fabric with the ids of the plan
   */
  public static Outcome read(
      SmpClient client, DiscoveredFabric discovered, List<VmMoves.Wave> waves) {
    GuidTables tables = new GuidTables(discovered.fabric());
    List<String> reasons = new ArrayList<>();
    Set<Integer> asked = new HashSet<>();
    for (VmMoves.Wave wave : waves) {
      for (VmMoves.GuidUpdate u : wave.guids()) {
        if (asked.add(u.port() << 8 | GuidInfo.entryOf(u.function()))) {
          tables.read(client, discovered, u, reasons);
        }
      }
    }
    if (reasons.isEmpty()) {
      tables.findConflicts(waves, reasons);
    }
    return reasons.isEmpty() ? new Known(tables) : new Unfit(reasons);
  }

  private void read(
      SmpClient client, DiscoveredFabric discovered, VmMoves.GuidUpdate u, List<String> reasons) {
    SmpRoute route = route(discovered, fabric.portGuid(u.port()));
    int entry = GuidInfo.entryOf(u.function());
    SmpOutcome info = client.call(route, MadMethod.GET, AttributeId.PORT_INFO, 0, null);
    if (!(info instanceof SmpOutcome.Answer(Smp answer))) {
      reasons.add(name(u.port()) + " does not say how many GUIDs it can have: " + info);
      return;
    }
    int cap = new PortInfo().wrap(answer).guidCap();
    if (entry >= cap * GuidInfo.ENTRIES) {
      reasons.add(
          name(u.port())
              + " has room for "
              + cap * GuidInfo.ENTRIES
              + " GUIDs, virtual function "
              + u.function()
              + " would need one more: "
              + (entry + 1));
      return;
    }
    int block = entry / GuidInfo.ENTRIES;
    SmpOutcome guids = client.call(route, MadMethod.GET, AttributeId.GUID_INFO, block, null);
    if (guids instanceof SmpOutcome.Answer(Smp smp)) {
      int at = smp.dataOffset();
      byte[] data = Arrays.copyOfRange(smp.buffer(), at, at + Smp.DATA_SIZE);
      blocks.put(new Place(fabric.portGuid(u.port()), block), data);
    } else {
      reasons.add("block " + block + " of the GUIDs of " + name(u.port()) + ": " + guids);
    }
  }

  /** A function must not hold a GUID that is none of its machine, where the machine leaves. */
  private void findConflicts(List<VmMoves.Wave> waves, List<String> reasons) {
    Map<Place, byte[]> now = new HashMap<>();
    blocks.forEach((place, data) -> now.put(place, data.clone()));
    for (VmMoves.Wave wave : waves) {
      for (VmMoves.GuidUpdate u : wave.guids()) {
        int entry = GuidInfo.entryOf(u.function());
        Place place = new Place(fabric.portGuid(u.port()), entry / GuidInfo.ENTRIES);
        GuidInfo info = new GuidInfo().wrap(now.get(place), 0);
        long held = info.guid(entry % GuidInfo.ENTRIES);
        if (!u.set() && held != 0 && held != u.vguid()) {
          reasons.add(
              "virtual function "
                  + u.function()
                  + " of "
                  + name(u.port())
                  + " holds "
                  + Guid.format(held)
                  + ", not "
                  + Guid.format(u.vguid())
                  + " of the machine");
        }
        info.guid(entry % GuidInfo.ENTRIES, u.set() ? u.vguid() : 0);
      }
    }
  }

  /** The packet of an update, after those asked for before. */
  PlannedSmp change(int phase, VmMoves.GuidUpdate u) {
    int entry = GuidInfo.entryOf(u.function());
    long guid = fabric.portGuid(u.port());
    int block = entry / GuidInfo.ENTRIES;
    byte[] data = blocks.get(new Place(guid, block));
    new GuidInfo().wrap(data, 0).guid(entry % GuidInfo.ENTRIES, u.set() ? u.vguid() : 0);
    return new PlannedSmp(phase, guid, AttributeId.GUID_INFO, block, data);
  }

  /**
   * Functions that do not hold what the moves leave behind, one sentence each, read anew. A machine
   * that moved twice is looked for where it came to in the end.
   */
  public static List<String> differences(
      SmpClient client, DiscoveredFabric discovered, SmpPlan plan) {
    Map<Place, PlannedSmp> last = new HashMap<>();
    for (PlannedSmp smp : plan.smps()) {
      if (smp.attributeId() == AttributeId.GUID_INFO) {
        last.put(new Place(smp.nodeGuid(), smp.modifier()), smp);
      }
    }
    List<String> out = new ArrayList<>();
    for (PlannedSmp smp : plan.smps()) {
      if (last.get(new Place(smp.nodeGuid(), smp.modifier())) != smp) {
        continue;
      }
      SmpRoute route = route(discovered, smp.nodeGuid());
      SmpOutcome outcome =
          client.call(route, MadMethod.GET, smp.attributeId(), smp.modifier(), null);
      boolean same =
          outcome instanceof SmpOutcome.Answer(Smp answer)
              && Arrays.equals(
                  answer.buffer(),
                  answer.dataOffset(),
                  answer.dataOffset() + Smp.DATA_SIZE,
                  smp.bytes(),
                  0,
                  Smp.DATA_SIZE);
      if (!same) {
        out.add(smp + " does not hold what was written");
      }
    }
    return out;
  }

  /**
   * The route into a port of an adapter, over the switch it hangs off: an adapter answers for the
   * port a packet comes in at. Null if there is no such port.
   */
  static SmpRoute route(DiscoveredFabric discovered, long portGuid) {
    Fabric fabric = discovered.fabric();
    int port = fabric.findPort(portGuid);
    if (port == Fabric.NONE || fabric.attachedSwitch(port) == Fabric.NONE) {
      return null;
    }
    int peer = fabric.peer(port);
    return discovered.route(fabric.attachedSwitch(port)).then(fabric.numberOf(peer));
  }

  private String name(int port) {
    return fabric.node(fabric.nodeOf(port)).display();
  }
}
