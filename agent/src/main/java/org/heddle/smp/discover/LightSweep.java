package org.heddle.smp.discover;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import org.heddle.fabric.Fabric;
import org.heddle.mad.AttributeId;
import org.heddle.mad.PortInfo;
import org.heddle.mad.SwitchInfo;
import org.heddle.smp.client.SmpClient;
import org.heddle.smp.client.SmpOutcome;

/**
 * Looks for links that have come or gone since a fabric was discovered.
 *
 * <p>One SMP per switch: SwitchInfo says whether a port's state has changed. Only the ports of
 * switches that say so, or of all switches on request, are read. The change bits stay set until
 * they are acknowledged; that is left to the subnet manager, which would otherwise miss the change.
 */
public final class LightSweep {
  /**
   * A link that is not as it was.
   *
   * @param port id in the discovered fabric, of a switch
   * @param up true if it has come, false if it is gone
   */
  public record LinkChange(int port, boolean up) {}

  /**
   * What a sweep found.
   *
   * @param changed links that changed, by port id
   * @param silent switches that do not answer on their route any more, by id
   */
  public record Report(List<LinkChange> changed, List<Integer> silent) {
    public Report {
      changed = List.copyOf(changed);
      silent = List.copyOf(silent);
    }

    /** True if the fabric is as it was. */
    public boolean isQuiet() {
      return changed.isEmpty() && silent.isEmpty();
    }
  }

  private LightSweep() {}

  /**
   * Sweeps.
   *
   * @param allPorts ask all ports of all switches, whatever the change bits say
   * @param acknowledge reset the change bits that are set: only for a subnet manager
   */
  public static Report run(
      SmpClient client, DiscoveredFabric discovered, boolean allPorts, boolean acknowledge) {
    Fabric fabric = discovered.fabric();
    BitSet suspects = new BitSet();
    BitSet silent = new BitSet();
    byte[][] acknowledgements = new byte[fabric.switchCount()][];
    SwitchInfo info = new SwitchInfo();
    SwitchInfos.ask(
        client,
        discovered,
        (outcome, sw) -> {
          if (!(outcome instanceof SmpOutcome.Answer answer)) {
            silent.set(sw);
          } else if (info.wrap(answer.smp()).portStateChange()) {
            suspects.set(sw);
            acknowledgements[sw] = info.copy();
          } else if (allPorts) {
            suspects.set(sw);
          }
        });
    List<LinkChange> changed = askPorts(client, discovered, suspects);
    if (acknowledge) {
      acknowledge(client, discovered, acknowledgements);
    }
    return new Report(changed, silent.stream().boxed().toList());
  }

  private static List<LinkChange> askPorts(
      SmpClient client, DiscoveredFabric discovered, BitSet suspects) {
    Fabric fabric = discovered.fabric();
    List<LinkChange> changed = new ArrayList<>();
    PortInfo info = new PortInfo();
    for (int sw = suspects.nextSetBit(0); sw >= 0; sw = suspects.nextSetBit(sw + 1)) {
      for (int number = 1; number <= fabric.portCount(sw); number++) {
        int port = fabric.port(sw, number);
        client.get(
            discovered.route(sw),
            AttributeId.PORT_INFO,
            number,
            outcome -> {
              if (outcome instanceof SmpOutcome.Answer answer) {
                boolean up = info.wrap(answer.smp()).physicalState() == PortInfo.PHYSICAL_LINK_UP;
                if (up != discovered.linkUp(port)) {
                  changed.add(new LinkChange(port, up));
                }
              }
            });
      }
    }
    client.drain();
    changed.sort(Comparator.comparingInt(LinkChange::port)); // answers come in any order
    return changed;
  }

  private static void acknowledge(
      SmpClient client, DiscoveredFabric discovered, byte[][] acknowledgements) {
    for (int sw = 0; sw < acknowledgements.length; sw++) {
      if (acknowledgements[sw] != null) {
        // The bit is set in what was read, and setting it resets it.
        client.set(
            discovered.route(sw), AttributeId.SWITCH_INFO, 0, acknowledgements[sw], outcome -> {});
      }
    }
    client.drain();
  }
}
