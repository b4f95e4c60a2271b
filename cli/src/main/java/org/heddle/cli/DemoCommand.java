package org.heddle.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import org.heddle.cli.shell.ShellWords;
import org.heddle.routing.EngineNames;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code heddle demo}: the whole chain on a small damaged fabric, with the commands shown. */
@Command(
    name = "demo",
    description = {
      "Generate a fabric, damage it, check, route, audit and draw it, and write OpenSM files.",
      "Every step is an ordinary command and is printed before it runs."
    })
final class DemoCommand extends ShellCommand {
  private static final String TREE = "XGFT(3;6,6,6;1,6,6)";
  private static final String BROKEN_LINKS = "4%";
  private static final String SEED = "7";

  /** One step in the JSON output. */
  record Step(String command, int exitCode, double seconds) {}

  /** The JSON output. */
  record Document(String format, String directory, List<Step> steps) {}

  private final List<Step> steps = new ArrayList<>();

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      defaultValue = "demo",
      description = "Where to put the files (default: demo).")
  private String dir;

  DemoCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    session.outputs().directory(dir);
    String net = dir + "/fabric.net";
    String lfts = dir + "/fabric.lfts";
    boolean ok =
        step(
                "A fat-tree of three levels, 216 hosts, with a subnet manager on a spine.",
                List.of("fabric", "generate", TREE, "--sm-on-spine", "-o", dir + "/whole.net"))
            && step("The same tree after a bad night: links are gone.", damage(net))
            && step(
                "Is it still a tree, and what is missing? (Damage is a finding: exit code 1.)",
                List.of("fabric", "check", net))
            && step(
                "Forwarding tables for what is left.",
                List.of("route", net, "--engine", EngineNames.FTREE, "-o", lfts))
            && step(
                "Proof from the tables alone: who is reached, what can deadlock, how balanced "
                    + "they are.",
                List.of("audit", net, lfts))
            && step(
                "One path, in both directions.", List.of("trace", net, lfts, "H_0_0_0", "H_5_5_5"))
            && step(
                "What OpenSM loads.",
                List.of("apply", net, lfts, dir + "/opensm", "--to", "opensm-files"))
            && step(
                "A picture; the colour of a link is its load.",
                List.of("fabric", "draw", net, "--lfts", lfts, "-o", dir + "/fabric.svg"));
    return finish(ok);
  }

  private static List<String> damage(String net) {
    return List.of(
        "fabric",
        "generate",
        TREE,
        "--sm-on-spine",
        "--break-links",
        BROKEN_LINKS,
        "--seed",
        SEED,
        "--keep-connected",
        "-o",
        net);
  }

  /** Runs one command; false if the next ones have nothing to work with. */
  private boolean step(String text, List<String> words) {
    say(text);
    return run(words) <= ExitCode.FINDINGS;
  }

  private void say(String text) {
    if (!json()) {
      session.out().println();
      session.out().println(session.terminal().good("# " + text));
    }
  }

  private int run(List<String> line) {
    String shown = "heddle " + String.join(" ", line.stream().map(ShellWords::quoted).toList());
    long start = System.nanoTime();
    int code;
    if (json()) {
      code = session.runSilently(line);
    } else {
      session.out().println(session.terminal().bold("$ " + shown));
      List<String> coloured = new ArrayList<>(line);
      coloured.add("--color=" + (session.terminal().outColour() ? "always" : "never"));
      code = session.run(coloured);
    }
    steps.add(new Step(shown, code, (System.nanoTime() - start) / 1e9));
    return code;
  }

  private int finish(boolean ok) {
    double seconds = steps.stream().mapToDouble(Step::seconds).sum();
    if (json()) {
      Json.print(session, new Document("heddle.demo/1", dir, steps));
      return ok ? ExitCode.OK : ExitCode.INTERNAL;
    }
    session.out().println();
    if (!ok) {
      session.out().println("The demo stopped at the step above.");
      return ExitCode.INTERNAL;
    }
    session.out().printf(Locale.ROOT, "Done in %.1f s. Look at:%n", seconds);
    session.out().println("  " + dir + "/fabric.svg     in a browser: levels, missing links, load");
    session.out().println("  " + dir + "/fabric.lfts    the tables, as OpenSM writes them");
    session
        .out()
        .println("  " + dir + "/opensm/        what OpenSM loads, and opensm.conf to do it");
    session.out().println("  " + dir + "/fabric.net     the fabric, as ibnetdiscover prints it");
    session.out().println("Then try it on your own: heddle audit IBNETDISCOVER-FILE LFT-DUMP");
    return ExitCode.OK;
  }
}
