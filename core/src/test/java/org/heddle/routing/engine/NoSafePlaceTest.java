package org.heddle.routing.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.heddle.catalog.Catalog;
import org.heddle.fabric.Fabric;
import org.heddle.routing.RoutingEngine;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.topology.Recognition;
import org.heddle.topology.generate.DamageSpec;
import org.heddle.topology.generate.FabricDamage;
import org.heddle.verify.AuditReport;
import org.junit.jupiter.api.Test;

/**
 * Merged planes with hosts on all switches and damage: where no place for turns is safe, engines
 * route up and down in another order instead of refusing.
 */
class NoSafePlaceTest {
  @Test
  void everythingIsReachedWithoutCreditLoops() {
    Map<String, Integer> count = new TreeMap<>();
    for (int shape : new int[] {0, 1, 2, 3, 1518, 2771, 2968}) {
      Fabric whole = StrangeFabrics.layered(shape);
      for (int seed = 0; seed < 4; seed++) {
        DamageSpec damage =
            DamageSpec.none(seed == 0 ? shape : seed)
                .withLinks(DamageSpec.Amount.of(seed == 0 ? 8 : seed));
        Fabric fabric = FabricDamage.apply(whole, damage).fabric();
        Recognition recognition = RoutingEngineContract.recognise(fabric);
        if (!(recognition instanceof Recognition.Found)) {
          continue;
        }
        for (RoutingEngine engine : Catalog.engines()) {
          String which = engine.name() + ", seed " + seed;
          RoutingResult result = engine.route(RoutingRequest.of(fabric, recognition));
          assertThat(result).as(which).isInstanceOf(RoutingResult.Routed.class);
          RoutingResult.Routed routed = (RoutingResult.Routed) result;
          AuditReport report = RoutingEngineContract.audit(fabric, routed.tables());
          assertThat(report.reachability(AuditReport.PairKind.CA_TO_CA).unreachable()).isZero();
          assertThat(report.reachability(AuditReport.PairKind.SWITCH_TO_SWITCH).unreachable())
              .isZero();
          assertThat(report.loopCount()).isZero();
          if (!engine.name().equals("minhop")) {
            assertThat(report.creditLoops().cyclic()).as(which).isZero();
          }
          boolean upDown = routed.notes().stream().anyMatch(n -> n.contains("up*/down*"));
          count.merge(upDown ? "all up*/down*" : "tree", 1, Integer::sum);
        }
      }
    }
    assertThat(count.get("all up*/down*")).as("%s", count).isPositive();
    assertThat(count.get("tree")).as("%s", count).isPositive();
  }
}
