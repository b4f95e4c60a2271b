package org.heddle.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.heddle.fabric.Fabric;
import org.heddle.plan.model.Column;
import org.heddle.plan.model.Tenant;
import org.heddle.plan.model.Vm;
import org.heddle.routing.ForwardingTables;

/**
 * Routes of virtual machines with LIDs of their own, added to the tables of a {@link DraftState}
 * state's tenants. A machine is routed like its host, unless it has a column of its own from a
 * move; a column stays until it no longer works.
 *
 * <p>A column works if every switch that reaches the host's LID reaches the machine by it, and if
 * no route crosses links that it must not: those of other tenants where the host's route does not,
 * and for a tenant with links of its own, from its leaves, all but these. Credit loops and whatever
 * else concerns several LIDs is proven of the whole tables ({@link StateProof#prove}).
 *
 * <p>O(switches) for each machine whose route may have changed.
 */
final class VmRoutes {
  private static final int NOBODY = -1;
  private static final int NONE = ForwardingTables.NO_PORT;

  private final PhysicalFabric site;
  private final DraftState w;
  private final ForwardingTables plain;
  private final int[] owner; // by port of a switch: index of the tenant that has the link
  private final List<String> owners = new ArrayList<>();
  private final List<boolean[]> leaves = new ArrayList<>(); // by owner: its leaf switches

  private VmRoutes(DraftState w, ForwardingTables plain) {
    this.site = w.site;
    this.w = w;
    this.plain = plain;
    this.owner = new int[site.fabric().portIdLimit()];
    Arrays.fill(owner, NOBODY);
    for (Map.Entry<String, Holdings.Held> e : w.held()) {
      if (StateRouter.promised(w, e)) {
        claim(e.getKey(), e.getValue());
      }
    }
  }

  private void claim(String tenant, Holdings.Held a) {
    for (int port : a.links()) {
      owner[port] = owners.size();
      owner[site.fabric().peer(port)] = owners.size();
    }
    boolean[] mine = new boolean[site.fabric().switchCount()];
    for (int port : site.hostPorts(a.charged())) {
      mine[site.fabric().attachedSwitch(port)] = true;
    }
    owners.add(tenant);
    leaves.add(mine);
  }

  /** The machines, without columns that do not do any more. */
  static VmInventory settled(DraftState w, ForwardingTables plain) {
    if (!w.machines.hasColumns()) {
      return w.machines;
    }
    boolean same = w.origin != null && w.origin.routed.plain() == plain;
    VmRoutes routes = new VmRoutes(w, plain);
    List<Vm> refreshed = new ArrayList<>();
    for (Vm vm : w.machines.all().values()) {
      if (vm.column().isEmpty()) {
        continue;
      }
      Vm before = same ? w.origin.machines.all().get(vm.name()) : null;
      boolean known = before != null && before.routedAs(vm);
      if (!known && (!vm.routed() || !routes.does(vm, vm.column().get()))) {
        refreshed.add(vm.bare());
      }
    }
    return w.machines.withColumns(refreshed);
  }

  /** True if a column does for a machine in a state whose tenants have these tables. */
  static boolean does(DraftState w, ForwardingTables plain, Vm vm, Column column) {
    return new VmRoutes(w, plain).does(vm, column);
  }

  private boolean does(Vm vm, Column column) {
    byte[] ports = column.bytes();
    int host = site.fabric().findPort(vm.portGuid());
    if (column.switches() != site.switches() || ports.length != plain.switchCount()) {
      return false;
    }
    byte[] base = new byte[ports.length];
    for (int sw = 0; sw < base.length; sw++) {
      base[sw] = (byte) plain.port(sw, site.fabric().lid(host));
    }
    Tenant tenant = w.tenants.get(vm.tenant());
    int own = tenant == null ? NOBODY : owners.indexOf(tenant.name());
    Walk now = new Walk(ports, host, own);
    Walk then = new Walk(base, host, own);
    for (int sw = 0; sw < ports.length; sw++) {
      int mine = now.from(sw);
      int hosts = then.from(sw);
      boolean arrives = mine != LOST || hosts == LOST;
      boolean others = mine >= OTHERS && hosts < OTHERS;
      boolean strays = own != NOBODY && leaves.get(own)[sw] && mine > INSIDE;
      if (!arrives || others || strays) {
        return false;
      }
    }
    return true;
  }

