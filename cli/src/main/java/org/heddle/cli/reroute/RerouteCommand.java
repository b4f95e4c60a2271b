package org.heddle.cli.reroute;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.heddle.cli.shell.Choices;
import org.heddle.cli.shell.Endports;
import org.heddle.cli.shell.Engines;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.FabricFiles;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.MachinesOption;
import org.heddle.cli.shell.Progress;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import org.heddle.cli.shell.TableFiles;
import org.heddle.fabric.Counted;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.reconfig.DeadPort;
import org.heddle.reconfig.TableChange;
import org.heddle.reconfig.TableDiff;
import org.heddle.reconfig.reroute.MinimalReroute;
import org.heddle.reconfig.reroute.SubtreeReroute;
import org.heddle.routing.EngineNames;
import org.heddle.routing.ForwardingTables;
import org.heddle.routing.RoutingEngine;
import org.heddle.routing.RoutingOption;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.text.lft.BoundTables;
import org.heddle.text.lft.TableFormat;
import org.heddle.text.lft.UnknownLids;
import org.heddle.text.tenants.CounterFileReader;
import org.heddle.topology.FatTree;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.Recognition;
import org.heddle.topology.RecognitionOptions;
import org.heddle.topology.Subtree;
import org.heddle.topology.TreeFinding;
import org.heddle.verify.Audit;
import org.heddle.verify.AuditFinding;
import org.heddle.verify.AuditOptions;
import org.heddle.verify.AuditReport;
import org.heddle.verify.Severity;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code heddle reroute}: other routes for a part, or as few other routes as possible. */
@Command(
    name = "reroute",
    description = {
      "Change forwarding tables as little as possible: after a link, switch or host was lost or "
          + "added (--minimal), or for the traffic inside a sub-tree (--subtree-of).",
      "FABRIC is the fabric as it is now, LFTS the tables that are in the switches; nodes are "
          + "matched by GUID, and lost ones are named. Prints what has to be written, and "
          + "refuses tables with errors."
    },
    footer = {
      "",
      "Examples:",
      "  heddle reroute now.net old.hlft --minimal -o new.hlft",
      "  heddle reroute big.net big.hlft --subtree-of H_0_0_1,H_0_3_7 --order ranks.txt -o"
          + " new.hlft",
      "  heddle reroute big.net big.hlft --subtree-of H_0_0_1,H_0_3_7 --counters c.csv --dry-run"
    })
public final class RerouteCommand extends ShellCommand {
  private static final int MAX_THREADS = 64;

  /** Begins the names of the engines whose ways stay the same for every order of the hosts. */
  private static final String SAME_WAYS = EngineNames.METABASE;

  /** One of the two. */
  private static final class Method {
    @Option(
        names = "--minimal",
        required = true,
        description = "Keep every route that still works, within the balance of fresh tables.")
    private boolean minimal;

    @Option(
        names = "--subtree-of",
        paramLabel = "HOST",
        split = ",",
        required = true,
        description =
            "Recompute the routes of the smallest sub-tree that holds these hosts (names, GUIDs "
                + "or LIDs, separated by commas); nothing else changes.")
    private List<String> hosts;
  }

  @Mixin private MachinesOption machines;

  @Parameters(index = "0", paramLabel = "FABRIC", description = "Fabric file, as it is now.")
  private String fabricFile;

  @Parameters(index = "1", paramLabel = "LFTS", description = "Forwarding tables, as they are.")
  private String tablesFile;

  @ArgGroup(multiplicity = "1")
  private Method method;

  @Option(
      names = {"-e", "--engine"},
      paramLabel = "NAME",
      completionCandidates = Choices.Engines.class,
      description =
          "Routing engine: noftree (default) for a sub-tree; ftree (default) as the measure for "
              + "--minimal.")
  private String engineName;

  @Option(
      names = "--order",
      paramLabel = "FILE",
      description =
          "GUIDs of hosts in the order in which they get routing slots; with --minimal for "
              + "engine metabase only.")
  private String orderFile;

