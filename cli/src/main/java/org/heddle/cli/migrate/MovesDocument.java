package org.heddle.cli.migrate;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.heddle.addressing.VirtualMachine;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.reconfig.migration.GuidUpdate;
import org.heddle.reconfig.migration.MigrationCost;
import org.heddle.reconfig.migration.MigrationPlan;
import org.heddle.reconfig.migration.VmMoves;

/** A plan of moves as it is printed; times in microseconds. */
record MovesDocument(
    String format,
    String fabric,
    String tables,
    String vms,
    String method,
    String order,
    List<Wave> waves,
    int lftSmps,
    int guidSmps,
    int hypervisorSmps,
    List<Integer> droppedLids,
    Safety safety,
    Cost cost,
    String output,
    Sent sent) {
  /** Moves made together. */
  record Wave(
      List<Move> moves,
      List<Hypervisor> hypervisors,
      List<GuidWrite> guids,
      List<Step> steps,
      double micros) {}

  /** One move. */
  record Move(
      String vm,
      String from,
      String to,
      String kind,
      int lid,
      int partner,
      String method,
      int switches,
      int minimumSwitches,
      int lftSmps,
      double boundMicros,
      List<Integer> dropped,
      List<String> notes) {}

  /** What has to be done at a hypervisor, by its driver. */
  record Hypervisor(String host, String guid, String action, int lid) {}

  /** One SubnSet(GUIDInfo): an entry of a block of a port's GUID table; 0 for none. */
  record GuidWrite(String host, String portGuid, int block, int entry, String guid) {}

  /** Writes that may be under way at the same time. */
  record Step(boolean drain, List<Write> writes) {}

  /** One packet. */
  record Write(String name, String guid, int block, String part, String side) {}

  /** What the independent check of all states says. */
  record Safety(
      int states, int droppedStates, int faults, long creditLoopChannels, List<String> examples) {}

  /** What it costs. */
  record Cost(double k, double r, int depth, double micros) {}

  /**
   * What was sent.
   *
   * @param verified the tables read back are the predicted ones, the vGUIDs too
   * @param guidsSkipped the vGUIDs were left alone because the user said so
   */
  record Sent(
      String via,
      long smps,
      double micros,
      boolean verified,
      boolean guidsSkipped,
      String journal) {}

  static MovesDocument of(
      String format, MoveInputs inputs, MoveInputs.Prepared p, String output, Sent sent) {
    Fabric fabric = p.bound().fabric();
    MigrationCost.Model m = p.model();
    return new MovesDocument(
        format,
        inputs.fabricFile,
        inputs.tablesFile,
        inputs.vmsFile,
        p.options().method().key(),
        word(p.options().order()),
        p.plan().waves().stream().map(w -> wave(fabric, w, m)).toList(),
        p.plan().lftSmps(),
        p.plan().guidSmps(),
        p.plan().hypervisorSmps(),
        p.plan().dropped(),
        new Safety(
            p.proof().states(),
            p.proof().droppedStates(),
            p.proof().faults(),
            p.proof().creditLoops().cyclic(),
            p.proof().examples()),
        new Cost(m.k(), m.r(), m.window(), p.plan().micros(m)),
        output,
        sent);
  }

  private static Wave wave(Fabric fabric, VmMoves.Wave wave, MigrationCost.Model model) {
    List<Hypervisor> hypervisors = new ArrayList<>();
    List<Move> moves = new ArrayList<>();
    for (VmMoves.Move m : wave.moves()) {
      moves.add(move(fabric, m, model));
      m.planned()
          .plan()
          .ifPresent(p -> p.lidUpdates().forEach(h -> hypervisors.add(hypervisor(fabric, h))));
    }
    List<Step> steps = new ArrayList<>();
    for (VmMoves.Step step : wave.steps()) {
      steps.add(new Step(step.drain(), step.writes().stream().map(w -> write(fabric, w)).toList()));
    }
    List<GuidWrite> guids = wave.guids().stream().map(u -> guidWrite(fabric, u)).toList();
    return new Wave(moves, hypervisors, guids, steps, wave.micros(model));
  }

  private static GuidWrite guidWrite(Fabric fabric, GuidUpdate u) {
    return new GuidWrite(
        host(fabric, u.port()),
        Guid.format(fabric.portGuid(u.port())),
        u.block(),
        u.entry(),
        Guid.format(u.guid()));
  }

  private static Move move(Fabric fabric, VmMoves.Move m, MigrationCost.Model model) {
    VirtualMachine before = m.before();
    VirtualMachine after = m.planned().machine();
    String from = host(fabric, before.port());
    String to = host(fabric, after.port());
    List<String> notes = new ArrayList<>();
    if (!m.planned().note().isEmpty()) {
      notes.add(m.planned().note());
    }
    if (m.planned().plan().isEmpty()) {
      return new Move(
          before.id(), from, to, "none", after.lid(), 0, null, 0, 0, 0, 0, List.of(), notes);
    }
    MigrationPlan plan = m.planned().plan().get();
    notes.addAll(plan.notes());
    MigrationCost cost = plan.cost(model);
    return new Move(
        before.id(),
        from,
        to,
        word(plan.move().kind()),
        after.lid(),
        plan.move().partner(),
        plan.method().key(),
        plan.switches(),
        plan.minimumSwitches(),
        plan.writeCount(),
        cost.boundMicros(),
        plan.dropped(),
        notes);
  }

  private static Hypervisor hypervisor(Fabric fabric, MigrationPlan.HypervisorUpdate h) {
    String guid = Guid.format(fabric.portGuid(h.port()));
    return new Hypervisor(host(fabric, h.port()), guid, word(h.action()), h.lid());
  }

  private static Write write(Fabric fabric, MigrationPlan.LftWrite w) {
    return new Write(
        fabric.node(w.sw()).display(),
        Guid.format(fabric.nodeGuid(w.sw())),
        w.block(),
        word(w.part()),
        word(w.side()));
  }

  static String host(Fabric fabric, int port) {
    return fabric.node(fabric.nodeOf(port)).display();
  }

  static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
