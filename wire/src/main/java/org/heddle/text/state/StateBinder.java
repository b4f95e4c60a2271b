package org.heddle.text.state;

import java.util.ArrayList;
import java.util.List;
import org.heddle.allocation.AllocationBinder;
import org.heddle.allocation.Occupancy;
import org.heddle.allocation.Plant;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.text.Parsed;
import org.heddle.text.Problems;
import org.heddle.text.Tokens;
import org.heddle.text.state.BoundState.Held;
import org.heddle.text.state.StateFile.Host;
import org.heddle.text.state.StateFile.Link;
import org.heddle.text.state.StateFile.Tenant;

/**
 * Finds the hosts and links of a state file in a fabric. What has vanished since is no error, it is
 * said for each tenant; the rest of the tenant stays taken. An error is a file of which nothing is
 * in the fabric, and one whose tenants meet on a link of another rail. O(ports + entries).
 */
public final class StateBinder {
  private final StateFile state;
  private final Plant plant;
  private final Fabric fabric;
  private final Problems problems;

  private final AllocationBinder binder;
  private int found;

  private StateBinder(StateFile state, Plant plant) {
    this.state = state;
    this.plant = plant;
    this.fabric = plant.fabric();
    this.problems = new Problems(state.source());
    this.binder = new AllocationBinder(plant);
  }

  /** The state on the plant of a fabric. */
  public static Parsed<BoundState> bind(StateFile state, Plant plant) {
    return new StateBinder(state, plant).bind();
  }

  private Parsed<BoundState> bind() {
    Occupancy occupancy = Occupancy.empty(plant);
    List<Held> held = new ArrayList<>();
    for (Tenant tenant : state.tenants()) {
      Held h = held(tenant);
      if (occupancy.fits(h.allocation())) {
        occupancy.take(h.allocation());
      } else {
        problems.error(tenant.line(), "'" + tenant.name() + "' has links of another tenant");
      }
      held.add(h);
    }
    if (found == 0 && !state.tenants().isEmpty()) {
      problems.error(0, "the state of another fabric: none of the hosts it names is in this one");
    }
    boolean same =
        state.fabric().isEmpty() || state.fabric().get().fingerprint() == fabric.fingerprint();
    return problems.result(new BoundState(state, held, occupancy, same));
  }

  private Held held(Tenant tenant) {
    AllocationBinder.Bound bound = binder.bind(tenant.known());
    List<String> lost = new ArrayList<>();
    for (int i : bound.lostHosts()) {
      Host host = tenant.hosts().get(i);
      boolean gone = fabric.findNode(host.guid().value()) == Fabric.NONE;
      lost.add("host %s %s".formatted(name(host), gone ? "is gone" : "has no link"));
    }
    found += tenant.hosts().size() - bound.lostHosts().size();
    for (int i : bound.lostLinks()) {
      Link link = tenant.links().get(i);
      lost.add(
          "link from %s port %d to %s port %d is gone"
              .formatted(
                  name(link.from().value()), link.port(), name(link.to().value()), link.toPort()));
    }
    return new Held(tenant, bound.allocation(), lost);
  }

  private static String name(Host host) {
    return host.name().isEmpty()
        ? host.guid().toString()
        : "'" + Tokens.excerpt(host.name()) + "' (" + host.guid() + ")";
  }

  private String name(long guid) {
    int node = fabric.findNode(guid);
    return node == Fabric.NONE ? Guid.format(guid) : fabric.node(node).display();
  }
}
