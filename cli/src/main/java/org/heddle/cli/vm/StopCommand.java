package org.heddle.cli.vm;

import java.util.ArrayList;
import java.util.List;
import org.heddle.addressing.AddressingOptions;
import org.heddle.addressing.AddressingScheme;
import org.heddle.addressing.VmPlacement;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.FabricFiles;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.MachinesOption;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import org.heddle.cli.shell.VmFiles;
import org.heddle.fabric.Counted;
import org.heddle.fabric.Fabric;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code heddle vm stop FABRIC --state FILE}. */
@Command(
    name = "stop",
    description = {
      "Stop virtual machines: their functions are free again, their vGUIDs are not reused."
    },
    footer = {"", "Example:", "  heddle vm stop big.net --state vms.json web1 web2"})
public final class StopCommand extends ShellCommand {
  /** The JSON output. */
  record Document(String format, String fabric, String state, List<VmView> vms) {}

  @Mixin private MachinesOption machines;

  @Parameters(index = "0", paramLabel = "FABRIC", description = "Fabric file.")
  private String fabricFile;

  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "ID",
      description = "Ids of the " + "VMs.")
  private List<String> ids;

  @Option(names = "--state", paramLabel = "FILE", required = true, description = "State file.")
  private String stateFile;

  public StopCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    session.read(stateFile); // tells in the usual words if it is missing
    Fabric fabric = FabricFiles.withLids(FabricFiles.read(session, fabricFile));
    VmPlacement placement =
        VmFiles.change(session, fabric, stateFile, AddressingOptions.of(AddressingScheme.DYNAMIC));
    List<VmView> views = new ArrayList<>();
    for (String id : ids) {
      switch (placement.stop(id)) {
        case VmPlacement.Refused no ->
            throw Failure.refused(no.reason(), List.of("nothing has changed"));
        case VmPlacement.Done done -> {
          placement = done.placement();
          views.add(VmView.of(fabric, done.machine(), placement.options().gidPrefix()));
        }
      }
    }
    VmFiles.write(session, stateFile, fabric, placement);
    if (json()) {
      Json.print(session, new Document("heddle.vm-stop/2", fabricFile, stateFile, views));
    } else {
      session.out().println(Counted.of(views.size(), "VM", "VMs") + " stopped");
    }
    return ExitCode.OK;
  }
}
