package org.heddle.smp.discover;

import java.util.BitSet;
import java.util.Optional;
import org.heddle.fabric.Fabric;
import org.heddle.mad.AttributeId;
import org.heddle.mad.PortInfo;
import org.heddle.mad.SwitchInfo;
import org.heddle.smp.client.SmpClient;
import org.heddle.smp.client.SmpOutcome;

/**
 * Notices that a fabric has changed since it was discovered, while something else is waited for.
 *
 * <p>Each look asks every switch for its SwitchInfo, all ports of those that say that a port has
 * changed, and of the others as many ports as there is room for, going on from there the next time:
 * a subnet manager resets what switches say, perhaps before this looks. So up to 4,000 ports of
 * switches (a fabric of 1,000 hosts) a look sees everything; in a larger one it takes several until
 * a link is noticed that the subnet manager was told of first. Ends at the first thing that
 * differs. Not thread-safe.
 */
public final class FabricWatch {
  /** PortInfo of a look, about. */
  static final int PORTS = 4_096;

  private DiscoveredFabric seen;
  private int next;

  /** A watch that begins with the first port. */
  public FabricWatch(DiscoveredFabric discovered) {
    this.seen = discovered;
  }

  /** What is watched, with what switches have said of themselves since. */
  public DiscoveredFabric seen() {
    return seen;
  }

  /** Looks; what differs first, by switch and port, as a sentence. */
  public Optional<String> look(SmpClient client) {
    Fabric fabric = seen.fabric();
    byte[][] infos = new byte[fabric.switchCount()][];
    BitSet changed = new BitSet();
    SwitchInfo info = new SwitchInfo();
    SwitchInfos.ask(
        client,
        seen,
        (outcome, sw) -> {
          if (outcome instanceof SmpOutcome.Answer answer) {
            infos[sw] = info.wrap(answer.smp()).copy();
            changed.set(sw, info.portStateChange());
          }
        });
    for (int sw = 0; sw < infos.length; sw++) {
      if (infos[sw] == null) {
        return Optional.of(fabric.node(sw).display() + " does not answer");
      }
    }
    seen = seen.withSwitchInfos(infos);
    return ports(client, changed);
  }

  private Optional<String> ports(SmpClient client, BitSet changed) {
    Fabric fabric = seen.fabric();
    BitSet differ = new BitSet();
    int end = switchPorts(fabric);
    for (int sw = changed.nextSetBit(0); sw >= 0; sw = changed.nextSetBit(sw + 1)) {
      for (int number = 1; number <= fabric.portCount(sw); number++) {
        ask(client, fabric.port(sw, number), differ);
      }
    }
    for (int i = 0; i < Math.min(PORTS, end); i++) {
      int port = next;
      next = (next + 1) % end;
      if (fabric.numberOf(port) > 0 && !changed.get(fabric.nodeOf(port))) {
        ask(client, port, differ);
      }
    }
    client.drain();
    int port = differ.nextSetBit(0);
    if (port < 0) {
      return Optional.empty();
    }
    return Optional.of(
        "the link at port "
            + fabric.numberOf(port)
            + " of "
            + fabric.node(fabric.nodeOf(port)).display()
            + (seen.linkUp(port) ? " is down" : " is up"));
  }

  /** Ids of ports of switches are below: switches come first. */
  private static int switchPorts(Fabric fabric) {
    int last = fabric.switchCount() - 1;
    return last < 0 ? 0 : fabric.port(last, fabric.portCount(last)) + 1;
  }

  private void ask(SmpClient client, int port, BitSet differ) {
    Fabric fabric = seen.fabric();
    PortInfo info = new PortInfo();
    client.get(
        seen.route(fabric.nodeOf(port)),
        AttributeId.PORT_INFO,
        fabric.numberOf(port),
        outcome -> {
          if (outcome instanceof SmpOutcome.Answer answer) {
            boolean up = info.wrap(answer.smp()).physicalState() == PortInfo.PHYSICAL_LINK_UP;
            differ.set(port, up != seen.linkUp(port));
          }
        });
  }
}
