package org.heddle.cli.audit;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.heddle.catalog.EngineLikeness;
import org.heddle.cli.apply.PartitionCheck;
import org.heddle.cli.shell.Acceptance;
import org.heddle.cli.shell.Choices;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.FabricFiles;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.MachinesOption;
import org.heddle.cli.shell.Progress;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import org.heddle.cli.shell.TenantsInput;
import org.heddle.cli.shell.VmFiles;
import org.heddle.fabric.Guid;
import org.heddle.routing.RoutingRequest;
import org.heddle.tenancy.Tenancy;
import org.heddle.text.IdentityCode;
import org.heddle.text.Problem;
import org.heddle.text.lft.BoundTables;
import org.heddle.text.opensm.PartitionsConf;
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
import org.heddle.verify.isolation.IsolationReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code heddle audit}: what finished tables do, proven from the tables alone. */
@Command(
    name = "audit",
    description = {
      "Prove from forwarding tables that they work: who reaches whom, forwarding loops, credit "
          + "loops, up/down routes, balance.",
      "With --tenants or --partitions it also says who meets whom on which channel, and whether "
          + "the policies are kept.",
      "The tables may come from any subnet manager; nothing is changed."
    },
    footer = {
      "",
      "Examples:",
      "  heddle audit big.net big.lfts",
      "  heddle audit ibnetdiscover.txt opensm-lfts.dump --json",
      "  heddle audit big.net big.lfts --tenants tenants.yaml --partitions partitions.conf"
    })
public final class AuditCommand extends ShellCommand {
  private static final int MAX_THREADS = 64;

  @Mixin private MachinesOption machines;

  @Parameters(index = "0", paramLabel = "FABRIC", description = "Fabric file.")
  private String fabricFile;

  @Parameters(index = "1", paramLabel = "TABLES", description = "Forwarding tables.")
  private String tablesFile;

  @Option(
      names = "--partitions",
      paramLabel = "FILE",
      description =
          "Also check this partitions.conf against the fabric; its sl= values are the lanes of "
              + "the tenants.")
  private String partitionsFile;

  @Option(
      names = "--tenants",
      paramLabel = "FILE",
      description = "Check whether the isolation that this tenants file asks for is kept.")
  private String tenantsFile;

  @Option(
      names = "--roots",
      paramLabel = "FILE",
      description = "GUIDs of the root switches, one per line.")
  private String rootsFile;

  @Option(
      names = "--examples",
      paramLabel = "N",
      defaultValue = "5",
      description = "Examples to print for each finding (default: 5).")
  private int examples;

  @Option(
      names = "--fail-on",
      paramLabel = "SEVERITY",
      defaultValue = "warning",
      completionCandidates = Choices.Severities.class,
      description = "Lowest severity that makes the exit code 1: error, warning (default) or info.")
  private Severity failOn;

  @Option(
      names = "--vms",
      paramLabel = "FILE",
      description =
          "State file of 'heddle vm': the virtual machines whose LIDs the tables hold "
              + "besides those of the ports.")
  private String vmsFile;

  @Option(
      names = "--no-engines",
      description = "Do not compare the tables with those of Heddle's engines, which takes time.")
  private boolean noEngines;

  @Mixin private Acceptance.Options expected;

