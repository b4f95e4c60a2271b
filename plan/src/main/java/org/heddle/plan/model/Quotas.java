package org.heddle.plan.model;

import java.util.Map;
import java.util.OptionalInt;

/**
 * What the tenants of an owner may have together. It counts for whoever asks for more, the provider
 * included; what somebody has already stays.
 *
 * @param of by owner
 * @param others of owners that are not among these
 */
public record Quotas(Map<String, Quota> of, Quota others) {
  /** At most so much of each; what is empty is not limited. */
  public record Quota(OptionalInt hosts, OptionalInt links, OptionalInt vms) {
    /** Whatever there is. */
    public static final Quota NONE =
        new Quota(OptionalInt.empty(), OptionalInt.empty(), OptionalInt.empty());
  }

  /** None for anybody. */
  public static final Quotas NONE = new Quotas(Map.of(), Quota.NONE);

  public Quotas {
    of = Map.copyOf(of);
  }

  /** That of an owner; tenants without one belong to the provider, who has none. */
  public Quota of(String owner) {
    return owner.isEmpty() ? Quota.NONE : of.getOrDefault(owner, others);
  }

  /** True if nobody has one. */
  public boolean areNone() {
    return equals(NONE);
  }
}
