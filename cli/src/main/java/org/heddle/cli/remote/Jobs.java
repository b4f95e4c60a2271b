package org.heddle.cli.remote;

import java.time.Duration;
import java.util.List;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Progress;
import org.heddle.cli.shell.Session;
import tools.jackson.databind.JsonNode;

/** Jobs of a controller: followed to their end, and in words. */
public final class Jobs {
  private static final long FIRST_MILLIS = 100;
  private static final long LONGEST_MILLIS = 1000;

  private Jobs() {}

  /**
   * The path of a job.
   *
   * @throws Failure exit code 2 for what cannot be a number of one
   */
  public static String path(String id) {
    if (!id.matches("[1-9]\\d{0,17}")) {
      throw Failure.badInput("'" + id + "' is not a job number", "'heddle jobs list' shows them");
    }
    return "/v1/jobs/" + id;
  }

  /** True if nothing more will happen. */
  public static boolean ended(JsonNode job) {
    return List.of("done", "written", "failed", "cancelled").contains(Words.text(job, "state"));
  }

  /** True if it came to a good end; with the agent dry-run that is that files are written. */
  public static boolean done(JsonNode job) {
    return List.of("done", "written").contains(Words.text(job, "state"));
  }

  /**
   * Asks about a job until it has ended.
   *
   * @param seconds to wait at most
   * @return it as it was last
   */
  public static JsonNode follow(ServerClient client, Session session, JsonNode job, int seconds) {
    String path = path(Words.text(job, "id"));
    long end = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
    JsonNode now = job;
    long pause = FIRST_MILLIS;
    while (!ended(now) && System.nanoTime() < end) {
      try (Progress _ = session.terminal().progress(steps(now))) {
        String before = steps(now);
        while (!ended(now) && steps(now).equals(before) && System.nanoTime() < end) {
          ServerClient.SLEEP.accept(Duration.ofMillis(pause));
          pause = Math.min(LONGEST_MILLIS, 2 * pause);
          now = client.get(path);
        }
      }
    }
    return now;
  }

  /** {@code job 7: applying, blocks 3 of 12}. */
  public static String steps(JsonNode job) {
    JsonNode progress = job.path("progress");
    long total = progress.path("total").asLong(0);
    String what = Words.text(progress, "what");
    String counted = total > 0 ? " " + progress.path("done").asLong(0) + " of " + total : "";
    boolean open = !ended(job) && !what.isEmpty();
    return "job "
        + Words.text(job, "id")
        + ": "
        + Words.text(job, "state")
        + (open ? ", " + what + counted : "");
  }

  /**
   * Makes sure that a job came to a good end.
   *
   * @throws Failure exit code 1 with the controller's reason, or with how far it is
   */
  public static void require(JsonNode job, int seconds) {
    if (done(job)) {
      return;
    }
    JsonNode problem = job.path("problem");
    if (problem.isObject()) {
      throw Failure.refused(Words.text(problem, "detail"), Words.texts(problem.path("hints")));
    }
    if (ended(job)) {
      throw Failure.refused("job " + Words.text(job, "id") + " was cancelled", List.of());
    }
    boolean decided = Words.text(job, "state").equals("applying");
    throw Failure.refused(
        (decided
                ? "it is decided at epoch "
                    + Words.text(job, "epoch")
                    + ", but the fabric does not have it after "
                : "it is not decided after ")
            + seconds
            + " s ("
            + steps(job)
            + ")",
        List.of(
            "'heddle jobs wait " + Words.text(job, "id") + "' waits on",
            "'heddle fabric status' says what is wrong with the fabric"));
  }
}
