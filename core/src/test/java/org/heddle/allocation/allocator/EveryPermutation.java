package org.heddle.allocation.allocator;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.heddle.allocation.Allocation;
import org.heddle.allocation.Plant;
import org.heddle.allocation.Rails;
import org.heddle.fabric.Fabric;

/**
 * Whether a tenant's machines with several adapters have what they were promised, straight from the
 * cables: every permutation on every rail, all combinations of them at the same time, or every
 * permutation of all adapters. Each is routed by trying all ways up and down over the tenant's
 * links, one flow a channel, and none over a link that is slower than both ends of the flow ({@link
 * Rates}). Knows the plant only for which leaf switch is which rail. For a handful of machines.
 */
final class EveryPermutation {
  private final Fabric fabric;
  private final boolean[] held; // by port id, both ends
  private final boolean[] busy; // by the port that a flow leaves a switch by
  private final List<int[]> rails = new ArrayList<>(); // ports of the members of a rail
  private final Rates rates;

  private EveryPermutation(Allocation a) {
    Plant plant = a.plant();
    fabric = plant.fabric();
    rates = new Rates(fabric);
    held = new boolean[fabric.portIdLimit()];
    busy = new boolean[held.length];
    for (int port : a.links()) {
      held[port] = true;
      held[fabric.peer(port)] = true;
    }
    if (a.rails() == Rails.JOINED || a.acrossRails()) {
      // Separate trees never meet: a permutation in each.
      for (Plant.Block block : plant.blocks()) {
        List<Integer> all = new ArrayList<>();
        for (int port : a.hostPorts()) {
          int sw = fabric.attachedSwitch(port);
          if (isIn(plant, block, plant.leafOfHost(fabric.nodeOf(port)), sw)) {
            all.add(port);
          }
        }
        rails.add(all.stream().mapToInt(i -> i).toArray());
      }
      return;
    }
    for (Plant.Block block : plant.blocks()) {
      for (int leaf = 0; leaf < block.leaves(); leaf++) {
        for (int lane = 0; lane < block.lanes(); lane++) {
          rails.add(members(a, block, leaf, lane));
        }
      }
    }
  }

  private static boolean isIn(Plant plant, Plant.Block block, int unit, int sw) {
    for (int i = 0; i < block.leaves() * block.lanes(); i++) {
      if (plant.leafSwitch(block.first() + i, unit) == sw) {
        return true;
      }
    }
    return false;
  }

  /** Where the machines have their adapters of one rail: the lane-th of those on the leaf. */
  private int[] members(Allocation a, Plant.Block block, int leaf, int lane) {
    List<Integer> out = new ArrayList<>();
    Plant plant = a.plant();
    for (int host : a.hosts()) {
      int sw = plant.leafSwitch(block.first() + leaf * block.lanes(), plant.leafOfHost(host));
      int seen = 0;
      for (int i = 0; i < plant.adapterCount(host); i++) {
        int node = plant.adapter(host, i);
        for (int number = 1; number <= fabric.portCount(node); number++) {
          boolean there = fabric.attachedSwitch(fabric.port(node, number)) == sw;
          if (there && sw != Fabric.NONE && seen++ == lane) {
            out.add(fabric.port(node, number));
          }
        }
      }
    }
    return out.stream().mapToInt(i -> i).toArray();
  }

  /** True if everything that was promised can be routed. */
  static boolean holds(Allocation a) {
    EveryPermutation every = new EveryPermutation(a);
    return every.permute(0, 0, every.identity(0));
  }

  private int[] identity(int rail) {
    int n = rail < rails.size() ? rails.get(rail).length : 0;
    int[] to = new int[n];
    for (int i = 0; i < n; i++) {
      to[i] = i;
    }
    return to;
  }

  private final List<int[]> chosen = new ArrayList<>();

  /** Every permutation of a rail, with every one of the next ones; false at the first blocked. */
  private boolean permute(int rail, int at, int[] to) {
    if (rail == rails.size()) {
      return route();
    }
    if (at >= to.length - 1) {
      chosen.add(to.clone());
      boolean fine = permute(rail + 1, 0, identity(rail + 1));
      chosen.removeLast();
      return fine;
    }
    for (int i = at; i < to.length; i++) {
      swap(to, at, i);
      boolean fine = permute(rail, at + 1, to);
      swap(to, at, i);
      if (!fine) {
        return false;
      }
    }
    return true;
  }

  private static void swap(int[] a, int i, int j) {
    int x = a[i];
    a[i] = a[j];
    a[j] = x;
  }

  private boolean route() {
    List<int[]> flows = new ArrayList<>();
    for (int r = 0; r < chosen.size(); r++) {
      int[] at = rails.get(r);
      int[] to = chosen.get(r);
      for (int i = 0; i < to.length; i++) {
        int from = fabric.attachedSwitch(at[i]);
        int end = fabric.attachedSwitch(at[to[i]]);
        if (from != end) {
          int rate = Math.min(fabric.linkMegabits(at[i]), fabric.linkMegabits(at[to[i]]));
          flows.add(new int[] {from, end, rate});
        }
      }
    }
    steps = 0;
    return next(flows, 0);
  }

  private long steps;

  private boolean next(List<int[]> flows, int done) {
    if (++steps > 3_000_000) {
      throw new AssertionError("too much to try");
    }
    if (done == flows.size()) {
      return true;
    }
    int[] f = flows.get(done);
    return up(f[0], f[1], f[2], 4, () -> next(flows, done + 1));
  }

  /** Leaves a switch by every free link of the tenant; a way has at most so many hops. */
  private boolean up(int sw, int to, int rate, int hops, BooleanSupplier then) {
    if (sw == to) {
      return then.getAsBoolean();
    }
    for (int number = 1; hops > 0 && number <= fabric.portCount(sw); number++) {
      int port = fabric.port(sw, number);
      if (held[port] && !busy[port] && rates.carries(port, rate)) {
        busy[port] = true;
        boolean found = up(fabric.peerNode(port), to, rate, hops - 1, then);
        busy[port] = false;
        if (found) {
          return true;
        }
      }
    }
    return false;
  }
}
