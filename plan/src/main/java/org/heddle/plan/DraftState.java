package org.heddle.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.heddle.allocation.Allocation;
import org.heddle.allocation.Holder;
import org.heddle.plan.model.KeyRanges;
import org.heddle.plan.model.Quotas;
import org.heddle.plan.model.Tenant;
import org.heddle.reconfig.migration.MigrationPlanner;

/** The desired state while changes are worked out: a copy that is thrown away or published. */
public final class DraftState {
  /** The order of admission, which a restart does not change. */
  static final Comparator<Tenant> ADMISSION =
      Comparator.comparingLong(Tenant::created).thenComparing(Tenant::name);

  /** Name of the engine wanted for the tables under the tenants' own. */
  public final String engine;

  public PhysicalFabric site;

  /** By name, in the order of admission. */
  public final LinkedHashMap<String, Tenant> tenants;

  public final Map<Integer, String> keys;

  /** Who holds what of the site's plant: every tenant with hosts is in it. */
  public Holdings holdings;

  /**
   * The last site that lacked nothing of those before it: what promises are decided on besides
   * {@link #site} while that lacks something. The same object while it does not.
   */
  public PhysicalFabric reference;

  /** The keys that partitions may have. */
  public KeyRanges keyRanges = KeyRanges.ALL;

  /** What owners of tenants may have. */
  public Quotas quotas = Quotas.NONE;

  public VmInventory machines;

  /** That of the last move; of use as long as the tables are those that it left. */
  MigrationPlanner planner;

  /** Its tables, once it is the state that is published. */
  public Tables routed;

  /** The published state that it was copied from; null if it is one. */
  DraftState origin;

  public DraftState(PhysicalFabric site, String engine) {
    this.engine = engine;
    this.site = site;
    tenants = new LinkedHashMap<>();
    keys = new HashMap<>();
    holdings = Holdings.none(site);
    reference = site;
    machines = VmInventory.none(site);
  }

  private DraftState(DraftState from) {
    engine = from.engine;
    site = from.site;
    tenants = new LinkedHashMap<>(from.tenants);
    keys = new HashMap<>(from.keys);
    holdings = from.holdings;
    reference = from.reference;
    keyRanges = from.keyRanges;
    quotas = from.quotas;
    machines = from.machines;
    planner = from.planner;
    origin = from.routed == null ? from.origin : from;
  }

  /** Becomes the state that is published. */
  public void publish(Tables tables) {
    routed = tables;
    machines = tables.machines();
    origin = null;
  }

  public DraftState copy() {
    return new DraftState(this);
  }

  /** Takes a tenant in with what it holds; its name, key, hosts and links are free. */
  public void add(Tenant tenant, Allocation allocation) {
    if (allocation != null) {
      holdings = holdings.with(tenant.name(), Holdings.Held.of(allocation));
    }
    boolean last =
        tenants.isEmpty() || ADMISSION.compare(tenants.lastEntry().getValue(), tenant) < 0;
    tenants.put(tenant.name(), tenant);
    if (!last) {
      List<Tenant> all = new ArrayList<>(tenants.values());
      all.sort(ADMISSION);
      tenants.clear();
      all.forEach(t -> tenants.put(t.name(), t));
    }
    keys.put(tenant.pkey(), tenant.name());
  }

  /** Lets a tenant go; null if there was none. */
  Tenant remove(String name) {
    Tenant gone = tenants.remove(name);
    if (gone != null) {
      keys.remove(gone.pkey());
      holdings = holdings.without(name);
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
  public boolean routesAs(DraftState other) {
    List<Map.Entry<String, Holdings.Held>> mine = held();
    List<Map.Entry<String, Holdings.Held>> others = other.held();
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

  /** The same for who looks for a place, or for advice about others. */
  public List<Holder> holders() {
    return held().stream().map(e -> new Holder(e.getKey(), e.getValue().charged())).toList();
  }

  /** What tenants hold, in the order of admission, with names. */
  public List<Map.Entry<String, Holdings.Held>> held() {
    List<Map.Entry<String, Holdings.Held>> out = new ArrayList<>();
    for (String name : tenants.keySet()) {
      Holdings.Held a = holdings.of(name);
      if (a != null) {
        out.add(Map.entry(name, a));
      }
    }
    return out;
  }

  /** Whose tables this state has under the tenants' own. */
  public EngineInForce engineInForce() {
    return site.engine(Isolation.physical(this));
  }
}
