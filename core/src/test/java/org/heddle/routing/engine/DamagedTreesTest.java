package org.heddle.routing.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.heddle.catalog.Catalog;
import org.heddle.fabric.Fabric;
import org.heddle.routing.RoutingEngine;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.topology.Recognition;
import org.heddle.verify.AuditCode;
import org.heddle.verify.AuditReport;
import org.junit.jupiter.api.Test;

/** 200 trees with random damage and extras: every engine, checked by the verifier. */
class DamagedTreesTest {
  private static final int SEEDS = Integer.getInteger("heddle.test.seeds", 200);

  @Test
  void everyEngineRoutesThemCleanly() {
    List<String> wrong = new ArrayList<>();
    int routed = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      Fabric fabric = Fabrics.damaged(seed);
      Recognition recognition = RoutingEngineContract.recognise(fabric);
      for (RoutingEngine engine : Catalog.engines()) {
        String which = "seed " + seed + ", " + engine.name() + ": ";
        switch (engine.route(RoutingRequest.of(fabric, recognition))) {
          case RoutingResult.Routed ok -> {
            routed++;
            AuditReport report = RoutingEngineContract.audit(fabric, ok.tables());
            report.findings().stream()
                .filter(f -> f.severity() == org.heddle.verify.Severity.ERROR)
                .filter(
                    f ->
                        !(engine.name().equals("minhop")
                            && f.code().equals(AuditCode.CREDIT_LOOP.key())))
                .forEach(f -> wrong.add(which + f.message()));
            for (AuditReport.PairKind kind : AuditReport.PairKind.values()) {
              if (report.reachability(kind).unreachable() > 0) {
                wrong.add(which + report.reachability(kind));
              }
            }
          }
          case RoutingResult.Unsupported no -> {
            if (recognition instanceof Recognition.Found || engine.name().matches("updn|minhop")) {
              wrong.add(which + no.reason());
            }
          }
        }
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(routed).isGreaterThan(SEEDS * 4);
  }
}
