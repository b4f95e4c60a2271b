package org.heddle.cli.allocate;

import java.util.ArrayList;
import java.util.List;
import org.heddle.cli.shell.Counted;
import org.heddle.cli.shell.Engines;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Progress;
import org.heddle.cli.shell.Session;
import org.heddle.tenancy.Lanes;
import org.heddle.text.lft.BoundTables;
import org.heddle.text.state.BoundState;
import org.heddle.text.tenants.ResolvedTenants;
import org.heddle.text.tenants.TenantsResolver;
import org.heddle.verify.Audit;
import org.heddle.verify.AuditFinding;
import org.heddle.verify.AuditOptions;
import org.heddle.verify.AuditReport;
import org.heddle.verify.Severity;
import org.heddle.verify.isolation.IsolationAudit;
import org.heddle.verify.isolation.IsolationCode;
import org.heddle.verify.isolation.IsolationOptions;
import org.heddle.verify.isolation.IsolationReport;

/**
 * Tables for the tenants of a site, and what the audits say of them.
 *
 * @param crossings sentences: which tenants without links of their own cross whose; also in notes
 * @param broken sentences: what is wrong; empty if every promise is kept
 */
record Proof(
    BoundTables bound,
    long changed,
    List<String> notes,
    ResolvedTenants tenants,
    AuditReport audit,
    IsolationReport isolation,
    List<String> crossings,
    List<String> broken) {

  /**
   * Routes and audits.
   *
   * @throws Failure exit code 1 if there are no such tables
   */
  static Proof of(
      Session session, AllocationState site, List<BoundState.Held> held, String engine) {
    List<LinkTables.Tenant> tenants =
        held.stream()
            .map(h -> new LinkTables.Tenant(h.tenant().name(), h.tenant().pkey(), h.allocation()))
            .toList();
    LinkTables.Outcome outcome;
    try (Progress _ = session.terminal().progress("routing with " + engine)) {
      outcome = LinkTables.route(Engines.named(engine), site.fabric(), site.tree(), tenants);
    }
    return switch (outcome) {
      case LinkTables.Outcome.Refused no -> throw Failure.refused(no.reason(), no.details());
      case LinkTables.Outcome.Routed yes -> prove(session, site, tenants, yes);
    };
  }

  private static Proof prove(
      Session session,
      AllocationState site,
      List<LinkTables.Tenant> tenants,
      LinkTables.Outcome.Routed routed) {
    ResolvedTenants resolved =
        session.accept(
            site.stateFile(),
            TenantsResolver.resolve(
                LinkTables.tenantsFile(site.stateFile(), site.fabric(), tenants), site.fabric()));
    BoundTables bound = routed.bound();
    try (Progress _ = session.terminal().progress("auditing")) {
      AuditReport audit =
          Audit.run(
              bound.fabric(),
              bound.tables(),
              AuditOptions.defaults().withTree(site.tree().tree()).withExamples(1));
      IsolationReport isolation =
          IsolationAudit.run(
              bound.fabric(),
              bound.tables(),
              resolved.tenancy(),
              Lanes.single(tenants.size()),
              IsolationOptions.defaults().withTree(site.tree().tree()));
      List<String> broken = new ArrayList<>(LinkTables.strays(bound, tenants));
      List<String> crossings = new ArrayList<>();
      for (AuditFinding finding : audit.findings()) {
        if (finding.severity() == Severity.ERROR) {
          broken.add(finding.code() + ": " + finding.message());
        }
      }
      for (AuditFinding v : isolation.violations()) {
        if (!v.code().equals(IsolationCode.PHYSICAL_SHARED.key())) {
          broken.add(v.code() + ": " + v.message());
        }
      }
      for (IsolationReport.Pair pair : isolation.pairs()) {
        meeting(tenants.get(pair.a()), tenants.get(pair.b()), pair, broken, crossings);
      }
      List<String> notes = new ArrayList<>(routed.notes());
      notes.addAll(crossings);
      return new Proof(
          bound, routed.changed(), notes, resolved, audit, isolation, crossings, broken);
    }
  }

  /**
   * Two tenants on one channel: broken if both were promised links of their own. One without may
   * have no other way; it is said how much of the other's it takes.
   */
  private static void meeting(
      LinkTables.Tenant a,
      LinkTables.Tenant b,
      IsolationReport.Pair pair,
      List<String> broken,
      List<String> crossings) {
    boolean first = a.allocation().guaranteed();
    boolean second = b.allocation().guaranteed();
    String channels = Counted.of(pair.channels(), "channel", "channels");
    if (first && second) {
      broken.add(a.name() + " and " + b.name() + " share " + channels);
    } else if (first || second) {
      crossings.add(
          (first ? b : a).name()
              + ", without links of its own, crosses those of "
              + (first ? a : b).name()
              + ": "
              + channels);
    }
  }

  /** Channels that two or more tenants use. */
  int sharedChannels() {
    return isolation.pairs().stream().mapToInt(p -> p.channels()).sum();
  }
}
