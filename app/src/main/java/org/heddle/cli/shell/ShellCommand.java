package org.heddle.cli.shell;

import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;

/** Base of the commands: the session, the common options, and committing of files at the end. */
public abstract class ShellCommand implements Callable<Integer> {
  /** The run this command belongs to. */
  protected final Session session;

  @Mixin private CommonOptions common;

  protected ShellCommand(Session session) {
    this.session = session;
  }

  /** True if JSON was asked for. */
  public final boolean json() {
    return common.json();
  }

  /**
   * Does the work and prints the result. Files that were staged get their names afterwards, except
   * when it throws.
   *
   * @return the exit code
   */
  protected abstract int execute();

  /** Refuses --json when the output file itself goes to standard output. */
  protected final void forbidJsonIntoOutput(String output) {
    if (json() && "-".equals(output)) {
      throw Failure.badInput(
          "--json and the output file would both go to standard output",
          "give the output a file name with -o");
    }
  }

  @Override
  public final Integer call() {
    int code = execute();
    session.outputs().commit();
    return code;
  }
}
