package org.heddle.text.tenants;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.heddle.fabric.Counted;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.tenancy.PKeys;
import org.heddle.tenancy.Partition;
import org.heddle.tenancy.PartitionMember;
import org.heddle.tenancy.Tenancy;
import org.heddle.text.Hostlist;
import org.heddle.text.NearWords;
import org.heddle.text.Parsed;
import org.heddle.text.Problem;
import org.heddle.text.Problems;
import org.heddle.text.Tokens;
import org.heddle.text.tenants.ResolvedTenants.Details;
import org.heddle.text.tenants.ResolvedTenants.Pending;
import org.heddle.text.tenants.TenantsClaims.Claim;
import org.heddle.text.tenants.TenantsFile.Count;
import org.heddle.text.tenants.TenantsFile.Group;
import org.heddle.text.tenants.TenantsFile.HostWeight;
import org.heddle.text.tenants.TenantsFile.Member;
import org.heddle.text.tenants.TenantsFile.Tenant;

/**
 * Finds the ports of the tenants on a fabric.
 *
 * <p>Errors, each at the line that is to blame: host names the fabric does not have, names that
 * stand for several hosts, a switch as member, too few free hosts for a count, a second tenant on
 * the hosts of an exclusive one, more keys on a port than its P_Key table holds. GUIDs the fabric
 * does not have are pending members and no problem. Warnings: ports without a cable, tenants whose
 * members cannot talk, entries that say nothing new. Counts are served last, in file order.
 * O(members + count entries x leaves^2). Deterministic.
 */
public final class TenantsResolver {
  private final TenantsFile file;
  private final Fabric fabric;
  private final TenantsHosts hosts;
  private final TenantsProblems problems;
  private final List<TenantsClaims> claims = new ArrayList<>();

  private TenantsResolver(TenantsFile file, Fabric fabric) {
    this.file = file;
    this.fabric = fabric;
    this.hosts = new TenantsHosts(fabric);
    this.problems = new TenantsProblems(file.source());
  }

  /** The tenancy of a file on a fabric. */
  public static Parsed<ResolvedTenants> resolve(TenantsFile file, Fabric fabric) {
    TenantsResolver resolver = new TenantsResolver(file, fabric);
    ResolvedTenants resolved = resolver.resolve();
    return resolver.problems.sorted().result(resolved);
  }

  private ResolvedTenants resolve() {
    Problems own = new Problems(file.source());
    TenantsChecks.check(file, own);
    // Warnings about the file alone are the reader's; errors only stop files that no reader made.
    own.list().stream()
        .filter(p -> p.severity() == Problem.Severity.ERROR)
        .forEach(p -> problems.error(p.line(), p.message()));
    claimNamed();
    claimCounted();
    checkExclusive();
    checkTables();
    claims.forEach(this::checkMembers);
    int[] keys = keys();
    for (int i = 0; i < keys.length; i++) {
      if (keys[i] == 0) {
        problems.error(file.tenants().get(i).line(), "no P_Key is left for an automatic one");
      }
    }
    return problems.hasErrors() ? null : assemble(keys);
  }

  /** The base key of every tenant; 0 for one that found none. Keys that are written come first. */
  private int[] keys() {
    Set<Integer> taken = new HashSet<>();
    file.tenants().forEach(t -> taken.add(t.pkey()));
    int[] keys = new int[file.tenants().size()];
    for (int i = 0; i < keys.length; i++) {
      Tenant tenant = file.tenants().get(i);
      keys[i] = tenant.pkey() != 0 ? tenant.pkey() : PKeys.of(tenant.name(), taken::contains);
      taken.add(keys[i]);
    }
    return keys;
  }

  private void claimNamed() {
    for (Tenant tenant : file.tenants()) {
      TenantsClaims claim = new TenantsClaims(fabric, hosts, tenant, problems);
      for (Member member : tenant.members()) {
        if (!(member.selector() instanceof Count)) {
          claim.claim(member);
        }
      }
      claims.add(claim);
    }
  }

