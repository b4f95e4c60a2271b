package org.heddle.cli.apply;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.heddle.cli.shell.Choices;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.MachinesOption;
import org.heddle.cli.shell.Progress;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import org.heddle.cli.shell.ShellWords;
import org.heddle.cli.shell.VmFiles;
import org.heddle.cli.shell.WritingDatagrams;
import org.heddle.fabric.Counted;
import org.heddle.opensm.OpensmFiles;
import org.heddle.text.lft.BoundTables;
import org.heddle.text.lft.OpensmLftsWriter;
import org.heddle.text.opensm.PartitionsConf;
import org.heddle.verify.Audit;
import org.heddle.verify.AuditFinding;
import org.heddle.verify.AuditOptions;
import org.heddle.verify.AuditReport;
import org.heddle.verify.Severity;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code heddle apply}: hands tables and partitions over to a subnet manager. */
@Command(
    name = "apply",
    description = {
      "Write what OpenSM loads: forwarding tables for its 'file' engine, partitions.conf, and "
          + "the options to start it with. Or write the tables into the switches with management "
          + "datagrams.",
      "Tables with errors, or for only a part of the fabric, are refused, because nothing checks "
          + "them after this."
    },
    footer = {
      "",
      "Examples:",
      "  heddle apply big.net big.hlft --partitions partitions.conf --to opensm-files /etc/heddle",
      "  heddle apply big.net big.hlft --to umad /var/lib/heddle"
    })
public final class ApplyCommand extends ShellCommand {
  private static final String OPENSM_FILES = "opensm-files";
  private static final String UMAD = "umad";
  private static final String ENDPORT_WITHOUT_LID = "endport-without-lid";

  /** The JSON output. */
  record Document(
      String format,
      String target,
      String directory,
      List<String> files,
      String command,
      int errors,
      int warnings,
      boolean forced) {}

  @Mixin private MachinesOption machines;

  @Parameters(index = "0", paramLabel = "FABRIC", description = "Fabric file.")
  private String fabricFile;

  @Parameters(index = "1", paramLabel = "TABLES", description = "Forwarding tables.")
  private String tablesFile;

  @Parameters(
      index = "2",
      paramLabel = "DIR",
      description = "Directory to write into; with --to umad the journal.")
  private String directory;

  @Option(
      names = "--to",
      paramLabel = "TARGET",
      required = true,
      completionCandidates = Choices.Targets.class,
      description = "opensm-files: files for OpenSM; umad: the switches themselves.")
  private String target;

  @Mixin private WritingDatagrams datagrams;

  @Option(
      names = "--partitions",
      paramLabel = "FILE",
      description = "A partitions.conf to check, rewrite and pass on to OpenSM.")
  private String partitionsFile;

  @Option(
      names = "--tables-only",
      description =
          "Write opensm.lfts only, into a directory that has the other files of the plan with "
              + "these tables.")
  private boolean tablesOnly;

  @Option(names = "--force", description = "Write tables even if they would be refused.")
  private boolean force;

  @Option(
      names = "--vms",
      paramLabel = "FILE",
      description =
          "State file of 'heddle vm': the virtual machines whose LIDs the tables hold "
              + "besides those of the ports.")
  private String vmsFile;

