package org.heddle.pathcache;

/**
 * The result of a storm. Ends of connections are counted twice for each peer of a machine that
 * moves: the peer's record of the machine, and the machine's record of the peer.
 *
 * @param machines that run
 * @param moves that were made; fewer than asked for if all machines were under way
 * @param ends of connections that were lost and set up again
 * @param warmUp queries before the storm: one for each end of a connection
 * @param peerQueries queries by peers of machines that moved
 * @param machineQueries queries by machines that moved
 * @param peersAsking peers that had to ask at least once, added up over the moves
 * @param wrongLid ends whose record has a LID that is not in use any more
 * @param wrongMtu ends whose record has a larger MTU than the path has now
 * @param wrongRate ends whose record has a higher rate than the path has now
 * @param underrated ends whose record is right but promises less than the path has now
 * @param broken ends that cannot use their record and do not ask: no connection any more
 * @param tooFast ends that send faster than the path carries, and do not know
 * @param load queries over time
 */
public record StormResult(
    Storm storm,
    int machines,
    int moves,
    long ends,
    long warmUp,
    long peerQueries,
    long machineQueries,
    long peersAsking,
    long wrongLid,
    long wrongMtu,
    long wrongRate,
    long underrated,
    long broken,
    long tooFast,
    QueryLoad load) {
  /** All queries of the storm. */
  public long queries() {
    return peerQueries + machineQueries;
  }
}
