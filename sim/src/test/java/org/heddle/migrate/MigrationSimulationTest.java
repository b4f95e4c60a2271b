package org.heddle.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.concurrent.CancellationException;
import org.heddle.addressing.AddressingScheme;
import org.heddle.catalog.Catalog;
import org.heddle.fabric.Fabric;
import org.heddle.reconfig.migration.MigrationOptions.Method;
import org.heddle.routing.RoutingEngine;
import org.heddle.topology.FatTree;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.Recognition;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.junit.jupiter.api.Test;

class MigrationSimulationTest {
  private static final List<Method> BOTH = List.of(Method.FTREE_MINRC, Method.ITRC);
  private static final RoutingEngine ENGINE = Catalog.engine("vswitch-ftree").orElseThrow();

  private static MigrationSimulation.Settings settings(int samples, long bisections, int threads) {
    return new MigrationSimulation.Settings(BOTH, samples, bisections, 7, threads);
  }

  private static MigrationSimulation.Outcome outcome(
      String spec, MigrationScenario scenario, MigrationSimulation.Settings settings) {
    Fabric fabric = TreeGenerator.generate(TreeSpec.parse(spec)).withAssignedLids();
    FatTree tree = ((Recognition.Found) FatTreeRecogniser.recognise(fabric)).tree();
    return MigrationSimulation.run(fabric, tree, ENGINE, scenario, settings, (_, _) -> true);
  }

  private static MigrationResult run(
      String spec, MigrationScenario scenario, MigrationSimulation.Settings settings) {
    return ((MigrationSimulation.Done) outcome(spec, scenario, settings)).result();
  }

  /**
   * Two leaves of two hypervisors, two roots; a machine each. All go to the first: two of them from
   * the other leaf, which changes both leaves and both roots, one from beside, which changes the
   * leaf. Freely chosen, three switches would do for the former: 2c - 1 with c = 2.
   */
  @Test
  void costsOfThreeMovesAreAsCountedByHand() {
    MigrationScenario scenario = MigrationScenario.of(Layout.UNIFORM, Layout.CONSOLIDATE, 25);
    MigrationResult result = run("XGFT(2;2,2;1,2)", scenario, settings(3, 200, 1));
    assertThat(result.machines()).isEqualTo(4);
    assertThat(result.moves()).isEqualTo(3);
    assertThat(result.samples().stream().map(MigrationResult.Sample::moves))
        .containsExactly(0, 1, 2, 3);
    // 4 + 4 + 1 switches, a packet each as LIDs below 64 are in one block; 3 + 3 + 1 at least
    assertThat(result.total(Method.FTREE_MINRC))
        .isEqualTo(new MigrationResult.Costs(3, 9, 4, 9, 4, 7, 0));
    // The two hypervisors of the leaf are reached by different roots: when a machine goes from one
    // to the other, ItRC has the other leaf send its messages up to another root, too.
    assertThat(result.total(Method.ITRC))
        .isEqualTo(new MigrationResult.Costs(3, 10, 4, 10, 4, 7, 0));
    // At the end all machines are on one hypervisor and no message leaves it.
    MigrationResult.Sample last = result.samples().getLast();
    assertThat(last.freshBandwidth()).isEqualTo(1);
    assertThat(last.methods().getFirst().bandwidth()).isEqualTo(1);
  }

  /**
   * Two leaves of one hypervisor, one root, two machines each. A bisection of four is one of three
   * pairings: one stays inside (1); in the two others both messages cross, with equal chance in one
   * direction, sharing a link (1/2), or in both (1). 1/3 + 2/3 * (1/2 * 1/2 + 1/2 * 1) = 5/6.
   */
  @Test
  void machinesOfAHypervisorShareItsLink() {
    MigrationScenario scenario =
        MigrationScenario.of(Layout.UNIFORM, Layout.RANDOM, 50).withFunctions(4);
    MigrationResult result = run("XGFT(2;1,2;1,1)", scenario, settings(1, 20_000, 1));
    assertThat(result.machines()).isEqualTo(4);
    assertThat(result.samples().getFirst().freshBandwidth()).isCloseTo(5.0 / 6, within(0.01));
  }

