package org.heddle.topology.generate;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.heddle.fabric.Fabric;

/**
 * Plugs the cables of every node into other ports of the same node, at random but reproducibly:
 * same fabric, same seed, same result.
 *
 * <p>{@link TreeGenerator} numbers ports alike everywhere: the n-th up-port of every leaf goes to
 * the same spine. Real fabrics do not, and what relies on it goes wrong only there. What stays is
 * the graph: nodes, their ids, GUIDs, names and port counts, and which node is cabled to which by
 * how many cables. A cable takes its width, speed and MTU along, and on a host its LID, LMC and
 * virtual LIDs; port GUIDs and labels stay with the number.
 */
public final class FabricShuffle {
  private FabricShuffle() {}

  /** The fabric with {@link #numbers} drawn by that seed. O(nodes + ports). */
  public static Fabric ports(Fabric fabric, long seed) {
    return renumbered(fabric, numbers(fabric, seed));
  }

  /**
   * Where each cable goes: by port id, the number of the port of the same node that gets its cable;
   * 0 for ports 0.
   *
   * <p>All external ports of a node are permuted, cabled or not, every permutation being as likely
   * as any other (Fisher-Yates). Each node draws from a generator of its own, split off in order of
   * node ids, so that more ports at one node do not change the numbers at another. O(ports).
   */
  public static int[] numbers(Fabric fabric, long seed) {
    SplittableRandom seeds = new SplittableRandom(seed);
    int[] number = new int[fabric.portIdLimit()];
    Arrays.setAll(number, fabric::numberOf);
    for (int node = 0; node < fabric.nodeCount(); node++) {
      SplittableRandom random = seeds.split();
      int first = fabric.port(node, 0);
      for (int k = fabric.portCount(node); k > 1; k--) {
        int other = 1 + random.nextInt(k);
        int drawn = number[first + other];
        number[first + other] = number[first + k];
        number[first + k] = drawn;
      }
    }
    return number;
  }

  /**
   * The fabric with each cable in the port of that number. O(nodes + ports).
   *
   * @param numbers as {@link #numbers(Fabric, long)} gives them
   * @throws IllegalArgumentException unless they are a permutation of each node's port numbers
   */
  public static Fabric renumbered(Fabric fabric, int[] numbers) {
    boolean[] taken = new boolean[fabric.portIdLimit()];
    for (int port = 0; port < taken.length; port++) {
      int node = fabric.nodeOf(port);
      int number = numbers[port];
      boolean fits = number >= 0 && number <= fabric.portCount(node);
      if (!fits
          || taken[fabric.port(node, number)]
          || (number == 0) != (fabric.numberOf(port) == 0)) {
        throw new IllegalArgumentException(
            "port " + number + " of " + fabric.node(node).display() + " cannot get this cable");
      }
      taken[fabric.port(node, number)] = true;
    }
    return new FabricCopy(fabric, numbers).build();
  }
}
