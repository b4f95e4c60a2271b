package org.heddle.cli.live;

import java.nio.file.Path;
import java.util.List;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.ShellWords;
import org.heddle.smp.write.PlanExecutor;

/** What to say when a plan has not come to its end. */
public final class Recovery {
  private Recovery() {}

  /**
   * The number of SMPs of a plan that has come to its end.
   *
   * @throws Failure exit code 1 with what to do next, otherwise
   */
  public static long requireCompleted(PlanExecutor.Result result, Path journal) {
    return switch (result) {
      case PlanExecutor.Result.Completed completed -> completed.sent();
      case PlanExecutor.Result.Refused refused ->
          throw Failure.refused("nothing is sent: " + refused.reason(), List.of());
      case PlanExecutor.Result.Stopped stopped ->
          throw Failure.refused(
              "stopped in phase " + stopped.phase() + ": " + stopped.reason(),
              List.of(
                  "finish it: heddle recover " + ShellWords.join(journal.toString()) + " --finish",
                  "take it back: heddle recover "
                      + ShellWords.join(journal.toString())
                      + " --undo"));
    };
  }
}
