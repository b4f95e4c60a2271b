package org.heddle.smp.discover;

import org.heddle.fabric.FabricBuilder;
import org.heddle.fabric.Guid;
import org.heddle.fabric.LinkSpeed;
import org.heddle.fabric.LinkWidth;
import org.heddle.fabric.NodeType;
import org.heddle.mad.NodeInfo;
import org.heddle.mad.PortInfo;
import org.heddle.smp.client.SmpRoute;

/** A node while a fabric is being discovered. */
final class DiscoveredNode {
  /** What NodeInfo said when a probe arrived. */
  record Sighting(
      NodeType type,
      int portCount,
      long guid,
      long portGuid,
      long systemGuid,
      int vendorId,
      int deviceId,
      int localPort) {

    static Sighting of(NodeInfo info) {
      NodeType type =
          switch (info.nodeType()) {
            case NodeInfo.SWITCH -> NodeType.SWITCH;
            case NodeInfo.ROUTER -> NodeType.ROUTER;
            default -> NodeType.CA;
          };
      return new Sighting(
          type,
          Math.min(info.numPorts(), FabricBuilder.MAX_PORTS),
          info.nodeGuid(),
          info.portGuid(),
          info.systemImageGuid(),
          info.vendorId(),
          info.deviceId(),
          info.localPortNum());
    }
  }

  /** Handle in the builder, which is the index in the order of discovery, too. */
  final int handle;

  final SmpRoute route;
  final NodeType type;
  final int portCount;
  final long guid;
  final long portGuid;
  final int vendorId;

  /** What is known of each port; null for nothing. */
  final PortInfo[] ports;

  /** Ports that run at FDR10, which PortInfo cannot say. */
  final boolean[] fdr10;

  String description = "";
  byte[] switchInfo;

  DiscoveredNode(int handle, SmpRoute route, Sighting seen) {
    this.handle = handle;
    this.route = route;
    this.type = seen.type();
    this.portCount = seen.portCount();
    this.guid = seen.guid();
    this.portGuid = seen.portGuid();
    this.vendorId = seen.vendorId();
    this.ports = new PortInfo[portCount + 1];
    this.fdr10 = new boolean[portCount + 1];
  }

  boolean linkUp(int port) {
    return ports[port] != null && ports[port].physicalState() == PortInfo.PHYSICAL_LINK_UP;
  }

  LinkWidth width(int port) {
    return ports[port] == null ? LinkWidth.UNKNOWN : LinkRates.width(ports[port]);
  }

  LinkSpeed speed(int port) {
    if (ports[port] == null) {
      return LinkSpeed.UNKNOWN;
    }
    if (fdr10[port]) {
      return LinkSpeed.FDR10;
    }
    PortInfo capable = type == NodeType.SWITCH && ports[0] != null ? ports[0] : ports[port];
    return LinkRates.speed(ports[port], capable.hasExtendedSpeeds());
  }

  String display() {
    return description.isEmpty()
        ? Guid.format(guid)
        : "'" + description + "' (" + Guid.format(guid) + ")";
  }
}
