package org.heddle.cli.fabric;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.heddle.cli.shell.Acceptance;
import org.heddle.cli.shell.Choices;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.FabricFiles;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.MachinesOption;
import org.heddle.cli.shell.Progress;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import org.heddle.cli.shell.Terminal;
import org.heddle.cli.shell.TextTable;
import org.heddle.fabric.Counted;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.text.IdentityCode;
import org.heddle.text.Place;
import org.heddle.text.Problem;
import org.heddle.topology.FatTree;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.OpensmFtreeCheck;
import org.heddle.topology.Recognition;
import org.heddle.topology.RecognitionOptions;
import org.heddle.topology.ShapeFit;
import org.heddle.topology.SlowLinks;
import org.heddle.topology.TreeFinding;
import org.heddle.verify.Severity;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code heddle fabric check}: is it a fat-tree, which one, and what is wrong with it. */
@Command(
    name = "check",
    description = {
      "Recognise the fat-tree in a fabric and say what is damaged or odd.",
      "Exit code 1 if it is not a fat-tree, or if something is damaged or misplaced (see "
          + "--fail-on)."
    },
    footer = {"", "Example:", "  heddle fabric check big.net --roots roots.txt"})
public final class CheckCommand extends ShellCommand {
  /** Findings of one kind that are listed. */
  private static final int SHOWN_EACH = 20;

  /**
   * One finding in the JSON output.
   *
   * @param places both ends, or all that are confused; empty where a node says enough
   */
  record Finding(
      String code, Severity severity, String message, String guid, int port, List<Place> places) {}

  /**
   * One level of the tree, with the links to the level below (hosts for level 1).
   *
   * @param oversubscription links down for each link up in the shape; 0 for the roots
   */
  record Level(
      int level,
      int switches,
      int expectedSwitches,
      long linksDown,
      long expectedLinksDown,
      double oversubscription) {}

  /** What OpenSM's ftree would do. */
  record OpensmFtree(boolean accepts, List<Finding> obstacles) {}

  /** The JSON output. */
  record Document(
      String format,
      String fabric,
      int switches,
      int hosts,
      int machines,
      int routers,
      int links,
      boolean tree,
      int levels,
      int leaves,
      int planes,
      String shape,
      ShapeFit.Match match,
      List<Level> switchesByLevel,
      List<Finding> findings,
      OpensmFtree opensmFtree,
      List<Acceptance.Accepted> accepted) {}

  @Mixin private MachinesOption machines;

  @Parameters(paramLabel = "FABRIC", description = "Fabric file, - for standard input.")
  private String fabricFile;

  @Option(
      names = "--roots",
      paramLabel = "FILE",
      description = "GUIDs of the root switches, one per line.")
  private String rootsFile;

  @Option(
      names = "--leaves",
      paramLabel = "FILE",
      description = "GUIDs of the leaf switches, one per line.")
  private String leavesFile;

  @Option(
      names = "--fail-on",
      paramLabel = "SEVERITY",
      defaultValue = "warning",
      completionCandidates = Choices.Severities.class,
      description =
          "Lowest severity that makes the exit code 1: error (no fat-tree), warning (default: "
              + "damage, odd cabling) or info (facts such as hosts on upper switches).")
  private Severity failOn;

  @Mixin private Acceptance.Options expected;

  private RecognitionOptions options = RecognitionOptions.NONE;

