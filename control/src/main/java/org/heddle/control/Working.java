package org.heddle.control;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.heddle.allocation.Allocation;
import org.heddle.allocation.Occupancy;
import org.heddle.control.model.Tenant;
import org.heddle.reconfig.MigrationPlanner;

/** The desired state while changes are worked out: a copy that is thrown away or published. */
final class Working {
  final String engine;
  Site site;
  final LinkedHashMap<String, Tenant> tenants;
  final Map<String, Allocation> held;
  final Map<Integer, String> keys;
  Occupancy occupancy;
  Machines machines;

  /** That of the last move; of use as long as the tables are those that it left. */
  MigrationPlanner planner;

  /** Its tables, once it is the state that is published. */
  Tables.Result routed;

  /** The published state that it was copied from; null if it is one. */
  Working origin;

  Working(Site site, String engine) {
    this.engine = engine;
    this.site = site;
    tenants = new LinkedHashMap<>();
    held = new HashMap<>();
    keys = new HashMap<>();
    occupancy = Occupancy.empty(site.plant());
    machines = Machines.none(site);
  }

  private Working(Working from) {
    engine = from.engine;
    site = from.site;
    tenants = new LinkedHashMap<>(from.tenants);
    held = new HashMap<>(from.held);
    keys = new HashMap<>(from.keys);
    occupancy = from.occupancy.copy();
    machines = from.machines;
    planner = from.planner;
    origin = from.routed == null ? from.origin : from;
  }

  /** Becomes the state that is published. */
  void publish(Tables.Result tables) {
    routed = tables;
    machines = tables.machines();
    origin = null;
  }

  Working copy() {
    return new Working(this);
  }

  /** Takes a tenant in with what it holds; its name, key, hosts and links are free. */
  void add(Tenant tenant, Allocation allocation) {
    if (allocation != null) {
      occupancy.take(allocation);
      held.put(tenant.name(), allocation);
    }
    tenants.put(tenant.name(), tenant);
    keys.put(tenant.pkey(), tenant.name());
  }

  /** Lets a tenant go; null if there was none. */
  Tenant remove(String name) {
    Tenant gone = tenants.remove(name);
    if (gone != null) {
      keys.remove(gone.pkey());
      Allocation a = held.remove(name);
      if (a != null) {
        occupancy.release(a);
      }
    }
    return gone;
  }

  /** Puts a tenant that holds the same things in its own place, order kept. */
  void update(Tenant tenant) {
    Tenant before = tenants.put(tenant.name(), tenant);
    if (before != null && before.pkey() != tenant.pkey()) {
      keys.remove(before.pkey());
    }
    keys.put(tenant.pkey(), tenant.name());
  }

  /** True if the tables of another state's tenants are those of this one's, too. */
  boolean routesAs(Working other) {
    List<Map.Entry<String, Allocation>> mine = allocations();
    List<Map.Entry<String, Allocation>> others = other.allocations();
    boolean same = site == other.site && mine.size() == others.size();
    for (int i = 0; same && i < mine.size(); i++) {
      String name = mine.get(i).getKey();
      same =
          name.equals(others.get(i).getKey())
              && mine.get(i).getValue() == others.get(i).getValue()
              && tenants.get(name).broken().equals(other.tenants.get(name).broken());
    }
    return same && Isolation.same(this, other);
  }

  /** Allocations in the order of admission, with names. */
  List<Map.Entry<String, Allocation>> allocations() {
    List<Map.Entry<String, Allocation>> out = new ArrayList<>();
    for (String name : tenants.keySet()) {
      Allocation a = held.get(name);
      if (a != null) {
        out.add(Map.entry(name, a));
      }
    }
    return out;
  }
}
