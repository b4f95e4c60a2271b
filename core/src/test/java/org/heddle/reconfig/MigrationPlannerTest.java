package org.heddle.reconfig;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.heddle.addressing.AddressingOptions;
import org.heddle.addressing.AddressingScheme;
import org.heddle.verify.TransitionReport;
import org.junit.jupiter.api.Test;

class MigrationPlannerTest {
  @Test
  void probe() {
    String[] specs = {"XGFT(2;4,8;1,4)", "XGFT(3;4,4,8;1,4,4)"};
    for (String spec : specs) {
      for (double damage : new double[] {0, 0.03, 0.05}) {
        for (AddressingScheme scheme :
            new AddressingScheme[] {AddressingScheme.DYNAMIC, AddressingScheme.PREPOPULATED}) {
          for (MigrationOptions.Order order : MigrationOptions.Order.values()) {
            MoveLab lab =
                MoveLab.of(
                        MoveLab.fabric(spec, damage, 5),
                        AddressingOptions.of(scheme).withFunctions(4),
                        "vswitch-ftree",
                        7)
                    .orElse(null);
            if (lab == null) {
              System.out.println(spec + " refused");
              continue;
            }
            SplittableRandom random = new SplittableRandom(3);
            int bad = 0;
            int loops = 0;
            int dropped = 0;
            int widened = 0;
            long minrc = 0;
            long itrc = 0;
            String note = "";
            for (int i = 0; i < 200; i++) {
              MoveLab.Draw draw = lab.draw(random);
              MigrationPlan plan = lab.plan(draw, MigrationOptions.DEFAULT.withOrder(order));
              MigrationPlan all =
                  lab.plan(
                      draw,
                      MigrationOptions.DEFAULT
                          .withOrder(order)
                          .withMethod(MigrationOptions.Method.ITRC));
              TransitionReport report = lab.check(plan);
              bad += report.faults();
              loops += report.creditLoops().cyclic();
              dropped += plan.dropped().isEmpty() ? 0 : 1;
              widened += plan.notes().stream().anyMatch(x -> x.contains("not enough")) ? 1 : 0;
              minrc += plan.switches();
              itrc += all.switches();
              for (String n : plan.notes()) {
                note = n;
              }
              lab.apply(draw, plan);
            }
            System.out.printf(
                "%s %.2f %s %s bad %d loops %d dropped %d widened %d minrc %.2f itrc %.2f %s%n",
                spec,
                damage,
                scheme,
                order,
                bad,
                loops,
                dropped,
                widened,
                minrc / 200.0,
                itrc / 200.0,
                note);
          }
        }
      }
    }
    assertThat(1).isEqualTo(1);
  }
}
