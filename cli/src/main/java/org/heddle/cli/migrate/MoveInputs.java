package org.heddle.cli.migrate;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.heddle.addressing.VmPlacement;
import org.heddle.cli.shell.Choices;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.MachinesOption;
import org.heddle.cli.shell.Progress;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.VmFiles;
import org.heddle.fabric.Counted;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.VirtualLids;
import org.heddle.reconfig.migration.MigrationCost;
import org.heddle.reconfig.migration.MigrationOptions;
import org.heddle.reconfig.migration.MigrationPlan;
import org.heddle.reconfig.migration.MigrationPlanner;
import org.heddle.reconfig.migration.VmMoves;
import org.heddle.text.lft.BoundTables;
import org.heddle.text.state.VmListReader;
import org.heddle.topology.FatTree;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.Recognition;
import org.heddle.verify.transition.TableWrite;
import org.heddle.verify.transition.TransitionAudit;
import org.heddle.verify.transition.TransitionReport;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What both commands that move machines are told, and the plan that comes of it. */
final class MoveInputs {
  @Mixin private MachinesOption machines;

  @Parameters(index = "0", paramLabel = "FABRIC", description = "Fabric file.")
  String fabricFile;

  @Parameters(
      index = "1",
      paramLabel = "LFTS",
      description = "The tables the switches hold, with the LIDs of the virtual machines.")
  String tablesFile;

  @Option(
      names = "--vms",
      paramLabel = "FILE",
      required = true,
      description = "State file of 'heddle vm'.")
  String vmsFile;

  @Option(
      names = "--vm",
      paramLabel = "ID",
      description = "A virtual machine to move; may be " + "given several times.")
  private List<String> ids = List.of();

  @Option(
      names = "--to",
      paramLabel = "HOST",
      description = "The hypervisor to move to; one for each --vm, or one for all.")
  private List<String> hosts = List.of();

  @Option(
      names = "--moves",
      paramLabel = "FILE",
      description = "File of moves, one ID,HOST per " + "line.")
  private String movesFile;

  @Option(
      names = "--method",
      paramLabel = "NAME",
      defaultValue = "ftree-minrc",
      completionCandidates = Choices.MigrationMethods.class,
      description =
          "ftree-minrc (default): the switches on the skyline of the move; itrc: all "
              + "switches whose entries differ.")
  private String method;

  @Option(
      names = "--order",
      paramLabel = "NAME",
      defaultValue = "safe",
      completionCandidates = Choices.WriteOrders.class,
      description =
          "safe (default): no state in between has a loop or a dead end; paper: active routes "
              + "first, dropping the LID where that is not safe.")
  private String order;

  @Option(
      names = "--always-drop",
      description = "Drop the LID during the move even if that is " + "not needed.")
  private boolean alwaysDrop;

  @Mixin private CostModel cost;

  /** The inputs and the plan. */
  record Prepared(
      BoundTables bound,
      VmPlacement before,
      VmMoves.Planned plan,
      List<TableWrite> writes,
      TransitionReport proof,
      MigrationCost.Model model,
      MigrationOptions options) {

    /** The fabric without the LIDs of machines. */
    Fabric plain() {
      return bound.fabric().withVirtualLids(VirtualLids.NONE);
    }

    /** Fabric and tables when all is done. */
    BoundTables after() {
      return new BoundTables(plan.placement().fabric(), plan.tables());
    }
  }

