package org.heddle.verify.links;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.heddle.allocation.Allocation;
import org.heddle.fabric.Fabric;

/**
 * Records who holds which host and link while tenants come and go: {@link
 * AllocationAudit#exclusive} checks a list of tenants, this class checks every newcomer in O(its
 * hosts and links). Not thread-safe.
 */
public final class AllocationLedger {
  private final Fabric fabric;
  private final int[] hostOwner;
  private final int[] linkOwner;

  /** A ledger without tenants. */
  public AllocationLedger(Fabric fabric) {
    this.fabric = fabric;
    hostOwner = new int[fabric.nodeCount()];
    linkOwner = new int[fabric.portIdLimit()];
    Arrays.fill(hostOwner, Fabric.NONE);
    Arrays.fill(linkOwner, Fabric.NONE);
  }

  /**
   * Enters a tenant.
   *
   * @param id its number, not negative, the same in {@link #leave}
   * @return what of it another tenant holds already; empty if nothing
   */
  public List<AllocationFinding> enter(int id, Allocation tenant) {
    List<AllocationFinding> out = new ArrayList<>();
    for (int host : tenant.adapters()) {
      if (hostOwner[host] != Fabric.NONE) {
        String text = fabric.description(host) + " belongs to tenant " + hostOwner[host] + " too";
        out.add(new AllocationFinding(AllocationFinding.Code.HOST_SHARED, id, text));
      }
      hostOwner[host] = id;
    }
    for (int link : tenant.links()) {
      int end = link < 0 ? Fabric.NONE : fabric.peer(link);
      if (end == Fabric.NONE) {
        continue; // no link: reported by the audit
      }
      int owner = linkOwner[link] == Fabric.NONE ? linkOwner[end] : linkOwner[link];
      if (owner != Fabric.NONE) {
        String text = fabric.label(link) + " belongs to tenant " + owner + " too";
        out.add(new AllocationFinding(AllocationFinding.Code.LINK_SHARED, id, text));
      }
      linkOwner[link] = id;
      linkOwner[end] = id;
    }
    return out;
  }

  /** Takes a tenant out; what has another owner by now stays that one's. */
  public void leave(int id, Allocation tenant) {
    for (int host : tenant.adapters()) {
      hostOwner[host] = hostOwner[host] == id ? Fabric.NONE : hostOwner[host];
    }
    for (int link : tenant.links()) {
      int end = link < 0 ? Fabric.NONE : fabric.peer(link);
      if (end != Fabric.NONE && linkOwner[link] == id) {
        linkOwner[link] = Fabric.NONE;
        linkOwner[end] = Fabric.NONE;
      }
    }
  }
}
