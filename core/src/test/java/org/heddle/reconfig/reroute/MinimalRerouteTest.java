package org.heddle.reconfig.reroute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.VirtualLids;
import org.heddle.reconfig.RerouteLab;
import org.heddle.reconfig.TableChange;
import org.heddle.routing.ForwardingTables;
import org.heddle.topology.FatTree;
import org.heddle.topology.generate.DamageSpec;
import org.heddle.topology.generate.FabricDamage;
import org.heddle.topology.generate.FabricExtras;
import org.heddle.topology.generate.FabricShuffle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a minimal update promises, whatever was lost, gained or broken before. */
class MinimalRerouteTest {
  private static final int SEEDS = Integer.getInteger("heddle.reroute.seeds", 120);
  private static final List<String> SPECS =
      List.of(
          "XGFT(2;4,8;1,4)",
          "XGFT(2;8,6;1,4)",
          "PGFT(2;8,4;1,2;1,2)",
          "XGFT(3;4,4,4;1,2,4)",
          "XGFT(3;5,3,4;1,3,2)",
          "PGFT(3;4,4,2;1,2,2;1,2,1)",
          "4-ary-3-tree",
          "XGFT(4;3,2,3,2;1,2,3,2)");

  private static Fabric draw(SplittableRandom random, String spec, boolean extras) {
    Fabric fabric = RerouteLab.tree(spec);
    if (random.nextInt(3) > 0) {
      fabric = FabricShuffle.ports(fabric, random.nextLong());
    }
    if (extras && random.nextInt(3) == 0) {
      fabric = FabricExtras.withSmNode(fabric).withAssignedLids();
    }
    return fabric;
  }

  /** The tree with its ports numbered alike everywhere, and shuffled. */
  private static List<Fabric> alignedAndShuffled(String spec) {
    Fabric tree = RerouteLab.tree(spec);
    return List.of(tree, FabricShuffle.ports(tree, spec.hashCode()));
  }

  private static Fabric damaged(SplittableRandom random, Fabric fabric) {
    DamageSpec damage =
        DamageSpec.none(random.nextLong())
            .withLinks(DamageSpec.Amount.of(random.nextInt(5)))
            .withHosts(DamageSpec.Amount.of(random.nextInt(4)))
            .withSwitches(DamageSpec.Amount.of(random.nextInt(4) == 0 ? 1 : 0));
    return FabricDamage.apply(fabric, damage).fabric();
  }

  /** Entries at random places pointed anywhere: dead ports, ports that do not exist, circles. */
  private static ForwardingTables scrambled(
      SplittableRandom random, Fabric fabric, ForwardingTables tables, int entries) {
    ForwardingTables.Edits edits = tables.edit();
    for (int i = 0; i < entries; i++) {
      int sw = random.nextInt(fabric.switchCount());
      edits.set(sw, random.nextInt(tables.topLid() + 1), random.nextInt(fabric.portCount(sw) + 3));
    }
    return edits.build();
  }

  private static void check(String which, Fabric now, MinimalReroute update, List<String> wrong) {
    List<String> faults = RerouteLab.faults(now, update.tables());
    ForwardingTables fresh = RerouteLab.route(now, "ftree").orElseThrow();
    if (!faults.isEmpty() && RerouteLab.faults(now, fresh).isEmpty()) {
      wrong.add(which + faults);
    }
    MinimalReroute.Report r = update.report();
    if (r.changed().paths() > r.fresh().paths()) {
      wrong.add(which + "more changes than fresh");
    }
    int[][] ours = RerouteLab.mostDestinations(now, update.tables());
    int[][] theirs = RerouteLab.mostDestinations(now, fresh);
    for (MinimalReroute.Balance b : r.balance()) {
      int l = b.level();
      if (ours[l][0] > theirs[l][0] || ours[l][1] > theirs[l][1]) {
        wrong.add(which + "level " + l + " is fuller than with fresh routes");
      }
      if (b.down() != ours[l][0]
          || b.up() != ours[l][1]
          || b.freshDown() != theirs[l][0]
          || b.freshUp() != theirs[l][1]) {
        wrong.add(which + b + " is not what the audit finds");
      }
    }
  }

