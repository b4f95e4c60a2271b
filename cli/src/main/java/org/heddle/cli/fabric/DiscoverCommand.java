package org.heddle.cli.fabric;

import java.util.List;
import org.heddle.cli.live.LiveFabric;
import org.heddle.cli.shell.Choices;
import org.heddle.cli.shell.Datagrams;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.FabricFiles;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.Progress;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import org.heddle.cli.shell.TableFiles;
import org.heddle.fabric.Counted;
import org.heddle.fabric.Fabric;
import org.heddle.smp.client.SmpClient;
import org.heddle.smp.discover.DiscoveredFabric;
import org.heddle.smp.discover.FabricDiscovery;
import org.heddle.smp.discover.TableAccess;
import org.heddle.text.lft.BoundTables;
import org.heddle.text.lft.TableFormat;
import org.heddle.text.topology.FabricFormats;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code heddle fabric discover}: a live fabric, and its tables, by datagrams. */
@Command(
    name = "discover",
    description = {
      "Discover a live fabric with management datagrams, and read its forwarding tables.",
      "Changes nothing. Needs permission to open /dev/infiniband/umad*."
    },
    footer = {
      "",
      "Examples:",
      "  heddle fabric discover -o big.net --lfts big.hlft",
      "  heddle fabric discover --via ibsim:localhost:7000:H_0_0 -o sim.net"
    })
public final class DiscoverCommand extends ShellCommand {
  private static final int SHOWN_WARNINGS = 10;

  /** The JSON output. */
  record Document(
      String format,
      String via,
      String output,
      String outputFormat,
      String tables,
      int switches,
      int adapters,
      int machines,
      int routers,
      int links,
      long smps,
      long resent,
      List<String> warnings) {}

  private record Found(
      DiscoveredFabric discovered, TableAccess.LiveTables tables, long smps, long resent) {}

  @Mixin private Datagrams datagrams;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      defaultValue = "-",
      description = "Where to write the fabric; - is standard output (default).")
  private String output;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      completionCandidates = Choices.FabricFormats.class,
      description = "ibnetdiscover, ibsim or subnet-lst. Default: by the file name's ending.")
  private String format;

  @Option(
      names = "--lfts",
      paramLabel = "FILE",
      description = "Also read the forwarding tables, and write them here (.hlft, .lfts, .fdbs).")
  private String tablesFile;

  public DiscoverCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    forbidJsonIntoOutput(output);
    session.outputs().check(output);
    FabricFormats as = FabricFiles.choose(format, output);
    if (tablesFile != null) {
      session.outputs().check(tablesFile);
    }
    TableFormat tablesAs = tablesFile == null ? null : TableFiles.choose(null, tablesFile);
    Found found = datagrams.run(this::look);
    Fabric fabric = found.discovered().fabric();
    if (fabric.nodeCount() == 0) {
      throw Failure.refused(
          "nothing answers, not even the port the datagrams start from",
          found.discovered().warnings());
    }
    warn(found.discovered().warnings());
    FabricFiles.write(session, fabric, output, as);
    if (tablesFile != null) {
      warn(found.tables().warnings());
      BoundTables bound = new BoundTables(fabric, found.tables().tables());
      TableFiles.write(session, bound, tablesFile, tablesAs);
    }
    report(found, as);
    boolean complete =
        found.discovered().warnings().isEmpty()
            && (tablesFile == null || found.tables().warnings().isEmpty());
    return complete ? ExitCode.OK : ExitCode.FINDINGS;
  }

  private Found look(SmpClient client) {
    DiscoveredFabric discovered;
    try (Progress _ = session.terminal().progress("discovering via " + datagrams.via())) {
      discovered = FabricDiscovery.run(client);
    }
    LiveFabric.refuseDoubles(discovered);
    TableAccess.LiveTables tables = null;
    if (tablesFile != null) {
      try (Progress _ = session.terminal().progress("reading the forwarding tables")) {
        tables = TableAccess.read(client, discovered);
      }
    }
    return new Found(discovered, tables, client.sent(), client.resent());
  }

  private void warn(List<String> warnings) {
    warnings.stream().limit(SHOWN_WARNINGS).forEach(session::note);
    if (warnings.size() > SHOWN_WARNINGS) {
      int more = warnings.size() - SHOWN_WARNINGS;
      session.note("... and " + Counted.of(more, "more warning", "more warnings"));
    }
  }

  private void report(Found found, FabricFormats as) {
    Fabric fabric = found.discovered().fabric();
    int links = FabricFiles.linkCount(fabric);
    if (json()) {
      Json.print(
          session,
          new Document(
              "heddle.fabric-discover/1",
              datagrams.via(),
              output,
              as.id(),
              tablesFile,
              fabric.switchCount(),
              fabric.caCount(),
              fabric.machines().count(),
              fabric.routerCount(),
              links,
              found.smps(),
              found.resent(),
              found.discovered().warnings()));
    } else if (!output.equals("-")) {
      session
          .out()
          .println(
              "found "
                  + Counted.of(fabric.switchCount(), "switch", "switches")
                  + ", "
                  + Counted.machines(fabric)
                  + ", "
                  + Counted.of(links, "link", "links")
                  + " with "
                  + found.smps()
                  + " SMPs");
      session.out().println("wrote " + output + (tablesFile == null ? "" : " and " + tablesFile));
    }
  }
}
