package org.heddle.routing.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.heddle.catalog.Catalog;
import org.heddle.fabric.Fabric;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.routing.engine.RoutingEngineContract;
import org.heddle.routing.engine.SmallCases;
import org.heddle.routing.engine.UpDownEnumeration;
import org.heddle.routing.engine.UpDownProblem;
import org.heddle.routing.engine.UpDownSolver;
import org.heddle.tenancy.Tenancy;
import org.heddle.topology.FatTree;
import org.heddle.topology.Recognition;
import org.heddle.verify.Audit;
import org.heddle.verify.AuditOptions;
import org.heddle.verify.AuditReport;
import org.heddle.verify.Severity;
import org.heddle.verify.isolation.IsolationAudit;
import org.heddle.verify.isolation.IsolationOptions;
import org.junit.jupiter.api.Test;

/**
 * On trees of up to 12 hosts: where {@code pftree-ext} refuses under strict rules, no up/down
 * routing keeps the promises. An exact solver says so that shares nothing with the engine, and
 * which is itself checked against the enumeration of all tables.
 */
class PartitionSearchTest {
  private static final int CASES = Integer.getInteger("heddle.test.bruteforce", 1500);
  private static final int TINY = Integer.getInteger("heddle.test.enumerated", 400);
  private static final long STEPS = 2_000_000;

  @Test
  void theSolverAgreesWithTheEnumerationOfAllTables() {
    List<String> wrong = new ArrayList<>();
    int solvable = 0;
    int impossible = 0;
    for (int seed = 0; seed < TINY; seed++) {
      SplittableRandom random = new SplittableRandom(7_000_000L + seed);
      Fabric fabric = SmallCases.tiny(random);
      Tenancy tenancy = SmallCases.tenancy(fabric, random, 4, true);
      Optional<FatTree> tree =
          RoutingEngineContract.treeOf(RoutingEngineContract.recognise(fabric));
      if (tree.isEmpty()) {
        continue;
      }
      UpDownProblem problem = new UpDownProblem(fabric, tree.get(), tenancy);
      Optional<Boolean> all = new UpDownEnumeration(problem).solve(50_000);
      if (all.isEmpty()) {
        continue;
      }
      UpDownSolver.Answer answer = new UpDownSolver(problem).solve(STEPS);
      boolean same =
          answer == (all.get() ? UpDownSolver.Answer.SOLVABLE : UpDownSolver.Answer.IMPOSSIBLE);
      if (!same) {
        wrong.add("seed " + seed + ": " + all.get() + ", but the solver says " + answer);
      }
      solvable += all.get() ? 1 : 0;
      impossible += all.get() ? 0 : 1;
    }
    assertThat(wrong).isEmpty();
    assertThat(solvable).isGreaterThan(TINY / 8);
    assertThat(impossible).isGreaterThan(TINY / 8);
  }

  @Test
  void strictRefusesOnlyWhereNoUpDownRoutingKeepsThePromises() {
    List<String> falseRefusals = new ArrayList<>();
    List<String> wrong = new ArrayList<>();
    int refused = 0;
    int proven = 0;
    int routed = 0;
    for (int seed = 0; seed < CASES; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Fabric fabric = SmallCases.fabric(random);
      Tenancy tenancy = SmallCases.tenancy(fabric, random, 6, true);
      Recognition recognition = RoutingEngineContract.recognise(fabric);
      Optional<FatTree> tree = RoutingEngineContract.treeOf(recognition);
      RoutingResult result =
          Catalog.engine("pftree-ext")
              .orElseThrow()
              .route(RoutingRequest.of(fabric, recognition).withTenancy(tenancy));
      if (tree.isEmpty() || (result instanceof RoutingResult.Unsupported u && !isIsolation(u))) {
        continue; // damage cut the tree
      }
      UpDownProblem problem = new UpDownProblem(fabric, tree.get(), tenancy);
      if (!problem.hasWays()) {
        continue; // hosts that reach each other only by going down and up
      }
      UpDownSolver.Answer answer = new UpDownSolver(problem).solve(STEPS);
      if (answer == UpDownSolver.Answer.UNDECIDED) {
        wrong.add("seed " + seed + ": the solver is undecided");
      }
      if (result instanceof RoutingResult.Unsupported u) {
        refused++;
        proven += u.reason().contains("no up/down routing") ? 1 : 0;
        if (answer == UpDownSolver.Answer.SOLVABLE) {
          falseRefusals.add("seed " + seed + ": " + u.reason());
        }
      } else if (result instanceof RoutingResult.Routed r) {
        routed++;
        if (answer == UpDownSolver.Answer.IMPOSSIBLE) {
          wrong.add("seed " + seed + ": routed, but the solver calls it impossible");
        }
        String fault = fault(fabric, tree.get(), tenancy, r);
        if (fault != null) {
          wrong.add("seed " + seed + ": " + fault);
        }
      }
    }
    assertThat(falseRefusals).as("false refusals among %d refusals", refused).isEmpty();
    assertThat(wrong).isEmpty();
    assertThat(proven).as("refusals with a proof").isEqualTo(refused);
    assertThat(refused).isGreaterThan(CASES / 10);
    assertThat(routed).isGreaterThan(CASES / 10);
  }

  private static boolean isIsolation(RoutingResult.Unsupported result) {
    return result.reason().startsWith("isolation");
  }

  /** What is wrong with tables that are said to keep the promises, or null. */
  private static String fault(
      Fabric fabric, FatTree tree, Tenancy tenancy, RoutingResult.Routed routed) {
    if (!IsolationAudit.run(
            fabric, routed.tables(), tenancy, routed.lanes(), IsolationOptions.defaults())
        .kept()) {
      return "promises are broken";
    }
    AuditReport report = Audit.run(fabric, routed.tables(), AuditOptions.defaults().withTree(tree));
    boolean error = report.findings().stream().anyMatch(f -> f.severity() == Severity.ERROR);
    boolean circle = report.loopCount() > 0 || report.creditLoops().cyclic() > 0;
    return error || circle ? "tables are not sound: " + report.findings() : null;
  }
}
