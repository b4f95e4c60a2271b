package org.heddle.verify.links;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.heddle.allocation.Allocation;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.NodeType;
import org.heddle.topology.FatTree;

/**
 * Proves that allocations keep their promise, from hosts and links alone and without any allocator:
 * nothing is held twice, every link exists and is fast enough, and every tested permutation of a
 * tenant's hosts can be routed inside the tenant's links with at most {@code oversubscription}
 * flows per channel.
 *
 * <p>Routes are found by edge colouring ({@link TenantRoutes}) and then walked port by port through
 * the fabric, so that nothing depends on the coordinates being right.
 */
public final class AllocationAudit {
  private final Fabric fabric;
  private final FatTree tree;
  private final RandomGenerator random;
  private final int permutations;
  private final SlowLinkCheck speeds;

  /**
   * An audit of allocations in that fabric.
   *
   * @param permutations how many random permutations a tenant is tried with, besides a dozen
   *     adversarial ones
   */
  public AllocationAudit(Fabric fabric, FatTree tree, RandomGenerator random, int permutations) {
    this.fabric = fabric;
    this.tree = tree;
    this.random = random;
    this.permutations = permutations;
    this.speeds = new SlowLinkCheck(fabric, tree);
  }

  /** Everything that is wrong, by tenant; empty if all promises hold. */
  public List<AllocationFinding> audit(List<Allocation> tenants) {
    List<AllocationFinding> out = new ArrayList<>(exclusive(tenants));
    for (int i = 0; i < tenants.size(); i++) {
      checkThere(tenants.get(i), i, out);
      String blocked = tenants.get(i).guaranteed() ? firstBlocked(tenants.get(i)) : null;
      if (blocked != null) {
        out.add(new AllocationFinding(AllocationFinding.Code.BLOCKING, i, blocked));
      }
    }
    return out;
  }

  /**
   * What is wrong with one tenant by itself, from a sample of permutations: the adversarial ones in
   * turn, starting with number {@code first}, every fourth a random one. For checking thousands of
   * tenants, where different ones shall be tried with different permutations.
   *
   * @param count permutations to try; with 12 or more every adversarial one is among them
   */
  public List<AllocationFinding> sample(Allocation tenant, int first, int count) {
    List<AllocationFinding> out = new ArrayList<>();
    checkThere(tenant, 0, out);
    if (!tenant.guaranteed()) {
      return out;
    }
    for (TenantRoutes routes : TenantRoutes.of(fabric, tenant)) {
      String problem = firstOfSample(routes, first, count);
      if (problem != null) {
        out.add(new AllocationFinding(AllocationFinding.Code.BLOCKING, 0, problem));
        return out;
      }
    }
    return out;
  }

  private String firstOfSample(TenantRoutes routes, int first, int count) {
    int[] to = new int[routes.hosts()];
    for (int i = 0; i < count; i++) {
      int number = Math.floorMod(first + i, 12);
      boolean isRandom = number % 4 == 3;
      int kind = number - number / 4 & 7;
      if (isRandom) {
        Permutations.shuffle(random, to);
      } else {
        Permutations.adversarial(kind, routes, to);
      }
      String problem = routes.problemWith(to);
      if (problem != null) {
        String name = isRandom ? "a random permutation" : Permutations.name(kind);
        return name + ": " + problem;
      }
    }
    return null;
  }

