package org.heddle.server.ufm;

import java.util.ArrayList;
import java.util.List;
import org.heddle.fabric.Fabric;
import org.heddle.plan.model.Member;
import org.heddle.text.Hostlist;
import org.heddle.text.tenants.TenantsNames;

/** Hosts as Slurm names them, and the GUIDs of their ports. */
final class UfmHosts {
  private UfmHosts() {}

  /**
   * The ports of the hosts of a list.
   *
   * @param hostlist compressed, as in {@code SLURM_JOB_NODELIST}
   * @throws UfmBody.Wrong if the list cannot be read or names hosts that the fabric does not have
   */
  static List<Member> members(Fabric fabric, String hostlist, boolean full, boolean index0)
      throws UfmBody.Wrong {
    Hostlist.Expansion hosts = Hostlist.expand(hostlist);
    if (hosts.error() != null) {
      throw new UfmBody.Wrong(hosts.error());
    }
    TenantsNames names = new TenantsNames(fabric);
    List<Member> members = new ArrayList<>();
    List<String> unknown = new ArrayList<>();
    for (String host : hosts.names()) {
      List<Integer> nodes = names.nodesOf(host);
      if (nodes.isEmpty()) {
        unknown.add(host);
      }
      for (int node : nodes) {
        for (int number = 1; number <= fabric.portCount(node); number++) {
          int port = fabric.port(node, number);
          if (port != Fabric.NONE && fabric.peer(port) != Fabric.NONE) {
            members.add(new Member(fabric.portGuid(port), full, index0));
          }
        }
      }
    }
    if (!unknown.isEmpty()) {
      throw new UfmBody.Wrong(
          "no such hosts in the fabric: " + String.join(",", TenantsNames.fold(unknown)));
    }
    return members;
  }
}
