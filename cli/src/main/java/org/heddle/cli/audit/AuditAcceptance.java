package org.heddle.cli.audit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntPredicate;
import org.heddle.cli.shell.Acceptance;
import org.heddle.fabric.Fabric;
import org.heddle.topology.generate.FabricWithout;
import org.heddle.verify.AuditFinding;
import org.heddle.verify.AuditReport;

/**
 * What remains of an audit once the expected findings are taken away. An entry for hosts takes away
 * what is theirs alone: the tables are audited once more on the fabric without these hosts, and
 * what is found there still is new.
 */
final class AuditAcceptance {
  private final Fabric fabric;
  private final Acceptance acceptance;
  private final Function<Fabric, AuditReport> again;

  /**
   * @param again the same audit on a fabric that lacks hosts
   */
  AuditAcceptance(Fabric fabric, Acceptance acceptance, Function<Fabric, AuditReport> again) {
    this.fabric = fabric;
    this.acceptance = acceptance;
    this.again = again;
  }

  /** The report with the findings that are left. */
  AuditReport of(AuditReport report) {
    List<AuditFinding> left = new ArrayList<>();
    Map<List<Integer>, AuditReport> known = new HashMap<>();
    for (AuditFinding finding : report.findings()) {
      if (acceptance.acceptsAll(finding.code(), finding.message())) {
        continue;
      }
      Optional<IntPredicate> hosts = acceptance.hosts(finding.code());
      if (hosts.isEmpty()) {
        left.add(finding);
        continue;
      }
      List<Integer> nodes = new ArrayList<>();
      for (int node = fabric.switchCount(); node < fabric.nodeCount(); node++) {
        if (hosts.get().test(node)) {
          nodes.add(node);
        }
      }
      AuditReport without =
          known.computeIfAbsent(nodes, n -> again.apply(FabricWithout.hosts(fabric, hosts.get())));
      Optional<AuditFinding> rest =
          without.findings().stream().filter(f -> f.code().equals(finding.code())).findFirst();
      rest.ifPresent(left::add);
      if (rest.isEmpty() || rest.get().count() < finding.count()) {
        acceptance.took(finding.code(), finding.message());
      }
    }
    return report.withFindings(left);
  }
}
