package org.heddle.verify.transition;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.heddle.fabric.Fabric;
import org.heddle.routing.ForwardingTables;
import org.heddle.verify.AuditMessages;
import org.heddle.verify.AuditReport;
import org.heddle.verify.ChannelGraph;
import org.heddle.verify.Dependencies;
import org.heddle.verify.Network;
import org.heddle.verify.Sweep;

/**
 * Carries out table writes one by one and checks every state. No LID that changes may run into a
 * loop or be delivered at a wrong port; every switch that has reached it must keep reaching it,
 * unless it is dropped on purpose; and no deadlock may be possible, packets in flight included.
 * Independent of the planner.
 *
 * <p>Packets in flight: a channel holds packets of a LID from the first moment at which a switch
 * that carries the LID sends them there; what waits in it may be forwarded at any later moment. So
 * a channel depends on every channel the next switch sends the LID to from that moment on. A drain
 * empties all channels.
 */
public final class TransitionAudit {
  private static final int EXAMPLES = 5;
  private static final int NEVER = Integer.MAX_VALUE;

  // outcomes of a way; 0 is unknown
  private static final byte ARRIVES = 1;
  private static final byte WRONG = 2;
  private static final byte UNDER_WAY = 3;
  private static final byte DISCARDED = 4;

  private final Network net;
  private final byte[][] rows;
  private final TreeMap<Integer, int[]> owners;
  private final Set<Integer> droppable;
  private final TreeMap<Integer, BitSet> reached = new TreeMap<>(); // LID: from which switches
  private final List<String> examples = new ArrayList<>();
  private int states;
  private int droppedStates;
  private int faults;

  private TransitionAudit(
      Network net, byte[][] rows, TreeMap<Integer, int[]> owners, Set<Integer> droppable) {
    this.net = net;
    this.rows = rows;
    this.owners = owners;
    this.droppable = droppable;
  }

  /**
   * Checks a sequence of writes. O(switches) for every write and LID that it changes, plus one
   * sweep over all tables for every drain.
   *
   * @param fabric with LIDs, virtual ones included
   * @param before tables the writes start from
   * @param owners ports that a LID may be delivered at meanwhile; where it is not named, the port
   *     that has it in the fabric
   * @param droppable LIDs that may be dropped on purpose
   */
  public static TransitionReport run(
      Fabric fabric,
      ForwardingTables before,
      List<TableWrite> writes,
      TreeMap<Integer, int[]> owners,
      Set<Integer> droppable) {
    Network net = new Network(fabric, Optional.empty());
    int top = before.topLid();
    for (TableWrite w : writes) {
      top = Math.max(top, (w.block() + 1) * ForwardingTables.BLOCK_SIZE - 1);
    }
    byte[][] rows = new byte[net.switches][top + 1];
    for (int s = 0; s < net.switches; s++) {
      Arrays.fill(rows[s], (byte) ForwardingTables.NO_PORT);
      before.copy(s, 0, rows[s], 0, before.topLid() + 1);
    }
    TransitionAudit audit = new TransitionAudit(net, rows, owners, droppable);
    AuditReport.CreditLoops worst = null;
    for (int from = 0; from < writes.size() || worst == null; ) {
      int to = Math.min(from + 1, writes.size());
      while (to < writes.size() && !writes.get(to).afterDrain()) {
        to++;
      }
      AuditReport.CreditLoops loops = audit.part(writes.subList(from, to));
      worst = worst == null || loops.cyclic() > worst.cyclic() ? loops : worst;
      from = Math.max(to, 1);
    }
    return new TransitionReport(
        audit.states, audit.droppedStates, audit.faults, audit.examples, worst);
  }

  /** Dependencies of the routes between hosts of the tables as they are. */
  private Dependencies dependencies() {
    int top = rows.length == 0 ? 0 : rows[0].length - 1;
    Sweep sweep = new Sweep(net, ForwardingTables.ofRows(rows, top), 0);
    for (int from = 0; from <= top; from += Sweep.BLOCK) {
      sweep.block(from);
    }
    return sweep.dependencies;
  }

  // ---- states

  /** One stretch of writes without a drain in between. */
  private AuditReport.CreditLoops part(List<TableWrite> writes) {
    Dependencies base = dependencies(); // what was under way before the drain counts no more
    TreeMap<Integer, List<int[]>> history = new TreeMap<>(); // LID: (time, switch, old, new)
    for (int i = 0; i < writes.size(); i++) {
      TableWrite w = writes.get(i);
      byte[] row = rows[w.sw()];
      int from = w.block() * ForwardingTables.BLOCK_SIZE;
      List<Integer> changed = new ArrayList<>();
      for (int j = 0; j < ForwardingTables.BLOCK_SIZE; j++) {
        if (row[from + j] != w.entries()[j]) {
          if (!reached.containsKey(from + j)) {
            follow(from + j); // how it was before its first change
          }
          int[] event = {i + 1, w.sw(), row[from + j] & 0xff, w.entries()[j] & 0xff};
          history.computeIfAbsent(from + j, lid -> new ArrayList<>()).add(event);
          row[from + j] = w.entries()[j];
          changed.add(from + j);
        }
      }
      changed.forEach(this::state);
    }
    history.forEach((lid, events) -> flight(lid, events, base));
    return new ChannelGraph(net, base, Dependencies.CA, ChannelGraph.SEARCH_BUDGET).result();
  }

  private int[] ownersOf(int lid) {
    int[] named = owners.get(lid);
    return named != null ? named : new int[] {net.fabric.portOfLid(lid)};
  }