  /** How a route ends: not at all, over its own links only, over nobody's, over somebody else's. */
  private static final int LOST = 0;

  private static final int INSIDE = 1;
  private static final int FREE = 2;
  private static final int OTHERS = 3;

  /** Follows one LID from every switch; what was found of a switch is kept. */
  private final class Walk {
    private final byte[] ports;
    private final int host;
    private final int own;
    private final int[] found;
    private final int[] path;

    Walk(byte[] ports, int host, int own) {
      this.ports = ports;
      this.host = host;
      this.own = own;
      this.found = new int[ports.length];
      this.path = new int[ports.length + 1];
      Arrays.fill(found, NOBODY);
    }

    int from(int start) {
      Fabric fabric = site.fabric();
      int n = 0;
      int sw = start;
      int end = NOBODY;
      while (end == NOBODY) {
        if (found[sw] != NOBODY || n == ports.length) {
          end = Math.max(LOST, found[sw]); // a loop has met each switch
          break;
        }
        path[n++] = sw;
        int number = ports[sw] & 0xff;
        int peer =
            number < 1 || number > fabric.portCount(sw)
                ? Fabric.NONE
                : fabric.peer(fabric.port(sw, number));
        if (peer == host) {
          end = INSIDE;
          found[sw] = end;
          n--;
        } else if (peer == Fabric.NONE || !fabric.isSwitch(fabric.nodeOf(peer))) {
          end = LOST;
        } else {
          sw = fabric.nodeOf(peer);
        }
      }
      while (n > 0) {
        sw = path[--n];
        end = end == LOST ? LOST : Math.max(end, kind(fabric.port(sw, ports[sw] & 0xff)));
        found[sw] = end;
      }
      return found[start];
    }

    private int kind(int port) {
      if (owner[port] == NOBODY) {
        return FREE;
      }
      return owner[port] == own ? INSIDE : OTHERS;
    }
  }

  /** The tables of the tenants with the machines' columns. */
  static ForwardingTables over(DraftState w, ForwardingTables plain, VmInventory machines) {
    int top = Math.max(plain.topLid(), machines.topLid());
    DraftState o = w.origin;
    boolean same = o != null && o.routed.plain() == plain && o.routed.tables().topLid() == top;
    if (!same && machines.topLid() == 0) {
      return plain;
    }
    ForwardingTables from =
        same
            ? o.routed.tables()
            : top > plain.topLid() ? plain.with(top, new int[0], new int[0]) : plain;
    ForwardingTables.Edits edits = from.edit();
    if (same) {
      for (Vm vm : o.machines.all().values()) {
        Vm now = machines.all().get(vm.name());
        if (vm.routed() && (now == null || !now.routed() || now.lid() != vm.lid())) {
          clear(edits, vm.lid(), plain.switchCount());
        }
      }
    }
    for (Vm vm : machines.all().values()) {
      Vm before = same ? o.machines.all().get(vm.name()) : null;
      if (vm.routed() && (before == null || !before.routedAs(vm))) {
        lay(edits, plain, w.site, vm);
      }
    }
    return edits.build();
  }

  private static void clear(ForwardingTables.Edits edits, int lid, int switches) {
    for (int sw = 0; sw < switches; sw++) {
      edits.set(sw, lid, NONE);
    }
  }

  private static void lay(
      ForwardingTables.Edits edits, ForwardingTables plain, PhysicalFabric site, Vm vm) {
    Optional<byte[]> column = vm.column().map(Column::bytes);
    int host = site.fabric().lid(site.fabric().findPort(vm.portGuid()));
    for (int sw = 0; sw < plain.switchCount(); sw++) {
      int port = column.isPresent() ? column.get()[sw] & 0xff : plain.port(sw, host);
      edits.set(sw, vm.lid(), port);
    }
  }
}
