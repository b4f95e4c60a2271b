package org.heddle.server.v1;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.heddle.control.Controller;
import org.heddle.control.Reconciler;
import org.heddle.control.model.Actor;
import org.heddle.control.model.AuditRecord;
import org.heddle.control.model.Request;
import org.heddle.fabric.Guid;
import org.heddle.plan.DesiredState;
import org.heddle.plan.EngineInForce;
import org.heddle.plan.model.Change;
import org.heddle.plan.model.Event;
import org.heddle.plan.model.EventKind;
import org.heddle.plan.model.JournalEntry;
import org.heddle.plan.model.Outcome;
import org.heddle.plan.model.Tenant;
import org.heddle.plan.model.TenantSpec;
import org.heddle.server.auth.Credentials;
import org.heddle.server.http.Call;
import org.heddle.server.http.Conditions;
import org.heddle.server.http.Digests;
import org.heddle.server.http.Documents;
import org.heddle.server.http.Listing;
import org.heddle.server.http.Pages;
import org.heddle.server.http.Problem;
import org.heddle.server.http.Reply;
import org.heddle.server.http.Route;
import tools.jackson.databind.JsonNode;

/** The calls of {@code /v1}. Tenants see their own; what is another's is not there for them. */
public final class ApiV1 {
  /** Others change the state meanwhile: what depends on it is read again, a few times. */
  private static final int ATTEMPTS = 16;

  private final Controller controller;
  private final Reconciler reconciler;
  private final Credentials credentials;
  private final EventStreams streams;

  public ApiV1(
      Controller controller, Reconciler reconciler, Credentials credentials, EventStreams streams) {
    this.streams = streams;
    this.credentials = credentials;
    this.controller = controller;
    this.reconciler = reconciler;
  }

  record FabricDocument(
      String name,
      long epoch,
      int switches,
      int hosts,
      int machines,
      int freeHosts,
      String fingerprint,
      EngineDocument engine,
      List<String> notes,
      OutDocument drained,
      StatusDocument status) {}

  /**
   * Whose tables are under the tenants' own.
   *
   * @param wanted the engine that was chosen
   * @param used the engine that made them
   * @param fallback why another one did, if the one wanted cannot route the fabric; else empty
   */
  record EngineDocument(String wanted, String used, String fallback) {
    static EngineDocument of(EngineInForce e) {
      return new EngineDocument(e.wanted(), e.used(), e.fallback().orElse(""));
    }
  }

  /** How many links and switches are out of service. */
  record OutDocument(int links, int switches) {}

  public record Page(List<?> items, Optional<String> next) {}

  record Change1(
      long epoch,
      String outcome,
      Optional<Documents.TenantDocument> tenant,
      Optional<Documents.TablesDocument> tables) {}

  public List<Route> routes() {
    return List.of(
        new Route("GET", "/v1/fabrics", false, "The fabrics", this::fabrics)
            .lists(FabricDocument.class, PublicFabricDocument.class),
        new Route("GET", "/v1/tenants", false, "Tenants, by name", this::tenants)
            .taking(Listing.PART)
            .lists(Documents.TenantDocument.class),
        new Route("POST", "/v1/tenants", true, "Admit a tenant", this::create)
            .makes(Change1.class)
            .asJob(EventKind.TENANT_CREATED),
        new Route("GET", "/v1/tenants/{name}", false, "A tenant", this::tenant)
            .answers(Documents.TenantDocument.class),
        new Route("PUT", "/v1/tenants/{name}", true, "Change a tenant", this::replace)
            .answers(Change1.class)
            .asJob(EventKind.TENANT_CHANGED),
        new Route("DELETE", "/v1/tenants/{name}", true, "Let a tenant go", this::delete)
            .answers(Change1.class)
            .asJob(EventKind.TENANT_DELETED),
        new Route("GET", "/v1/events", false, "Events after an id, or a stream", this::events)
            .taking(Listing.TIMED, "last")
            .lists(EventDocument.class),
        new Route("GET", "/v1/event-kinds", false, "Kinds of events", this::eventKinds)
            .lists(EventKindDocument.class),
        new Route("GET", "/v1/history", false, "The journal", this::history)
            .taking(Listing.DONE)
            .lists(HistoryDocument.class),
        new Route("GET", "/v1/audit", false, "Requests for changes", this::audit)
            .taking(Listing.DONE)
            .lists(AuditDocument.class),
        new Route("POST", "/v1/rollback", true, "Return to an epoch", this::rollback)
            .answers(Change1.class)
            .asJob(EventKind.ROLLED_BACK),
        new Route(
                "POST",
                "/v1/write-off",
                true,
                "Plan for the fabric as it is, without waiting for what it lacks",
                this::writeOff)
            .answers(Change1.class)
            .asJob(EventKind.FABRIC_WRITTEN_OFF));
  }

