package org.heddle.text.tenants;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Machines;

/**
 * The hosts of a fabric by name: the machines ({@link Machines}). The name is the first word of the
 * node description ({@code node01 HCA-1}, {@code node01 mlx5_0}); a machine without one is known by
 * its GUID. Immutable; O(nodes) to build.
 */
final class TenantsHosts {
  private final Fabric fabric;
  private final Machines machines;
  private final List<Host> hosts = new ArrayList<>();
  private final List<Host> shared = new ArrayList<>(); // names of several machines
  private final Map<String, Integer> byName = new LinkedHashMap<>();
  private final Map<String, Integer> byShortName = new HashMap<>();
  private final Map<String, List<Integer>> byDescription = new HashMap<>();

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
    machines = fabric.machines();
    for (int node = 0; node < fabric.nodeCount(); node++) {
      if (machines.of(node) != Fabric.NONE) {
        String description = fabric.description(node).strip();
        byDescription.computeIfAbsent(description, k -> new ArrayList<>()).add(node);
      }
    }
    for (int m = 0; m < machines.count(); m++) {
      List<Integer> nodes = Arrays.stream(machines.adapters(m)).sorted().boxed().toList();
      hosts.add(new Host(machines.name(m), nodes, !machines.isListed(m) && ambiguous(nodes)));
      name(machines.name(m), m);
    }
    for (Machines.SharedName s : machines.sharedNames()) {
      name(s.name(), hosts.size() + shared.size());
      shared.add(new Host(s.name(), s.adapters(), true));
    }
  }

  private void name(String name, int index) {
    byName.put(name, index);
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
        return nodes.size() > 1 && machines.isNamed(machines.of(node));
      }
    }
    return false;
  }

  int size() {
    return hosts.size();
  }

  /** The host of an index that a name gave; those from the size on are names of several. */
  Host host(int index) {
    return index < hosts.size() ? hosts.get(index) : shared.get(index - hosts.size());
  }

  /** The host an adapter is in, or {@link Fabric#NONE}. */
  int hostOf(int node) {
    return machines.of(node);
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
    for (int i = 0; i < hosts.size() + shared.size(); i++) {
      if (matches(pattern, host(i).name())) {
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
    return Machines.adapterName(fabric, node);
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
