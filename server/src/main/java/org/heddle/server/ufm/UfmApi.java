package org.heddle.server.ufm;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.heddle.control.Controller;
import org.heddle.control.Reconciler;
import org.heddle.control.model.Request;
import org.heddle.fabric.Fabric;
import org.heddle.plan.DesiredState;
import org.heddle.plan.model.Change;
import org.heddle.plan.model.Change.Adding;
import org.heddle.plan.model.Member;
import org.heddle.plan.model.Origin;
import org.heddle.plan.model.Outcome;
import org.heddle.plan.model.PartitionOptions;
import org.heddle.plan.model.TenantSpec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The calls of the UFM partition API that its known clients make (ib-kubernetes, Slurm's prolog,
 * OpenStack's drivers, provisioning tools), with the statuses they insist on: 200, never 202 or
 * 204, for changes of partitions; 200 and an empty object for a partition that is not there.
 *
 * <p>A partition is a tenant. One that is made here has policy {@code def} and comes into being
 * with its first member and goes with its last, unless it was made without members. Every change is
 * durable before its answer. Thread-safe.
 */
public final class UfmApi {
  /** The release the API answers to be: clients check that it is new enough. */
  static final String RELEASE = "6.22.1-7";

  private static final int LONGEST_NAME = 64;

  /** What clients know from UFM and nothing here corresponds to. */
  private static final List<String> NOT_HERE =
      List.of(
          "FabricValidation",
          "actions",
          "app/events_policy",
          "app/logs",
          "app/network_views",
          "app/smtp",
          "fabric_discovery_refresh",
          "monitoring",
          "plugin",
          "resources/environments",
          "resources/groups",
          "resources/logical_servers",
          "resources/modules",
          "resources/racks",
          "resources/unhealthy_devices",
          "resources/unhealthy_ports",
          "static_topology",
          "telemetry");

  private final Controller controller;
  private final SmKeys keys;
  private final CloudX cloudX;
  private final UfmJournal journal;
  private final UfmWatch watch;
  private final UfmReports reports;

  /**
   * An API on a controller.
   *
   * @param status how far the fabric is
   * @param health what keeps the controller from its work, a sentence each
   */
  public UfmApi(
      Controller controller,
      SmKeys keys,
      Supplier<Reconciler.Status> status,
      Supplier<List<String>> health) {
    this.controller = controller;
    this.keys = keys;
    this.cloudX = new CloudX(controller);
    this.journal = new UfmJournal(controller);
    this.watch = new UfmWatch(controller, status);
    this.reports = new UfmReports(controller, status, watch, health);
  }

  /** Answers one call. */
  public UfmAnswer call(UfmCall call) {
    try {
      return answer(call);
    } catch (UfmBody.Wrong e) {
      return UfmAnswer.error(400, e.getMessage());
    }
  }

  private UfmAnswer answer(UfmCall call) throws UfmBody.Wrong {
    List<String> path = call.path();
    String at = path.size() < 2 ? "" : path.get(0) + "/" + path.get(1);
    if (!path.isEmpty() && path.getFirst().equals("jobs")) {
      return journal.jobs(call);
    }
    if (!path.isEmpty() && path.getFirst().equals("reports")) {
      return reports.answer(call);
    }
    return switch (at) {
      case "resources/pkeys" -> pkeys(call, path.subList(2, path.size()));
      case "actions/remove_guids_from_pkey" -> only(call, "POST", this::removeGuids);
      case "app/ufm_version" -> only(call, "GET", c -> version());
      case "app/smconf" -> only(call, "GET", c -> UfmAnswer.ok(UfmViews.smKeys(keys)));
      case "resources/ports" -> inventory(call, this::ports, this::portsNamed);
      case "resources/systems" -> inventory(call, this::systems, this::system);
      case "resources/links" -> inventory(call, this::links, null);
      case "resources/vports" -> inventory(call, this::virtualPorts, null);
      case "app/versioning" -> only(call, "GET", c -> watch.versioning());
      case "app/events" ->
          inventory(call, c -> listed(c, watch.events(c)), c -> watch.event(c.path().get(2)));
      case "app/alarms" ->
          inventory(call, c -> listed(c, watch.alarms(c)), c -> watch.alarm(c, c.path().get(2)));
      case "cloudx/Network" -> cloudX.network(call);
      case "cloudx/Port" -> cloudX.port(call);
      default -> unknown(path);
    };
  }

  /** What UFM has and this is not, and what nobody has. */
  private static UfmAnswer unknown(List<String> path) {
    String whole = String.join("/", path);
    boolean ofUfm = NOT_HERE.stream().anyMatch(p -> whole.equals(p) || whole.startsWith(p + "/"));
    return ofUfm
        ? UfmAnswer.error(
            501, "/" + whole + " is UFM's, and nothing that Heddle has: see docs/ufm.md")
        : UfmAnswer.error(404, "no such resource: /" + whole);
  }

  private UfmAnswer pkeys(UfmCall call, List<String> rest) throws UfmBody.Wrong {
    String shape = call.method() + " " + rest.size();
    String first = rest.isEmpty() ? "" : rest.get(0);
    return switch (shape) {
      case "GET 0" -> UfmAnswer.ok(list(call));
      case "POST 0" -> add(call);
      case "PUT 0" -> replace(call);
      case "POST 1" ->
          switch (first) {
            case "add" -> make(call);
            case "hosts" -> addHosts(call);
            case "qos_conf" -> qos(call);
            default -> UfmAnswer.error(404, "no such resource: pkeys/" + first);
          };
      case "PUT 1" ->
          first.equals("qos_conf")
              ? qos(call)
              : UfmAnswer.error(404, "no such resource: pkeys/" + first);
      case "GET 1" ->
          first.equals("last_updated")
              ? journal.lastUpdated()
              : one(call, UfmBody.tenantKey(first));
      case "DELETE 1" -> delete(call, UfmBody.tenantKey(first));
      case "PUT 2" ->
          rest.get(1).equals("sharp-reservation")
              ? UfmAnswer.error(501, "SHARP is not managed here")
              : UfmAnswer.error(404, "no such resource: pkeys/" + first + "/" + rest.get(1));
      case "DELETE 3" -> removeFrom(call, UfmBody.tenantKey(first), rest.get(1), rest.get(2));
      default -> UfmAnswer.error(405, call.method() + " is not for this resource");
    };
  }

  /** With what belongs to each, or, if the call asks for none of it, only the keys. */
  private JsonNode list(UfmCall call) {
    boolean guids = call.flag("guids_data");
    boolean quality = call.flag("qos_conf");
    ObjectNode all = UfmViews.partitions(controller.view(), guids, quality);
    return guids || quality ? all : UfmViews.texts(List.copyOf(all.propertyNames()));
  }

  private UfmAnswer version() {
    return UfmAnswer.ok(JsonNodeFactory.instance.objectNode().put("ufm_release_version", RELEASE));
  }

  private Fabric fabric() {
    return controller.view().fabric();
  }

  private UfmAnswer one(UfmCall call, int key) {
    DesiredState view = controller.view();
    boolean guids = call.flag("guids_data");
    boolean quality = call.flag("qos_conf");
    return view.tenantOfKey(key)
        .map(t -> UfmAnswer.ok(UfmViews.partition(view, t, guids, quality)))
        .orElseGet(
            () ->
                key == PartitionOptions.MANAGEMENT
                    ? UfmAnswer.ok(UfmViews.management(guids, quality))
                    : UfmAnswer.done());
  }

  /** A new partition: kept if it is made without members, as ib-kubernetes does before it adds. */
  private static TenantSpec fresh(UfmBody body, boolean kept, Origin by) throws UfmBody.Wrong {
    int key = body.key();
    PartitionOptions options =
        body.quality(
            PartitionOptions.ofKey(key)
                .withOrigin(by)
                .withIpOverIb(body.flag("ip_over_ib", true))
                .withGivenName(isTenantName(given(body, key)) ? "" : given(body, key)));
    boolean stays = kept || key == PartitionOptions.MANAGEMENT;
    return TenantSpec.partition(
        name(body, key), "", stays ? options : options.whileItHasMembers(), List.of());
  }

  /** The default partition has its own name, whatever a client would call it. */
  private static String name(UfmBody body, int key) throws UfmBody.Wrong {
    String given = given(body, key);
    return given.isEmpty() || !isTenantName(given) ? UfmText.autoName(key) : given;
  }

  /** What the client calls it; empty if it leaves that to us. */
  private static String given(UfmBody body, int key) throws UfmBody.Wrong {
    String given = body.text("partition_name", "").strip();
    if (given.length() > LONGEST_NAME || given.chars().anyMatch(Character::isISOControl)) {
      throw new UfmBody.Wrong(
          "partition_name has more than "
              + LONGEST_NAME
              + " characters, or such as are not printed");
    }
    return key == PartitionOptions.MANAGEMENT ? "" : given;
  }

  /** Names that tenants cannot have, as those with blanks, are kept beside the tenant's. */
  private static boolean isTenantName(String given) {
    return given.isEmpty() || TenantSpec.isName(given);
  }

  private UfmAnswer add(UfmCall call) throws UfmBody.Wrong {
    UfmBody body = UfmBody.read(call.body());
    List<Member> members = body.members();
    return change(
        call,
        new Change.AddMembers(fresh(body, members.isEmpty(), Origin.CLIENT), members, Adding.ADD));
  }

  private UfmAnswer replace(UfmCall call) throws UfmBody.Wrong {
    UfmBody body = UfmBody.read(call.body());
    TenantSpec fresh = fresh(body, false, Origin.CLIENT);
    Outcome outcome = submit(call, new Change.AddMembers(fresh, body.members(), Adding.REPLACE));
    return body.saysQuality() && !(outcome instanceof Outcome.Refused)
        ? qos(call)
        : answer(outcome);
  }

  private UfmAnswer make(UfmCall call) throws UfmBody.Wrong {
    UfmBody body = UfmBody.read(call.body());
    int key = body.key();
    TenantSpec fresh = fresh(body, true, Origin.CLIENT);
    if (key == PartitionOptions.MANAGEMENT || controller.view().tenantOfKey(key).isPresent()) {
      return there(key);
    }
    Outcome outcome = submit(call, new Change.Create(fresh));
    boolean raced = controller.view().tenantOfKey(key).isPresent();
    return raced && !(outcome instanceof Outcome.Accepted) ? there(key) : answer(outcome);
  }

  /** A client takes 400 with the word "exist" for success of an earlier attempt, and no other. */
  private static UfmAnswer there(int key) {
    return UfmAnswer.error(400, "partition " + UfmText.key(key) + " already exists");
  }

  private UfmAnswer qos(UfmCall call) throws UfmBody.Wrong {
    UfmBody body = UfmBody.read(call.body());
    int key = body.key();
    PartitionOptions before =
        controller
            .view()
            .tenantOfKey(key)
            .map(t -> t.spec().partition())
            .orElse(PartitionOptions.ofKey(key));
    PartitionOptions q = body.quality(before);
    return change(call, new Change.SetQuality(key, q.mtu(), q.rate(), q.serviceLevel()));
  }

  private UfmAnswer delete(UfmCall call, int key) {
    return key == PartitionOptions.MANAGEMENT
        ? UfmAnswer.error(400, "the management partition " + UfmText.key(key) + " cannot go")
        : change(call, new Change.DeleteKey(key));
  }

  private UfmAnswer removeGuids(UfmCall call) throws UfmBody.Wrong {
    UfmBody body = UfmBody.read(call.body());
    int key = body.key();
    List<Long> guids = body.guids();
    return remove(call, new Change.RemoveMembers(key, guids));
  }

  private UfmAnswer removeFrom(UfmCall call, int key, String what, String list)
      throws UfmBody.Wrong {
    if (what.equals("guids")) {
      List<Long> guids = new ArrayList<>();
      for (String guid : list.split(",")) {
        guids.add(UfmBody.guid(guid));
      }
      return remove(call, new Change.RemoveMembers(key, guids));
    }
    if (what.equals("hosts")) {
      List<Member> members = UfmHosts.members(fabric(), list, true, false);
      List<Long> guids = members.stream().map(Member::guid).toList();
      return remove(call, new Change.RemoveMembers(key, guids, Origin.JOBS));
    }
    return UfmAnswer.error(404, "no such resource: pkeys/" + UfmText.key(key) + "/" + what);
  }

  /** From a partition that is not there nothing has to be removed. */
  private UfmAnswer remove(UfmCall call, Change.RemoveMembers change) {
    Outcome outcome = submit(call, change);
    return outcome instanceof Outcome.Refused no && no.code() == Outcome.Code.NOT_FOUND
        ? UfmAnswer.done()
        : answer(outcome);
  }

  /**
   * Slurm's prolog: a job's hosts. Either all jobs have one key, or keys are job numbers modulo
   * 32,766, so that two jobs can come with one by chance; the second is refused then, because its
   * hosts would talk to the first's. A partition made on purpose may be shared.
   */
  private UfmAnswer addHosts(UfmCall call) throws UfmBody.Wrong {
    UfmBody body = UfmBody.read(call.body());
    TenantSpec fresh = fresh(body, false, Origin.JOBS);
    String hostlist = body.text("hosts_names", "");
    if (hostlist.isBlank()) {
      throw new UfmBody.Wrong("hosts_names is missing: expected a host list like node[01-04]");
    }
    List<Member> members =
        UfmHosts.members(fabric(), hostlist, body.full(), body.flag("index0", false));
    return switch (submit(call, new Change.AddMembers(fresh, members, Adding.ADD))) {
      case Outcome.Accepted a -> UfmAnswer.ok(UfmViews.job(a.epoch())); // some clients wait for it
      case Outcome.Unchanged u -> UfmAnswer.ok(UfmViews.job(u.epoch()));
      case Outcome.Refused no -> refused(no);
    };
  }

  /**
   * A list, or what its name in the path says.
   *
   * @param named null if nothing of the list can be named
   */
  private UfmAnswer inventory(UfmCall call, Handler all, Handler named) throws UfmBody.Wrong {
    int depth = call.path().size();
    if (depth == 2) {
      return only(call, "GET", all);
    }
    return depth == 3 && named != null
        ? only(call, "GET", named)
        : UfmAnswer.error(404, "no such resource: /" + String.join("/", call.path()));
  }

  /** Ports by name, {@code GUID_NUMBER}, several with commas between them. */
  private UfmAnswer portsNamed(UfmCall call) {
    DesiredState view = controller.view();
    ArrayNode out = JsonNodeFactory.instance.arrayNode();
    Set<String> wanted = new LinkedHashSet<>(List.of(call.path().get(2).split(",")));
    for (JsonNode port : UfmViews.ports(view.fabric(), tiers(view), null, 0)) {
      if (wanted.remove(port.get("name").stringValue())) {
        out.add(port);
      }
    }
    return wanted.isEmpty()
        ? UfmAnswer.ok(out)
        : UfmAnswer.error(404, "no port " + String.join(", ", wanted));
  }

  private UfmAnswer systems(UfmCall call) {
    return UfmAnswer.ok(UfmViews.systems(fabric(), call.query().get("type")));
  }

  /** A system by the GUID that is its name, or that of a node of it. */
  private UfmAnswer system(UfmCall call) {
    String name = call.path().get(2);
    for (JsonNode system : UfmViews.systems(fabric(), null)) {
      for (String key : List.of("name", "guid")) {
        if (system.get(key).stringValue().equalsIgnoreCase(name)) {
          return UfmAnswer.ok(system);
        }
      }
    }
    return UfmAnswer.error(404, "no system " + name);
  }

  private UfmAnswer ports(UfmCall call) throws UfmBody.Wrong {
    String system = call.query().get("system");
    String type = call.query().get("sys_type");
    long guid = system == null ? 0 : UfmBody.guid(system);
    DesiredState view = controller.view();
    return UfmAnswer.ok(UfmViews.ports(view.fabric(), tiers(view), type, guid));
  }

  /** Hosts are of tier 1, leaves of tier 2 and so on. */
  private static int[] tiers(DesiredState view) {
    int[] tiers = new int[view.fabric().nodeCount()];
    for (int node = 0; node < tiers.length; node++) {
      tiers[node] = view.fabric().isSwitch(node) ? view.tree().level(node) + 1 : 1;
    }
    return tiers;
  }

  private UfmAnswer links(UfmCall call) throws UfmBody.Wrong {
    String system = call.query().get("system");
    ArrayNode all = UfmViews.links(fabric(), system == null ? 0 : UfmBody.guid(system));
    return listed(call, all);
  }

  private UfmAnswer virtualPorts(UfmCall call) throws UfmBody.Wrong {
    String system = call.query().get("system");
    return listed(
        call,
        UfmViews.virtualPorts(
            controller.view(),
            system == null ? 0 : UfmBody.guid(system),
            call.query().get("port")));
  }

  /** A list, or the page of it that a call asks for. */
  private static UfmAnswer listed(UfmCall call, ArrayNode all) throws UfmBody.Wrong {
    if (!call.query().containsKey("page_number") && !call.query().containsKey("rpp")) {
      return UfmAnswer.ok(all);
    }
    long page = positive(call, "page_number", 1);
    return UfmAnswer.ok(UfmViews.page(all, page, positive(call, "rpp", 100)));
  }

  private static long positive(UfmCall call, String name, long otherwise) throws UfmBody.Wrong {
    String text = call.query().get(name);
    if (text == null) {
      return otherwise;
    }
    try {
      int value = Integer.parseInt(text);
      if (value > 0) {
        return value;
      }
    } catch (NumberFormatException e) {
      // said below
    }
    throw new UfmBody.Wrong(name + " '" + text + "' must be a number from 1");
  }

  private Outcome submit(UfmCall call, Change change) {
    return controller.submit(change, Request.of(call.actor())).join();
  }

  private UfmAnswer change(UfmCall call, Change change) {
    return answer(submit(call, change));
  }

  private static UfmAnswer answer(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Accepted _, Outcome.Unchanged _ -> UfmAnswer.done();
      case Outcome.Refused no -> refused(no);
    };
  }

  static UfmAnswer refused(Outcome.Refused no) {
    int status =
        switch (no.code()) {
          case INVALID -> 400;
          case NOT_FOUND -> 404;
          case QUOTA -> 403;
          case CONFLICT, NO_PLACE, UNPROVEN, KEY_REUSED, STALE -> 409;
          case UNAVAILABLE -> 503;
        };
    return UfmAnswer.error(status, no.reason());
  }

  /** Something that answers a call. */
  private interface Handler {
    UfmAnswer answer(UfmCall call) throws UfmBody.Wrong;
  }

  private static UfmAnswer only(UfmCall call, String method, Handler handler) throws UfmBody.Wrong {
    return call.method().equals(method)
        ? handler.answer(call)
        : UfmAnswer.error(405, call.method() + " is not for this resource, " + method + " is");
  }
}
