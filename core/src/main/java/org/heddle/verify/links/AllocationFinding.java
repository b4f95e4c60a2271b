package org.heddle.verify.links;

/**
 * Something wrong with a set of allocations.
 *
 * @param tenant index in the list that was audited
 * @param text one sentence
 */
public record AllocationFinding(Code code, int tenant, String text) {
  /** What is wrong. */
  public enum Code {
    /** Two tenants hold the same host. */
    HOST_SHARED,
    /** Two tenants hold the same link. */
    LINK_SHARED,
    /** A link that is not there, is dead or joins no two adjacent levels of the tree. */
    NO_TREE_LINK,
    /** A link that is slower than what the tenant's machines may send over it. */
    SLOW_LINK,
    /** A host that is no host of a leaf. */
    NO_HOST,
    /** A permutation of the tenant's hosts has no routes inside its links. */
    BLOCKING
  }
}
