package org.heddle.text.tenants;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.heddle.fabric.Fabric;
import org.heddle.text.Hostlist;

/** How hosts are called in tenants files, for reports. Immutable. */
public final class TenantsNames {
  private final Fabric fabric;
  private final TenantsHosts hosts;

  /** The names of a fabric's hosts. O(nodes). */
  public TenantsNames(Fabric fabric) {
    this.fabric = fabric;
    this.hosts = new TenantsHosts(fabric);
  }

  /** Names of all hosts, in the fabric's order. */
  public List<String> all() {
    return List.copyOf(hosts.names());
  }

  /**
   * The name of the host a port is in: the first word of the description; for a router or the like
   * the whole description.
   */
  public String of(int port) {
    int node = fabric.nodeOf(port);
    int host = hosts.hostOf(node);
    return host != Fabric.NONE ? hosts.host(host).name() : fabric.node(node).display();
  }

  /**
   * The adapters of the host of a name: the first word of their descriptions, or the part of it
   * before the first dot if only one host fits. Empty if there is no such host.
   */
  public List<Integer> nodesOf(String name) {
    int host = hosts.find(name);
    return host == Fabric.NONE ? List.of() : hosts.host(host).nodes();
  }

  /** Host names as hostlist expressions, sorted: {@code node[01-16]}. O(n log n). */
  public static List<String> fold(Iterable<String> names) {
    List<String> list = new ArrayList<>();
    names.forEach(list::add);
    List<String> out = new ArrayList<>(Hostlist.compress(list));
    Collections.sort(out);
    return out;
  }
}