  private void claimCounted() {
    TenantsFreeHosts free = new TenantsFreeHosts(fabric, hosts);
    for (TenantsClaims claim : claims) {
      claim
          .byPort()
          .forEach(
              (port, c) -> {
                if (!c.guest()) {
                  free.take(fabric.nodeOf(port));
                }
              });
    }
    for (TenantsClaims claim : claims) {
      for (Member member : claim.tenant().members()) {
        if (member.selector() instanceof Count count) {
          claimCount(claim, member, count.hosts(), free);
        }
      }
    }
  }

  private void claimCount(TenantsClaims claim, Member member, int wanted, TenantsFreeHosts free) {
    List<Integer> picked = free.pick(wanted, member, claim);
    if (picked.size() < wanted) {
      problems.error(
          member.line(),
          "'"
              + claim.tenant().name()
              + "' wants "
              + Counted.of(wanted, "host", "hosts")
              + " that no tenant names; "
              + Counted.of(picked.size(), "is", "are")
              + " left");
    }
    Set<Integer> nodes = new LinkedHashSet<>();
    picked.forEach(host -> nodes.addAll(hosts.host(host).nodes()));
    claim.claimNodes(member, nodes);
  }

  // ---- checks

  /** One problem for each pair of an exclusive tenant and an entry of another that meets it. */
  private void checkExclusive() {
    Map<Integer, TenantsClaims> ownerOfHost = new HashMap<>();
    for (TenantsClaims claim : claims) {
      if (claim.tenant().exclusive()) {
        claim
            .byPort()
            .forEach(
                (port, c) -> {
                  if (!c.guest()) {
                    ownerOfHost.putIfAbsent(house(port), claim);
                  }
                });
      }
    }
    for (TenantsClaims claim : claims) {
      Map<String, List<String>> met = new TreeMap<>();
      Map<String, TenantsClaims> owners = new HashMap<>();
      claim
          .byPort()
          .forEach(
              (port, c) -> {
                TenantsClaims owner = ownerOfHost.get(house(port));
                if (owner != null && owner != claim && !c.guest()) {
                  String key = "%09d %s".formatted(c.line(), owner.tenant().name());
                  met.computeIfAbsent(key, k -> new ArrayList<>()).add(name(port));
                  owners.put(key, owner);
                }
              });
      met.forEach(
          (key, names) ->
              problems.error(
                  Integer.parseInt(key.substring(0, 9)), meeting(claim, owners.get(key), names)));
    }
  }

  private static String meeting(TenantsClaims claim, TenantsClaims owner, List<String> names) {
    List<String> distinct = names.stream().distinct().toList();
    return distinct.get(0)
        + (distinct.size() > 1
            ? " and " + Counted.of(distinct.size() - 1, "more host", "more hosts")
            : "")
        + " of '"
        + claim.tenant().name()
        + "' belong"
        + (distinct.size() > 1 ? "" : "s")
        + " to '"
        + owner.tenant().name()
        + "' alone (exclusive, line "
        + owner.tenant().line()
        + ")";
  }

  /** The host of a port, or for a router and the like the node itself, beyond the host numbers. */
  private int house(int port) {
    int node = fabric.nodeOf(port);
    int host = hosts.hostOf(node);
    return host != Fabric.NONE ? host : hosts.size() + node;
  }

  private String name(int port) {
    int node = fabric.nodeOf(port);
    int host = hosts.hostOf(node);
    return host != Fabric.NONE ? hosts.host(host).name() : fabric.node(node).display();
  }

  private void checkTables() {
    int room = file.rules().pkeyTable() - 1;
    int[] keys = new int[fabric.portIdLimit()];
    for (TenantsClaims claim : claims) {
      Map<Integer, Integer> overfull = new TreeMap<>();
      claim
          .byPort()
          .forEach(
              (port, c) -> {
                if (++keys[port] > room) {
                  overfull.putIfAbsent(c.line(), port);
                }
              });
      overfull.forEach(
          (line, port) ->
              problems.error(
                  line,
                  "the P_Key table of %s port %d is full: with '%s' it needs %d entries (%s and the default key), it has %d (pkey_table)"
                      .formatted(
                          name(port),
                          fabric.numberOf(port),
                          claim.tenant().name(),
                          keys[port] + 1,
                          Counted.of(keys[port], "tenant", "tenants"),
                          room + 1)));
    }
  }

