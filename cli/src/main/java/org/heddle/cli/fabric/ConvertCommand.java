package org.heddle.cli.fabric;

import org.heddle.cli.shell.Choices;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.FabricFiles;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.MachinesOption;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import org.heddle.cli.shell.TableFiles;
import org.heddle.fabric.Fabric;
import org.heddle.text.lft.BoundTables;
import org.heddle.text.lft.TableFormat;
import org.heddle.text.topology.FabricFormats;
import org.heddle.text.topology.NodeNameMap;
import org.heddle.text.topology.NodeNameMapReader;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code heddle fabric convert}: the same fabric, or tables for it, in another format. */
@Command(
    name = "convert",
    description = {
      "Convert a fabric file, or with --lfts forwarding tables, to another format.",
      "Formats are recognised by content when reading."
    },
    footer = {
      "",
      "Examples:",
      "  heddle fabric convert big.net -o big.ibsim",
      "  heddle fabric convert big.net --lfts big.hlft -o big.lfts"
    })
public final class ConvertCommand extends ShellCommand {
  /** The JSON output. */
  record Document(String format, String input, String tables, String output, String outputFormat) {}

  @Mixin private MachinesOption machines;

  @Parameters(paramLabel = "FABRIC", description = "Fabric file, - for standard input.")
  private String fabricFile;

  @Option(
      names = "--lfts",
      paramLabel = "FILE",
      description = "Convert these forwarding tables of the fabric instead of the fabric itself.")
  private String tablesFile;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      defaultValue = "-",
      description = "Where to write; - is standard output (default).")
  private String output;

  @Option(
      names = {"--to", "--format"},
      paramLabel = "FORMAT",
      completionCandidates = Choices.AllFormats.class,
      description = {
        "ibnetdiscover, ibsim or subnet-lst; tables: opensm-lfts, hlft or fdbs. Default: by the "
            + "file name's ending."
      })
  private String format;

  @Option(
      names = "--names",
      paramLabel = "FILE",
      description = "Node name map; its names replace the descriptions.")
  private String namesFile;

  public ConvertCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    forbidJsonIntoOutput(output);
    session.outputs().protect(fabricFile);
    session.outputs().check(output);
    String written = tablesFile == null ? convertFabric() : convertTables();
    if (json()) {
      Json.print(
          session,
          new Document("heddle.fabric-convert/1", fabricFile, tablesFile, output, written));
    } else if (!output.equals("-")) {
      session.out().println("wrote " + output + " (" + written + ")");
    }
    return ExitCode.OK;
  }

  private String convertFabric() {
    FabricFormats as = FabricFiles.choose(format, output);
    FabricFiles.write(session, named(FabricFiles.read(session, fabricFile)), output, as);
    return as.id();
  }

  private String convertTables() {
    TableFormat as = TableFiles.choose(format, output);
    BoundTables bound =
        TableFiles.read(session, named(FabricFiles.read(session, fabricFile)), tablesFile);
    TableFiles.write(session, bound, output, as);
    return as.label();
  }

  private Fabric named(Fabric fabric) {
    if (namesFile == null) {
      return fabric;
    }
    NodeNameMap names = session.accept(namesFile, NodeNameMapReader.read(session.read(namesFile)));
    return names.apply(fabric);
  }
}
