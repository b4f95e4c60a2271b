package org.heddle.reconfig.migration;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.heddle.addressing.AddressingOptions;
import org.heddle.addressing.AddressingScheme;
import org.heddle.addressing.VirtualMachine;
import org.heddle.addressing.VmPlacement;
import org.heddle.fabric.Fabric;
import org.heddle.reconfig.MoveLab;
import org.heddle.verify.transition.TableWrite;
import org.heddle.verify.transition.TransitionAudit;
import org.heddle.verify.transition.TransitionReport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Several moves: which go together, which wait, and what every state in between is like. */
class VmMovesTest {
  private static final String THREE_LEVELS = "XGFT(3;4,4,4;1,4,4)";
  private static final MigrationOptions OPTIONS = MigrationOptions.DEFAULT;

  private static MoveLab lab(AddressingScheme scheme, double damage, long seed) {
    AddressingOptions options = AddressingOptions.of(scheme).withFunctions(4);
    return MoveLab.of(MoveLab.fabric(THREE_LEVELS, damage, seed), options, "vswitch-ftree", seed)
        .orElseThrow();
  }

  private static VmMoves.Planned plan(MoveLab lab, List<VmMoves.Request> requests) {
    return (VmMoves.Planned) VmMoves.plan(lab.planner, lab.placement, requests, OPTIONS);
  }

  /** The writes as they are sent: a new wave, and a step that says so, begin after a drain. */
  private static List<TableWrite> writes(VmMoves.Planned plan) {
    List<TableWrite> out = new ArrayList<>();
    for (VmMoves.Wave wave : plan.waves()) {
      boolean first = !out.isEmpty();
      for (VmMoves.Step step : wave.steps()) {
        boolean drain = step.drain() || first;
        for (MigrationPlan.LftWrite w : step.writes()) {
          out.add(new TableWrite(w.sw(), w.block(), w.entries(), drain));
          drain = false;
        }
        first = false;
      }
    }
    return out;
  }

  private static TransitionReport check(MoveLab lab, VmMoves.Planned plan) {
    return TransitionAudit.run(
        lab.placement.fabric(),
        lab.tables(),
        writes(plan),
        plan.owners(),
        new TreeSet<>(plan.dropped()));
  }

  /** A machine of a hypervisor, to another of the same leaf; hypervisors by number. */
  private static VmMoves.Request within(MoveLab lab, int from, int to) {
    int[] hosts = MoveLab.hypervisors(lab.placement.fabric());
    String id = lab.placement.machinesAt(hosts[from]).getFirst();
    return new VmMoves.Request(id, hosts[to]);
  }

  /** The first hypervisor from a number on with room for two machines. */
  private static int withTwoFree(MoveLab lab, int from) {
    int[] hosts = MoveLab.hypervisors(lab.placement.fabric());
    int at = from;
    while (lab.placement.machinesAt(hosts[at]).size() > 2) {
      at++;
    }
    return at;
  }

  private static List<List<String>> ids(VmMoves.Planned plan) {
    return plan.waves().stream()
        .map(w -> w.moves().stream().map(m -> m.before().id()).toList())
        .toList();
  }

  @Test
  void movesWithDisjointSkylinesShareAWave() {
    MoveLab lab = lab(AddressingScheme.DYNAMIC, 0, 1);
    List<VmMoves.Request> requests =
        List.of(within(lab, 0, 1), within(lab, 16, 17), within(lab, 36, 38));
    VmMoves.Planned plan = plan(lab, requests);
    assertThat(plan.waves()).hasSize(1);
    assertThat(plan.waves().getFirst().moves()).hasSize(3);
    assertThat(plan.lftSmps()).isEqualTo(3); // a leaf each
    assertThat(check(lab, plan).isClean()).isTrue();
    // All three leaves are written at the same time.
    assertThat(plan.waves().getFirst().steps()).hasSize(1);
  }

  @Test
  void aMoveThatWritesASwitchOfOneBeforeItQueues() {
    MoveLab lab = lab(AddressingScheme.DYNAMIC, 0, 1);
    // Leaf 0 is written by the first and the second; the third has leaf 4 for itself.
    List<VmMoves.Request> requests =
        List.of(within(lab, 0, 1), within(lab, 2, 3), within(lab, 16, 17));
    VmMoves.Planned plan = plan(lab, requests);
    assertThat(ids(plan))
        .containsExactly(
            List.of(requests.get(0).id(), requests.get(2).id()), List.of(requests.get(1).id()));
    assertThat(check(lab, plan).isClean()).isTrue();
  }

