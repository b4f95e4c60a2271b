package org.heddle.text;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.heddle.allocation.Allocation;
import org.heddle.allocation.AllocationBuilder;
import org.heddle.allocation.Occupancy;
import org.heddle.allocation.Plant;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.text.BoundState.Held;
import org.heddle.text.StateFile.Host;
import org.heddle.text.StateFile.Link;
import org.heddle.text.StateFile.Tenant;

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

  /** Coordinates of the link at a port, by port id: leaf or level-2 switch, and number there. */
  private final int[] owner;

  private final int[] number;
  private final boolean[] rootLink;
  private int found;

  private StateBinder(StateFile state, Plant plant) {
    this.state = state;
    this.plant = plant;
    this.fabric = plant.fabric();
    this.problems = new Problems(state.source());
    owner = new int[fabric.portIdLimit()];
    number = new int[owner.length];
    rootLink = new boolean[owner.length];
    Arrays.fill(owner, Fabric.NONE);
  }

  /** The state on the plant of a fabric. */
  public static Parsed<BoundState> bind(StateFile state, Plant plant) {
    return new StateBinder(state, plant).bind();
  }

  private Parsed<BoundState> bind() {
    index();
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

  private void index() {
    for (int rail = 0; rail < plant.rails(); rail++) {
      for (int l = 0; l < plant.leafCount(); l++) {
        for (int p = 0; p < plant.positions(); p++) {
          note(plant.upPort(rail, l, p), l, p, false);
        }
      }
      for (int s = 0; s < plant.subtreeCount() * plant.planes(); s++) {
        for (int r = 0; r < plant.rootLinks(); r++) {
          note(plant.rootPort(rail, s / plant.planes(), s % plant.planes(), r), s, r, true);
        }
      }
    }
  }

  private void note(int port, int at, int which, boolean root) {
    if (port != Fabric.NONE) {
      owner[port] = at;
      number[port] = which;
      rootLink[port] = root;
    }
  }

  private Held held(Tenant tenant) {
    AllocationBuilder builder =
        new AllocationBuilder(
            plant, tenant.requested(), tenant.oversubscription(), tenant.guaranteed());
    List<String> lost = new ArrayList<>();
    for (Host host : tenant.hosts()) {
      int node = fabric.findNode(host.guid().value());
      if (node == Fabric.NONE || plant.leafOfHost(node) == Fabric.NONE) {
        lost.add(
            "host %s %s".formatted(name(host), node == Fabric.NONE ? "is gone" : "has no link"));
        continue;
      }
      found++;
      builder.host(plant.leafOfHost(node), plant.slotOfHost(node));
    }
    for (Link link : tenant.links()) {
      int port = port(link);
      if (port == Fabric.NONE) {
        lost.add(
            "link from %s port %d to %s port %d is gone"
                .formatted(
                    name(link.from().value()),
                    link.port(),
                    name(link.to().value()),
                    link.toPort()));
      } else {
        add(builder, port);
      }
    }
    Allocation there = builder.build();
    return new Held(tenant, there, lost);
  }

  /** The port of the lower end, if the cable is as it was and counts on all rails. */
  private int port(Link link) {
    int node = fabric.findNode(link.from().value());
    if (!fabric.isSwitch(node) || link.port() > fabric.portCount(node)) {
      return Fabric.NONE;
    }
    int port = fabric.port(node, link.port());
    int peer = fabric.peer(port);
    boolean same =
        peer != Fabric.NONE
            && fabric.numberOf(peer) == link.toPort()
            && fabric.nodeGuid(fabric.nodeOf(peer)) == link.to().value();
    return same && owner[port] != Fabric.NONE && onAllRails(port) ? port : Fabric.NONE;
  }

  private boolean onAllRails(int port) {
    boolean all = true;
    for (int rail = 0; rail < plant.rails(); rail++) {
      int s = owner[port];
      int there =
          rootLink[port]
              ? plant.rootPort(rail, s / plant.planes(), s % plant.planes(), number[port])
              : plant.upPort(rail, s, number[port]);
      all &= there != Fabric.NONE;
    }
    return all;
  }

  private void add(AllocationBuilder builder, int port) {
    int at = owner[port];
    if (rootLink[port]) {
      builder.root(at / plant.planes(), at % plant.planes(), number[port]);
    } else {
      builder.up(at, number[port]);
    }
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
