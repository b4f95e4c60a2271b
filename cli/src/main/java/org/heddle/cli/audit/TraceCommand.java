package org.heddle.cli.audit;

import java.util.ArrayList;
import java.util.List;
import org.heddle.cli.shell.Endports;
import org.heddle.cli.shell.Endports.Endport;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.FabricFiles;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.MachinesOption;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import org.heddle.cli.shell.TableFiles;
import org.heddle.cli.shell.TextTable;
import org.heddle.fabric.Counted;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.text.lft.BoundTables;
import org.heddle.verify.RouteTrace;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code heddle trace}: the path between two hosts, port by port, both ways. */
@Command(
    name = "trace",
    description = {
      "Show the path between two nodes, port by port, in both directions.",
      "Nodes are named by description, GUID (0x..) or LID (17, lid:0x11); NAME/2 picks port 2."
    },
    footer = {
      "",
      "Examples:",
      "  heddle trace big.net big.hlft H_0_0_0 H_35_17_17",
      "  heddle trace ibnetdiscover.txt opensm-lfts.dump 'node01 HCA-1' lid:0x11"
    })
public final class TraceCommand extends ShellCommand {
  /** One end of a cable in the JSON output. */
  record End(String node, String guid, int port) {}

  /** One cable of a path. */
  record Step(End from, End to, String width, String speed) {}

  /** One path. */
  record Path(End from, End to, int lid, String outcome, int switches, List<Step> steps) {}

  /** The JSON output. */
  record Document(String format, List<Path> paths) {}

  @Mixin private MachinesOption machines;

  @Parameters(index = "0", paramLabel = "FABRIC", description = "Fabric file.")
  private String fabricFile;

  @Parameters(index = "1", paramLabel = "TABLES", description = "Forwarding tables.")
  private String tablesFile;

  @Parameters(index = "2", paramLabel = "HOST-A", description = "One end.")
  private String hostA;

  @Parameters(index = "3", paramLabel = "HOST-B", description = "The other end.")
  private String hostB;

  public TraceCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    BoundTables bound = TableFiles.read(session, FabricFiles.read(session, fabricFile), tablesFile);
    List<Endport> a = Endports.find(bound.fabric(), hostA);
    List<Endport> b = Endports.find(bound.fabric(), hostB);
    List<RouteTrace> traces = new ArrayList<>(traces(bound, a, b));
    traces.addAll(traces(bound, b, a));
    if (json()) {
      List<Path> paths = traces.stream().map(t -> path(bound.fabric(), t)).toList();
      Json.print(session, new Document("heddle.trace/1", paths));
    } else {
      traces.forEach(t -> print(bound.fabric(), t));
    }
    boolean all = traces.stream().allMatch(t -> t.outcome() == RouteTrace.Outcome.ARRIVED);
    return all ? ExitCode.OK : ExitCode.FINDINGS;
  }

  /** Between nodes of several ports (planes), the pairs without any route are left out. */
  private static List<RouteTrace> traces(BoundTables bound, List<Endport> from, List<Endport> to) {
    List<RouteTrace> all = new ArrayList<>();
    for (Endport source : from) {
      for (Endport target : to) {
        all.add(RouteTrace.follow(bound.fabric(), bound.tables(), source.port(), target.lid()));
      }
    }
    List<RouteTrace> routed =
        all.stream().filter(t -> t.outcome() != RouteTrace.Outcome.NO_ENTRY).toList();
    return routed.isEmpty() ? all : routed;
  }

  private void print(Fabric fabric, RouteTrace trace) {
    boolean arrived = trace.outcome() == RouteTrace.Outcome.ARRIVED;
    int target = fabric.portOfLid(trace.lid());
    session
        .out()
        .println(
            session.terminal().bold(name(fabric, trace.from()) + " -> " + name(fabric, target))
                + "  (LID "
                + trace.lid()
                + ", "
                + Counted.of(switches(fabric, trace), "switch", "switches")
                + ")");
    TextTable table = new TextTable("FROM", "PORT", "", "TO", "PORT", "LINK");
    for (RouteTrace.Link link : trace.links()) {
      table.row(
          label(fabric, link.out()),
          fabric.numberOf(link.out()),
          "->",
          label(fabric, link.in()),
          fabric.numberOf(link.in()),
          fabric.width(link.out()).text() + " " + fabric.speed(link.out()));
    }
    if (!trace.links().isEmpty()) {
      table.print(session.out(), session.terminal(), "  ");
    }
    if (!arrived) {
      session
          .out()
          .println("  " + session.terminal().bad("does not arrive: " + why(fabric, trace)));
    }
    session.out().println();
  }

  private static String label(Fabric fabric, int port) {
    int node = fabric.nodeOf(port);
    String description = fabric.description(node);
    return description.isEmpty() ? Guid.format(fabric.nodeGuid(node)) : description;
  }

  private static String why(Fabric fabric, RouteTrace trace) {
    String node = fabric.node(trace.end()).display();
    return switch (trace.outcome()) {
      case ARRIVED -> "";
      case NO_ENTRY -> node + " has no entry for LID " + trace.lid();
      case PORT_OUT_OF_RANGE -> "the entry of " + node + " names a port it does not have";
      case DANGLING_PORT -> "the entry of " + node + " names a port without cable";
      case PORT_ZERO -> node + " keeps the packet, which is not for it";
      case WRONG_HOST -> "it is given to " + node;
      case LOOP -> "it comes back to " + node;
    };
  }

  private static int switches(Fabric fabric, RouteTrace trace) {
    int count = fabric.isSwitch(fabric.nodeOf(trace.from())) ? 1 : 0;
    for (RouteTrace.Link link : trace.links()) {
      count += fabric.isSwitch(fabric.nodeOf(link.in())) ? 1 : 0;
    }
    return count;
  }

  private static String name(Fabric fabric, int port) {
    int node = fabric.nodeOf(port);
    String display = fabric.node(node).display();
    return fabric.portCount(node) > 1 && !fabric.isSwitch(node)
        ? display + "/" + fabric.numberOf(port)
        : display;
  }

  private static Path path(Fabric fabric, RouteTrace trace) {
    List<Step> steps = new ArrayList<>();
    for (RouteTrace.Link link : trace.links()) {
      steps.add(
          new Step(
              end(fabric, link.out()),
              end(fabric, link.in()),
              fabric.width(link.out()).text(),
              fabric.speed(link.out()).name()));
    }
    return new Path(
        end(fabric, trace.from()),
        end(fabric, fabric.portOfLid(trace.lid())),
        trace.lid(),
        trace.outcome().name().toLowerCase().replace('_', '-'),
        switches(fabric, trace),
        steps);
  }

  private static End end(Fabric fabric, int port) {
    int node = fabric.nodeOf(port);
    return new End(
        fabric.description(node), Guid.format(fabric.nodeGuid(node)), fabric.numberOf(port));
  }
}
