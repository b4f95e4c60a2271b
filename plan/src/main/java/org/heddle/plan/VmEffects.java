package org.heddle.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.heddle.fabric.Fabric;
import org.heddle.plan.model.Outcome.MachineEffect;
import org.heddle.plan.model.Outcome.MachineEffect.What;
import org.heddle.plan.model.Vm;
import org.heddle.routing.ForwardingTables;

/**
 * What a change would do to virtual machines, read from the states and tables before and after it,
 * including what nobody asked for, such as a new route for a machine whose host got one. O(rows
 * that differ x machines), at most switches x machines.
 */
final class VmEffects {
  private final ForwardingTables before;
  private final ForwardingTables after;
  private final int[] then; // by place in now: the same switch afterwards
  private final int[] now; // switches that are in both and whose tables differ

  private VmEffects(Fabric from, ForwardingTables before, Fabric to, ForwardingTables after) {
    this.before = before;
    this.after = after;
    int[] a = new int[from.switchCount()];
    int[] b = new int[a.length];
    int n = 0;
    for (int sw = 0; sw < a.length && before != after; sw++) {
      int there = from == to ? sw : to.findNode(from.nodeGuid(sw));
      if (there != Fabric.NONE && (there != sw || !before.sameRow(sw, after))) {
        a[n] = sw;
        b[n++] = there;
      }
    }
    this.now = Arrays.copyOf(a, n);
    this.then = Arrays.copyOf(b, n);
  }

  /** VmInventory to which something would happen, by name. */
  static List<MachineEffect> of(DesiredState from, VmInventory machines, ForwardingTables tables) {
    TreeSet<String> names = new TreeSet<>(from.vms().keySet());
    names.addAll(machines.all().keySet());
    if (names.isEmpty()) {
      return List.of();
    }
    VmEffects e = new VmEffects(from.fabric(), from.tables(), machines.fabric(), tables);
    List<MachineEffect> out = new ArrayList<>();
    for (String name : names) {
      Vm was = from.vms().get(name);
      Vm is = machines.all().get(name);
      int switches = e.switches(was, is);
      What what = what(was, is, switches);
      if (what != null) {
        out.add(
            new MachineEffect(
                name, what, Optional.ofNullable(was), Optional.ofNullable(is), switches));
      }
    }
    return out;
  }

  /** What happens to it, the first that holds; null if nothing does. */
  private static What what(Vm was, Vm is, int switches) {
    if (was == null || is == null) {
      return was == null ? What.STARTED : What.STOPPED;
    }
    if (!is.stranded().isEmpty() && was.stranded().isEmpty()) {
      return What.STRANDED;
    }
    if (was.portGuid() != is.portGuid()) {
      return What.MOVED;
    }
    if (is.stranded().isEmpty() && !was.stranded().isEmpty()) {
      return What.REACHED;
    }
    if (was.column().isPresent() && is.column().isEmpty()) {
      return What.AS_HOST;
    }
    return switches > 0 || was.lid() != is.lid() ? What.REROUTED : null;
  }

  /** Switches whose entries for a machine's LIDs differ. */
  private int switches(Vm was, Vm is) {
    int old = was == null || !was.stranded().isEmpty() ? 0 : was.lid();
    int fresh = is == null || !is.stranded().isEmpty() ? 0 : is.lid();
    Vm lone = was == null ? is : is == null ? was : null;
    if (lone != null && !lone.ownLid()) {
      return 0; // its LID is its host's, before and after
    }
    int count = 0;
    for (int i = 0; i < now.length; i++) {
      boolean differs = old != 0 && differs(i, old) || fresh != 0 && differs(i, fresh);
      count += differs ? 1 : 0;
    }
    return count;
  }

  private boolean differs(int i, int lid) {
    return before.port(now[i], lid) != after.port(then[i], lid);
  }
}
