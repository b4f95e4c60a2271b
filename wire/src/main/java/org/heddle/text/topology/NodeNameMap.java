package org.heddle.text.topology;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;

/** Names that people gave to nodes, by node GUID. Immutable, ordered by GUID. */
public final class NodeNameMap {
  private final Map<Guid, String> names;

  public NodeNameMap(Map<Guid, String> names) {
    this.names = Collections.unmodifiableMap(new TreeMap<>(names));
  }

  /** The names by node GUID, in GUID order. */
  public Map<Guid, String> names() {
    return names;
  }

  /**
   * The fabric with the descriptions of the named nodes replaced; names of nodes that it does not
   * have are ignored. O(nodes).
   */
  public Fabric apply(Fabric fabric) {
    String[] descriptions = new String[fabric.nodeCount()];
    for (int node = 0; node < descriptions.length; node++) {
      String name = names.get(new Guid(fabric.nodeGuid(node)));
      descriptions[node] = name != null ? name : fabric.description(node);
    }
    return fabric.withDescriptions(descriptions);
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof NodeNameMap other && names.equals(other.names);
  }

  @Override
  public int hashCode() {
    return names.hashCode();
  }

  @Override
  public String toString() {
    return names.toString();
  }
}
