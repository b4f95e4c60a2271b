package org.heddle.reconfig.migration;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.heddle.addressing.VirtualMachine;
import org.heddle.addressing.VmPlacement;
import org.heddle.routing.ForwardingTables;

/**
 * Several moves of virtual machines, in waves: moves of one wave share no switch and no hypervisor
 * and are proven together; the others wait for the next wave and are planned again for the tables
 * that they will find then. O(moves^2) plans in the worst case.
 *
 * <p>Within a wave, packets are sent in steps: all packets of a step may be in flight at the same
 * time, and the next step begins when all of them are acknowledged.
 */
public final class VmMoves {
  private VmMoves() {}

  /** A machine and the port of the hypervisor it is to go to. */
  public record Request(String id, int to) {}

  /** What became of the requests. */
  public sealed interface Outcome {}

  /**
   * There is a safe plan for all of them.
   *
   * @param waves in order
   * @param placement afterwards
   * @param tables afterwards
   */
  public record Planned(List<Wave> waves, VmPlacement placement, ForwardingTables tables)
      implements Outcome {
    public Planned {
      waves = List.copyOf(waves);
    }

    /** LIDs that are dropped on purpose during the moves, ascending. */
    public List<Integer> dropped() {
      BitSet lids = new BitSet();
      for (Wave wave : waves) {
        wave.moves()
            .forEach(m -> m.planned().plan().ifPresent(p -> p.dropped().forEach(lids::set)));
      }
      return lids.stream().boxed().toList();
    }

    /** Ports at which moving LIDs may be delivered during the moves, by LID. */
    public TreeMap<Integer, int[]> owners() {
      TreeMap<Integer, Set<Integer>> ports = new TreeMap<>();
      for (Wave wave : waves) {
        for (Move m : wave.moves()) {
          m.planned().plan().map(MigrationPlan::move).ifPresent(move -> add(ports, move));
        }
      }
      TreeMap<Integer, int[]> out = new TreeMap<>();
      ports.forEach(
          (l, p) -> out.put(l, p.stream().mapToInt(Integer::intValue).sorted().toArray()));
      return out;
    }

    private static void add(TreeMap<Integer, Set<Integer>> ports, LidMove move) {
      ports
          .computeIfAbsent(move.lid(), _ -> new HashSet<>())
          .addAll(List.of(move.from(), move.to()));
      if (move.kind() == LidMove.Kind.SWAP) {
        Set<Integer> partner = ports.computeIfAbsent(move.partner(), _ -> new HashSet<>());
        partner.addAll(List.of(move.from(), move.to()));
      }
    }

    /** Forwarding table packets in all. */
    public int lftSmps() {
      return waves.stream().mapToInt(Wave::lftSmps).sum();
    }

    /** Packets that write hypervisors' GUID tables in all. */
    public int guidSmps() {
      return waves.stream().mapToInt(w -> w.guids().size()).sum();
    }

    /** Packets to hypervisors in all. */
    public int hypervisorSmps() {
      return waves.stream().mapToInt(Wave::hypervisorSmps).sum();
    }

    /** Estimated time of all waves, one after the other, microseconds. */
    public double micros(MigrationCost.Model model) {
      return waves.stream().mapToDouble(w -> w.micros(model)).sum();
    }
  }

  /** At least one of them is not possible; nothing changes. */
  public record Refused(String id, String reason) implements Outcome {}

  /** One move of a wave. */
  public record Move(VirtualMachine before, VmMigration.Planned planned) {
    /** What changes in the GUID table of the hypervisor that the machine leaves. */
    public GuidUpdate taken() {
      return GuidUpdate.take(before.port(), before.function());
    }

    /** What changes in the GUID table of the hypervisor that the machine moves to. */
    public GuidUpdate given() {
      VirtualMachine after = planned.machine();
      return GuidUpdate.give(after.port(), after.function(), after.vguid());
    }
  }

  /**
   * Writes that may be in flight at the same time.
   *
   * @param drain true if packets already in flight must have arrived or been discarded before
   */
  public record Step(boolean drain, List<MigrationPlan.LftWrite> writes) {
    public Step {
      writes = List.copyOf(writes);
    }
  }

  /** Moves that are made together. */
  public record Wave(List<Move> moves, List<Step> steps) {
    public Wave {
      moves = List.copyOf(moves);
      steps = List.copyOf(steps);
    }

    /** Forwarding table packets. */
    public int lftSmps() {
      return steps.stream().mapToInt(s -> s.writes().size()).sum();
    }

