package org.heddle.cli.vm;

import java.util.List;
import org.heddle.addressing.VmPlacement;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.FabricFiles;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.MachinesOption;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import org.heddle.cli.shell.TextTable;
import org.heddle.cli.shell.VmFiles;
import org.heddle.fabric.Counted;
import org.heddle.fabric.Fabric;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code heddle vm list FABRIC --state FILE}. */
@Command(
    name = "list",
    description = "List virtual machines, where they run and their addresses.",
    footer = {"", "Example:", "  heddle vm list big.net --state vms.json"})
public final class ListCommand extends ShellCommand {
  /** The JSON output. */
  record Document(
      String format,
      String fabric,
      String state,
      String scheme,
      int functions,
      int functionLids,
      List<VmView> vms) {}

  @Mixin private MachinesOption machines;

  @Parameters(paramLabel = "FABRIC", description = "Fabric file.")
  private String fabricFile;

  @Option(names = "--state", paramLabel = "FILE", required = true, description = "State file.")
  private String stateFile;

  public ListCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    Fabric fabric = FabricFiles.withLids(FabricFiles.read(session, fabricFile));
    VmPlacement placement = VmFiles.read(session, fabric, stateFile);
    List<VmView> views =
        placement.machines().stream()
            .map(m -> VmView.of(fabric, m, placement.options().gidPrefix()))
            .toList();
    int lids = placement.functionLids().size();
    if (json()) {
      Json.print(
          session,
          new Document(
              "heddle.vm-list/2",
              fabricFile,
              stateFile,
              placement.options().scheme().key(),
              placement.options().functions(),
              lids,
              views));
      return ExitCode.OK;
    }
    session
        .out()
        .println(
            placement.options().scheme().summary()
                + ": "
                + Counted.of(views.size(), "VM", "VMs")
                + ", "
                + Counted.of(lids, "LID", "LIDs")
                + " of virtual functions");
    if (!views.isEmpty()) {
      print(session, views);
    }
    return ExitCode.OK;
  }

  static void print(Session session, List<VmView> views) {
    TextTable table = new TextTable("id", "host", "function", "LID", "own", "vGUID");
    for (VmView v : views) {
      table.row(v.id(), v.host(), v.function(), v.lid(), v.ownLid() ? "yes" : "no", v.vguid());
    }
    table.print(session.out(), session.terminal(), "  ");
  }
}
