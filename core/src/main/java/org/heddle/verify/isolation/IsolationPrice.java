package org.heddle.verify.isolation;

import java.util.ArrayList;
import java.util.List;
import org.heddle.tenancy.IsolationPolicy;

/**
 * The cost of the physical isolation of some partitions to the others: their load with the policies
 * and without them (Zahid et al., section 6.3.5). Both reports are of the same partitions on the
 * same fabric; only the tables differ.
 *
 * @param shares one for each partition that is not physically isolated itself, in the order of the
 *     tenancy
 */
public record IsolationPrice(List<Share> shares) {
  public IsolationPrice {
    shares = List.copyOf(shares);
  }

  /**
   * What one partition pays.
   *
   * @param partition its index in the tenancy
   * @param fullest destinations of the partition on its fullest channel, as planned
   * @param fullestBefore the same without policies
   * @param contention total contention among its own destinations, R - 1 summed over channels
   * @param contentionBefore the same without policies
   * @param channels channels it uses
   * @param channelsBefore the same without policies
   */
  public record Share(
      int partition,
      String name,
      int fullest,
      int fullestBefore,
      long contention,
      long contentionBefore,
      int channels,
      int channelsBefore) {
    /** True if the partition is worse off: a fuller channel, or more contention. */
    public boolean pays() {
      return fullest > fullestBefore || contention > contentionBefore;
    }
  }

  /**
   * Compares tables made with policies with tables made without.
   *
   * @throws IllegalArgumentException if the reports are not of the same partitions
   */
  public static IsolationPrice of(IsolationReport with, IsolationReport without) {
    if (with.partitions().size() != without.partitions().size()) {
      throw new IllegalArgumentException("reports of different partitions");
    }
    List<Share> shares = new ArrayList<>();
    for (int p = 0; p < with.partitions().size(); p++) {
      IsolationReport.PartitionUse use = with.partitions().get(p);
      IsolationReport.PartitionUse before = without.partitions().get(p);
      if (!use.name().equals(before.name())) {
        throw new IllegalArgumentException("reports of different partitions");
      }
      if (use.policy() != IsolationPolicy.PHY) {
        shares.add(
            new Share(
                p,
                use.name(),
                use.channels().fullest(),
                before.channels().fullest(),
                use.channels().contention(),
                before.channels().contention(),
                use.used(),
                before.used()));
      }
    }
    return new IsolationPrice(shares);
  }
}
