package org.heddle.reconfig.migration;

import org.heddle.fabric.Fabric;
import org.heddle.fabric.Lid;

/**
 * A LID that starts, moves between hypervisors, or stops.
 *
 * @param kind what happens to it
 * @param lid the LID of the machine
 * @param partner LID of the destination's free function that takes its place ({@link Kind#SWAP}),
 *     else {@link Lid#NONE}
 * @param from port id of the hypervisor it leaves, {@link Fabric#NONE} for a start
 * @param to port id of the hypervisor it comes to, {@link Fabric#NONE} for a stop
 */
public record LidMove(Kind kind, int lid, int partner, int from, int to) {

  /** Kinds of moves (Tasoulas, thesis, paper II, section V-C). */
  public enum Kind {
    /** A new LID takes the route of its hypervisor's base LID. */
    START,
    /** Dynamic LIDs: it takes the route of the destination's base LID. */
    COPY,
    /** Prepopulated LIDs: it exchanges routes with a LID of the destination. */
    SWAP,
    /** Its entries are removed. */
    STOP
  }

  public LidMove {
    if ((kind == Kind.SWAP) != (partner != Lid.NONE)) {
      throw new IllegalArgumentException(kind + " with partner LID " + partner);
    }
    if ((kind == Kind.START) != (from == Fabric.NONE) || (kind == Kind.STOP) != (to == -1)) {
      throw new IllegalArgumentException(kind + " from port " + from + " to port " + to);
    }
  }

  /** A new LID at a hypervisor. */
  public static LidMove start(int lid, int to) {
    return new LidMove(Kind.START, lid, Lid.NONE, Fabric.NONE, to);
  }

  /** A LID that moves; dynamic assignment. */
  public static LidMove copy(int lid, int from, int to) {
    return new LidMove(Kind.COPY, lid, Lid.NONE, from, to);
  }

  /** A LID that is exchanged with one at the destination; prepopulated assignment. */
  public static LidMove swap(int lid, int partner, int from, int to) {
    return new LidMove(Kind.SWAP, lid, partner, from, to);
  }

  /** A LID that is given up. */
  public static LidMove stop(int lid, int from) {
    return new LidMove(Kind.STOP, lid, Lid.NONE, from, Fabric.NONE);
  }
}
