package org.heddle.pathcache;

import org.heddle.addressing.AddressingScheme;

/**
 * Machines, who talks to whom, and how many of them move how fast. Machines are on functions drawn
 * at random; machines of a tenant all talk to each other, and each end of a connection keeps a path
 * record of the other.
 *
 * @param scheme how machines are addressed
 * @param cache what peers do with path records
 * @param functions virtual functions of a hypervisor
 * @param population percent of the functions that run a machine
 * @param tenantSize machines of a tenant
 * @param own percent of the machines of a tenant that own a LID under {@link
 *     AddressingScheme#HYBRID}
 * @param moves moves to make, each of a machine that is not under way to a function drawn at random
 * @param perSecond moves that begin in a second
 * @param seed of all that is drawn; the same moves for all schemes and caches
 * @param behaviour of peers
 */
public record Storm(
    AddressingScheme scheme,
    CacheMode cache,
    int functions,
    double population,
    int tenantSize,
    double own,
    int moves,
    double perSecond,
    long seed,
    Behaviour behaviour) {

  /**
   * @throws IllegalArgumentException with the reason, for values that make no sense
   */
  public Storm {
    require(functions >= 1 && functions <= 126, "functions: 1 to 126");
    require(population > 0 && population < 100, "population: more than 0, less than 100 percent");
    require(tenantSize >= 2, "tenant size: 2 or more");
    require(own >= 0 && own <= 100, "own: 0 to 100 percent");
    require(moves >= 1, "moves: 1 or more");
    require(perSecond > 0 && perSecond <= 1e6, "moves a second: more than 0, at most 1,000,000");
  }

  /**
   * What the ends of a broken connection do. Defaults as measured in paper I, section V, on RDS.
   *
   * @param downtime seconds from the loss of the old function to the use of the new one
   * @param attempts a peer's attempts to connect in the first second, all rejected
   * @param retries attempts of the machine in a second, from its new place, while a peer still
   *     waits for an answer from the old one
   * @param timeout seconds after which a peer gives the old address up
   * @param saPerSecond queries that the subnet administrator answers in a second; 0 for any number
   */
  public record Behaviour(
      double downtime, int attempts, double retries, double timeout, double saPerSecond) {
    /** 26 s, 10, 2, 96.6 s, any. */
    public static final Behaviour PAPER = new Behaviour(26, 10, 2, 96.6, 0);

    /**
     * @throws IllegalArgumentException with the reason, for values that make no sense
     */
    public Behaviour {
      require(downtime >= 0 && downtime <= 1e6, "downtime: 0 to 1,000,000 s");
      require(attempts >= 0 && attempts <= 1000, "attempts: 0 to 1,000");
      require(retries >= 0 && retries <= 1000, "retries: 0 to 1,000 a second");
      require(timeout >= 0 && timeout <= 1e4, "timeout: 0 to 10,000 s");
      require(saPerSecond >= 0 && saPerSecond <= 1e9, "answers a second: 0 or more");
    }
  }

  private static void require(boolean condition, String reason) {
    if (!condition) {
      throw new IllegalArgumentException(reason);
    }
  }

  /** The same with another scheme and cache. */
  public Storm with(AddressingScheme otherScheme, CacheMode otherCache) {
    return new Storm(
        otherScheme,
        otherCache,
        functions,
        population,
        tenantSize,
        own,
        moves,
        perSecond,
        seed,
        behaviour);
  }
}
