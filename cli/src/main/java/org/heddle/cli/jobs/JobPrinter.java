package org.heddle.cli.jobs;

import org.heddle.cli.remote.Jobs;
import org.heddle.cli.remote.ServerClient;
import org.heddle.cli.remote.Words;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.Session;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Prints a job. */
final class JobPrinter {
  private JobPrinter() {}

  static void print(
      Session session, boolean json, ServerClient client, String format, JsonNode job) {
    if (json) {
      ObjectNode document = client.document(format);
      document.set("job", job);
      Json.print(session, document);
      return;
    }
    String subject = Words.text(job, "subject");
    session
        .out()
        .println(
            session.terminal().bold(Jobs.steps(job))
                + " ("
                + Words.text(job, "kind")
                + (subject.isEmpty() ? "" : " " + subject)
                + ", asked for by "
                + Words.text(job, "actor")
                + " "
                + Words.moment(job, "created")
                + ")");
    line(session, job, "epoch");
    line(session, job, "result");
    JsonNode problem = job.path("problem");
    if (problem.isObject()) {
      session.out().println("  " + session.terminal().bad(Words.text(problem, "detail")));
      Words.texts(problem.path("hints")).forEach(h -> session.out().println("  " + h));
    }
  }

  private static void line(Session session, JsonNode job, String key) {
    String text = Words.text(job, key);
    if (!text.isEmpty()) {
      session.out().println("  " + key + " " + text);
    }
  }
}
