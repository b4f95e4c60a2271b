package org.heddle.plan.model;

import java.util.List;
import java.util.Objects;
import org.heddle.fabric.Fabric;

/**
 * A host across epochs. Two with the same GUID and name are equal, whatever adapters they had.
 *
 * @param guid node GUID of its first adapter
 * @param name its name at the time it was assigned, for people
 * @param adapters node GUIDs of all adapters that had a cable when it was assigned, the first as
 *     well; empty for a host of one adapter. An adapter whose leaf switch is off is in no fabric,
 *     and then the others still say whose the machine is.
 */
public record HostRef(long guid, String name, List<Long> adapters) {
  public HostRef {
    adapters = List.copyOf(adapters);
  }

  /** A host of one adapter. */
  public HostRef(long guid, String name) {
    this(guid, name, List.of());
  }

  /** An adapter of the host that is in a fabric, the first if it is; NONE if none is. */
  public int node(Fabric fabric) {
    int node = fabric.findNode(guid);
    for (int i = 0; node == Fabric.NONE && i < adapters.size(); i++) {
      node = fabric.findNode(adapters.get(i));
    }
    return node;
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof HostRef h && h.guid == guid && h.name.equals(name);
  }

  @Override
  public int hashCode() {
    return Objects.hash(guid, name);
  }
}
