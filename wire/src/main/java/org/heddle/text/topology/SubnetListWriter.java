package org.heddle.text.topology;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.fabric.LinkSpeed;
import org.heddle.fabric.LinkWidth;
import org.heddle.text.TextOut;

/**
 * Writes a fabric as OpenSM's {@code opensm-subnet.lst}: one line per linked port, nodes by GUID.
 *
 * <p>The format cannot carry: nodes and ports without a link, LMC, labels, the kind of port 0, MTU.
 * The node that runs the subnet manager is not marked, the revision is written as 0, and the device
 * id of the far end in the right byte order, unlike OpenSM's. O(ports + n log n).
 */
public final class SubnetListWriter {
  private final Fabric fabric;
  private final TextOut out;

  private SubnetListWriter(Fabric fabric, OutputStream stream) {
    this.fabric = fabric;
    this.out = new TextOut(stream);
  }

  /** Writes the list; the stream is flushed and stays open. */
  public static void write(Fabric fabric, OutputStream stream) throws IOException {
    new SubnetListWriter(fabric, stream).run();
  }

  private void run() throws IOException {
    Integer[] order = new Integer[fabric.nodeCount()];
    Arrays.setAll(order, i -> i);
    Arrays.sort(order, (a, b) -> Long.compareUnsigned(fabric.nodeGuid(a), fabric.nodeGuid(b)));
    for (int node : order) {
      for (int number = 1; number <= fabric.portCount(node); number++) {
        int port = fabric.port(node, number);
        if (fabric.peer(port) != Fabric.NONE) {
          end(port, 6);
          end(fabric.peer(port), 8);
          LinkWidth width = fabric.width(port);
          out.add("PHY=").add(width == LinkWidth.UNKNOWN ? "??" : width.text());
          out.add(" LOG=ACT SPD=").add(speed(fabric.speed(port))).line();
        }
      }
    }
    out.flush();
  }

  private void end(int port, int vendorDigits) {
    int node = fabric.nodeOf(port);
    out.add("{ ");
    switch (fabric.nodeType(node)) {
      case SWITCH -> out.add("SW");
      case CA -> out.add("CA");
      case ROUTER -> out.add("Rt");
    }
    out.add(" Ports:").upperHex(fabric.portCount(node), 2);
    out.add(" SystemGUID:").add(Guid.hex16(fabric.systemGuid(node)));
    out.add(" NodeGUID:").add(Guid.hex16(fabric.nodeGuid(node)));
    out.add(" PortGUID:").add(Guid.hex16(fabric.portGuid(port)));
    out.add(" VenID:").upperHex(fabric.vendorId(node), vendorDigits);
    out.add(" DevID:").upperHex(fabric.deviceId(node), 4);
    out.add(" Rev:00000000 {").add(TextOut.printable(fabric.description(node)));
    int lid = fabric.lid(fabric.isSwitch(node) ? fabric.port(node, 0) : port);
    out.add("} LID:").upperHex(lid, 4);
    out.add(" PN:").upperHex(fabric.numberOf(port), 2).add(" } ");
  }

  private static String speed(LinkSpeed speed) {
    return switch (speed) {
      case SDR -> "2.5";
      case DDR -> "5";
      case QDR -> "10";
      case FDR10 -> "FDR10";
      case FDR -> "14";
      case EDR -> "25";
      case HDR -> "50";
      case NDR -> "100";
      case XDR -> "200";
      case UNKNOWN -> "??";
    };
  }
}
