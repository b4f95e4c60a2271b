package org.heddle.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.heddle.cli.shell.Choices;
import org.heddle.cli.shell.Engines;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.FabricFiles;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.MachinesOption;
import org.heddle.cli.shell.Progress;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import org.heddle.cli.shell.ShellWords;
import org.heddle.cli.shell.TableFiles;
import org.heddle.cli.shell.TenantsFiles;
import org.heddle.cli.shell.VmFiles;
import org.heddle.fabric.Counted;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.routing.EngineNames;
import org.heddle.routing.ForwardingTables;
import org.heddle.routing.RoutingEngine;
import org.heddle.routing.RoutingOption;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.text.lft.BoundTables;
import org.heddle.text.lft.TableFormat;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.Recognition;
import org.heddle.topology.RecognitionOptions;
import org.heddle.verify.Audit;
import org.heddle.verify.AuditCode;
import org.heddle.verify.AuditFinding;
import org.heddle.verify.AuditOptions;
import org.heddle.verify.AuditReport;
import org.heddle.verify.Severity;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code heddle route}: forwarding tables for a fabric. */
@Command(
    name = "route",
    description = {
      "Compute forwarding tables for a fabric.",
      "Ports without a LID get one in GUID order; ports that have one keep it."
    },
    footer = {
      "",
      "Examples:",
      "  heddle route big.net --engine ftree -o big.hlft",
      "  heddle route big.net --engine updn --roots roots.txt -o big.lfts"
    })
final class RouteCommand extends ShellCommand {

  /** The engine whose minimal paths may wait for each other in a circle. */
  private static final String MINIMAL_PATHS = EngineNames.MINHOP;

  private static final int MAX_THREADS = 8;

  /** Findings of pairs that are connected and do not reach each other. */
  private static final Set<String> UNREACHED =
      Set.of(
          AuditCode.UNREACHABLE_CA_CA.key(),
          AuditCode.UNREACHABLE_SWITCH_CA.key(),
          AuditCode.UNREACHABLE_CA_SWITCH.key(),
          AuditCode.UNREACHABLE_SWITCH_SWITCH.key());

  /**
   * What the verifier, which shares no code with the engines, found of the result.
   *
   * @param pairs pairs of a source and a LID that are connected, switches included
   * @param creditLoops channels on cycles of routes between hosts
   */
  record Proof(double seconds, long pairs, long unreachable, long loops, int creditLoops) {}

  /** The JSON output. */
  record Document(
      String format,
      String fabric,
      String engine,
      double seconds,
      int switches,
      int hosts,
      int machines,
      int topLid,
      long entries,
      String tree,
      List<String> notes,
      boolean creditLoops,
      Proof proof,
      String output,
      String outputFormat) {}

  @Mixin private MachinesOption machines;

  @Parameters(paramLabel = "FABRIC", description = "Fabric file, - for standard input.")
  private String fabricFile;

