package org.heddle.text.tenants;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.heddle.allocation.Rails;
import org.heddle.fabric.Guid;
import org.heddle.tenancy.IsolationPolicy;

/**
 * What a tenants file says, before it meets a fabric: rules, tenants, and members as the operator
 * names them. {@link TenantsResolver} finds the ports. The format is described in {@code
 * docs/tenants.md}. Immutable; lines count from 1 and are 0 for what comes from no file.
 *
 * @param source name of the file, for messages
 * @param weights weights of hosts for all tenants, later ones first in rank
 * @param tenants in file order
 */
public record TenantsFile(
    String source, Rules rules, List<HostWeight> weights, List<Tenant> tenants) {
  /** The version of the format this code reads and writes. */
  public static final int VERSION = 1;

  /** Largest weight of a host. */
  public static final int MAX_WEIGHT = 100;

  public TenantsFile {
    weights = List.copyOf(weights);
    tenants = List.copyOf(tenants);
  }

  /** The same with other tenants. */
  public TenantsFile withTenants(List<Tenant> others) {
    return new TenantsFile(source, rules, weights, others);
  }

  /** The same without counts: what it names. */
  public TenantsFile withoutCounts() {
    return withTenants(
        tenants.stream()
            .map(
                t ->
                    t.withMembers(
                        t.members().stream()
                            .filter(m -> !(m.selector() instanceof Count))
                            .toList()))
            .toList());
  }

  /** Names of the tenants, in file order. */
  public List<String> names() {
    return tenants.stream().map(Tenant::name).toList();
  }

  /**
   * What holds for the whole fabric.
   *
   * @param strict a policy that cannot be kept makes routing fail
   * @param dataLanes data virtual lanes available, 1..15
   * @param physicalShare largest share of the channels between switches for {@code phy} tenants
   * @param pkeyTable entries of a port's P_Key table, the default key's included
   * @param sharing tenants that may share channels and lanes
   * @param isolation how much isolation counts against balance for engines that weigh the two,
   *     0..1, if the file says
   * @param engine who routes, if the file says
   */
  public record Rules(
      boolean strict,
      int dataLanes,
      double physicalShare,
      int pkeyTable,
      List<Group> sharing,
      OptionalDouble isolation,
      Optional<Engine> engine) {
    /** Best effort, 8 lanes, no cap, 128 table entries, nobody shares. */
    public static final Rules DEFAULT = new Rules(false, 8, 1.0, 128, List.of());

    public Rules {
      sharing = List.copyOf(sharing);
    }

    /** Rules that do not say who routes. */
    public Rules(
        boolean strict,
        int dataLanes,
        double physicalShare,
        int pkeyTable,
        List<Group> sharing,
        OptionalDouble isolation) {
      this(strict, dataLanes, physicalShare, pkeyTable, sharing, isolation, Optional.empty());
    }

    /** Rules that do not say how much isolation counts, nor who routes. */
    public Rules(
        boolean strict, int dataLanes, double physicalShare, int pkeyTable, List<Group> sharing) {
      this(strict, dataLanes, physicalShare, pkeyTable, sharing, OptionalDouble.empty());
    }
  }

  /** The name of a routing engine. Whether there is such a one depends on the plug-ins. */
  public record Engine(int line, String name) {}

  /** Names of tenants that may share channels and lanes with each other. */
  public record Group(int line, List<String> names) {
    public Group {
      names = List.copyOf(names);
    }
  }

  /**
   * One tenant.
   *
   * @param pkey base P_Key 1..0x7ffe, or 0 for an automatic one
   * @param pkeyLine where the key stands, or the tenant where it does not
   * @param full membership of entries that do not say
   * @param weight weight of members that have no other, or 0
   * @param exclusive its hosts may belong to no other tenant
   * @param ownLinks it gets links between switches that nobody else has ({@code links: exclusive})
   * @param ipOverIb what it wants of IP over InfiniBand; empty if the file leaves that open
   * @param weights weights of hosts in this tenant, later ones first in rank
   */
  public record Tenant(
      int line,
      String name,
      int pkey,
      int pkeyLine,
      IsolationPolicy policy,
      boolean full,
      int weight,
      boolean exclusive,
      Optional<OwnLinks> ownLinks,
      Optional<IpOverIb> ipOverIb,
      List<Member> members,
      List<HostWeight> weights) {
    public Tenant {
      members = List.copyOf(members);
      weights = List.copyOf(weights);
    }

    /** A tenant without links of its own, of which IP over InfiniBand is left open. */
    public Tenant(
        int line,
        String name,
        int pkey,
        int pkeyLine,
        IsolationPolicy policy,
        boolean full,
        int weight,
        boolean exclusive,
        List<Member> members,
        List<HostWeight> weights) {
      this(
          line,
          name,
          pkey,
          pkeyLine,
          policy,
          full,
          weight,
          exclusive,
          Optional.empty(),
          Optional.empty(),
          members,
          weights);
    }

    /** True if it gets links of its own. */
    public boolean links() {
      return ownLinks.isPresent();
    }

    /** True if hosts are its own: it is exclusive, or takes so many of those that nobody names. */
    public boolean ownsHosts() {
      return exclusive || counts();
    }

    /** True if it takes so many hosts that nobody names. */
    public boolean counts() {
      return members.stream().anyMatch(m -> m.selector() instanceof Count);
    }

    /** The same with other members. */
    public Tenant withMembers(List<Member> others) {
      return new Tenant(
          line, name, pkey, pkeyLine, policy, full, weight, exclusive, ownLinks, ipOverIb, others,
          weights);
    }

    /** The same with or without IP over InfiniBand. */
    public Tenant withIpOverIb(Optional<IpOverIb> other) {
      return new Tenant(
          line, name, pkey, pkeyLine, policy, full, weight, exclusive, ownLinks, other, members,
          weights);
    }

    /** A tenant of full members that comes from no file. */
    public static Tenant of(String name, int pkey, IsolationPolicy policy, List<Member> members) {
      return new Tenant(0, name, pkey, 0, policy, true, 0, false, members, List.of());
    }
  }

  /**
   * IP over InfiniBand in a tenant's partition: whether it has a broadcast group, and which.
   *
   * @param mtu in bytes, 0 for OpenSM's 2048
   * @param rate in Gbit/s, one of {@link org.heddle.fabric.PathRate}; 0 for OpenSM's 10
   */
  public record IpOverIb(boolean wanted, int mtu, double rate) {}

  /**
   * Links of a tenant's own.
   *
   * @param oversubscription its hosts that may share an up-link, at least 1
   * @param rails between which adapters of its machines
   * @param held which links, by GUID and port; none to leave the choice to Heddle
   */
  public record OwnLinks(int oversubscription, Rails rails, List<LinkEnd> held) {
    /** Full bandwidth, on whatever links. */
    public static final OwnLinks ANY = new OwnLinks(1, List.of());

    /** On every rail by itself. */
    public OwnLinks(int oversubscription, List<LinkEnd> held) {
      this(oversubscription, Rails.SEPARATE, held);
    }

    public OwnLinks {
      held =
          held.stream()
              .sorted(Comparator.comparing(LinkEnd::guid).thenComparing(LinkEnd::port))
              .toList();
    }
  }

  /** A link by its lower end: node GUID of the switch, and the port there. */
  public record LinkEnd(int line, Guid guid, int port) {
    @Override
    public String toString() {
      return guid + ":" + port;
    }
  }

  /**
   * One entry of a member list.
   *
   * @param full membership, if the entry says
   * @param weight weight, or 0 if the entry does not say
   * @param ports port numbers to take of each adapter; empty for all that are linked
   * @param hca name of the adapters to take, behind the host name in the description ({@code
   *     mlx5_0}, {@code HCA-1}, wildcards allowed); empty for all
   * @param guest the ports are in the partition, but their hosts are not the tenant's own
   */
  public record Member(
      int line,
      Selector selector,
      Optional<Boolean> full,
      int weight,
      List<Integer> ports,
      String hca,
      boolean guest) {
    public Member {
      ports = List.copyOf(ports);
    }

    /** On a host of the tenant's own. */
    public Member(
        int line,
        Selector selector,
        Optional<Boolean> full,
        int weight,
        List<Integer> ports,
        String hca) {
      this(line, selector, full, weight, ports, hca, false);
    }

    /** All linked ports of what is selected, as the tenant's defaults say. */
    public static Member of(Selector selector) {
      return new Member(0, selector, Optional.empty(), 0, List.of(), "");
    }
  }

  /** What an entry names. */
  public sealed interface Selector {}

  /**
   * Hosts by name.
   *
   * @param expressions host names, hostlists ({@code node[01-16,20]}), wildcards ({@code gpu*}), or
   *     whole descriptions ({@code node01 HCA-1})
   */
  public record Hosts(List<String> expressions) implements Selector {
    public Hosts {
      expressions = List.copyOf(expressions);
    }
  }

  /** A port or a node by GUID; not necessarily in the fabric yet. */
  public record ByGuid(Guid guid) implements Selector {}

  /** So many hosts that no tenant names. */
  public record Count(int hosts) implements Selector {}

  /** A weight, 1..100, of the hosts an expression names. */
  public record HostWeight(int line, String hosts, int weight) {}
}
