package org.heddle.server.v1;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongFunction;
import org.heddle.control.Controller;
import org.heddle.control.model.Actor;
import org.heddle.fabric.Guid;
import org.heddle.plan.DesiredState;
import org.heddle.plan.model.Change;
import org.heddle.plan.model.EventKind;
import org.heddle.plan.model.Outcome;
import org.heddle.plan.model.Tenant;
import org.heddle.plan.model.Vm;
import org.heddle.plan.model.VmSpec;
import org.heddle.server.http.Call;
import org.heddle.server.http.Conditions;
import org.heddle.server.http.Documents;
import org.heddle.server.http.Hosts;
import org.heddle.server.http.Listing;
import org.heddle.server.http.Problem;
import org.heddle.server.http.Reply;
import org.heddle.server.http.Route;
import tools.jackson.databind.JsonNode;

/** Virtual machines. A tenant's token has its own tenants' ones, on their hosts. */
public final class VmApi {
  static final Set<String> FIELDS = Set.of("name", "tenant", "host", "weight", "own_lid");

  private final Controller controller;

  public VmApi(Controller controller) {
    this.controller = controller;
  }

  /** A machine; {@code epoch} is that of its start, {@code stranded} why it is not reached. */
  record VmDocument(
      String name,
      String tenant,
      String host,
      String hostGuid,
      String portGuid,
      int function,
      String vguid,
      int lid,
      boolean ownLid,
      int weight,
      long version,
      long epoch,
      String stranded) {}

  record Changed(
      long epoch,
      String outcome,
      Optional<VmDocument> vm,
      Optional<Documents.TablesDocument> tables) {}

  public List<Route> routes() {
    return List.of(
        new Route("GET", "/v1/vms", false, "Virtual machines, by name", this::list)
            .taking(Listing.PART, "tenant", "host")
            .lists(VmDocument.class),
        new Route("POST", "/v1/vms", true, "Start a virtual machine", this::start)
            .makes(Changed.class)
            .asJob(EventKind.VM_STARTED),
        new Route("GET", "/v1/vms/{name}", false, "A virtual machine", this::one)
            .answers(VmDocument.class),
        new Route("DELETE", "/v1/vms/{name}", true, "Stop a virtual machine", this::stop)
            .answers(Changed.class)
            .asJob(EventKind.VM_STOPPED));
  }

  static VmDocument document(Vm vm) {
    return new VmDocument(
        vm.name(),
        vm.tenant(),
        vm.host().name(),
        Guid.format(vm.host().guid()),
        Guid.format(vm.portGuid()),
        vm.function(),
        Guid.format(vm.vguid()),
        vm.lid(),
        vm.ownLid(),
        vm.weight(),
        vm.changed(),
        vm.created(),
        vm.stranded());
  }

  /** The tenant of a machine if its sender may see it. */
  static Optional<Tenant> tenant(Call call, DesiredState v, String name, boolean changing) {
    return v.tenant(name)
        .filter(t -> call.actor().sees(t.spec().owner()))
        .filter(t -> !changing || call.actor().changes(t.spec().owner()));
  }

  /** A machine that its sender may see, or change. */
  static Vm own(Call call, DesiredState v, String name, boolean changing) {
    return v.vm(name)
        .filter(vm -> tenant(call, v, vm.tenant(), changing).isPresent())
        .orElseThrow(Problem::notFound);
  }

  private Reply list(Call call) {
    DesiredState v = controller.view();
    String after = call.query().getOrDefault("after", "");
    String tenant = call.query().getOrDefault("tenant", "");
    String host = call.query().getOrDefault("host", "");
    int limit = call.limit();
    List<VmDocument> out = new ArrayList<>();
    for (Vm vm : v.vms().tailMap(after).values()) {
      boolean wanted =
          vm.name().compareTo(after) > 0
              && (tenant.isEmpty() || vm.tenant().equals(tenant))
              && (host.isEmpty() || on(vm, host))
              && tenant(call, v, vm.tenant(), false).isPresent();
      if (wanted && out.size() == limit) {
        Optional<String> next = limit == 0 ? Optional.empty() : Optional.of(out.getLast().name());
        return Reply.ok(new ApiV1.Page(out, next));
      }
      if (wanted) {
        out.add(document(vm));
      }
    }
    return Reply.ok(new ApiV1.Page(out, Optional.empty()));
  }

  private static boolean on(Vm vm, String host) {
    return host.matches(Hosts.GUID)
        ? vm.host().guid() == Guid.parse(host).value()
        : vm.host().name().equals(host);
  }

