package org.heddle.draw;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.FabricBuilder;
import org.heddle.fabric.LinkSpeed;
import org.heddle.fabric.LinkWidth;
import org.heddle.fabric.NodeType;
import org.heddle.topology.FatTree;
import org.heddle.topology.Recognition;
import org.heddle.topology.TreeFinding;
import org.heddle.topology.generate.DamageSpec;
import org.heddle.topology.generate.FabricDamage;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;

/** Fabrics to draw, with levels found by distance from the hosts: enough for generated trees. */
final class Samples {
  private Samples() {}

  static Fabric tree(String spec) {
    return TreeGenerator.generate(TreeSpec.parse(spec)).withAssignedLids();
  }

  static Fabric damaged(String spec, double share) {
    DamageSpec damage =
        DamageSpec.none(7).withLinks(DamageSpec.Amount.share(share)).keepingConnected();
    return FabricDamage.apply(TreeGenerator.generate(TreeSpec.parse(spec)), damage)
        .fabric()
        .withAssignedLids();
  }

  static Fabric ring(int switches, int hostsEach) {
    FabricBuilder b = new FabricBuilder();
    for (int i = 0; i < switches; i++) {
      b.addSwitch(0x100 + i, 2 + hostsEach, "ring-" + i);
    }
    for (int i = 0; i < switches; i++) {
      b.connect(i, 1, (i + 1) % switches, 2, LinkWidth.X4, LinkSpeed.EDR);
      for (int k = 0; k < hostsEach; k++) {
        int host = b.addCa(0x1000 + 16 * i + k, 1, "node-" + i + "-" + k);
        b.connect(host, 1, i, 3 + k, LinkWidth.X4, LinkSpeed.EDR);
      }
    }
    return b.build().withAssignedLids();
  }

  /** Switches, hosts and routers with 0 to 3 ports, cabled at random, loopback plugs included. */
  static Fabric random(SplittableRandom random) {
    FabricBuilder b = new FabricBuilder();
    int switches = random.nextInt(0, 40);
    int others = random.nextInt(0, 60);
    for (int i = 0; i < switches; i++) {
      b.addSwitch(1 + i, random.nextInt(0, 13), random.nextInt(4) == 0 ? "" : "sw" + i);
    }
    for (int i = 0; i < others; i++) {
      NodeType type = random.nextInt(8) == 0 ? NodeType.ROUTER : NodeType.CA;
      b.addNode(type, 1000 + i, random.nextInt(0, 4), "n" + i);
    }
    int tries = b.size() == 0 ? 0 : random.nextInt(200);
    for (int i = 0; i < tries; i++) {
      int x = random.nextInt(b.size());
      int y = random.nextInt(b.size());
      int px = random.nextInt(b.portCount(x) + 1);
      int py = random.nextInt(b.portCount(y) + 1);
      if (px > 0 && py > 0 && !b.isCabled(x, px) && !b.isCabled(y, py)) {
        b.connect(x, px, y, py);
      }
    }
    return b.build();
  }

  static Recognition found(Fabric fabric, TreeFinding... findings) {
    int n = fabric.switchCount();
    int[] level = new int[n];
    int height = 0;
    for (int next = 1, before = -1; before != Arrays.stream(level).sum(); next++) {
      before = Arrays.stream(level).sum();
      int now = next;
      int[] fresh =
          IntStream.range(0, n)
              .filter(
                  sw -> level[sw] == 0 && (now == 1 ? hosts(fabric, sw) : near(fabric, sw, level)))
              .toArray();
      for (int sw : fresh) {
        level[sw] = now;
        height = now;
      }
    }
    int[] leaves = IntStream.range(0, n).filter(sw -> level[sw] == 1).toArray();
    return new Recognition.Found(
        new FatTree(Math.max(height, 1), level, leaves), List.of(findings));
  }

  private static boolean hosts(Fabric fabric, int sw) {
    return neighbours(fabric, sw).stream().anyMatch(n -> !fabric.isSwitch(n));
  }

  private static boolean near(Fabric fabric, int sw, int[] level) {
    return neighbours(fabric, sw).stream().anyMatch(n -> fabric.isSwitch(n) && level[n] > 0);
  }

  private static List<Integer> neighbours(Fabric fabric, int sw) {
    List<Integer> out = new ArrayList<>();
    for (int i = 1; i <= fabric.portCount(sw); i++) {
      int other = fabric.peerNode(fabric.port(sw, i));
      if (other != Fabric.NONE) {
        out.add(other);
      }
    }
    return out;
  }

  static Recognition refused(String reason) {
    return new Recognition.Refused(List.of(new TreeFinding("no-tree", reason, Fabric.NONE, 0)));
  }

  /** Made-up loads that differ by port and direction. */
  static IntUnaryOperator loads() {
    return port -> 1 + port * 7 % 13;
  }

  static byte[] draw(Fabric fabric, Recognition recognition, DrawOptions options) {
    try {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      FabricDrawing.render(fabric, recognition, options, out);
      return out.toByteArray();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
