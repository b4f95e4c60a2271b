package org.heddle.text.state;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.heddle.allocation.Rails;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.fabric.MachineList;
import org.heddle.routing.EngineNames;
import org.heddle.tenancy.PKeys;
import org.heddle.text.tenants.TenantsChecks;

/**
 * Which tenant holds which hosts and links, by GUID, so that it outlives fabric snapshots. {@link
 * StateTenants} makes a desired state's tenants of them. The format is described in {@code
 * docs/allocate.md}. Immutable; lines count from 1 and are 0 for what comes from no file.
 *
 * @param source name of the file, for messages
 * @param fabric the fabric it was last written for; empty if no tenant was ever admitted
 * @param engine name of the engine that makes the base tables
 * @param machines what the site listed of its machines when it was last written
 * @param tenants in the order of their admission
 */
public record StateFile(
    String source,
    Optional<Mark> fabric,
    String engine,
    MachineList machines,
    List<Tenant> tenants) {
  /** The version of the format this code reads and writes. */
  public static final int VERSION = 1;

  /** The engine of a new state: its tables depend on no counter, so damage changes little. */
  public static final String DEFAULT_ENGINE = EngineNames.DMODK;

  /** Tenants that have no key yet get one, in their order. */
  public StateFile {
    tenants = withKeys(tenants);
  }

  private static List<Tenant> withKeys(List<Tenant> tenants) {
    Set<Integer> taken = new HashSet<>();
    tenants.forEach(t -> taken.add(t.pkey()));
    List<Tenant> out = new ArrayList<>();
    for (Tenant t : tenants) {
      Tenant keyed = t.pkey() != 0 ? t : t.withKey(PKeys.of(t.name(), taken::contains));
      taken.add(keyed.pkey());
      out.add(keyed);
    }
    return List.copyOf(out);
  }

  /** A state without tenants. */
  public static StateFile empty(String source) {
    return new StateFile(source, Optional.empty(), DEFAULT_ENGINE, MachineList.NONE, List.of());
  }

  /**
   * What a fabric looked like.
   *
   * @param fingerprint of its cabling
   */
  public record Mark(long fingerprint, int switches, int hosts) {
    /** The mark of a fabric. */
    public static Mark of(Fabric fabric) {
      return new Mark(fabric.fingerprint(), fabric.switchCount(), fabric.caCount());
    }
  }

  /**
   * One tenant.
   *
   * @param pkey base P_Key; 0 for one that it gets in a state: of a file of before keys were kept
   * @param requested hosts it asked for
   * @param oversubscription its hosts that may share an up-link
   * @param allocator who placed it
   * @param guaranteed it was promised links of its own
   * @param rails between which adapters of its machines
   * @param hosts an adapter of each machine
   */
  public record Tenant(
      int line,
      String name,
      int pkey,
      int requested,
      int oversubscription,
      String allocator,
      boolean guaranteed,
      Rails rails,
      List<Host> hosts,
      List<Link> links) {
    public Tenant {
      hosts = List.copyOf(hosts);
      links = List.copyOf(links);
    }

    /** With links on every rail by itself. */
    public Tenant(
        int line,
        String name,
        int pkey,
        int requested,
        int oversubscription,
        String allocator,
        boolean guaranteed,
        List<Host> hosts,
        List<Link> links) {
      this(
          line,
          name,
          pkey,
          requested,
          oversubscription,
          allocator,
          guaranteed,
          Rails.SEPARATE,
          hosts,
          links);
    }

    /** The same with another key. */
    Tenant withKey(int key) {
      return new Tenant(
          line, name, key, requested, oversubscription, allocator, guaranteed, rails, hosts, links);
    }
  }

  /**
   * A host.
   *
   * @param guid its node GUID
   * @param name its description when it was written, for people
   * @param adapters node GUIDs of all its adapters with a cable; empty for a host of one
   */
  public record Host(int line, Guid guid, String name, List<Guid> adapters) {
    public Host {
      adapters = List.copyOf(adapters);
    }

    /** A host of one adapter. */
    public Host(int line, Guid guid, String name) {
      this(line, guid, name, List.of());
    }
  }

  /** A link between two switches: the lower end, then the upper one. */
  public record Link(int line, Guid from, int port, Guid to, int toPort) {
    /** The link without its line, to compare. */
    public Link bare() {
      return new Link(0, from, port, to, toPort);
    }
  }

  /** True if a tenant can have that name: what OpenSM can hold, and not the default partition's. */
  public static boolean isName(String name) {
    return TenantsChecks.isName(name) && !name.equalsIgnoreCase("default");
  }

  /** The tenant of that name, or empty. */
  public Optional<Tenant> find(String name) {
    return tenants.stream().filter(t -> t.name().equals(name)).findFirst();
  }

  /** The same with other tenants, for a fabric. */
  public StateFile with(Fabric on, List<Tenant> others) {
    return new StateFile(source, Optional.of(Mark.of(on)), engine, on.machineList(), others);
  }

  /** The same with another engine. */
  public StateFile withEngine(String name) {
    return new StateFile(source, fabric, name, machines, tenants);
  }

  /** The content without line numbers, to compare. */
  public StateFile canonical() {
    List<Tenant> out = new ArrayList<>();
    for (Tenant t : tenants) {
      out.add(
          new Tenant(
              0,
              t.name,
              t.pkey,
              t.requested,
              t.oversubscription,
              t.allocator,
              t.guaranteed,
              t.rails,
              t.hosts.stream().map(h -> new Host(0, h.guid, h.name, h.adapters)).toList(),
              t.links.stream().map(Link::bare).toList()));
    }
    return new StateFile("", fabric, engine, machines, out);
  }
}
