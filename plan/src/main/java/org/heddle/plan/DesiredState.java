package org.heddle.plan;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.heddle.fabric.Fabric;
import org.heddle.plan.model.Drained;
import org.heddle.plan.model.HostRef;
import org.heddle.plan.model.Member;
import org.heddle.plan.model.Partition;
import org.heddle.plan.model.Tenant;
import org.heddle.plan.model.Vm;
import org.heddle.routing.ForwardingTables;
import org.heddle.topology.FatTree;

/**
 * The desired state of one epoch, for readers: never changes once published.
 *
 * @param name of the fabric
 * @param fabric whose ports answer to the machines' LIDs, too
 * @param tables what the switches should have
 * @param tenants by name, in the order of their admission
 * @param byKey names by partition key
 * @param fabric all of it, also what is out of service
 * @param vms machines by name
 * @param freeHosts hosts that no tenant holds
 * @param out the links and switches that are out of service
 * @param engine whose tables are under the tenants' own
 */
public record DesiredState(
    String name,
    long epoch,
    Fabric fabric,
    FatTree tree,
    ForwardingTables tables,
    Map<String, Tenant> tenants,
    Map<Integer, String> byKey,
    SortedMap<String, Vm> vms,
    int freeHosts,
    List<String> notes,
    ServiceState out,
    EngineInForce engine) {

  /** The tenant of a name. */
  public Optional<Tenant> tenant(String tenantName) {
    return Optional.ofNullable(tenants.get(tenantName));
  }

  /** The tenant of a key, with or without the membership bit. */
  public Optional<Tenant> tenantOfKey(int pkey) {
    return Optional.ofNullable(byKey.get(pkey & 0x7fff)).map(tenants::get);
  }

  /** What was taken out of service. */
  public Drained drained() {
    return out.drained();
  }

  /** True if no traffic may cross a switch: drained, or without a link in service. */
  public boolean switchIsOut(int sw) {
    return out.hasSwitch(sw);
  }

  /** True if no traffic may cross the cable at a port: drained, or with a switch at its end. */
  public boolean cableIsOut(int port) {
    return out.hasPort(port);
  }

  /** The machine of a name. */
  public Optional<Vm> vm(String vmName) {
    return Optional.ofNullable(vms.get(vmName));
  }

  /** All tenants. */
  public Collection<Tenant> all() {
    return tenants.values();
  }

  /** All partitions, by ascending key. */
  public List<Partition> partitions() {
    return tenants.values().stream()
        .sorted(Comparator.comparingInt(Tenant::pkey))
        .map(t -> partition(fabric, t))
        .toList();
  }

  /** The partition of a tenant, with those of its hosts' ports that a fabric has. */
  public static Partition partition(Fabric fabric, Tenant tenant) {
    return new Partition(
        tenant.name(), tenant.spec().partition(), PartitionMembers.of(fabric, tenant));
  }

  /** All adapters of the machines that a tenant holds; what the fabric lacks as it was kept. */
  public List<HostRef> adapters(Tenant tenant) {
    return PartitionMembers.adapters(fabric, tenant);
  }

  /** The ports of a tenant's partition: those of its hosts, then the others it named. */
  public List<Member> members(Tenant tenant) {
    return PartitionMembers.of(fabric, tenant);
  }
}
