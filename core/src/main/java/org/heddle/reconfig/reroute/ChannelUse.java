package org.heddle.reconfig.reroute;

import java.util.Arrays;
import org.heddle.reconfig.Wiring;

/**
 * How many destinations every channel carries, and how many it may carry: as many as the fullest
 * channel between the same levels in the same direction carries in the tables taken as the measure.
 * Not thread-safe.
 */
final class ChannelUse {
  private static final long SCALE = 1_000_000;
  private static final long OVER = 1L << 40;

  /** Destinations by channel. */
  final int[] load;

  /** By {@link #kind}: the most a channel may carry; kind 0 is never full. */
  final int[] limit;

  private final Wiring wiring;
  private final int[] kind; // by channel: 2 * lower level + (up ? 1 : 0); 0 if it is no tree link
  private final int[] stamp;
  private final int[] channels;
  private int count;
  private int round;
  private int excess;

  ChannelUse(Wiring wiring, TreeReach reach, int levels) {
    this.wiring = wiring;
    load = new int[wiring.ports];
    stamp = new int[wiring.ports];
    channels = new int[wiring.ports];
    kind = new int[wiring.ports];
    limit = new int[2 * levels + 2];
    Arrays.fill(limit, Integer.MAX_VALUE / 4);
    for (int p = 0; p < wiring.ports; p++) {
      if (wiring.hop[p] >= 0 && reach.isUp(p)) {
        kind[p] = 2 * wiring.level[wiring.tail(p)] + 1;
      } else if (wiring.hop[p] >= 0 && reach.isDown(p)) {
        kind[p] = 2 * wiring.level[wiring.hop[p]];
      }
    }
  }

  /** Takes the loads there are as the measure, and forgets them. */
  void measure() {
    int[] most = most();
    System.arraycopy(most, 1, limit, 1, most.length - 1);
    Arrays.fill(load, 0);
    excess = 0;
  }

  /** The largest load by kind: {@code 2 * lower level + (up ? 1 : 0)}. */
  int[] most() {
    int[] most = new int[limit.length];
    for (int p = 0; p < load.length; p++) {
      most[kind[p]] = Math.max(most[kind[p]], load[p]);
    }
    return most;
  }

  // ---- one destination

  /** Forgets which channels the destination at hand uses. */
  void begin() {
    round++;
    count = 0;
  }

  /** Notes the channels on the way from a switch, as far as they are not noted yet. */
  void mark(byte[] column, int from, int to) {
    int s = from;
    while (s != to) {
      int c = wiring.channel(s, column[s] & 0xff);
      if (c < 0 || wiring.hop[c] < 0 || stamp[c] == round) {
        return;
      }
      stamp[c] = round;
      channels[count++] = c;
      s = wiring.hop[c];
    }
  }

  /** Notes the channels on the ways from all switches with hosts. */
  void markAll(byte[] column, int to) {
    begin();
    for (int s : wiring.hostSwitches) {
      if (wiring.component[s] == wiring.component[to]) {
        mark(column, s, to);
      }
    }
  }

  boolean isMarked(int channel) {
    return stamp[channel] == round;
  }

  /** Counts the destination on the channels noted. */
  void add() {
    for (int i = 0; i < count; i++) {
      int c = channels[i];
      excess += load[c]++ >= limit[kind[c]] ? 1 : 0;
    }
  }

  /** Takes the destination off the channels noted. */
  void remove() {
    for (int i = 0; i < count; i++) {
      int c = channels[i];
      excess -= --load[c] >= limit[kind[c]] ? 1 : 0;
    }
  }

  /** Destinations above the limits, summed over channels. */
  int excess() {
    return excess;
  }

  boolean isOver(int channel) {
    return load[channel] > limit[kind[channel]];
  }

  /**
   * What the way from a switch through one of its ports would add, on channels not noted yet: much
   * where a channel would be above its limit, else the more the fuller it is.
   */
  long cost(byte[] column, int from, int number, int to) {
    long sum = 0;
    int s = from;
    int port = number;
    for (int hops = 0; s != to && hops <= wiring.switches; hops++) {
      int c = wiring.channel(s, port);
      if (c < 0 || wiring.hop[c] < 0) {
        return Long.MAX_VALUE;
      }
      if (stamp[c] == round) {
        return sum;
      }
      long most = Math.max(1, limit[kind[c]]);
      sum += load[c] >= most ? OVER * (load[c] + 1 - most) : 0;
      sum += (2L * load[c] + 1) * SCALE / (most * most);
      s = wiring.hop[c];
      port = column[s] & 0xff;
    }
    return sum;
  }
}
