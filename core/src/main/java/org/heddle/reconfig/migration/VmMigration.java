package org.heddle.reconfig.migration;

import java.util.Optional;
import org.heddle.addressing.VirtualMachine;
import org.heddle.addressing.VmPlacement;
import org.heddle.fabric.Lid;

/**
 * Starting, moving and stopping virtual machines: what happens to their addresses, and what has to
 * be sent.
 *
 * <p>A machine without a LID of its own, or with one of the extended space, needs no entry in the
 * forwarding tables of present switches: then there is no plan, and the note says what it means.
 */
public final class VmMigration {
  private VmMigration() {}

  /** What became of a request. */
  public sealed interface Outcome {}

  /**
   * It is possible.
   *
   * @param placement afterwards
   * @param machine as it is afterwards; as it was, if it stops
   * @param plan packets to send; empty if no table changes
   * @param note one sentence, empty if there is nothing to say
   */
  public record Planned(
      VmPlacement placement, VirtualMachine machine, Optional<MigrationPlan> plan, String note)
      implements Outcome {}

  /** It is not possible; nothing changes. */
  public record Refused(String reason) implements Outcome {}

  /** Starts a machine. */
  public static Outcome start(
      MigrationPlanner planner, VmPlacement placement, VirtualMachine.Request request, int port) {
    return switch (placement.start(request, port)) {
      case VmPlacement.Refused no -> new Refused(no.reason());
      case VmPlacement.Done done -> {
        VirtualMachine machine = done.machine();
        boolean known = placement.functionLid(port, machine.function()) == machine.lid();
        yield known || !inTables(machine)
            ? new Planned(done.placement(), machine, Optional.empty(), note(machine))
            : plan(planner, done, LidMove.start(machine.lid(), port), MigrationOptions.DEFAULT);
      }
    };
  }

  /** Moves a machine to another hypervisor. */
  public static Outcome move(
      MigrationPlanner planner,
      VmPlacement placement,
      String id,
      int to,
      MigrationOptions options) {
    return switch (placement.move(id, to)) {
      case VmPlacement.Refused no -> new Refused(no.reason());
      case VmPlacement.Done done -> {
        VirtualMachine before = placement.find(id).orElseThrow();
        if (!inTables(before)) {
          yield new Planned(done.placement(), done.machine(), Optional.empty(), note(before));
        }
        int other = placement.functionLid(to, done.machine().function());
        LidMove move =
            other == 0
                ? LidMove.copy(before.lid(), before.port(), to)
                : LidMove.swap(before.lid(), other, before.port(), to);
        yield plan(planner, done, move, options);
      }
    };
  }

  /** Stops a machine. */
  public static Outcome stop(MigrationPlanner planner, VmPlacement placement, String id) {
    return switch (placement.stop(id)) {
      case VmPlacement.Refused no -> new Refused(no.reason());
      case VmPlacement.Done done -> {
        VirtualMachine machine = done.machine();
        boolean kept =
            done.placement().functionLid(machine.port(), machine.function()) == machine.lid();
        yield kept || !inTables(machine)
            ? new Planned(done.placement(), machine, Optional.empty(), "")
            : plan(
                planner,
                done,
                LidMove.stop(machine.lid(), machine.port()),
                MigrationOptions.DEFAULT);
      }
    };
  }

  private static boolean inTables(VirtualMachine machine) {
    return machine.ownLid() && Lid.isUnicast(machine.lid());
  }

  private static String note(VirtualMachine machine) {
    if (!machine.ownLid()) {
      return "the VM shares its hypervisor's LID: peers must ask for its path anew";
    }
    return inTables(machine)
        ? ""
        : "LIDs of the extended space are in a second forwarding table, which no switch has yet";
  }

  private static Outcome plan(
      MigrationPlanner planner, VmPlacement.Done done, LidMove move, MigrationOptions options) {
    return switch (planner.plan(move, options)) {
      case MigrationPlanner.Refused no -> new Refused(no.reason());
      case MigrationPlanner.Planned ok ->
          new Planned(done.placement(), done.machine(), Optional.of(ok.plan()), "");
    };
  }
}
