package org.heddle.cli.tenants;

import org.heddle.cli.allocate.LinkPlan;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.FabricFiles;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.MachinesOption;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import org.heddle.cli.shell.TenantsFiles;
import org.heddle.fabric.Fabric;
import org.heddle.text.tenants.ResolvedTenants;
import org.heddle.text.tenants.TenantsFile;
import org.heddle.text.tenants.TenantsFileReader;
import org.heddle.text.tenants.TenantsResolver;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.RecognitionOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code heddle tenants explain}: what a tenants file comes to on a fabric. */
@Command(
    name = "explain",
    description = {
      "Explain what a tenants file means on a fabric: keys, members by leaf, policies, what is "
          + "pending, who shares hosts.",
      "Each tenant ends with the lines that its users need for UCX, NCCL and IP over InfiniBand."
    },
    footer = {"", "Example:", "  heddle tenants explain tenants.yaml big.net"})
public final class ExplainCommand extends ShellCommand {
  @Mixin private MachinesOption machines;

  @Parameters(index = "0", paramLabel = "FILE", description = "Tenants file, - for standard input.")
  private String tenantsFile;

  @Parameters(index = "1", paramLabel = "FABRIC", description = "Fabric file.")
  private String fabricFile;

  @Option(
      names = "--counters",
      paramLabel = "FILE",
      description =
          "Take the weights from the traffic that hosts received: CSV (host,port,bytes), "
              + "perfquery or ibqueryerrors output.")
  private String countersFile;

  public ExplainCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    Fabric fabric = FabricFiles.read(session, fabricFile);
    TenantsFile said =
        session.accept(tenantsFile, TenantsFileReader.read(session.read(tenantsFile)));
    TenantsFile file =
        LinkPlan.of(
                session,
                tenantsFile,
                said,
                fabric,
                () -> FatTreeRecogniser.recognise(fabric, RecognitionOptions.NONE))
            .file();
    ResolvedTenants resolved = session.accept(tenantsFile, TenantsResolver.resolve(file, fabric));
    resolved = TenantsFiles.learned(session, resolved, fabric, countersFile);
    Explanation explanation = Explanation.of(tenantsFile, fabricFile, resolved, fabric);
    if (json()) {
      Json.print(session, explanation);
    } else {
      new ExplanationPrinter(session).print(explanation);
    }
    return ExitCode.OK;
  }
}