  @Option(
      names = {"-e", "--engine"},
      paramLabel = "NAME",
      required = true,
      completionCandidates = Choices.Engines.class,
      description = "Routing engine; 'heddle engines' lists them.")
  private String engineName;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description =
          "Where to write the tables, - for standard output; without it none are written.")
  private String output;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      completionCandidates = Choices.TableFormats.class,
      description = "opensm-lfts, hlft or fdbs; default: by the file name's ending.")
  private String format;

  @Option(
      names = "--order",
      paramLabel = "FILE",
      description =
          "GUIDs of hosts in the order in which they get routing slots (ftree, noftree, metabase).")
  private String orderFile;

  @Option(
      names = "--tenants",
      paramLabel = "FILE",
      description = "Tenants file: the partitions that the pftree engines route for.")
  private String tenantsFile;

  @Option(
      names = "--isolation",
      paramLabel = "A",
      description =
          "pftree-mix: how much isolation counts against balance, 0 to 1; default by the tenants "
              + "file, else 0.5.")
  private Double isolation;

  @Option(
      names = "--roots",
      paramLabel = "FILE",
      description = "GUIDs of the root switches, one per line.")
  private String rootsFile;

  @Option(
      names = "--vms",
      paramLabel = "FILE",
      description = "State file of 'heddle vm': also route the LIDs of these virtual machines.")
  private String vmsFile;

  RouteCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    RoutingEngine engine = Engines.named(engineName);
    refuseUnused(engine);
    TableFormat as = output == null ? null : TableFiles.choose(format, output);
    if (output != null) {
      session.outputs().protect(fabricFile);
      session.outputs().check(output);
      forbidJsonIntoOutput(output);
    }
    Fabric fabric =
        VmFiles.fabric(
            session, FabricFiles.withLids(FabricFiles.read(session, fabricFile)), vmsFile);
    List<Guid> roots = FabricFiles.roots(session, rootsFile, fabric);
    List<Guid> order = FabricFiles.guids(session, orderFile, fabric);
    TenantsFiles.Routed tenants = TenantsFiles.toRoute(session, engine, tenantsFile, fabric);
    Recognition tree;
    RoutingResult result;
    long start = System.nanoTime();
    try (Progress _ = session.terminal().progress("routing with " + engine.name())) {
      tree = FatTreeRecogniser.recognise(fabric, RecognitionOptions.ofRoots(roots));
      result =
          engine.route(
              new RoutingRequest(fabric, tree, order, roots, tenants.tenancy())
                  .withIsolation(Engines.isolation(engine, isolation, tenants.isolation())));
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    return switch (result) {
      case RoutingResult.Unsupported no -> throw refused(engine, no);
      case RoutingResult.Routed yes -> {
        BoundTables bound = new BoundTables(fabric, yes.tables());
        Proof proof = prove(engine, bound);
        if (output != null) {
          TableFiles.write(session, bound, output, as);
        }
        report(new Routed(engine, bound, tree, yes.notes(), seconds, proof, as));
        yield ExitCode.OK;
      }
    };
  }

  private void refuseUnused(RoutingEngine engine) {
    Engines.isolation(engine, isolation, 0);
    if (orderFile != null) {
      Engines.requireUse(engine, RoutingOption.HOST_ORDER, "--order");
    }
    if (tenantsFile != null) {
      Engines.requireUse(engine, RoutingOption.PARTITIONS, "--tenants");
    } else if (isolation != null) {
      throw Failure.badInput("--isolation weighs partitions: say which with --tenants FILE");
    }
  }

  private static Failure refused(RoutingEngine engine, RoutingResult.Unsupported no) {
    List<String> hints = new ArrayList<>(no.details());
    hints.add("'heddle fabric check' says more; 'heddle engines' lists engines that need no tree");
    return Failure.refused(engine.name() + " cannot route this fabric: " + no.reason(), hints);
  }

  /**
   * Proves that everything connected is reached without a loop.
   *
   * @throws Failure exit code 1 with what was found, if it is not; a credit loop of an engine that
   *     does not promise to have none is no failure
   */
  private Proof prove(RoutingEngine engine, BoundTables bound) {
    long start = System.nanoTime();
    AuditReport audit;
    try (Progress progress = session.terminal().progress("proving the tables")) {
      audit =
          Audit.run(
              bound.fabric(),
              bound.tables(),
              AuditOptions.defaults()
                  .withThreads(
                      Math.clamp(Runtime.getRuntime().availableProcessors(), 1, MAX_THREADS))
                  .withExamples(3)
                  .withProgress(progress::update));
    }
    List<String> hints = new ArrayList<>();
    for (AuditFinding finding : audit.findings()) {
      boolean expected =
          engine.name().equals(MINIMAL_PATHS) && finding.code().equals(AuditCode.CREDIT_LOOP.key());
      boolean unreached = UNREACHED.contains(finding.code());
      if ((finding.severity() == Severity.ERROR && !expected) || unreached) {
        hints.add(finding.code() + ": " + finding.message());
        finding.examples().forEach(example -> hints.add("  " + example));
      }
    }
    if (!hints.isEmpty()) {
      hints.add("nothing was written");
      throw Failure.refused("the tables of " + engine.name() + " have errors", hints);
    }
    long pairs = 0;
    long unreachable = 0;
    for (AuditReport.Reachability reach : audit.reachability()) {
      pairs += reach.pairs();
      unreachable += reach.unreachable();
    }
    return new Proof(
        (System.nanoTime() - start) / 1e9,
        pairs,
        unreachable,
        audit.loopCount(),
        audit.creditLoops().cyclic());
  }

  /** A fabric that has been routed, and how. */
  private record Routed(
      RoutingEngine engine,
      BoundTables bound,
      Recognition tree,
      List<String> notes,
      double seconds,
      Proof proof,
      TableFormat as) {}

  private void report(Routed r) {
    if (r.proof.creditLoops() > 0) {
      session.note(
          "routes of "
              + r.engine.name()
              + " between hosts can deadlock here (credit loop); use ftree or updn,"
              + " 'heddle audit' prints the loop");
    }
    if (json()) {
      Json.print(session, document(r));
      return;
    }
    boolean quiet = "-".equals(output);
    for (String note : r.notes) {
      (quiet ? session.err() : session.out()).println("note: " + note);
    }
    if (!quiet) {
      summary(r.engine, r.bound, r.tree, r.seconds, r.proof, r.as);
    }
  }

  private void summary(
      RoutingEngine engine,
      BoundTables bound,
      Recognition tree,
      double seconds,
      Proof proof,
      TableFormat as) {
    Fabric fabric = bound.fabric();
    session
        .out()
        .printf(
            Locale.ROOT,
            "%s: %s, %s, top LID %,d, %s%n",
            fabricFile,
            Counted.of(fabric.switchCount(), "switch", "switches"),
            Counted.machines(fabric),
            fabric.topLid(),
            treeName(tree));
    session
        .out()
        .printf(
            Locale.ROOT,
            "routed with %s in %.3f s: %s%n",
            engine.name(),
            seconds,
            Counted.of(TableFiles.entryCount(bound.tables()), "entry", "entries"));
    session
        .out()
        .printf(
            Locale.ROOT,
            "proved in %.3f s: %s reached, no loop%s%n",
            proof.seconds(),
            proof.pairs() == 1
                ? "the one connected pair"
                : "all " + Counted.of(proof.pairs(), "connected pair", "connected pairs"),
            proof.creditLoops() > 0 ? "" : ", no credit loop");
    if (output == null) {
      session.out().println("nothing written; -o FILE writes the tables");
    } else {
      session.out().println("wrote " + output + " (" + as.label() + ")");
      session.out().println("next: heddle audit " + ShellWords.join(fabricFile, output));
    }
  }

  private static String treeName(Recognition tree) {
    return switch (tree) {
      case Recognition.Found found ->
          "a tree of " + Counted.of(found.tree().levels(), "level", "levels");
      case Recognition.Refused _ -> "no fat-tree";
    };
  }

  private Document document(Routed r) {
    Fabric fabric = r.bound.fabric();
    ForwardingTables tables = r.bound.tables();
    return new Document(
        "heddle.route/1",
        fabricFile,
        r.engine.name(),
        r.seconds,
        fabric.switchCount(),
        fabric.caCount(),
        fabric.machines().count(),
        fabric.topLid(),
        TableFiles.entryCount(tables),
        treeName(r.tree),
        r.notes,
        r.proof.creditLoops() > 0,
        r.proof,
        output,
        r.as == null ? null : r.as.label());
  }
}
