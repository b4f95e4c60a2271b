package org.heddle.reconfig;

import java.util.Arrays;
import java.util.BitSet;
import org.heddle.routing.ForwardingTables;

/**
 * The entries of one LID before and after a change. Old entries are read from the tables on demand,
 * so that a change of a few switches does not touch the rows of all switches; new entries equal the
 * old ones except where {@link #set} changed them.
 *
 * <p>A change is checked once it is complete ({@link #settle}): the route from every switch that
 * was set must arrive. If every switch reached the LID before, and the last switch before its old
 * owner is set, nothing else needs checking: the route from any other switch either arrives at a
 * switch that was set, or would end at the old owner, whose switch was set.
 */
public final class ColumnChange {
  public final Wiring wiring;
  public final int lid;

  /** Port the LID is delivered at afterwards; {@link org.heddle.fabric.Fabric#NONE} if nowhere. */
  public final int owner;

  private final ForwardingTables tables;
  private final short[] before; // 1 + entry; 0 where it has not been read
  private final short[] after; // 1 + entry; 0 where it is that before

  private final int[] set; // switches that were set, in order
  private int setCount;

  /** Switches whose entry changes; in the order of writing after {@link #settle}. */
  public int[] changed = {};

  /** By position in {@link #changed}: switches on the way to the owner, the first one included. */
  public int[] rank = {};

  private BitSet carriers; // while entries change
  private BitSet carriersAfter;

  public ColumnChange(TableState state, int lid, int owner) {
    this.wiring = state.wiring;
    this.tables = state.tables;
    this.lid = lid;
    this.owner = owner;
    before = new short[wiring.switches];
    after = new short[wiring.switches];
    set = new int[wiring.switches];
  }

  public int before(int s) {
    if (before[s] == 0) {
      before[s] = (short) (tables.port(s, lid) + 1);
    }
    return before[s] - 1;
  }

  public int after(int s) {
    return after[s] != 0 ? after[s] - 1 : before(s);
  }

  public boolean isSet(int s) {
    return after[s] != 0;
  }

  public void set(int s, int port) {
    if (after[s] == 0) {
      set[setCount++] = s;
      carriers = null;
      carriersAfter = null;
    }
    after[s] = (short) (port + 1);
  }

  /** Number of switches that were set. */
  public int setCount() {
    return setCount;
  }

  /** The i-th switch that was set. */
  public int setAt(int i) {
    return set[i];
  }

  /** The channel to another switch that an entry leads to, or -1. */
  public int channel(int s, int number) {
    int channel = wiring.channel(s, number);
    return channel >= 0 && wiring.hop[channel] >= 0 ? channel : -1;
  }

  /**
   * Checks that the route of every switch that was set arrives, and orders the changes: a switch
   * after all changed switches on its new route. Written in this order no state in between has a
   * loop or a dead end: what is written leads along written switches to the new owner, what is not
   * leads to the old one or to something written. O(set switches + length of their routes).
   *
   * @return false if some route does not arrive; then nothing is ordered
   */
  public boolean settle() {
    int[] depth = new int[wiring.switches]; // > 0: arrives; -1: being followed
    int[] path = new int[wiring.switches];
    for (int i = 0; i < setCount; i++) {
      if (depth[set[i]] == 0 && !follow(set[i], depth, path)) {
        return false;
      }
    }
    order(depth);
    return true;
  }

  /** Orders changes that lead nowhere: by switch, all at once. */
  public void settleWithoutOwner() {
    order(new int[wiring.switches]);
  }

  private void order(int[] depth) {
    long[] keys = new long[setCount];
    int n = 0;
    for (int i = 0; i < setCount; i++) {
      int s = set[i];
      if (before(s) != after(s)) {
        keys[n++] = (long) depth[s] << 32 | s;
      }
    }
    Arrays.sort(keys, 0, n);
    changed = new int[n];
    rank = new int[n];
    for (int i = 0; i < n; i++) {
      changed[i] = (int) keys[i];
      rank[i] = (int) (keys[i] >>> 32);
    }
  }

