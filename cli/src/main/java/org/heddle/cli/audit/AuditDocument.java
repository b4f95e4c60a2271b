package org.heddle.cli.audit;

import java.util.List;
import java.util.Optional;
import org.heddle.cli.apply.PartitionCheck;
import org.heddle.cli.shell.Acceptance;
import org.heddle.topology.Recognition;
import org.heddle.verify.AuditFinding;
import org.heddle.verify.AuditReport;

/** The JSON output of {@code heddle audit}; {@code docs/json.md} explains the keys. */
record AuditDocument(
    String format,
    String fabric,
    String tables,
    boolean clean,
    int errors,
    int warnings,
    AuditReport.Size size,
    int treeLevels,
    List<AuditReport.Component> components,
    AuditReport.Entries entries,
    List<AuditReport.Reachability> reachability,
    long loopCount,
    List<AuditReport.ForwardingLoop> loops,
    AuditReport.CreditLoops creditLoops,
    AuditReport.CreditLoops creditLoopsWithSwitches,
    Optional<AuditReport.UpDown> upDown,
    List<AuditReport.LoadSummary> destinationLoad,
    List<AuditReport.LoadSummary> pairLoad,
    AuditReport.Hops hops,
    AuditReport.LinkUse links,
    List<AuditReport.SinglePoint> singlePoints,
    List<AuditFinding> findings,
    Optional<PartitionCheck.Report> partitions,
    Optional<IsolationDocument> isolation,
    List<Acceptance.Accepted> accepted,
    TableOrigin origin,
    List<LaneLoops> creditLoopsByLane) {

  static AuditDocument of(
      String fabric,
      String tables,
      AuditReport report,
      Recognition recognition,
      Optional<PartitionCheck.Report> partitions,
      Optional<IsolationDocument> isolation,
      List<Acceptance.Accepted> accepted,
      TableOrigin origin,
      List<LaneLoops> lanes) {
    return new AuditDocument(
        "heddle.audit/1",
        fabric,
        tables,
        report.clean(),
        report.errors(),
        report.warnings(),
        report.size(),
        recognition instanceof Recognition.Found found ? found.tree().levels() : 0,
        report.components(),
        report.entries(),
        report.reachability(),
        report.loopCount(),
        report.loops(),
        report.creditLoops(),
        report.creditLoopsWithSwitches(),
        report.upDown(),
        report.destinationLoad(),
        report.pairLoad(),
        report.hops(),
        report.links(),
        report.singlePoints(),
        report.findings(),
        partitions,
        isolation,
        accepted,
        origin,
        lanes);
  }
}
