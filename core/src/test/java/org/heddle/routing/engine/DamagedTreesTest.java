package org.heddle.routing.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.heddle.catalog.Catalog;
import org.heddle.fabric.Fabric;
import org.heddle.routing.RoutingEngine;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.topology.FatTree;
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
    int refused = 0;
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
            refused++;
            if (!engine.name().matches("noftree|metabase(-rank)?|dmodk|p?ftree.*|vswitch-ftree")
                || (recognition instanceof Recognition.Found found
                    && !twoLeavesWithoutCommonAncestor(fabric, found.tree()))) {
              wrong.add(which + no.reason());
            }
          }
        }
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(routed).isGreaterThan(SEEDS * 4);
    // Damage of this size cuts some trees: both outcomes are covered.
    assertThat(refused).isPositive();
  }

  /** Recomputed here from the cables, so that a refusal is checked by other code than made it. */
  private static boolean twoLeavesWithoutCommonAncestor(Fabric fabric, FatTree tree) {
    List<java.util.BitSet> ancestors = new ArrayList<>();
    for (int i = 0; i < tree.leafCount(); i++) {
      if (!hasHost(fabric, tree.leaf(i))) {
        continue;
      }
      java.util.BitSet up = new java.util.BitSet();
      climb(fabric, tree, tree.leaf(i), up);
      for (java.util.BitSet other : ancestors) {
        if (!other.intersects(up)) {
          return true;
        }
      }
      ancestors.add(up);
    }
    return false;
  }

  private static boolean hasHost(Fabric fabric, int sw) {
    for (int n = 1; n <= fabric.portCount(sw); n++) {
      int peer = fabric.peerNode(fabric.port(sw, n));
      if (peer != Fabric.NONE && !fabric.isSwitch(peer)) {
        return true;
      }
    }
    return false;
  }

  private static void climb(Fabric fabric, FatTree tree, int sw, java.util.BitSet up) {
    if (up.get(sw)) {
      return;
    }
    up.set(sw);
    for (int n = 1; n <= fabric.portCount(sw); n++) {
      int peer = fabric.peerNode(fabric.port(sw, n));
      if (fabric.isSwitch(peer) && tree.level(peer) > tree.level(sw)) {
        climb(fabric, tree, peer, up);
      }
    }
  }
}
