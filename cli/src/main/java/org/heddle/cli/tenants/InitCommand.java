package org.heddle.cli.tenants;

import java.util.Optional;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.FabricFiles;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.MachinesOption;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import org.heddle.fabric.Counted;
import org.heddle.fabric.Fabric;
import org.heddle.text.Source;
import org.heddle.text.opensm.PartitionsConf;
import org.heddle.text.opensm.PartitionsConfReader;
import org.heddle.text.tenants.TenantsFile;
import org.heddle.text.tenants.TenantsFileReader;
import org.heddle.text.tenants.TenantsFiles;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code heddle tenants init}: a tenants file to start from. */
@Command(
    name = "init",
    description = {
      "Write a tenants file to start from: a commented example, or what a partitions.conf says.",
      "With a fabric, the example names the fabric's own hosts."
    },
    footer = {
      "",
      "Examples:",
      "  heddle tenants init big.net -o tenants.yaml",
      "  heddle tenants init big.net --from /etc/opensm/partitions.conf -o tenants.yaml"
    })
public final class InitCommand extends ShellCommand {
  /** The JSON output. */
  record Document(String format, String fabric, String partitions, String output, int tenants) {}

  @Mixin private MachinesOption machines;

  @Parameters(paramLabel = "FABRIC", arity = "0..1", description = "Fabric file.")
  private String fabricFile;

  @Option(
      names = "--from",
      paramLabel = "FILE",
      description = "OpenSM's partitions.conf to take the tenants from.")
  private String partitionsFile;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      defaultValue = "-",
      description = "File to write (default: standard output).")
  private String output;

  public InitCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    forbidJsonIntoOutput(output);
    Optional<Fabric> fabric =
        Optional.ofNullable(fabricFile).map(file -> FabricFiles.read(session, file));
    byte[] text =
        partitionsFile == null
            ? TenantsFiles.example(fabric)
            : TenantsFiles.fromPartitions(partitions(), fabric);
    TenantsFile file = TenantsFileReader.read(new Source(output, text)).get();
    session.outputs().check(output);
    session.outputs().write(output, text);
    int tenants = file.tenants().size();
    if (json()) {
      Json.print(
          session,
          new Document("heddle.tenants-init/1", fabricFile, partitionsFile, output, tenants));
    } else if (!output.equals("-")) {
      session.out().println(output + ": " + Counted.of(tenants, "tenant", "tenants"));
      session
          .out()
          .println(
              "next: heddle tenants validate "
                  + output
                  + (fabricFile == null ? " FABRIC" : " " + fabricFile));
    }
    return ExitCode.OK;
  }

  private PartitionsConf partitions() {
    return session.accept(
        partitionsFile,
        PartitionsConfReader.read(session.read(partitionsFile)),
        "OpenSM would drop every key in this file; correct it first");
  }
}