  @Test
  void whateverIsLostTheResultIsSoundBalancedAndNoLargerThanFresh() {
    List<String> wrong = new ArrayList<>();
    int kept = 0;
    int runs = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Fabric before = draw(random, SPECS.get(seed % SPECS.size()), true);
      if (random.nextInt(3) == 0) {
        before = damaged(random, before); // what is lost later is not all there is
      }
      Fabric now = damaged(random, before);
      Optional<ForwardingTables> old = RerouteLab.route(before, "ftree");
      if (old.isEmpty()
          || RerouteLab.treeOf(now).isEmpty()
          || RerouteLab.route(now, "ftree").isEmpty()) {
        continue;
      }
      MinimalReroute update = RerouteLab.update(before, old.get(), now);
      check("seed " + seed + ": ", now, update, wrong);
      runs++;
      kept += update.report().isFresh() ? 0 : 1;
      assertThat(RerouteLab.update(before, old.get(), now)).isEqualTo(update);
    }
    assertThat(wrong).isEmpty();
    assertThat(runs).isGreaterThan(SEEDS / 2);
    assertThat(2 * kept).as("updates that kept routes, of %d", runs).isGreaterThan(runs);
  }

  @Test
  void repairsWhatComesBack() {
    List<String> wrong = new ArrayList<>();
    for (int seed = 0; seed < SEEDS / 4; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Fabric whole = draw(random, SPECS.get(seed % SPECS.size()), false);
      Fabric before = damaged(random, whole);
      Optional<ForwardingTables> old = RerouteLab.route(before, "ftree");
      if (old.isPresent()) {
        check("seed " + seed + ": ", whole, RerouteLab.update(before, old.get(), whole), wrong);
      }
    }
    assertThat(wrong).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"minhop", "updn", "dmodk", "pftree"})
  void takesTablesOfOtherEnginesAndDamagedOnes(String engine) {
    List<String> wrong = new ArrayList<>();
    for (int seed = 0; seed < SEEDS / 4; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Fabric before = draw(random, SPECS.get(seed % SPECS.size()), true);
      Optional<ForwardingTables> tables = RerouteLab.route(before, engine);
      ForwardingTables old = scrambled(random, before, tables.orElseThrow(), seed % 3 * 40);
      Fabric now = seed % 2 == 0 ? before : damaged(random, before);
      if (RerouteLab.treeOf(now).isPresent() && RerouteLab.route(now, "ftree").isPresent()) {
        MinimalReroute update = RerouteLab.update(before, old, now);
        check(engine + " seed " + seed + ": ", now, update, wrong);
      }
    }
    assertThat(wrong).isEmpty();
  }

  @Test
  void changesNothingWhereNothingIsWrong() {
    for (String spec : SPECS) {
      for (Fabric fabric : alignedAndShuffled(spec)) {
        ForwardingTables old = RerouteLab.route(fabric, "ftree").orElseThrow();
        MinimalReroute update = RerouteLab.update(fabric, old, fabric);
        assertThat(update.tables()).isEqualTo(old);
        assertThat(update.report().changed()).isEqualTo(new MinimalReroute.Changes(0, 0, 0));
        assertThat(update.report().notes()).isEmpty();
      }
    }
  }

  @Test
  void emptyTablesAreRoutedAnew() {
    for (String spec : SPECS) {
      for (Fabric fabric : alignedAndShuffled(spec)) {
        FatTree tree = RerouteLab.treeOf(fabric).orElseThrow();
        ForwardingTables fresh = RerouteLab.route(fabric, "ftree").orElseThrow();
        ForwardingTables none = ForwardingTables.empty(fabric.switchCount(), 3);
        List<String> wrong = new ArrayList<>();
        check(spec + ": ", fabric, MinimalReroute.of(fabric, tree, none, fresh), wrong);
        assertThat(wrong).isEmpty();
      }
    }
  }

  @Test
  void routesNewHostsWithoutMovingOldOnes() {
    Fabric whole = RerouteLab.tree("XGFT(3;4,4,4;1,4,4)");
    Fabric before = RerouteLab.withoutHost(RerouteLab.withoutHost(whole, 1), 2);
    ForwardingTables old = RerouteLab.route(before, "ftree").orElseThrow();
    MinimalReroute update = RerouteLab.update(before, old, whole);
    assertThat(update.report().changed().paths()).isZero();
    assertThat(update.report().changed().entries()).isPositive();
    assertThat(RerouteLab.faults(whole, update.tables())).isEmpty();
  }

  /** Machines have LIDs of their own, half of them beyond the first block. */
  @Test
  void keepsTheRoutesOfVirtualMachines() {
    Fabric plain = RerouteLab.tree("XGFT(2;4,8;1,4)");
    List<Integer> ports = new ArrayList<>();
    for (int p = 0; p < plain.portIdLimit(); p++) {
      if (plain.isEndport(p) && !plain.isSwitch(plain.nodeOf(p))) {
        ports.add(p);
      }
    }
    int n = ports.size();
    int[] lids = new int[2 * n];
    int[] at = new int[2 * n];
    int[] weights = new int[2 * n];
    for (int i = 0; i < lids.length; i++) {
      lids[i] = plain.topLid() + 1 + i;
      at[i] = ports.get(i % n);
      weights[i] = 1;
    }
    Fabric fabric = plain.withVirtualLids(VirtualLids.of(lids, at, weights));
    ForwardingTables old = RerouteLab.route(fabric, "vswitch-ftree").orElseThrow();
    List<String> wrong = new ArrayList<>();
    for (int seed = 0; seed < 10; seed++) {
      Fabric now = RerouteLab.withoutLink(fabric, seed);
      assertThat(now.virtualLids().size()).isEqualTo(2 * n);
      MinimalReroute update = RerouteLab.update(fabric, old, now);
      check("seed " + seed + ": ", now, update, wrong);
      assertThat(2 * update.report().changed().paths()).isLessThan(update.report().fresh().paths());
    }
    assertThat(wrong).isEmpty();
  }

  @Test
  void writesCanBeOrderedSafely() {
    Fabric fabric = RerouteLab.tree("XGFT(3;4,4,4;1,4,4)");
    ForwardingTables old = RerouteLab.route(fabric, "ftree").orElseThrow();
    for (int seed = 0; seed < 5; seed++) {
      Fabric now = RerouteLab.withoutLink(fabric, seed);
      MinimalReroute update = RerouteLab.update(fabric, old, now);
      TableChange change =
          TableChange.order(
              now,
              RerouteLab.treeOf(now),
              MinimalReroute.carryOver(fabric, old, now),
              update.tables());
      assertThat(change.writes().size())
          .isGreaterThanOrEqualTo((int) update.report().changed().blocks());
    }
  }

  @Test
  void carriesTablesOverByGuidWhenIdsAndLidsChange() {
    Fabric before = RerouteLab.tree("XGFT(2;4,4;1,4)");
    ForwardingTables old = RerouteLab.route(before, "ftree").orElseThrow();
    Fabric fewer =
        FabricDamage.apply(before, DamageSpec.none(3).withSwitches(DamageSpec.Amount.of(1)))
            .fabric();
    int[] none = new int[fewer.portIdLimit()];
    Fabric now = fewer.withLids(none, new byte[none.length]).withAssignedLids();
    ForwardingTables carried = MinimalReroute.carryOver(before, old, now);
    for (int s = 0; s < now.switchCount(); s++) {
      int was = before.findNode(now.nodeGuid(s));
      for (int lid = 1; lid <= now.topLid(); lid++) {
        int port = before.findPort(now.portGuid(now.portOfLid(lid)));
        assertThat(carried.port(s, lid)).isEqualTo(old.port(was, before.lid(port)));
      }
    }
    assertThat(now.topLid()).isLessThan(before.topLid());
  }

  @Test
  void refusesTablesOfAnotherFabric() {
    Fabric fabric = RerouteLab.tree("XGFT(2;4,4;1,4)");
    FatTree tree = RerouteLab.treeOf(fabric).orElseThrow();
    ForwardingTables fresh = RerouteLab.route(fabric, "ftree").orElseThrow();
    assertThatThrownBy(() -> MinimalReroute.of(fabric, tree, ForwardingTables.empty(3, 9), fresh))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
