package org.heddle.text.tenants;

import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.tenancy.PartitionMember;
import org.heddle.tenancy.Tenancy;

/**
 * A tenants file on a fabric: the partitions for the engines, and for each of them what people want
 * to know about it. Valid for one fabric snapshot.
 *
 * @param tenants as many as the tenancy has partitions, in the same order
 */
public record ResolvedTenants(Tenancy tenancy, List<Details> tenants) {
  public ResolvedTenants {
    tenants = List.copyOf(tenants);
    if (tenants.size() != tenancy.partitions().size()) {
      throw new IllegalArgumentException("details of " + tenants.size() + " tenants");
    }
  }

  /** Nodes with a member port of a tenant, those of guests left out. */
  public BitSet ownNodes(Fabric fabric, int tenant) {
    BitSet out = new BitSet();
    for (PartitionMember m : tenancy.partitions().get(tenant).members()) {
      if (!tenants.get(tenant).guests().get(m.port())) {
        out.set(fabric.nodeOf(m.port()));
      }
    }
    return out;
  }

  /**
   * Where a tenant comes from and what is special about it.
   *
   * @param line where it starts in the file
   * @param automaticKey Heddle chose the P_Key
   * @param exclusive its hosts belong to no other tenant
   * @param fullByDefault membership of entries that do not say
   * @param ipOverIb what it wants of IP over InfiniBand, if the file says
   * @param guests port ids of members whose hosts are not the tenant's own; not to be changed
   * @param hosts names of its hosts with a member port, in the fabric's order
   * @param pending GUIDs that belong to it and that the fabric does not hold, or not linked
   */
  public record Details(
      int line,
      boolean automaticKey,
      boolean exclusive,
      boolean fullByDefault,
      Optional<TenantsFile.IpOverIb> ipOverIb,
      BitSet guests,
      List<String> hosts,
      List<Pending> pending) {
    public Details {
      hosts = List.copyOf(hosts);
      pending = List.copyOf(pending);
    }
  }

  /**
   * A member that has no usable port yet.
   *
   * @param line the entry that names it
   * @param guid as written; for an unlinked port that was named otherwise, its port GUID
   * @param full membership it will have
   * @param reason why it is pending
   */
  public record Pending(int line, Guid guid, boolean full, Reason reason) {}

  /** Why a member is pending. */
  public enum Reason {
    /** No node or port of the fabric has the GUID. */
    NOT_IN_FABRIC,
    /** The port is there without a cable. */
    NOT_LINKED
  }
}
