package org.heddle.cli;

import java.util.Optional;
import org.heddle.cli.shell.Choices;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.FabricFiles;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.Progress;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import org.heddle.cli.shell.TableFiles;
import org.heddle.text.BoundTables;
import org.heddle.topology.FatTree;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.Recognition;
import org.heddle.topology.RecognitionOptions;
import org.heddle.verify.Audit;
import org.heddle.verify.AuditOptions;
import org.heddle.verify.AuditReport;
import org.heddle.verify.Severity;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code heddle audit}: what finished tables do, proven from the tables alone. */
@Command(
    name = "audit",
    description = {
      "Prove from forwarding tables that they work: who reaches whom, forwarding loops, credit "
          + "loops, up/down routes, balance.",
      "The tables may be of any subnet manager; nothing is changed."
    },
    footer = {
      "",
      "Examples:",
      "  heddle audit big.net big.lfts",
      "  heddle audit ibnetdiscover.txt opensm-lfts.dump --json"
    })
final class AuditCommand extends ShellCommand {
  private static final int MAX_THREADS = 64;

  @Parameters(index = "0", paramLabel = "FABRIC", description = "Fabric file.")
  private String fabricFile;

  @Parameters(index = "1", paramLabel = "TABLES", description = "Forwarding tables.")
  private String tablesFile;

  @Option(
      names = "--partitions",
      paramLabel = "FILE",
      description = "Check this partitions.conf against the fabric, too.")
  private String partitionsFile;

  @Option(
      names = "--roots",
      paramLabel = "FILE",
      description = "GUIDs of the root switches, one a line.")
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
      description = "Exit with 1 from this severity on: error, warning (default) or info.")
  private Severity failOn;

  AuditCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    BoundTables bound = TableFiles.read(session, FabricFiles.read(session, fabricFile), tablesFile);
    Recognition recognition =
        FatTreeRecogniser.recognise(
            bound.fabric(), RecognitionOptions.ofRoots(FabricFiles.guids(session, rootsFile)));
    Optional<PartitionCheck.Report> partitions =
        Optional.ofNullable(partitionsFile)
            .map(file -> PartitionCheck.run(session, bound.fabric(), file));
    AuditReport report = audit(bound, recognition);
    if (json()) {
      Json.print(
          session.out(), AuditDocument.of(fabricFile, tablesFile, report, recognition, partitions));
    } else {
      AuditPrinter printer = new AuditPrinter(session);
      printer.print(report, recognition);
      partitions.ifPresent(printer::print);
      printer.verdict(report, partitions.map(p -> p.findings().size()).orElse(0));
    }
    boolean bad =
        report.findings().stream().anyMatch(f -> f.severity().compareTo(failOn) <= 0)
            || partitions.isPresent() && !partitions.get().findings().isEmpty();
    return bad ? ExitCode.FINDINGS : ExitCode.OK;
  }

  private AuditReport audit(BoundTables bound, Recognition recognition) {
    int threads = Math.clamp(Runtime.getRuntime().availableProcessors(), 1, MAX_THREADS);
    try (Progress progress = session.terminal().progress("auditing " + tablesFile)) {
      AuditOptions options =
          AuditOptions.defaults()
              .withThreads(threads)
              .withExamples(Math.max(0, examples))
              .withProgress(progress::update);
      Optional<FatTree> tree =
          recognition instanceof Recognition.Found found
              ? Optional.of(found.tree())
              : Optional.empty();
      return Audit.run(bound.fabric(), bound.tables(), tree.map(options::withTree).orElse(options));
    }
  }
}
