package org.heddle.server.v1;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import org.heddle.control.Controller;
import org.heddle.control.Reconciler;
import org.heddle.control.model.Actor;
import org.heddle.fabric.Guid;
import org.heddle.plan.DesiredState;
import org.heddle.plan.model.Change;
import org.heddle.plan.model.EventKind;
import org.heddle.plan.model.Migration;
import org.heddle.plan.model.Outcome;
import org.heddle.plan.model.Tenant;
import org.heddle.plan.model.Vm;
import org.heddle.reconfig.migration.MigrationOptions;
import org.heddle.server.http.Call;
import org.heddle.server.http.Documents;
import org.heddle.server.http.Hosts;
import org.heddle.server.http.Listing;
import org.heddle.server.http.Pages;
import org.heddle.server.http.Problem;
import org.heddle.server.http.Reply;
import org.heddle.server.http.Route;
import tools.jackson.databind.JsonNode;

/**
 * Moves of virtual machines. A tenant's token moves its own among its own hosts, and of a migration
 * it sees the moves of its own.
 */
public final class MigrationApi {
  public static final String MINIMAL = MigrationOptions.Method.FTREE_MINRC.key();
  public static final String ALL = MigrationOptions.Method.ITRC.key();

  private static final int MOST_MOVES = 1000;

  private final Controller controller;
  private final Reconciler reconciler;

  public MigrationApi(Controller controller, Reconciler reconciler) {
    this.controller = controller;
    this.reconciler = reconciler;
  }

  /** One move; {@code minimum} is 2c - 1 switches with common ancestors at level c. */
  record MoveDocument(
      String vm,
      String tenant,
      String from,
      String to,
      String fromGuid,
      String toGuid,
      int lid,
      int switches,
      int minimum,
      boolean widened) {}

  /**
   * A migration; its id is its epoch. {@code reason}, {@code hints} and {@code tables} are of dry
   * runs only.
   */
  record MigrationDocument(
      Optional<Long> id,
      Optional<Long> epoch,
      Optional<String> at,
      String actor,
      String state,
      String method,
      List<MoveDocument> moves,
      Optional<Integer> smps,
      List<Integer> droppedLids,
      Optional<Documents.TablesDocument> tables,
      Optional<String> reason,
      List<String> hints) {}

  public List<Route> routes() {
    return List.of(
        new Route("GET", "/v1/migrations", false, "Moves of VMs, by epoch", this::list)
            .taking(Listing.NUMBERED)
            .lists(MigrationDocument.class),
        new Route("POST", "/v1/migrations", true, "Move virtual machines", this::move)
            .makes(MigrationDocument.class)
            .asJob(EventKind.VM_MOVED),
        new Route("GET", "/v1/migrations/{id}", false, "Moves made together", this::one)
            .answers(MigrationDocument.class));
  }

  private Reply list(Call call) {
    DesiredState v = controller.view();
    List<MigrationDocument> out =
        Pages.of(
            Listing.of(call),
            part -> controller.store().migrations(v.name(), part),
            Migration::epoch,
            m -> document(call, v, m));
    Optional<String> next =
        out.isEmpty() ? Optional.empty() : out.getLast().id().map(String::valueOf);
    return Reply.ok(new ApiV1.Page(out, next));
  }

  private Reply one(Call call) {
    DesiredState v = controller.view();
    return controller
        .store()
        .migration(v.name(), call.id())
        .flatMap(m -> document(call, v, m))
        .map(Reply::ok)
        .orElseThrow(Problem::notFound);
  }

  /** What its sender may see of it; empty if that is nothing. */
  private Optional<MigrationDocument> document(Call call, DesiredState v, Migration m) {
    String state = m.epoch() <= reconciler.reached() ? "done" : "pending";
    MigrationDocument d = document(call, v, m, state, Optional.of(m.epoch()), Optional.empty());
    return d.moves.isEmpty() ? Optional.empty() : Optional.of(d);
  }

