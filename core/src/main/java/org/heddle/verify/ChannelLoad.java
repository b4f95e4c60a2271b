package org.heddle.verify;

import java.util.Arrays;

/**
 * Load of every channel by the routes between channel adapters (and routers) that arrive. A channel
 * is one direction of a cable, named by the id of the port it leaves. Immutable.
 *
 * <p>Two senses, both with the endports that have a LID as sources:
 *
 * <ul>
 *   <li><b>destinations</b>: distinct destination LIDs that some source's route takes over the
 *       channel;
 *   <li><b>pairs</b>: (source endport, destination LID) pairs whose route takes the channel. An
 *       endport and its own LIDs are no pair.
 * </ul>
 */
public final class ChannelLoad {
  private final int[] destinations;
  private final long[] pairs;

  /** Takes ownership of the arrays, indexed by port id. */
  ChannelLoad(int[] destinations, long[] pairs) {
    this.destinations = destinations;
    this.pairs = pairs;
  }

  /** Distinct destination LIDs routed over the channel that leaves this port. */
  public int destinations(int port) {
    return destinations[port];
  }

  /** Source-destination pairs routed over the channel that leaves this port. */
  public long pairs(int port) {
    return pairs[port];
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof ChannelLoad load
        && Arrays.equals(destinations, load.destinations)
        && Arrays.equals(pairs, load.pairs);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(destinations) + Arrays.hashCode(pairs);
  }

  @Override
  public String toString() {
    return "ChannelLoad[" + pairs.length + " ports]";
  }
}
