package org.heddle.cli.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.heddle.allocation.Allocation;
import org.heddle.allocation.AllocationBinder;
import org.heddle.cli.shell.TenantColours;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.reconfig.TableDiff;
import org.heddle.tenancy.Partition;
import org.heddle.tenancy.PartitionMember;
import org.heddle.verify.AuditFinding;
import org.heddle.verify.isolation.IsolationPrice;
import org.heddle.verify.isolation.IsolationReport;

/** The JSON output of {@code heddle plan}; {@code docs/json.md} explains the keys. */
record PlanDocument(
    String format,
    String fabric,
    String tenantsFile,
    String engine,
    boolean strict,
    boolean kept,
    int switches,
    int hosts,
    long tenantHosts,
    int dataLanes,
    int lanesUsed,
    List<Tenant> tenants,
    List<Pair> pairs,
    Optional<List<Price>> priceOfIsolation,
    int errors,
    int warnings,
    List<AuditFinding> findings,
    List<AuditFinding> isolationFindings,
    List<String> notes,
    Optional<Changes> changes,
    String directory,
    List<String> files,
    String command) {

  /** One tenant. */
  record Tenant(
      String name,
      String pkey,
      String pkeyFull,
      boolean automaticKey,
      String policy,
      int sl,
      int lane,
      int hosts,
      int full,
      int limited,
      List<String> pending,
      int channels,
      int sharedChannels,
      boolean ipoib,
      String colour,
      String environment,
      List<Link> links) {}

  /** A link of a tenant's own: the lower end, then the upper one. */
  record Link(String from, int port, String to, int toPort) {}

  /** Two tenants that share channels. */
  record Pair(
      String a, String b, int channels, boolean sameLane, boolean allowed, String violation) {}

  /** What isolation costs a tenant that is not isolated, against the same without policies. */
  record Price(
      String tenant,
      int fullestChannel,
      int fullestChannelWithout,
      long contention,
      long contentionWithout,
      int channels,
      int channelsWithout) {}

  /** The way from the tables in force to the planned ones. */
  record Changes(
      String current,
      long blocks,
      long smps,
      long entries,
      long routes,
      int newSwitches,
      int goneSwitches,
      List<SwitchChange> switches,
      List<LidChange> lidChanges) {}

  /** One switch. */
  record SwitchChange(String guid, String name, int blocks, int entries) {}

  /** One port. */
  record LidChange(String portGuid, String name, int before, int after) {}

  static PlanDocument of(
      Plan plan,
      String fabricFile,
      String tenantsFile,
      String directory,
      List<String> files,
      String command) {
    Fabric fabric = plan.bound().fabric();
    return new PlanDocument(
        "heddle.plan/1",
        fabricFile,
        tenantsFile,
        plan.engine(),
        plan.tenancy().rules().strict(),
        plan.kept(),
        fabric.switchCount(),
        fabric.caCount(),
        plan.tenantHosts(),
        plan.tenancy().rules().dataLanes(),
        plan.lanes().used(),
        tenants(plan),
        pairs(plan),
        plan.price().map(PlanDocument::price),
        plan.audit().errors(),
        plan.audit().warnings(),
        plan.audit().findings(),
        plan.isolation().findings(),
        plan.notes(),
        plan.diff().map(diff -> changes(fabric, plan.current().orElse(""), diff)),
        directory,
        files,
        command);
  }

  private static List<Tenant> tenants(Plan plan) {
    List<Tenant> out = new ArrayList<>();
    for (int p = 0; p < plan.tenants().tenants().size(); p++) {
      Partition partition = plan.tenancy().partitions().get(p);
      IsolationReport.PartitionUse use = plan.isolation().partitions().get(p);
      int full = (int) partition.members().stream().filter(PartitionMember::full).count();
      var details = plan.tenants().tenants().get(p);
      out.add(
          new Tenant(
              partition.name(),
              key(partition.pkey()),
              key(partition.pkey() | 0x8000),
              details.automaticKey(),
              partition.policy().word(),
              plan.lanes().lane(p),
              plan.lanes().lane(p),
              details.hosts().size(),
              full,
              partition.members().size() - full,
              details.pending().stream().map(m -> m.guid().toString()).toList(),
              use.used(),
              use.shared(),
              plan.ipoib().of(details, partition.policy()),
              TenantColours.of(p),
              PlanFiles.environment(partition),
              links(plan.own().get(partition.name()))));
    }
    return out;
  }

  private static List<Link> links(Allocation held) {
    return held == null
        ? List.of()
        : AllocationBinder.links(held).stream()
            .map(l -> new Link(Guid.format(l.from()), l.port(), Guid.format(l.to()), l.toPort()))
            .toList();
  }

  static String key(int pkey) {
    return "0x%04x".formatted(pkey);
  }

  private static List<Pair> pairs(Plan plan) {
    List<Pair> out = new ArrayList<>();
    for (IsolationReport.Pair pair : plan.isolation().pairs()) {
      out.add(
          new Pair(
              plan.tenancy().partitions().get(pair.a()).name(),
              plan.tenancy().partitions().get(pair.b()).name(),
              pair.channels(),
              pair.sameLane(),
              pair.allowed(),
              pair.violation().orElse(null)));
    }
    return out;
  }

  private static List<Price> price(IsolationPrice price) {
    List<Price> out = new ArrayList<>();
    for (IsolationPrice.Share s : price.shares()) {
      out.add(
          new Price(
              s.name(),
              s.fullest(),
              s.fullestBefore(),
              s.contention(),
              s.contentionBefore(),
              s.channels(),
              s.channelsBefore()));
    }
    return out;
  }

  private static Changes changes(Fabric fabric, String current, TableDiff diff) {
    List<SwitchChange> switches = new ArrayList<>();
    for (TableDiff.SwitchChange c : diff.switches()) {
      String name = fabric.description(c.sw());
      switches.add(new SwitchChange(Guid.format(c.guid()), name, c.blocks(), c.entries()));
    }
    List<LidChange> lids = new ArrayList<>();
    for (TableDiff.LidChange c : diff.lidChanges()) {
      String name = fabric.description(fabric.nodeOf(c.port()));
      lids.add(new LidChange(Guid.format(c.portGuid()), name, c.before(), c.after()));
    }
    return new Changes(
        current,
        diff.blocks(),
        diff.smps(),
        diff.entries(),
        diff.routes(),
        diff.newSwitches(),
        diff.goneSwitches(),
        switches,
        lids);
  }
}
