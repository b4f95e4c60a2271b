package org.heddle.reconfig.migration;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.heddle.addressing.AddressingOptions;
import org.heddle.addressing.AddressingScheme;
import org.heddle.addressing.VirtualMachine;
import org.heddle.addressing.VmPlacement;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.VirtualLids;
import org.heddle.reconfig.MoveLab;
import org.heddle.routing.ForwardingTables;
import org.heddle.verify.transition.TableWrite;
import org.heddle.verify.transition.TransitionAudit;
import org.heddle.verify.transition.TransitionReport;
import org.junit.jupiter.api.Test;

class MigrationPlannerTest {
  private static final String THREE_LEVELS = "XGFT(3;4,4,8;1,4,4)";

  private static MoveLab lab(String spec, double damage, AddressingScheme scheme) {
    AddressingOptions options = AddressingOptions.of(scheme).withFunctions(4);
    for (long seed = 5; ; seed++) {
      Optional<MoveLab> lab =
          MoveLab.of(MoveLab.fabric(spec, damage, seed), options, "vswitch-ftree", 7);
      if (lab.isPresent()) {
        return lab.get();
      }
    }
  }

  @Test
  void writesGoFromTheDestinationOverTheAncestorsToTheSource() {
    MoveLab lab = lab(THREE_LEVELS, 0, AddressingScheme.DYNAMIC);
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 50; i++) {
      MigrationPlan plan = lab.plan(lab.draw(random), MigrationOptions.DEFAULT);
      int[] level = new int[2];
      MigrationPlan.Side last = MigrationPlan.Side.DESTINATION;
      for (int w = 0; w < plan.writeCount(); w++) {
        MigrationPlan.LftWrite write = plan.write(w);
        assertThat(write.side()).isGreaterThanOrEqualTo(last);
        last = write.side();
        int l = lab.tree.level(write.sw());
        if (last == MigrationPlan.Side.DESTINATION) {
          assertThat(l).isGreaterThanOrEqualTo(level[0]);
          level[0] = l;
        } else if (last == MigrationPlan.Side.SOURCE) {
          assertThat(l).isLessThanOrEqualTo(level[1] == 0 ? l : level[1]);
          level[1] = l;
        }
      }
      assertThat(plan.minimumSwitches()).isEqualTo(2 * plan.ancestorLevel() - 1);
    }
  }

  @Test
  void thePapersOrderDropsTheLidWhereItWouldLoopAndSaysSo() {
    MoveLab lab = lab(THREE_LEVELS, 0, AddressingScheme.DYNAMIC);
    MigrationOptions paper =
        MigrationOptions.DEFAULT.withOrder(MigrationOptions.Order.ACTIVE_FIRST);
    SplittableRandom random = new SplittableRandom(1);
    int dropped = 0;
    for (int i = 0; i < 30; i++) {
      MoveLab.Draw draw = lab.draw(random);
      MigrationPlan plan = lab.plan(draw, paper);
      assertThat(lab.check(plan).isClean()).isTrue();
      dropped += plan.dropped().isEmpty() ? 0 : 1;
      if (!plan.dropped().isEmpty()) {
        assertThat(plan.notes()).anyMatch(n -> n.contains("loops or dead ends"));
        assertThat(plan.part(0)).isEqualTo(MigrationPlan.Part.DROP);
      }
      lab.apply(draw, plan);
    }
    assertThat(dropped).isPositive();
  }

  @Test
  void theVerifierSeesTheLoopsOfAnOrderThatIsNotSafe() {
    MoveLab lab = lab(THREE_LEVELS, 0, AddressingScheme.DYNAMIC);
    SplittableRandom random = new SplittableRandom(1);
    int faults = 0;
    for (int i = 0; i < 20; i++) {
      MoveLab.Draw draw = lab.draw(random);
      MigrationPlan plan = lab.plan(draw, MigrationOptions.DEFAULT);
      List<TableWrite> backwards = new ArrayList<>(MoveLab.writes(plan)).reversed();
      TreeMap<Integer, int[]> owners = new TreeMap<>();
      owners.put(draw.move().lid(), new int[] {draw.move().from(), draw.move().to()});
      TransitionReport report =
          TransitionAudit.run(
              lab.placement.fabric(), lab.tables(), backwards, owners, new TreeSet<>());
      faults += report.faults();
    }
    assertThat(faults).isPositive();
  }

  @Test
  void theVerifierSeesCreditLoopsOfTwoMovesThatAreSafeOneByOne() {
    // Leaves 0 and 1 of a two-level tree: one machine goes from 0 to 2, another from 1 to 3.
    MoveLab lab = lab("XGFT(2;4,8;1,4)", 0, AddressingScheme.DYNAMIC);
    int found = 0;
    int together = 0;
    SplittableRandom random = new SplittableRandom(9);
    for (int i = 0; i < 60; i++) {
      MoveLab.Draw a = lab.draw(random);
      MoveLab.Draw b = lab.draw(random);
      if (a.machine().lid() == b.machine().lid()) {
        continue;
      }
      MigrationPlan first = lab.plan(a, MigrationOptions.DEFAULT);
      MigrationPlan second = lab.plan(b, MigrationOptions.DEFAULT);
      TransitionReport report = interleaved(lab, first, second);
      int[] wave = lab.planner.schedule(List.of(first, second));
      if (report.creditLoops().cyclic() > 0) {
        found++;
        assertThat(wave).as("move %d", i).containsExactly(0, 1);
      }
      together += wave[1] == 0 ? 1 : 0;
    }
    assertThat(found).isPositive();
    assertThat(together).isPositive();
  }

  /** Both at once: the writes of the second after those of the first, nothing drained. */
  private static TransitionReport interleaved(MoveLab lab, MigrationPlan a, MigrationPlan b) {
    List<TableWrite> writes = new ArrayList<>(MoveLab.writes(a));
    for (TableWrite w : MoveLab.writes(b)) {
      byte[] entries = w.entries().clone();
      int lid = a.move().lid();
      for (TableWrite earlier : MoveLab.writes(a)) {
        if (earlier.sw() == w.sw() && earlier.block() == w.block()) {
          entries[lid % 64] = earlier.entries()[lid % 64];
        }
      }
      writes.add(new TableWrite(w.sw(), w.block(), entries, false));
    }
    TreeMap<Integer, int[]> owners = new TreeMap<>();
    owners.put(a.move().lid(), new int[] {a.move().from(), a.move().to()});
    owners.put(b.move().lid(), new int[] {b.move().from(), b.move().to()});
    return TransitionAudit.run(
        lab.placement.fabric(), lab.tables(), writes, owners, new TreeSet<>());
  }

  @Test
  void movesInSubtreesOfTheirOwnShareAWaveAndConflictsQueue() {
    MoveLab lab = lab(THREE_LEVELS, 0, AddressingScheme.DYNAMIC);
    int[] hosts = MoveLab.hypervisors(lab.placement.fabric());
    List<MigrationPlan> plans = new ArrayList<>();
    for (int subtree = 0; subtree < 3; subtree++) {
      int from = hosts[16 * subtree];
      String id = lab.placement.machinesAt(from).getFirst();
      VirtualMachine vm = lab.placement.find(id).orElseThrow();
      LidMove move = LidMove.copy(vm.lid(), from, hosts[16 * subtree + 1]);
      plans.add(
          ((MigrationPlanner.Planned) lab.planner.plan(move, MigrationOptions.DEFAULT)).plan());
    }
    plans.add(plans.getFirst());
    assertThat(lab.planner.schedule(plans)).containsExactly(0, 0, 0, 1);
  }

  @Test
  void asManySwitchesChangeByCopyAsTheTablesSay() {
    MoveLab lab = lab(THREE_LEVELS, 0, AddressingScheme.DYNAMIC);
    SplittableRandom random = new SplittableRandom(4);
    for (int i = 0; i < 30; i++) {
      MoveLab.Draw draw = lab.draw(random);
      MigrationPlan plan =
          lab.plan(draw, MigrationOptions.DEFAULT.withMethod(MigrationOptions.Method.ITRC));
      int base = lab.placement.fabric().lid(draw.to());
      int differing = 0;
      for (int s = 0; s < lab.tables().switchCount(); s++) {
        differing += lab.tables().port(s, draw.move().lid()) != lab.tables().port(s, base) ? 1 : 0;
      }
      assertThat(plan.switches()).isEqualTo(differing).isEqualTo(plan.writeCount());
      lab.apply(draw, plan);
      for (int s = 0; s < lab.tables().switchCount(); s++) {
        assertThat(lab.tables().port(s, draw.move().lid())).isEqualTo(lab.tables().port(s, base));
      }
    }
  }

  @Test
  void theTablesAfterAPlanAreThoseItsWritesLeave() {
    for (double damage : new double[] {0, 0.05}) {
      MoveLab lab = lab("XGFT(2;8,8;1,8)", damage, AddressingScheme.PREPOPULATED);
      SplittableRandom random = new SplittableRandom(4);
      for (int i = 0; i < 60; i++) {
        MoveLab.Draw draw = lab.draw(random);
        MigrationPlan plan = lab.plan(draw, MigrationOptions.DEFAULT);
        ForwardingTables before = lab.tables();
        lab.apply(draw, plan);
        Set<List<Integer>> seen = new HashSet<>();
        for (int w = plan.writeCount() - 1; w >= 0; w--) {
          MigrationPlan.LftWrite write = plan.write(w);
          int from = write.block() * 64;
          for (int j = 0; j < 64 && seen.add(List.of(write.sw(), from + j)); j++) {
            assertThat(write.entries()[j] & 0xff)
                .isEqualTo(lab.tables().port(write.sw(), from + j));
          }
        }
        for (int s = 0; s < before.switchCount(); s++) {
          for (int lid = 1; lid <= before.topLid(); lid++) {
            if (!seen.contains(List.of(s, lid))) {
              assertThat(lab.tables().port(s, lid)).isEqualTo(before.port(s, lid));
            }
          }
        }
      }
    }
  }

  @Test
  void anUnrecognisedFabricIsPlannedByItrc() {
    MoveLab lab = lab("XGFT(2;4,8;1,4)", 0, AddressingScheme.DYNAMIC);
    MigrationPlanner blind =
        MigrationPlanner.of(lab.placement.fabric(), Optional.empty(), lab.tables());
    MoveLab.Draw draw = lab.draw(new SplittableRandom(2));
    MigrationPlan plan =
        ((MigrationPlanner.Planned) blind.plan(draw.move(), MigrationOptions.DEFAULT)).plan();
    assertThat(plan.method()).isEqualTo(MigrationOptions.Method.ITRC);
    assertThat(plan.notes()).contains("the fabric has no tree: all switches are looked at");
    assertThat(lab.check(plan).isClean()).isTrue();
  }

  @Test
  void refusesWhatTheTablesDoNotSay() {
    MoveLab lab = lab("XGFT(2;4,8;1,4)", 0, AddressingScheme.DYNAMIC);
    MoveLab.Draw draw = lab.draw(new SplittableRandom(2));
    LidMove wrong = LidMove.copy(draw.move().lid(), draw.to(), draw.move().from());
    assertThat(
            ((MigrationPlanner.Refused) lab.planner.plan(wrong, MigrationOptions.DEFAULT)).reason())
        .contains("does not lead to");
    LidMove nowhere = LidMove.copy(draw.move().lid(), draw.move().from(), 0);
    assertThat(lab.planner.plan(nowhere, MigrationOptions.DEFAULT))
        .isInstanceOf(MigrationPlanner.Refused.class);
    // The destination's own LID is not reached from one switch: its routes are nothing to copy.
    int base = lab.placement.fabric().lid(draw.to());
    MigrationPlanner holed =
        MigrationPlanner.of(
            lab.placement.fabric(),
            Optional.of(lab.tree),
            lab.tables().with(0, base, ForwardingTables.NO_PORT));
    assertThat(
            ((MigrationPlanner.Refused) holed.plan(draw.move(), MigrationOptions.DEFAULT)).reason())
        .contains("not reached from every switch");
  }

  @Test
  void aMachineThatStartsIsReachedByCopiesOfItsHypervisorsRoutesAndItsStopTakesThemAway() {
    Fabric fabric = MoveLab.fabric("XGFT(2;4,8;1,4)", 0, 0);
    MoveLab lab = lab("XGFT(2;4,8;1,4)", 0, AddressingScheme.DYNAMIC);
    VmPlacement placement = lab.placement;
    int host = MoveLab.hypervisors(fabric)[7];
    VmMigration.Planned started =
        (VmMigration.Planned)
            VmMigration.start(lab.planner, placement, VirtualMachine.Request.of("new"), host);
    MigrationPlan plan = started.plan().orElseThrow();
    assertThat(plan.writeCount()).isEqualTo(12);
    MigrationPlanner after = lab.planner.after(plan);
    int lid = started.machine().lid();
    for (int s = 0; s < 12; s++) {
      assertThat(after.tables().port(s, lid)).isEqualTo(after.tables().port(s, fabric.lid(host)));
    }
    VmMigration.Planned stopped =
        (VmMigration.Planned) VmMigration.stop(after, started.placement(), "new");
    MigrationPlanner gone = after.after(stopped.plan().orElseThrow());
    for (int s = 0; s < 12; s++) {
      assertThat(gone.tables().port(s, lid)).isEqualTo(ForwardingTables.NO_PORT);
    }
  }

  @Test
  void aSharedLidNeedsNoWriteAndSaysWhatThatMeans() {
    MoveLab lab = lab("XGFT(2;4,8;1,4)", 0, AddressingScheme.DYNAMIC);
    Fabric plain = lab.placement.fabric().withVirtualLids(VirtualLids.NONE);
    int[] hosts = MoveLab.hypervisors(plain);
    VmPlacement shared =
        VmPlacement.empty(plain, AddressingOptions.of(AddressingScheme.SHARED_PORT)).orElseThrow();
    shared =
        ((VmPlacement.Done) shared.start(VirtualMachine.Request.of("a"), hosts[0])).placement();
    VmMigration.Planned moved =
        (VmMigration.Planned)
            VmMigration.move(lab.planner, shared, "a", hosts[9], MigrationOptions.DEFAULT);
    assertThat(moved.plan()).isEmpty();
    assertThat(moved.note()).contains("peers must ask");
    assertThat(moved.machine().lid()).isEqualTo(plain.lid(hosts[9]));
  }

  @Test
  void costsAreThoseOfThePapersEquations() {
    MoveLab lab = lab(THREE_LEVELS, 0, AddressingScheme.PREPOPULATED);
    MigrationPlan plan =
        lab.plan(
            lab.draw(new SplittableRandom(3)),
            MigrationOptions.DEFAULT.withMethod(MigrationOptions.Method.ITRC));
    MigrationCost serial = plan.cost(new MigrationCost.Model(10, 5, 1));
    assertThat(serial.boundMicros()).isEqualTo(plan.switches() * plan.writesPerSwitch() * 15.0);
    assertThat(serial.micros()).isEqualTo(15.0 * plan.smps());
    assertThat(plan.hypervisors()).hasSize(3);
    MigrationCost pipelined = plan.cost(new MigrationCost.Model(10, 0, 1000));
    long ranks =
        java.util.stream.IntStream.range(0, plan.writeCount())
            .mapToObj(i -> List.of(plan.part(i).ordinal(), plan.rank(i)))
            .distinct()
            .count();
    assertThat(pipelined.micros()).isEqualTo(10.0 * (3 + ranks));
  }

  @Test
  void theCostTableIsThatOfThePapersWithItsErrorsMended() {
    List<int[]> expected =
        List.of(
            new int[] {324, 36, 360, 6, 216, 72, 1},
            new int[] {648, 54, 702, 11, 594, 108, 1},
            new int[] {5832, 972, 6804, 107, 104004, 1944, 1},
            new int[] {11664, 1620, 13284, 208, 336960, 3240, 1});
    List<int[]> found =
        MigrationCosts.paperTable().stream()
            .map(
                c ->
                    new int[] {
                      c.hosts(),
                      c.switches(),
                      c.lids(),
                      c.blocks(),
                      (int) c.fullSmps(),
                      (int) c.worstSwap(),
                      c.bestCase()
                    })
            .toList();
    assertThat(found).usingElementComparator(Arrays::compare).isEqualTo(expected);
  }
}
