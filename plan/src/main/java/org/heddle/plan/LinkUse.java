package org.heddle.plan;

import java.util.ArrayList;
import java.util.List;
import org.heddle.fabric.Fabric;
import org.heddle.plan.model.PartitionOptions;
import org.heddle.plan.model.Tenant;
import org.heddle.tenancy.IsolationPolicy;
import org.heddle.tenancy.Lanes;
import org.heddle.tenancy.Partition;
import org.heddle.tenancy.PartitionMember;
import org.heddle.tenancy.Tenancy;
import org.heddle.verify.isolation.IsolationAudit;
import org.heddle.verify.isolation.IsolationOptions;
import org.heddle.verify.isolation.IsolationReport;
import org.heddle.verify.isolation.PartitionChannels;

/**
 * Which tenants' traffic uses which channel of a state, in destinations: LIDs of the tenant's ports
 * that others of its ports send to over the channel, as {@link IsolationAudit} counts them from the
 * tables. Management's partition does not count. Immutable.
 */
public final class LinkUse {
  private final Fabric fabric;
  private final List<Tenant> tenants;
  private final List<Partition> partitions;
  private final List<IsolationReport.PartitionUse> uses;

  private LinkUse(
      Fabric fabric,
      List<Tenant> tenants,
      List<Partition> partitions,
      List<IsolationReport.PartitionUse> uses) {
    this.fabric = fabric;
    this.tenants = List.copyOf(tenants);
    this.partitions = partitions;
    this.uses = uses;
  }

  /** Of all tenants. O(tenants' LIDs x switches on the way to them). */
  public static LinkUse of(DesiredState view) {
    List<Tenant> tenants = new ArrayList<>(view.all());
    tenants.removeIf(t -> t.pkey() == PartitionOptions.MANAGEMENT);
    List<Partition> partitions = new ArrayList<>();
    for (Tenant t : tenants) {
      partitions.add(Isolation.partition(view.fabric(), t, IsolationPolicy.DEF));
    }
    IsolationOptions options =
        IsolationOptions.defaults().withTree(view.tree()).withThreads(1).withExamples(0);
    IsolationReport report =
        IsolationAudit.run(
            view.fabric(),
            view.tables(),
            new Tenancy(Tenancy.Rules.BEST_EFFORT, partitions),
            Lanes.single(partitions.size()),
            options);
    return new LinkUse(view.fabric(), tenants, partitions, report.partitions());
  }

  /** The tenants that count; their places here are the numbers below. */
  public List<Tenant> tenants() {
    return tenants;
  }

  /** Destinations of a tenant over the channel that leaves a port. */
  public int destinations(int tenant, int port) {
    if (fabric.isSwitch(fabric.nodeOf(port))) {
      int peer = fabric.peer(port);
      if (peer != Fabric.NONE && !fabric.isSwitch(fabric.nodeOf(peer))) {
        return toHost(tenant, peer);
      }
      PartitionChannels channels = uses.get(tenant).channels();
      int at = channels.indexOf(port);
      return at < 0 ? 0 : channels.destinations(at);
    }
    return fromHost(tenant, port);
  }

  private int toHost(int tenant, int port) {
    PartitionMember me = member(tenant, port);
    return me == null || partitions.get(tenant).members().size() < 2 ? 0 : lids(port);
  }

  private int lids(int port) {
    return (1 << fabric.lmc(port)) + fabric.virtualLids().count(port);
  }

  private int fromHost(int tenant, int port) {
    PartitionMember me = member(tenant, port);
    int sum = 0;
    for (PartitionMember m : partitions.get(tenant).members()) {
      if (me != null && m.port() != port && (me.full() || m.full())) {
        sum += lids(m.port());
      }
    }
    return sum;
  }

  private PartitionMember member(int tenant, int port) {
    List<PartitionMember> members = partitions.get(tenant).members();
    int low = 0;
    int high = members.size() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int there = members.get(middle).port();
      if (there == port) {
        return members.get(middle);
      }
      low = there < port ? middle + 1 : low;
      high = there < port ? high : middle - 1;
    }
    return null;
  }
}
