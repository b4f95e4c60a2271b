package org.heddle.cli.vm;

import java.util.ArrayList;
import java.util.List;
import org.heddle.addressing.VirtualMachine;
import org.heddle.addressing.VmPlacement;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.FabricFiles;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.MachinesOption;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import org.heddle.cli.shell.ShellWords;
import org.heddle.cli.shell.VmFiles;
import org.heddle.fabric.Counted;
import org.heddle.fabric.Fabric;
import org.heddle.text.state.VmFile;
import org.heddle.text.state.VmListReader;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code heddle vm start FABRIC --state FILE}. */
@Command(
    name = "start",
    description = {
      "Start virtual machines: each gets a virtual function, a vGUID and, by the scheme, a LID.",
      "Either all are started or none. The state file is made if there is none."
    },
    footer = {
      "",
      "Examples:",
      "  heddle vm start big.net --state vms.json web1 web2 --on node007",
      "  heddle vm start big.net --state vms.json --list start.csv --scheme prepopulated"
    })
public final class StartCommand extends ShellCommand {
  /** The JSON output. */
  record Document(String format, String fabric, String state, String scheme, List<VmView> vms) {}

  @Mixin private MachinesOption machines;

  @Parameters(index = "0", paramLabel = "FABRIC", description = "Fabric file.")
  private String fabricFile;

  @Parameters(
      index = "1..*",
      arity = "0..*",
      paramLabel = "ID",
      description = "Ids of the new " + "VMs.")
  private List<String> ids = List.of();

  @Option(names = "--state", paramLabel = "FILE", required = true, description = "State file.")
  private String stateFile;

  @Option(names = "--on", paramLabel = "HOST", description = "Hypervisor: name, GUID or LID.")
  private String host;

  @Option(
      names = "--list",
      paramLabel = "FILE",
      description = "File of VMs, one ID,HOST " + "per line.")
  private String listFile;

  @Option(
      names = "--weight",
      paramLabel = "N",
      defaultValue = "1",
      description = "Their share of the hypervisor's link (default: 1).")
  private int weight;

  @Option(
      names = "--shared-lid",
      description = "hybrid: no LID of their own; they use the hypervisor's.")
  private boolean sharedLid;

  @Option(
      names = "--pkey",
      paramLabel = "KEY",
      description =
          "Partition key that their vGUIDs need, 1 to 0x7fff; may be given several " + "times.")
  private List<Integer> pkeys = List.of();

  @Mixin private Addressing addressing;

  public StartCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    if (weight < 1 || pkeys.stream().anyMatch(k -> k < 1 || k > 0x7fff)) {
      throw Failure.badInput("--weight is 1 or more, --pkey 1 to 0x7fff");
    }
    Fabric fabric = FabricFiles.withLids(FabricFiles.read(session, fabricFile));
    List<VmListReader.Pair> wanted = wanted();
    VmPlacement placement = VmFiles.change(session, fabric, stateFile, addressing.options());
    if (addressing.scheme != null
        && placement.options().scheme() != addressing.options().scheme()) {
      throw Failure.badInput(
          stateFile + " has the scheme " + placement.options().scheme().key(),
          "the scheme applies to the whole state file and does not change");
    }
    List<VmView> views = new ArrayList<>();
    for (VmListReader.Pair pair : wanted) {
      VirtualMachine.Request request =
          new VirtualMachine.Request(pair.id(), !sharedLid, weight, pkeys);
      switch (placement.start(request, VmFiles.hypervisor(fabric, pair.host()))) {
        case VmPlacement.Refused no ->
            throw Failure.refused(
                pair.id() + " cannot start: " + no.reason(), List.of("nothing has changed"));
        case VmPlacement.Done done -> {
          placement = done.placement();
          views.add(VmView.of(fabric, done.machine(), placement.options().gidPrefix()));
        }
      }
    }
    VmFiles.write(session, stateFile, fabric, placement);
    report(placement.options().scheme().key(), views);
    return ExitCode.OK;
  }

  private List<VmListReader.Pair> wanted() {
    List<VmListReader.Pair> out = new ArrayList<>();
    if (listFile != null) {
      out.addAll(session.accept(listFile, VmListReader.read(session.read(listFile))));
    }
    if (!ids.isEmpty() && host == null) {
      throw Failure.badInput("on which host? give --on HOST");
    }
    for (String id : ids) {
      if (!VmFile.isId(id)) {
        throw Failure.badInput(
            "'" + id + "' is not an id", "1 to 63 letters, digits, '_', '-', '.' or ':'");
      }
      out.add(new VmListReader.Pair(0, id, host));
    }
    if (out.isEmpty()) {
      throw Failure.badInput("no VM is named", "ID --on HOST, or --list FILE");
    }
    return out;
  }

  private void report(String scheme, List<VmView> views) {
    if (json()) {
      Json.print(session, new Document("heddle.vm-start/2", fabricFile, stateFile, scheme, views));
      return;
    }
    session.out().println(Counted.of(views.size(), "VM", "VMs") + " started:");
    ListCommand.print(session, views);
    session
        .out()
        .println(
            "to put their LIDs into tables: heddle route "
                + ShellWords.join(fabricFile, "--vms", stateFile)
                + " --engine vswitch-ftree -o TABLES");
  }
}
