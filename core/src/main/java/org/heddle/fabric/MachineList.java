package org.heddle.fabric;

import java.util.HashMap;
import java.util.Map;
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
