package org.heddle.fabric;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The machines of a fabric: which channel adapters are in one.
 *
 * <p>Adapters with one system image GUID (IBTA, volume 1, NodeInfo: often one card) are of one
 * machine, and so are those whose descriptions have the same name before that of the adapter
 * ({@code gpu07 mlx5_0}, {@code gpu07 mlx5_1}; {@link NodeNames}). What says too little joins
 * nothing:
 *
 * <ul>
 *   <li>a description that the driver never replaced;
 *   <li>a system image GUID or a name of more than {@value #MAX_ADAPTERS} adapters;
 *   <li>a name with which several cards have the same adapter, as {@code ubuntu mlx5_0} twice: it
 *       is that of several machines ({@link #sharedNames});
 *   <li>a system image GUID of adapters with different names: the names count.
 * </ul>
 *
 * <p>A list that a site gives ({@link MachineList}) goes before all of this.
 *
 * <p>Switches, routers and aggregation nodes inside switches are no machines. Machines are numbered
 * by their smallest node id, adapters of one by their place in the list, the name of the adapter
 * ({@code mlx5_2} before {@code mlx5_10}), then node id. Immutable; O(nodes) to make, accessors
 * O(1).
 */
public final class Machines {
  /** More adapters than this are not in one machine: what they have in common is a default. */
  public static final int MAX_ADAPTERS = 64;

  private final int[] machineOf; // by node, NONE for what is no adapter of a machine
  private final int[] first; // index in adapters, by machine, one more at the end
  private final int[] adapters; // node ids
  private final String[] name; // null if no description names it
  private final long[] guid; // node GUID of the adapter with the smallest id
  private final Map<String, Integer> byName;
  private final List<SharedName> shared;
  private final MachineList list;

  /**
   * A name that several machines have.
   *
   * @param adapters node ids, ascending
   */
  public record SharedName(String name, List<Integer> adapters) {
    public SharedName {
      adapters = List.copyOf(adapters);
    }
  }

  private Machines(Finder from) {
    machineOf = from.machineOf;
    first = from.first;
    adapters = from.adapters;
    name = from.name;
    guid = from.guid;
    byName = from.byName;
    shared = List.copyOf(from.shared);
    list = from.list;
  }

  /** Finds them; {@link Fabric#machines} does it once. */
  static Machines of(Fabric fabric) {
    return new Machines(new Finder(fabric));
  }

  /** Number of machines. */
  public int count() {
    return name.length;
  }

  /** The machine a node is in; {@link Fabric#NONE} for what is no adapter of a machine. */
  public int of(int node) {
    return machineOf[node];
  }

  /** Number of adapters of a machine, at least 1. */
  public int adapterCount(int machine) {
    return first[machine + 1] - first[machine];
  }

  /** Node id of the i-th adapter of a machine. */
  public int adapter(int machine, int i) {
    return adapters[first[machine] + i];
  }

  /** Node ids of the adapters of a machine, in the order of their names. A copy. */
  public int[] adapters(int machine) {
    return Arrays.copyOfRange(adapters, first[machine], first[machine + 1]);
  }

  /** Number of adapters of all machines. */
  public int adapterCount() {
    return adapters.length;
  }

  /** True if the descriptions of its adapters name the machine, and no other one. */
  public boolean isNamed(int machine) {
    return name[machine] != null;
  }

  /** True if a site lists the machine: its name and its adapters are not inferred. */
  public boolean isListed(int machine) {
    return name[machine] != null && list.machine(guid[machine]) != null;
  }

  /** The name of the machine; if it has none, the node GUID of its first adapter. */
  public String name(int machine) {
    return name[machine] != null ? name[machine] : Guid.format(guid[machine]);
  }

  /** The machine of a name, or {@link Fabric#NONE}. */
  public int find(String name) {
    return byName.getOrDefault(name, Fabric.NONE);
  }

  /** Names that several machines have, in alphabetical order: they stand for none of them. */
  public List<SharedName> sharedNames() {
    return shared;
  }

  /** Joins adapters by name and by system image GUID. */
  private static final class Finder {
    private final Fabric fabric;
    private final String[] nameOf; // by node; empty if it has none
    private final int[] parent;
    final MachineList list;
    final int[] machineOf;
    final List<SharedName> shared = new ArrayList<>();
    final Map<String, Integer> byName = new HashMap<>();
    int[] first;
    int[] adapters;
    String[] name;
    long[] guid;

    Finder(Fabric fabric) {
      this.fabric = fabric;
      list = fabric.machineList();
      int n = fabric.nodeCount();
      nameOf = new String[n];
      parent = new int[n];
      machineOf = new int[n];
      List<Integer> all = new ArrayList<>();
      for (int node = fabric.switchCount(); node < n; node++) {
        parent[node] = node;
        if (isAdapter(fabric, node)) {
          nameOf[node] = name(node);
          all.add(node);
        }
      }
      List<Integer> others = all;
      if (!list.isEmpty()) {
        joinListed(all);
        others = all.stream().filter(node -> listed(node) == null).toList();
      }
      joinNames(others);
      joinSystems(others);
      number(all);
    }

    private String listed(int node) {
      return list.machine(fabric.nodeGuid(node));
    }

    /** Nobody who is not listed has the name of a machine that is. */
    private String name(int node) {
      String listed = listed(node);
      String own = listed == null ? NodeNames.machine(fabric.description(node)) : listed;
      return listed == null && list.hasMachine(own) ? "" : own;
    }

    private void joinListed(List<Integer> all) {
      Map<String, Integer> first = new HashMap<>();
      for (int node : all) {
        if (listed(node) != null) {
          join(first.computeIfAbsent(listed(node), _ -> node), node);
        }
      }
    }

    private void joinNames(List<Integer> all) {
      Map<String, List<Integer>> groups = new TreeMap<>();
      for (int node : all) {
        if (!nameOf[node].isEmpty()) {
          groups.computeIfAbsent(nameOf[node], _ -> new ArrayList<>(2)).add(node);
        }
      }
      groups.forEach(
          (text, nodes) -> {
            if (nodes.size() > MAX_ADAPTERS || sameAdapterTwice(nodes)) {
              shared.add(new SharedName(text, nodes));
              nodes.forEach(node -> nameOf[node] = "");
            } else {
              nodes.forEach(node -> join(nodes.getFirst(), node));
            }
          });
    }

    /** True if adapters of different cards are called the same: no machine has two of one name. */
    private boolean sameAdapterTwice(List<Integer> nodes) {
      Map<String, Long> systems = new HashMap<>();
      for (int node : nodes) {
        long system = fabric.systemGuid(node);
        String adapter = adapterName(fabric, node);
        Long before = adapter.isEmpty() ? null : systems.putIfAbsent(adapter, system);
        if (before != null && (before == 0 || before != system)) {
          return true;
        }
      }
      return false;
    }

    private void joinSystems(List<Integer> all) {
      Map<Long, List<Integer>> groups = new TreeMap<>();
      for (int node : all) {
        if (fabric.systemGuid(node) != 0) {
          groups.computeIfAbsent(fabric.systemGuid(node), _ -> new ArrayList<>(2)).add(node);
        }
      }
      for (List<Integer> nodes : groups.values()) {
        Set<String> names = new HashSet<>();
        nodes.forEach(node -> names.add(nameOf[node]));
        names.remove("");
        if (nodes.size() <= MAX_ADAPTERS && names.size() <= 1) {
          nodes.forEach(node -> join(nodes.getFirst(), node));
        }
      }
    }

    private int root(int node) {
      int x = node;
      while (parent[x] != x) {
        parent[x] = parent[parent[x]];
        x = parent[x];
      }
      return x;
    }

    private void join(int a, int b) {
      int x = root(a);
      int y = root(b);
      parent[Math.max(x, y)] = Math.min(x, y);
    }

    private void number(List<Integer> all) {
      Arrays.fill(machineOf, Fabric.NONE);
      List<List<Integer>> members = new ArrayList<>();
      for (int node : all) {
        int root = root(node);
        if (root == node) {
          members.add(new ArrayList<>(1));
          machineOf[node] = members.size() - 1;
        }
        machineOf[node] = machineOf[root];
        members.get(machineOf[node]).add(node);
      }
      first = new int[members.size() + 1];
      adapters = new int[all.size()];
      name = new String[members.size()];
      guid = new long[members.size()];
      int n = 0;
      for (int m = 0; m < members.size(); m++) {
        List<Integer> nodes = members.get(m);
        guid[m] = fabric.nodeGuid(nodes.getFirst());
        for (int node : nodes) {
          name[m] = name[m] == null && !nameOf[node].isEmpty() ? nameOf[node] : name[m];
        }
        byName.put(name[m] == null ? Guid.format(guid[m]) : name[m], m);
        if (nodes.size() > 1) {
          nodes.sort(
              Comparator.comparingInt((Integer node) -> list.place(fabric.nodeGuid(node)))
                  .thenComparing(node -> adapterName(fabric, node), Machines::natural)
                  .thenComparing(node -> node));
        }
        first[m] = n;
        for (int node : nodes) {
          adapters[n++] = node;
        }
      }
      first[members.size()] = n;
    }
  }

  /** True if the node is an adapter of a machine: no switch, no router, no part of a switch. */
  public static boolean isAdapter(Fabric fabric, int node) {
    return fabric.nodeType(node) == NodeType.CA
        && !NodeNames.isAggregationNode(fabric.description(node));
  }

  /**
   * What is behind the machine's name in an adapter's description: all of it without such a name.
   */
  public static String adapterName(Fabric fabric, int node) {
    String description = fabric.description(node).strip();
    return description.substring(NodeNames.machine(description).length()).strip();
  }

  /** Compares texts with the numbers in them by value. */
  private static int natural(String a, String b) {
    int i = 0;
    int j = 0;
    while (i < a.length() && j < b.length()) {
      boolean digits = isDigit(a.charAt(i)) && isDigit(b.charAt(j));
      int fromA = i;
      int fromB = j;
      int order;
      if (digits) {
        i = endOfNumber(a, i);
        j = endOfNumber(b, j);
        String x = a.substring(fromA, i).replaceFirst("^0+(?=.)", "");
        String y = b.substring(fromB, j).replaceFirst("^0+(?=.)", "");
        order = x.length() != y.length() ? Integer.compare(x.length(), y.length()) : x.compareTo(y);
      } else {
        order = Character.compare(a.charAt(i++), b.charAt(j++));
      }
      if (order != 0) {
        return order;
      }
    }
    int rest = Integer.compare(a.length() - i, b.length() - j);
    return rest != 0 ? rest : a.compareTo(b);
  }

  private static int endOfNumber(String text, int from) {
    int i = from;
    while (i < text.length() && isDigit(text.charAt(i))) {
      i++;
    }
    return i;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
