package org.heddle.verify;

import java.util.Arrays;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.FabricBuilder;
import org.heddle.fabric.NodeType;
import org.heddle.routing.ForwardingTables;

/**
 * Small fabrics and tables by hand. GUIDs rise with creation, so switch ids are creation order.
 * Ports are written {@code "S1:3"}.
 */
public final class Lab {
  private final FabricBuilder builder = new FabricBuilder();

  /** Adds a switch with a LID (0: none). */
  public Lab sw(String name, int ports, int lid) {
    int node = builder.addSwitch(0x10 + builder.size(), ports, name);
    builder.setLid(node, 0, lid, 0);
    return this;
  }

  /** Adds a channel adapter whose port i has the i-th LID. */
  public Lab ca(String name, int... lids) {
    return node(NodeType.CA, 0, name, lids);
  }

  /** Adds a channel adapter with a LID mask control. */
  Lab caWithLmc(String name, int lmc, int... lids) {
    return node(NodeType.CA, lmc, name, lids);
  }

  /** Adds a router. */
  Lab router(String name, int... lids) {
    return node(NodeType.ROUTER, 0, name, lids);
  }

  private Lab node(NodeType type, int lmc, String name, int... lids) {
    int node = builder.addNode(type, 0x10 + builder.size(), lids.length, name);
    for (int i = 0; i < lids.length; i++) {
      builder.setLid(node, i + 1, lids[i], lmc);
    }
    return this;
  }

  /** Connects {@code "S1:3"} and {@code "H:1"}. */
  public Lab cable(String a, String b) {
    builder.connect(handle(a), number(a), handle(b), number(b));
    return this;
  }

  private int handle(String port) {
    String name = port.substring(0, port.indexOf(':'));
    Fabric fabric = builder.build();
    for (int n = 0; n < fabric.nodeCount(); n++) {
      if (fabric.description(n).equals(name)) {
        return builder.find(fabric.nodeGuid(n));
      }
    }
    throw new IllegalArgumentException("no node " + name);
  }

  private static int number(String port) {
    return Integer.parseInt(port.substring(port.indexOf(':') + 1));
  }

  public Fabric fabric() {
    return builder.build();
  }

  /** Port id of {@code "S1:3"}. */
  public static int port(Fabric fabric, String port) {
    String name = port.substring(0, port.indexOf(':'));
    for (int n = 0; n < fabric.nodeCount(); n++) {
      if (fabric.description(n).equals(name)) {
        return fabric.port(n, number(port));
      }
    }
    throw new IllegalArgumentException("no node " + name);
  }

  /** Tables, one text {@code "lid=port lid=port"} for each switch; LIDs not named have no entry. */
  public static ForwardingTables tables(Fabric fabric, String... texts) {
    byte[][] rows = new byte[fabric.switchCount()][fabric.topLid() + 1];
    for (int s = 0; s < rows.length; s++) {
      Arrays.fill(rows[s], (byte) ForwardingTables.NO_PORT);
      for (String entry : texts[s].isBlank() ? new String[0] : texts[s].split(" ")) {
        String[] parts = entry.split("=");
        rows[s][Integer.parseInt(parts[0])] = (byte) Integer.parseInt(parts[1]);
      }
    }
    return ForwardingTables.ofRows(rows, fabric.topLid());
  }
}