  @Option(
      names = "--counters",
      paramLabel = "FILE",
      description =
          "Take the order from the traffic that hosts received, most first: CSV "
              + "(host,port,bytes), perfquery or ibqueryerrors output.")
  private String countersFile;

  @Option(
      names = "--roots",
      paramLabel = "FILE",
      description = "GUIDs of the root switches, one per line.")
  private String rootsFile;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "LFTS",
      description =
          "Where to write the tables, - for standard output; without it none are written.")
  private String output;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      completionCandidates = Choices.TableFormats.class,
      description =
          "opensm-lfts, hlft or fdbs; default: by the file name's ending, else the format of LFTS.")
  private String format;

  @Option(names = "--dry-run", description = "Say what would change and write nothing.")
  private boolean dryRun;

  public RerouteCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    RoutingEngine engine = engine();
    if (output != null) {
      session.outputs().protect(fabricFile);
      session.outputs().protect(tablesFile);
      session.outputs().check(output);
      forbidJsonIntoOutput(output);
    }
    Fabric read = FabricFiles.read(session, fabricFile);
    Optional<TableFormat> given =
        output == null ? Optional.empty() : TableFiles.formatOf(session, tablesFile);
    TableFormat as = output == null ? null : TableFiles.choose(format, output, given);
    BoundTables bound = TableFiles.read(session, read, tablesFile);
    BoundTables old = method.minimal ? UnknownLids.adopt(bound) : bound;
    Fabric fabric = FabricFiles.withLids(old.fabric());
    List<Guid> roots = FabricFiles.roots(session, rootsFile, fabric);
    List<Guid> order = order(fabric);
    Reroute result =
        method.minimal
            ? minimal(engine, fabric, old, roots, order)
            : subtree(engine, fabric, old, roots, order);
    refuseErrors(result);
    if (output != null && !dryRun) {
      TableFiles.write(session, result.now(), output, as);
    }
    report(result, as);
    return ExitCode.OK;
  }

  private void report(Reroute result, TableFormat as) {
    boolean written = output != null && !dryRun;
    if (json()) {
      Json.print(
          session,
          RerouteDocument.of(
              result,
              fabricFile,
              tablesFile,
              dryRun,
              written ? output : null,
              written ? as.label() : null));
      return;
    }
    boolean tablesOnOut = written && output.equals("-");
    ReroutePrinter printer =
        new ReroutePrinter(tablesOnOut ? session.err() : session.out(), session.terminal());
    printer.print(result);
    printer.ending(result, fabricFile, written ? output : null, as);
  }

  // ---- what was asked for

  private RoutingEngine engine() {
    String name =
        engineName != null ? engineName : method.minimal ? EngineNames.FTREE : EngineNames.NOFTREE;
    RoutingEngine engine = Engines.named(name);
    if (orderFile != null && countersFile != null) {
      throw Failure.badInput("--order and --counters exclude each other");
    }
    String option = orderFile != null ? "--order" : countersFile != null ? "--counters" : null;
    if (option != null && method.minimal && !engine.name().startsWith(SAME_WAYS)) {
      throw Failure.badInput(
          option + " asks for other routes, --minimal for the same ones",
          "for a part of the fabric, name hosts with --subtree-of",
          "to deal out the same routes to all hosts anew, add --engine " + SAME_WAYS);
    }
    if (option != null) {
      Engines.requireUse(engine, RoutingOption.HOST_ORDER, option);
    }
    return engine;
  }

  private List<Guid> order(Fabric fabric) {
    if (countersFile == null) {
      return FabricFiles.guids(session, orderFile, fabric);
    }
    Map<Guid, Long> received =
        session.accept(countersFile, CounterFileReader.read(session.read(countersFile), fabric));
    return received.entrySet().stream()
        .filter(e -> e.getValue() > 0)
        .sorted(
            Map.Entry.<Guid, Long>comparingByValue(Comparator.reverseOrder())
                .thenComparing(Map.Entry.comparingByKey()))
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Ports of the hosts that were named. */
  private int[] ports(Fabric fabric) {
    List<Integer> ports = new ArrayList<>();
    for (String word : method.hosts) {
      if (word.isBlank()) {
        throw Failure.badInput("--subtree-of has an empty name; names are separated by one comma");
      }
      for (Endports.Endport endport : Endports.find(fabric, word.strip())) {
        if (fabric.isSwitch(fabric.nodeOf(endport.port()))) {
          throw Failure.badInput(
              "'" + word.strip() + "' is a switch", "name the hosts whose traffic counts");
        }
        ports.add(endport.port());
      }
    }
    return ports.stream().mapToInt(Integer::intValue).toArray();
  }

  // ---- the two methods

  private Reroute minimal(
      RoutingEngine engine, Fabric fabric, BoundTables old, List<Guid> roots, List<Guid> order) {
    long start = System.nanoTime();
    Recognition recognition = recognise(fabric, roots);
    if (!(recognition instanceof Recognition.Found found)) {
      throw refused(
          engine,
          "the fabric is not recognised as a fat-tree",
          ((Recognition.Refused) recognition)
              .findings().stream().map(TreeFinding::message).toList());
    }
    try (Progress _ = session.terminal().progress("routing with " + engine.name())) {
      return switch (engine.route(new RoutingRequest(fabric, recognition, order, roots))) {
        case RoutingResult.Unsupported no -> throw refused(engine, no.reason(), no.details());
        case RoutingResult.Routed fresh ->
            finish(
                minimal(engine, fabric, found.tree(), old, fresh, start),
                old,
                Optional.of(found.tree()));
      };
    }
  }

  private Made minimal(
      RoutingEngine engine,
      Fabric fabric,
      FatTree tree,
      BoundTables old,
      RoutingResult.Routed fresh,
      long start) {
    List<String> notes = new ArrayList<>(fresh.notes());
    if (orderFile != null || countersFile != null) { // the wish comes first
      return new Made(
          "order",
          engine.name(),
          (System.nanoTime() - start) / 1e9,
          new BoundTables(fabric, fresh.tables()),
          Optional.empty(),
          Optional.empty(),
          notes);
    }
    MinimalReroute update = MinimalReroute.of(fabric, tree, old.tables(), fresh.tables());
    notes.addAll(update.report().notes());
    return new Made(
        "minimal",
        engine.name(),
        (System.nanoTime() - start) / 1e9,
        new BoundTables(fabric, update.tables()),
        Optional.empty(),
        Optional.of(update.report()),
        notes);
  }

  private Reroute subtree(
      RoutingEngine engine, Fabric fabric, BoundTables old, List<Guid> roots, List<Guid> order) {
    int[] ports = ports(fabric);
    long start = System.nanoTime();
    Subtree.Result found =
        roots.isEmpty()
            ? Subtree.holding(fabric, ports)
            : Subtree.holding(fabric, ports, recognise(fabric, roots));
    Made made =
        switch (found) {
          case Subtree.Refused no -> throw refused(engine, no.reason(), no.details());
          case Subtree.OneLeaf one ->
              new Made(
                  "subtree",
                  engine.name(),
                  (System.nanoTime() - start) / 1e9,
                  new BoundTables(fabric, old.tables()),
                  Optional.of(
                      new Reroute.Part(
                          Optional.empty(), fabric.node(one.leaf()).display(), 0, 0, 0)),
                  Optional.empty(),
                  List.of());
          case Subtree.Found yes -> {
            SubtreeReroute.Outcome outcome =
                SubtreeReroute.run(old.tables(), yes.subtree(), engine, order);
            yield subtree(engine, fabric, yes.subtree(), outcome, order, start);
          }
        };
    Recognition whole = recognise(fabric, roots);
    return finish(
        made,
        old,
        whole instanceof Recognition.Found tree ? Optional.of(tree.tree()) : Optional.empty());
  }

  private static Made subtree(
      RoutingEngine engine,
      Fabric fabric,
      Subtree subtree,
      SubtreeReroute.Outcome outcome,
      List<Guid> order,
      long start) {
    return switch (outcome) {
      case SubtreeReroute.Unsupported no -> throw refused(engine, no.reason(), no.details());
      case SubtreeReroute.Rerouted done -> {
        Fabric part = subtree.part().fabric();
        int ordered = 0;
        for (Guid guid : order) {
          boolean inside =
              part.findNode(guid.value()) != Fabric.NONE
                  || part.findPort(guid.value()) != Fabric.NONE;
          ordered += inside ? 1 : 0;
        }
        yield new Made(
            "subtree",
            engine.name(),
            (System.nanoTime() - start) / 1e9,
            new BoundTables(fabric, done.tables()),
            Optional.of(
                new Reroute.Part(Optional.of(subtree), "", ordered, done.lids(), done.kept())),
            Optional.empty(),
            done.notes());
      }
    };
  }

  private static Failure refused(RoutingEngine engine, String reason, List<String> details) {
    List<String> hints = new ArrayList<>(details);
    hints.add("nothing was written");
    return Failure.refused(engine.name() + " cannot route it: " + reason, hints);
  }

  private Recognition recognise(Fabric fabric, List<Guid> roots) {
    try (Progress _ = session.terminal().progress("recognising the tree")) {
      return FatTreeRecogniser.recognise(fabric, RecognitionOptions.ofRoots(roots));
    }
  }

  // ---- what it amounts to

  /** New tables, before they are looked at. */
  private record Made(
      String method,
      String engine,
      double seconds,
      BoundTables now,
      Optional<Reroute.Part> part,
      Optional<MinimalReroute.Report> minimal,
      List<String> notes) {}

  private Reroute finish(Made made, BoundTables old, Optional<FatTree> tree) {
    Fabric fabric = made.now().fabric();
    ForwardingTables before = old.tables();
    ForwardingTables after = made.now().tables();
    TableChange order;
    try (Progress _ = session.terminal().progress("ordering the writes")) {
      order = TableChange.order(fabric, tree, before, after);
    }
    return new Reroute(
        made.method(),
        made.engine(),
        made.seconds(),
        old,
        DeadPort.of(made.now().fabric(), old.tables()),
        made.now(),
        made.part(),
        made.minimal(),
        TableDiff.of(fabric, before, after),
        MinimalReroute.Changes.between(fabric, before, after),
        order,
        audit("auditing the old tables", fabric, before, tree),
        audit("auditing the new tables", fabric, after, tree),
        made.notes());
  }

  private AuditReport audit(
      String what, Fabric fabric, ForwardingTables tables, Optional<FatTree> tree) {
    try (Progress progress = session.terminal().progress(what)) {
      AuditOptions options =
          AuditOptions.defaults()
              .withThreads(Math.clamp(Runtime.getRuntime().availableProcessors(), 1, MAX_THREADS))
              .withExamples(3)
              .withProgress(progress::update);
      return Audit.run(fabric, tables, tree.map(options::withTree).orElse(options));
    }
  }

  private static void refuseErrors(Reroute result) {
    if (result.after().clean()) {
      return;
    }
    List<String> hints = new ArrayList<>();
    for (AuditFinding finding : result.after().findings()) {
      if (finding.severity() == Severity.ERROR) {
        hints.add(finding.code() + ": " + finding.message());
        finding.examples().forEach(example -> hints.add("  " + example));
      }
    }
    if (!result.before().clean()) {
      hints.add(
          "the old tables have "
              + Counted.of(result.before().errors(), "error", "errors")
              + " on this fabric already"
              + (result.part().isPresent() ? ": 'heddle reroute --minimal' first" : ""));
    }
    hints.add("nothing was written");
    throw Failure.refused("the new tables have errors", hints);
  }
}
