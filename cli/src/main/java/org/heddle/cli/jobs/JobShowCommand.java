package org.heddle.cli.jobs;

import org.heddle.cli.remote.Jobs;
import org.heddle.cli.remote.ServerClient;
import org.heddle.cli.remote.ServerOptions;
import org.heddle.cli.remote.Words;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code heddle jobs show}: a job of a controller. */
@Command(
    name = "show",
    description = {
      "Show a job of a controller: how far it has got, what it made, or why it failed.",
      "Exit code 1 if it failed."
    })
public final class JobShowCommand extends ShellCommand {
  @Mixin private ServerOptions options;

  @Parameters(paramLabel = "ID", description = "The job's number.")
  private String id;

  public JobShowCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    String path = Jobs.path(id);
    try (ServerClient client = options.open(session)) {
      JsonNode job = client.get(path);
      JobPrinter.print(session, json(), client, "heddle.jobs-show/1", job);
      return Words.text(job, "state").equals("failed") ? ExitCode.FINDINGS : ExitCode.OK;
    }
  }
}
