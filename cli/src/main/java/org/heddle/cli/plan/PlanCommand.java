package org.heddle.cli.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.heddle.catalog.EngineFallback;
import org.heddle.cli.allocate.LinkPlan;
import org.heddle.cli.shell.BackgroundTask;
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
import org.heddle.cli.shell.TableFiles;
import org.heddle.cli.shell.TenantsFiles;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.opensm.TenantFiles;
import org.heddle.plan.StateProof;
import org.heddle.reconfig.TableDiff;
import org.heddle.routing.EngineNames;
import org.heddle.routing.RoutingEngine;
import org.heddle.routing.RoutingOption;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.tenancy.Lanes;
import org.heddle.tenancy.Tenancy;
import org.heddle.text.Parsed;
import org.heddle.text.Source;
import org.heddle.text.lft.BoundTables;
import org.heddle.text.lft.OpensmLftsWriter;
import org.heddle.text.lft.TableFormat;
import org.heddle.text.lft.UnknownLids;
import org.heddle.text.tenants.ResolvedTenants;
import org.heddle.text.tenants.TenantsFile;
import org.heddle.text.tenants.TenantsFileReader;
import org.heddle.text.tenants.TenantsResolver;
import org.heddle.topology.FatTree;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.Recognition;
import org.heddle.topology.RecognitionOptions;
import org.heddle.verify.Audit;
import org.heddle.verify.AuditFinding;
import org.heddle.verify.AuditOptions;
import org.heddle.verify.AuditReport;
import org.heddle.verify.Severity;
import org.heddle.verify.isolation.IsolationAudit;
import org.heddle.verify.isolation.IsolationOptions;
import org.heddle.verify.isolation.IsolationPrice;
import org.heddle.verify.isolation.IsolationReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code heddle plan}: tenants on a fabric, routed, proven, and ready for OpenSM. */
@Command(
    name = "plan",
    description = {
      "Route a fabric for its tenants, prove what each of them gets, and write what OpenSM and the "
          + "tenants need: tables, partitions, lanes, path policy, environment, report, picture.",
      "With --current it says what would change. The fabric itself is not touched."
    },
    footer = {
      "",
      "Examples:",
      "  heddle plan big.net tenants.yaml -o plan",
      "  heddle plan big.net tenants.yaml --current opensm-lfts.dump --strict -o plan",
      "  heddle plan big.net tenants.yaml --current plan/tables.hlft --format hlft -o next"
    })
public final class PlanCommand extends ShellCommand {
  private static final int MAX_THREADS = 64;

  @Mixin private MachinesOption machines;

  @Parameters(index = "0", paramLabel = "FABRIC", description = "Fabric file.")
  private String fabricFile;

  @Parameters(index = "1", paramLabel = "TENANTS", description = "Tenants file.")
  private String tenantsFile;

  @Option(
      names = {"-e", "--engine"},
      paramLabel = "NAME",
      description =
          "Routing engine (default: that of the tenants file, else pftree-ext); 'heddle engines' "
              + "lists them.")
  private String engineName;

