package org.heddle.verify;

/**
 * All routes to one LID. The table entries of one column make every switch point to one other
 * switch or to an end, so the switches form a forest, apart from forwarding loops: circles with
 * trees hanging off them.
 *
 * <p>{@link #build} costs O(switches) without allocation. The caller chooses the sources (hosts per
 * switch), so the same kernel serves all hosts or one tenant's.
 */
public final class RouteTree {
  /** The route arrives. */
  public static final int DELIVERED = -1;

  /** It ends at a switch without entry. */
  public static final int NO_ENTRY = -2;

  /** It ends at an entry that names a port the switch does not have. */
  public static final int PORT_OUT_OF_RANGE = -3;

  /** It ends at an entry that names a port without cable. */
  static final int DANGLING_PORT = -4;

  /** It ends at port 0 of another switch. */
  static final int PORT_ZERO = -5;

  /** It ends at an endport that does not own the LID. */
  public static final int WRONG_HOST = -6;

  /** It never ends. */
  static final int LOOP = -7;

  /** One more than the largest negated outcome. */
  static final int OUTCOMES = 8;

  /** By switch: the next switch, or the outcome at this switch. */
  final int[] next;

  /** By switch: the output port id; undefined unless next is a switch or DELIVERED. */
  final int[] out;

  /** By switch: switches traversed from here on, this one included; or the negative outcome. */
  final int[] depth;

  /** By switch: sources whose route comes through; in a loop, all that run into it. */
  final int[] weight;

  /** Switches outside of loops, every one before the one it points to; {@link #ordered} of them. */
  final int[] order;

  int ordered;

  /** True if some switch's route does not arrive. */
  boolean broken;

  /** The smallest switch id of each loop, ascending; {@link #loops} of them. */
  final int[] loopHead;

  int loops;

  private final int[] pending; // predecessors not yet processed; all zero between builds

  private final Network net;

  RouteTree(Network net) {
    this.net = net;
    int switches = net.switches;
    next = new int[switches];
    out = new int[switches];
    depth = new int[switches];
    weight = new int[switches];
    order = new int[switches];
    loopHead = new int[switches];
    pending = new int[switches];
  }

  /**
   * Follows one column over the switches of one component.
   *
   * @param column port number by {@code at + switch}
   * @param owner port id that owns the LID
   * @param component of the network, whose switches are followed
   * @param sources number of sources by switch
   * @param ownSource the switch at which one source is the owner itself, which does not send to
   *     itself; or {@link org.heddle.fabric.Fabric#NONE}
   */
  void build(byte[] column, int at, int owner, int component, int[] sources, int ownSource) {
    int from = net.memberStart[component];
    int to = net.memberStart[component + 1];
    follow(column, at, owner, from, to);
    for (int i = from; i < to; i++) {
      int s = net.members[i];
      weight[s] = sources[s];
    }
    if (ownSource >= 0) {
      weight[ownSource]--;
    }
    accumulate(from, to);
    loops = 0;
    broken = ordered < to - from;
    if (broken) {
      closeLoops(from, to);
    }
    measure();
  }

  private void follow(byte[] column, int at, int owner, int from, int to) {
    int[] members = net.members;
    int[] first = net.first;
    int[] hop = net.hop;
    for (int i = from; i < to; i++) {
      int s = members[i];
      int number = column[at + s] & 0xff;
      int port = first[s] + number;
      out[s] = port;
      int n;
      if (port < first[s + 1]) {
        n = hop[port];
        if (n >= 0) {
          pending[n]++;
        } else if (n == WRONG_HOST ? net.peer[port] == owner : port == owner) {
          n = DELIVERED;
        }
      } else {
        n = number == 0xff ? NO_ENTRY : PORT_OUT_OF_RANGE;
      }
      next[s] = n;
    }
  }

  /** Kahn's topological order; weights flow along it. */
  private void accumulate(int from, int to) {
    int[] members = net.members;
    int tail = 0;
    for (int i = from; i < to; i++) {
      int s = members[i];
      if (pending[s] == 0) {
        order[tail++] = s;
      }
    }
    for (int head = 0; head < tail; head++) {
      int s = order[head];
      int n = next[s];
      if (n >= 0) {
        weight[n] += weight[s];
        if (--pending[n] == 0) {
          order[tail++] = n;
        }
      }
    }
    ordered = tail;
  }

  /** What is still pending lies on circles: whatever enters one passes all of it. */
  private void closeLoops(int from, int to) {
    for (int i = from; i < to; i++) {
      int s = net.members[i];
      if (pending[s] == 0) {
        continue;
      }
      loopHead[loops++] = s;
      int total = 0;
      int t = s;
      do {
        total += weight[t];
        pending[t] = 0;
        depth[t] = LOOP;
        t = next[t];
      } while (t != s);
      do {
        weight[t] = total;
        t = next[t];
      } while (t != s);
    }
  }

  private void measure() {
    int worst = 0;
    for (int k = ordered - 1; k >= 0; k--) {
      int s = order[k];
      int n = next[s];
      int d;
      if (n >= 0) {
        d = depth[n];
        d += d > 0 ? 1 : 0;
      } else {
        d = n == DELIVERED ? 1 : n;
      }
      depth[s] = d;
      worst = Math.min(worst, d);
    }
    broken |= worst < 0;
  }

  /** The switch at which the route from s ends; not to be called in a loop. */
  int end(int s) {
    int t = s;
    while (next[t] >= 0) {
      t = next[t];
    }
    return t;
  }
}
