package org.heddle.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.FabricBuilder;
import org.heddle.fabric.Lid;
import org.heddle.fabric.LinkSpeed;
import org.heddle.fabric.LinkWidth;
import org.heddle.fabric.NodeType;

/** Small topology files in the words of each tool, random fabrics, and what holds for all. */
final class FabricTexts {
  private FabricTexts() {}

  /** Two switches, one host each and one with two ports; tabs as the real tool prints them. */
  static final String DUMP =
      """
      #
      # Topology file: generated on Sun Feb 21 16:30:17 2021
      #
      # Initiated from node 0000000000000a01 port 0000000000000a02

      vendid=0x2c9
      devid=0xd2f0
      sysimgguid=0x5001
      switchguid=0x5001(5001)
      Switch\t41 "S-0000000000005001"\t\t# "MF0;leaf:MQM8700/U1" enhanced port 0 lid 13 lmc 0
      [1]\t"H-0000000000000a01"[1](a02) \t\t# "node1 HCA-1" lid 9 4xHDR
      [2]\t"H-0000000000000b01"[1](b02) \t\t# "node2 HCA-1" lid 10 2xHDR
      [40]\t"S-0000000000005002"[7]\t\t# "spine" lid 14 4xFDR10

      vendid=0x2c9
      devid=0xc738
      sysimgguid=0x5002
      switchguid=0x5002(5002)
      Switch\t36 "S-0000000000005002"\t\t# "spine" base port 0 lid 14 lmc 0
      [1]\t"H-0000000000000b01"[2](b03) \t\t# "node2 HCA-1" lid 12 4xFDR
      [7]\t"S-0000000000005001"[40]\t\t# "MF0;leaf:MQM8700/U1" lid 13 4xFDR10

      vendid=0x2c9
      devid=0x101b
      sysimgguid=0xa01
      caguid=0xa01
      Ca\t1 "H-0000000000000a01"\t\t# "node1 HCA-1"
      [1](a02) \t"S-0000000000005001"[1]\t\t# lid 9 lmc 0 "MF0;leaf:MQM8700/U1" lid 13 4xHDR

      vendid=0x2c9
      devid=0x1017
      sysimgguid=0xb01
      caguid=0xb01
      Ca\t2 "H-0000000000000b01"\t\t# "node2 HCA-1"
      [1](b02) \t"S-0000000000005001"[2]\t\t# lid 10 lmc 1 "MF0;leaf:MQM8700/U1" lid 13 2xHDR
      [2](b03) \t"S-0000000000005002"[1]\t\t# lid 12 lmc 0 "spine" lid 14 4xFDR
      """;

  /** A netlist as people type them for ibsim. */
  static final String NETLIST =
      """
      # two switches, two cables between them
      Switch\t8 "Switch1"
      [1]\t"Hca1"[1]
      [2]\t"Hca2"[2]
      [3]\t"Switch2"[3]\tw=8 s=4
      [4]\t"Switch2"[4]

      Switch 8 "Switch2"
      [3]\t"Switch1"[3]\tw=8 s=4
      [4]\t"Switch1"[4]

      Hca\t2 "Hca1"
      [1]\t"Switch1"[1]

      Hca\t2 "Hca2" # "the second"
      [2]\t"Switch1"[2]
      """;

  /** OpenSM's list of the same kind of fabric: one switch, two hosts. */
  static final String SUBNET_LIST =
      String.join(
          "\n",
          subnetLine("CA-SM", 1, 0x10, 0x11, "h{1}", 1, 1, "SW", 0x24, 0x20, 0x20, "sw 1", 2, 3),
          subnetLine("CA", 2, 0x15, 0x16, "h 2", 0xb, 1, "SW", 0x24, 0x20, 0x20, "sw 1", 2, 0x24),
          subnetLine("SW", 0x24, 0x20, 0x20, "sw 1", 2, 3, "CA-SM", 1, 0x10, 0x11, "h{1}", 1, 1),
          subnetLine("SW", 0x24, 0x20, 0x20, "sw 1", 2, 0x24, "CA", 2, 0x15, 0x16, "h 2", 0xb, 1),
          "");

  private static String subnetLine(Object... a) {
    return String.format(
        "{ %s Ports:%02X SystemGUID:%3$016x NodeGUID:%3$016x PortGUID:%4$016x VenID:0002C9"
            + " DevID:1003 Rev:000000A1 {%5$s} LID:%6$04X PN:%7$02X }"
            + " { %8$s Ports:%9$02X SystemGUID:%10$016x NodeGUID:%10$016x PortGUID:%11$016x"
            + " VenID:000002C9 DevID:10030000 Rev:000000A1 {%12$s} LID:%13$04X PN:%14$02X }"
            + " PHY=4x LOG=ACT SPD=25",
        a);
  }

  static Parsed<Fabric> read(String text) {
    return IbnetdiscoverReader.read(Source.of("net", text));
  }

  /** Reads what must be readable without a word of complaint. */
  static Fabric readCleanly(String text) {
    Parsed<Fabric> parsed = read(text);
    assertThat(parsed.problems()).isEmpty();
    return parsed.get();
  }

  static List<String> messages(Parsed<?> parsed) {
    return parsed.problems().stream().map(Problem::toString).toList();
  }

