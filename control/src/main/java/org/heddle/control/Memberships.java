package org.heddle.control;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.heddle.control.model.HostRef;
import org.heddle.control.model.Member;
import org.heddle.control.model.Tenant;
import org.heddle.fabric.Fabric;

/** The ports of partitions. */
final class Memberships {
  private Memberships() {}

  static List<Member> of(Fabric fabric, Tenant tenant) {
    Map<Long, Member> out = new LinkedHashMap<>();
    boolean index0 = tenant.spec().partition().index0();
    for (HostRef host : tenant.hosts()) {
      int node = fabric.findNode(host.guid());
      for (int k = 1; node != Fabric.NONE && k <= fabric.portCount(node); k++) {
        int port = fabric.port(node, k);
        if (fabric.attachedSwitch(port) != Fabric.NONE) {
          long guid = fabric.portGuid(port);
          out.put(guid, new Member(guid, true, index0));
        }
      }
    }
    for (Member m : tenant.spec().members()) {
      out.put(m.guid(), m);
    }
    return new ArrayList<>(out.values());
  }
}
