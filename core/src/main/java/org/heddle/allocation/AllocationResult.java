package org.heddle.allocation;

/** Outcome of an attempt to place a tenant. The occupancy is unchanged in every case. */
public sealed interface AllocationResult {

  /** A place was found; {@link Occupancy#take} books it. */
  record Placed(Allocation allocation) implements AllocationResult {}

  /**
   * No place was found under the allocator's conditions. Allocators do not find out whether links
   * were what was lacking, which would take a second search: {@link Advisor#reason} does, and says
   * what would help.
   */
  record Rejected(Reason reason) implements AllocationResult {}

  /**
   * The search budget was used up: there may or may not be a place.
   *
   * @param steps steps taken
   */
  record Aborted(long steps) implements AllocationResult {}

  /** Why a request was rejected. */
  enum Reason {
    /** Fewer acceptable hosts are free than asked for. */
    NOT_ENOUGH_HOSTS("not enough free hosts"),
    /** Hosts are free, but too few of them are joined by switches at all. */
    NOT_JOINED("enough free hosts, but no cables join so many of them"),
    /** Hosts are free, but nowhere in an arrangement the allocator can serve at full rate. */
    NO_CONFORMING_PLACEMENT("enough free hosts, but in no conforming placement"),
    /** Hosts are free in a conforming arrangement, but not the links between them. */
    NO_LINKS("free hosts in a conforming placement, but no free links between them");

    private final String text;

    Reason(String text) {
      this.text = text;
    }

    /** For messages. */
    public String text() {
      return text;
    }
  }
}