  private static MigrationDocument document(
      Call call,
      DesiredState v,
      Migration m,
      String state,
      Optional<Long> id,
      Optional<Documents.TablesDocument> tables) {
    List<MoveDocument> moves = new ArrayList<>();
    for (Migration.Move x : m.moves()) {
      if (call.actor().sees("") || VmApi.tenant(call, v, x.tenant(), false).isPresent()) {
        moves.add(
            new MoveDocument(
                x.vm(),
                x.tenant(),
                x.from().name(),
                x.to().name(),
                Guid.format(x.from().guid()),
                Guid.format(x.to().guid()),
                x.lid(),
                x.switches(),
                x.minimum(),
                x.widened()));
      }
    }
    boolean whole = moves.size() == m.moves().size();
    boolean named = call.actor().sees("") || call.actor().name().equals(m.actor());
    return new MigrationDocument(
        id,
        Optional.of(m.epoch()),
        Optional.of(m.at().toString()),
        named ? m.actor() : "",
        state,
        m.method(),
        moves,
        whole ? Optional.of(m.smps()) : Optional.empty(),
        whole ? m.dropped() : List.of(),
        tables,
        Optional.empty(),
        List.of());
  }

  private Reply move(Call call) {
    Optional<Outcome> earlier = controller.answered(ApiV1.request(call));
    if (earlier.isPresent()) {
      return reply(call, null, earlier.get());
    }
    Change.MoveVms change = read(call, controller.view());
    return reply(call, change, controller.submit(change, ApiV1.request(call)).join());
  }

  private static Change.MoveVms read(Call call, DesiredState v) {
    return read(
        call.json(Set.of("moves", "method")),
        (name, host) -> {
          Vm vm = VmApi.own(call, v, name, true);
          Tenant tenant = v.tenant(vm.tenant()).orElseThrow(Problem::notFound);
          return new Change.VmMove(vm.name(), Hosts.of(call, v, tenant, host));
        });
  }

  /** Moves as they are sent; {@code find} has the names of a machine and of a host. */
  static Change.MoveVms read(JsonNode body, BiFunction<String, String, Change.VmMove> find) {
    String method = Documents.text(body, "method", MINIMAL);
    if (!method.equals(MINIMAL) && !method.equals(ALL)) {
      throw Problem.malformed("'method' is " + MINIMAL + " or " + ALL);
    }
    JsonNode list = body.path("moves");
    if (!list.isArray() || list.isEmpty() || list.size() > MOST_MOVES) {
      throw Problem.malformed("'moves' must be a list of 1 to " + MOST_MOVES);
    }
    List<Change.VmMove> out = new ArrayList<>();
    for (JsonNode node : list) {
      if (!node.isObject()) {
        throw Problem.malformed("a move is an object with 'vm' and 'to'");
      }
      Call.only(node, Set.of("vm", "to"));
      out.add(find.apply(Documents.text(node, "vm", ""), Documents.text(node, "to", "")));
    }
    return new Change.MoveVms(out, method.equals(MINIMAL));
  }

  private Reply reply(Call call, Change.MoveVms change, Outcome outcome) {
    boolean dry = ApiV1.dry(call);
    DesiredState v = controller.view();
    return switch (outcome) {
      case Outcome.Accepted a when dry && a.migration().isPresent() ->
          Reply.ok(
              document(
                  call,
                  v,
                  a.migration().get(),
                  "would-be",
                  Optional.empty(),
                  call.actor().sees("")
                      ? Optional.of(Documents.tables(a.tables()))
                      : Optional.empty()));
      case Outcome.Accepted a -> {
        Migration m =
            a.migration()
                .or(() -> controller.store().migration(v.name(), a.epoch()))
                .orElseThrow(Problem::notFound);
        MigrationDocument d = document(call, v, m).orElseThrow(Problem::notFound);
        yield new Reply(201, d, Map.of("Location", "/v1/migrations/" + m.epoch()));
      }
      case Outcome.Unchanged u ->
          throw new IllegalStateException("moves that change nothing at epoch " + u.epoch());
      case Outcome.Refused no -> refused(call, change, no, dry);
    };
  }

  /** A dry run that would be refused is an answer as good as the other. */
  private static Reply refused(Call call, Change.MoveVms change, Outcome.Refused no, boolean dry) {
    boolean decided =
        no.code() == Outcome.Code.CONFLICT
            || no.code() == Outcome.Code.NO_PLACE
            || no.code() == Outcome.Code.UNPROVEN;
    if (!dry || !decided || change == null) {
      throw ApiV1.refused(call.actor(), no);
    }
    return Reply.ok(
        new MigrationDocument(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            call.actor().role() == Actor.Role.TENANT ? "" : call.actor().name(),
            "refused",
            change.minimal() ? MINIMAL : ALL,
            List.of(),
            Optional.empty(),
            List.of(),
            Optional.empty(),
            Optional.of(ApiV1.reason(call.actor(), no)),
            ApiV1.hints(call.actor(), no)));
  }
}
