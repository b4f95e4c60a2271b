package org.heddle.verify;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.heddle.fabric.Fabric;
import org.heddle.routing.ForwardingTables;

/**
 * One worker's pass over a range of LIDs: builds the {@link RouteTree} of every LID and adds up
 * what the checks need. Sums, bit sets and first-come examples only, so that the sweeps of adjacent
 * ranges {@linkplain #merge merge} into exactly what one sweep over both would have found.
 *
 * <p>O(switches) per LID, no allocation as long as nothing is wrong.
 */
public final class Sweep {
  /** Columns read at once: row-major tables are turned in blocks of the size of an LFT block. */
  public static final int BLOCK = ForwardingTables.BLOCK_SIZE;

  private static final int UP_AHEAD = 1;
  private static final int DOWN_UP = 2;
  private static final int SAME_LEVEL = 4;

  private final Network net;
  private final ForwardingTables tables;
  private final int keep;
  private final RouteTree tree;
  private final byte[] columns;
  private final byte[] block = new byte[BLOCK];
  private final byte[] flags;

  /** Load by port id; the channels out of CAs are filled in by {@link #finish}. */
  final long[] pairs;

  final int[] destinations;
  public final Dependencies dependencies;

  /** Routes between CAs by number of switches. */
  final long[] hops;

  long downUpRoutes;
  long sameLevelRoutes;

  long checkedEntries;
  long missingEntries;
  int caLids;
  int switchLids;

  /** Pairs by {@link AuditReport.PairKind}, and those that fail by negated outcome too. */
  final long[] pairCount = new long[4];

  final long[][] failed = new long[4][RouteTree.OUTCOMES];
  final long[] count = new long[AuditCode.values().length];
  final List<List<String>> examples = new ArrayList<>();
  final LoopSet loops = new LoopSet();

  private final int[] reached; // by switch: LIDs of CAs that its routes reach
  private final int[] ownReached; // by CA port: its own LIDs among those of its switch

  public Sweep(Network net, ForwardingTables tables, int keep) {
    this.net = net;
    this.tables = tables;
    this.keep = keep;
    this.tree = new RouteTree(net);
    this.columns = new byte[BLOCK * net.switches];
    this.flags = new byte[net.switches];
    this.pairs = new long[net.peer.length];
    this.destinations = new int[net.peer.length];
    this.dependencies = new Dependencies(net);
    this.hops = new long[net.switches + 1];
    this.reached = new int[net.switches];
    this.ownReached = new int[net.peer.length];
    for (int i = 0; i < count.length; i++) {
      examples.add(new ArrayList<>());
    }
  }

  /** Checks the LIDs {@code from .. from + BLOCK - 1}, {@code from} a multiple of the block. */
  public void block(int from) {
    block(from, null);
  }

  /** The same for some of them; null for all. */
  void block(int from, BitSet only) {
    int length = Math.max(0, Math.min(BLOCK, tables.topLid() + 1 - from));
    Arrays.fill(block, length, BLOCK, (byte) ForwardingTables.NO_PORT);
    int n = net.switches;
    for (int s = 0; s < n; s++) {
      if (length > 0) {
        tables.copy(s, from, block, 0, length);
      }
      for (int j = 0, at = s; j < BLOCK; j++, at += n) {
        columns[at] = block[j];
      }
    }
    for (int j = from == 0 ? 1 : 0; j < BLOCK; j++) {
      if (only == null || only.get(from + j)) {
        lid(from + j, j * n);
      }
    }
  }

  private void lid(int lid, int at) {
    int owner = net.fabric.portOfLid(lid);
    int attached = owner == Fabric.NONE ? Fabric.NONE : net.attachedSwitch(owner);
    int component = attached == Fabric.NONE ? Fabric.NONE : net.component[attached];
    if (net.components() > 1 || component == Fabric.NONE) {
      countStale(lid, at, component);
    }
    if (component == Fabric.NONE) {
      if (owner != Fabric.NONE && net.isSource(owner)) {
        directCable(owner);
      }
      return;
    }
    boolean toCa = owner >= net.switchPorts;
    int from = net.memberStart[component];
    int to = net.memberStart[component + 1];
    tree.build(columns, at, owner, component, net.sources, toCa ? attached : Fabric.NONE);
    checkedEntries += to - from;
    int senders = net.componentSources[component];
    if (toCa) {
      caLids++;
      pairCount[0] += senders - 1;
      pairCount[1] += to - from;
      routesToCa(from, to, owner, attached);
      if (net.hasTree) {
        directions(lid, owner, attached, from, to);
      }
    } else {
      switchLids++;
      pairCount[2] += senders;
      pairCount[3] += to - from - 1;
      dependencies.add(net, tree, from, to, false);
    }
    if (tree.broken) {
      badEntries(lid, at, owner, from, to);
      failures(lid, owner, attached, from, to);
      for (int i = 0; i < tree.loops; i++) {
        loops.add(tree, tree.loopHead[i], lid);
      }
    }
  }