  static String write(FabricFormats format, Fabric fabric) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      format.write(fabric, out);
    } catch (IOException e) {
      throw new AssertionError("memory does not fail", e);
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  /** What must hold in any fabric that a reader hands out. */
  static void assertConsistent(Fabric f) {
    for (int port = 0; port < f.portIdLimit(); port++) {
      int far = f.peer(port);
      if (far != Fabric.NONE) {
        assertThat(f.peer(far)).isEqualTo(port);
        assertThat(f.numberOf(port)).isPositive();
        assertThat(f.width(far)).isEqualTo(f.width(port));
        assertThat(f.speed(far)).isEqualTo(f.speed(port));
      }
      if (f.lid(port) != Lid.NONE) {
        assertThat(f.portOfLid(f.lid(port))).isEqualTo(port);
        assertThat(f.lid(port) % (1 << f.lmc(port))).isZero();
      }
    }
    for (int node = 0; node < f.nodeCount(); node++) {
      assertThat(f.findNode(f.nodeGuid(node))).isEqualTo(node);
      assertThat(f.description(node)).isNotNull();
    }
  }

  /**
   * The fabric without what ibnetdiscover output cannot carry: MTU, and everything about ports that
   * are not linked except the management ports of switches. This list is the documented one.
   */
  static Fabric carriedByDump(Fabric f) {
    FabricBuilder b = new FabricBuilder();
    for (int node = 0; node < f.nodeCount(); node++) {
      b.addNode(f.nodeType(node), f.nodeGuid(node), f.portCount(node), f.description(node));
      b.setIds(node, f.vendorId(node), f.deviceId(node), f.systemGuid(node));
      b.setEnhancedPort0(node, f.enhancedPort0(node));
    }
    for (int port = 0; port < f.portIdLimit(); port++) {
      int node = f.nodeOf(port);
      int number = f.numberOf(port);
      int far = f.peer(port);
      if (far == Fabric.NONE && (number != 0 || !f.isSwitch(node))) {
        continue;
      }
      if (!f.isSwitch(node)) {
        b.setPortGuid(node, number, f.portGuid(port));
      }
      if (number == 0 || !f.isSwitch(node)) {
        b.setLid(node, number, f.lid(port), f.lmc(port));
      }
      if (far != Fabric.NONE) {
        b.setLabel(node, number, f.label(port));
        b.setLink(node, number, f.width(port), f.speed(port));
        if (port <= far) {
          b.connect(node, number, f.nodeOf(far), f.numberOf(far));
        }
      }
    }
    return b.build();
  }

  /** A random fabric with everything in it that the model knows. */
  static Fabric random(long seed) {
    SplittableRandom r = new SplittableRandom(seed);
    FabricBuilder b = new FabricBuilder();
    int nodes = 2 + r.nextInt(30);
    int nextLid = 8;
    for (int node = 0; node < nodes; node++) {
      NodeType type = NodeType.values()[Math.max(0, r.nextInt(5) - 2)];
      int ports = 1 + r.nextInt(type == NodeType.SWITCH ? 40 : 3);
      b.addNode(type, (r.nextLong() & ~0xffL) + node + 1, ports, description(r));
      b.setIds(node, r.nextInt(1 << 24), r.nextInt(1 << 16), r.nextBoolean() ? r.nextLong() : 0);
      b.setEnhancedPort0(node, type == NodeType.SWITCH && r.nextBoolean());
      for (int port = type == NodeType.SWITCH ? 0 : 1; port <= ports; port++) {
        if (type != NodeType.SWITCH) {
          b.setPortGuid(node, port, r.nextLong());
        }
        if (type != NodeType.SWITCH || port == 0) {
          b.setLid(node, port, r.nextInt(4) == 0 ? 0 : nextLid, r.nextInt(4));
          nextLid += 8;
        }
        if (r.nextInt(4) == 0 && port > 0) {
          b.setLabel(node, port, r.nextBoolean() ? "1/" + port + "/2" : "ext " + port);
        }
        if (port > 0) {
          b.setMtuCode(node, port, r.nextInt(6));
        }
      }
    }
    for (int i = 0; i < nodes * 4; i++) {
      int x = r.nextInt(nodes);
      int y = r.nextInt(nodes);
      int px = 1 + r.nextInt(b.portCount(x));
      int py = 1 + r.nextInt(b.portCount(y));
      if (!b.isCabled(x, px) && !b.isCabled(y, py)) {
        LinkWidth width = LinkWidth.values()[r.nextInt(LinkWidth.values().length)];
        LinkSpeed speed = LinkSpeed.values()[r.nextInt(LinkSpeed.values().length)];
        b.connect(x, px, y, py, width, speed);
      }
    }
    return b.build();
  }

  private static String description(SplittableRandom r) {
    String[] parts = {
      "node",
      "\"",
      ";",
      "#",
      " ",
      "lid 5",
      "4xHDR",
      "",
      "\u00fc\u4e2d",
      "'",
      "(x)",
      "[3]",
      "=",
      "} {",
      "\\",
      "base port 0 lid 7"
    };
    StringBuilder s = new StringBuilder();
    for (int i = r.nextInt(5); i > 0; i--) {
      s.append(parts[r.nextInt(parts.length)]);
    }
    return s.toString();
  }
}
