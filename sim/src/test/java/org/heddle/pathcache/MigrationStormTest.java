package org.heddle.pathcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.heddle.addressing.AddressingOptions;
import org.heddle.addressing.AddressingScheme;
import org.heddle.addressing.VirtualMachine;
import org.heddle.addressing.VmPlacement;
import org.heddle.catalog.Catalog;
import org.heddle.fabric.Fabric;
import org.heddle.routing.ForwardingTables;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Who asks the subnet administrator when machines move. */
class MigrationStormTest {
  private static final Fabric FABRIC =
      TreeGenerator.generate(TreeSpec.parse("XGFT(2;4,8;1,4)")).withAssignedLids();
  private static final ForwardingTables TABLES = route();
  private static final int TENANT = 8;

  private static ForwardingTables route() {
    RoutingRequest request = RoutingRequest.of(FABRIC, FatTreeRecogniser.recognise(FABRIC));
    return ((RoutingResult.Routed) Catalog.engine("ftree").orElseThrow().route(request)).tables();
  }

  private static PathQualities paths(double slow) {
    return PathQualities.of(FABRIC, TABLES).slowed(slow);
  }

  private static Storm storm(AddressingScheme scheme, CacheMode cache) {
    return new Storm(scheme, cache, 4, 50, TENANT, 50, 60, 2, 7, Storm.Behaviour.PAPER);
  }

  private static StormResult run(PathQualities paths, Storm storm) {
    return ((MigrationStorm.Done) MigrationStorm.run(paths, storm)).result();
  }

  private static StormResult run(double slow, AddressingScheme scheme, CacheMode cache) {
    return run(paths(slow), storm(scheme, cache));
  }