  @Option(
      names = "--current",
      paramLabel = "TABLES",
      description = "Tables now in force: LIDs are kept, and changes reported.")
  private String currentFile;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "DIR",
      required = true,
      description = "Directory to write into; it is made if there is none.")
  private String directory;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "opensm-lfts",
      completionCandidates = Choices.PlanFormats.class,
      description = {
        "Tables to write: opensm-lfts (what OpenSM loads, and tables.hlft; default), or hlft "
            + "(tables.hlft alone: a seventieth of the size, and much faster; 'heddle apply' "
            + "makes the text of it)."
      })
  private String format;

  @Option(names = "--no-picture", description = "Draw no picture.")
  private boolean noPicture;

  @Option(
      names = "--strict",
      description = "Refuse if a policy cannot be kept, whatever the tenants file says.")
  private boolean strict;

  @Option(
      names = "--best-effort",
      description = "Keep policies as far as possible, whatever the tenants file says.")
  private boolean bestEffort;

  @Option(
      names = "--ipoib",
      paramLabel = "WHICH",
      defaultValue = "auto",
      description =
          "Tenants with IP over InfiniBand where the tenants file does not say: auto (all but phy "
              + "ones, default), all or none.")
  private TenantFiles.Ipoib ipoib;

  @Option(
      names = "--roots",
      paramLabel = "FILE",
      description = "GUIDs of the root switches, one a line.")
  private String rootsFile;

  @Option(
      names = "--isolation",
      paramLabel = "A",
      description =
          "pftree-mix: how much isolation counts against balance, 0 to 1; default by the tenants "
              + "file, else 0.5.")
  private Double isolation;

  @Option(
      names = "--counters",
      paramLabel = "FILE",
      description =
          "pftree-wt, pftree-mix: learn the weights from what hosts received: CSV "
              + "(host,port,bytes), perfquery or ibqueryerrors output.")
  private String countersFile;

  @Option(
      names = "--no-price",
      description =
          "Do not work out what isolation costs the other tenants; saves a second routing.")
  private boolean noPrice;

  public PlanCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    if (strict && bestEffort) {
      throw Failure.badInput("--strict and --best-effort exclude each other");
    }
    if (directory.equals("-")) {
      throw Failure.badInput("a plan is several files: give a directory with -o");
    }
    boolean text = writesText();
    if (engineName != null) {
      requireUse(Engines.named(engineName)); // before anything is read
    }
    Source tenantsSource = session.read(tenantsFile);
    BackgroundTask<Parsed<TenantsFile>> parsed =
        BackgroundTask.start("heddle-tenants", () -> TenantsFileReader.read(tenantsSource));
    Fabric read = FabricFiles.read(session, fabricFile);
    Optional<BoundTables> current =
        Optional.ofNullable(currentFile)
            .map(file -> TableFiles.read(session, read, file))
            .map(UnknownLids::adopt);
    Fabric fabric = FabricFiles.withLids(current.map(BoundTables::fabric).orElse(read));
    List<Guid> roots = FabricFiles.roots(session, rootsFile, fabric);
    BackgroundTask<Recognition> tree =
        BackgroundTask.start(
            "heddle-tree",
            () -> FatTreeRecogniser.recognise(fabric, RecognitionOptions.ofRoots(roots)));
    TenantsFile said = session.accept(tenantsFile, parsed.get());
    RoutingEngine engine = engine(said);
    requireUse(engine);
    LinkPlan links = LinkPlan.of(session, tenantsFile, said, fabric, tree::get);
    TenantsFile file = links.file();
    double a = TenantsFiles.isolation(session, engine, tenantsFile, file);
    ResolvedTenants tenants = tenants(file, fabric);
    RoutingRequest request =
        new RoutingRequest(
            fabric,
            tree.get(),
            List.of(),
            roots,
            links.besideLinks(tenants.tenancy()),
            Engines.isolation(engine, isolation, a));
    Plan plan = plan(engine, request, tenants, links, current);
    refuseBroken(plan);
    if (currentFile != null) {
      session.outputs().release(currentFile);
    }
    PlanFiles files = new PlanFiles(session, directory, plan, fabricFile, text);
    PlanDocument document = files.write(tenantsFile, !noPicture);
    if (json()) {
      Json.print(session, document);
    } else {
      new PlanPrinter(session.out(), session.terminal()).print(plan);
      session.out().println("wrote into " + directory + ": " + files(document));
      session.out().println("start OpenSM with: " + files.command());
    }
    return plan.kept() ? ExitCode.OK : ExitCode.FINDINGS;
  }

  /** The engine of the command line, else that of the file, else the usual one. */
  private RoutingEngine engine(TenantsFile said) {
    if (engineName != null) {
      return Engines.named(engineName);
    }
    return said.rules()
        .engine()
        .map(e -> Engines.named(e.name(), tenantsFile + ":" + e.line() + ": "))
        .orElseGet(() -> Engines.named(EngineNames.PFTREE_EXT));
  }

  private void requireUse(RoutingEngine engine) {
    Engines.isolation(engine, isolation, 0);
    if (countersFile != null) {
      Engines.requireUse(engine, RoutingOption.WEIGHTS, "--counters");
    }
  }

  /** True if the tables are written as text, too. */
  private boolean writesText() {
    TableFormat as = TableFiles.choose(format, directory);
    if (as == TableFormat.FDBS) {
      throw Failure.badInput("OpenSM does not load fdbs", "formats of a plan: opensm-lfts, hlft");
    }
    return as == TableFormat.OPENSM_LFTS;
  }

  private static String files(PlanDocument document) {
    List<String> names = new ArrayList<>(document.files());
    names.removeIf(name -> name.contains("/"));
    names.add("tenants/*.env");
    return String.join(" ", names);
  }

  private ResolvedTenants tenants(TenantsFile file, Fabric fabric) {
    ResolvedTenants named = session.accept(tenantsFile, TenantsResolver.resolve(file, fabric));
    ResolvedTenants tenants = TenantsFiles.learned(session, named, fabric, countersFile);
    if (!strict && !bestEffort) {
      return tenants;
    }
    Tenancy.Rules rules = tenants.tenancy().rules();
    Tenancy.Rules other =
        new Tenancy.Rules(strict, rules.dataLanes(), rules.physicalShare(), rules.sharing());
    return new ResolvedTenants(tenants.tenancy().withRules(other), tenants.tenants());
  }

  private Plan plan(
      RoutingEngine engine,
      RoutingRequest request,
      ResolvedTenants tenants,
      LinkPlan links,
      Optional<BoundTables> current) {
    Fabric fabric = request.fabric();
    Recognition tree = request.recognition();
    RoutingResult result;
    try (Progress _ = session.terminal().progress("routing with " + engine.name())) {
      // another engine would lose the policies that this one keeps
      boolean keeps = !request.tenancy().equals(request.tenancy().withoutPolicies());
      result = keeps ? engine.route(request) : EngineFallback.route(engine, request);
    }
    return switch (result) {
      case RoutingResult.Unsupported no -> throw refused(engine, no);
      case RoutingResult.Routed base -> {
        RoutingResult.Routed yes = links.over(base);
        Lanes lanes =
            yes.lanes().size() == tenants.tenants().size()
                ? yes.lanes()
                : Lanes.single(tenants.tenants().size());
        BoundTables bound = new BoundTables(fabric, yes.tables());
        Tenancy audited = request.tenancy();
        // the audits have parts that use one processor; the other works on these meanwhile
        BackgroundTask<IsolationReport> isolation =
            BackgroundTask.start("heddle-isolation", () -> isolation(bound, tree, audited, lanes));
        BackgroundTask<Optional<IsolationPrice>> price =
            BackgroundTask.start("heddle-price", () -> price(engine, request, isolation.get()));
        BackgroundTask<Optional<TableDiff>> diff =
            BackgroundTask.start(
                "heddle-diff",
                () -> current.map(c -> TableDiff.of(c.fabric(), c.tables(), fabric, yes.tables())));
        AuditReport audit = audit(bound, tree);
        StateProof.Findings found = links.findings(bound.tables(), audited, isolation.get());
        List<String> notes = new ArrayList<>(yes.notes());
        notes.addAll(found.crossings());
        yield new Plan(
            engine.name(),
            tree,
            bound,
            tenants,
            links.held(),
            lanes,
            ipoib,
            notes,
            found.broken(),
            audit,
            isolation.get(),
            price.get(),
            Optional.ofNullable(currentFile),
            diff.get());
      }
    };
  }

  private static Failure refused(RoutingEngine engine, RoutingResult.Unsupported no) {
    List<String> hints = new ArrayList<>(no.details());
    hints.add("nothing was written");
    return Failure.refused(engine.name() + " refuses: " + no.reason(), hints);
  }

  private AuditReport audit(BoundTables bound, Recognition tree) {
    try (Progress progress = session.terminal().progress("auditing")) {
      AuditOptions options =
          AuditOptions.defaults()
              .withThreads(threads())
              .withExamples(3)
              .withProgress(progress::update);
      Optional<FatTree> found = found(tree);
      return Audit.run(
          bound.fabric(), bound.tables(), found.map(options::withTree).orElse(options));
    }
  }

  private static IsolationReport isolation(
      BoundTables bound, Recognition tree, Tenancy tenancy, Lanes lanes) {
    IsolationOptions options = IsolationOptions.defaults().withThreads(threads());
    return IsolationAudit.run(
        bound.fabric(),
        bound.tables(),
        tenancy,
        lanes,
        found(tree).map(options::withTree).orElse(options));
  }

  /** What keeping policies costs: the same engine once more, without any to keep. */
  private Optional<IsolationPrice> price(
      RoutingEngine engine, RoutingRequest request, IsolationReport isolated) {
    Tenancy tenancy = request.tenancy();
    boolean kept = engine.uses().contains(RoutingOption.POLICIES) && tenancy.hasPhysical();
    if (noPrice || !kept) {
      return Optional.empty();
    }
    RoutingResult free = engine.route(request.withTenancy(tenancy.withoutPolicies()));
    if (!(free instanceof RoutingResult.Routed routed)) {
      return Optional.empty();
    }
    BoundTables bound = new BoundTables(request.fabric(), routed.tables());
    Lanes lanes = Lanes.single(tenancy.partitions().size());
    return Optional.of(
        IsolationPrice.of(isolated, isolation(bound, request.recognition(), tenancy, lanes)));
  }

  private static Optional<FatTree> found(Recognition tree) {
    return tree instanceof Recognition.Found f ? Optional.of(f.tree()) : Optional.empty();
  }

  private static int threads() {
    return Math.clamp(Runtime.getRuntime().availableProcessors(), 1, MAX_THREADS);
  }

  /** Under strict rules nothing is written that breaks one; tables with errors never are. */
  private void refuseBroken(Plan plan) {
    List<AuditFinding> bad = new ArrayList<>();
    for (AuditFinding finding : plan.audit().findings()) {
      if (finding.severity() == Severity.ERROR) {
        bad.add(finding);
      }
    }
    boolean broken = !bad.isEmpty();
    if (plan.tenancy().rules().strict()) {
      bad.addAll(plan.isolation().violations());
    }
    if (!bad.isEmpty() || !plan.broken().isEmpty()) {
      List<String> hints = new ArrayList<>(plan.broken());
      for (AuditFinding finding : bad) {
        hints.add(finding.code() + ": " + finding.message());
        finding.examples().forEach(example -> hints.add("  " + example));
      }
      hints.add(
          "nothing was written"
              + (broken || !plan.broken().isEmpty() ? "" : "; --best-effort plans nevertheless"));
      throw Failure.refused(
          broken ? "the planned tables have errors" : "not every policy can be kept", hints);
    }
    OpensmLftsWriter.refusal(plan.bound().fabric(), plan.bound().tables())
        .ifPresent(
            reason -> {
              throw Failure.refused("OpenSM would not load these tables: " + reason, List.of());
            });
  }
}