  @Test
  void requestsThatShareAHypervisorKeepTheirOrder() {
    MoveLab lab = lab(AddressingScheme.DYNAMIC, 0, 1);
    int target = withTwoFree(lab, 1);
    VmMoves.Request first = within(lab, 0, target);
    VmMoves.Request onto = new VmMoves.Request(within(lab, 20, target).id(), first.to());
    VmMoves.Request back =
        new VmMoves.Request(first.id(), within(lab, 0, withTwoFree(lab, 40)).to());
    VmMoves.Planned plan = plan(lab, List.of(first, onto, back));
    assertThat(ids(plan))
        .containsExactly(List.of(first.id()), List.of(onto.id()), List.of(first.id()));
    assertThat(plan.placement().find(first.id()).orElseThrow().port()).isEqualTo(back.to());
    assertThat(plan.placement().find(onto.id()).orElseThrow().port()).isEqualTo(onto.to());
    assertThat(check(lab, plan).isClean()).isTrue();
    assertThat(plan.owners().get(lab.placement.find(first.id()).orElseThrow().lid()))
        .hasSize(3); // delivered at three hosts, one after the other
  }

  @ParameterizedTest
  @EnumSource(
      value = AddressingScheme.class,
      names = {"DYNAMIC", "PREPOPULATED"})
  void everyStateOfRandomWavesIsSafeAndTheEndIsThatOfOneMoveAfterTheOther(AddressingScheme scheme) {
    int together = 0;
    int queued = 0;
    for (long seed = 1; seed <= 6; seed++) {
      MoveLab lab = lab(scheme, seed % 2 == 0 ? 0.03 : 0, seed);
      List<VmMoves.Request> requests = requests(lab, 6, seed);
      VmMoves.Planned plan = plan(lab, requests);
      assertThat(plan.waves().stream().mapToInt(w -> w.moves().size()).sum()).isEqualTo(6);
      TransitionReport report = check(lab, plan);
      assertThat(report.faults()).as("%s %d: %s", scheme, seed, report.examples()).isZero();
      assertThat(report.creditLoops().cyclic()).as("%s %d", scheme, seed).isZero();
      assertEndsAsOneByOne(lab, plan);
      assertStepsAreDistinct(lab.placement.fabric(), plan);
      together += 6 - plan.waves().size();
      queued += plan.waves().size() - 1;
    }
    assertThat(together).isPositive();
    assertThat(queued).isPositive();
  }

  /** Half of them within a leaf, so that some go together. */
  private static List<VmMoves.Request> requests(MoveLab lab, int count, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int[] hosts = MoveLab.hypervisors(lab.placement.fabric());
    List<VmMoves.Request> out = new ArrayList<>();
    Set<Integer> taken = new HashSet<>();
    Set<String> ids = new HashSet<>();
    while (out.size() < count) {
      MoveLab.Draw draw = lab.draw(random);
      int to = draw.to();
      if (out.size() % 2 == 0) {
        int from = Arrays.binarySearch(hosts, draw.machine().port());
        to = hosts[from ^ 1];
      }
      boolean free = lab.placement.freeFunction(to) >= 0 && to != draw.machine().port();
      if (free && ids.add(draw.machine().id()) && taken.add(to)) {
        out.add(new VmMoves.Request(draw.machine().id(), to));
      }
    }
    return out;
  }

