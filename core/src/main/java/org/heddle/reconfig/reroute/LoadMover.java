package org.heddle.reconfig.reroute;

import java.util.Arrays;
import org.heddle.fabric.Fabric;
import org.heddle.reconfig.Wiring;

/**
 * Moves destinations off overloaded channels, those with the fewest sources first, as long as that
 * reduces the total overload. Not thread-safe.
 */
final class LoadMover {
  private static final int MAX_TRIES = 48; // destinations of one channel
  private static final int MAX_WORK = 20_000; // tries in all

  private final Wiring wiring;
  private final TreeReach reach;
  private final ChannelUse use;
  private final ColumnChoice choice;
  private final byte[][] columns;

  private final boolean[] usable; // reaches the destination without the channel, legally
  private final boolean[] passes; // has a way over the channel
  private final boolean[] open;
  private int work;

  LoadMover(Wiring wiring, TreeReach reach, ChannelUse use, ColumnChoice choice, byte[][] columns) {
    this.wiring = wiring;
    this.reach = reach;
    this.use = use;
    this.choice = choice;
    this.columns = columns;
    usable = new boolean[wiring.switches];
    passes = new boolean[wiring.switches];
    open = new boolean[wiring.switches];
  }

  /** Moves until no channel carries too much, or nothing helps; returns how many were moved. */
  int run() {
    int moved = 0;
    boolean progress = true;
    while (use.excess() > 0 && progress && work < MAX_WORK) {
      progress = false;
      for (int c = 0; c < wiring.ports && use.excess() > 0; c++) {
        while (use.isOver(c) && moveOne(c)) {
          moved++;
          progress = true;
        }
      }
    }
    return moved;
  }

  private boolean moveOne(int channel) {
    long[] candidates = candidates(channel);
    for (int i = 0; i < candidates.length && i < MAX_TRIES && work < MAX_WORK; i++) {
      work++;
      if (move((int) candidates[i], channel)) {
        return true;
      }
    }
    return false;
  }

  /** Destinations on the channel as (switches with hosts that use it) * 2^32 + LID, ascending. */
  private long[] candidates(int channel) {
    int s = wiring.tail(channel);
    int number = wiring.number(channel);
    long[] out = new long[columns.length];
    int n = 0;
    for (int lid = 0; lid < columns.length; lid++) {
      if (columns[lid] == null
          || wiring.fabric.portOfLid(lid) < wiring.ports
          || (columns[lid][s] & 0xff) != number) {
        continue;
      }
      int to = wiring.fabric.attachedSwitch(wiring.fabric.portOfLid(lid));
      use.markAll(columns[lid], to);
      if (s != to && use.isMarked(channel)) {
        findPassing(columns[lid], to, channel);
        long sources = 0;
        for (int h : wiring.hostSwitches) {
          sources += passes[h] ? 1 : 0;
        }
        out[n++] = sources << 32 | lid;
      }
    }
    long[] found = Arrays.copyOf(out, n);
    Arrays.sort(found);
    return found;
  }

  /** Which switches have ways over the channel: backwards along the entries. */
  private void findPassing(byte[] column, int to, int channel) {
    Arrays.fill(passes, false);
    int[] queue = new int[wiring.switches];
    int end = 0;
    queue[end++] = wiring.tail(channel);
    passes[queue[0]] = true;
    for (int at = 0; at < end; at++) {
      int s = queue[at];
      for (int p = wiring.first[s] + 1; p < wiring.first[s + 1]; p++) {
        int t = wiring.hop[p];
        boolean comes =
            t >= 0
                && t != to
                && !passes[t]
                && wiring.channel(t, column[t] & 0xff) == wiring.peer[p];
        if (comes) {
          passes[t] = true;
          queue[end++] = t;
        }
      }
    }
  }

  private boolean move(int lid, int channel) {
    byte[] before = columns[lid];
    int to = wiring.fabric.attachedSwitch(wiring.fabric.portOfLid(lid));
    findPassing(before, to, channel);
    findUsable(to, channel);
    for (int h : wiring.hostSwitches) {
      if (passes[h] && !usable[h]) {
        return false;
      }
    }
    boolean any = false;
    for (int s = 0; s < open.length; s++) {
      open[s] = false;
      if (passes[s] && usable[s]) {
        int out = wiring.channel(s, before[s] & 0xff);
        int next = wiring.hop[out];
        // Where the next switch can turn off, this one need not.
        open[s] = out == channel || next == Fabric.NONE || !usable[next];
        any |= open[s];
      }
    }
    if (!any) {
      return false;
    }
    int excess = use.excess();
    use.markAll(before, to);
    use.remove();
    byte[] after = before.clone();
    choice.complete(after, lid, to, open, true, usable);
    use.markAll(after, to);
    use.add();
    if (use.excess() < excess) {
      columns[lid] = after;
      return true;
    }
    use.remove();
    use.markAll(before, to);
    use.add();
    return false;
  }

  private void findUsable(int to, int channel) {
    Arrays.fill(usable, false);
    usable[to] = true;
    int[] rising = reach.rising;
    for (int s : rising) {
      if (s != to && reach.isBelow(s, to)) {
        usable[s] = hasUsableNext(s, to, channel);
      }
    }
    for (int i = rising.length - 1; i >= 0; i--) {
      int s = rising[i];
      if (!reach.isBelow(s, to) && reach.isGood(s, to)) {
        usable[s] = hasUsableNext(s, to, channel);
      }
    }
  }

  private boolean hasUsableNext(int s, int to, int channel) {
    for (int p = wiring.first[s] + 1; p < wiring.first[s + 1]; p++) {
      if (p != channel
          && wiring.hop[p] >= 0
          && usable[wiring.hop[p]]
          && reach.isLegal(s, p - wiring.first[s], to)) {
        return true;
      }
    }
    return false;
  }
}