  public ApplyCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    if (!target.equals(OPENSM_FILES) && !target.equals(UMAD)) {
      throw Failure.badInput(
          "there is no target '" + target + "' to apply to",
          "targets: " + OPENSM_FILES + ", " + UMAD);
    }
    if (target.equals(UMAD) && partitionsFile != null) {
      throw Failure.badInput(
          "--partitions does not go with --to umad: partitions are the subnet manager's");
    }
    if (tablesOnly && partitionsFile != null) {
      throw Failure.badInput("--tables-only and --partitions exclude each other");
    }
    BoundTables bound = VmFiles.tables(session, fabricFile, tablesFile, vmsFile);
    Optional<PartitionsConf> partitions =
        Optional.ofNullable(partitionsFile).map(file -> PartitionCheck.read(session, file));
    partitions.ifPresent(
        conf -> warnOf(PartitionCheck.check(partitionsFile, conf.members(bound.fabric()))));
    if (target.equals(OPENSM_FILES)) {
      requireLoadable(bound);
    }
    AuditReport report = audit(bound);
    if (!force) {
      requireUsable(report);
    }
    if (target.equals(UMAD)) {
      return new DatagramApply(session, datagrams, fabricFile, tablesFile, directory, json())
          .run(bound);
    }
    writeFiles(bound, partitions, report);
    return ExitCode.OK;
  }

  private static void requireLoadable(BoundTables bound) {
    OpensmLftsWriter.refusal(bound.fabric(), bound.tables())
        .ifPresent(
            reason -> {
              throw Failure.refused("OpenSM would not load these tables: " + reason, List.of());
            });
  }

  private void writeFiles(
      BoundTables bound, Optional<PartitionsConf> partitions, AuditReport report) {
    OpensmFiles files = new OpensmFiles(session.outputs().directory(directory), bound, partitions);
    try (Progress _ = session.terminal().progress("writing into " + directory)) {
      for (OpensmFiles.File file : chosen(files)) {
        session
            .outputs()
            .write(directory + "/" + file.name(), file.content()::writeTo, file.check()::read);
      }
    }
    report(files, report);
  }

  private List<OpensmFiles.File> chosen(OpensmFiles files) {
    List<OpensmFiles.File> all = files.files();
    return tablesOnly
        ? all.stream().filter(file -> file.name().equals(OpensmFiles.TABLES)).toList()
        : all;
  }

  private void warnOf(PartitionCheck.Report report) {
    report.findings().forEach(f -> session.note(report.file() + ": " + f.message()));
  }

  private AuditReport audit(BoundTables bound) {
    try (Progress progress = session.terminal().progress("auditing " + tablesFile)) {
      return Audit.run(
          bound.fabric(),
          bound.tables(),
          AuditOptions.defaults().withExamples(1).withProgress(progress::update));
    }
  }

  /** Endports without a LID are refused as well: OpenSM gives them LIDs that have no entries. */
  private void requireUsable(AuditReport report) {
    boolean addressed =
        report.findings().stream().noneMatch(f -> f.code().equals(ENDPORT_WITHOUT_LID));
    if (!report.clean()) {
      throw refused("these tables have errors, nothing is written", report);
    }
    if (!addressed) {
      throw refused(
          "these tables do not cover all of this fabric, nothing is written: OpenSM would give "
              + "LIDs without entries to ports that have none here",
          report);
    }
  }

  private Failure refused(String message, AuditReport report) {
    List<String> hints = new ArrayList<>();
    for (AuditFinding finding : report.findings()) {
      if (finding.severity() == Severity.ERROR || finding.code().equals(ENDPORT_WITHOUT_LID)) {
        hints.add(finding.code() + ": " + finding.message());
        finding.examples().forEach(example -> hints.add("  " + example));
      }
    }
    hints.add("all findings: heddle audit " + ShellWords.join(fabricFile, tablesFile));
    hints.add("--force writes them anyway");
    return Failure.refused(message, hints);
  }

  private void report(OpensmFiles files, AuditReport report) {
    List<String> names = chosen(files).stream().map(OpensmFiles.File::name).toList();
    if (json()) {
      Json.print(
          session,
          new Document(
              "heddle.apply/1",
              target,
              directory,
              names,
              files.command(),
              report.errors(),
              report.warnings(),
              force));
      return;
    }
    session.out().println("wrote into " + directory + ":");
    names.forEach(name -> session.out().println("  " + name));
    if (report.errors() + report.warnings() > 0) {
      session
          .out()
          .println(
              "the audit has "
                  + Counted.of(report.errors(), "error", "errors")
                  + " and "
                  + Counted.of(report.warnings(), "warning", "warnings")
                  + ": heddle audit "
                  + ShellWords.join(fabricFile, tablesFile));
    }
    if (!tablesOnly) {
      session.out().println("start OpenSM with:");
      session.out().println("  " + files.command());
    }
    session.out().println("if it runs with them already: kill -HUP its process");
  }
}