  /** What changes with the tenants there are is not for tenants. */
  record PublicFabricDocument(
      String name, int switches, int hosts, int machines, String fingerprint) {}

  private Reply fabrics(Call call) {
    DesiredState v = controller.view();
    int switches = v.fabric().switchCount();
    int hosts = v.fabric().caCount();
    int machines = v.fabric().machines().count();
    String print = Guid.format(v.fabric().fingerprint());
    Object document =
        call.actor().role() == Actor.Role.TENANT
            ? new PublicFabricDocument(v.name(), switches, hosts, machines, print)
            : new FabricDocument(
                v.name(),
                v.epoch(),
                switches,
                hosts,
                machines,
                v.freeHosts(),
                print,
                EngineDocument.of(v.engine()),
                v.notes(),
                new OutDocument(v.drained().links().size(), v.drained().switches().size()),
                StatusDocument.of(reconciler.status()));
    return Reply.ok(new Page(List.of(document), Optional.empty()));
  }

  private Reply tenants(Call call) {
    DesiredState v = controller.view();
    String after = call.query().getOrDefault("after", "");
    int limit = call.limit();
    List<Documents.TenantDocument> out = new ArrayList<>();
    List<Tenant> all =
        v.all().stream()
            .filter(t -> call.actor().sees(t.spec().owner()) && t.name().compareTo(after) > 0)
            .sorted(java.util.Comparator.comparing(Tenant::name))
            .toList();
    all.stream().limit(limit).forEach(t -> out.add(Documents.tenant(v, t)));
    boolean more = all.size() > out.size() && !out.isEmpty();
    return Reply.ok(new Page(out, more ? Optional.of(out.getLast().name()) : Optional.empty()));
  }

  private Tenant own(Call call, DesiredState v, boolean changing) {
    return v.tenant(call.variables().get("name"))
        .filter(t -> call.actor().sees(t.spec().owner()))
        .filter(t -> !changing || call.actor().changes(t.spec().owner()))
        .orElseThrow(Problem::notFound);
  }

  private Reply tenant(Call call) {
    DesiredState v = controller.view();
    Tenant t = own(call, v, false);
    return new Reply(200, Documents.tenant(v, t), Map.of("ETag", "\"" + t.changed() + "\""));
  }

  private Reply create(Call call) {
    TenantSpec spec = Documents.spec(call.json(), call.actor().tenant());
    requireOwner(call, spec);
    if (!Conditions.absent(call)) {
      return submit(call, new Change.Create(spec), 201);
    }
    Optional<Reply> earlier = repeated(call, 201);
    if (earlier.isPresent()) {
      return earlier.get();
    }
    Outcome outcome =
        controller.view().tenant(spec.name()).isPresent()
            ? new Outcome.Unchanged(0, Optional.empty())
            : controller.submit(new Change.Create(spec), request(call)).join();
    if (outcome instanceof Outcome.Unchanged) {
      throw Conditions.present(spec.name());
    }
    return reply(call, outcome, 201);
  }

  private Reply replace(Call call) {
    Optional<Reply> earlier = repeated(call, 200);
    if (earlier.isPresent()) {
      return earlier.get();
    }
    Tenant there = own(call, controller.view(), true);
    TenantSpec spec = Documents.spec(call.json(), there.spec().owner());
    requireOwner(call, spec);
    spec =
        spec.withPartition(
            Documents.ipOverIb(call.json(), there.spec().partition())
                .withKey(spec.partition().pkey()));
    if (!call.json().has("members")) {
      spec = spec.withMembers(there.spec().members());
    }
    if (!spec.name().equals(there.name())) {
      String wrong =
          spec.name().isEmpty() ? "'name' is missing" : "the name is not that of the path";
      throw Problem.malformed(wrong + ": the body says the whole tenant");
    }
    return submit(call, new Change.Replace(spec, Conditions.version(call, there.changed())), 200);
  }

  private Reply delete(Call call) {
    Optional<Reply> earlier = repeated(call, 200);
    if (earlier.isPresent()) {
      return earlier.get();
    }
    Tenant there = own(call, controller.view(), true);
    return submit(
        call, new Change.Delete(there.name(), Conditions.version(call, there.changed())), 200);
  }

