package org.heddle.allocation;

/**
 * What a tenant asks for.
 *
 * @param hosts how many machines, at least 1
 * @param oversubscription p: hosts that share one up-link at most, at least 1; 1 is full bandwidth
 * @param choice which hosts will do
 * @param preference how to choose among places that are equally good
 * @param links false for a tenant without link guarantee: hosts only
 * @param rails between which adapters of its machines
 * @param extraSubtrees how many sub-trees more than the fewest that have the free hosts a placement
 *     may be scattered over, or {@link #DEFAULT_SCATTER} or {@link #KEEP_TOGETHER}
 * @param budget how many steps a search may take before it answers {@link
 *     AllocationResult.Aborted}; a step looks at one switch
 */
public record AllocationRequest(
    int hosts,
    int oversubscription,
    HostChoice choice,
    Preference preference,
    boolean links,
    Rails rails,
    int extraSubtrees,
    long budget) {

  /**
   * Rather close together, but anywhere rather than not at all: for those who ask once. Whatever
   * the allocator would keep free for later tenants is given if nothing else is left.
   */
  public static final int DEFAULT_SCATTER = -1;

  /**
   * Rather not at all than so that later tenants lose more than this one wins: for a scheduler,
   * whose queue asks again when somebody has left.
   */
  public static final int KEEP_TOGETHER = -2;

  /** Steps a search may take unless told otherwise: below 20 ms on a slow core. */
  public static final long DEFAULT_BUDGET = 400_000;

  /** How to choose among possible places. */
  public enum Preference {
    /** Fill what is partly used; keeps big holes for later tenants. */
    PACK,
    /** Prefer the emptiest switches; keeps tenants apart in case of failures. */
    SPREAD
  }

  /**
   * @throws IllegalArgumentException if a number is out of range
   */
  public AllocationRequest {
    if (hosts < 1) {
      throw new IllegalArgumentException("a tenant has at least one host, not " + hosts);
    }
    if (oversubscription < 1) {
      throw new IllegalArgumentException(
          "at least one host shares an up-link, not " + oversubscription);
    }
    if (extraSubtrees < KEEP_TOGETHER) {
      throw new IllegalArgumentException("scatter limit " + extraSubtrees);
    }
    if (budget < 1) {
      throw new IllegalArgumentException("a search needs at least one step, not " + budget);
    }
  }

  /** So many hosts of any kind with full bandwidth. */
  public static AllocationRequest of(int hosts) {
    return new AllocationRequest(
        hosts,
        1,
        HostChoice.ANY,
        Preference.PACK,
        true,
        Rails.SEPARATE,
        DEFAULT_SCATTER,
        DEFAULT_BUDGET);
  }

  /** The same for so many hosts. */
  public AllocationRequest withHosts(int n) {
    return new AllocationRequest(
        n, oversubscription, choice, preference, links, rails, extraSubtrees, budget);
  }

  /** The same with p hosts an up-link. */
  public AllocationRequest withOversubscription(int p) {
    return new AllocationRequest(hosts, p, choice, preference, links, rails, extraSubtrees, budget);
  }

  /** The same on hosts of that choice. */
  public AllocationRequest withChoice(HostChoice c) {
    return new AllocationRequest(
        hosts, oversubscription, c, preference, links, rails, extraSubtrees, budget);
  }

  /** The same with that preference. */
  public AllocationRequest withPreference(Preference p) {
    return new AllocationRequest(
        hosts, oversubscription, choice, p, links, rails, extraSubtrees, budget);
  }

  /** The same without links. */
  public AllocationRequest withoutLinks() {
    return new AllocationRequest(
        hosts, oversubscription, choice, preference, false, rails, extraSubtrees, budget);
  }

  /** The same with that promise. */
  public AllocationRequest withRails(Rails r) {
    return new AllocationRequest(
        hosts, oversubscription, choice, preference, links, r, extraSubtrees, budget);
  }

  /** The same with another scatter limit. */
  public AllocationRequest withExtraSubtrees(int n) {
    return new AllocationRequest(
        hosts, oversubscription, choice, preference, links, rails, n, budget);
  }

  /** The same with another search budget. */
  public AllocationRequest withBudget(long steps) {
    return new AllocationRequest(
        hosts, oversubscription, choice, preference, links, rails, extraSubtrees, steps);
  }
}