  public AuditCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    BoundTables bound = VmFiles.tables(session, fabricFile, tablesFile, vmsFile);
    List<Guid> roots = FabricFiles.roots(session, rootsFile, bound.fabric());
    Recognition recognition =
        FatTreeRecogniser.recognise(bound.fabric(), RecognitionOptions.ofRoots(roots));
    Optional<PartitionsConf> conf =
        Optional.ofNullable(partitionsFile).map(file -> PartitionCheck.read(session, file));
    Acceptance acceptance = Acceptance.read(session, expected.file(), bound.fabric(), recognition);
    Optional<PartitionCheck.Report> partitions =
        conf.map(c -> PartitionCheck.check(partitionsFile, c, bound.fabric()).but(acceptance));
    Optional<TenantsInput> tenants = TenantsInput.of(session, bound.fabric(), tenantsFile, conf);
    AuditReport report =
        withIdentities(
            new AuditAcceptance(
                    bound.fabric(),
                    acceptance,
                    fabric -> audit(new BoundTables(fabric, bound.tables()), recognition))
                .of(audit(bound, recognition)),
            acceptance);
    List<Problem> unused = acceptance.unused();
    session.keep(unused);
    session.print(unused);
    Optional<IsolationReport> isolation = tenants.map(t -> isolation(bound, recognition, t));
    List<LaneLoops> lanes =
        tenants
            .filter(t -> t.lanesKnown() && report.creditLoops().cyclic() > 0)
            .map(
                t ->
                    LaneLoops.of(
                        bound.fabric(),
                        t,
                        rest -> audit(new BoundTables(rest, bound.tables()), recognition)))
            .orElse(List.of());
    TableOrigin origin = noEngines ? TableOrigin.NONE : origin(bound, recognition, roots, tenants);
    if (json()) {
      Optional<IsolationDocument> document =
          isolation.map(i -> IsolationDocument.of(bound.fabric(), i, tenants.orElseThrow()));
      Json.print(
          session,
          AuditDocument.of(
              fabricFile,
              tablesFile,
              report,
              recognition,
              partitions,
              document,
              acceptance.accepted(),
              origin,
              lanes));
    } else {
      print(report, recognition, origin, lanes, partitions, isolation, tenants);
      for (Acceptance.Accepted a : acceptance.accepted()) {
        session.out().println("accepted: " + a.code() + " " + a.subject() + ": " + a.reason());
      }
    }
    boolean bad =
        anyBad(report.findings())
            || isolation.isPresent() && anyBad(isolation.get().findings())
            || isolation.isPresent() && !isolation.get().kept()
            || partitions.isPresent() && !partitions.get().findings().isEmpty();
    return bad ? ExitCode.FINDINGS : ExitCode.OK;
  }

  /** The report with what the readers found about identities, one finding a code. */
  private AuditReport withIdentities(AuditReport report, Acceptance acceptance) {
    Map<IdentityCode, List<String>> found = new EnumMap<>(IdentityCode.class);
    for (Problem problem : session.problems()) {
      Optional<IdentityCode> code = IdentityCode.ofKey(problem.code());
      if (code.isPresent() && acceptance.accepts(problem)) {
        session.excuse(problem);
      } else {
        code.ifPresent(
            c -> found.computeIfAbsent(c, x -> new ArrayList<>()).add(problem.message()));
      }
    }
    if (found.isEmpty()) {
      return report;
    }
    List<AuditFinding> findings = new ArrayList<>(report.findings());
    found.forEach(
        (code, messages) ->
            findings.add(
                new AuditFinding(
                    code.key(),
                    code.whenJudged(),
                    messages.size() == 1
                        ? messages.getFirst()
                        : messages.size() + " problems with the identity of nodes or ports.",
                    messages.size(),
                    messages.size() == 1
                        ? List.of()
                        : messages.subList(0, Math.clamp(examples, 0, messages.size())))));
    return report.withFindings(findings);
  }

  private boolean anyBad(List<AuditFinding> findings) {
    return findings.stream().anyMatch(f -> f.severity().compareTo(failOn) <= 0);
  }

  private void print(
      AuditReport report,
      Recognition recognition,
      TableOrigin origin,
      List<LaneLoops> lanes,
      Optional<PartitionCheck.Report> partitions,
      Optional<IsolationReport> isolation,
      Optional<TenantsInput> tenants) {
    AuditPrinter printer = new AuditPrinter(session);
    IsolationPrinter isolated = new IsolationPrinter(session);
    printer.print(report, recognition);
    partitions.ifPresent(printer::print);
    isolation.ifPresent(
        i -> {
          isolated.print(i, tenants.orElseThrow());
          printer.isolationFindings(i.findings());
        });
    lanes.forEach(lane -> session.out().println("note: " + lane.sentence()));
    origin.notes().forEach(note -> session.out().println("note: " + note));
    int odd = partitions.map(p -> p.findings().size()).orElse(0);
    printer.verdict(report, odd, isolation.isPresent());
    isolation.ifPresent(isolated::verdict);
  }

  private IsolationReport isolation(
      BoundTables bound, Recognition recognition, TenantsInput tenants) {
    try (Progress progress = session.terminal().progress("auditing isolation")) {
      IsolationOptions options =
          new IsolationOptions(
              tree(recognition), threads(), Math.max(0, examples), progress::update);
      return IsolationAudit.run(
          bound.fabric(), bound.tables(), tenants.tenancy(), tenants.lanes(), options);
    }
  }

  private TableOrigin origin(
      BoundTables bound,
      Recognition recognition,
      List<Guid> roots,
      Optional<TenantsInput> tenants) {
    try (Progress _ = session.terminal().progress("comparing with engines")) {
      RoutingRequest request =
          new RoutingRequest(
              bound.fabric(),
              recognition,
              List.of(),
              roots,
              tenants.map(TenantsInput::tenancy).orElse(Tenancy.NONE));
      return TableOrigin.of(
          bound.fabric(), bound.tables(), EngineLikeness.of(request, bound.tables()), roots);
    }
  }

  private static Optional<FatTree> tree(Recognition recognition) {
    return recognition instanceof Recognition.Found found
        ? Optional.of(found.tree())
        : Optional.empty();
  }

  private static int threads() {
    return Math.clamp(Runtime.getRuntime().availableProcessors(), 1, MAX_THREADS);
  }

  private AuditReport audit(BoundTables bound, Recognition recognition) {
    try (Progress progress = session.terminal().progress("auditing " + tablesFile)) {
      AuditOptions options =
          AuditOptions.defaults()
              .withThreads(threads())
              .withExamples(Math.max(0, examples))
              .withProgress(progress::update);
      Optional<FatTree> tree = tree(recognition);
      return Audit.run(bound.fabric(), bound.tables(), tree.map(options::withTree).orElse(options));
    }
  }
}
