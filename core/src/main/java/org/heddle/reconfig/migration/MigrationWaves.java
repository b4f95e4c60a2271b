package org.heddle.reconfig.migration;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.heddle.reconfig.ColumnChange;
import org.heddle.reconfig.CreditProof;
import org.heddle.reconfig.CreditProof.Moving;
import org.heddle.reconfig.CreditProof.Phase;
import org.heddle.reconfig.TableState;

/** Groups plans that do not disturb each other into waves, first fit. */
final class MigrationWaves {
  private final TableState state;

  MigrationWaves(TableState state) {
    this.state = state;
  }

  int[] assign(List<MigrationPlan> plans) {
    int[] wave = new int[plans.size()];
    List<BitSet> busy = new ArrayList<>();
    List<List<MigrationPlan>> members = new ArrayList<>();
    for (int i = 0; i < wave.length; i++) {
      MigrationPlan plan = plans.get(i);
      BitSet switches = new BitSet();
      for (int w = 0; w < plan.writeCount(); w++) {
        switches.set(plan.sw(w));
      }
      int at = 0;
      while (at < busy.size()
          && (busy.get(at).intersects(switches) || !together(members.get(at), plan))) {
        at++;
      }
      if (at == busy.size()) {
        busy.add(new BitSet());
        members.add(new ArrayList<>());
      }
      busy.get(at).or(switches);
      members.get(at).add(plan);
      wave[i] = at;
    }
    return wave;
  }

  /**
   * Disjoint switches are not enough: two turns far apart may wait for each other. All machines'
   * LIDs of a wave move together, then all partners', so these are proven one after the other.
   */
  private boolean together(List<MigrationPlan> others, MigrationPlan plan) {
    List<MigrationPlan> all = new ArrayList<>(others);
    all.add(plan);
    List<Moving> first = new ArrayList<>();
    List<Moving> second = new ArrayList<>();
    for (MigrationPlan p : all) {
      ColumnChange moved = p.columns().moved();
      ColumnChange partner = p.columns().partner();
      first.add(new Moving(moved, phase(p, moved)));
      second.add(new Moving(moved, Phase.SETTLED));
      if (partner != null) {
        second.add(new Moving(partner, phase(p, partner)));
      }
    }
    return CreditProof.holds(state, first) && CreditProof.holds(state, second);
  }

  /** What is dropped first is never on its old way when new entries come. */
  private static Phase phase(MigrationPlan plan, ColumnChange column) {
    return plan.dropped().contains(column.lid) ? Phase.SETTLED : Phase.CHANGING;
  }
}
