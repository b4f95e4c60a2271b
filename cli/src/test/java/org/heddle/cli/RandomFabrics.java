package org.heddle.cli;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.heddle.catalog.Catalog;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.FabricBuilder;
import org.heddle.fabric.NodeType;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.Recognition;
import org.heddle.topology.generate.DamageSpec;
import org.heddle.topology.generate.FabricDamage;
import org.heddle.topology.generate.FabricExtras;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;

/** Small trees as a machine room has them: ports and GUIDs in no order, some of it broken. */
final class RandomFabrics {
  private static final List<String> TREES =
      List.of(
          "XGFT(2;4,8;1,4)",
          "XGFT(2;4,6;1,2)",
          "XGFT(2;6,5;1,3)",
          "PGFT(2;4,4;1,2;1,2)",
          "XGFT(3;3,3,3;1,3,3)",
          "XGFT(3;2,3,4;1,2,3)",
          "XGFT(3;4,2,3;1,2,2)");

  private RandomFabrics() {}

  /**
   * A tree of two or three levels, shuffled, one in two with losses that keep it connected, one in
   * four with slow links.
   */
  static Fabric tree(Random random) {
    Fabric fabric = lossy(random);
    long seed = fabric.fingerprint();
    boolean slow = new Random(seed).nextInt(4) == 0;
    return slow ? FabricExtras.withSlowLinks(fabric, 0.1, seed) : fabric;
  }

  private static Fabric lossy(Random random) {
    TreeSpec spec = TreeSpec.parse(TREES.get(random.nextInt(TREES.size())));
    Fabric whole = shuffled(TreeGenerator.generate(spec), random);
    if (random.nextBoolean()) {
      return whole;
    }
    DamageSpec damage =
        DamageSpec.none(random.nextLong())
            .withLinks(DamageSpec.Amount.of(1 + random.nextInt(3)))
            .withHosts(DamageSpec.Amount.of(random.nextInt(2)))
            .keepingConnected();
    Fabric damaged = FabricDamage.apply(whole, damage).fabric();
    return isRouted(damaged) ? damaged : whole;
  }

  /** True if what is left is a fat-tree whose leaves all meet. */
  private static boolean isRouted(Fabric fabric) {
    return FatTreeRecogniser.recognise(fabric) instanceof Recognition.Found found
        && Catalog.engine("dmodk")
                .orElseThrow()
                .route(RoutingRequest.of(fabric.withAssignedLids(), found))
            instanceof RoutingResult.Routed;
  }

  /** The same cabling with other port numbers at switches, other GUIDs and another order. */
  static Fabric shuffled(Fabric fabric, Random random) {
    FabricBuilder b = new FabricBuilder();
    List<Integer> guids = order(fabric.nodeCount(), random);
    int[] handle = new int[fabric.nodeCount()];
    int[][] number = new int[fabric.nodeCount()][];
    int hosts = 0;
    int switches = 0;
    for (int node : order(fabric.nodeCount(), random)) {
      int ports = fabric.portCount(node);
      number[node] = new int[ports + 1];
      long guid = 0x1000 + 0x10L * guids.get(node);
      if (fabric.isSwitch(node)) {
        List<Integer> to = order(ports, random);
        for (int k = 1; k <= ports; k++) {
          number[node][k] = 1 + to.get(k - 1);
        }
        handle[node] = b.addSwitch(guid, ports, "S" + switches++);
      } else {
        handle[node] = b.addNode(NodeType.CA, guid, ports, "n" + hosts++);
        for (int k = 1; k <= ports; k++) {
          number[node][k] = k;
          b.setPortGuid(handle[node], k, guid + k);
        }
      }
    }
    for (int node = 0; node < fabric.nodeCount(); node++) {
      for (int k = 1; k <= fabric.portCount(node); k++) {
        int peer = fabric.peer(fabric.port(node, k));
        int other = peer == Fabric.NONE ? node : fabric.nodeOf(peer);
        if (other > node) {
          b.connect(
              handle[node],
              number[node][k],
              handle[other],
              number[other][fabric.numberOf(peer)],
              fabric.width(peer),
              fabric.speed(peer));
        }
      }
    }
    return b.build();
  }

  private static List<Integer> order(int n, Random random) {
    List<Integer> out = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      out.add(i);
    }
    Collections.shuffle(out, random);
    return out;
  }
}
