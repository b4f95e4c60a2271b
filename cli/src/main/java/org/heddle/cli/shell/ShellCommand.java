package org.heddle.cli.shell;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Base of the commands: the session, the common options, and committing of files at the end. */
public abstract class ShellCommand implements Callable<Integer> {
  /** The run this command belongs to. */
  protected final Session session;

  @Mixin private CommonOptions common;

  @Spec private CommandSpec self;

  protected ShellCommand(Session session) {
    this.session = session;
  }

  /** True if JSON was asked for, here or before the command's name. */
  public final boolean json() {
    for (CommandSpec spec = self; spec != null; spec = spec.parent()) {
      if (spec.userObject() instanceof ShellCommand command && command.common.json()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Does the work and prints the result. Files that were staged get their names afterwards, except
   * when it throws.
   *
   * @return the exit code; {@link Session#exitCode} says when another one counts
   */
  protected abstract int execute();

  /**
   * What a group of commands says when none of them was named: its help, on standard error, or with
   * {@code --json} an error document.
   *
   * @return the exit code
   */
  protected final int whichCommand() {
    String name = self.qualifiedName();
    if (json()) {
      List<String> names = List.copyOf(self.subcommands().keySet());
      throw Failure.badInput(
          "which command of '" + name + "'?",
          "commands: " + String.join(", ", names),
          "'" + name + " --help' says what each does");
    }
    self.commandLine().usage(session.err());
    return ExitCode.BAD_INPUT;
  }

  /** Refuses --json when the output file itself goes to standard output. */
  protected final void forbidJsonIntoOutput(String output) {
    if (json() && "-".equals(output)) {
      throw Failure.badInput(
          "--json and the output file would both go to standard output",
          "give the output a file name with -o");
    }
  }

  /** Refuses --csv beside --json. */
  protected final void forbidCsvWithJson(boolean csv) {
    if (csv && json()) {
      throw Failure.badInput("--csv and --json would both go to standard output");
    }
  }

  /** Gives the session the file of {@link MachinesOption}, wherever it was mixed in. */
  private void machines(CommandSpec spec) {
    if (spec.userObject() instanceof MachinesOption option) {
      option.file().ifPresent(session::useMachines);
    }
    spec.mixins().values().forEach(this::machines);
  }

  @Override
  public final Integer call() {
    for (CommandSpec spec = self; spec != null; spec = spec.parent()) {
      machines(spec);
    }
    int code = execute();
    session.requireOutput();
    session.outputs().commit();
    return session.exitCode(code);
  }
}
