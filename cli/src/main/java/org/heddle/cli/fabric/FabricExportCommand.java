package org.heddle.cli.fabric;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.FabricFiles;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.MachinesOption;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import org.heddle.fabric.Counted;
import org.heddle.fabric.Fabric;
import org.heddle.text.Hostlist;
import org.heddle.text.scheduler.ClusterTopology;
import org.heddle.text.topology.FabricGraph;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.Recognition;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code heddle fabric export}: a fabric for schedulers, spreadsheets and graph tools. */
@Command(
    name = "export",
    description = {
      "Write a fabric for others: the topology of all machines for Slurm, tables of nodes and links,"
          + " a graph.",
      "For Slurm a machine with several adapters is on the switch of its first one."
    },
    footer = {
      "",
      "Examples:",
      "  heddle fabric export big.net --to slurm-tree -o topology.conf",
      "  heddle fabric export big.net --to slurm-yaml --hosts 'node[001-512]' -o topology.yaml",
      "  heddle fabric export big.net --to links -o links.csv",
      "  heddle fabric export big.net --to json -o big.json"
    })
public final class FabricExportCommand extends ShellCommand {
  /** The JSON output. */
  record Document(String format, String input, String output, String outputFormat) {}

  /** Node-link data, which graph libraries read: two nodes may have several links. */
  record Graph(
      boolean directed,
      boolean multigraph,
      List<FabricGraph.Node> nodes,
      List<FabricGraph.Link> links) {}

  private static final Map<String, BiFunction<FabricExportCommand, Fabric, byte[]>> FORMATS =
      new LinkedHashMap<>();

  static {
    FORMATS.put("slurm-tree", (c, f) -> c.slurm(f).treeConf());
    FORMATS.put("slurm-block", (c, f) -> c.slurm(f).blockConf());
    FORMATS.put("slurm-yaml", (c, f) -> c.slurm(f).yaml());
    FORMATS.put("nodes", (_, f) -> graph(f).nodesCsv());
    FORMATS.put("links", (_, f) -> graph(f).linksCsv());
    FORMATS.put("graphml", (_, f) -> graph(f).graphml());
    FORMATS.put("json", (_, f) -> nodeLink(graph(f)));
  }

  @Mixin private MachinesOption machines;

  @Parameters(paramLabel = "FABRIC", description = "Fabric file, - for standard input.")
  private String fabricFile;

  @Option(
      names = {"--to", "--format"},
      paramLabel = "FORMAT",
      required = true,
      description = {
        "slurm-tree or slurm-block: topology.conf of that plug-in of Slurm; slurm-yaml:"
            + " topology.yaml with both; nodes or links: a table, CSV; graphml; json: node-link"
            + " data of nodes and links."
      })
  private String format;

  @Option(
      names = "--hosts",
      paramLabel = "LIST",
      description = "For Slurm: only these machines, as in node[001-016],gpu7.")
  private String hosts;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      defaultValue = "-",
      description = "Where to write; - is standard output (default).")
  private String output;

  public FabricExportCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    forbidJsonIntoOutput(output);
    if (hosts != null && !format.startsWith("slurm")) {
      throw Failure.badInput("--hosts is for the formats of Slurm");
    }
    session.outputs().protect(fabricFile);
    session.outputs().check(output);
    Fabric fabric = FabricFiles.read(session, fabricFile);
    if (!FORMATS.containsKey(format)) {
      String known = "formats: " + String.join(", ", FORMATS.keySet());
      throw Failure.badInput("there is no format '" + format + "'", known);
    }
    session.outputs().write(output, FORMATS.get(format).apply(this, fabric));
    if (json()) {
      Json.print(session, new Document("heddle.fabric-export/1", fabricFile, output, format));
    } else if (!output.equals("-")) {
      session.out().println("wrote " + output + " (" + format + ")");
    }
    return ExitCode.OK;
  }

  private static byte[] nodeLink(FabricGraph graph) {
    return Json.bytes(new Graph(false, true, graph.nodes(), graph.links()));
  }

  private static FabricGraph graph(Fabric fabric) {
    return FabricGraph.of(fabric, FatTreeRecogniser.recognise(fabric));
  }

  private ClusterTopology slurm(Fabric fabric) {
    Hostlist.Expansion only = Hostlist.expand(hosts == null ? "" : hosts);
    if (hosts != null && only.error() != null) {
      throw Failure.badInput("--hosts: " + only.error());
    }
    Recognition tree = FatTreeRecogniser.recognise(fabric);
    ClusterTopology out =
        ClusterTopology.of(fabric, tree, hosts == null ? List.of() : only.names());
    if (!(tree instanceof Recognition.Found)) {
      session.note("this is no fat-tree ('heddle fabric check' says why): two levels are written");
    }
    if (!out.leftOut().isEmpty()) {
      session.warn(
          "%s, the first is '%s': without a link, or without a name that Slurm takes"
              .formatted(
                  Counted.of(out.leftOut().size(), "machine is left out", "machines are left out"),
                  out.leftOut().getFirst()));
    }
    if (!out.missing().isEmpty()) {
      session.warn(
          "%s not in the fabric, the first is '%s'"
              .formatted(
                  Counted.of(
                      out.missing().size(), "machine of --hosts is", "machines of --hosts are"),
                  out.missing().getFirst()));
    }
    if (out.roots().isEmpty()) {
      throw Failure.badInput("no machine is left to write");
    }
    return out;
  }
}
