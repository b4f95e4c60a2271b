package org.heddle.cli.fabric;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.FabricFiles;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.Progress;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import org.heddle.cli.shell.TextTable;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.topology.FatTree;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.Recognition;
import org.heddle.topology.RecognitionOptions;
import org.heddle.topology.TreeFinding;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code heddle fabric check}: is it a fat-tree, which one, and what is wrong with it. */
@Command(
    name = "check",
    description = {
      "Recognise the fat-tree in a fabric and say what is damaged or odd.",
      "Exit code 1 if there is anything to say."
    },
    footer = {"", "Example:", "  heddle fabric check big.net --roots roots.txt"})
public final class CheckCommand extends ShellCommand {
  /** One finding in the JSON output. */
  record Finding(String code, String message, String guid, int port) {}

  /** One level of the tree. */
  record Level(int level, int switches) {}

  /** The JSON output. */
  record Document(
      String format,
      String fabric,
      int switches,
      int hosts,
      int routers,
      int links,
      boolean tree,
      int levels,
      int leaves,
      List<Level> switchesByLevel,
      List<Finding> findings) {}

  @Parameters(paramLabel = "FABRIC", description = "Fabric file, - for standard input.")
  private String fabricFile;

  @Option(
      names = "--roots",
      paramLabel = "FILE",
      description = "GUIDs of the root switches, one a line.")
  private String rootsFile;

  @Option(
      names = "--leaves",
      paramLabel = "FILE",
      description = "GUIDs of the leaf switches, one a line.")
  private String leavesFile;

  public CheckCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    Fabric fabric = FabricFiles.read(session, fabricFile);
    RecognitionOptions options =
        new RecognitionOptions(
            FabricFiles.guids(session, rootsFile), FabricFiles.guids(session, leavesFile));
    Recognition recognition;
    try (Progress _ = session.terminal().progress("looking for the tree")) {
      recognition = FatTreeRecogniser.recognise(fabric, options);
    }
    if (json()) {
      Json.print(session.out(), document(fabric, recognition));
    } else {
      print(fabric, recognition);
    }
    boolean fine = recognition instanceof Recognition.Found && recognition.findings().isEmpty();
    return fine ? ExitCode.OK : ExitCode.FINDINGS;
  }

  private void print(Fabric fabric, Recognition recognition) {
    session
        .out()
        .printf(
            Locale.ROOT,
            "%s: %,d switches, %,d hosts, %,d routers, %,d links%n",
            fabricFile,
            fabric.switchCount(),
            fabric.caCount(),
            fabric.routerCount(),
            FabricFiles.linkCount(fabric));
    if (recognition instanceof Recognition.Found found) {
      FatTree tree = found.tree();
      session
          .out()
          .printf(
              Locale.ROOT,
              "%s of %d levels, %,d leaves%n",
              session.terminal().good("a fat-tree"),
              tree.levels(),
              tree.leafCount());
      TextTable table = new TextTable("LEVEL", "SWITCHES");
      levels(fabric, tree).forEach(l -> table.row(l.level(), l.switches()));
      table.print(session.out(), session.terminal(), "  ");
    } else {
      session.out().println(session.terminal().bad("not a fat-tree"));
    }
    if (!recognition.findings().isEmpty()) {
      session.out().println(session.terminal().bold("Findings"));
    }
    for (TreeFinding finding : recognition.findings()) {
      session
          .out()
          .println("  " + session.terminal().odd(finding.code()) + ": " + finding.message());
    }
  }

  private static List<Level> levels(Fabric fabric, FatTree tree) {
    int[] count = new int[tree.levels() + 1];
    for (int sw = 0; sw < fabric.switchCount(); sw++) {
      count[tree.level(sw)]++;
    }
    List<Level> levels = new ArrayList<>();
    for (int level = tree.levels(); level >= 1; level--) {
      levels.add(new Level(level, count[level]));
    }
    return levels;
  }

  private Document document(Fabric fabric, Recognition recognition) {
    FatTree tree = recognition instanceof Recognition.Found found ? found.tree() : null;
    List<Finding> findings = new ArrayList<>();
    for (TreeFinding f : recognition.findings()) {
      String guid = f.node() == Fabric.NONE ? null : Guid.format(fabric.nodeGuid(f.node()));
      findings.add(new Finding(f.code(), f.message(), guid, f.port()));
    }
    return new Document(
        "heddle.fabric-check/1",
        fabricFile,
        fabric.switchCount(),
        fabric.caCount(),
        fabric.routerCount(),
        FabricFiles.linkCount(fabric),
        tree != null,
        tree == null ? 0 : tree.levels(),
        tree == null ? 0 : tree.leafCount(),
        tree == null ? List.of() : levels(fabric, tree),
        findings);
  }
}
