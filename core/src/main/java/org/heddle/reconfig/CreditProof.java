package org.heddle.reconfig;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Proves that a change of routes cannot deadlock, packets in flight included.
 *
 * <p>While a LID's entries change one by one, a packet that came to switch s on the old route may
 * leave s on the new one. Entries are written so that a switch comes after every other switch on
 * its new route, so a packet on the new route stays on it. The only possible dependencies are old
 * to old, old to new, and new to new. If these and those of all other routes together close no
 * cycle of channels, no deadlock is possible whenever each switch applies its write (Duato). Old to
 * new can lead down and then up again: where routes between hosts otherwise only climb and then
 * descend, every cycle contains such a turn, and only channels that lead to a turn need to be
 * looked at.
 */
public final class CreditProof {
  /** What happens to a LID at the same time. */
  public enum Phase {
    /** Nothing any more: its new entries are written and nothing is on the old way. */
    SETTLED,
    /** Entries are being written, every switch after those on its new way. */
    CHANGING,
    /** Entries are being written in any order. */
    CHANGING_IN_ANY_ORDER
  }

  /** A LID that changes. */
  public record Moving(ColumnChange column, Phase phase) {}

  private static final byte NEW = 0;
  private static final byte OPEN = 1;
  private static final byte DONE = 2;

  private final TableState state;
  private final Wiring wiring;
  private final List<Moving> moving;
  private final boolean carriedOnly;

  private final byte[] colour;
  private boolean[] leadsToTurn; // by switch; null: all channels count
  private int[] arena = new int[256]; // successors of the open channels
  private int arenaTop;

  private CreditProof(TableState state, List<Moving> moving, boolean carriedOnly) {
    this.state = state;
    this.wiring = state.wiring;
    this.moving = moving;
    this.carriedOnly = carriedOnly;
    colour = new byte[wiring.ports];
  }

  /**
   * True if the changes together with all other routes close no cycle. Tried first with every
   * switch as a sender, which is quick, then with those that packets from hosts reach.
   */
  public static boolean holds(TableState state, List<Moving> moving) {
    return state.acyclic
        && (new CreditProof(state, moving, false).prove()
            || new CreditProof(state, moving, true).prove());
  }

  /** True if the new routes of a LID by themselves only climb and then descend. */
  public static boolean endsUpDown(TableState state, ColumnChange column) {
    List<Moving> settled = List.of(new Moving(column, Phase.SETTLED));
    return new CreditProof(state, settled, false).turns().isEmpty()
        || new CreditProof(state, settled, true).turns().isEmpty();
  }

  /** True if packets of the LID may go down, or along a level, and then not down. */
  static boolean turnsInFlight(TableState state, ColumnChange column) {
    if (!state.upDown || column.owner < state.wiring.ports) {
      return column.owner >= state.wiring.ports;
    }
    List<Moving> changing = List.of(new Moving(column, Phase.CHANGING));
    return !new CreditProof(state, changing, true).turns().isEmpty();
  }

  private boolean prove() {
    if (!state.upDown) {
      return searchFrom(allNewChannels());
    }
    BitSet turns = turns();
    if (turns.isEmpty()) {
      return true;
    }
    markAbove(turns);
    return searchFrom(turns);
  }

  // ---- where a search starts

  private BitSet allNewChannels() {
    BitSet out = new BitSet();
    for (Moving m : moving) {
      for (int s : m.column.changed) {
        add(out, m.column.channel(s, m.column.after(s)));
        if (m.phase == Phase.CHANGING_IN_ANY_ORDER) {
          add(out, m.column.channel(s, m.column.before(s)));
        }
      }
    }
    return out;
  }

  private static void add(BitSet set, int channel) {
    if (channel >= 0) {
      set.set(channel);
    }
  }

  /** Channels that packets may turn into which came down, or along a level. */
  private BitSet turns() {
    BitSet out = new BitSet();
    for (Moving m : moving) {
      ColumnChange c = m.column;
      for (int s : c.changed) {
        turnsAt(m, s, out);
        int next = c.channel(s, c.after(s));
        if (next >= 0 && wiring.direction[next] <= 0) {
          turnsAt(m, wiring.hop[next], out); // comes down newly into a switch that may not change
        }
      }
    }
    return out;
  }

  private void turnsAt(Moving m, int s, BitSet out) {
    ColumnChange c = m.column;
    int now = c.channel(s, c.after(s));
    int old = c.channel(s, c.before(s));
    boolean up = now >= 0 && wiring.direction[now] >= 0;
    boolean oldUp =
        m.phase == Phase.CHANGING_IN_ANY_ORDER && old >= 0 && wiring.direction[old] >= 0;
    if (!up && !oldUp) {
      return;
    }
    for (int in = wiring.first[s] + 1; in < wiring.first[s + 1]; in++) {
      int t = wiring.hop[in];
      if (t < 0 || (carriedOnly && !carries(m, t))) {
        continue;
      }
      int number = wiring.peer[in] - wiring.first[t];
      boolean arrivesNew = c.after(t) == number;
      boolean arrivesOld = m.phase != Phase.SETTLED && c.before(t) == number;
      if (!arrivesNew && !arrivesOld) {
        continue;
      }
      boolean fromBelow = wiring.direction[in] < 0;
      if (up && !(fromBelow && wiring.direction[now] > 0)) {
        out.set(now);
      }
      if (oldUp && !(fromBelow && wiring.direction[old] > 0)) {
        out.set(old);
      }
    }
  }