  private static void assertEndsAsOneByOne(MoveLab lab, VmMoves.Planned plan) {
    VmPlacement placement = lab.placement;
    MigrationPlanner planner = lab.planner;
    for (VmMoves.Wave wave : plan.waves()) {
      for (VmMoves.Move m : wave.moves()) {
        VirtualMachine after = m.planned().machine();
        VmMigration.Planned one =
            (VmMigration.Planned)
                VmMigration.move(planner, placement, after.id(), after.port(), OPTIONS);
        placement = one.placement();
        planner = planner.after(one.plan().orElseThrow());
      }
    }
    assertThat(plan.placement().machines()).isEqualTo(placement.machines());
    assertThat(plan.placement().functionLids()).isEqualTo(placement.functionLids());
    assertThat(plan.tables()).isEqualTo(planner.tables());
    // And what the packets leave behind is what is said.
    byte[][] rows = new byte[plan.tables().switchCount()][(plan.tables().topLid() / 64 + 1) * 64];
    for (int s = 0; s < rows.length; s++) {
      lab.tables().copy(s, 0, rows[s], 0, lab.tables().topLid() + 1);
    }
    for (TableWrite w : writes(plan)) {
      System.arraycopy(w.entries(), 0, rows[w.sw()], 64 * w.block(), 64);
    }
    for (int s = 0; s < rows.length; s++) {
      for (int lid = 1; lid <= plan.tables().topLid(); lid++) {
        assertThat(rows[s][lid] & 0xff).isEqualTo(plan.tables().port(s, lid));
      }
    }
  }

  /** What is under way at the same time writes no block twice. */
  private static void assertStepsAreDistinct(Fabric fabric, VmMoves.Planned plan) {
    for (VmMoves.Wave wave : plan.waves()) {
      for (VmMoves.Step step : wave.steps()) {
        Set<Long> places = new HashSet<>();
        for (MigrationPlan.LftWrite w : step.writes()) {
          assertThat(w.sw()).isLessThan(fabric.switchCount());
          assertThat(places.add((long) w.sw() << 32 | w.block())).isTrue();
        }
      }
      assertThat(wave.lftSmps())
          .isEqualTo(wave.steps().stream().mapToInt(s -> s.writes().size()).sum());
    }
  }

  @Test
  void whatIsDroppedOnPurposeIsNamedAndDrainedBeforeItComesBack() {
    MoveLab lab = lab(AddressingScheme.DYNAMIC, 0, 3);
    List<VmMoves.Request> requests = requests(lab, 4, 3);
    VmMoves.Planned plan =
        (VmMoves.Planned) VmMoves.plan(lab.planner, lab.placement, requests, OPTIONS.dropping());
    assertThat(plan.dropped()).hasSize(4);
    for (VmMoves.Wave wave : plan.waves()) {
      assertThat(wave.steps().getFirst().drain()).isFalse();
      assertThat(wave.steps()).anyMatch(VmMoves.Step::drain);
    }
    TransitionReport report = check(lab, plan);
    assertThat(report.isClean()).isTrue();
    assertThat(report.droppedStates()).isPositive();
  }

  @Test
  void machinesWithoutALidOfTheirOwnMoveWithoutAPacket() {
    MoveLab lab = lab(AddressingScheme.SHARED_PORT, 0, 1);
    VmMoves.Planned plan = plan(lab, List.of(within(lab, 0, 1), within(lab, 2, 40)));
    assertThat(plan.lftSmps()).isZero();
    assertThat(plan.waves()).hasSize(1);
    assertThat(plan.waves().getFirst().moves())
        .allMatch(m -> m.planned().note().contains("peers must ask"));
    assertThat(plan.tables()).isEqualTo(lab.tables());
  }

  @Test
  void oneImpossibleMoveRefusesThemAll() {
    MoveLab lab = lab(AddressingScheme.DYNAMIC, 0, 1);
    VmMoves.Request good = within(lab, 0, 1);
    int[] hosts = MoveLab.hypervisors(lab.placement.fabric());
    VmMoves.Outcome unknown =
        VmMoves.plan(
            lab.planner,
            lab.placement,
            List.of(good, new VmMoves.Request("no", hosts[9])),
            OPTIONS);
    assertThat(unknown)
        .isInstanceOfSatisfying(
            VmMoves.Refused.class, no -> assertThat(no.reason()).contains("no VM no"));
    // The first takes the last function of a host that the second wants, too.
    VmPlacement full = lab.placement;
    int target = hosts[1];
    for (int i = 0; full.freeFunction(target) >= 0; i++) {
      full =
          ((VmPlacement.Done) full.start(VirtualMachine.Request.of("fill" + i), target))
              .placement();
    }
    assertThat(VmMoves.plan(lab.planner, full, List.of(good), OPTIONS))
        .isInstanceOfSatisfying(
            VmMoves.Refused.class,
            no -> {
              assertThat(no.id()).isEqualTo(good.id());
              assertThat(no.reason()).contains("is free");
            });
  }
}
