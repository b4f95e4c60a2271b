package org.heddle.topology.generate;

/**
 * What to remove from a fabric, reproducibly.
 *
 * @param switches how many switches, with their cables
 * @param hosts how many channel adapters, with their cables
 * @param links how many cables between switches, of those that are left after that
 * @param hostLinks true if cables of hosts may be cut, too
 * @param keepConnected true to spare a switch or cable whose loss would separate switches that were
 *     connected, or would cut a host's last cable
 * @param seed of the random choice
 */
public record DamageSpec(
    Amount switches,
    Amount hosts,
    Amount links,
    boolean hostLinks,
    boolean keepConnected,
    long seed) {

  /** Nothing removed. */
  public static DamageSpec none(long seed) {
    return new DamageSpec(Amount.NONE, Amount.NONE, Amount.NONE, false, false, seed);
  }

  /** The same with so many switches. */
  public DamageSpec withSwitches(Amount amount) {
    return new DamageSpec(amount, hosts, links, hostLinks, keepConnected, seed);
  }

  /** The same with so many hosts. */
  public DamageSpec withHosts(Amount amount) {
    return new DamageSpec(switches, amount, links, hostLinks, keepConnected, seed);
  }

  /** The same with so many links. */
  public DamageSpec withLinks(Amount amount) {
    return new DamageSpec(switches, hosts, amount, hostLinks, keepConnected, seed);
  }

  /** The same with cables of hosts among the links that may be cut. */
  public DamageSpec withHostLinks() {
    return new DamageSpec(switches, hosts, links, true, keepConnected, seed);
  }

  /** The same, keeping connected what is connected. */
  public DamageSpec keepingConnected() {
    return new DamageSpec(switches, hosts, links, hostLinks, true, seed);
  }

  /**
   * A count, or a share of whatever there is.
   *
   * @param count absolute part, not negative
   * @param share relative part, 0..1
   */
  public record Amount(int count, double share) {
    /** Nothing. */
    public static final Amount NONE = new Amount(0, 0);

    public Amount {
      if (count < 0 || !(share >= 0 && share <= 1)) {
        throw new IllegalArgumentException("not an amount: " + count + " and share " + share);
      }
    }

    /** So many. */
    public static Amount of(int count) {
      return new Amount(count, 0);
    }

    /** That share, 0..1. */
    public static Amount share(double share) {
      return new Amount(0, share);
    }

    /**
     * Reads {@code 12} or {@code 5%} or {@code 0.5%}.
     *
     * @throws IllegalArgumentException if the text is neither, or out of range
     */
    public static Amount parse(String text) {
      String trimmed = text.strip();
      try {
        return trimmed.endsWith("%")
            ? share(Double.parseDouble(trimmed.substring(0, trimmed.length() - 1)) / 100)
            : of(Integer.parseInt(trimmed));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            "'" + text + "' is neither a count nor a percentage of 0%..100%", e);
      }
    }

    /** How many of {@code total}: rounded to the nearest, half up, never more than there are. */
    public int outOf(int total) {
      return (int) Math.min(total, count + Math.round(share * total));
    }
  }
}