  @ParameterizedTest
  @EnumSource(
      value = AddressingScheme.class,
      names = {"PREPOPULATED", "DYNAMIC", "EXTENDED"})
  void whereAddressesMoveAlongACacheOfEqualLinksIsNeverWrong(AddressingScheme scheme) {
    for (CacheMode cache : new CacheMode[] {CacheMode.ON, CacheMode.CHECKED}) {
      StormResult result = run(0, scheme, cache);
      assertThat(result.moves()).isEqualTo(60);
      assertThat(result.ends()).isEqualTo(60 * 2 * (TENANT - 1));
      assertThat(result.queries()).isZero();
      assertThat(result.broken() + result.tooFast()).isZero();
      assertThat(result.warmUp()).isEqualTo(64 * (TENANT - 1));
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = AddressingScheme.class,
      names = {"PREPOPULATED", "DYNAMIC", "EXTENDED"})
  void withoutACacheEveryAttemptIsAQuery(AddressingScheme scheme) {
    StormResult result = run(0, scheme, CacheMode.OFF);
    // A peer tries ten times in vain, then both ends ask once.
    assertThat(result.peerQueries()).isEqualTo(60 * (TENANT - 1) * 11);
    assertThat(result.machineQueries()).isEqualTo(60 * (TENANT - 1));
    assertThat(result.peersAsking()).isEqualTo(60 * (TENANT - 1));
    assertThat(Arrays.stream(result.load().perSecond()).sum()).isEqualTo(result.queries());
    assertThat(Arrays.stream(result.load().perSecond()).max()).hasValue(result.load().peak());
  }

  @Test
  void aSharedLidMakesEveryPeerAndTheMachineAsk() {
    StormResult checked = run(0, AddressingScheme.SHARED_PORT, CacheMode.CHECKED);
    assertThat(checked.wrongLid()).isEqualTo(checked.ends());
    assertThat(checked.queries()).isEqualTo(checked.ends());
    assertThat(checked.peersAsking()).isEqualTo(checked.ends() / 2);
    assertThat(checked.broken()).isZero();

    StormResult trusting = run(0, AddressingScheme.SHARED_PORT, CacheMode.ON);
    assertThat(trusting.queries()).isZero();
    assertThat(trusting.broken()).isBetween(trusting.ends() * 9 / 10, trusting.ends());

    // The paper's figure 5: one client of one server, 8 attempts, then 140 queries of the server.
    Storm.Behaviour rds = new Storm.Behaviour(26, 8, 2, 96.6, 0);
    StormResult figure =
        run(
            paths(0),
            new Storm(AddressingScheme.SHARED_PORT, CacheMode.OFF, 4, 50, 2, 0, 1, 1, 7, rds));
    assertThat(figure.peerQueries()).isEqualTo(8 + 1);
    assertThat(figure.machineQueries()).isEqualTo(141);
    assertThat(figure.load().lastAnswer()).isBetween(96.6, 97.6);
  }

  @Test
  void hybridIsBetweenTheTwo() {
    long owned = run(0, AddressingScheme.DYNAMIC, CacheMode.CHECKED).queries();
    long shared = run(0, AddressingScheme.SHARED_PORT, CacheMode.CHECKED).queries();
    Storm half = storm(AddressingScheme.HYBRID, CacheMode.CHECKED);
    assertThat(run(paths(0), half).queries()).isBetween(owned + 1, shared - 1);
    Storm all =
        new Storm(
            AddressingScheme.HYBRID,
            CacheMode.CHECKED,
            4,
            50,
            TENANT,
            100,
            60,
            2,
            7,
            half.behaviour());
    assertThat(run(paths(0), all).queries()).isEqualTo(owned);
    Storm none =
        new Storm(
            AddressingScheme.HYBRID,
            CacheMode.CHECKED,
            4,
            50,
            TENANT,
            0,
            60,
            2,
            7,
            half.behaviour());
    assertThat(run(paths(0), none).queries()).isEqualTo(shared);
  }

  @Test
  void inAMixedFabricARecordIsAskedForAgainOnlyIfThePathHasBecomeWorse() {
    StormResult trusting = run(25, AddressingScheme.DYNAMIC, CacheMode.ON);
    assertThat(trusting.queries()).isZero();
    assertThat(trusting.broken()).isPositive(); // the MTU of the old place does not pass
    assertThat(trusting.wrongMtu()).isEqualTo(trusting.broken());
    assertThat(trusting.wrongLid()).isZero();

    StormResult checked = run(25, AddressingScheme.DYNAMIC, CacheMode.CHECKED);
    assertThat(checked.broken() + checked.tooFast()).isZero();
    assertThat(checked.queries()).isBetween(1L, checked.ends() / 2);
    assertThat(checked.queries()).isEqualTo(checked.wrongMtu()); // rate and MTU go together here
    assertThat(checked.wrongRate()).isEqualTo(checked.wrongMtu());
    assertThat(checked.underrated()).isPositive(); // from slow to fast: valid, not asked

    StormResult all = run(100, AddressingScheme.DYNAMIC, CacheMode.CHECKED);
    assertThat(all.queries()).isZero(); // equally slow is equal
  }

  @Test
  void aPathIsAsGoodAsItsWorstLink() {
    PathQualities mixed = paths(25);
    int hosts = FABRIC.switchCount();
    int fast = FABRIC.port(hosts, 1);
    int alsoFast = FABRIC.port(hosts + 5, 1);
    int slow = FABRIC.port(FABRIC.nodeCount() - 1, 1);
    PathQuality best = mixed.between(fast, alsoFast).orElseThrow();
    assertThat(best).isEqualTo(new PathQuality(200_000, 5));
    assertThat(mixed.between(fast, slow)).contains(PathQualities.SLOW);
    assertThat(mixed.between(slow, fast)).contains(PathQualities.SLOW);
    assertThat(mixed.between(slow, slow)).contains(PathQualities.SLOW);
    assertThat(PathQualities.SLOW.isTooNarrowFor(best)).isTrue();
    assertThat(PathQualities.SLOW.isTooSlowFor(best)).isTrue();
    assertThat(best.isTooNarrowFor(PathQualities.SLOW)).isFalse();
  }

  @Test
  void tablesWithoutARouteAreRefused() {
    ForwardingTables empty = ForwardingTables.ofRows(emptyRows(), FABRIC.topLid());
    PathQualities paths = PathQualities.of(FABRIC, empty);
    assertThat(MigrationStorm.run(paths, storm(AddressingScheme.DYNAMIC, CacheMode.ON)))
        .isInstanceOfSatisfying(
            MigrationStorm.Refused.class,
            no -> assertThat(no.reason()).contains("do not lead from"));
  }

  private static byte[][] emptyRows() {
    byte[][] rows = new byte[FABRIC.switchCount()][FABRIC.topLid() + 1];
    for (byte[] row : rows) {
      Arrays.fill(row, (byte) ForwardingTables.NO_PORT);
    }
    return rows;
  }

  @Test
  void whatChangesItsLidIsWhatThePlacementSays() {
    int[] hosts =
        java.util.stream.IntStream.range(0, FABRIC.portIdLimit())
            .filter(p -> VmPlacement.isHypervisor(FABRIC, p))
            .toArray();
    for (AddressingScheme scheme : AddressingScheme.values()) {
      VmPlacement placement =
          VmPlacement.empty(FABRIC, AddressingOptions.of(scheme).withFunctions(4)).orElseThrow();
      VirtualMachine before =
          ((VmPlacement.Done) placement.start(VirtualMachine.Request.of("vm"), hosts[0])).machine();
      placement =
          ((VmPlacement.Done) placement.start(VirtualMachine.Request.of("vm"), hosts[0]))
              .placement();
      VirtualMachine after = ((VmPlacement.Done) placement.move("vm", hosts[9])).machine();
      assertThat(after.vguid()).isEqualTo(before.vguid());
      Storm storm =
          new Storm(scheme, CacheMode.CHECKED, 4, 50, TENANT, 100, 60, 2, 7, Storm.Behaviour.PAPER);
      boolean changed = after.lid() != before.lid();
      assertThat(run(paths(0), storm).wrongLid() > 0).as(scheme.key()).isEqualTo(changed);
    }
  }

  @Test
  void anAdministratorThatIsTooSlowIsWaitedFor() {
    Storm.Behaviour slow = new Storm.Behaviour(26, 10, 2, 96.6, 20);
    Storm storm = storm(AddressingScheme.DYNAMIC, CacheMode.OFF);
    Storm limited = new Storm(storm.scheme(), storm.cache(), 4, 50, TENANT, 50, 60, 2, 7, slow);
    StormResult result = run(paths(0), limited);
    assertThat(result.load().lastAnswer()).isGreaterThan(result.queries() / 20.0 - 1);
    assertThat(result.load().longestWait()).isGreaterThan(10);
    assertThat(run(paths(0), storm).load().longestWait()).isZero();
  }

  @Test
  void queriesAreAnsweredInTurn() {
    QueryLoad load = QueryLoad.of(new long[] {2_500_000, 100, 0, 7}, 3, 2);
    assertThat(load.perSecond()).containsExactly(2, 0, 1);
    assertThat(load.peak()).isEqualTo(2);
    // answers at 0.5, 1.0001 or so, 3.0
    assertThat(load.longestWait()).isCloseTo(0.9999, within(1e-9));
    assertThat(load.lastAnswer()).isCloseTo(3.0, within(1e-9));
    assertThat(QueryLoad.of(new long[4], 0, 2).perSecond()).isEmpty();
  }

  @Test
  void theSameSeedGivesTheSameStormAndAnotherAnother() {
    Storm storm = storm(AddressingScheme.DYNAMIC, CacheMode.OFF);
    int[] first = run(paths(0), storm).load().perSecond();
    assertThat(run(paths(0), storm).load().perSecond()).isEqualTo(first);
    Storm other =
        new Storm(storm.scheme(), storm.cache(), 4, 50, TENANT, 50, 60, 2, 8, storm.behaviour());
    assertThat(run(paths(0), other).load().perSecond()).isNotEqualTo(first);
  }

  @Test
  void machinesUnderWayDoNotMoveAgain() {
    Storm fast =
        new Storm(
            AddressingScheme.DYNAMIC,
            CacheMode.ON,
            4,
            50,
            TENANT,
            50,
            1000,
            1000,
            7,
            Storm.Behaviour.PAPER);
    assertThat(run(paths(0), fast).moves()).isEqualTo(64); // each once, all within 26 s
  }

  @Test
  void valuesThatMakeNoSenseAreRefused() {
    Storm good = storm(AddressingScheme.DYNAMIC, CacheMode.ON);
    assertThatThrownBy(
            () -> new Storm(good.scheme(), good.cache(), 0, 50, 8, 50, 1, 1, 1, good.behaviour()))
        .hasMessageContaining("functions");
    assertThatThrownBy(() -> new Storm.Behaviour(-1, 1, 1, 1, 0)).hasMessageContaining("downtime");
    assertThatThrownBy(() -> new Storm.Behaviour(1, 1, 1, Double.NaN, 0))
        .hasMessageContaining("timeout");
  }
}
