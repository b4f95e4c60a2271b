package org.heddle.server.v1;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.heddle.control.Controller;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.plan.DesiredState;
import org.heddle.plan.model.Change;
import org.heddle.plan.model.Drained;
import org.heddle.plan.model.LinkRef;
import org.heddle.plan.model.TenantSpec;
import org.heddle.plan.model.VmSpec;
import org.heddle.server.http.Call;
import org.heddle.server.http.Documents;
import org.heddle.server.http.Hosts;
import org.heddle.server.http.Problem;
import org.heddle.text.Parsed;
import org.heddle.text.Source;
import org.heddle.text.state.StateFile;
import org.heddle.text.state.StateFileReader;
import org.heddle.text.tenants.TenantsFileReader;
import tools.jackson.databind.JsonNode;

/**
 * The changes of a plan as they are sent: a list {@code changes} of objects with an {@code op}.
 *
 * @param all in their order; links and switches that are taken out of service come first, together
 * @param base the epoch whose state they were read against, if they depend on it
 */
public record PlanChanges(List<Change> all, OptionalLong base) {
  /** Changes in one plan at most. */
  private static final int MOST = 100;

  private static final String TENANTS_FILE = "tenants-file";
  private static final String STATE_FILE = "state-file";
  private static final Set<String> FILE = Set.of("op", "source", "text", "keep");

  /** What each kind of change consists of. */
  public static final Map<String, Set<String>> FIELDS =
      Map.ofEntries(
          Map.entry("create", Set.of("op", "tenant")),
          Map.entry("replace", Set.of("op", "tenant")),
          Map.entry("delete", Set.of("op", "name")),
          Map.entry("rollback", Set.of("op", "epoch", "name")),
          Map.entry("start-vm", Set.of("op", "vm")),
          Map.entry("stop-vm", Set.of("op", "name")),
          Map.entry("migrate", Set.of("op", "moves", "method")),
          Map.entry("without-link", Set.of("op", "link")),
          Map.entry("without-switch", Set.of("op", "guid")),
          Map.entry(TENANTS_FILE, FILE),
          Map.entry(STATE_FILE, FILE));

  /**
   * Reads them.
   *
   * @throws Problem if they are not what they should be, or name what the fabric does not have
   */
  static PlanChanges read(JsonNode body, Controller controller) {
    for (String key : body.propertyNames()) {
      if (!key.equals("changes")) {
        throw malformed("unknown field '" + key + "'");
      }
    }
    JsonNode list = body.path("changes");
    if (!list.isArray() || list.isEmpty() || list.size() > MOST) {
      throw malformed("'changes' must be a list of 1 to " + MOST);
    }
    DesiredState v = controller.view();
    List<Change> out = new ArrayList<>();
    List<Long> switches = new ArrayList<>();
    List<LinkRef> links = new ArrayList<>();
    for (int i = 0; i < list.size(); i++) {
      try {
        one(list.get(i), controller, v, out, switches, links);
      } catch (Problem p) {
        throw new Problem(
            p.status(), p.document().title(), "change " + (i + 1) + ": " + p.getMessage());
      }
    }
    if (out.stream().filter(c -> c instanceof Change.MoveVms).count() > 1) {
      throw malformed("'migrate' is there once at most: all moves go into its list");
    }
    boolean files = // what a file changes depends on what there is
        list.valueStream().anyMatch(n -> FILE.equals(FIELDS.get(n.path("op").asString(""))));
    boolean cuts = !switches.isEmpty() || !links.isEmpty();
    if (cuts) { // who loses what is in the plan: who applies it has seen it
      out.addFirst(new Change.Drain(new Drained(links, switches), true, true));
    }
    boolean bound =
        cuts
            || out.stream()
                .anyMatch(c -> c instanceof Change.Replace || c instanceof Change.Rollback)
            || files;
    return new PlanChanges(
        List.copyOf(out), bound ? OptionalLong.of(v.epoch()) : OptionalLong.empty());
  }

  private static void one(
      JsonNode node,
      Controller controller,
      DesiredState v,
      List<Change> out,
      List<Long> switches,
      List<LinkRef> links) {
    String op = node.isObject() && node.path("op").isString() ? node.get("op").stringValue() : "";
    Set<String> fields = FIELDS.get(op);
    if (fields == null) {
      throw malformed("'op' is one of " + String.join(", ", new TreeSet<>(FIELDS.keySet())));
    }
    Call.only(node, fields);
    switch (op) {
      case "create" -> out.add(new Change.Create(tenant(node, "")));
      case "replace" -> out.add(replace(node, v));
      case "delete" -> out.add(new Change.Delete(text(node, "name"), OptionalLong.empty()));
      case "rollback" -> out.add(rollback(node, controller));
      case "start-vm" -> out.add(new Change.StartVm(machine(node, v)));
      case "stop-vm" -> out.add(new Change.StopVm(text(node, "name"), OptionalLong.empty()));
      case "migrate" ->
          out.add(MigrationApi.read(node, (vm, to) -> new Change.VmMove(vm, Hosts.any(v, to))));
      case TENANTS_FILE, STATE_FILE -> out.addAll(file(node, v, op));
      case "without-link" -> links.add(link(v, text(node, "link")));
      default -> switches.add(aSwitch(v.fabric(), text(node, "guid")));
    }
  }