  private Reply one(Call call) {
    Vm vm = own(call, controller.view(), call.variables().get("name"), false);
    return new Reply(200, document(vm), tag(vm));
  }

  private static Map<String, String> headers(Optional<Vm> vm, boolean made) {
    Map<String, String> out = new HashMap<>(vm.map(VmApi::tag).orElse(Map.of()));
    vm.filter(_ -> made).ifPresent(x -> out.put("Location", "/v1/vms/" + x.name()));
    return out;
  }

  private static Map<String, String> tag(Vm vm) {
    return Map.of("ETag", "\"" + vm.changed() + "\"");
  }

  private Reply start(Call call) {
    JsonNode body = call.json(FIELDS);
    String name = Documents.text(body, "name", "");
    Optional<Outcome> earlier = controller.answered(ApiV1.request(call));
    if (earlier.isPresent()) {
      return reply(call, earlier.get(), name, 201);
    }
    requireName(call, name);
    DesiredState v = controller.view();
    String tenantName = Documents.text(body, "tenant", "");
    Tenant tenant =
        tenant(call, v, tenantName, true)
            .orElseThrow(
                () -> new Problem(409, "conflict", "there is no tenant '" + tenantName + "'"));
    VmSpec spec = spec(body, host -> Hosts.of(call, v, tenant, host));
    boolean absent = Conditions.absent(call);
    if (absent && mine(call, name).isPresent()) {
      throw Conditions.present(name);
    }
    Outcome outcome = controller.submit(new Change.StartVm(spec), ApiV1.request(call)).join();
    if (absent && outcome instanceof Outcome.Unchanged) {
      throw Conditions.present(name);
    }
    return reply(call, outcome, name, 201);
  }

  /** A machine as it is sent. */
  static VmSpec spec(JsonNode body, ToLongFunction<String> host) {
    JsonNode own = body.path("own_lid");
    if (!own.isMissingNode() && !own.isBoolean()) {
      throw Problem.malformed("'own_lid' must be true or false");
    }
    return new VmSpec(
        Documents.text(body, "name", ""),
        Documents.text(body, "tenant", ""),
        host.applyAsLong(Documents.text(body, "host", "")),
        own.isMissingNode() || own.booleanValue(),
        Documents.number(body, "weight", 1));
  }

  /** As for tenants: what is taken tells a tenant's token nothing of others. */
  private static void requireName(Call call, String name) {
    if (call.actor().role() == Actor.Role.PROVIDER) {
      return;
    }
    String own = call.actor().tenant();
    if (!name.equals(own) && !name.startsWith(own + ".")) {
      throw new Problem(
          403, "forbidden", "a tenant's token starts VMs '%s' or '%s.*'".formatted(own, own));
    }
  }

  private Reply stop(Call call) {
    Optional<Outcome> earlier = controller.answered(ApiV1.request(call));
    String name = call.variables().get("name");
    if (earlier.isPresent()) {
      return reply(call, earlier.get(), "", 200);
    }
    Vm there = own(call, controller.view(), name, true);
    Change change = new Change.StopVm(name, Conditions.version(call, there.changed()));
    return reply(call, controller.submit(change, ApiV1.request(call)).join(), "", 200);
  }

  private Reply reply(Call call, Outcome outcome, String name, int status) {
    boolean dry = ApiV1.dry(call);
    return switch (outcome) {
      case Outcome.Accepted a -> {
        Optional<Vm> vm = a.vm().or(() -> a.repeated() ? mine(call, name) : Optional.empty());
        yield new Reply(
            dry ? 200 : status,
            new Changed(
                a.epoch(),
                dry ? "would-be" : "accepted",
                vm.map(VmApi::document),
                dry && call.actor().sees("")
                    ? Optional.of(Documents.tables(a.tables()))
                    : Optional.empty()),
            headers(vm, !dry && status == 201));
      }
      case Outcome.Unchanged u -> {
        Optional<Vm> vm = mine(call, name);
        yield new Reply(
            200,
            new Changed(u.epoch(), "unchanged", vm.map(VmApi::document), Optional.empty()),
            vm.map(VmApi::tag).orElse(Map.of()));
      }
      case Outcome.Refused no -> throw ApiV1.refused(call.actor(), no);
    };
  }

  private Optional<Vm> mine(Call call, String name) {
    DesiredState v = controller.view();
    return v.vm(name).filter(vm -> tenant(call, v, vm.tenant(), false).isPresent());
  }
}
