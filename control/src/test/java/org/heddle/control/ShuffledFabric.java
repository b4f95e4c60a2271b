package org.heddle.control;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.FabricBuilder;

/**
 * The same cabling with other numbers: port numbers of every switch and GUIDs of switches and hosts
 * are permuted at random, so that nothing is right only because numbers are aligned.
 */
final class ShuffledFabric {
  private ShuffledFabric() {}

  /** The fabric without LIDs, renumbered; the same for the same seed. */
  static Fabric of(Fabric fabric, long seed) {
    Random random = new Random(seed);
    List<Integer> switches = new ArrayList<>();
    List<Integer> hosts = new ArrayList<>();
    for (int node = 0; node < fabric.nodeCount(); node++) {
      (fabric.isSwitch(node) ? switches : hosts).add(node);
    }
    List<Integer> identities = new ArrayList<>(switches);
    Collections.shuffle(identities, random);
    List<Integer> others = new ArrayList<>(hosts);
    Collections.shuffle(others, random);
    identities.addAll(others); // switches come first in a fabric
    FabricBuilder out = new FabricBuilder();
    int[][] number = new int[fabric.nodeCount()][];
    for (int node = 0; node < fabric.nodeCount(); node++) {
      number[node] = numbers(fabric, node, random);
      int as = identities.get(node);
      int at =
          out.addNode(
              fabric.nodeType(node),
              fabric.nodeGuid(as),
              fabric.portCount(node),
              fabric.description(node));
      for (int k = 1; k <= fabric.portCount(node) && !fabric.isSwitch(node); k++) {
        out.setPortGuid(at, k, fabric.portGuid(fabric.port(as, k)));
      }
      for (int k = 1; k <= fabric.portCount(node); k++) {
        int port = fabric.port(node, k);
        out.setLink(at, number[node][k], fabric.width(port), fabric.speed(port));
      }
    }
    for (int port = 0; port < fabric.portIdLimit(); port++) {
      int peer = fabric.peer(port);
      if (peer > port) {
        int a = fabric.nodeOf(port);
        int b = fabric.nodeOf(peer);
        out.connect(a, number[a][fabric.numberOf(port)], b, number[b][fabric.numberOf(peer)]);
      }
    }
    return out.build();
  }

  private static int[] numbers(Fabric fabric, int node, Random random) {
    List<Integer> all = new ArrayList<>();
    for (int k = 1; k <= fabric.portCount(node); k++) {
      all.add(k);
    }
    if (fabric.isSwitch(node)) {
      Collections.shuffle(all, random);
    }
    int[] out = new int[all.size() + 1];
    for (int k = 1; k < out.length; k++) {
      out[k] = all.get(k - 1);
    }
    return out;
  }
}