  /** Judges the present state of a LID. */
  private void state(int lid) {
    states++;
    BitSet before = (BitSet) reached.get(lid).clone();
    byte[] outcome = follow(lid);
    boolean drops = false;
    boolean bad = false;
    for (int s = 0; s < outcome.length; s++) {
      drops |= outcome[s] != 0 && (rows[s][lid] & 0xff) == ForwardingTables.NO_PORT;
      boolean lost = outcome[s] == DISCARDED && before.get(s) && !droppable.contains(lid);
      if (outcome[s] == WRONG || lost) {
        if (!bad && examples.size() < EXAMPLES) {
          examples.add("LID " + lid + " from " + AuditMessages.node(net.fabric, s));
        }
        bad = true;
      }
    }
    faults += bad ? 1 : 0;
    droppedStates += drops ? 1 : 0;
  }

  /**
   * Follows the LID from every switch of its component and adds those from which it arrives to
   * {@link #reached}.
   *
   * @return the outcome by switch, 0 for switches of other components
   */
  private byte[] follow(int lid) {
    BitSet arriving = reached.computeIfAbsent(lid, _ -> new BitSet(net.switches));
    byte[] outcome = new byte[net.switches];
    int[] ends = ownersOf(lid);
    int attached = ends[0] == Fabric.NONE ? Fabric.NONE : net.attachedSwitch(ends[0]);
    if (attached == Fabric.NONE) {
      return outcome;
    }
    int component = net.component[attached];
    for (int i = net.memberStart[component]; i < net.memberStart[component + 1]; i++) {
      int s = net.members[i];
      way(s, lid, ends, outcome);
      if (outcome[s] == ARRIVES) {
        arriving.set(s);
      }
    }
    return outcome;
  }

  private void way(int from, int lid, int[] ends, byte[] outcome) {
    List<Integer> path = new ArrayList<>();
    int s = from;
    while (outcome[s] == 0) {
      outcome[s] = UNDER_WAY;
      path.add(s);
      int number = rows[s][lid] & 0xff;
      int port = net.first[s] + number;
      if (number == ForwardingTables.NO_PORT) {
        outcome[s] = DISCARDED;
      } else if (port >= net.first[s + 1]) {
        outcome[s] = WRONG;
      } else if (number == 0) {
        outcome[s] = contains(ends, port) ? ARRIVES : WRONG;
      } else if (net.hop[port] < 0) {
        outcome[s] = contains(ends, net.peer[port]) ? ARRIVES : WRONG;
      } else {
        s = net.hop[port];
      }
    }
    byte result = outcome[s] == UNDER_WAY ? WRONG : outcome[s];
    for (int p : path) {
      outcome[p] = result;
    }
  }

  private static boolean contains(int[] ends, int port) {
    for (int end : ends) {
      if (end == port) {
        return true;
      }
    }
    return false;
  }

  // ---- packets under way

  /** Adds the dependencies that packets of a LID cause while its entries change. */
  private void flight(int lid, List<int[]> events, Dependencies base) {
    if (ownersOf(lid)[0] < net.switchPorts) {
      return; // to a switch: management, on a lane of its own
    }
    int[][] entries = new int[net.switches][]; // (from, number) pairs in order of time
    for (int[] e : events) {
      int[] known = entries[e[1]];
      int[] more = known == null ? new int[] {0, e[2]} : known;
      more = Arrays.copyOf(more, more.length + 2);
      more[more.length - 2] = e[0];
      more[more.length - 1] = e[3];
      entries[e[1]] = more;
    }
    for (int s = 0; s < net.switches; s++) {
      if (entries[s] == null) {
        entries[s] = new int[] {0, rows[s][lid] & 0xff};
      }
    }
    int[] carries = firstMoments(entries);
    for (int t = 0; t < net.switches; t++) {
      for (int i = 0; i < entries[t].length && carries[t] != NEVER; i += 2) {
        int until = i + 2 < entries[t].length ? entries[t][i + 2] : NEVER;
        int channel = net.first[t] + entries[t][i + 1];
        if (until > carries[t] && isChannel(t, channel)) {
          int since = Math.max(carries[t], entries[t][i]);
          depend(channel, since, entries[net.hop[channel]], base);
        }
      }
    }
  }

  private boolean isChannel(int s, int port) {
    return port < net.first[s + 1] && net.hop[port] >= 0;
  }

  private void depend(int channel, int since, int[] next, Dependencies base) {
    int s = net.hop[channel];
    for (int i = 0; i < next.length; i += 2) {
      int until = i + 2 < next.length ? next[i + 2] : NEVER;
      int out = net.first[s] + next[i + 1];
      if (until > since && isChannel(s, out)) {
        base.add(net, net.peer[channel], out);
      }
    }
  }

  /** By switch: the first moment at which packets from hosts may be there. */
  private int[] firstMoments(int[][] entries) {
    int[] at = new int[net.switches];
    boolean[] queued = new boolean[net.switches];
    int[] queue = new int[net.switches + 1];
    int head = 0;
    int tail = 0;
    for (int s = 0; s < net.switches; s++) {
      at[s] = net.sources[s] > 0 ? 0 : NEVER;
      if (at[s] == 0) {
        queue[tail++] = s;
        queued[s] = true;
      }
    }
    while (head != tail) {
      int t = queue[head];
      head = (head + 1) % queue.length;
      queued[t] = false;
      for (int i = 0; i < entries[t].length; i += 2) {
        int until = i + 2 < entries[t].length ? entries[t][i + 2] : NEVER;
        int channel = net.first[t] + entries[t][i + 1];
        if (until <= at[t] || !isChannel(t, channel)) {
          continue;
        }
        int s = net.hop[channel];
        int since = Math.max(at[t], entries[t][i]);
        if (since < at[s]) {
          at[s] = since;
          if (!queued[s]) {
            queued[s] = true;
            queue[tail] = s;
            tail = (tail + 1) % queue.length;
          }
        }
      }
    }
    return at;
  }
}
