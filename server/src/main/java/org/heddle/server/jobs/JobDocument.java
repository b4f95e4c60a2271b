package org.heddle.server.jobs;

import java.util.Optional;
import org.heddle.control.model.Job;
import org.heddle.server.http.Documents;
import tools.jackson.databind.JsonNode;

/** A job as it is shown. */
record JobDocument(
    long id,
    String kind,
    String subject,
    String actor,
    String state,
    Steps progress,
    Optional<Long> epoch,
    Optional<String> result,
    Optional<JsonNode> problem,
    String created,
    Optional<String> finished) {

  /** What the numbers count; a total of 0 is not known. */
  record Steps(String what, long done, long total) {}

  static JobDocument of(Job job) {
    return new JobDocument(
        job.id(),
        job.kind(),
        job.subject(),
        job.actor(),
        job.state().word(),
        new Steps(job.what(), job.done(), job.total()),
        job.epoch() == 0 ? Optional.empty() : Optional.of(job.epoch()),
        Optional.of(job.result()).filter(r -> !r.isEmpty()),
        Optional.of(job.problem()).filter(p -> !p.isEmpty()).map(Documents.JSON::readTree),
        job.created().toString(),
        job.finished().map(Object::toString));
  }
}
