package org.heddle.routing.partition;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.heddle.fabric.Fabric;
import org.heddle.routing.ForwardingTables;
import org.heddle.routing.tree.Destinations;
import org.heddle.tenancy.IsolationPolicy;

/**
 * Which partitions meet on which switch-to-switch channels, traced from finished tables by {@link
 * PartitionTrace}: an engine's claims rest on this, not on its intentions. The verifier computes
 * the same independently.
 *
 * <p>The partitions of a channel are a row of bits, so that comparing them takes a word operation
 * for 64 partitions. O(channels * partitions^2 / 64) at most.
 */
final class PartitionChannels {
  private static final int LISTED = 20;

  private final Fabric fabric;
  private final PartitionMap map;

  /** Words of a row of partitions. */
  private final int words;

  /** Partitions on a channel: bit {@code p} of the row at {@code words * port id}. */
  private final long[] users;

  private long broken;

  PartitionChannels(Fabric fabric, ForwardingTables tables, PartitionMap map, Destinations dest) {
    this.fabric = fabric;
    this.map = map;
    words = (map.count + 63) >>> 6;
    users = new PartitionTrace(fabric, tables, map, dest, PartitionTrace.CACHED_WORDS).users();
  }

  /** Pairs of partitions that meet on a channel: {@code meets[a][b]}. */
  boolean[][] meets() {
    long[] rows = meetingRows();
    boolean[][] meets = new boolean[map.count][map.count];
    for (int a = 0; a < map.count; a++) {
      for (int b = 0; b < map.count; b++) {
        meets[a][b] = a != b && (rows[a * words + (b >>> 6)] >>> b & 1) != 0;
      }
    }
    return meets;
  }

  /** By partition, the partitions on its channels; a partition that met all is not looked at. */
  private long[] meetingRows() {
    long[] rows = new long[map.count * words];
    long[] open = allPartitions();
    for (int at = 0; at < users.length; at += words) {
      for (int w = 0; w < words; w++) {
        for (long bits = users[at + w] & open[w]; bits != 0; bits &= bits - 1) {
          int a = (w << 6) + Long.numberOfTrailingZeros(bits);
          int met = 0;
          for (int v = 0; v < words; v++) {
            rows[a * words + v] |= users[at + v];
            met += Long.bitCount(rows[a * words + v]);
          }
          if (met == map.count) {
            open[w] &= ~(bits & -bits);
          }
        }
      }
    }
    return rows;
  }

  private long[] allPartitions() {
    long[] all = new long[words];
    for (int p = 0; p < map.count; p++) {
      all[p >>> 6] |= 1L << p;
    }
    return all;
  }

  /** Number of channels that physically isolated partitions use. */
  int physical() {
    long[] physical = new long[words];
    for (int p = 0; p < map.count; p++) {
      physical[p >>> 6] |= map.isPhysical(p) ? 1L << p : 0;
    }
    int count = 0;
    for (int at = 0; at < users.length; at += words) {
      boolean any = false;
      for (int w = 0; w < words; w++) {
        any |= (users[at + w] & physical[w]) != 0;
      }
      count += any ? 1 : 0;
    }
    return count;
  }

  /** Number of (channel, pair of partitions) combinations that {@link #violations} found. */
  long broken() {
    return broken;
  }

  /** Broken promises, one sentence per channel and pair, in channel order; the first few. */
  List<String> violations(int[] lane) {
    long[] bad = new long[map.count * words]; // by partition, those with a larger index
    long[] concerned = new long[words]; // partitions with such a row
    for (int a = 0; a < map.count; a++) {
      for (int b = a + 1; b < map.count; b++) {
        if (reason(a, b, lane) != null) {
          bad[a * words + (b >>> 6)] |= 1L << b;
          concerned[a >>> 6] |= 1L << a;
        }
      }
    }
    List<String> out = new ArrayList<>();
    broken = 0;
    if (Arrays.stream(concerned).allMatch(w -> w == 0)) {
      return out;
    }
    for (int at = 0; at < users.length; at += words) {
      for (int w = 0; w < words; w++) {
        for (long bits = users[at + w] & concerned[w]; bits != 0; bits &= bits - 1) {
          note(at, (w << 6) + Long.numberOfTrailingZeros(bits), bad, lane, out);
        }
      }
    }
    if (broken > LISTED) {
      out.add("... and " + (broken - LISTED) + " more");
    }
    return out;
  }

  /** Counts and lists those that partition a should not meet on the channel at a row. */
  private void note(int at, int a, long[] bad, int[] lane, List<String> out) {
    for (int v = a >>> 6; v < words; v++) {
      long met = users[at + v] & bad[a * words + v];
      for (long left = met; left != 0 && out.size() < LISTED; left &= left - 1) {
        out.add(sentence(at / words, a, (v << 6) + Long.numberOfTrailingZeros(left), lane));
      }
      broken += Long.bitCount(met);
    }
  }

  private String sentence(int channel, int a, int b, int[] lane) {
    return fabric.node(fabric.nodeOf(channel)).display()
        + " port "
        + fabric.numberOf(channel)
        + ": "
        + map.tenancy.partitions().get(a).name()
        + " and "
        + map.tenancy.partitions().get(b).name()
        + reason(a, b, lane);
  }

  private String reason(int a, int b, int[] lane) {
    if (map.clash(a, b)) {
      return " share it, and physical isolation was promised";
    }
    boolean lanes =
        map.policy(a) == IsolationPolicy.VLANE || map.policy(b) == IsolationPolicy.VLANE;
    return lanes && lane[a] == lane[b] && !map.tenancy.mayShare(a, b)
        ? " share it on one lane, and lanes of their own were promised"
        : null;
  }
}