  private void countStale(int lid, int at, int component) {
    int code = AuditCode.STALE_ENTRY.ordinal();
    for (int s = 0; s < net.switches; s++) {
      int number = columns[at + s] & 0xff;
      if (number == ForwardingTables.NO_PORT || net.component[s] == component) {
        continue;
      }
      count[code]++;
      if (examples.get(code).size() < keep) {
        examples
            .get(code)
            .add(
                AuditMessages.node(net.fabric, s)
                    + " sends LID "
                    + lid
                    + " to port "
                    + number
                    + (component == Fabric.NONE
                        ? ", a LID no switch leads to"
                        : ", a LID of another component"));
      }
    }
  }

  /** Two CAs cabled to each other: the route takes no switch. */
  private void directCable(int owner) {
    caLids++;
    int sender = net.peer[owner];
    if (sender != owner && net.isSource(sender)) {
      pairCount[0]++;
      hops[0]++;
      pairs[sender]++;
      destinations[sender]++;
    }
  }

  private void routesToCa(int from, int to, int owner, int attached) {
    int[] members = net.members;
    int[] sources = net.sources;
    for (int i = from; i < to; i++) {
      int s = members[i];
      int d = tree.depth[s];
      if (d > 0) {
        hops[d] += sources[s];
        reached[s]++;
        int w = tree.weight[s];
        if (w > 0) {
          int out = tree.out[s];
          pairs[out] += w;
          destinations[out]++;
        }
      }
    }
    if (tree.depth[attached] > 0) {
      hops[tree.depth[attached]]--;
      ownReached[owner]++;
    }
    dependencies.add(net, tree, from, to, true);
  }

  private int senders(int s, int attached) {
    return net.sources[s] - (s == attached ? 1 : 0);
  }

  /** Counts routes that go down and then up, or along a level, from the destination backwards. */
  private void directions(int lid, int owner, int attached, int from, int to) {
    int any = 0;
    for (int k = tree.ordered - 1; k >= 0; k--) {
      int s = tree.order[k];
      if (tree.depth[s] < 0) {
        continue;
      }
      int f = 0;
      if (tree.next[s] >= 0) {
        f = flags[tree.next[s]];
        int direction = net.direction[tree.out[s]];
        if (direction > 0) {
          f |= UP_AHEAD;
        } else if (direction == 0) {
          f |= SAME_LEVEL;
        } else if ((f & UP_AHEAD) != 0) {
          f |= DOWN_UP;
        }
      }
      flags[s] = (byte) f;
      any |= f;
    }
    if ((any & (DOWN_UP | SAME_LEVEL)) == 0) {
      return;
    }
    for (int i = from; i < to; i++) {
      int s = net.members[i];
      if (tree.depth[s] > 0 && (flags[s] & (DOWN_UP | SAME_LEVEL)) != 0) {
        int n = senders(s, attached);
        downUpRoutes += (flags[s] & DOWN_UP) != 0 ? n : 0;
        sameLevelRoutes += (flags[s] & SAME_LEVEL) != 0 ? n : 0;
        directionExamples(s, lid, owner);
      }
    }
  }

  private void directionExamples(int s, int lid, int owner) {
    if ((flags[s] & DOWN_UP) != 0) {
      routeExamples(AuditCode.DOWN_UP_ROUTE, s, lid, owner);
    }
    if ((flags[s] & SAME_LEVEL) != 0) {
      routeExamples(AuditCode.SAME_LEVEL_ROUTE, s, lid, owner);
    }
  }

  /** Adds the routes of the hosts at a switch, while there is room. */
  private void routeExamples(AuditCode code, int s, int lid, int owner) {
    List<String> list = examples.get(code.ordinal());
    for (int p = net.first[s]; p < net.first[s + 1] && list.size() < keep; p++) {
      int source = net.peer[p];
      if (source != Fabric.NONE && net.isSource(source) && source != owner) {
        int[] path = new int[tree.depth[s] + 1];
        path[0] = source;
        for (int i = 1, t = s; i < path.length; i++, t = tree.next[t]) {
          path[i] = tree.out[t];
        }
        list.add("LID " + lid + ": " + AuditMessages.path(net.fabric, path));
      }
    }
  }

