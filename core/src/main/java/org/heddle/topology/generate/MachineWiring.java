package org.heddle.topology.generate;

import java.util.Arrays;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Machines;

/**
 * Makes machines with several adapters of the hosts of a generated tree, by their names: {@code
 * gpu0007 mlx5_3}.
 *
 * <p><b>Rails.</b> With k rails, k leaves in a row are a unit, and the i-th host of each of them is
 * an adapter of the i-th machine of the unit: adapter j is on leaf j (rail-optimised). <b>Several
 * on a leaf.</b> With a adapters on a leaf, a hosts in a row are one machine. Both together give
 * machines of k * a adapters. O(nodes + ports).
 */
public final class MachineWiring {
  private MachineWiring() {}

  /**
   * The tree of that specification with such machines.
   *
   * @throws IllegalArgumentException if a unit would be in two sub-trees, or for numbers as in
   *     {@link #group}
   */
  public static Fabric generate(TreeSpec spec, int rails, int adaptersOnLeaf) {
    int leaves = spec.levels() < 2 ? spec.nodes(1) : spec.m(2);
    if (rails > 1 && leaves % rails != 0) {
      throw new IllegalArgumentException(
          "%d leaves of a sub-tree are no multiple of %d rails".formatted(leaves, rails));
    }
    return group(TreeGenerator.generate(spec), rails, adaptersOnLeaf);
  }

  /**
   * The same fabric with other descriptions of its hosts.
   *
   * @param rails leaves of a unit; the last unit has fewer if their number is no multiple
   * @param adaptersOnLeaf adapters a machine has on one leaf
   * @throws IllegalArgumentException if one of them is below 1, or a machine would have more than
   *     {@value Machines#MAX_ADAPTERS} adapters
   */
  public static Fabric group(Fabric fabric, int rails, int adaptersOnLeaf) {
    if (rails < 1 || adaptersOnLeaf < 1 || rails * adaptersOnLeaf > Machines.MAX_ADAPTERS) {
      throw new IllegalArgumentException(
          "a machine has 1 to %d adapters".formatted(Machines.MAX_ADAPTERS));
    }
    String[] description = new String[fabric.nodeCount()];
    int hosts = 0;
    for (int node = 0; node < description.length; node++) {
      description[node] = fabric.description(node);
      hosts += Machines.isAdapter(fabric, node) ? 1 : 0;
    }
    int width = Math.max(4, String.valueOf(hosts).length());
    int leaf = 0;
    int first = 0; // machine of the unit
    int most = 0; // machines of the unit
    for (int sw = 0; sw < fabric.switchCount(); sw++) {
      int[] nodes = hosts(fabric, sw);
      if (nodes.length == 0) {
        continue;
      }
      int rail = leaf++ % rails;
      first += rail == 0 ? most : 0;
      most = rail == 0 ? 0 : most;
      for (int i = 0; i < nodes.length; i++) {
        int machine = first + i / adaptersOnLeaf;
        int adapter = rail * adaptersOnLeaf + i % adaptersOnLeaf;
        description[nodes[i]] = "gpu%0".concat(width + "d mlx5_%d").formatted(machine, adapter);
      }
      most = Math.max(most, (nodes.length + adaptersOnLeaf - 1) / adaptersOnLeaf);
    }
    return fabric.withDescriptions(description);
  }

  /** The hosts on a switch, ascending, each once. */
  private static int[] hosts(Fabric fabric, int sw) {
    int[] out = new int[fabric.portCount(sw)];
    int n = 0;
    for (int number = 1; number <= fabric.portCount(sw); number++) {
      int node = fabric.peerNode(fabric.port(sw, number));
      if (node != Fabric.NONE && Machines.isAdapter(fabric, node)) {
        out[n++] = node;
      }
    }
    return Arrays.stream(out, 0, n).distinct().sorted().toArray();
  }
}
