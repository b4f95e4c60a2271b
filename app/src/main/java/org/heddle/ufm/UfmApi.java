package org.heddle.ufm;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.Function;
import org.heddle.control.ufm.UfmMember;
import org.heddle.control.ufm.UfmPartition;
import org.heddle.control.ufm.UfmPartitions;
import org.heddle.control.ufm.UfmQos;
import org.heddle.control.ufm.UfmText;
import org.heddle.fabric.Fabric;
import org.heddle.topology.FatTree;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.Recognition;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * The calls of the UFM partition API that its known clients make (ib-kubernetes, Slurm's prolog,
 * OpenStack's drivers, provisioning tools), with the statuses they insist on: 200, never 202 or
 * 204, for changes of partitions; 200 and an empty object for a partition that is not there.
 * Immutable; as safe for threads as its backend.
 */
public final class UfmApi {
  /** The release the API answers to be: clients check that it is new enough. */
  static final String RELEASE = "6.22.1-7";

  private final UfmBackend backend;

  /** An API on a backend. */
  public UfmApi(UfmBackend backend) {
    this.backend = backend;
  }

  /**
   * Answers one call.
   *
   * @param method in upper case
   * @param path decoded segments behind the base; empty ones (of a trailing slash) are passed over
   * @param query names in lower case
   * @param body at most what the server lets through
   * @param user who calls; rights were checked before
   */
  public UfmAnswer answer(
      String method, List<String> path, Map<String, String> query, byte[] body, String user) {
    List<String> segments = new ArrayList<>(path);
    segments.removeIf(String::isEmpty);
    UfmCall call = new UfmCall(method, List.copyOf(segments), query, body, user);
    try {
      return answer(call);
    } catch (UfmBody.Wrong e) {
      return UfmAnswer.error(400, e.getMessage());
    }
  }

  private UfmAnswer answer(UfmCall call) throws UfmBody.Wrong {
    List<String> path = call.path();
    String at = path.size() < 2 ? "" : path.get(0) + "/" + path.get(1);
    return switch (at) {
      case "resources/pkeys" -> pkeys(call, path.subList(2, path.size()));
      case "actions/remove_guids_from_pkey" -> only(call, "POST", this::removeGuids);
      case "app/ufm_version" -> only(call, "GET", c -> version());
      case "app/smconf" -> only(call, "GET", c -> UfmAnswer.ok(UfmViews.smKeys(backend.smKeys())));
      case "resources/ports" -> only(call, "GET", this::ports);
      case "resources/systems" ->
          only(
              call,
              "GET",
              c -> UfmAnswer.ok(UfmViews.systems(backend.fabric(), c.query().get("type"))));
      case "resources/links" -> only(call, "GET", this::links);
      default ->
          path.size() == 2 && path.get(0).equals("jobs")
              ? only(call, "GET", this::job)
              : UfmAnswer.error(404, "no such resource: /" + String.join("/", path));
    };
  }

  private UfmAnswer pkeys(UfmCall call, List<String> rest) throws UfmBody.Wrong {
    String shape = call.method() + " " + rest.size();
    String first = rest.isEmpty() ? "" : rest.get(0);
    return switch (shape) {
      case "GET 0" ->
          UfmAnswer.ok(
              UfmViews.partitions(
                  backend.partitions(), call.flag("guids_data"), call.flag("qos_conf")));
      case "POST 0" -> add(call);
      case "PUT 0" -> replace(call);
      case "POST 1" ->
          switch (first) {
            case "add" -> make(call);
            case "hosts" -> addHosts(call);
            default -> UfmAnswer.error(404, "no such resource: pkeys/" + first);
          };
      case "PUT 1" ->
          first.equals("qos_conf")
              ? qos(call)
              : UfmAnswer.error(404, "no such resource: pkeys/" + first);
      case "GET 1" -> one(call, UfmBody.tenantKey(first));
      case "DELETE 1" -> {
        int key = UfmBody.tenantKey(first);
        yield change(call, "delete " + UfmText.key(key), state -> state.delete(key));
      }
      case "DELETE 3" -> removeFrom(call, UfmBody.tenantKey(first), rest.get(1), rest.get(2));
      default -> UfmAnswer.error(405, call.method() + " is not for this resource");
    };
  }

  private UfmAnswer version() {
    return UfmAnswer.ok(JsonNodeFactory.instance.objectNode().put("ufm_release_version", RELEASE));
  }

  private UfmAnswer one(UfmCall call, int key) {
    return backend
        .partitions()
        .find(key)
        .map(
            p ->
                UfmAnswer.ok(UfmViews.partition(p, call.flag("guids_data"), call.flag("qos_conf"))))
        .orElseGet(UfmAnswer::done);
  }

  private UfmAnswer add(UfmCall call) throws UfmBody.Wrong {
    UfmBody body = UfmBody.read(call.body());
    int key = body.key();
    SortedMap<Long, UfmMember> members = body.members();
    boolean ipOverIb = body.flag("ip_over_ib", true);
    UfmQos qos = body.qos(UfmQos.DEFAULT);
    return change(
        call,
        "add " + members.size() + " GUIDs to " + UfmText.key(key),
        state -> state.add(key, ipOverIb, qos, members));
  }

  private UfmAnswer replace(UfmCall call) throws UfmBody.Wrong {
    UfmBody body = UfmBody.read(call.body());
    int key = body.key();
    SortedMap<Long, UfmMember> members = body.members();
    boolean ipOverIb = body.flag("ip_over_ib", true);
    return change(
        call,
        "set " + members.size() + " GUIDs of " + UfmText.key(key),
        state -> state.replace(key, ipOverIb, members));
  }

  private UfmAnswer make(UfmCall call) throws UfmBody.Wrong {
    UfmBody body = UfmBody.read(call.body());
    int key = body.key();
    String name = body.text("partition_name", UfmPartition.autoName(key));
    boolean ipOverIb = body.flag("ip_over_ib", true);
    UfmQos qos = body.qos(UfmQos.DEFAULT);
    return change(call, "make " + UfmText.key(key), state -> state.make(key, name, ipOverIb, qos));
  }

  private UfmAnswer qos(UfmCall call) throws UfmBody.Wrong {
    UfmBody body = UfmBody.read(call.body());
    int key = body.key();
    UfmQos before = backend.partitions().find(key).map(UfmPartition::qos).orElse(UfmQos.DEFAULT);
    UfmQos qos = body.qos(before);
    return change(call, "quality of " + UfmText.key(key), state -> state.qos(key, qos));
  }

  private UfmAnswer removeGuids(UfmCall call) throws UfmBody.Wrong {
    UfmBody body = UfmBody.read(call.body());
    int key = body.key();
    List<Long> guids = body.guids();
    return remove(call, key, guids);
  }

  private UfmAnswer removeFrom(UfmCall call, int key, String what, String list)
      throws UfmBody.Wrong {
    if (what.equals("guids")) {
      List<Long> guids = new ArrayList<>();
      for (String guid : list.split(",")) {
        guids.add(UfmBody.guid(guid));
      }
      return remove(call, key, guids);
    }
    if (what.equals("hosts")) {
      return remove(
          call, key, List.copyOf(UfmHosts.members(backend.fabric(), list, false).keySet()));
    }
    return UfmAnswer.error(404, "no such resource: pkeys/" + UfmText.key(key) + "/" + what);
  }

  private UfmAnswer remove(UfmCall call, int key, List<Long> guids) {
    return change(
        call,
        "remove " + guids.size() + " GUIDs from " + UfmText.key(key),
        state -> state.remove(key, guids));
  }

  /**
   * Slurm's prolog: a job's hosts. Keys are job numbers modulo 32,766, so two jobs can come with
   * one key; the second is refused, because its hosts would talk to the first's. A partition made
   * on purpose may be shared.
   */
  private UfmAnswer addHosts(UfmCall call) throws UfmBody.Wrong {
    UfmBody body = UfmBody.read(call.body());
    int key = body.key();
    boolean ipOverIb = body.flag("ip_over_ib", true);
    String hostlist = body.text("hosts_names", "");
    if (hostlist.isBlank()) {
      throw new UfmBody.Wrong("hosts_names is missing: expected a host list like node[01-04]");
    }
    SortedMap<Long, UfmMember> members =
        UfmHosts.members(backend.fabric(), hostlist, body.flag("index0", false));
    return change(
        call,
        "add hosts " + hostlist + " to " + UfmText.key(key),
        state -> addJob(state, key, ipOverIb, members));
  }

  private static UfmPartitions.Outcome addJob(
      UfmPartitions state, int key, boolean ipOverIb, SortedMap<Long, UfmMember> members) {
    UfmPartition there = state.find(key).orElse(null);
    if (there != null && !there.kept() && !members.keySet().containsAll(there.members().keySet())) {
      return new UfmPartitions.Refused(
          409,
          "partition "
              + UfmText.key(key)
              + " belongs to other hosts, probably to a job whose number has the same remainder;"
              + " they would talk to each other. To share it on purpose, make it first with"
              + " POST resources/pkeys/add");
    }
    return state.add(key, ipOverIb, UfmQos.DEFAULT, members);
  }

  private UfmAnswer ports(UfmCall call) throws UfmBody.Wrong {
    String system = call.query().get("system");
    boolean computers = "Computer".equalsIgnoreCase(call.query().get("sys_type"));
    Fabric fabric = backend.fabric();
    return UfmAnswer.ok(
        UfmViews.ports(
            fabric, tiers(fabric), computers, system == null ? 0 : UfmBody.guid(system)));
  }

  /** Hosts are of tier 1, leaves of tier 2 and so on; 0 where no tree was found. */
  private static int[] tiers(Fabric fabric) {
    int[] tiers = new int[fabric.nodeCount()];
    Recognition found = FatTreeRecogniser.recognise(fabric);
    FatTree tree = found instanceof Recognition.Found t ? t.tree() : null;
    for (int node = 0; node < tiers.length; node++) {
      if (!fabric.isSwitch(node)) {
        tiers[node] = 1;
      } else if (tree != null) {
        tiers[node] = tree.level(node) + 1;
      }
    }
    return tiers;
  }

  private UfmAnswer links(UfmCall call) throws UfmBody.Wrong {
    ArrayNode all = UfmViews.links(backend.fabric());
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

  private UfmAnswer job(UfmCall call) {
    String id = call.path().get(1);
    return backend
        .job(id)
        .map(job -> UfmAnswer.ok(UfmViews.job(job)))
        .orElseGet(() -> UfmAnswer.error(404, "no job " + id));
  }

  private UfmAnswer change(
      UfmCall call, String what, Function<UfmPartitions, UfmPartitions.Outcome> rule) {
    return switch (backend.change(call.user(), what, rule)) {
      case UfmPartitions.Done done -> UfmAnswer.done();
      case UfmPartitions.Refused no -> UfmAnswer.error(no.status(), no.reason());
    };
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