  private void checkMembers(TenantsClaims claim) {
    Tenant tenant = claim.tenant();
    if (tenant.members().isEmpty() || problems.hasErrors()) {
      return; // the reader has said so, or members may be missing for another reason
    }
    if (claim.byPort().isEmpty()) {
      problems.note(
          tenant.line(),
          "tenant '"
              + tenant.name()
              + "' has no member in this fabric; OpenSM deletes the key until there is one");
    } else if (claim.byPort().size() > 1
        && claim.byPort().values().stream().noneMatch(Claim::full)) {
      problems.warn(
          tenant.line(),
          "tenant '" + tenant.name() + "' has limited members only: none can talk to another");
    }
  }

  // ---- the result

  private ResolvedTenants assemble(int[] keys) {
    int[] common = weights(file.weights());
    List<Partition> partitions = new ArrayList<>();
    List<Details> details = new ArrayList<>();
    for (int i = 0; i < keys.length; i++) {
      TenantsClaims claim = claims.get(i);
      Tenant tenant = claim.tenant();
      partitions.add(
          new Partition(
              tenant.name(),
              keys[i],
              tenant.policy(),
              members(claim, common),
              claim.pending().stream().map(Pending::guid).toList()));
      Set<String> names = new LinkedHashSet<>();
      BitSet guests = new BitSet();
      claim
          .byPort()
          .forEach(
              (port, c) -> {
                names.add(name(port));
                guests.set(port, c.guest());
              });
      details.add(
          new Details(
              tenant.line(),
              tenant.pkey() == 0,
              tenant.exclusive(),
              tenant.full(),
              tenant.ipOverIb(),
              guests,
              List.copyOf(names),
              claim.pending()));
    }
    TenantsFile.Rules r = file.rules();
    Tenancy.Rules rules =
        new Tenancy.Rules(r.strict(), r.dataLanes(), r.physicalShare(), sharing(r.sharing()));
    return new ResolvedTenants(new Tenancy(rules, partitions), details);
  }

  private List<PartitionMember> members(TenantsClaims claim, int[] common) {
    Tenant tenant = claim.tenant();
    int[] own = weights(tenant.weights());
    List<PartitionMember> members = new ArrayList<>();
    claim
        .byPort()
        .forEach(
            (port, c) -> {
              int node = fabric.nodeOf(port);
              int weight = firstOf(own[node], c.weight(), tenant.weight(), common[node]);
              members.add(new PartitionMember(port, c.full(), weight));
            });
    return members;
  }

  private static int firstOf(int... weights) {
    for (int weight : weights) {
      if (weight != 0) {
        return weight;
      }
    }
    return 1;
  }

  /** Weights by node, 0 where none is given; a name the fabric lacks is an error. */
  private int[] weights(List<HostWeight> list) {
    int[] out = new int[fabric.nodeCount()];
    for (HostWeight entry : list) {
      for (int node : nodes(entry)) {
        out[node] = entry.weight();
      }
    }
    return out;
  }

  private Set<Integer> nodes(HostWeight entry) {
    Set<Integer> nodes = new HashSet<>();
    if (entry.hosts().startsWith("0x")) {
      long guid = Tokens.hex(entry.hosts());
      int port = fabric.findPort(guid);
      int node = port == Fabric.NONE ? fabric.findNode(guid) : fabric.nodeOf(port);
      if (node != Fabric.NONE) {
        nodes.add(node);
      } else {
        problems.note(
            entry.line(), Guid.format(guid) + " is not in the fabric; its weight has no effect");
      }
      return nodes;
    }
    for (String name : Hostlist.expand(entry.hosts()).names()) {
      List<Integer> found = hosts.nodes(name);
      nodes.addAll(found);
      if (found.isEmpty()) {
        problems.error(
            entry.line(),
            "a weight for '"
                + Tokens.excerpt(name)
                + "', which is not a host of the fabric"
                + (problems.full() ? "" : NearWords.hint(name, hosts.names())));
      }
    }
    return nodes;
  }

  private List<Set<Integer>> sharing(List<Group> groups) {
    List<String> names = file.names();
    List<Set<Integer>> out = new ArrayList<>();
    for (Group group : groups) {
      Set<Integer> indices = new LinkedHashSet<>();
      group.names().forEach(name -> indices.add(names.indexOf(name)));
      out.add(indices);
    }
    return out;
  }
}