  @Test
  void tablesStartEqualAndFollowTheMachines() {
    for (AddressingScheme scheme :
        List.of(AddressingScheme.DYNAMIC, AddressingScheme.PREPOPULATED)) {
      MigrationScenario scenario =
          MigrationScenario.of(Layout.RANDOM, Layout.GROUPING, 50).withScheme(scheme);
      MigrationResult result = run("XGFT(3;2,2,4;1,2,2)", scenario, settings(10, 300, 1));
      MigrationResult.Sample first = result.samples().getFirst();
      assertThat(result.samples()).hasSize(11);
      assertThat(result.samples().getLast().moves()).isEqualTo(result.moves());
      for (MigrationResult.Of of : first.methods()) {
        assertThat(of.bandwidth()).isEqualTo(first.freshBandwidth());
        assertThat(of.freshSmps()).isZero();
        assertThat(of.costs()).isEqualTo(MigrationResult.Costs.NONE);
      }
      for (MigrationResult.Sample sample : result.samples()) {
        assertThat(sample.freshLost()).isZero();
        assertThat(sample.freshBandwidth()).isBetween(0.2, 1.0);
        assertThat(sample.methods()).allMatch(of -> of.lost() == 0 && of.bandwidth() > 0.2);
      }
      MigrationResult.Costs marked = result.total(Method.FTREE_MINRC);
      MigrationResult.Costs all = result.total(Method.ITRC);
      assertThat(marked.moves()).isEqualTo(result.moves());
      assertThat(marked.noted()).isZero();
      assertThat(marked.switches()).isLessThan(all.switches());
      assertThat(marked.meanSwitches()).isGreaterThanOrEqualTo(marked.meanMinimum());
    }
  }

  @Test
  void theResultDependsOnTheSeedAndNotOnThreads() {
    MigrationScenario scenario = MigrationScenario.of(Layout.RANDOM, Layout.UNIFORM, 75);
    MigrationResult one = run("XGFT(2;4,8;1,4)", scenario, settings(4, 2000, 1));
    assertThat(run("XGFT(2;4,8;1,4)", scenario, settings(4, 2000, 3))).isEqualTo(one);
    MigrationSimulation.Settings other = new MigrationSimulation.Settings(BOTH, 4, 2000, 8, 1);
    assertThat(run("XGFT(2;4,8;1,4)", scenario, other)).isNotEqualTo(one);
  }

  @Test
  void withoutBisectionsCostsAreCountedOnly() {
    MigrationScenario scenario = MigrationScenario.of(Layout.UNIFORM, Layout.RANDOM, 25);
    MigrationResult result = run("XGFT(2;4,8;1,4)", scenario, settings(2, 0, 1));
    assertThat(result.moves()).isEqualTo(64);
    assertThat(result.samples().getLast().freshBandwidth()).isNaN();
    assertThat(result.total(Method.ITRC).meanSwitches()).isGreaterThan(1);
  }

  @Test
  void whatCannotBeRunIsRefusedWithItsReason() {
    MigrationScenario full = MigrationScenario.of(Layout.UNIFORM, Layout.RANDOM, 100);
    assertThat(outcome("XGFT(2;2,2;1,2)", full, settings(1, 0, 1)))
        .isEqualTo(new MigrationSimulation.Refused("no other hypervisor has a free function"));
    MigrationScenario one = MigrationScenario.of(Layout.UNIFORM, Layout.RANDOM, 50);
    assertThat(outcome("XGFT(1;1;1)", one, settings(1, 0, 1)))
        .isInstanceOf(MigrationSimulation.Refused.class);
  }

  @Test
  void whoWatchesCanEndIt() {
    Fabric fabric = TreeGenerator.generate(TreeSpec.parse("XGFT(2;4,8;1,4)")).withAssignedLids();
    FatTree tree = ((Recognition.Found) FatTreeRecogniser.recognise(fabric)).tree();
    MigrationScenario scenario = MigrationScenario.of(Layout.UNIFORM, Layout.RANDOM, 25);
    assertThatThrownBy(
            () ->
                MigrationSimulation.run(
                    fabric, tree, ENGINE, scenario, settings(1, 0, 1), (done, _) -> done < 5))
        .isInstanceOf(CancellationException.class);
  }
}
