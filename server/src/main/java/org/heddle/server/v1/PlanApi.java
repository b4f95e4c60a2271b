package org.heddle.server.v1;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Semaphore;
import org.heddle.control.Controller;
import org.heddle.control.model.Job;
import org.heddle.control.model.Plan;
import org.heddle.control.model.Request;
import org.heddle.plan.Progress;
import org.heddle.plan.model.Change;
import org.heddle.plan.model.EventKind;
import org.heddle.plan.model.JournalEntry;
import org.heddle.plan.model.Outcome;
import org.heddle.server.http.Call;
import org.heddle.server.http.Cut;
import org.heddle.server.http.Documents;
import org.heddle.server.http.Listing;
import org.heddle.server.http.Pages;
import org.heddle.server.http.Problem;
import org.heddle.server.http.Reply;
import org.heddle.server.http.Route;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Plans: several changes tried together, kept with what would become of them, and applied later as
 * one epoch if the state is still the one they were tried on. For the provider; a viewer reads, and
 * for tenants there are none.
 *
 * <p>Whether a plan was applied is read from the journal: the epoch after its base is its own, or
 * it is out of date. So there is nothing that a crash could leave half done.
 */
public final class PlanApi {
  private static final int KEEP = 10_000;

  /** Characters of a text in a refused plan that are kept. */
  private static final int TEXT = 1000;

  private static final int ATTEMPTS = 8;

  /** Where plans are made. */
  public static final String PLANS = "/v1/plans";

  /** Who waits while another plan is worked out. */
  private static final int WAITING = 32;

  private final Controller controller;

  /** One plan at a time: a large fabric's takes a whole processor, and memory. */
  private final Semaphore planning = new Semaphore(1, true);

  public PlanApi(Controller controller) {
    this.controller = controller;
  }

  /** A plan in lists. */
  record Summary(
      long id,
      String state,
      long epoch,
      Optional<Long> appliedEpoch,
      String created,
      String actor,
      int changes,
      boolean proven,
      String reason) {}

  /** A plan with what would become of it. */
  record PlanDocument(
      long id,
      String state,
      long epoch,
      Optional<Long> appliedEpoch,
      String created,
      String actor,
      JsonNode changes,
      JsonNode result) {}

  record Applied(long id, long epoch, String outcome) {}

  public List<Route> routes() {
    return List.of(
        new Route("GET", "/v1/plans", false, "Plans, by id", this::list)
            .taking(Listing.DONE)
            .lists(Summary.class),
        new Route("POST", PLANS, true, "Try changes together", c -> create(c, Progress.NONE))
            .makes(PlanDocument.class)
            .asJob(_ -> Job.PLAN, this::create),
        new Route("GET", "/v1/plans/{id}", false, "A plan: what would change", this::one)
            .answers(PlanDocument.class),
        new Route("POST", "/v1/plans/{id}/apply", true, "Make a plan's changes", this::apply)
            .answers(Applied.class)
            .asJob(EventKind.PLAN_APPLIED));
  }

  private static void provider(Call call, boolean changing) {
    if (changing ? !call.actor().changes("") : !call.actor().sees("")) {
      throw Problem.notFound();
    }
  }

  private Reply create(Call call, Progress progress) {
    provider(call, true);
    Request request = ApiV1.request(call);
    String fabric = controller.view().name();
    Optional<Plan> earlier =
        controller.store().planOfKey(fabric, request.actor().name(), request.key());
    if (earlier.isPresent()) {
      return created(earlier.get(), request);
    }
    Tried tried = oneAtATime(call.json(), progress);
    if (tried.outcome instanceof Outcome.Refused no && no.code() == Outcome.Code.UNAVAILABLE) {
      throw new Problem(503, ApiV1.word(no.code()), no.reason(), no.allHints());
    }
    Plan plan =
        new Plan(
            0,
            tried.base,
            Instant.now(),
            request.actor().name(),
            request.key(),
            request.digest(),
            Documents.JSON.writeValueAsString(kept(call.json().get("changes"), tried.outcome)),
            Documents.JSON.writeValueAsString(PlanResult.of(tried.outcome)));
    if (request.dryRun()) {
      return Reply.ok(document(plan));
    }
    return created(controller.store().put(fabric, plan, KEEP), request);
  }

  /** Of a refused plan, which is never applied, long texts are kept in part. */
  private static JsonNode kept(JsonNode changes, Outcome outcome) {
    if (outcome instanceof Outcome.Refused) {
      for (JsonNode change : changes) {
        if (change instanceof ObjectNode fields && fields.path("text").isString()) {
          fields.put("text", Cut.to(TEXT, fields.get("text").stringValue()));
        }
      }
    }
    return changes;
  }

  private record Tried(long base, Outcome outcome) {}

  private Tried oneAtATime(JsonNode body, Progress progress) {
    if (planning.getQueueLength() >= WAITING) {
      throw Problem.tooMany(503, "unavailable", "too many plans wait");
    }
    planning.acquireUninterruptibly();
    try {
      return tried(body, progress);
    } finally {
      planning.release();
    }
  }

