package org.heddle.cli.jobs;

import org.heddle.cli.remote.Jobs;
import org.heddle.cli.remote.ServerClient;
import org.heddle.cli.remote.ServerOptions;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code heddle jobs wait}: waits for a job of a controller. */
@Command(
    name = "wait",
    description = {
      "Wait until the fabric has the change that a job made, or until its plan is ready.",
      "Exit code 1 with the reason if the job failed or was not done in time."
    },
    footer = {"", "Example:", "  heddle jobs wait 17 --seconds 600"})
public final class JobWaitCommand extends ShellCommand {
  @Mixin private ServerOptions options;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "60",
      description = "How many seconds to wait at most (default: ${DEFAULT-VALUE}).")
  private int seconds;

  @Parameters(paramLabel = "ID", description = "The job's number.")
  private String id;

  public JobWaitCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    String path = Jobs.path(id);
    if (seconds < 1 || seconds > 86_400) {
      throw Failure.badInput("--seconds is 1 to 86400");
    }
    try (ServerClient client = options.open(session)) {
      JsonNode job = Jobs.follow(client, session, client.get(path), seconds);
      Jobs.require(job, seconds);
      JobPrinter.print(session, json(), client, "heddle.jobs-wait/1", job);
    }
    return ExitCode.OK;
  }
}
