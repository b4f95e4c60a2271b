package org.heddle.cli.allocate;

import java.util.ArrayList;
import java.util.List;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Progress;
import org.heddle.cli.shell.Session;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.plan.DraftState;
import org.heddle.plan.StateProof;
import org.heddle.plan.StateRouter;
import org.heddle.plan.Tables;
import org.heddle.reconfig.TableDiff;
import org.heddle.routing.RoutingResult;
import org.heddle.tenancy.IsolationPolicy;
import org.heddle.tenancy.Lanes;
import org.heddle.tenancy.Tenancy;
import org.heddle.text.lft.BoundTables;
import org.heddle.text.tenants.ResolvedTenants;
import org.heddle.text.tenants.TenantsFile;
import org.heddle.text.tenants.TenantsResolver;
import org.heddle.verify.Audit;
import org.heddle.verify.AuditFinding;
import org.heddle.verify.AuditOptions;
import org.heddle.verify.AuditReport;
import org.heddle.verify.Severity;
import org.heddle.verify.isolation.IsolationAudit;
import org.heddle.verify.isolation.IsolationOptions;
import org.heddle.verify.isolation.IsolationReport;

/**
 * Tables for the tenants of a site, and what the audits say of them.
 *
 * @param changed entries that differ from the base tables
 * @param crossings sentences: which tenants without links of their own cross whose; also in notes
 * @param broken sentences: what is wrong; empty if every promise is kept
 */
record Proof(
    BoundTables bound,
    long changed,
    List<String> notes,
    ResolvedTenants tenants,
    IsolationReport isolation,
    List<String> crossings,
    List<String> broken) {

  /**
   * Routes and audits a state of a site.
   *
   * @throws Failure exit code 1 if there are no such tables
   */
  static Proof of(Session session, AllocationState site, DraftState state) {
    Tables routed;
    try (Progress _ = session.terminal().progress("routing with " + state.engine)) {
      routed = StateRouter.route(state);
    }
    if (!routed.ok()) {
      throw Failure.refused(
          routed.trouble(),
          routed.culprit() == null
              ? List.of()
              : List.of("the fabric has changed since it was placed; remove it and add it again"));
    }
    ResolvedTenants resolved =
        session.accept(
            site.stateFile(), TenantsResolver.resolve(tenantsFile(site, state), site.fabric()));
    try (Progress _ = session.terminal().progress("auditing")) {
      return prove(state, routed, resolved);
    }
  }

  private static Proof prove(DraftState state, Tables routed, ResolvedTenants resolved) {
    Fabric fabric = state.site.fabric();
    BoundTables bound = new BoundTables(fabric, routed.tables());
    AuditReport audit =
        Audit.run(
            fabric,
            bound.tables(),
            AuditOptions.defaults().withTree(state.site.tree()).withExamples(1));
    Tenancy audited = StateRouter.besideLinks(state, resolved.tenancy());
    IsolationReport isolation =
        IsolationAudit.run(
            fabric,
            bound.tables(),
            audited,
            Lanes.single(audited.partitions().size()),
            IsolationOptions.defaults().withTree(state.site.tree()));
    StateProof.Findings found = StateProof.findings(state, bound.tables(), audited, isolation);
    List<String> broken = new ArrayList<>(found.broken());
    for (AuditFinding finding : audit.findings()) {
      if (finding.severity() == Severity.ERROR) {
        broken.add(finding.code() + ": " + finding.message());
      }
    }
    isolation.violations().forEach(v -> broken.add(v.code() + ": " + v.message()));
    List<String> notes = new ArrayList<>(routed.notes());
    notes.addAll(found.crossings());
    long changed =
        state.site.base() instanceof RoutingResult.Routed base
            ? TableDiff.of(fabric, base.tables(), bound.tables()).entries()
            : 0;
    return new Proof(bound, changed, notes, resolved, isolation, found.crossings(), broken);
  }

  /** The tenants as a tenants file: {@code phy} where links were promised. */
  private static TenantsFile tenantsFile(AllocationState site, DraftState state) {
    Fabric fabric = site.fabric();
    List<TenantsFile.Tenant> out = new ArrayList<>();
    state
        .holders()
        .forEach(
            h -> {
              List<TenantsFile.Member> members = new ArrayList<>();
              for (int port : state.site.hostPorts(h.allocation())) {
                Guid guid = new Guid(fabric.portGuid(port));
                members.add(TenantsFile.Member.of(new TenantsFile.ByGuid(guid)));
              }
              IsolationPolicy policy =
                  h.allocation().guaranteed() ? IsolationPolicy.PHY : IsolationPolicy.DEF;
              int key = state.tenants.get(h.name()).pkey();
              out.add(TenantsFile.Tenant.of(h.name(), key, policy, members));
            });
    return new TenantsFile(site.stateFile(), TenantsFile.Rules.DEFAULT, List.of(), out);
  }

  /** Channels that two or more tenants use. */
  int sharedChannels() {
    return isolation.pairs().stream().mapToInt(p -> p.channels()).sum();
  }
}
