package org.heddle.cli.jobs;

import java.util.Optional;
import org.heddle.cli.remote.Jobs;
import org.heddle.cli.remote.ServerClient;
import org.heddle.cli.remote.ServerOptions;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code heddle jobs cancel}: withdraws a job of a controller. */
@Command(
    name = "cancel",
    description = {
      "Cancel a job of a controller that is not decided yet, or a plan that is still being "
          + "worked out.",
      "Exit code 1 if it is too late: 'heddle rollback' undoes what is decided."
    })
public final class JobCancelCommand extends ShellCommand {
  @Mixin private ServerOptions options;

  @Parameters(paramLabel = "ID", description = "The job's number.")
  private String id;

  public JobCancelCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    String path = Jobs.path(id);
    try (ServerClient client = options.open(session)) {
      JsonNode job = client.change("DELETE", path, Optional.empty());
      JobPrinter.print(session, json(), client, "heddle.jobs-cancel/1", job);
    }
    return ExitCode.OK;
  }
}