  /** The tenants become what a file says. */
  private static List<Change> file(JsonNode node, DesiredState v, String op) {
    String name = Documents.text(node, "source", op);
    boolean keep = node.path("keep").asBoolean(false);
    if (!node.path("keep").isMissingNode() && !node.path("keep").isBoolean()) {
      throw malformed("'keep' must be true or false");
    }
    Source source = new Source(name, text(node, "text").getBytes(StandardCharsets.UTF_8));
    StateExchange exchange = new StateExchange(v);
    if (op.equals(TENANTS_FILE)) {
      return exchange.changes(accept(TenantsFileReader.read(source)), keep, Map.of());
    }
    StateFile state = accept(StateFileReader.read(source));
    Map<String, String> allocators = new HashMap<>();
    state.tenants().forEach(t -> allocators.put(t.name(), t.allocator()));
    return exchange.changes(exchange.tenantsFile(state), keep, allocators);
  }

  private static <T> T accept(Parsed<T> parsed) {
    if (!parsed.ok()) {
      throw malformed(String.join("\n", parsed.problems().stream().map(Object::toString).toList()));
    }
    return parsed.get();
  }

  private static TenantSpec tenant(JsonNode node, String owner) {
    if (!node.path("tenant").isObject()) {
      throw malformed("'tenant' must be an object");
    }
    return Documents.spec(node.get("tenant"), owner);
  }

  private static VmSpec machine(JsonNode node, DesiredState v) {
    if (!node.path("vm").isObject()) {
      throw malformed("'vm' must be an object");
    }
    Call.only(node.get("vm"), VmApi.FIELDS);
    return VmApi.spec(node.get("vm"), host -> Hosts.any(v, host));
  }

  /** What a PUT does: members and key that are not named stay. */
  private static Change replace(JsonNode node, DesiredState v) {
    TenantSpec asked = tenant(node, "");
    TenantSpec spec =
        v.tenant(asked.name())
            .map(
                there -> {
                  TenantSpec s = tenant(node, there.spec().owner());
                  s =
                      s.withPartition(
                          Documents.ipOverIb(node.path("tenant"), there.spec().partition())
                              .withKey(s.partition().pkey()));
                  boolean named = node.get("tenant").has("members");
                  return named ? s : s.withMembers(there.spec().members());
                })
            .orElse(asked);
    return new Change.Replace(spec, OptionalLong.empty());
  }

  private static Change rollback(JsonNode node, Controller controller) {
    if (!node.path("epoch").canConvertToLong() || !node.path("epoch").isIntegralNumber()) {
      throw malformed("'epoch' must be a whole number");
    }
    String only = Documents.text(node, "name", "");
    long epoch = node.get("epoch").longValue();
    return (only.isEmpty() ? controller.rollbackTo(epoch) : controller.rollbackTo(epoch, only))
        .orElseThrow(
            () ->
                malformed(
                    "there is no such epoch: %d to %d"
                        .formatted(controller.oldest(), controller.view().epoch())));
  }

  private static LinkRef link(DesiredState v, String id) {
    if (!ServiceApi.isId(id)) {
      throw malformed("'link' is a GUID and a port, like \"0x10:3\"");
    }
    return ServiceApi.find(v, id).orElseThrow(() -> malformed("there is no link at " + id));
  }

  private static long aSwitch(Fabric f, String guid) {
    if (!guid.matches(Hosts.GUID)) {
      throw malformed("'guid' is a GUID, like \"0x10\"");
    }
    int node = f.findNode(Guid.parse(guid).value());
    if (node == Fabric.NONE || !f.isSwitch(node)) {
      throw malformed("there is no switch " + guid);
    }
    return f.nodeGuid(node);
  }

  private static String text(JsonNode node, String key) {
    if (!node.path(key).isString()) {
      throw malformed("'" + key + "' must be a text");
    }
    return node.get(key).stringValue();
  }

  private static Problem malformed(String detail) {
    return Problem.malformed(detail);
  }
}
