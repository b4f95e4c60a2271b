package org.heddle.reconfig.migration;

import java.util.Arrays;
import org.heddle.reconfig.ColumnChange;
import org.heddle.reconfig.Wiring;

/**
 * The paper's order of writes: the switches of the active routes between the two hypervisors first,
 * then the rest (Tasoulas, thesis, paper V, section 6.2). Nothing is guaranteed for the states in
 * between, so the bad ones are counted: those in which the LID's packets run in circles or end at a
 * switch without an entry for it.
 */
final class ActiveOrder {
  private final ColumnChange column;
  private final Wiring wiring;
  private final boolean[] written;

  private ActiveOrder(ColumnChange column) {
    this.column = column;
    this.wiring = column.wiring;
    this.written = new boolean[wiring.switches];
  }

  /**
   * Reorders a settled change.
   *
   * @param from switch of the hypervisor the LID leaves
   * @param to switch of the one it comes to
   * @return states in between in which the LID has a loop or a dead end
   */
  static int apply(ColumnChange column, int from, int to) {
    ActiveOrder order = new ActiveOrder(column);
    order.reorder(from, to);
    return order.badStates();
  }

  private void reorder(int from, int to) {
    boolean[] changes = new boolean[wiring.switches];
    for (int s : column.changed) {
      changes[s] = true;
    }
    int[] out = new int[column.changed.length];
    int n = trace(from, true, changes, out, 0);
    n = trace(to, false, changes, out, n);
    for (int s = 0; s < changes.length; s++) {
      if (changes[s]) {
        out[n++] = s;
      }
    }
    column.reorder(out);
  }

  private int trace(int from, boolean after, boolean[] changes, int[] out, int n) {
    int at = n;
    int s = from;
    for (int hops = 0; s >= 0 && hops < wiring.switches; hops++) {
      if (changes[s]) {
        changes[s] = false;
        out[at++] = s;
      }
      int channel = column.channel(s, after ? column.after(s) : column.before(s));
      s = channel < 0 ? -1 : wiring.hop[channel];
    }
    return at;
  }

  private int badStates() {
    int bad = 0;
    for (int s : column.changed) {
      written[s] = true;
      bad += anyBad() ? 1 : 0;
    }
    Arrays.fill(written, false);
    return bad;
  }

  /** A new fault can only lie on the way of a switch that changes. */
  private boolean anyBad() {
    for (int s : column.changed) {
      if (!arrives(s)) {
        return true;
      }
    }
    return false;
  }

  private boolean arrives(int from) {
    int s = from;
    for (int hops = 0; hops <= wiring.switches; hops++) {
      int number = written[s] ? column.after(s) : column.before(s);
      int channel = column.channel(s, number);
      if (channel < 0) {
        int port = wiring.channel(s, number);
        return port >= 0 && wiring.peer[port] >= wiring.ports;
      }
      s = wiring.hop[channel];
    }
    return false;
  }
}
