package org.heddle.routing.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.FabricBuilder;
import org.heddle.fabric.LinkSpeed;
import org.heddle.fabric.LinkWidth;
import org.heddle.topology.generate.DamageSpec;
import org.heddle.topology.generate.FabricDamage;
import org.heddle.topology.generate.FabricExtras;
import org.heddle.topology.generate.FabricShuffle;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;

/** Fabrics the engine tests run on. */
public final class Fabrics {
  private Fabrics() {}

  /** A generated tree, with LIDs. */
  public static Fabric tree(String spec) {
    return TreeGenerator.generate(TreeSpec.parse(spec)).withAssignedLids();
  }

  /** The same fabric as somebody else would have cabled it: LIDs too are in another order. */
  public static Fabric shuffled(Fabric fabric) {
    return FabricShuffle.ports(fabric, fabric.fingerprint());
  }

  /** Trees of 2 to 4 levels: regular, oversubscribed, with parallel links. */
  public static List<String> specs() {
    return List.of(
        "XGFT(2;4,8;1,4)",
        "XGFT(2;18,18;1,18)",
        "XGFT(2;8,6;1,4)",
        "PGFT(2;8,4;1,2;1,2)",
        "PGFT(2;6,3;1,2;1,3)",
        "XGFT(3;6,6,6;1,6,6)",
        "XGFT(3;4,4,4;1,2,4)",
        "XGFT(3;5,3,4;1,3,2)",
        "PGFT(3;4,4,2;1,2,2;1,2,1)",
        "4-ary-3-tree",
        "XGFT(4;3,3,3,3;1,3,3,3)",
        "XGFT(4;4,2,3,2;1,2,3,2)",
        "2-ary-4-tree");
  }

  /**
   * A tree of {@link #specs()} with damage and extras drawn from the seed; ports are shuffled, as
   * in real fabrics, but for every fourth seed.
   */
  public static Fabric damaged(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Fabric fabric =
        TreeGenerator.generate(TreeSpec.parse(specs().get(random.nextInt(specs().size()))));
    if (seed % 4 != 0) {
      fabric = FabricShuffle.ports(fabric, seed);
    }
    DamageSpec damage =
        DamageSpec.none(random.nextLong())
            .withLinks(DamageSpec.Amount.share(random.nextDouble(0.12)))
            .withHosts(DamageSpec.Amount.share(random.nextDouble(0.15)))
            .withSwitches(DamageSpec.Amount.of(random.nextInt(2)));
    fabric = FabricDamage.apply(fabric, damage).fabric();
    if (random.nextInt(3) == 0) {
      fabric = FabricExtras.withSmNode(fabric);
    }
    if (random.nextInt(3) == 0) {
      FabricExtras.Place[] places = FabricExtras.Place.values();
      fabric =
          FabricExtras.withStorageHosts(
              fabric, 1 + random.nextInt(4), places[random.nextInt(places.length)]);
    }
    if (random.nextInt(4) == 0) {
      fabric = FabricExtras.withAggregationNodes(fabric);
    }
    return fabric.withAssignedLids();
  }

  /** Every port of a channel adapter has 2^lmc LIDs. */
  static Fabric withLmc(Fabric fabric, int lmc) {
    int[] lids = new int[fabric.portIdLimit()];
    byte[] lmcs = new byte[fabric.portIdLimit()];
    for (int p = 0; p < lids.length; p++) {
      if (!fabric.isSwitch(fabric.nodeOf(p)) && fabric.isEndport(p)) {
        lmcs[p] = (byte) lmc;
      }
    }
    return fabric.withLids(lids, lmcs).withAssignedLids();
  }

  /** One switch with that many hosts. */
  static Fabric star(int hosts) {
    FabricBuilder b = new FabricBuilder();
    int sw = b.addSwitch(0x2000, Math.max(1, hosts), "switch");
    for (int i = 0; i < hosts; i++) {
      b.connect(sw, i + 1, host(b, 1, i), 1, LinkWidth.X4, LinkSpeed.HDR);
    }
    return b.build().withAssignedLids();
  }

  /** Switches in a ring, each with two hosts: no tree beyond three switches. */
  public static Fabric ring(int switches) {
    FabricBuilder b = new FabricBuilder();
    List<Integer> ring = new ArrayList<>();
    for (int i = 0; i < switches; i++) {
      ring.add(b.addSwitch(0x2000 + i, 4, "ring-" + i));
    }
    for (int i = 0; i < switches; i++) {
      b.connect(ring.get(i), 1, ring.get((i + 1) % switches), 2);
      b.connect(ring.get(i), 3, host(b, 1, 2 * i), 1);
      b.connect(ring.get(i), 4, host(b, 1, 2 * i + 1), 1);
    }
    return b.build().withAssignedLids();
  }

  /** Two separate copies of a 2-level tree; every host has a port in each. */
  static Fabric twoPlanes() {
    FabricBuilder b = new FabricBuilder();
    int[] hosts = new int[16];
    for (int i = 0; i < hosts.length; i++) {
      hosts[i] = host(b, 2, i);
    }
    for (int plane = 0; plane < 2; plane++) {
      int[] spines = new int[4];
      for (int s = 0; s < 4; s++) {
        spines[s] = b.addSwitch(0x3000 + 16 * plane + s, 4, "spine-" + plane + "-" + s);
      }
      for (int l = 0; l < 4; l++) {
        int leaf = b.addSwitch(0x2000 + 16 * plane + l, 8, "leaf-" + plane + "-" + l);
        for (int k = 0; k < 4; k++) {
          b.connect(leaf, k + 1, hosts[4 * l + k], plane + 1);
          b.connect(leaf, k + 5, spines[k], l + 1);
        }
      }
    }
    return b.build().withAssignedLids();
  }

  /** A 2-level tree whose leaves are also cabled to each other in a circle, and to themselves. */
  static Fabric treeWithLeafLinks() {
    FabricBuilder b = new FabricBuilder();
    int[] leaves = new int[4];
    for (int l = 0; l < 4; l++) {
      leaves[l] = b.addSwitch(0x2000 + l, 12, "leaf-" + l);
    }
    for (int s = 0; s < 4; s++) {
      int spine = b.addSwitch(0x3000 + s, 4, "spine-" + s);
      for (int l = 0; l < 4; l++) {
        b.connect(leaves[l], 5 + s, spine, l + 1);
      }
    }
    for (int l = 0; l < 4; l++) {
      for (int k = 0; k < 4; k++) {
        b.connect(leaves[l], k + 1, host(b, 1, 4 * l + k), 1);
      }
    }
    b.connect(leaves[0], 9, leaves[1], 9);
    b.connect(leaves[2], 11, leaves[2], 12);
    return b.build().withAssignedLids();
  }

  private static int host(FabricBuilder b, int ports, int number) {
    int ca = b.addCa(0x100 + 4L * number, ports, "host-" + number);
    for (int p = 1; p <= ports; p++) {
      b.setPortGuid(ca, p, 0x100 + 4L * number + p);
    }
    return ca;
  }
}
