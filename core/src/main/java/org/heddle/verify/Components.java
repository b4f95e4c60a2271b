package org.heddle.verify;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.heddle.fabric.Fabric;

/**
 * Connected components: those of the switches as {@link Network} numbers them, then one for every
 * cable between two CAs.
 */
final class Components {
  private final Network net;
  private final int[] endports; // by component
  private final List<Integer> direct = new ArrayList<>(); // smaller port of each such cable
  private final Map<Integer, TreeSet<Integer>> ofCa = new LinkedHashMap<>(); // by node

  Components(Network net) {
    this.net = net;
    Map<Integer, Integer> numberOfDirect = new HashMap<>();
    int[] ofSwitches = new int[net.components()];
    for (int p = net.switchPorts; p < net.peer.length; p++) {
      int other = net.peer[p];
      if (other == Fabric.NONE) {
        continue;
      }
      int component;
      if (other < net.switchPorts) {
        component = net.component[net.fabric.nodeOf(other)];
        ofSwitches[component]++;
      } else {
        if (p <= other) {
          numberOfDirect.put(p, net.components() + direct.size());
          direct.add(p);
        }
        component = numberOfDirect.get(Math.min(p, other));
      }
      ofCa.computeIfAbsent(net.fabric.nodeOf(p), n -> new TreeSet<>()).add(component);
    }
    this.endports = ofSwitches;
  }

  List<AuditReport.Component> list() {
    List<AuditReport.Component> out = new ArrayList<>();
    for (int c = 0; c < net.components(); c++) {
      int from = net.memberStart[c];
      String name = AuditMessages.node(net.fabric, net.members[from]);
      out.add(new AuditReport.Component(net.memberStart[c + 1] - from, endports[c], name));
    }
    for (int p : direct) {
      int ends = net.peer[p] == p ? 1 : 2;
      out.add(new AuditReport.Component(0, ends, AuditMessages.port(net.fabric, p)));
    }
    return out;
  }

  /** Unordered pairs of CAs that have no component in common; O(d^2), d distinct sets of them. */
  long separatedPairs() {
    Map<TreeSet<Integer>, Long> groups = new LinkedHashMap<>();
    ofCa.values().forEach(set -> groups.merge(set, 1L, Long::sum));
    List<Map.Entry<TreeSet<Integer>, Long>> list = new ArrayList<>(groups.entrySet());
    long pairs = 0;
    for (int i = 0; i < list.size(); i++) {
      for (int j = i + 1; j < list.size(); j++) {
        if (disjoint(list.get(i).getKey(), list.get(j).getKey())) {
          pairs += list.get(i).getValue() * list.get(j).getValue();
        }
      }
    }
    return pairs;
  }

  private static boolean disjoint(TreeSet<Integer> a, TreeSet<Integer> b) {
    for (int x : a) {
      if (b.contains(x)) {
        return false;
      }
    }
    return true;
  }
}
