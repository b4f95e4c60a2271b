package org.heddle.text.topology;

import java.io.IOException;
import java.io.OutputStream;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.LinkSpeed;
import org.heddle.fabric.LinkWidth;
import org.heddle.fabric.NodeType;
import org.heddle.text.TextOut;

/**
 * Writes a fabric as a netlist that ibsim 0.10 loads. It looks like ibnetdiscover output and {@link
 * IbnetdiscoverReader} reads it, but it leaves out or changes what ibsim cannot read:
 *
 * <ul>
 *   <li>NDR and XDR become HDR; unknown width or speed is left to ibsim's default (4xSDR).
 *   <li>Descriptions are ASCII without quotes, 63 characters at most; no socket labels.
 *   <li>Port GUIDs are written for other readers, but ibsim always gives port n the node's GUID
 *       plus n (see {@link #keepsPortGuids}).
 *   <li>Nodes without ports are left out.
 * </ul>
 *
 * The head names the table sizes that ibsim has to be started with. Node GUIDs, port numbers,
 * cables, vendor and device ids stay. Nodes are addressed by their ibnetdiscover id ({@code
 * H-...}), which is what {@code SIM_HOST} takes. O(ports).
 */
public final class IbsimNetlistWriter {
  /** Longest description that ibsim keeps, in bytes. */
  private static final int DESCRIPTION = 63;

  private final Fabric fabric;
  private final TextOut out;

  private IbsimNetlistWriter(Fabric fabric, OutputStream stream) {
    this.fabric = fabric;
    this.out = new TextOut(stream);
  }

  /** Writes the netlist; the stream is flushed and stays open. */
  public static void write(Fabric fabric, OutputStream stream) throws IOException {
    new IbsimNetlistWriter(fabric, stream).run();
  }

  /** True if every linked port already has the GUID that ibsim will give it. */
  public static boolean keepsPortGuids(Fabric fabric) {
    for (int port = 0; port < fabric.portIdLimit(); port++) {
      int node = fabric.nodeOf(port);
      boolean isSwitch = fabric.isSwitch(node);
      long given = fabric.nodeGuid(node) + (isSwitch ? 0 : fabric.numberOf(port));
      if (fabric.peer(port) != Fabric.NONE && fabric.portGuid(port) != given) {
        return false;
      }
    }
    return true;
  }

  private void run() throws IOException {
    out.add("# Netlist for ibsim, written by Heddle").line();
    out.add("# start with: ibsim -N ").add(fabric.nodeCount() + 1);
    out.add(" -S ").add(fabric.switchCount() + 1);
    out.add(" -P ").add(fabric.portIdLimit() + 1);
    out.add(" -L ").add(49152).line();
    // ibsim attaches to the first node of the file by default: a host, so adapters come first.
    for (int node = fabric.switchCount(); node < fabric.nodeCount(); node++) {
      node(node);
    }
    for (int node = 0; node < fabric.switchCount(); node++) {
      node(node);
    }
    out.flush();
  }

  private void node(int node) throws IOException {
    if (fabric.portCount(node) == 0) {
      return;
    }
    NodeType type = fabric.nodeType(node);
    out.line();
    out.add("vendid=0x").hex(fabric.vendorId(node)).line();
    out.add("devid=0x").hex(fabric.deviceId(node)).line();
    if (fabric.systemGuid(node) != 0) {
      out.add("sysimgguid=0x").hex(fabric.systemGuid(node)).line();
    }
    switch (type) {
      case SWITCH -> out.add("switchguid=0x");
      case CA -> out.add("caguid=0x");
      case ROUTER -> out.add("rtguid=0x");
    }
    out.hex(fabric.nodeGuid(node)).line();
    switch (type) {
      case SWITCH -> out.add("Switch\t");
      case CA -> out.add("Ca\t");
      case ROUTER -> out.add("Rt\t");
    }
    out.add(fabric.portCount(node)).add(" \"");
    out.add(NodeIds.format(type, fabric.nodeGuid(node))).add("\"\t\t# \"");
    out.add(description(node)).add('"');
    if (type == NodeType.SWITCH) {
      int port0 = fabric.port(node, 0);
      out.add(fabric.enhancedPort0(node) ? " enhanced" : " base");
      out.add(" port 0 lid ").add(fabric.lid(port0)).add(" lmc ").add(fabric.lmc(port0));
    }
    out.line();
    for (int number = 1; number <= fabric.portCount(node); number++) {
      int port = fabric.port(node, number);
      if (fabric.peer(port) != Fabric.NONE) {
        port(node, number, port);
      }
    }
  }

  private void port(int node, int number, int port) throws IOException {
    int far = fabric.peer(port);
    int farNode = fabric.nodeOf(far);
    out.add('[').add(number).add(']');
    if (!fabric.isSwitch(node)) {
      out.add('(').hex(fabric.portGuid(port)).add(") ");
    }
    out.add("\t\"");
    out.add(NodeIds.format(fabric.nodeType(farNode), fabric.nodeGuid(farNode)));
    out.add("\"[").add(fabric.numberOf(far)).add(']');
    if (!fabric.isSwitch(farNode)) {
      out.add('(').hex(fabric.portGuid(far)).add(") ");
    }
    out.add("\t\t# ");
    if (!fabric.isSwitch(node)) {
      out.add("lid ").add(fabric.lid(port)).add(" lmc ").add(fabric.lmc(port)).add(' ');
    }
    int farLid = fabric.lid(fabric.isSwitch(farNode) ? fabric.port(farNode, 0) : far);
    out.add('"').add(description(farNode)).add("\" lid ").add(farLid);
    LinkWidth width = fabric.width(port);
    LinkSpeed speed = clamped(fabric.speed(port));
    if (width != LinkWidth.UNKNOWN || speed != LinkSpeed.UNKNOWN) {
      LinkWidth known = width == LinkWidth.UNKNOWN ? LinkWidth.X4 : width;
      out.add(' ').add(LinkText.join(known, speed == LinkSpeed.UNKNOWN ? LinkSpeed.SDR : speed));
    }
    out.line();
  }

  private static LinkSpeed clamped(LinkSpeed speed) {
    return speed == LinkSpeed.NDR || speed == LinkSpeed.XDR ? LinkSpeed.HDR : speed;
  }

  private String description(int node) {
    String text = fabric.description(node);
    StringBuilder b = new StringBuilder();
    for (int i = 0; i < text.length() && b.length() < DESCRIPTION; i++) {
      char c = text.charAt(i);
      b.append(c == '"' ? '\'' : c < 0x20 || c > 0x7e ? '?' : c);
    }
    return b.toString();
  }
}
