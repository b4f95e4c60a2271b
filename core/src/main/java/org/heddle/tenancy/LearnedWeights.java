package org.heddle.tenancy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;

/**
 * Weights of hosts from the traffic that they have received (Zahid et al., weighted pFTree): the
 * port that received most gets the largest weight b, the one that received least the smallest a,
 * the others in proportion: {@code W(x) = (x - min B)(b - a) / (max B - min B) + a}. The paper
 * prints {@code (x - a)}, which leaves the interval. O(ports).
 */
public final class LearnedWeights {
  /** Smallest weight, a. */
  public static final int LEAST = 1;

  /** Largest weight, b. */
  public static final int MOST = 100;

  private LearnedWeights() {}

  /**
   * The weight of one value.
   *
   * @param bytes the value, min to max
   * @return a to b; a if all values are equal
   */
  public static double weight(long bytes, long min, long max, double a, double b) {
    if (bytes < min || bytes > max) {
      throw new IllegalArgumentException(bytes + " is not " + min + ".." + max);
    }
    // Differences of longs near both ends overflow; as doubles they cannot.
    double range = (double) max - (double) min;
    return range == 0 ? a : ((double) bytes - (double) min) * (b - a) / range + a;
  }

  /**
   * The same partitions with learned weights, {@link #LEAST} to {@link #MOST}, rounded. Minimum and
   * maximum are those of the members that were measured; members without a counter keep their
   * weight. A counter does not tell partitions apart: a port in k of them gets a k-th of its weight
   * in each, at least 1, so that they add up to what it receives.
   *
   * @param received bytes by port GUID
   */
  public static Tenancy apply(Tenancy tenancy, Fabric fabric, Map<Guid, Long> received) {
    long min = Long.MAX_VALUE;
    long max = Long.MIN_VALUE;
    for (Partition partition : tenancy.partitions()) {
      for (PartitionMember member : partition.members()) {
        Long bytes = received.get(new Guid(fabric.portGuid(member.port())));
        if (bytes != null) {
          min = Math.min(min, bytes);
          max = Math.max(max, bytes);
        }
      }
    }
    int[] memberships = new int[fabric.portIdLimit()];
    for (Partition partition : tenancy.partitions()) {
      for (PartitionMember member : partition.members()) {
        memberships[member.port()]++;
      }
    }
    List<Partition> partitions = new ArrayList<>();
    for (Partition p : tenancy.partitions()) {
      List<PartitionMember> members = new ArrayList<>();
      for (PartitionMember m : p.members()) {
        Long bytes = received.get(new Guid(fabric.portGuid(m.port())));
        int weight = m.weight();
        if (bytes != null) {
          double learned = weight(bytes, min, max, LEAST, MOST) / memberships[m.port()];
          weight = (int) Math.max(LEAST, Math.round(learned));
        }
        members.add(new PartitionMember(m.port(), m.full(), weight));
      }
      partitions.add(new Partition(p.name(), p.pkey(), p.policy(), members, p.pending()));
    }
    return new Tenancy(tenancy.rules(), partitions);
  }
}