  /**
   * A tenant's token makes things of its own, under names that begin with its own, with keys and
   * hosts of the controller's choice and without members: so that what is taken already tells it
   * nothing of others, and nobody else's port gets its key.
   */
  static void requireOwner(Call call, TenantSpec spec) {
    if (call.actor().role() == Actor.Role.PROVIDER) {
      return;
    }
    String own = call.actor().tenant();
    boolean named = spec.name().equals(own) || spec.name().startsWith(own + ".");
    boolean chosen = spec.partition().pkey() != 0 || !spec.named().isEmpty();
    if (!call.actor().changes(spec.owner()) || !named || chosen || !spec.members().isEmpty()) {
      throw new Problem(
          403,
          "forbidden",
          "a tenant's token makes '%s' or '%s.*', without pkey, host_guids and members"
              .formatted(own, own));
    }
  }

  public static boolean dry(Call call) {
    for (String name : call.query().keySet()) {
      String letters = name.toLowerCase(java.util.Locale.ROOT).replaceAll("[^a-z]", "");
      if (letters.equals("dryrun") && !name.equals("dry_run")) {
        throw Problem.malformed("did you mean 'dry_run' instead of '" + name + "'?");
      }
    }
    return call.flag("dry_run");
  }

  public static Request request(Call call) {
    String key = call.header("idempotency-key").orElse("");
    if (key.length() > 200) {
      throw Problem.malformed("an Idempotency-Key has 200 characters at most");
    }
    return new Request(call.actor(), key, key.isEmpty() ? "" : digest(call), dry(call));
  }

  /** The answer to the same request sent before: the tenant it let go is not there any more. */
  private Optional<Reply> repeated(Call call, int status) {
    return controller.answered(request(call)).map(o -> reply(call, o, status));
  }

  private Reply submit(Call call, Change change, int status) {
    return reply(call, controller.submit(change, request(call)).join(), status);
  }

  private Reply reply(Call call, Outcome outcome, int status) {
    boolean dry = dry(call);
    DesiredState v = controller.view();
    return switch (outcome) {
      case Outcome.Accepted a ->
          new Reply(
              dry ? 200 : status,
              new Change1(
                  a.epoch(),
                  dry ? "would-be" : "accepted",
                  a.tenant().map(x -> Documents.tenant(v, x)),
                  dry && call.actor().sees("")
                      ? Optional.of(Documents.tables(a.tables()))
                      : Optional.empty()),
              headers(a.tenant(), !dry && status == 201));
      case Outcome.Unchanged u -> new Reply(200, unchanged(v, u), tag(u.tenant()));
      case Outcome.Refused no -> throw refused(call.actor(), no);
    };
  }

  /** A refusal as its sender may see it. */
  static Problem refused(Actor actor, Outcome.Refused no) {
    return no.code() == Outcome.Code.UNAVAILABLE
        ? Problem.tooMany(status(no.code()), word(no.code()), no.reason())
        : new Problem(status(no.code()), word(no.code()), reason(actor, no), hints(actor, no));
  }

  /** Why tables cannot be made or proven may name others; a tenant learns that they cannot. */
  static String reason(Actor actor, Outcome.Refused no) {
    boolean ofTables =
        no.code() == Outcome.Code.UNPROVEN
            || no.code() == Outcome.Code.NO_PLACE && no.hints().isEmpty();
    return actor.role() == Actor.Role.TENANT && ofTables
        ? "it cannot be routed beside what is there"
        : no.reason();
  }

  /** What would help; a tenant does not learn of others. */
  static List<String> hints(Actor actor, Outcome.Refused no) {
    return actor.role() == Actor.Role.TENANT ? no.hints() : no.allHints();
  }

  private static Map<String, String> headers(Optional<Tenant> t, boolean made) {
    Map<String, String> out = new HashMap<>(tag(t));
    t.filter(_ -> made).ifPresent(x -> out.put("Location", "/v1/tenants/" + x.name()));
    return out;
  }

  private static Map<String, String> tag(Optional<Tenant> t) {
    return t.map(x -> Map.of("ETag", "\"" + x.changed() + "\"")).orElse(Map.of());
  }

  private static Change1 unchanged(DesiredState v, Outcome.Unchanged u) {
    return new Change1(
        u.epoch(), "unchanged", u.tenant().map(x -> Documents.tenant(v, x)), Optional.empty());
  }

  static String word(Outcome.Code code) {
    return code.name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
  }