  public CheckCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    Fabric fabric = FabricFiles.read(session, fabricFile);
    options =
        new RecognitionOptions(
            FabricFiles.roots(session, rootsFile, fabric), FabricFiles.guids(session, leavesFile));
    Recognition recognition;
    try (Progress _ = session.terminal().progress("looking for the tree")) {
      recognition = FatTreeRecogniser.recognise(fabric, options);
    }
    Acceptance acceptance = Acceptance.read(session, expected.file(), fabric, recognition);
    List<Finding> findings = findings(fabric, recognition, acceptance);
    List<Problem> unused = acceptance.unused();
    session.keep(unused);
    session.print(unused);
    if (json()) {
      Json.print(session, document(fabric, recognition, findings, acceptance));
    } else {
      print(fabric, recognition, findings, acceptance);
    }
    boolean fails =
        !(recognition instanceof Recognition.Found)
            || findings.stream().anyMatch(f -> f.severity().compareTo(failOn) <= 0);
    return fails ? ExitCode.FINDINGS : ExitCode.OK;
  }

  /** Everything that is not accepted: of the tree, of identities, of the speed of links. */
  private List<Finding> findings(Fabric fabric, Recognition recognition, Acceptance acceptance) {
    List<Finding> out = new ArrayList<>();
    for (Finding f : findings(fabric, recognition.findings())) {
      int node = f.guid() == null ? Fabric.NONE : fabric.findNode(Guid.parse(f.guid()).value());
      if (!acceptance.accepts(f.code(), node, f.port(), f.message())) {
        out.add(f);
      }
    }
    for (Problem problem : session.problems()) {
      IdentityCode.ofKey(problem.code())
          .ifPresent(
              code -> {
                if (acceptance.accepts(problem)) {
                  session.excuse(problem);
                } else {
                  out.add(identity(code, problem));
                }
              });
    }
    List<TreeFinding> slow = new ArrayList<>();
    for (TreeFinding f : SlowLinks.find(fabric, recognition)) {
      int far = fabric.peer(fabric.port(f.node(), f.port()));
      boolean expected =
          acceptance.accepts(f.code(), f.node(), f.port(), f.message())
              || acceptance.accepts(
                  f.code(), fabric.nodeOf(far), fabric.numberOf(far), f.message());
      if (!expected) {
        slow.add(f);
      }
    }
    int more = slow.size() - SHOWN_EACH;
    for (TreeFinding f : slow.subList(0, Math.min(SHOWN_EACH, slow.size()))) {
      int port = fabric.port(f.node(), f.port());
      List<Place> places = List.of(Place.of(fabric, port), Place.of(fabric, fabric.peer(port)));
      String guid = Guid.format(fabric.nodeGuid(f.node()));
      out.add(new Finding(f.code(), severity(f), f.message(), guid, f.port(), places));
    }
    if (more > 0) {
      String message = "and " + more + " more slow links";
      out.add(new Finding("slow-link", Severity.WARNING, message, null, 0, List.of()));
    }
    return out;
  }

  private static Finding identity(IdentityCode code, Problem problem) {
    Place first = problem.places().getFirst();
    return new Finding(
        code.key(),
        code.whenJudged(),
        problem.message(),
        first.guid(),
        first.port(),
        problem.places());
  }

  /** Only a refusal is an error. */
  private static Severity severity(TreeFinding finding) {
    return finding.informative() ? Severity.INFO : Severity.WARNING;
  }

  private void print(
      Fabric fabric, Recognition recognition, List<Finding> findings, Acceptance acceptance) {
    PrintStream out = session.out();
    Terminal terminal = session.terminal();
    out.printf(
        Locale.ROOT,
        "%s: %s, %s, %s, %s%n",
        fabricFile,
        Counted.of(fabric.switchCount(), "switch", "switches"),
        Counted.machines(fabric),
        Counted.of(fabric.routerCount(), "router", "routers"),
        Counted.of(FabricFiles.linkCount(fabric), "link", "links"));
    if (recognition instanceof Recognition.Found found) {
      printTree(fabric, found.tree());
    } else {
      out.println(terminal.bad("not a fat-tree"));
    }
    if (!findings.isEmpty()) {
      out.println(terminal.bold("Findings"));
      print(findings);
    }
    if (!acceptance.accepted().isEmpty()) {
      out.println(terminal.bold("Accepted"));
      for (Acceptance.Accepted a : acceptance.accepted()) {
        out.println("  " + a.code() + " " + a.subject() + ": " + a.reason());
      }
    }
    List<Finding> obstacles = findings(fabric, obstacles(fabric));
    if (obstacles.isEmpty()) {
      out.println("OpenSM's ftree would route it");
    } else {
      out.println(
          terminal.bold("OpenSM's ftree would refuse it and route minhop")
              + (roots().isEmpty() ? "" : ", even with these roots"));
      print(obstacles);
    }
  }

  private void print(List<Finding> findings) {
    for (Finding finding : findings) {
      session
          .out()
          .println(
              "  "
                  + (finding.severity() == Severity.INFO
                      ? finding.code()
                      : session.terminal().odd(finding.code()))
                  + ": "
                  + finding.message());
    }
  }

  private void printTree(Fabric fabric, FatTree tree) {
    String planes = tree.planeCount() > 1 ? ", " + tree.planeCount() + " planes" : "";
    session
        .out()
        .printf(
            Locale.ROOT,
            "%s of %s, %s%s%s%n",
            session.terminal().good("a fat-tree"),
            Counted.of(tree.levels(), "level", "levels"),
            Counted.of(tree.leafCount(), "leaf", "leaves"),
            planes,
            tree.fit().map(CheckCommand::shape).orElse(""));
    TextTable table =
        new TextTable("LEVEL", "SWITCHES", "OF", "LINKS DOWN", "OF", "OVERSUBSCRIPTION");
    for (Level level : levels(fabric, tree)) {
      table.row(
          level.level(),
          level.switches(),
          level.expectedSwitches(),
          level.linksDown(),
          level.expectedLinksDown(),
          level.oversubscription() == 0
              ? "-"
              : String.format(Locale.ROOT, "%.2f", level.oversubscription()));
    }
    table.print(session.out(), session.terminal(), "  ");
  }

  private static String shape(ShapeFit fit) {
    return switch (fit.match()) {
      case EXACT -> ": " + fit.shape();
      case DAMAGED -> ": " + fit.shape() + " with damage";
      case APPROXIMATE -> ", nearest shape " + fit.shape();
    };
  }

  private static List<Level> levels(Fabric fabric, FatTree tree) {
    int[] count = new int[tree.levels() + 1];
    for (int sw = 0; sw < fabric.switchCount(); sw++) {
      count[tree.level(sw)]++;
    }
    ShapeFit fit = tree.fit().orElse(null);
    List<Level> levels = new ArrayList<>();
    for (int level = tree.levels(); level >= 1; level--) {
      levels.add(
          fit == null || fit.damage().size() < level
              ? new Level(level, count[level], count[level], 0, 0, 0)
              : level(level, count[level], fit));
    }
    return levels;
  }

  private static Level level(int level, int switches, ShapeFit fit) {
    ShapeFit.LevelDamage below = fit.damage().get(level - 1);
    boolean root = level == fit.shape().levels();
    return new Level(
        level,
        switches,
        below.expectedSwitches(),
        below.links(),
        below.expectedLinks(),
        root ? 0 : fit.shape().oversubscription(level));
  }

  private List<TreeFinding> obstacles(Fabric fabric) {
    return OpensmFtreeCheck.check(fabric, roots());
  }

  private List<Guid> roots() {
    return options.roots();
  }

  private static List<Finding> findings(Fabric fabric, List<TreeFinding> list) {
    List<Finding> findings = new ArrayList<>();
    for (TreeFinding f : list) {
      String guid = f.node() == Fabric.NONE ? null : Guid.format(fabric.nodeGuid(f.node()));
      findings.add(new Finding(f.code(), severity(f), f.message(), guid, f.port(), List.of()));
    }
    return findings;
  }

  private Document document(
      Fabric fabric, Recognition recognition, List<Finding> findings, Acceptance acceptance) {
    FatTree tree = recognition instanceof Recognition.Found found ? found.tree() : null;
    ShapeFit fit = tree == null ? null : tree.fit().orElse(null);
    List<TreeFinding> obstacles = obstacles(fabric);
    return new Document(
        "heddle.fabric-check/1",
        fabricFile,
        fabric.switchCount(),
        fabric.caCount(),
        fabric.machines().count(),
        fabric.routerCount(),
        FabricFiles.linkCount(fabric),
        tree != null,
        tree == null ? 0 : tree.levels(),
        tree == null ? 0 : tree.leafCount(),
        tree == null ? 0 : tree.planeCount(),
        fit == null ? null : fit.shape().toString(),
        fit == null ? null : fit.match(),
        tree == null ? List.of() : levels(fabric, tree),
        findings,
        new OpensmFtree(obstacles.isEmpty(), findings(fabric, obstacles)),
        acceptance.accepted());
  }
}
