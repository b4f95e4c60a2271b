package org.heddle.text.tenants;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.heddle.allocation.NearbyHosts;
import org.heddle.fabric.Fabric;
import org.heddle.text.tenants.TenantsFile.Member;

/** Picks hosts for {@code count:} entries: hosts that no tenant names, close together. */
final class TenantsFreeHosts {
  private final Fabric fabric;
  private final TenantsHosts hosts;
  private final BitSet taken = new BitSet();

  TenantsFreeHosts(Fabric fabric, TenantsHosts hosts) {
    this.fabric = fabric;
    this.hosts = hosts;
  }

  /** The host of this adapter is not free. */
  void take(int node) {
    int host = hosts.hostOf(node);
    if (host != Fabric.NONE) {
      taken.set(host);
    }
  }

  /**
   * Picks and takes hosts.
   *
   * @param usable tells which ports count
   * @return host indices, fewer than wanted only if there are no more
   */
  List<Integer> pick(int wanted, Member member, TenantsClaims usable) {
    List<Integer> picked = new NearbyHosts(fabric).pick(wanted, leafPorts(member, usable));
    picked.forEach(taken::set);
    return picked;
  }

  /** By host, the first port of a switch that it is linked to, if it is free. */
  private int[] leafPorts(Member member, TenantsClaims usable) {
    int[] firstPort = new int[hosts.size()];
    Arrays.fill(firstPort, Fabric.NONE);
    for (int sw = 0; sw < fabric.switchCount(); sw++) {
      for (int number = 1; number <= fabric.portCount(sw); number++) {
        int other = fabric.peer(fabric.port(sw, number));
        int host = other == Fabric.NONE ? Fabric.NONE : hosts.hostOf(fabric.nodeOf(other));
        boolean free = host != Fabric.NONE && !taken.get(host) && !hosts.host(host).ambiguous();
        if (free && firstPort[host] == Fabric.NONE && usable.selects(member, other)) {
          firstPort[host] = fabric.port(sw, number);
        }
      }
    }
    return firstPort;
  }
}