  private static boolean carries(Moving m, int s) {
    return m.column.carriers(m.phase == Phase.SETTLED).get(s);
  }

  /** Only channels down to a switch that turns, or to one above it, can be part of a cycle. */
  private void markAbove(BitSet turns) {
    leadsToTurn = new boolean[wiring.switches];
    int[] queue = new int[wiring.switches];
    int tail = 0;
    for (int c = turns.nextSetBit(0); c >= 0; c = turns.nextSetBit(c + 1)) {
      int s = wiring.tail(c);
      if (!leadsToTurn[s]) {
        leadsToTurn[s] = true;
        queue[tail++] = s;
      }
    }
    for (int head = 0; head < tail; head++) {
      int s = queue[head];
      for (int i = wiring.upStart[s]; i < wiring.upStart[s + 1]; i++) {
        int parent = wiring.hop[wiring.upPort[i]];
        if (!leadsToTurn[parent]) {
          leadsToTurn[parent] = true;
          queue[tail++] = parent;
        }
      }
    }
  }

  // ---- the search

  /** Depth-first search; false if it meets a channel it has not left yet. */
  private boolean searchFrom(BitSet channels) {
    int[] frame = new int[64];
    int[] end = new int[64];
    for (int c = channels.nextSetBit(0); c >= 0; c = channels.nextSetBit(c + 1)) {
      if (colour[c] != NEW) {
        continue;
      }
      int depth = 0;
      frame[0] = c;
      end[0] = open(c);
      while (depth >= 0) {
        if (arenaTop == end[depth]) {
          colour[frame[depth--]] = DONE;
          continue;
        }
        int next = arena[--arenaTop];
        if (colour[next] == OPEN) {
          return false;
        }
        if (colour[next] == NEW) {
          if (++depth == frame.length) {
            frame = Arrays.copyOf(frame, 2 * depth);
            end = Arrays.copyOf(end, 2 * depth);
          }
          frame[depth] = next;
          end[depth] = open(next);
        }
      }
    }
    return true;
  }

  /** Puts the successors of a channel on the arena; returns where they begin. */
  private int open(int channel) {
    colour[channel] = OPEN;
    int from = arenaTop;
    int s = wiring.hop[channel];
    int in = wiring.peer[channel];
    for (int w = state.row[in]; w < state.row[in + 1]; w++) {
      for (long rest = state.bits[w]; rest != 0; rest &= rest - 1) {
        push(wiring.first[s] + (w - state.row[in] << 6) + Long.numberOfTrailingZeros(rest));
      }
    }
    int t = wiring.tail(channel);
    int number = channel - wiring.first[t];
    for (Moving m : moving) {
      ColumnChange c = m.column;
      boolean arrives = c.after(t) == number || (m.phase != Phase.SETTLED && c.before(t) == number);
      if (arrives && (!carriedOnly || carries(m, t))) {
        push(c.channel(s, c.after(s)));
        if (m.phase == Phase.CHANGING_IN_ANY_ORDER) {
          push(c.channel(s, c.before(s)));
        }
      }
    }
    return from;
  }

  private void push(int channel) {
    if (channel < 0
        || (leadsToTurn != null
            && wiring.direction[channel] < 0
            && !leadsToTurn[wiring.hop[channel]])) {
      return;
    }
    if (arenaTop == arena.length) {
      arena = Arrays.copyOf(arena, 2 * arenaTop);
    }
    arena[arenaTop++] = channel;
  }

  // ---- tables as they are

  /** True if dependencies close no cycle; Kahn's algorithm, O(channels + dependencies). */
  public static boolean acyclic(Wiring wiring, int[] row, long[] bits) {
    int[] waiting = new int[wiring.ports];
    int channels = 0;
    for (int c = 0; c < wiring.ports; c++) {
      if (wiring.hop[c] < 0) {
        continue;
      }
      channels++;
      for (int w = row[wiring.peer[c]]; w < row[wiring.peer[c] + 1]; w++) {
        for (long rest = bits[w]; rest != 0; rest &= rest - 1) {
          waiting[target(wiring, row, c, w, rest)]++;
        }
      }
    }
    int[] queue = new int[channels];
    int tail = 0;
    for (int c = 0; c < wiring.ports; c++) {
      if (wiring.hop[c] >= 0 && waiting[c] == 0) {
        queue[tail++] = c;
      }
    }
    for (int head = 0; head < tail; head++) {
      int c = queue[head];
      for (int w = row[wiring.peer[c]]; w < row[wiring.peer[c] + 1]; w++) {
        for (long rest = bits[w]; rest != 0; rest &= rest - 1) {
          int t = target(wiring, row, c, w, rest);
          if (--waiting[t] == 0) {
            queue[tail++] = t;
          }
        }
      }
    }
    return tail == channels;
  }

  private static int target(Wiring wiring, int[] row, int c, int word, long rest) {
    int in = wiring.peer[c];
    return wiring.first[wiring.hop[c]] + (word - row[in] << 6) + Long.numberOfTrailingZeros(rest);
  }
}