  static int status(Outcome.Code code) {
    return switch (code) {
      case INVALID -> 400;
      case NOT_FOUND -> 404;
      case CONFLICT, NO_PLACE -> 409;
      case STALE -> 412;
      case QUOTA -> 403;
      case UNPROVEN, KEY_REUSED -> 422;
      case UNAVAILABLE -> 503;
    };
  }

  private static String digest(Call call) {
    String head = call.method() + " " + call.path() + "\n";
    return Digests.sha256(head.getBytes(StandardCharsets.UTF_8), call.body());
  }

  /** Goes on until there are enough of those that the sender may see. */
  private Reply events(Call call) {
    if (call.header("accept").orElse("").contains("text/event-stream")) {
      String sender = call.header("authorization").orElse("");
      return streams.open(
          call,
          () ->
              credentials.isEmpty()
                  || (sender.isEmpty()
                          ? credentials.named(call.actor().name()) // by a certificate
                          : credentials.actor(sender))
                      .isPresent());
    }
    Listing asked = Listing.of(call);
    String fabric = controller.view().name();
    if (call.query().containsKey("last")) {
      long last = call.count("last", Listing.PAGE);
      asked = asked.notBefore(controller.store().lastEvent(fabric) - last);
    }
    Listing wanted = asked;
    List<Event> out =
        Pages.of(
            wanted,
            part -> controller.store().events(fabric, part),
            Event::id,
            e -> Optional.of(e).filter(x -> call.actor().sees(x.owner()) && wanted.wants(x.at())));
    Optional<String> next =
        out.isEmpty() ? Optional.empty() : Optional.of(Long.toString(out.getLast().id()));
    return Reply.ok(new Page(out.stream().map(EventDocument::of).toList(), next));
  }

  private Reply eventKinds(Call call) {
    return Reply.ok(new Page(EventKindDocument.all(), Optional.empty()));
  }

  private Reply history(Call call) {
    if (!call.actor().sees("")) {
      throw Problem.notFound();
    }
    Listing asked = Listing.of(call);
    List<JournalEntry> all =
        Pages.of(
            asked,
            part -> controller.store().journal(controller.view().name(), part),
            JournalEntry::epoch,
            e -> Optional.of(e).filter(x -> asked.wants(x.at(), x.actor())));
    String next = all.isEmpty() ? null : Long.toString(all.getLast().epoch());
    return Reply.ok(
        new Page(all.stream().map(HistoryDocument::of).toList(), Optional.ofNullable(next)));
  }

  private Reply audit(Call call) {
    if (!call.actor().sees("")) {
      throw Problem.notFound();
    }
    Listing asked = Listing.of(call);
    List<AuditRecord> all =
        Pages.of(
            asked,
            controller.store()::audit,
            AuditRecord::id,
            r -> Optional.of(r).filter(x -> asked.wants(x.at(), x.actor())));
    String next = all.isEmpty() ? null : Long.toString(all.getLast().id());
    return Reply.ok(
        new Page(all.stream().map(AuditDocument::of).toList(), Optional.ofNullable(next)));
  }

  private Reply writeOff(Call call) {
    if (!call.actor().changes("")) {
      throw Problem.notFound();
    }
    return reply(call, controller.submit(new Change.WriteOff(), request(call)).join(), 200);
  }

  private Reply rollback(Call call) {
    if (!call.actor().changes("")) {
      throw Problem.notFound();
    }
    JsonNode body = call.json(Set.of("epoch", "tenant"));
    JsonNode given = body.path("epoch");
    String only = Documents.text(body, "tenant", "");
    if (!given.isIntegralNumber()) {
      throw Problem.malformed("'epoch' must be a whole number, as in the history");
    }
    long epoch = given.canConvertToLong() ? given.longValue() : -1;
    Request request = request(call);
    for (int i = 1; ; i++) {
      Change.Rollback change =
          (only.isEmpty() ? controller.rollbackTo(epoch) : controller.rollbackTo(epoch, only))
              .orElseThrow(
                  () ->
                      Problem.malformed(
                          "there is no such epoch: %d to %d"
                              .formatted(controller.oldest(), controller.view().epoch())));
      if (!only.isEmpty()
          && change.tenants().isEmpty()
          && controller.view().tenant(only).isEmpty()) {
        throw new Problem(
            404, "not-found", "there is no tenant '" + only + "', and was none at epoch " + epoch);
      }
      Outcome outcome = controller.submit(change, request).join();
      boolean again = controller.view().epoch() != change.base() && i < ATTEMPTS;
      if (!again
          || !(outcome instanceof Outcome.Refused no && no.code() == Outcome.Code.CONFLICT)) {
        return reply(call, outcome, 200);
      }
    }
  }
}
