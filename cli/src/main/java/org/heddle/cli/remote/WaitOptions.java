package org.heddle.cli.remote;

import java.util.Optional;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Session;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Whether a change waits until the fabric has it. */
public final class WaitOptions {
  private static final int MOST = 86_400;

  @Option(
      names = "--wait",
      description =
          "Wait until the fabric has the change; exit code 1 if it does not get it in " + "time.")
  private boolean wait;

  @Option(
      names = "--wait-seconds",
      paramLabel = "N",
      description = "How many seconds to wait at most (default: 60).")
  private Integer seconds;

  /** True if somebody wants to wait. */
  public boolean wanted() {
    return wait || seconds != null;
  }

  /** How long. */
  public int seconds() {
    return seconds == null ? 60 : seconds;
  }

  /**
   * Asks for a change, and waits for the fabric if that is wanted.
   *
   * @param version the value of {@code If-Match}
   * @return the answer, or the job at its good end
   * @throws Failure exit code 1 if it is refused, or the fabric does not get there
   */
  public JsonNode change(
      ServerClient client,
      Session session,
      String method,
      String path,
      Optional<ObjectNode> body,
      Optional<String> version,
      boolean dryRun) {
    if (seconds() < 1 || seconds() > MOST) {
      throw Failure.badInput("--wait-seconds is 1 to " + MOST);
    }
    if (wanted() && dryRun) {
      throw Failure.badInput("there is nothing to wait for after --dry-run");
    }
    if (!wanted()) {
      return client.change(method, path + (dryRun ? "?dry_run=true" : ""), body, version);
    }
    JsonNode job = Jobs.follow(client, session, client.job(method, path, body, version), seconds());
    Jobs.require(job, seconds());
    return job;
  }
}
