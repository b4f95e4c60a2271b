package org.heddle.routing.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.heddle.fabric.Fabric;
import org.heddle.tenancy.IsolationPolicy;
import org.heddle.tenancy.Partition;
import org.heddle.tenancy.PartitionMember;
import org.heddle.tenancy.Tenancy;

/**
 * The set-up of the simulations of Zahid et al., "Efficient Network Isolation and Load Balancing in
 * Multi-Tenant HPC Clusters", table 3: nine two-level trees, a quarter of all hosts in a victim
 * partition, as many on every leaf, drawn at random; all others in an interfering partition.
 *
 * @param hosts hosts of a leaf
 * @param leaves leaves, and roots
 */
record TableThree(int hosts, int leaves) {
  static final int VICTIM = 0;
  static final int INTERFERER = 1;
  static final int RECEIVES = 100;

  /** The nine topologies, in the order of the table. */
  static List<TableThree> topologies() {
    return List.of(
        new TableThree(8, 4),
        new TableThree(12, 4),
        new TableThree(16, 4),
        new TableThree(16, 8),
        new TableThree(24, 8),
        new TableThree(32, 8),
        new TableThree(32, 16),
        new TableThree(48, 16),
        new TableThree(64, 16));
  }

  String spec() {
    return "XGFT(2;" + hosts + "," + leaves + ";1," + leaves + ")";
  }

  Fabric fabric() {
    return Fabrics.tree(spec());
  }

  int victimsPerLeaf() {
    return hosts / 4;
  }

  /**
   * Draws the victims, and the receivers among them.
   *
   * @param policy of the victim partition
   * @param victims hosts of each leaf in the victim partition
   * @param receivers victims of each leaf that have weight {@link #RECEIVES}; all others have 1
   */
  Tenancy draw(
      Fabric fabric, IsolationPolicy policy, int victims, int receivers, SplittableRandom random) {
    List<PartitionMember> inside = new ArrayList<>();
    List<PartitionMember> others = new ArrayList<>();
    for (int leaf = 0; leaf < fabric.switchCount(); leaf++) {
      int[] ports = hostPorts(fabric, leaf);
      for (int i = 0; i < ports.length; i++) {
        int j = i + random.nextInt(ports.length - i);
        int drawn = ports[j];
        ports[j] = ports[i];
        ports[i] = drawn;
        int weight = i < receivers ? RECEIVES : 1;
        (i < victims ? inside : others).add(new PartitionMember(drawn, true, weight));
      }
    }
    inside.sort(Comparator.comparingInt(PartitionMember::port));
    others.sort(Comparator.comparingInt(PartitionMember::port));
    return new Tenancy(
        Tenancy.Rules.BEST_EFFORT,
        List.of(
            new Partition("victim", 1, policy, inside, List.of()),
            new Partition("interferer", 2, IsolationPolicy.DEF, others, List.of())));
  }

  /** The ports of the hosts of a switch, in the order of its own ports. */
  static int[] hostPorts(Fabric fabric, int sw) {
    int[] out = new int[fabric.portCount(sw)];
    int n = 0;
    for (int number = 1; number <= fabric.portCount(sw); number++) {
      int peer = fabric.peer(fabric.port(sw, number));
      if (peer >= 0 && !fabric.isSwitch(fabric.nodeOf(peer))) {
        out[n++] = peer;
      }
    }
    return Arrays.copyOf(out, n);
  }
}
