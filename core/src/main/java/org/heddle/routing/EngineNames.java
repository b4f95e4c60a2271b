package org.heddle.routing;

/**
 * Names of the engines that other parts choose themselves: as a default, or because they need what
 * the engine does. {@link RoutingEngine#name} of each is its constant here; code that takes any
 * engine asks the catalog.
 */
public final class EngineNames {
  /** Base tables of controllers and state files: D-mod-K, for recognised trees. */
  public static final String DMODK = "dmodk";

  /** Fat-tree routing as OpenSM does it. */
  public static final String FTREE = "ftree";

  /** Shortest paths in any fabric. */
  public static final String MINHOP = "minhop";

  /** Keeps partitions apart by tables or virtual lanes. */
  public static final String PFTREE_EXT = "pftree-ext";

  /** Fat-tree routing that takes the hosts of a leaf in the order of the caller. */
  public static final String NOFTREE = "noftree";

  /** Routing in two phases: the paths to every leaf, then one of them for every host. */
  public static final String METABASE = "metabase";

  /** Up and down by levels: any connected fabric. */
  public static final String UPDN = "updn";

  /** Fat-tree routing that counts virtual machines. */
  public static final String VSWITCH_FTREE = "vswitch-ftree";

  private EngineNames() {}
}
