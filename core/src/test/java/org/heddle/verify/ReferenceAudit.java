package org.heddle.verify;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.heddle.fabric.Fabric;
import org.heddle.routing.ForwardingTables;
import org.heddle.topology.FatTree;

/**
 * The audit done the obvious way: every route of every source is traced hop by hop and written down
 * in sets. Shares nothing with the audit but the fabric; slow on purpose.
 */
final class ReferenceAudit {
  private enum End {
    ARRIVES,
    MISSING,
    BAD,
    LOOP
  }

  private record Trace(End end, List<Integer> channels, List<Integer> circle) {}

  final Fabric fabric;
  final ForwardingTables tables;
  final FatTree tree;

  final Map<Integer, Long> pairs = new HashMap<>();
  final Map<Integer, Set<Integer>> destinations = new HashMap<>();
  final TreeMap<Integer, Long> hops = new TreeMap<>();
  final Set<List<Integer>> caDependencies = new HashSet<>();
  final Set<List<Integer>> allDependencies = new HashSet<>();
  final long[] pairCount = new long[4];
  final long[] missing = new long[4];
  final long[] bad = new long[4];
  final long[] loop = new long[4];
  final Map<List<Integer>, TreeSet<Integer>> circles = new HashMap<>();
  long downUp;
  long sameLevel;
  long routesOverSwitches;
  final Map<String, Long> entries = new HashMap<>();
  private final int[] region;

  ReferenceAudit(Fabric fabric, ForwardingTables tables, FatTree tree) {
    this.fabric = fabric;
    this.tables = tables;
    this.tree = tree;
    this.region = regions();
    for (int lid = 1; lid <= Math.max(fabric.topLid(), tables.topLid()); lid++) {
      int owner = fabric.portOfLid(lid);
      if (owner != Fabric.NONE && !isEndport(owner)) {
        owner = Fabric.NONE;
      }
      checkEntries(lid, owner);
      if (owner != Fabric.NONE) {
        traceAll(lid, owner);
      }
    }
  }

  boolean isEndport(int port) {
    return isSwitchPort(port)
        ? fabric.numberOf(port) == 0 && fabric.lid(port) != 0
        : fabric.peer(port) != Fabric.NONE && fabric.lid(port) != 0;
  }

  private boolean isSwitchPort(int port) {
    return fabric.isSwitch(fabric.nodeOf(port));
  }

  /** Region by port: all ports of a switch together, cabled ports together. */
  private int[] regions() {
    int[] r = new int[fabric.portIdLimit()];
    for (int i = 0; i < r.length; i++) {
      r[i] = i;
    }
    boolean changed = true;
    while (changed) {
      changed = false;
      for (int p = 0; p < r.length; p++) {
        changed |= level(r, p, fabric.peer(p));
        if (isSwitchPort(p)) {
          changed |= level(r, p, fabric.port(fabric.nodeOf(p), 0));
        }
      }
    }
    return r;
  }

  private static boolean level(int[] r, int a, int b) {
    if (b == Fabric.NONE || r[a] == r[b]) {
      return false;
    }
    r[a] = Math.min(r[a], r[b]);
    r[b] = r[a];
    return true;
  }

  private void count(String what) {
    entries.merge(what, 1L, Long::sum);
  }

  private void checkEntries(int lid, int owner) {
    for (int s = 0; s < fabric.switchCount(); s++) {
      int own = fabric.port(s, 0);
      int number = tables.port(s, lid);
      if (owner == Fabric.NONE || region[owner] != region[own]) {
        if (number != 255) {
          count("stale");
        }
        continue;
      }
      count("checked");
      if (owner == own) {
        if (number != 0) {
          count("ownLid");
        }
      } else if (number == 255) {
        count("missing");
      } else if (number > fabric.portCount(s)) {
        count("range");
      } else if (number == 0) {
        count("zero");
      } else if (fabric.peer(fabric.port(s, number)) == Fabric.NONE) {
        count("dangling");
      } else {
        int peer = fabric.peer(fabric.port(s, number));
        if (!isSwitchPort(peer) && peer != owner) {
          count("wrongHost");
        }
      }
    }
  }

  private void traceAll(int lid, int owner) {
    boolean toCa = !isSwitchPort(owner);
    for (int p = 0; p < fabric.portIdLimit(); p++) {
      if (!isEndportOrSwitch(p) || p == owner || region[p] != region[owner]) {
        continue;
      }
      boolean fromCa = !isSwitchPort(p);
      Trace trace = trace(p, owner, lid);
      int kind = toCa ? (fromCa ? 0 : 1) : (fromCa ? 2 : 3);
      pairCount[kind]++;
      missing[kind] += trace.end == End.MISSING ? 1 : 0;
      bad[kind] += trace.end == End.BAD ? 1 : 0;
      loop[kind] += trace.end == End.LOOP ? 1 : 0;
      depend(trace, toCa && fromCa);
      if (trace.end == End.LOOP) {
        circles.computeIfAbsent(trace.circle, c -> new TreeSet<>()).add(lid);
      }
      if (toCa && fromCa && trace.end == End.ARRIVES) {
        carry(trace, lid);
      }
    }
    // a switch whose own LID runs away sends itself nothing, but its packets make a circle too
    if (!toCa) {
      Trace trace = trace(owner, owner, lid);
      depend(trace, false);
      if (trace.end == End.LOOP) {
        circles.computeIfAbsent(trace.circle, c -> new TreeSet<>()).add(lid);
      }
    }
  }

