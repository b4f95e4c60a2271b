package org.heddle.experiment;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.heddle.tenancy.IsolationPolicy;
import org.heddle.tenancy.Partition;
import org.heddle.tenancy.PartitionMember;
import org.heddle.tenancy.Tenancy;

/**
 * Two tenants on a tree (Zahid et al., "Efficient Network Isolation and Load Balancing in
 * Multi-Tenant HPC Clusters", section 6.3.3): a victim with as many hosts on every leaf, drawn at
 * random, and an interferer with all others.
 */
final class Victims {
  /** Weight of a host that receives. */
  static final int RECEIVES = 100;

  /** The victim is partition 0, the interferer partition 1. */
  static final int VICTIM = 0;

  static final int INTERFERER = 1;

  private Victims() {}

  /**
   * Draws the victim's hosts.
   *
   * @param policy of the victim
   * @param share victims of a leaf: its hosts divided by this
   * @param receivers victims of each leaf that have weight {@link #RECEIVES}; all others have 1
   */
  static Tenancy draw(
      TestTree tree, IsolationPolicy policy, int share, int receivers, SplittableRandom random) {
    List<PartitionMember> inside = new ArrayList<>();
    List<PartitionMember> others = new ArrayList<>();
    for (int leaf = 0; leaf < tree.tree().leafCount(); leaf++) {
      int[] ports = tree.hostPorts(tree.tree().leaf(leaf));
      int victims = ports.length / share;
      for (int i = 0; i < ports.length; i++) {
        int j = i + random.nextInt(ports.length - i);
        int drawn = ports[j];
        ports[j] = ports[i];
        ports[i] = drawn;
        (i < victims ? inside : others)
            .add(new PartitionMember(drawn, true, i < receivers ? RECEIVES : 1));
      }
    }
    inside.sort(Comparator.comparingInt(PartitionMember::port));
    others.sort(Comparator.comparingInt(PartitionMember::port));
    if (inside.isEmpty() || others.isEmpty()) {
      throw new IllegalArgumentException("a leaf has too few hosts for a victim in " + share);
    }
    return new Tenancy(
        Tenancy.Rules.BEST_EFFORT,
        List.of(
            new Partition("victim", 1, policy, inside, List.of()),
            new Partition("interferer", 2, IsolationPolicy.DEF, others, List.of())));
  }

  /** Ports of a partition's members. */
  static int[] ports(Tenancy tenancy, int partition) {
    return tenancy.partitions().get(partition).members().stream()
        .mapToInt(PartitionMember::port)
        .toArray();
  }
}
