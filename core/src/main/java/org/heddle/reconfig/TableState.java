package org.heddle.reconfig;

import java.util.BitSet;
import org.heddle.fabric.Fabric;
import org.heddle.routing.ForwardingTables;

/**
 * What is known about a set of tables as a whole: which LIDs are reached from every switch of their
 * component, and which channels wait for which because of routes between hosts (the channel
 * dependency graph). Both are computed once, in O(switches * LIDs), and carried over from move to
 * move.
 *
 * <p>Dependencies are only added, never taken away when routes change: more of them can only make a
 * proof fail. Immutable.
 */
public final class TableState {
  private static final int BLOCK = ForwardingTables.BLOCK_SIZE;

  public final Wiring wiring;
  public final ForwardingTables tables;

  /** LIDs whose route arrives from every switch of the owner's component, without a loop. */
  public final BitSet sound;

  /** Row of bits (output port numbers) per input port: {@code bits[row[inPort] + number / 64]}. */
  public final int[] row;

  public final long[] bits;

  /** True if every route between hosts goes up, then down, in levels of the tree. */
  public final boolean upDown;

  /** True if the dependencies close no cycle. */
  public final boolean acyclic;

  private TableState(
      Wiring wiring,
      ForwardingTables tables,
      BitSet sound,
      int[] row,
      long[] bits,
      boolean upDown,
      boolean acyclic) {
    this.wiring = wiring;
    this.tables = tables;
    this.sound = sound;
    this.row = row;
    this.bits = bits;
    this.upDown = upDown;
    this.acyclic = acyclic;
  }

  public static TableState of(Wiring wiring, ForwardingTables tables) {
    int[] row = layOut(wiring);
    long[] bits = new long[row[wiring.ports]];
    BitSet sound = new BitSet(tables.topLid() + 1);
    Walker walker = new Walker(wiring, row, bits);
    byte[] block = new byte[BLOCK];
    byte[][] columns = new byte[BLOCK][wiring.switches];
    for (int from = 0; from <= tables.topLid(); from += BLOCK) {
      int length = Math.min(BLOCK, tables.topLid() + 1 - from);
      for (int s = 0; s < wiring.switches; s++) {
        tables.copy(s, from, block, 0, length);
        for (int j = 0; j < length; j++) {
          columns[j][s] = block[j];
        }
      }
      for (int j = 0; j < length; j++) {
        int owner = wiring.fabric.portOfLid(from + j);
        if (owner != Fabric.NONE && walker.walk(columns[j], owner)) {
          sound.set(from + j);
        }
      }
    }
    boolean upDown = wiring.hasTree && onlyUpDown(wiring, row, bits);
    boolean acyclic = upDown || CreditProof.acyclic(wiring, row, bits);
    return new TableState(wiring, tables, sound, row, bits, upDown, acyclic);
  }

  /** The state after one column has become another. */
  public TableState with(ForwardingTables changed, int lid, int owner) {
    byte[] column = new byte[wiring.switches];
    for (int s = 0; s < column.length; s++) {
      column[s] = (byte) changed.port(s, lid);
    }
    long[] more = bits.clone();
    BitSet nowSound = (BitSet) sound.clone();
    boolean arrives = owner != Fabric.NONE && new Walker(wiring, row, more).walk(column, owner);
    nowSound.set(lid, arrives);
    boolean stillUpDown = upDown && onlyUpDown(wiring, row, more);
    boolean stillAcyclic = stillUpDown || CreditProof.acyclic(wiring, row, more);
    return new TableState(wiring, changed, nowSound, row, more, stillUpDown, stillAcyclic);
  }

  private static int[] layOut(Wiring wiring) {
    int[] row = new int[wiring.ports + 1];
    int words = 0;
    for (int s = 0; s < wiring.switches; s++) {
      int perPort = (wiring.first[s + 1] - wiring.first[s] + 63) >>> 6;
      for (int p = wiring.first[s]; p < wiring.first[s + 1]; p++) {
        row[p] = words;
        words += perPort;
      }
    }
    row[wiring.ports] = words;
    return row;
  }

  private static boolean onlyUpDown(Wiring wiring, int[] row, long[] bits) {
    for (int s = 0; s < wiring.switches; s++) {
      for (int in = wiring.first[s]; in < wiring.first[s + 1]; in++) {
        boolean fromBelow = wiring.hop[in] >= 0 && wiring.direction[in] < 0;
        for (int w = row[in]; w < row[in + 1]; w++) {
          for (long rest = bits[w]; rest != 0; rest &= rest - 1) {
            int out = wiring.first[s] + (w - row[in] << 6) + Long.numberOfTrailingZeros(rest);
            boolean legal =
                wiring.direction[out] < 0
                    ? wiring.direction[in] != 0
                    : wiring.direction[out] > 0 && fromBelow;
            if (!legal) {
              return false;
            }
          }
        }
      }
    }
    return true;
  }

  /** Follows all routes of one column, every switch once. */
  private static final class Walker {
    private final Wiring wiring;
    private final int[] row;
    private final long[] bits;
    private final int[] seen; // 2 * walk, + 1 if the route from here arrives
    private final int[] path;
    private int walk;

    Walker(Wiring wiring, int[] row, long[] bits) {
      this.wiring = wiring;
      this.row = row;
      this.bits = bits;
      seen = new int[wiring.switches];
      path = new int[wiring.switches];
    }

    /** Adds the dependencies of routes from hosts; true if the LID is reached from everywhere. */
    boolean walk(byte[] column, int owner) {
      walk += 2;
      int attached = wiring.fabric.attachedSwitch(owner);
      if (attached == Fabric.NONE) {
        return false;
      }
      int component = wiring.component[attached];
      boolean toHost = owner >= wiring.ports;
      boolean arrives = true;
      for (int s : wiring.hostSwitches) {
        if (wiring.component[s] == component) {
          arrives &= follow(column, owner, s, toHost);
        }
      }
      for (int s = 0; s < wiring.switches; s++) {
        if (wiring.component[s] == component) {
          arrives &= follow(column, owner, s, false);
        }
      }
      return arrives;
    }

    private boolean follow(byte[] column, int owner, int from, boolean depends) {
      int n = 0;
      int s = from;
      int in = -1;
      boolean arrives;
      while (true) {
        if (seen[s] >= walk) {
          arrives = (seen[s] & 1) != 0;
          // The last step joins a route seen before: its dependency is new all the same.
          depend(column, in, s, depends);
          break;
        }
        depend(column, in, s, depends);
        seen[s] = walk;
        path[n++] = s;
        int number = column[s] & 0xff;
        int out = wiring.first[s] + number;
        if (number == 0 || out >= wiring.first[s + 1] || wiring.hop[out] < 0) {
          int port = wiring.channel(s, number);
          arrives = number == 0 ? out == owner : port >= 0 && wiring.peer[port] == owner;
          break;
        }
        in = wiring.peer[out];
        s = wiring.hop[out];
      }
      for (int i = 0; i < n && arrives; i++) {
        seen[path[i]] = walk + 1;
      }
      return arrives;
    }

    private void depend(byte[] column, int in, int s, boolean depends) {
      int number = column[s] & 0xff;
      if (depends && in >= 0 && number != 0) {
        int out = wiring.first[s] + number;
        if (out < wiring.first[s + 1] && wiring.hop[out] >= 0) {
          bits[row[in] + (number >>> 6)] |= 1L << number;
        }
      }
    }
  }
}