  /**
   * Reads everything and plans.
   *
   * @throws Failure exit code 1 if a move is refused, or a state in between would be wrong
   */
  Prepared prepare(Session session) {
    MigrationOptions options = options();
    MigrationCost.Model model = cost.model();
    List<VmListReader.Pair> moves = moves(session);
    BoundTables bound = VmFiles.tables(session, fabricFile, tablesFile, vmsFile);
    VmPlacement before =
        VmFiles.read(session, bound.fabric().withVirtualLids(VirtualLids.NONE), vmsFile);
    List<VmMoves.Request> requests = new ArrayList<>();
    for (VmListReader.Pair p : moves) {
      if (before.find(p.id()).isEmpty()) {
        throw Failure.badInput(
            "there is no VM '" + p.id() + "' in " + vmsFile, "'heddle vm list' lists the VMs");
      }
      requests.add(new VmMoves.Request(p.id(), VmFiles.hypervisor(bound.fabric(), p.host())));
    }
    VmMoves.Planned plan;
    try (Progress _ = session.terminal().progress("planning")) {
      MigrationPlanner planner =
          MigrationPlanner.of(bound.fabric(), tree(bound.fabric()), bound.tables());
      plan =
          switch (VmMoves.plan(planner, before, requests, options)) {
            case VmMoves.Planned ok -> ok;
            case VmMoves.Refused no ->
                throw Failure.refused(
                    no.id() + " cannot be moved: " + no.reason(), List.of("nothing has changed"));
          };
    }
    List<TableWrite> writes = writes(plan);
    TransitionReport proof;
    try (Progress _ = session.terminal().progress("proving every state in between")) {
      proof =
          TransitionAudit.run(
              bound.fabric(), bound.tables(), writes, plan.owners(), new TreeSet<>(plan.dropped()));
    }
    return new Prepared(bound, before, plan, writes, proof, model, options);
  }

  private static List<TableWrite> writes(VmMoves.Planned plan) {
    List<TableWrite> out = new ArrayList<>();
    for (VmMoves.Wave wave : plan.waves()) {
      for (VmMoves.Step step : wave.steps()) {
        boolean drain = step.drain() || step == wave.steps().getFirst();
        for (MigrationPlan.LftWrite w : step.writes()) {
          out.add(new TableWrite(w.sw(), w.block(), w.entries(), drain && !out.isEmpty()));
          drain = false;
        }
      }
    }
    return out;
  }

  private static Optional<FatTree> tree(Fabric fabric) {
    return FatTreeRecogniser.recognise(fabric) instanceof Recognition.Found found
        ? Optional.of(found.tree())
        : Optional.empty();
  }

  private MigrationOptions options() {
    MigrationOptions out = MigrationOptions.DEFAULT;
    switch (method) {
      case "ftree-minrc" -> {}
      case "itrc" -> out = out.withMethod(MigrationOptions.Method.ITRC);
      default ->
          throw Failure.badInput(
              "there is no method '" + method + "'", "methods: ftree-minrc, itrc");
    }
    switch (order) {
      case "safe" -> {}
      case "paper" -> out = out.withOrder(MigrationOptions.Order.ACTIVE_FIRST);
      default -> throw Failure.badInput("there is no order '" + order + "'", "orders: safe, paper");
    }
    return alwaysDrop ? out.dropping() : out;
  }

  private List<VmListReader.Pair> moves(Session session) {
    List<VmListReader.Pair> out = new ArrayList<>();
    if (hosts.size() != ids.size() && hosts.size() != 1 || ids.isEmpty() && !hosts.isEmpty()) {
      if (!ids.isEmpty() || !hosts.isEmpty()) {
        throw Failure.badInput(
            Counted.of(ids.size(), "VM", "VMs")
                + " and "
                + Counted.of(hosts.size(), "host", "hosts"),
            "one --to for each --vm, or one for all");
      }
    }
    for (int i = 0; i < ids.size(); i++) {
      out.add(new VmListReader.Pair(0, ids.get(i), hosts.get(hosts.size() == 1 ? 0 : i)));
    }
    if (movesFile != null) {
      out.addAll(session.accept(movesFile, VmListReader.read(session.read(movesFile))));
    }
    if (out.isEmpty()) {
      throw Failure.badInput("which VM goes where?", "--vm ID --to HOST, or --moves FILE");
    }
    return out;
  }
}
