package org.heddle.cli.plan;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.heddle.allocation.Allocation;
import org.heddle.opensm.TenantFiles;
import org.heddle.reconfig.TableDiff;
import org.heddle.tenancy.Lanes;
import org.heddle.tenancy.Tenancy;
import org.heddle.text.lft.BoundTables;
import org.heddle.text.tenants.ResolvedTenants;
import org.heddle.topology.Recognition;
import org.heddle.verify.AuditReport;
import org.heddle.verify.isolation.IsolationPrice;
import org.heddle.verify.isolation.IsolationReport;

/**
 * Everything a plan consists of.
 *
 * @param engine name of the engine
 * @param own what tenants with links of their own hold, by name
 * @param notes what the engine says
 * @param broken what tables break of links that are tenants' own, one sentence each
 * @param price what isolation costs the tenants that are not isolated, if it was worked out
 * @param current the tables now in force, if they were given
 * @param diff from these to the planned ones
 */
record Plan(
    String engine,
    Recognition tree,
    BoundTables bound,
    ResolvedTenants tenants,
    Map<String, Allocation> own,
    Lanes lanes,
    TenantFiles.Ipoib ipoib,
    List<String> notes,
    List<String> broken,
    AuditReport audit,
    IsolationReport isolation,
    Optional<IsolationPrice> price,
    Optional<String> current,
    Optional<TableDiff> diff) {

  Tenancy tenancy() {
    return tenants.tenancy();
  }

  /** True if the tables work and every promise to a tenant is kept. */
  boolean kept() {
    return audit.clean() && isolation.kept();
  }

  /** Number of hosts with a member port. */
  long tenantHosts() {
    return tenants.tenants().stream().flatMap(d -> d.hosts().stream()).distinct().count();
  }

  /** Number of ports of a tenant that are in another tenant, too. */
  int tiedPorts(int partition) {
    int ports = 0;
    for (IsolationReport.Tie tie : isolation.ties()) {
      ports += tie.partitions().contains(partition) ? tie.ports().size() : 0;
    }
    return ports;
  }
}
