package org.heddle.reconfig;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.SplittableRandom;
import org.heddle.addressing.AddressingOptions;
import org.heddle.addressing.AddressingScheme;
import org.heddle.fabric.Fabric;
import org.heddle.reconfig.migration.MigrationOptions;
import org.heddle.reconfig.migration.MigrationPlan;
import org.heddle.verify.Audit;
import org.heddle.verify.AuditOptions;
import org.heddle.verify.AuditReport;
import org.heddle.verify.transition.TransitionReport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Chains of random moves on the six topologies of paper V, table 4, in our notation, undamaged and
 * with 1 to 5% of the switch links dead; every packet is carried out and checked by the verifier.
 *
 * <p>{@code -Dheddle.moves=1000} makes the chains as long as the acceptance criterion wants, {@code
 * -Dheddle.moves.report=FILE} appends a row of the table in {@code docs/migration.md} for each.
 */
class RandomMovesTest {
  private static final Integer MOVES = Integer.getInteger("heddle.moves");
  private static final String REPORT = System.getProperty("heddle.moves.report");
  private static final int FUNCTIONS = 4;

  /** Sums over a chain. */
  private static final class Sums {
    int moves;
    long marked;
    long all;
    int mostMarked;
    int mostAll;
    long markedWrites;
    long allWrites;
    long minimum;
    int extended;
    int widened;
    int dropped;
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "XGFT(2;4,8;1,4)    | 60",
        "XGFT(2;8,8;1,8)    | 60",
        "XGFT(3;4,4,8;1,4,4)| 40",
        "XGFT(2;16,16;1,16) | 30",
        "XGFT(3;8,8,8;1,8,8)| 8",
        "XGFT(3;8,8,16;1,8,8)| 4"
      })
  void everyStateOfEveryMoveIsSafe(String spec, int few) throws IOException {
    int moves = MOVES == null ? few : MOVES;
    for (AddressingScheme scheme :
        new AddressingScheme[] {AddressingScheme.DYNAMIC, AddressingScheme.PREPOPULATED}) {
      chain(spec, 0, scheme, moves);
      Sums damaged = new Sums();
      for (int percent = 1; percent <= 5; percent++) {
        add(damaged, chain(spec, percent / 100.0, scheme, (moves + 4) / 5));
      }
      report(spec, scheme, "1-5%", damaged);
    }
  }

  private static Sums chain(String spec, double damage, AddressingScheme scheme, int moves)
      throws IOException {
    AddressingOptions options = AddressingOptions.of(scheme).withFunctions(FUNCTIONS);
    MoveLab lab = null;
    for (long seed = 1; lab == null; seed++) {
      Fabric fabric = MoveLab.fabric(spec, damage, seed);
      lab = MoveLab.of(fabric, options, "vswitch-ftree", seed).orElse(null);
    }
    SplittableRandom random = new SplittableRandom(42);
    Sums sums = new Sums();
    for (int i = 0; i < moves; i++) {
      MoveLab.Draw draw = lab.draw(random);
      MigrationPlan plan = lab.plan(draw, MigrationOptions.DEFAULT);
      MigrationPlan all =
          lab.plan(draw, MigrationOptions.DEFAULT.withMethod(MigrationOptions.Method.ITRC));
      String what = spec + " " + damage + " " + scheme + " move " + i;
      assertSafe(what, lab.check(plan));
      if (i % 8 == 0) {
        assertSafe(what + " by itrc", lab.check(all));
      }
      assertThat(plan.switches()).as(what).isLessThanOrEqualTo(all.switches());
      assertWithinLeaf(lab, draw, plan);
      if (damage == 0) {
        assertThat(plan.dropped()).as(what).isEmpty();
        assertThat(plan.notes()).as(what).isEmpty();
        assertThat(plan.method()).isEqualTo(MigrationOptions.Method.FTREE_MINRC);
      }
      assertThat(plan.dropped().isEmpty() || !plan.notes().isEmpty()).as(what).isTrue();
      count(sums, plan, all);
      lab.apply(draw, plan);
    }
    assertThat(sums.marked).as(spec).isLessThan(sums.all);
    assertFinal(lab);
    if (damage == 0) {
      report(spec, scheme, "none", sums);
    }
    return sums;
  }

  private static void assertSafe(String what, TransitionReport report) {
    assertThat(report.faults()).as("%s: %s", what, report.examples()).isZero();
    assertThat(report.creditLoops().cyclic())
        .as("%s: %s", what, report.creditLoops().cycle())
        .isZero();
  }

  private static void assertWithinLeaf(MoveLab lab, MoveLab.Draw draw, MigrationPlan plan) {
    Fabric fabric = lab.placement.fabric();
    if (fabric.attachedSwitch(draw.machine().port()) == fabric.attachedSwitch(draw.to())) {
      assertThat(plan.switches()).isEqualTo(1);
      assertThat(plan.writeCount()).isBetween(1, 2);
      assertThat(plan.minimumSwitches()).isEqualTo(1);
    }
  }

  /** What the whole fabric looks like after the chain. */
  private static void assertFinal(MoveLab lab) {
    Fabric fabric = lab.placement.fabric();
    AuditReport report =
        Audit.run(fabric, lab.tables(), AuditOptions.defaults().withTree(lab.tree));
    assertThat(report.loopCount()).isZero();
    assertThat(report.creditLoops().cyclic()).isZero();
    for (AuditReport.PairKind kind : AuditReport.PairKind.values()) {
      assertThat(report.reachability(kind).unreachable()).as("%s", kind).isZero();
    }
  }

  private static void count(Sums sums, MigrationPlan plan, MigrationPlan all) {
    sums.moves++;
    sums.marked += plan.switches();
    sums.all += all.switches();
    sums.mostMarked = Math.max(sums.mostMarked, plan.switches());
    sums.mostAll = Math.max(sums.mostAll, all.switches());
    sums.markedWrites += plan.writeCount();
    sums.allWrites += all.writeCount();
    sums.minimum += plan.minimumSwitches();
    sums.widened += plan.method() == MigrationOptions.Method.ITRC ? 1 : 0;
    sums.extended += plan.notes().stream().anyMatch(n -> n.contains("more are looked at")) ? 1 : 0;
    sums.dropped += plan.dropped().isEmpty() ? 0 : 1;
  }

  private static void add(Sums to, Sums more) {
    to.moves += more.moves;
    to.marked += more.marked;
    to.all += more.all;
    to.mostMarked = Math.max(to.mostMarked, more.mostMarked);
    to.mostAll = Math.max(to.mostAll, more.mostAll);
    to.markedWrites += more.markedWrites;
    to.allWrites += more.allWrites;
    to.minimum += more.minimum;
    to.widened += more.widened;
    to.extended += more.extended;
    to.dropped += more.dropped;
  }

  private static void report(String spec, AddressingScheme scheme, String damage, Sums s)
      throws IOException {
    if (REPORT == null) {
      return;
    }
    double n = s.moves;
    String row =
        String.format(
            Locale.ROOT,
            "| %s | %s | %s | %d | %.1f (%d) | %.1f (%d) | %.1f | %.1f | %.1f | %d | %d | %d |%n",
            spec,
            scheme == AddressingScheme.DYNAMIC ? "copy" : "swap",
            damage,
            s.moves,
            s.all / n,
            s.mostAll,
            s.marked / n,
            s.mostMarked,
            s.minimum / n,
            s.allWrites / n,
            s.markedWrites / n,
            s.extended,
            s.widened,
            s.dropped);
    Files.writeString(Path.of(REPORT), row, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }
}
