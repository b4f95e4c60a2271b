package org.heddle.cli;

import java.util.List;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import org.heddle.cli.shell.Suggestions;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code heddle help fabric generate}: the same as {@code heddle fabric generate --help}. */
@Command(name = "help", description = "Show the help of a command.")
final class HelpCommand extends ShellCommand {
  private static final int FARTHEST_SUGGESTION = 3;

  @Spec private CommandSpec spec;

  @Parameters(arity = "0..*", paramLabel = "COMMAND", description = "The command's words.")
  private List<String> words = List.of();

  HelpCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    CommandLine command = spec.parent().commandLine();
    for (String word : words) {
      CommandLine next = command.getSubcommands().get(word);
      if (next == null) {
        String near =
            Suggestions.closest(word, command.getSubcommands().keySet(), FARTHEST_SUGGESTION);
        String name = command.getCommandSpec().qualifiedName();
        throw near == null
            ? Failure.badInput("there is no command '" + name + " " + word + "'")
            : Failure.badInput(
                "there is no command '" + name + " " + word + "'", "did you mean " + near + "?");
      }
      command = next;
    }
    command.usage(session.out());
    return ExitCode.OK;
  }
}
