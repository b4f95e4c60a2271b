package org.heddle.cli;

import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code heddle completion bash}: the completion script of a shell. */
@Command(
    name = "completion",
    description = "Print the completion script of a shell.",
    footer = {"%nTry it now: source <(heddle completion bash)"})
final class CompletionCommand extends ShellCommand {
  /** Shells there is a script for; zsh loads the bash script through bashcompinit. */
  enum Shell {
    bash,
    zsh
  }

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "SHELL", description = "bash or zsh.")
  private Shell shell;

  CompletionCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    String script = AutoComplete.bash("heddle", spec.parent().commandLine());
    if (shell == Shell.zsh) {
      script = "#compdef heddle\nautoload -U +X bashcompinit && bashcompinit\n" + script;
    }
    session.out().print(script);
    return ExitCode.OK;
  }
}
