package org.heddle.text.tenants;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.fabric.NodeNames;
import org.heddle.fabric.NodeType;
import org.heddle.topology.generate.FabricExtras;

/**
 * The hosts of a fabric by name. The name is the first word of the node description ({@code node01
 * HCA-1}, {@code node01 mlx5_0}); all adapters with one name are one host, and each whose
 * description names no machine ({@link NodeNames}) is one of its own, known by its GUID.
 * Aggregation nodes and routers are no hosts. Immutable; O(nodes) to build.
 */
final class TenantsHosts {
  private final Fabric fabric;
  private final List<Host> hosts = new ArrayList<>();
  private final Map<String, Integer> byName = new LinkedHashMap<>();
  private final Map<String, Integer> byShortName = new HashMap<>();
  private final Map<String, List<Integer>> byDescription = new HashMap<>();
  private final int[] hostOfNode;

  /**
   * One host.
   *
   * @param name first word of the descriptions, or the GUID of an adapter without description
   * @param nodes its adapters, ascending
   * @param ambiguous several adapters have the very same description and are not one card: it may
   *     be several hosts
   */
  record Host(String name, List<Integer> nodes, boolean ambiguous) {}

  TenantsHosts(Fabric fabric) {
    this.fabric = fabric;
    this.hostOfNode = new int[fabric.nodeCount()];
    Map<String, List<Integer>> groups = new LinkedHashMap<>();
    for (int node = 0; node < fabric.nodeCount(); node++) {
      hostOfNode[node] = Fabric.NONE;
      if (fabric.nodeType(node) != NodeType.CA || FabricExtras.isAggregationNode(fabric, node)) {
        continue;
      }
      String description = fabric.description(node).strip();
      byDescription.computeIfAbsent(description, k -> new ArrayList<>()).add(node);
      // Adapters without a name of their own are hosts of their own: nothing tells them apart.
      String name = NodeNames.machine(description);
      groups
          .computeIfAbsent(
              name.isEmpty() ? Guid.format(fabric.nodeGuid(node)) : name, k -> new ArrayList<>())
          .add(node);
    }
    groups.forEach(this::add);
  }

  private void add(String name, List<Integer> nodes) {
    int index = hosts.size();
    hosts.add(new Host(name, List.copyOf(nodes), ambiguous(nodes)));
    byName.put(name, index);
    nodes.forEach(node -> hostOfNode[node] = index);
    int dot = name.indexOf('.');
    if (dot > 0) {
      byShortName.merge(name.substring(0, dot), index, (a, b) -> Fabric.NONE);
    }
  }

  private boolean ambiguous(List<Integer> nodes) {
    Map<String, Long> systems = new HashMap<>();
    for (int node : nodes) {
      long system = fabric.systemGuid(node);
      Long earlier = systems.putIfAbsent(fabric.description(node).strip(), system);
      if (earlier != null && (earlier == 0 || earlier != system)) {
        return true;
      }
    }
    return false;
  }

  int size() {
    return hosts.size();
  }

  Host host(int index) {
    return hosts.get(index);
  }

  /** The host an adapter is in, or {@link Fabric#NONE}. */
  int hostOf(int node) {
    return hostOfNode[node];
  }

  /** The host of a name: the full first word, or the part before the first dot if only one fits. */
  int find(String name) {
    Integer exact = byName.get(name);
    return exact != null ? exact : byShortName.getOrDefault(name, Fabric.NONE);
  }

  Collection<String> names() {
    return byName.keySet();
  }

  /** Adapters with this very description. */
  List<Integer> described(String description) {
    return byDescription.getOrDefault(description, List.of());
  }

  /** Hosts whose names match wildcards, in order. */
  List<Integer> matching(String pattern) {
    List<Integer> out = new ArrayList<>();
    for (int i = 0; i < hosts.size(); i++) {
      if (matches(pattern, hosts.get(i).name())) {
        out.add(i);
      }
    }
    return out;
  }

  /** Adapters that a name, a pattern or a whole description stands for; possibly none. */
  List<Integer> nodes(String name) {
    if (name.indexOf(' ') > 0) {
      return described(name);
    }
    List<Integer> out = new ArrayList<>();
    if (isPattern(name)) {
      matching(name).forEach(h -> out.addAll(host(h).nodes()));
    } else if (find(name) != Fabric.NONE) {
      out.addAll(host(find(name)).nodes());
    }
    return out;
  }

  /** What is behind the host name in an adapter's description. */
  String adapterName(int node) {
    String description = fabric.description(node).strip();
    return description.substring(NodeNames.machine(description).length()).strip();
  }

  static boolean isPattern(String name) {
    return name.indexOf('*') >= 0 || name.indexOf('?') >= 0;
  }

  /** True if a text matches {@code *} and {@code ?}. O(length of both, multiplied). */
  static boolean matches(String pattern, String text) {
    int p = 0;
    int t = 0;
    int star = -1;
    int mark = 0;
    while (t < text.length()) {
      char c = p < pattern.length() ? pattern.charAt(p) : 0;
      if (p < pattern.length() && c == '*') {
        star = p++;
        mark = t;
      } else if (p < pattern.length() && (c == '?' || c == text.charAt(t))) {
        p++;
        t++;
      } else if (star >= 0) {
        p = star + 1;
        t = ++mark;
      } else {
        return false;
      }
    }
    while (p < pattern.length() && pattern.charAt(p) == '*') {
      p++;
    }
    return p == pattern.length();
  }
}