  private void badEntries(int lid, int at, int owner, int from, int to) {
    for (int i = from; i < to; i++) {
      int s = net.members[i];
      int n = tree.next[s];
      boolean own = net.first[s] == owner;
      if (n == RouteTree.DELIVERED || (n >= 0 && !own)) {
        continue;
      }
      if (n == RouteTree.NO_ENTRY && !own) {
        missingEntries++;
        continue;
      }
      AuditCode code = own ? AuditCode.OWN_LID : codeOf(n);
      count[code.ordinal()]++;
      List<String> list = examples.get(code.ordinal());
      if (list.size() < keep) {
        int number = columns[at + s] & 0xff;
        list.add(AuditMessages.entry(net.fabric, s, lid, owner, number, code));
      }
    }
  }

  private static AuditCode codeOf(int outcome) {
    return switch (outcome) {
      case RouteTree.PORT_OUT_OF_RANGE -> AuditCode.PORT_OUT_OF_RANGE;
      case RouteTree.DANGLING_PORT -> AuditCode.DANGLING_PORT;
      case RouteTree.PORT_ZERO -> AuditCode.PORT_ZERO;
      default -> AuditCode.WRONG_HOST;
    };
  }

  private void failures(int lid, int owner, int attached, int from, int to) {
    boolean toCa = owner >= net.switchPorts;
    int caKind = toCa ? 0 : 2;
    AuditCode caCode = toCa ? AuditCode.UNREACHABLE_CA_CA : AuditCode.UNREACHABLE_CA_SWITCH;
    AuditCode switchCode =
        toCa ? AuditCode.UNREACHABLE_SWITCH_CA : AuditCode.UNREACHABLE_SWITCH_SWITCH;
    for (int i = from; i < to; i++) {
      int s = net.members[i];
      int outcome = tree.depth[s];
      if (outcome > 0) {
        continue;
      }
      failed[caKind][-outcome] += toCa ? senders(s, attached) : net.sources[s];
      for (int p = net.first[s]; p < net.first[s + 1]; p++) {
        if (examples.get(caCode.ordinal()).size() >= keep) {
          break;
        }
        if (net.peer[p] != Fabric.NONE && net.isSource(net.peer[p]) && net.peer[p] != owner) {
          unreachable(caCode, net.peer[p], s, lid, owner);
        }
      }
      if (net.first[s] != owner) {
        failed[caKind + 1][-outcome]++;
        unreachable(switchCode, net.first[s], s, lid, owner);
      }
    }
  }

  private void unreachable(AuditCode code, int source, int s, int lid, int owner) {
    List<String> list = examples.get(code.ordinal());
    if (list.size() < keep) {
      int outcome = tree.depth[s];
      int end = outcome == RouteTree.LOOP ? s : tree.end(s);
      list.add(
          AuditMessages.endport(net.fabric, source)
              + " to "
              + AuditMessages.lid(net.fabric, lid, owner)
              + ": "
              + AuditMessages.outcome(net.fabric, outcome, end));
    }
  }

  /** Adds what the sweep over the LIDs after this one's range found. */
  void merge(Sweep later) {
    add(pairs, later.pairs);
    add(destinations, later.destinations);
    add(hops, later.hops);
    add(pairCount, later.pairCount);
    add(count, later.count);
    add(reached, later.reached);
    add(ownReached, later.ownReached);
    for (int kind = 0; kind < failed.length; kind++) {
      add(failed[kind], later.failed[kind]);
    }
    dependencies.merge(later.dependencies);
    downUpRoutes += later.downUpRoutes;
    sameLevelRoutes += later.sameLevelRoutes;
    checkedEntries += later.checkedEntries;
    missingEntries += later.missingEntries;
    caLids += later.caLids;
    switchLids += later.switchLids;
    for (int code = 0; code < count.length; code++) {
      List<String> mine = examples.get(code);
      List<String> more = later.examples.get(code);
      mine.addAll(more.subList(0, Math.min(more.size(), keep - mine.size())));
    }
    loops.merge(later.loops);
  }

  private static void add(long[] sum, long[] part) {
    for (int i = 0; i < sum.length; i++) {
      sum[i] += part[i];
    }
  }

  private static void add(int[] sum, int[] part) {
    for (int i = 0; i < sum.length; i++) {
      sum[i] += part[i];
    }
  }

  /** Fills in the load of the channels from CAs into switches; once, after all merging. */
  void finish() {
    for (int s = 0; s < net.switches; s++) {
      for (int p = net.first[s]; p < net.first[s + 1]; p++) {
        int source = net.peer[p];
        if (source != Fabric.NONE && net.isSource(source)) {
          destinations[source] = reached[s] - ownReached[source];
          pairs[source] = destinations[source];
        }
      }
    }
  }
}
