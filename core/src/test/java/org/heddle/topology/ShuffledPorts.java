package org.heddle.topology;

import java.util.SplittableRandom;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.FabricBuilder;

/**
 * The same fabric with the ports of every switch numbered at random, as those of real fabrics are:
 * nothing may depend on port 7 of one leaf leading where port 7 of another leads.
 */
public final class ShuffledPorts {
  private ShuffledPorts() {}

  /** A copy whose switches have their cables at other ports. */
  public static Fabric of(Fabric fabric, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    FabricBuilder builder = new FabricBuilder();
    int[][] number = new int[fabric.nodeCount()][];
    int[] handle = new int[fabric.nodeCount()];
    for (int n = 0; n < fabric.nodeCount(); n++) {
      int ports = fabric.portCount(n);
      handle[n] =
          builder.addNode(fabric.nodeType(n), fabric.nodeGuid(n), ports, fabric.description(n));
      builder.setIds(handle[n], fabric.vendorId(n), fabric.deviceId(n), fabric.systemGuid(n));
      number[n] = numbers(ports, fabric.isSwitch(n), random);
      for (int k = fabric.isSwitch(n) ? 0 : 1; k <= ports; k++) {
        builder.setPortGuid(handle[n], number[n][k], fabric.portGuid(fabric.port(n, k)));
      }
    }
    for (int port = 0; port < fabric.portIdLimit(); port++) {
      int peer = fabric.peer(port);
      if (peer != Fabric.NONE && port < peer) {
        int a = fabric.nodeOf(port);
        int b = fabric.nodeOf(peer);
        builder.connect(
            handle[a],
            number[a][fabric.numberOf(port)],
            handle[b],
            number[b][fabric.numberOf(peer)]);
      }
    }
    return builder.build();
  }

  private static int[] numbers(int ports, boolean shuffle, SplittableRandom random) {
    int[] out = new int[ports + 1];
    for (int k = 1; k <= ports; k++) {
      int j = shuffle ? 1 + random.nextInt(k) : k;
      out[k] = out[j];
      out[j] = k;
    }
    return out;
  }
}
