package org.heddle.text.tenants;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.fabric.NodeType;
import org.heddle.text.Hostlist;
import org.heddle.text.NearWords;
import org.heddle.text.Tokens;
import org.heddle.text.tenants.ResolvedTenants.Pending;
import org.heddle.text.tenants.ResolvedTenants.Reason;
import org.heddle.text.tenants.TenantsFile.ByGuid;
import org.heddle.text.tenants.TenantsFile.Count;
import org.heddle.text.tenants.TenantsFile.Hosts;
import org.heddle.text.tenants.TenantsFile.Member;
import org.heddle.text.tenants.TenantsFile.Tenant;

/**
 * The ports one tenant claims, entry by entry. Later entries of a port override what they state.
 */
final class TenantsClaims {
  private static final int SHOWN_NAMES = 5;

  private final Fabric fabric;
  private final TenantsHosts hosts;
  private final Tenant tenant;
  private final TenantsProblems problems;
  private final TreeMap<Integer, Claim> byPort = new TreeMap<>();
  private final Map<Guid, Pending> pending = new LinkedHashMap<>();

  /**
   * A port with what its entries say.
   *
   * @param line the entry that claimed it first
   * @param weight weight its entries state, or 0
   * @param guest every entry says that the host is not the tenant's own
   */
  record Claim(int line, boolean full, int weight, boolean guest) {}

  TenantsClaims(Fabric fabric, TenantsHosts hosts, Tenant tenant, TenantsProblems problems) {
    this.fabric = fabric;
    this.hosts = hosts;
    this.tenant = tenant;
    this.problems = problems;
  }

  Tenant tenant() {
    return tenant;
  }

  /** Claims by port id, ascending. */
  TreeMap<Integer, Claim> byPort() {
    return byPort;
  }

  List<Pending> pending() {
    return List.copyOf(pending.values());
  }

  /** Claims the ports of an entry that names hosts or a GUID. */
  void claim(Member member) {
    switch (member.selector()) {
      case Hosts named -> claimHosts(member, named);
      case ByGuid byGuid -> claimGuid(member, byGuid.guid().value());
      case Count _ -> throw new IllegalArgumentException("counts come after names");
    }
  }

  private void claimHosts(Member member, Hosts named) {
    Set<Integer> nodes = new LinkedHashSet<>();
    Set<String> missing = new LinkedHashSet<>();
    for (String expression : named.expressions()) {
      for (String name : Hostlist.expand(expression).names()) {
        nodes(member, name, nodes, missing);
      }
    }
    if (!missing.isEmpty()) {
      unknown(member, missing);
    }
    claimNodes(member, nodes);
  }

  private void nodes(Member member, String name, Set<Integer> nodes, Set<String> missing) {
    if (name.indexOf(' ') > 0) {
      List<Integer> found = hosts.described(name);
      if (found.size() > 1) {
        ambiguous(member, name);
      } else if (found.isEmpty()) {
        missing.add(name);
      }
      nodes.addAll(found);
    } else if (TenantsHosts.isPattern(name)) {
      List<Integer> found = hosts.matching(name);
      if (found.isEmpty()) {
        problems.error(member.line(), "no host name matches '" + Tokens.excerpt(name) + "'");
      }
      found.forEach(h -> nodes.addAll(hosts.host(h).nodes()));
    } else {
      int host = hosts.find(name);
      if (host == Fabric.NONE) {
        missing.add(name);
      } else if (hosts.host(host).ambiguous()) {
        ambiguous(member, name);
      } else {
        nodes.addAll(hosts.host(host).nodes());
      }
    }
  }

  private void ambiguous(Member member, String name) {
    problems.error(
        member.line(),
        "'"
            + Tokens.excerpt(name)
            + "' is the description of several adapters that are not one card; name them by GUID");
  }

  private void unknown(Member member, Set<String> missing) {
    List<String> shown = missing.stream().limit(SHOWN_NAMES).map(Tokens::excerpt).toList();
    String first = missing.iterator().next();
    String more =
        missing.size() > SHOWN_NAMES ? " and " + (missing.size() - SHOWN_NAMES) + " more" : "";
    String hint = problems.full() ? "" : NearWords.hint(first, hosts.names());
    if (hint.isEmpty() && first.length() == 16 && Tokens.isHex(first)) {
      hint = "; a GUID starts with 0x";
    }
    problems.error(
        member.line(),
        (missing.size() == 1 ? "no host of the fabric is called " : "the fabric has no hosts ")
            + String.join(", ", shown)
            + more
            + hint);
  }

