package org.heddle.server.v1;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.heddle.control.Controller;
import org.heddle.control.model.Request;
import org.heddle.fabric.Fabric;
import org.heddle.plan.DesiredState;
import org.heddle.plan.model.Change;
import org.heddle.plan.model.LinkRef;
import org.heddle.plan.model.Outcome;
import org.heddle.plan.model.Tenant;
import org.heddle.plan.model.TenantSpec;
import org.heddle.server.http.Call;
import org.heddle.server.http.Problem;
import org.heddle.server.http.Reply;
import org.heddle.server.http.Route;

/**
 * The calls of the LaaS service: Zahavi, Shpiner, Rottenstreich, Kolodny, Keslassy, "Links as a
 * Service", appendix A.5. A tenant's id is its name.
 */
public final class LaasApi {
  private final Controller controller;

  public LaasApi(Controller controller) {
    this.controller = controller;
  }

  public List<Route> routes() {
    return List.of(
        new Route("GET", "/tenants", false, "LaaS: sizes of tenants by id", this::all),
        new Route("POST", "/tenants", true, "LaaS: a tenant 'id' of 'n' hosts", this::create),
        new Route("GET", "/tenants/{name}", false, "LaaS: sizes of a tenant", this::one),
        new Route("DELETE", "/tenants/{name}", true, "LaaS: let a tenant go", this::delete),
        new Route("GET", "/tenants/{name}/hosts", false, "LaaS: names of hosts", this::hosts),
        new Route(
            "GET", "/tenants/{name}/l1Ports", false, "LaaS: up-ports of leaves", c -> ports(c, 1)),
        new Route("GET", "/tenants/{name}/l2Ports", false, "LaaS: of level 2", c -> ports(c, 2)));
  }

  private static Map<String, Integer> sizes(DesiredState v, Tenant t) {
    Map<String, Integer> out = new LinkedHashMap<>();
    out.put("N", Math.max(t.spec().hosts(), t.spec().named().size()));
    out.put("hosts", t.hosts().size());
    out.put("l1Ports", (int) t.links().stream().filter(l -> level(v, l) == 1).count());
    out.put("l2Ports", (int) t.links().stream().filter(l -> level(v, l) == 2).count());
    return out;
  }

  private static int level(DesiredState v, LinkRef link) {
    int node = v.fabric().findNode(link.from());
    return node == Fabric.NONE ? 0 : v.tree().level(node);
  }

  private Reply all(Call call) {
    DesiredState v = controller.view();
    Map<String, Object> out = new TreeMap<>();
    for (Tenant t : v.all()) {
      if (call.actor().sees(t.spec().owner())) {
        out.put(t.name(), sizes(v, t));
      }
    }
    return Reply.ok(out);
  }

  private Tenant own(Call call, DesiredState v) {
    return v.tenant(call.variables().get("name"))
        .filter(t -> call.actor().sees(t.spec().owner()))
        .orElseThrow(Problem::notFound);
  }

  private Reply one(Call call) {
    DesiredState v = controller.view();
    return Reply.ok(sizes(v, own(call, v)));
  }

  private Reply create(Call call) {
    Map<String, String> form = form(call);
    String id = form.getOrDefault("id", "");
    String n = form.getOrDefault("n", "");
    if (id.isEmpty() || !n.matches("[1-9]\\d{0,6}")) {
      throw Problem.malformed("'id' and 'n' are expected, as in id=4&n=10");
    }
    TenantSpec spec = TenantSpec.links(id, call.actor().tenant(), Integer.parseInt(n));
    ApiV1.requireOwner(call, spec);
    Outcome outcome = controller.submit(new Change.Create(spec), Request.of(call.actor())).join();
    DesiredState v = controller.view();
    return switch (outcome) {
      case Outcome.Accepted a -> Reply.ok(sizes(v, a.tenant().orElseThrow()));
      case Outcome.Unchanged u -> Reply.ok(sizes(v, u.tenant().orElseThrow()));
      case Outcome.Refused no -> {
        Map<String, String> body = new LinkedHashMap<>();
        body.put("message", "Fail to allocate tenant " + id);
        body.put("reason", ApiV1.reason(call.actor(), no));
        yield new Reply(ApiV1.status(no.code()), body, Map.of("Content-Type", "application/json"));
      }
    };
  }

  private static Map<String, String> form(Call call) {
    Map<String, String> out = new HashMap<>();
    for (String pair : new String(call.body(), StandardCharsets.UTF_8).strip().split("&")) {
      int equals = pair.indexOf('=');
      if (equals > 0) {
        try {
          out.put(
              pair.substring(0, equals),
              URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
        } catch (IllegalArgumentException _) {
          throw Problem.malformed("the body is no form");
        }
      }
    }
    return out;
  }

  private Reply delete(Call call) {
    Tenant t = own(call, controller.view());
    if (!call.actor().changes(t.spec().owner())) {
      throw Problem.notFound();
    }
    Change change = new Change.Delete(t.name(), OptionalLong.empty());
    if (controller.submit(change, Request.of(call.actor())).join() instanceof Outcome.Refused no) {
      throw new Problem(ApiV1.status(no.code()), ApiV1.word(no.code()), no.reason());
    }
    return new Reply(204, new byte[0], Map.of());
  }

  private Reply hosts(Call call) {
    return Reply.ok(
        own(call, controller.view()).hosts().stream().map(h -> h.name().split(" ")[0]).toList());
  }

  private Reply ports(Call call, int level) {
    DesiredState v = controller.view();
    return Reply.ok(
        own(call, v).links().stream()
            .filter(l -> level(v, l) == level)
            .map(
                l -> {
                  Map<String, Object> port = new LinkedHashMap<>();
                  port.put("pNum", l.port());
                  port.put("sName", v.fabric().description(v.fabric().findNode(l.from())));
                  return port;
                })
            .toList());
  }
}
