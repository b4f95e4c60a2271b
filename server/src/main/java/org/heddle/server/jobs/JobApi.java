package org.heddle.server.jobs;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.heddle.control.model.Actor;
import org.heddle.control.model.Job;
import org.heddle.server.http.Call;
import org.heddle.server.http.Listing;
import org.heddle.server.http.Pages;
import org.heddle.server.http.Problem;
import org.heddle.server.http.Reply;
import org.heddle.server.http.Route;
import org.heddle.server.v1.ApiV1;

/** Jobs: a tenant's credentials see and withdraw those that credentials of the same tenant made. */
public final class JobApi {

  private static final Set<String> STATES =
      Arrays.stream(Job.State.values()).map(Job.State::word).collect(Collectors.toSet());

  private final Jobs jobs;

  public JobApi(Jobs jobs) {
    this.jobs = jobs;
  }

  public List<Route> routes() {
    return List.of(
        new Route("GET", "/v1/jobs", false, "Jobs, by id", this::list)
            .taking(Listing.DONE, "state")
            .lists(JobDocument.class),
        new Route("GET", "/v1/jobs/{id}", false, "A job: how far it is", this::one)
            .answers(JobDocument.class),
        new Route("DELETE", "/v1/jobs/{id}", true, "Withdraw a job that waits", this::cancel)
            .answers(JobDocument.class));
  }

  /** Goes on until there are enough of the state that is asked for; those under way are at hand. */
  private Reply list(Call call) {
    String state = call.query().getOrDefault("state", "");
    if (!state.isEmpty() && !STATES.contains(state)) {
      throw Problem.malformed("'state' is one of " + String.join(", ", new TreeSet<>(STATES)));
    }
    Listing asked = Listing.of(call);
    Actor actor = call.actor();
    Optional<String> owner =
        actor.role() == Actor.Role.TENANT ? Optional.of(actor.tenant()) : Optional.empty();
    boolean live = !state.isEmpty() && !Job.State.valueOf(state.toUpperCase(Locale.ROOT)).isLast();
    List<JobDocument> out =
        Pages.of(
            asked,
            part -> live ? jobs.underWay(part, owner) : jobs.part(part, owner),
            Job::id,
            j ->
                Optional.of(j)
                    .filter(x -> state.isEmpty() || x.state().word().equals(state))
                    .filter(x -> asked.wants(x.created(), x.actor()))
                    .map(JobDocument::of));
    String next = out.isEmpty() ? null : Long.toString(out.getLast().id());
    return Reply.ok(new ApiV1.Page(out, Optional.ofNullable(next)));
  }

  private Job job(Call call) {
    return jobs.job(call.id())
        .filter(j -> call.actor().sees(j.owner()))
        .orElseThrow(Problem::notFound);
  }

  private Reply one(Call call) {
    return Reply.ok(JobDocument.of(job(call)));
  }

  private Reply cancel(Call call) {
    Job there = job(call);
    if (!call.actor().changes(there.owner())) {
      throw Problem.notFound();
    }
    Job job = jobs.cancel(there);
    if (job.state() == Job.State.CANCELLED) {
      return Reply.ok(JobDocument.of(job));
    }
    throw new Problem(
        409,
        "conflict",
        job.state().isLast() || job.state() == Job.State.APPLYING
            ? "it is decided: " + job.state().word()
            : "it is being decided");
  }
}