  private void claimGuid(Member member, long guid) {
    int port = fabric.findPort(guid);
    if (port != Fabric.NONE && fabric.nodeType(fabric.nodeOf(port)) != NodeType.SWITCH) {
      if (!selects(member, port)) {
        problems.error(
            member.line(),
            Guid.format(guid)
                + " is port "
                + fabric.numberOf(port)
                + ", which 'ports' or 'hca'"
                + " leave out");
      } else {
        claimPorts(member, List.of(port));
      }
      return;
    }
    int node = fabric.findNode(guid);
    if (node == Fabric.NONE && port == Fabric.NONE) {
      boolean full = member.full().orElse(tenant.full());
      pending.put(
          new Guid(guid), new Pending(member.line(), new Guid(guid), full, Reason.NOT_IN_FABRIC));
    } else if (node == Fabric.NONE || fabric.isSwitch(node)) {
      problems.error(
          member.line(),
          Guid.format(guid)
              + " is a switch"
              + (node == Fabric.NONE ? "" : ", '" + Tokens.excerpt(fabric.description(node)) + "'")
              + "; members are ports of hosts");
    } else {
      claimNodes(member, Set.of(node));
    }
  }

  /** Claims the linked ports of adapters; those without a cable become pending. */
  void claimNodes(Member member, Set<Integer> nodes) {
    List<Integer> linked = new ArrayList<>();
    Set<Integer> dark = new LinkedHashSet<>();
    for (int node : nodes) {
      int before = linked.size();
      List<Integer> unlinked = new ArrayList<>();
      for (int number = 1; number <= fabric.portCount(node); number++) {
        int port = fabric.port(node, number);
        if (selects(member, port)) {
          (fabric.isEndport(port) ? linked : unlinked).add(port);
        }
      }
      // A second port that nobody cabled is usual; an adapter without any cable is not. A port
      // that was asked for by number is wanted in either case.
      if (linked.size() == before || !member.ports().isEmpty()) {
        dark.addAll(unlinked);
      }
    }
    if (linked.isEmpty() && dark.isEmpty() && !nodes.isEmpty()) {
      problems.error(member.line(), "'ports' and 'hca' leave no port of these hosts");
    }
    linked.addAll(dark);
    claimPorts(member, linked);
  }

  /** True if the entry's filters let the port through. */
  boolean selects(Member member, int port) {
    int node = fabric.nodeOf(port);
    return (member.ports().isEmpty() || member.ports().contains(fabric.numberOf(port)))
        && (member.hca().isEmpty() || TenantsHosts.matches(member.hca(), hosts.adapterName(node)));
  }

  private void claimPorts(Member member, List<Integer> ports) {
    boolean news = ports.isEmpty();
    for (int port : ports) {
      if (fabric.isEndport(port)) {
        news |= merge(member, port);
      } else {
        unlinked(member, port);
        news = true;
      }
    }
    if (!news) {
      problems.note(
          member.line(), "says nothing new: '" + tenant.name() + "' has these ports already");
    }
  }

  private boolean merge(Member member, int port) {
    Claim old = byPort.get(port);
    Claim claim =
        new Claim(
            old == null ? member.line() : old.line(),
            member.full().orElse(old == null ? tenant.full() : old.full()),
            member.weight() != 0 || old == null ? member.weight() : old.weight(),
            member.guest() && (old == null || old.guest()));
    byPort.put(port, claim);
    return !claim.equals(old);
  }

  private void unlinked(Member member, int port) {
    String name = fabric.node(fabric.nodeOf(port)).display() + " port " + fabric.numberOf(port);
    long guid = fabric.portGuid(port);
    if (guid == 0) {
      problems.note(member.line(), name + " has no cable and no GUID known; left out");
      return;
    }
    problems.note(member.line(), name + " has no cable; kept as a pending member");
    boolean full = member.full().orElse(tenant.full());
    pending.put(
        new Guid(guid), new Pending(member.line(), new Guid(guid), full, Reason.NOT_LINKED));
  }
}
