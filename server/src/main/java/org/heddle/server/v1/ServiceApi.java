package org.heddle.server.v1;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.heddle.control.Controller;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.plan.DesiredState;
import org.heddle.plan.model.Change;
import org.heddle.plan.model.Drained;
import org.heddle.plan.model.EventKind;
import org.heddle.plan.model.LinkRef;
import org.heddle.plan.model.Outcome;
import org.heddle.server.http.Call;
import org.heddle.server.http.Documents;
import org.heddle.server.http.Hosts;
import org.heddle.server.http.Problem;
import org.heddle.server.http.Reply;
import org.heddle.server.http.Route;
import tools.jackson.databind.JsonNode;

/** Takes links and switches out of service, and puts them back. For the provider. */
public final class ServiceApi {
  static final String DRAINED = "drained";
  private static final String UP = "up";
  private static final Set<String> FIELDS = Set.of("state", "force");

  private final Controller controller;

  public ServiceApi(Controller controller) {
    this.controller = controller;
  }

  /**
   * What became of it.
   *
   * @param tables with tenants and VMs: for a dry run, what would be written, and to whom something
   *     would happen
   */
  record StateDocument(
      String id,
      String state,
      long epoch,
      String outcome,
      Optional<Documents.TablesDocument> tables,
      Optional<List<PlanResult.TenantChange>> tenants,
      Optional<PlanResult.Vms> vms) {}

  public List<Route> routes() {
    return List.of(
        new Route("PUT", "/v1/links/{id}", true, "Drain a link, or put it back", this::link)
            .answers(StateDocument.class)
            .asJob(
                call -> kind(call, EventKind.LINK_DRAINED, EventKind.LINK_RETURNED),
                (call, _) -> link(call)),
        new Route(
                "PUT",
                "/v1/nodes/{guid}",
                true,
                "Drain a switch or a machine, or put it back",
                this::node)
            .answers(StateDocument.class)
            .asJob(
                call -> kind(call, EventKind.NODE_DRAINED, EventKind.NODE_RETURNED),
                (call, _) -> node(call)));
  }

  private static String kind(Call call, EventKind drained, EventKind returned) {
    boolean up =
        new String(call.body(), java.nio.charset.StandardCharsets.UTF_8).contains("\"up\"");
    return (up ? returned : drained).word();
  }

  private static void provider(Call call) {
    if (!call.actor().changes("")) {
      throw Problem.notFound();
    }
  }

  private Reply link(Call call) {
    provider(call);
    String id = call.variables().get("id");
    DesiredState v = controller.view();
    LinkRef link = find(v, id).orElseThrow(Problem::notFound);
    return change(call, link.id(), new Drained(List.of(link), List.of()));
  }

  private Reply node(Call call) {
    provider(call);
    DesiredState v = controller.view();
    long wanted = call.guid();
    int node = v.fabric().findNode(wanted);
    if (node == Fabric.NONE && !v.drained().hasSwitch(wanted)) {
      throw Problem.notFound();
    }
    if (node != Fabric.NONE && !v.fabric().isSwitch(node)) {
      return change(call, Guid.format(wanted), machine(v, node));
    }
    return change(call, Guid.format(wanted), new Drained(List.of(), List.of(wanted)));
  }

  /** The cables of all adapters of the machine that a node is in. */
  private static Drained machine(DesiredState v, int node) {
    Fabric fabric = v.fabric();
    int machine = fabric.machines().of(node);
    int[] nodes = machine == Fabric.NONE ? new int[] {node} : fabric.machines().adapters(machine);
    List<LinkRef> links = new ArrayList<>();
    for (int adapter : nodes) {
      for (int k = 1; k <= fabric.portCount(adapter); k++) {
        find(v, Guid.format(fabric.nodeGuid(adapter)) + ":" + k).ifPresent(links::add);
      }
    }
    if (links.isEmpty()) {
      throw Problem.malformed("that machine has no cable");
    }
    return new Drained(links, List.of());
  }

  /** True if a text may be what a link is called. */
  static boolean isId(String text) {
    return text.matches(Hosts.GUID + ":\\d{1,3}");
  }

  /**
   * The link at one of its ends: one that is drained, that the fabric has, or that a tenant holds
   * and the fabric does not have.
   */
  static Optional<LinkRef> find(DesiredState v, String id) {
    if (!isId(id)) {
      return Optional.empty();
    }
    int colon = id.indexOf(':');
    long guid = Guid.parse(id.substring(0, colon)).value();
    int number = Integer.parseInt(id.substring(colon + 1));
    List<LinkRef> known = new ArrayList<>(v.drained().links());
    Inventory.cable(v, guid, number).ifPresent(known::add);
    v.all().forEach(t -> known.addAll(t.links()));
    return known.stream()
        .filter(
            l -> l.from() == guid && l.port() == number || l.to() == guid && l.toPort() == number)
        .findFirst();
  }

  private Reply change(Call call, String id, Drained what) {
    JsonNode body = call.json(FIELDS);
    String state = Documents.text(body, "state", "");
    boolean known = state.equals(DRAINED) || state.equals(UP);
    if (!known || body.has("force") && !body.get("force").isBoolean()) {
      throw Problem.malformed("'state' is drained or up, 'force' true or false");
    }
    Change change =
        new Change.Drain(what, state.equals(DRAINED), body.path("force").asBoolean(false));
    boolean dry = ApiV1.dry(call);
    return switch (controller.submit(change, ApiV1.request(call)).join()) {
      case Outcome.Accepted a -> {
        Optional<PlanResult> would = dry ? Optional.of(PlanResult.of(a)) : Optional.empty();
        yield reply(
            new StateDocument(
                id,
                state,
                a.epoch(),
                dry ? "would-be" : "accepted",
                would.map(PlanResult::tables),
                would.map(PlanResult::tenants),
                would.map(PlanResult::vms)));
      }
      case Outcome.Unchanged u ->
          reply(
              new StateDocument(
                  id,
                  state,
                  u.epoch(),
                  "unchanged",
                  Optional.empty(),
                  Optional.empty(),
                  Optional.empty()));
      case Outcome.Refused no -> throw ApiV1.refused(call.actor(), no);
    };
  }

  private static Reply reply(StateDocument document) {
    return new Reply(200, document, Map.of());
  }
}
