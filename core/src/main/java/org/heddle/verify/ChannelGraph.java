package org.heddle.verify;

import java.util.Arrays;

/**
 * The channel dependency graph over the channels between switches: strongly connected components
 * and a shortest cycle. A channel is the id of the port it leaves.
 *
 * <p>Components by Tarjan (SIAM J. Comput. 1972), iteratively: O(channels + dependencies). Shortest
 * cycle by breadth-first search from every channel of a cyclic component, looking only at larger
 * ids (a cycle is found from its smallest channel) and no deeper than the best so far, until a
 * budget of edges is spent.
 */
public final class ChannelGraph {
  /** A budget that lasts about a tenth of a second and is never spent on small fabrics. */
  public static final long SEARCH_BUDGET = 50_000_000;

  private static final int UNSEEN = 0;

  private final Network net;
  private final Dependencies dependencies;
  private final int plane;
  private final long budget;
  private final int size;

  private int channels;
  private long edges;
  private int cyclic;
  private int largest;

  private final int[] scc; // by channel: number of its cyclic component from 1; 0 if it has none

  private final int[] index; // Tarjan: order of discovery from 1
  private final int[] low;
  private final boolean[] open;
  private final int[] stack;
  private int stackTop;
  private int discovered;

  private final int[] frame; // recursion: channel, word being read, bits of it still to follow
  private final int[] frameWord;
  private final long[] frameBits;

  private int[] cycle = {};
  private boolean shortest = true;

  /**
   * @param plane of the dependencies
   * @param budget edges after which no further search for a shorter cycle starts
   */
  public ChannelGraph(Network net, Dependencies dependencies, int plane, long budget) {
    this(net, dependencies, plane, budget, true);
  }

  /** True if the dependencies close a cycle. O(channels + dependencies). */
  static boolean hasCycle(Network net, Dependencies dependencies, int plane) {
    return new ChannelGraph(net, dependencies, plane, 0, false).cyclic > 0;
  }

  private ChannelGraph(
      Network net, Dependencies dependencies, int plane, long budget, boolean searched) {
    this.net = net;
    this.dependencies = dependencies;
    this.plane = plane;
    this.budget = budget;
    this.size = net.switchPorts;
    scc = new int[size];
    index = new int[size];
    low = new int[size];
    open = new boolean[size];
    stack = new int[size];
    frame = new int[size + 1];
    frameWord = new int[size + 1];
    frameBits = new long[size + 1];
    for (int c = 0; c < size; c++) {
      if (net.hop[c] >= 0) {
        channels++;
        edges += outDegree(c);
        if (index[c] == UNSEEN) {
          connect(c);
        }
      }
    }
    if (cyclic > 0 && searched) {
      findCycle();
    }
  }

  public AuditReport.CreditLoops result() {
    return new AuditReport.CreditLoops(
        channels,
        edges,
        cyclic,
        largest,
        cycle.length,
        shortest,
        cycle.length == 0 ? "" : AuditMessages.path(net.fabric, cycle));
  }

  private int words(int channel) {
    int n = net.hop[channel];
    return (net.first[n + 1] - net.first[n] + 63) >>> 6;
  }

  private long word(int channel, int k) {
    return dependencies.word(net, net.peer[channel], k, plane);
  }

  private int outDegree(int channel) {
    int degree = 0;
    for (int k = words(channel) - 1; k >= 0; k--) {
      degree += Long.bitCount(word(channel, k));
    }
    return degree;
  }

  /** Channel named by a bit of a word of another channel's row. */
  private int target(int channel, int k, long bit) {
    return net.first[net.hop[channel]] + (k << 6) + Long.numberOfTrailingZeros(bit);
  }

  private void connect(int root) {
    int depth = 0;
    enter(root, depth);
    while (depth >= 0) {
      int c = frame[depth];
      if (frameBits[depth] == 0) {
        int k = ++frameWord[depth];
        if (k < words(c)) {
          frameBits[depth] = word(c, k);
        } else {
          leave(c);
          depth--;
          if (depth >= 0) {
            low[frame[depth]] = Math.min(low[frame[depth]], low[c]);
          }
        }
        continue;
      }
      long bit = Long.lowestOneBit(frameBits[depth]);
      frameBits[depth] ^= bit;
      int t = target(c, frameWord[depth], bit);
      if (index[t] == UNSEEN) {
        enter(t, ++depth);
      } else if (open[t]) {
        low[c] = Math.min(low[c], index[t]);
      }
    }
  }

  private void enter(int c, int depth) {
    index[c] = ++discovered;
    low[c] = discovered;
    open[c] = true;
    stack[stackTop++] = c;
    frame[depth] = c;
    frameWord[depth] = 0;
    frameBits[depth] = word(c, 0);
  }

  /** All successors of a channel are done: if it is the first of its component, take that off. */
  private void leave(int c) {
    if (low[c] != index[c]) {
      return;
    }
    int from = stackTop;
    do {
      from--;
      open[stack[from]] = false;
    } while (stack[from] != c);
    int members = stackTop - from;
    if (members > 1 || dependsOnItself(c)) {
      cyclic++;
      largest = Math.max(largest, members);
      for (int i = from; i < stackTop; i++) {
        scc[stack[i]] = cyclic;
      }
    }
    stackTop = from;
  }

  private boolean dependsOnItself(int c) {
    int n = net.hop[c];
    int number = c - net.first[n];
    return c >= net.first[n]
        && c < net.first[n + 1]
        && (word(c, number >>> 6) & (1L << number)) != 0;
  }

  private void findCycle() {
    int[] parent = new int[size];
    int[] level = new int[size];
    int[] queue = new int[size];
    Arrays.fill(parent, -1);
    long spent = 0;
    for (int c = 0; c < size && cycle.length != 1; c++) {
      if (scc[c] == 0) {
        continue;
      }
      if (spent > budget) {
        shortest = false;
        return;
      }
      spent += searchFrom(c, parent, level, queue);
    }
  }

  /**
   * Looks for a cycle through {@code start} shorter than the best.
   *
   * @return edges looked at
   */
  private long searchFrom(int start, int[] parent, int[] level, int[] queue) {
    int limit = cycle.length == 0 ? Integer.MAX_VALUE : cycle.length - 1;
    long spent = 0;
    int tail = 0;
    queue[tail++] = start;
    parent[start] = start;
    level[start] = 1;
    int last = -1;
    for (int head = 0; head < tail && last < 0 && level[queue[head]] <= limit; head++) {
      int c = queue[head];
      for (int k = 0; k < words(c) && last < 0; k++) {
        for (long rest = word(c, k); rest != 0; rest &= rest - 1) {
          spent++;
          int t = target(c, k, rest);
          if (t == start) {
            last = c;
            break;
          }
          if (t > start && parent[t] < 0 && scc[t] == scc[start]) {
            parent[t] = c;
            level[t] = level[c] + 1;
            queue[tail++] = t;
          }
        }
      }
    }
    if (last >= 0) {
      cycle = new int[level[last]];
      for (int i = cycle.length - 1; i >= 0; i--) {
        cycle[i] = last;
        last = parent[last];
      }
    }
    for (int i = 0; i < tail; i++) {
      parent[queue[i]] = -1;
    }
    return spent + tail;
  }
}