  /** What two tenants hold both. */
  public List<AllocationFinding> exclusive(List<Allocation> tenants) {
    List<AllocationFinding> out = new ArrayList<>();
    int[] hostOwner = new int[fabric.nodeCount()];
    int[] linkOwner = new int[fabric.portIdLimit()];
    Arrays.fill(hostOwner, -1);
    Arrays.fill(linkOwner, -1);
    for (int i = 0; i < tenants.size(); i++) {
      for (int host : tenants.get(i).adapters()) {
        if (hostOwner[host] >= 0) {
          out.add(
              new AllocationFinding(
                  AllocationFinding.Code.HOST_SHARED,
                  i,
                  fabric.description(host) + " belongs to tenant " + hostOwner[host] + " too"));
        }
        hostOwner[host] = i;
      }
      for (int link : tenants.get(i).links()) {
        int end = link < 0 ? Fabric.NONE : fabric.peer(link);
        if (link < 0 || end == Fabric.NONE) {
          continue; // reported as no link
        }
        if (linkOwner[link] >= 0 || linkOwner[end] >= 0) {
          out.add(
              new AllocationFinding(
                  AllocationFinding.Code.LINK_SHARED,
                  i,
                  fabric.label(link) + " belongs to tenant " + linkOwner[link] + " too"));
        }
        linkOwner[link] = i;
        linkOwner[end] = i;
      }
    }
    return out;
  }

  private void checkThere(Allocation tenant, int i, List<AllocationFinding> out) {
    for (int host : tenant.hosts()) {
      if (fabric.nodeType(host) != NodeType.CA || !onLeaf(tenant, host)) {
        out.add(
            new AllocationFinding(
                AllocationFinding.Code.NO_HOST, i, fabric.description(host) + " is on no leaf"));
      }
    }
    for (int link : tenant.links()) {
      if (!isTreeLink(link)) {
        out.add(
            new AllocationFinding(
                AllocationFinding.Code.NO_TREE_LINK,
                i,
                (link < 0 ? "a missing port" : fabric.label(link)) + " is not a link of the tree"));
      }
    }
    for (int link : tenant.guaranteed() ? speeds.find(tenant) : new int[0]) {
      out.add(
          new AllocationFinding(
              AllocationFinding.Code.SLOW_LINK,
              i,
              "%s port %d runs at %s%s, less than its machines may send"
                  .formatted(
                      fabric.node(fabric.nodeOf(link)).display(),
                      fabric.numberOf(link),
                      fabric.width(link).text(),
                      fabric.speed(link))));
    }
  }

  /** True if some adapter of the machine is. */
  private boolean onLeaf(Allocation tenant, int host) {
    boolean any = false;
    for (int i = 0; i < tenant.plant().adapterCount(host); i++) {
      any |= onLeaf(tenant.plant().adapter(host, i));
    }
    return any;
  }

  private boolean onLeaf(int host) {
    for (int number = 1; number <= fabric.portCount(host); number++) {
      int port = fabric.port(host, number);
      if (port != Fabric.NONE
          && fabric.peer(port) != Fabric.NONE
          && fabric.isSwitch(fabric.peerNode(port))
          && tree.isLeaf(fabric.peerNode(port))) {
        return true;
      }
    }
    return false;
  }

  private boolean isTreeLink(int link) {
    if (link < 0 || fabric.peer(link) == Fabric.NONE) {
      return false;
    }
    int low = fabric.nodeOf(link);
    int high = fabric.peerNode(link);
    return fabric.isSwitch(low)
        && fabric.isSwitch(high)
        && tree.level(low) > 0
        && tree.level(high) == tree.level(low) + 1;
  }

  /** Describes the first permutation that has no routes; null if all have. */
  private String firstBlocked(Allocation tenant) {
    for (TenantRoutes routes : TenantRoutes.of(fabric, tenant)) {
      String problem = firstBlocked(routes);
      if (problem != null) {
        return problem;
      }
    }
    return null;
  }

  private String firstBlocked(TenantRoutes routes) {
    int n = routes.hosts();
    int[] to = new int[n];
    for (int kind = 0; kind < Permutations.ADVERSARIAL; kind++) {
      Permutations.adversarial(kind, routes, to);
      String problem = routes.problemWith(to);
      if (problem != null) {
        return Permutations.name(kind) + ": " + problem;
      }
    }
    for (int i = 0; i < permutations; i++) {
      Permutations.shuffle(random, to);
      String problem = routes.problemWith(to);
      if (problem != null) {
        return "random permutation " + i + ": " + problem;
      }
    }
    return null;
  }
}
