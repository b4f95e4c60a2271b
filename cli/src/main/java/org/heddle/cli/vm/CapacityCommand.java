package org.heddle.cli.vm;

import java.util.List;
import org.heddle.addressing.AddressingScheme;
import org.heddle.addressing.VmCapacity;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.FabricFiles;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.MachinesOption;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import org.heddle.cli.shell.TextTable;
import org.heddle.fabric.Fabric;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code heddle vm capacity [FABRIC]}. */
@Command(
    name = "capacity",
    description = {
      "Show how many virtual machines fit under each scheme, and what the limit is.",
      "Without FABRIC: the largest fabric that the LIDs allow, switches not counted."
    },
    footer = {"", "Example:", "  heddle vm capacity big.net --functions 8"})
public final class CapacityCommand extends ShellCommand {
  /** The JSON output. */
  record Document(String format, String fabric, int functions, List<Row> schemes) {}

  /** One scheme. */
  record Row(
      String scheme, int hypervisors, int vms, int ownLids, String limit, boolean futureHardware) {}

  @Mixin private MachinesOption machines;

  @Parameters(paramLabel = "FABRIC", arity = "0..1", description = "Fabric file.")
  private String fabricFile;

  @Mixin private Addressing addressing;

  public CapacityCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    Fabric fabric =
        fabricFile == null ? null : FabricFiles.withLids(FabricFiles.read(session, fabricFile));
    List<Row> rows = addressing.schemes().stream().map(scheme -> row(fabric, scheme)).toList();
    if (json()) {
      Json.print(
          session, new Document("heddle.vm-capacity/2", fabricFile, addressing.functions, rows));
      return ExitCode.OK;
    }
    TextTable table = new TextTable("scheme", "hypervisors", "VMs", "own LIDs", "limit");
    for (Row r : rows) {
      String limit = r.limit() + (r.futureHardware() ? " (future hardware)" : "");
      table.row(r.scheme(), r.hypervisors(), r.vms(), r.ownLids(), limit);
    }
    table.print(session.out(), session.terminal(), "");
    return ExitCode.OK;
  }

  private Row row(Fabric fabric, AddressingScheme scheme) {
    VmCapacity c =
        fabric == null
            ? VmCapacity.largest(addressing.options(scheme), 0)
            : VmCapacity.of(fabric, addressing.options(scheme));
    return new Row(
        scheme.key(),
        c.hypervisors(),
        c.machines(),
        c.ownLids(),
        c.limit(),
        scheme.needsFutureHardware());
  }
}
