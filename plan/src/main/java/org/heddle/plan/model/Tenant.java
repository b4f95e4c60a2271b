package org.heddle.plan.model;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A tenant that has been admitted.
 *
 * @param spec what it asked for, the key filled in
 * @param hosts what it got
 * @param links links of its own
 * @param created epoch of its admission
 * @param changed epoch of its last change: its version
 * @param since when it was admitted
 * @param broken the parts of its promise that do not hold at present
 */
public record Tenant(
    TenantSpec spec,
    List<HostRef> hosts,
    List<LinkRef> links,
    long created,
    long changed,
    Instant since,
    List<Breach> broken) {
  public Tenant {
    hosts = List.copyOf(hosts);
    links = List.copyOf(links);
    broken = List.copyOf(broken);
  }

  /** Its name. */
  public String name() {
    return spec.name();
  }

  /** Its partition key without the membership bit. */
  public int pkey() {
    return spec.partition().pkey();
  }

  /** The same with another request, changed at an epoch. */
  public Tenant with(TenantSpec other, long epoch) {
    return new Tenant(other, hosts, links, created, epoch, since, broken);
  }

  /**
   * The same holding other things, changed at an epoch. A host that it holds already stays as it
   * was first known, with adapters that are lost by now.
   */
  public Tenant holding(
      List<HostRef> otherHosts, List<LinkRef> otherLinks, List<Breach> lost, long epoch) {
    Map<Long, HostRef> known = new HashMap<>();
    for (HostRef host : hosts) {
      host.adapters().forEach(guid -> known.put(guid, host));
      known.put(host.guid(), host);
    }
    List<HostRef> kept = otherHosts.stream().map(h -> known.getOrDefault(h.guid(), h)).toList();
    return new Tenant(spec, kept, otherLinks, created, epoch, since, lost);
  }

  /** The same as of another epoch. */
  public Tenant at(long epoch) {
    return new Tenant(spec, hosts, links, created, epoch, since, broken);
  }
}