  private boolean isEndportOrSwitch(int port) {
    return isSwitchPort(port) ? fabric.numberOf(port) == 0 : isEndport(port);
  }

  private Trace trace(int source, int owner, int lid) {
    List<Integer> channels = new ArrayList<>();
    int at = source;
    if (!isSwitchPort(source)) {
      channels.add(source);
      at = fabric.peer(source);
    }
    List<Integer> visited = new ArrayList<>();
    while (true) {
      if (!isSwitchPort(at)) {
        return new Trace(at == owner ? End.ARRIVES : End.BAD, channels, List.of());
      }
      int s = fabric.nodeOf(at);
      int number = tables.port(s, lid);
      if (visited.contains(s)) {
        int from = visited.indexOf(s);
        int lead = channels.size() - visited.size();
        List<Integer> circle = new ArrayList<>(channels.subList(lead + from, channels.size()));
        channels.add(circle.getFirst());
        Collections.rotate(circle, -circle.indexOf(smallest(circle)));
        return new Trace(End.LOOP, channels, circle);
      }
      visited.add(s);
      if (number == 255) {
        return new Trace(End.MISSING, channels, List.of());
      }
      if (number == 0) {
        boolean own = fabric.port(s, 0) == owner;
        return new Trace(own ? End.ARRIVES : End.BAD, channels, List.of());
      }
      if (number > fabric.portCount(s) || fabric.peer(fabric.port(s, number)) == Fabric.NONE) {
        return new Trace(End.BAD, channels, List.of());
      }
      channels.add(fabric.port(s, number));
      at = fabric.peer(fabric.port(s, number));
    }
  }

  private static Integer smallest(List<Integer> list) {
    return Collections.min(list);
  }

  boolean isInner(int channel) {
    int peer = fabric.peer(channel);
    return peer != Fabric.NONE && isSwitchPort(channel) && isSwitchPort(peer);
  }

  private void depend(Trace trace, boolean ca) {
    for (int i = 0; i + 1 < trace.channels.size(); i++) {
      int a = trace.channels.get(i);
      int b = trace.channels.get(i + 1);
      if (isInner(a) && isInner(b)) {
        allDependencies.add(List.of(a, b));
        if (ca) {
          caDependencies.add(List.of(a, b));
        }
      }
    }
  }

  private void carry(Trace trace, int lid) {
    boolean wentDown = false;
    boolean turned = false;
    boolean level = false;
    for (int c : trace.channels) {
      pairs.merge(c, 1L, Long::sum);
      destinations.computeIfAbsent(c, k -> new HashSet<>()).add(lid);
      if (isInner(c)) {
        int direction = direction(c);
        turned |= wentDown && direction > 0;
        wentDown |= direction < 0;
        level |= direction == 0;
      }
    }
    int switches = trace.channels.size() - 1;
    hops.merge(switches, 1L, Long::sum);
    routesOverSwitches += switches > 0 ? 1 : 0;
    downUp += turned ? 1 : 0;
    sameLevel += level ? 1 : 0;
  }

  int direction(int channel) {
    int from = tree.level(fabric.nodeOf(channel));
    int to = tree.level(fabric.peerNode(channel));
    return from == 0 || to == 0 ? 0 : Integer.compare(to, from);
  }

  long downUpTurns() {
    long n = 0;
    for (List<Integer> d : caDependencies) {
      n += direction(d.get(0)) < 0 && direction(d.get(1)) > 0 ? 1 : 0;
    }
    return n;
  }

  /** Cyclic components, channels of the largest, and length of the shortest cycle (0: none). */
  int[] cycles(Set<List<Integer>> dependencies) {
    Map<Integer, Set<Integer>> next = new TreeMap<>();
    for (List<Integer> d : dependencies) {
      next.computeIfAbsent(d.get(0), k -> new TreeSet<>()).add(d.get(1));
    }
    Map<Integer, Map<Integer, Integer>> far = new TreeMap<>();
    for (int c : next.keySet()) {
      far.put(c, distances(next, c));
    }
    Set<Set<Integer>> components = new HashSet<>();
    int shortest = 0;
    int largest = 0;
    for (int c : next.keySet()) {
      Integer back = far.get(c).get(c);
      if (back == null) {
        continue;
      }
      shortest = shortest == 0 ? back : Math.min(shortest, back);
      Set<Integer> component = new TreeSet<>();
      for (int d : far.get(c).keySet()) {
        if (far.containsKey(d) && far.get(d).containsKey(c)) {
          component.add(d);
        }
      }
      components.add(component);
      largest = Math.max(largest, component.size());
    }
    return new int[] {components.size(), largest, shortest};
  }

  /** Steps from a channel to every other, at least one; to itself if there is a cycle. */
  private static Map<Integer, Integer> distances(Map<Integer, Set<Integer>> next, int start) {
    Map<Integer, Integer> distance = new HashMap<>();
    ArrayDeque<Integer> queue = new ArrayDeque<>();
    for (int first : next.get(start)) {
      distance.put(first, 1);
      queue.add(first);
    }
    while (!queue.isEmpty()) {
      int c = queue.remove();
      for (int d : next.getOrDefault(c, Set.of())) {
        if (distance.putIfAbsent(d, distance.get(c) + 1) == null) {
          queue.add(d);
        }
      }
    }
    return distance;
  }
}
