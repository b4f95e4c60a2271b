package org.heddle.fabric;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Machines as a site lists them, where names and system image GUIDs do not tell: which adapters, by
 * node GUID, are in the machine of a name. What it lists counts for {@link Machines}, whatever the
 * fabric says; adapters that it does not list are grouped as ever, without those that it does.
 * Immutable.
 */
public final class MachineList {
  /** Nothing is listed. */
  public static final MachineList NONE = new MachineList(Map.of());

  private final Map<Long, String> nameOf;
  private final Map<Long, Integer> place = new HashMap<>();
  private final Set<String> names;

  private MachineList(Map<Long, String> nameOf) {
    this.nameOf = Map.copyOf(nameOf);
    nameOf.keySet().forEach(guid -> place.put(guid, place.size()));
    this.names = Set.copyOf(nameOf.values());
  }

  /**
   * Lists machines.
   *
   * @param nameOf names of machines by node GUID of their adapters, in the order of these, which is
   *     that of rails; they need not be in a fabric
   */
  public static MachineList of(Map<Long, String> nameOf) {
    return nameOf.isEmpty() ? NONE : new MachineList(nameOf);
  }

  /** True if nothing is listed. */
  public boolean isEmpty() {
    return nameOf.isEmpty();
  }

  /** The machine of an adapter; null if it is not listed. */
  public String machine(long nodeGuid) {
    return nameOf.get(nodeGuid);
  }

  /** Where an adapter stands in the list, the first is 0; -1 if it is not listed. */
  int place(long nodeGuid) {
    return place.getOrDefault(nodeGuid, -1);
  }

  /** True if a machine of that name is listed. */
  public boolean hasMachine(String name) {
    return names.contains(name);
  }

  /** Number of machines. */
  public int size() {
    return names.size();
  }

  /** Node GUIDs of the adapters of every machine, by name, all in the order of the list. */
  public Map<String, List<Long>> adapters() {
    Map<String, List<Long>> out = new LinkedHashMap<>();
    nameOf.keySet().stream()
        .sorted(Comparator.comparing(place::get))
        .forEach(guid -> out.computeIfAbsent(nameOf.get(guid), _ -> new ArrayList<>()).add(guid));
    return out;
  }

  /**
   * The first machine of this list whose adapters are not exactly those of one machine of a fabric,
   * or empty. Adapters that the fabric has not do not count, nor do names. O(adapters listed).
   */
  public Optional<String> unlike(Fabric fabric) {
    Machines found = fabric.machines();
    for (Map.Entry<String, List<Long>> listed : adapters().entrySet()) {
      int[] nodes =
          listed.getValue().stream()
              .mapToInt(fabric::findNode)
              .filter(node -> node != Fabric.NONE)
              .toArray();
      int[] machines = Arrays.stream(nodes).map(found::of).distinct().toArray();
      boolean like =
          nodes.length == 0
              || machines.length == 1
                  && machines[0] != Fabric.NONE
                  && found.adapterCount(machines[0]) == nodes.length;
      if (!like) {
        return Optional.of(listed.getKey());
      }
    }
    return Optional.empty();
  }

  /** Names of the machines, in alphabetical order. */
  public Set<String> names() {
    return new TreeSet<>(names);
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof MachineList other
        && nameOf.equals(other.nameOf)
        && place.equals(other.place);
  }

  @Override
  public int hashCode() {
    return nameOf.hashCode();
  }

  @Override
  public String toString() {
    return "MachineList" + names();
  }
}
