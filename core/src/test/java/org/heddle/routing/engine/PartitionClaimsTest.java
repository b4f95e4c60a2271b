package org.heddle.routing.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.heddle.catalog.Catalog;
import org.heddle.fabric.Fabric;
import org.heddle.routing.RoutingEngine;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.tenancy.Tenancy;
import org.heddle.verify.isolation.IsolationAudit;
import org.heddle.verify.isolation.IsolationOptions;
import org.heddle.verify.isolation.IsolationReport;
import org.junit.jupiter.api.Test;

/**
 * Random fabrics, tenancies and policies: what an engine of the pFTree family claims is what the
 * independent isolation audit finds, no false promise and no false alarm; and strict rules refuse
 * exactly what best effort reports.
 */
class PartitionClaimsTest {
  private static final int TRIPLES =
      Integer.getInteger("heddle.test.triples", Boolean.getBoolean("heddle.sweep") ? 500 : 100);
  private static final List<String> ENGINES =
      List.of("pftree-ext", "pftree", "pftree-wt", "pftree-mix");

  private final List<String> wrong = new ArrayList<>();
  private int kept;
  private int broken;
  private int overCap;

  @Test
  void theEnginesClaimIsTheVerifiersFinding() {
    int compared = 0;
    for (int seed = 0; seed < TRIPLES; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Fabric fabric =
          random.nextInt(3) > 0 ? Fabrics.damaged(random.nextInt(1000)) : SmallCases.fabric(random);
      Tenancy tenancy = SmallCases.tenancy(fabric, random, 8, false);
      if (random.nextInt(4) == 0) {
        tenancy = tenancy.withRules(capped(tenancy.rules(), random.nextDouble(), false));
      }
      RoutingRequest request =
          RoutingRequest.of(fabric, RoutingEngineContract.recognise(fabric)).withTenancy(tenancy);
      // Every triple with the engine that has policies, every second with another one as well.
      boolean any = compare(request, ENGINES.getFirst(), seed);
      if (seed % 2 == 0) {
        compare(request, ENGINES.get(1 + seed / 2 % (ENGINES.size() - 1)), seed);
      }
      compared += any ? 1 : 0;
    }
    assertThat(wrong).isEmpty();
    assertThat(compared).isGreaterThan(TRIPLES * 4 / 5);
    assertThat(kept).isGreaterThan(TRIPLES / 5);
    assertThat(broken).isGreaterThan(TRIPLES / 5);
    assertThat(overCap).isGreaterThan(TRIPLES / 50);
  }

  private static Tenancy.Rules capped(Tenancy.Rules rules, double share, boolean strict) {
    return new Tenancy.Rules(strict, rules.dataLanes(), share, rules.sharing());
  }

  /** False if damage has cut the tree, so that nothing is claimed. */
  private boolean compare(RoutingRequest request, String name, int seed) {
    RoutingEngine engine = Catalog.engine(name).orElseThrow();
    Tenancy tenancy = request.tenancy();
    if (!(engine.route(request) instanceof RoutingResult.Routed routed)) {
      return false;
    }
    boolean claimed = routed.notes().stream().noneMatch(n -> n.contains("isolation"));
    IsolationReport report =
        IsolationAudit.run(
            request.fabric(),
            routed.tables(),
            tenancy,
            routed.lanes(),
            IsolationOptions.defaults());
    boolean found = report.kept();
    if (claimed != found) {
      wrong.add("seed " + seed + ", " + name + ": claimed " + claimed + ", found " + found);
    }
    boolean cap = report.violations().stream().anyMatch(f -> f.code().equals("physical-cap"));
    if (cap != routed.notes().stream().anyMatch(n -> n.startsWith("physical isolation takes"))) {
      wrong.add("seed " + seed + ", " + name + ": cap exceeded " + cap + ", notes say otherwise");
    }
    if (seed % 2 == 0 && refuses(engine, request) == claimed) {
      wrong.add("seed " + seed + ", " + name + ": strict and best effort disagree");
    }
    kept += found ? 1 : 0;
    broken += found ? 0 : 1;
    overCap += cap ? 1 : 0;
    return true;
  }

  private static boolean refuses(RoutingEngine engine, RoutingRequest request) {
    Tenancy tenancy = request.tenancy();
    Tenancy strict =
        tenancy.withRules(capped(tenancy.rules(), tenancy.rules().physicalShare(), true));
    return engine.route(request.withTenancy(strict)) instanceof RoutingResult.Unsupported;
  }
}
