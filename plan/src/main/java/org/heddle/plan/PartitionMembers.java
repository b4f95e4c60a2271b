package org.heddle.plan;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.heddle.fabric.Fabric;
import org.heddle.plan.model.HostRef;
import org.heddle.plan.model.Member;
import org.heddle.plan.model.Tenant;

/** The ports of partitions. */
final class PartitionMembers {
  private PartitionMembers() {}

  /** Ports of its hosts, then the others it named. */
  static List<Member> of(Fabric fabric, Tenant tenant) {
    Map<Long, Member> out = new LinkedHashMap<>();
    ofHosts(fabric, tenant).forEach(m -> out.put(m.guid(), m));
    tenant.spec().members().forEach(m -> out.put(m.guid(), m));
    return new ArrayList<>(out.values());
  }

  /** All adapters of the machines that a tenant holds. */
  static List<HostRef> adapters(Fabric fabric, Tenant tenant) {
    List<HostRef> out = new ArrayList<>();
    for (HostRef host : tenant.hosts()) {
      int known = host.node(fabric);
      if (known == Fabric.NONE) {
        out.add(host);
        continue;
      }
      for (int node : machine(fabric, known)) {
        out.add(new HostRef(fabric.nodeGuid(node), fabric.description(node)));
      }
    }
    return out;
  }

  /** All adapters of the machine that a node is in. */
  static int[] machine(Fabric fabric, int node) {
    int machine = fabric.machines().of(node);
    return machine == Fabric.NONE ? new int[] {node} : fabric.machines().adapters(machine);
  }

  static List<Member> ofHosts(Fabric fabric, Tenant tenant) {
    List<Member> out = new ArrayList<>();
    boolean index0 = tenant.spec().partition().index0();
    for (HostRef host : tenant.hosts()) {
      int known = host.node(fabric);
      for (int node : known == Fabric.NONE ? new int[0] : machine(fabric, known)) {
        for (int k = 1; k <= fabric.portCount(node); k++) {
          int port = fabric.port(node, k);
          if (fabric.attachedSwitch(port) != Fabric.NONE) {
            out.add(new Member(fabric.portGuid(port), true, index0));
          }
        }
      }
    }
    return out;
  }
}
