package org.heddle.server.console;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.heddle.control.Controller;
import org.heddle.control.model.Actor;
import org.heddle.fabric.Fabric;
import org.heddle.plan.DesiredState;
import org.heddle.plan.model.Tenant;
import org.heddle.server.http.Call;
import org.heddle.server.http.Documents;
import org.heddle.server.http.Problem;
import org.heddle.server.http.Reply;
import org.heddle.server.http.Route;

/** The fabric as a picture: {@link Picture} of the desired state, for the console. */
public final class PictureApi {
  private final Controller controller;

  /** The last picture of all tenants: it changes with the state only, and many may look. */
  private DesiredState shown;

  private byte[] bytes;

  /** Of the last fabric; it does not change with tenants. */
  private Fabric named;

  private byte[] names;

  public PictureApi(Controller controller) {
    this.controller = controller;
  }

  public List<Route> routes() {
    return List.of(
        new Route(
                "GET",
                "/v1/fabrics/{name}/picture",
                false,
                "Levels, switches, links, and who has them",
                this::picture)
            .answers(Picture.class),
        new Route(
                "GET",
                "/v1/fabrics/{name}/hosts",
                false,
                "The picture's hosts: names, GUIDs, LIDs",
                this::hosts)
            .answers(PictureHosts.class));
  }

  /** Makes the picture before anybody asks: the first of a large fabric takes a second. */
  public void prepare() {
    all(controller.view());
  }

  private Reply picture(Call call) {
    DesiredState v = controller.view();
    if (!v.name().equals(call.variables().get("name"))) {
      throw Problem.notFound();
    }
    byte[] out = call.actor().role() == Actor.Role.TENANT ? own(call.actor(), v) : all(v);
    return new Reply(200, out, Map.of("Content-Type", "application/json"));
  }

  private Reply hosts(Call call) {
    DesiredState v = controller.view();
    if (!v.name().equals(call.variables().get("name"))) {
      throw Problem.notFound();
    }
    byte[] out = call.actor().role() == Actor.Role.TENANT ? ownHosts(call.actor(), v) : allHosts(v);
    return new Reply(200, out, Map.of("Content-Type", "application/json"));
  }

  private synchronized byte[] allHosts(DesiredState v) {
    if (named != v.fabric()) {
      names = Documents.JSON.writeValueAsBytes(PictureHosts.of(v, _ -> true));
      named = v.fabric();
    }
    return names;
  }

  private static byte[] ownHosts(Actor actor, DesiredState v) {
    Set<Long> mine = new HashSet<>();
    for (Tenant t : v.all()) {
      if (actor.sees(t.spec().owner())) {
        v.adapters(t).forEach(h -> mine.add(h.guid()));
      }
    }
    return Documents.JSON.writeValueAsBytes(PictureHosts.of(v, mine::contains));
  }

  private synchronized byte[] all(DesiredState v) {
    if (shown != v) {
      bytes = Documents.JSON.writeValueAsBytes(Picture.of(v, List.copyOf(v.all())));
      shown = v;
    }
    return bytes;
  }

  /** Only what is its own; the epoch would tell that others change things. */
  private static byte[] own(Actor actor, DesiredState v) {
    List<Tenant> mine = v.all().stream().filter(t -> actor.sees(t.spec().owner())).toList();
    return Documents.JSON.writeValueAsBytes(Picture.of(v, mine).withoutEpoch());
  }
}
