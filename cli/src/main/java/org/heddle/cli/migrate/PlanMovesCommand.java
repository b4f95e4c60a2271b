package org.heddle.cli.migrate;

import java.util.ArrayList;
import java.util.List;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import org.heddle.cli.shell.TableFiles;
import org.heddle.fabric.Counted;
import org.heddle.text.lft.TableFormat;
import org.heddle.verify.transition.TransitionReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code heddle migrate plan FABRIC LFTS}. */
@Command(
    name = "plan",
    description = {
      "Say what has to be sent to move virtual machines, in which order, and prove that it is safe.",
      "Moves that do not disturb each other share a wave. Nothing is changed."
    },
    footer = {
      "",
      "Examples:",
      "  heddle migrate plan big.net big.hlft --vms vms.json --vm web1 --to node007",
      "  heddle migrate plan big.net big.hlft --vms vms.json --moves moves.csv -o after.hlft"
    })
public final class PlanMovesCommand extends ShellCommand {
  @Mixin private MoveInputs inputs;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "LFTS",
      description = "Write the tables as they are after the moves.")
  private String output;

  public PlanMovesCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    TableFormat as = output == null ? null : TableFiles.choose(null, output);
    if (output != null) {
      forbidJsonIntoOutput(output);
      session.outputs().check(output);
    }
    MoveInputs.Prepared prepared = inputs.prepare(session);
    requireSafe(prepared.proof(), false);
    if (output != null) {
      TableFiles.write(session, prepared.after(), output, as);
    }
    MovesDocument document =
        MovesDocument.of("heddle.migrate-plan/1", inputs, prepared, output, null);
    if (json()) {
      Json.print(session, document);
    } else {
      new MovesPrinter(session).print(document);
      if (output != null) {
        session.out().println("wrote " + output);
      }
    }
    return ExitCode.OK;
  }

  /** Refuses a plan with wrong states in between, unless the user knows of the credit loops. */
  static void requireSafe(TransitionReport proof, boolean creditLoopsKnown) {
    boolean loops = proof.creditLoops().cyclic() > 0 && !creditLoopsKnown;
    if (proof.faults() == 0 && !loops) {
      return;
    }
    List<String> hints = new ArrayList<>(proof.examples());
    if (loops) {
      hints.add(
          Counted.of(proof.creditLoops().cyclic(), "set of channels is", "sets of channels are")
              + " on credit loops, in the present tables or during the move");
      hints.add("'heddle audit' says whether the present tables have them; if so, reroute first");
    }
    throw Failure.refused(
        "a state in between would have "
            + (proof.faults() > 0 ? "loops or dead ends" : "credit loops")
            + ", nothing is changed",
        hints);
  }
}