  /** Others change the state meanwhile: what depends on it is read again, a few times. */
  private Tried tried(JsonNode body, Progress progress) {
    Tried out = null;
    for (int i = 0; i < ATTEMPTS; i++) {
      long epoch = controller.view().epoch();
      PlanChanges changes = PlanChanges.read(body, controller);
      Change together = new Change.Batch("a plan", changes.all(), changes.base());
      switch (controller.tryOut(together, progress)) {
        case Outcome.Accepted a -> {
          return new Tried(a.epoch() - 1, a);
        }
        case Outcome.Unchanged u -> {
          return new Tried(u.epoch(), u);
        }
        case Outcome.Refused no -> out = new Tried(epoch, no);
      }
      if (controller.view().epoch() == epoch) {
        break;
      }
    }
    return out;
  }

  private Reply created(Plan plan, Request request) {
    if (!plan.digest().equals(request.digest())) {
      throw new Problem(422, "key-reused", "the key was used for another request");
    }
    return new Reply(201, document(plan), Map.of("Location", "/v1/plans/" + plan.id()));
  }

  private Reply one(Call call) {
    provider(call, false);
    return Reply.ok(document(plan(call)));
  }

  private Plan plan(Call call) {
    return controller
        .store()
        .plan(controller.view().name(), call.id())
        .orElseThrow(Problem::notFound);
  }

  private Reply list(Call call) {
    provider(call, false);
    Listing asked = Listing.of(call);
    List<Plan> all =
        Pages.of(
            asked,
            part -> controller.store().plans(controller.view().name(), part),
            Plan::id,
            p -> Optional.of(p).filter(x -> asked.wants(x.at(), x.actor())));
    List<Summary> out = new ArrayList<>();
    for (Plan p : all) {
      State s = state(p);
      JsonNode result = Documents.JSON.readTree(p.result());
      out.add(
          new Summary(
              p.id(),
              s.word,
              p.base(),
              s.epoch,
              p.at().toString(),
              p.actor(),
              Documents.JSON.readTree(p.changes()).size(),
              result.get("proven").booleanValue(),
              result.get("reason").stringValue()));
    }
    String next = all.isEmpty() ? null : Long.toString(all.getLast().id());
    return Reply.ok(new ApiV1.Page(out, Optional.ofNullable(next)));
  }

  private record State(String word, Optional<Long> epoch) {}

  /** Refused when it was tried, applied, out of date, or ready. */
  private State state(Plan p) {
    if (!Documents.JSON.readTree(p.result()).get("proven").booleanValue()) {
      return new State("refused", Optional.empty());
    }
    if (controller.view().epoch() == p.base()) {
      return new State("ready", Optional.empty());
    }
    return controller.store().journal(controller.view().name(), p.base(), 1).stream()
        .filter(e -> isOf(p, e))
        .findFirst()
        .map(e -> new State("applied", Optional.of(e.epoch())))
        .orElse(new State("stale", Optional.empty()));
  }

  private static boolean isOf(Plan p, JournalEntry e) {
    return e.kind() == EventKind.PLAN_APPLIED
        && e.subject().equals(p.subject())
        && e.epoch() == p.base() + 1;
  }

  private PlanDocument document(Plan p) {
    State s = p.id() == 0 ? new State("tried", Optional.empty()) : state(p);
    return new PlanDocument(
        p.id(),
        s.word,
        p.base(),
        s.epoch,
        p.at().toString(),
        p.actor(),
        Documents.JSON.readTree(p.changes()),
        Documents.JSON.readTree(p.result()));
  }

  private Reply apply(Call call) {
    provider(call, true);
    Plan plan = plan(call);
    State s = state(plan);
    if (s.word.equals("applied")) {
      return Reply.ok(new Applied(plan.id(), s.epoch.orElseThrow(), "applied"));
    }
    if (s.word.equals("refused")) {
      throw new Problem(409, "conflict", "the plan was refused: " + reason(plan));
    }
    if (s.word.equals("stale")) {
      throw new Problem(
          409, "conflict", "the state that it was planned on, epoch " + plan.base() + ", is gone");
    }
    JsonNode body =
        Documents.JSON.createObjectNode().set("changes", Documents.JSON.readTree(plan.changes()));
    PlanChanges changes = PlanChanges.read(body, controller);
    Change together = new Change.Batch(plan.subject(), changes.all(), OptionalLong.of(plan.base()));
    Request r = ApiV1.request(call);
    return applied(plan, r, controller.submit(together, r).join());
  }

  private static String reason(Plan plan) {
    return Documents.JSON.readTree(plan.result()).get("reason").stringValue();
  }

  private Reply applied(Plan plan, Request r, Outcome outcome) {
    return switch (outcome) {
      case Outcome.Accepted a ->
          Reply.ok(new Applied(plan.id(), a.epoch(), r.dryRun() ? "would-be" : "applied"));
      case Outcome.Unchanged u -> Reply.ok(new Applied(plan.id(), u.epoch(), "unchanged"));
      case Outcome.Refused no -> {
        State now = state(plan); // somebody else may have applied it meanwhile
        if (now.word.equals("applied")) {
          yield Reply.ok(new Applied(plan.id(), now.epoch.orElseThrow(), "applied"));
        }
        throw ApiV1.refused(r.actor(), no);
      }
    };
  }
}
