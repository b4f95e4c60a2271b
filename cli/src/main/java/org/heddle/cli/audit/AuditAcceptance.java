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
import org.heddle.fabric.Lid;
import org.heddle.topology.generate.FabricWithout;
import org.heddle.verify.AuditFinding;
import org.heddle.verify.AuditReport;

/**
 * What remains of an audit once the expected findings are taken away. An entry for nodes takes away
 * what is theirs alone: the tables are audited once more on the fabric without these hosts and
 * without the LIDs of these switches, and what is found there still is new.
 */
final class AuditAcceptance {
  private final Fabric fabric;
  private final Acceptance acceptance;
  private final Function<Fabric, AuditReport> again;

  /**
   * @param again the same audit on a fabric that lacks hosts or LIDs
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
      Optional<IntPredicate> named = acceptance.nodes(finding.code());
      if (named.isEmpty()) {
        left.add(finding);
        continue;
      }
      List<Integer> nodes = new ArrayList<>();
      for (int node = 0; node < fabric.nodeCount(); node++) {
        if (named.get().test(node)) {
          nodes.add(node);
        }
      }
      AuditReport without = known.computeIfAbsent(nodes, _ -> again.apply(without(named.get())));
      Optional<AuditFinding> rest =
          without.findings().stream().filter(f -> f.code().equals(finding.code())).findFirst();
      rest.ifPresent(left::add);
      if (rest.isEmpty() || rest.get().count() < finding.count()) {
        acceptance.took(finding.code(), finding.message());
      }
    }
    return report.withFindings(left);
  }

  private Fabric without(IntPredicate named) {
    Fabric rest = FabricWithout.hosts(fabric, named); // switches keep their ids
    int[] lids = new int[rest.portIdLimit()];
    byte[] lmcs = new byte[lids.length];
    for (int port = 0; port < lids.length; port++) {
      int node = rest.nodeOf(port);
      boolean keeps = !rest.isSwitch(node) || !named.test(node);
      lids[port] = keeps ? rest.lid(port) : Lid.NONE;
      lmcs[port] = keeps ? (byte) rest.lmc(port) : 0;
    }
    return rest.withLids(lids, lmcs);
  }
}