    /**
     * Entries of hypervisors' GUID tables that change, one SMP each, before any forwarding table:
     * all that are taken away, then all that are given, so that no vGUID is there twice.
     */
    public List<GuidUpdate> guids() {
      List<GuidUpdate> out = new ArrayList<>();
      moves.forEach(m -> out.add(m.taken()));
      moves.forEach(m -> out.add(m.given()));
      return out;
    }

    /** Packets to hypervisors: their functions' LIDs and vGUIDs. */
    public int hypervisorSmps() {
      int count = 2 * moves.size();
      for (Move m : moves) {
        count += m.planned().plan().map(p -> p.lidUpdates().size()).orElse(0);
      }
      return count;
    }

    /** Estimated time: hypervisors in sequence, then step by step; microseconds. */
    public double micros(MigrationCost.Model model) {
      long rounds = hypervisorSmps();
      for (Step step : steps) {
        rounds += Math.ceilDiv(step.writes().size(), model.window());
      }
      return rounds * model.smpMicros();
    }
  }

  /**
   * Plans moves. A machine may be named several times; its moves follow each other.
   *
   * @param planner for the tables they start from
   * @param placement of the machines now
   */
  public static Outcome plan(
      MigrationPlanner planner,
      VmPlacement placement,
      List<Request> requests,
      MigrationOptions options) {
    List<Request> queue = new ArrayList<>(requests);
    List<Wave> waves = new ArrayList<>();
    MigrationPlanner now = planner;
    VmPlacement machines = placement;
    while (!queue.isEmpty()) {
      List<Request> together = independent(queue, machines);
      List<Move> moves = new ArrayList<>();
      for (Request r : together) {
        switch (VmMigration.move(now, machines, r.id(), r.to(), options)) {
          case VmMigration.Refused no -> {
            return new Refused(r.id(), no.reason());
          }
          case VmMigration.Planned ok ->
              moves.add(new Move(machines.find(r.id()).orElseThrow(), ok));
        }
      }
      List<Move> chosen = firstWave(now, moves);
      for (Move m : chosen) {
        VirtualMachine after = m.planned().machine();
        queue.remove(new Request(after.id(), after.port()));
        machines = ((VmPlacement.Done) machines.move(after.id(), after.port())).placement();
        now = m.planned().plan().isPresent() ? now.after(m.planned().plan().get()) : now;
      }
      waves.add(new Wave(chosen, steps(chosen)));
    }
    return new Planned(waves, machines, now.tables());
  }

  /** Requests that share no machine and no hypervisor with one that waits before them. */
  private static List<Request> independent(List<Request> queue, VmPlacement machines) {
    Set<String> ids = new HashSet<>();
    BitSet ports = new BitSet();
    List<Request> out = new ArrayList<>();
    for (Request r : queue) {
      int from = machines.find(r.id()).map(VirtualMachine::port).orElse(r.to());
      boolean free = ids.add(r.id()) && !ports.get(from) && !ports.get(r.to());
      ports.set(from);
      ports.set(r.to());
      if (free) {
        out.add(r);
      }
    }
    return out;
  }

  private static List<Move> firstWave(MigrationPlanner planner, List<Move> moves) {
    List<MigrationPlan> plans = new ArrayList<>();
    moves.forEach(m -> m.planned().plan().ifPresent(plans::add));
    int[] wave = planner.schedule(plans);
    List<Move> out = new ArrayList<>();
    int at = 0;
    for (Move m : moves) {
      if (m.planned().plan().isEmpty() || wave[at++] == 0) {
        out.add(m);
      }
    }
    return out;
  }

  /** The parts of all plans of a wave in step, each by rank. */
  private static List<Step> steps(List<Move> moves) {
    TreeMap<Long, List<MigrationPlan.LftWrite>> byStep = new TreeMap<>();
    for (Move m : moves) {
      if (m.planned().plan().isEmpty()) {
        continue;
      }
      MigrationPlan plan = m.planned().plan().get();
      for (int i = 0; i < plan.writeCount(); i++) {
        MigrationPlan.LftWrite w = plan.write(i);
        long key = (long) w.part().ordinal() << 32 | w.rank();
        byStep.computeIfAbsent(key, _ -> new ArrayList<>()).add(w);
      }
    }
    List<Step> out = new ArrayList<>();
    long part = -1;
    for (var entry : byStep.entrySet()) {
      long mine = entry.getKey() >>> 32;
      out.add(new Step(part >= 0 && part != mine, entry.getValue()));
      part = mine;
    }
    return out;
  }
}