  private boolean follow(int from, int[] depth, int[] path) {
    int n = 0;
    int s = from;
    int rest = 0;
    while (true) {
      if (depth[s] < 0) {
        return false; // a loop
      }
      if (depth[s] > 0) {
        rest = depth[s];
        break;
      }
      depth[s] = -1;
      path[n++] = s;
      int number = after(s);
      int out = wiring.channel(s, number);
      if (number == 0 && owner == wiring.first[s]) {
        break; // a switch's own LID
      }
      if (out < 0) {
        return false;
      }
      if (wiring.hop[out] < 0) {
        if (wiring.peer[out] != owner) {
          return false;
        }
        break;
      }
      s = wiring.hop[out];
    }
    while (n > 0) {
      depth[path[--n]] = ++rest;
    }
    return true;
  }

  /** Puts the changed switches into another order, with ranks that rise one by one. */
  public void reorder(int[] switches) {
    changed = switches;
    rank = new int[switches.length];
    Arrays.setAll(rank, i -> i + 1);
  }

  /**
   * Switches that packets from hosts may reach. O(switches) the first time, then O(1).
   *
   * @param settled true for afterwards, false for while some entries are old and some new
   */
  public BitSet carriers(boolean settled) {
    if (settled) {
      carriersAfter = carriersAfter == null ? findCarriers(true) : carriersAfter;
      return carriersAfter;
    }
    carriers = carriers == null ? findCarriers(false) : carriers;
    return carriers;
  }

  private BitSet findCarriers(boolean settled) {
    BitSet found = new BitSet(wiring.switches);
    int[] queue = new int[wiring.switches];
    int tail = 0;
    for (int s : wiring.hostSwitches) {
      found.set(s);
      queue[tail++] = s;
    }
    for (int head = 0; head < tail; head++) {
      int s = queue[head];
      int now = channel(s, after(s));
      int old = settled ? -1 : channel(s, before(s));
      if (now >= 0 && !found.get(wiring.hop[now])) {
        found.set(wiring.hop[now]);
        queue[tail++] = wiring.hop[now];
      }
      if (old >= 0 && !found.get(wiring.hop[old])) {
        found.set(wiring.hop[old]);
        queue[tail++] = wiring.hop[old];
      }
    }
    return found;
  }

  /**
   * Adds what packets of the LID make channels wait for: by new ways, and, unless it is settled, by
   * coming on an old way and leaving on the new one. LIDs of switches add nothing: what hosts send
   * them is management, on a lane of its own.
   */
  void addDependencies(TableState state, long[] bits, boolean settled) {
    if (owner < wiring.ports) {
      return;
    }
    BitSet carrying = carriers(settled);
    for (int s : changed) {
      int out = channel(s, after(s));
      if (out < 0) {
        continue;
      }
      for (int in = wiring.first[s] + 1; in < wiring.first[s + 1]; in++) {
        int t = wiring.hop[in];
        if (t < 0 || !carrying.get(t)) {
          continue;
        }
        int number = wiring.peer[in] - wiring.first[t];
        if (after(t) == number || (!settled && before(t) == number)) {
          add(state, bits, in, out);
        }
      }
      int onward = channel(wiring.hop[out], after(wiring.hop[out]));
      if (onward >= 0 && carrying.get(s)) {
        add(state, bits, wiring.peer[out], onward);
      }
    }
  }

  private void add(TableState state, long[] bits, int in, int out) {
    int number = out - wiring.first[wiring.fabric.nodeOf(in)];
    bits[state.row[in] + (number >>> 6)] |= 1L << number;
  }

  /** True if the new route of a switch climbs, or keeps its level, after it has not climbed. */
  public boolean turns(int from) {
    boolean fell = false;
    int s = from;
    for (int hops = 0; hops <= wiring.switches; hops++) {
      int out = channel(s, after(s));
      if (out < 0) {
        return false;
      }
      if (wiring.direction[out] == 0 || (fell && wiring.direction[out] > 0)) {
        return true;
      }
      fell |= wiring.direction[out] < 0;
      s = wiring.hop[out];
    }
    return true;
  }
}
