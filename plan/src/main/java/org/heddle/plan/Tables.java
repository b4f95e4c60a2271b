package org.heddle.plan;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.heddle.allocation.Allocation;
import org.heddle.fabric.Fabric;
import org.heddle.plan.model.Outcome;
import org.heddle.routing.ForwardingTables;
import org.heddle.routing.RoutingResult;
import org.heddle.routing.links.LinkRouting;
import org.heddle.routing.links.Region;
import org.heddle.verify.Audit;
import org.heddle.verify.AuditOptions;
import org.heddle.verify.ProvenTables;
import org.heddle.verify.links.AllocationAudit;
import org.heddle.verify.links.AllocationFinding;
import org.heddle.verify.links.LinkConfinement;

/** Routes a {@link DraftState} state and proves the tables. */
public final class Tables {
  private Tables() {}

  /**
   * Tables, or a sentence why there are none.
   *
   * @param plain those of the tenants, without machines
   * @param machines with the columns that the tables have
   * @param proof null as long as they are not proven
   * @param culprit of the trouble, if it is one tenant's: with its promise given up there may be
   *     tables; else null
   */
  public record Result(
      ForwardingTables plain,
      ForwardingTables tables,
      VmInventory machines,
      Outcome.Code code,
      String trouble,
      List<String> notes,
      ProvenTables proof,
      String culprit) {
    private static Result refused(Outcome.Code code, String trouble) {
      return refused(code, trouble, null);
    }

    private static Result refused(Outcome.Code code, String trouble, String culprit) {
      return new Result(null, null, null, code, trouble, List.of(), null, culprit);
    }

    private static Result plain(ForwardingTables plain, List<String> notes) {
      return new Result(plain, plain, null, null, null, notes, null, null);
    }

    /** The same with machines; proven if these are the tables that were. */
    public Result with(VmInventory others, ForwardingTables all) {
      return new Result(plain, all, others, null, null, notes, all == tables ? proof : null, null);
    }

    private Result proven(ProvenTables by) {
      return new Result(plain, tables, machines, null, null, notes, by, null);
    }

    public boolean ok() {
      return trouble == null;
    }
  }

  /**
   * Routes tenants inside their links, those whose promise is broken on the base, and machines as
   * their hosts or as they were. What the state was copied from is not routed anew if it is the
   * same.
   */
  public static Result route(DraftState w) {
    DraftState o = w.origin;
    Result under = o != null && w.routesAs(o) ? o.routed : tenants(w);
    if (!under.ok()) {
      return under;
    }
    if (o != null && under == o.routed && w.machines.routedAs(o.machines)) {
      return under.with(w.machines, under.tables);
    }
    VmInventory settled = VmRoutes.settled(w, under.plain);
    return under.with(settled, VmRoutes.over(w, under.plain, settled));
  }

  private static Result tenants(DraftState w) {
    PhysicalFabric site = w.site;
    List<Region> regions = new ArrayList<>();
    List<Allocation> all = new ArrayList<>();
    for (Map.Entry<String, Holdings.Held> e : w.held()) {
      all.add(e.getValue().charged());
      if (promised(w, e)) {
        int[] hostPorts = site.hostPorts(e.getValue().charged());
        regions.add(new Region(e.getKey(), hostPorts, e.getValue().links()));
      }
    }
    List<AllocationFinding> shared =
        new AllocationAudit(site.used(), site.usedTree(), null, 0).exclusive(all);
    if (!shared.isEmpty()) {
      return Result.refused(Outcome.Code.NO_PLACE, shared.getFirst().toString());
    }
    ForwardingTables base = site.base();
    if (Isolation.physical(w)) {
      switch (site.base(Isolation.forEngine(Isolation.tenancy(w), site.used()))) {
        case RoutingResult.Unsupported no -> {
          String detail = no.details().isEmpty() ? "" : ": " + no.details().getFirst();
          return Result.refused(Outcome.Code.NO_PLACE, no.reason() + detail);
        }
        case RoutingResult.Routed yes -> base = yes.tables();
      }
    }
    if (regions.isEmpty()) {
      return Result.plain(site.out().complete(base), List.of());
    }
    return switch (LinkRouting.route(site.used(), site.usedTree(), base, regions)) {
      case LinkRouting.Refused no ->
          Result.refused(
              Outcome.Code.NO_PLACE, "tenant " + no.region() + ": " + no.reason(), no.region());
      case LinkRouting.Routed yes ->
          Result.plain(
              site.out().complete(yes.tables()),
              yes.sharedEntries() == 0
                  ? List.of()
                  : List.of(
                      "hosts without links of their own cross tenants' links: %,d entries"
                          .formatted(yes.sharedEntries())));
    };
  }

  /** True if a tenant has links of its own now. */
  static boolean promised(DraftState w, Map.Entry<String, Holdings.Held> e) {
    return e.getValue().charged().guaranteed() && w.tenants.get(e.getKey()).broken().isEmpty();
  }

  /**
   * Routes and proves. If it cannot be proven with the columns that machines have kept, all of them
   * are routed as their hosts.
   */
  public static Result prove(DraftState w) {
    Result first = route(w);
    if (!first.ok()) {
      return first;
    }
    Proof proof = proof(w, first.tables);
    if (proof.trouble == null) {
      return first.proven(proof.by);
    }
    if (!first.machines.hasColumns()) {
      return Result.refused(Outcome.Code.UNPROVEN, proof.trouble, proof.culprit);
    }
    VmInventory bare = first.machines.withoutColumns();
    Result again = first.with(bare, VmRoutes.over(w, first.plain, bare));
    proof = proof(w, again.tables);
    return proof.trouble == null
        ? again.proven(proof.by)
        : Result.refused(Outcome.Code.UNPROVEN, proof.trouble, proof.culprit);
  }

  /** What the tables are proven by, or what cannot be proven of them. */
  private record Proof(ProvenTables by, String trouble, String culprit) {}

  /** From those of the state that this one was copied from, as far as these show it. */
  private static Proof proof(DraftState w, ForwardingTables tables) {
    PhysicalFabric site = w.site;
    Fabric fabric = w.machines.fabric();
    ProvenTables before = w.origin == null ? null : w.origin.routed.proof;
    Optional<ProvenTables> by =
        Optional.ofNullable(before)
            .flatMap(b -> b.next(fabric, tables))
            .or(() -> ProvenTables.of(fabric, tables));
    if (by.isEmpty()) {
      return new Proof(null, audited(site, fabric, tables), null);
    }
    BitSet changed =
        w.origin != null && site == w.origin.site ? by.get().changed().orElse(null) : null;
    for (Map.Entry<String, Holdings.Held> e : w.held()) {
      if (!promised(w, e) || changed != null && wasConfined(w, e, fabric, changed)) {
        continue;
      }
      LinkConfinement.Result r =
          LinkConfinement.check(
              fabric, tables, site.hostPorts(e.getValue().charged()), e.getValue().links());
      if (!r.confined()) {
        String how = r.example().orElse("leaves its links");
        return new Proof(null, "tenant " + e.getKey() + ": " + how, e.getKey());
      }
    }
    String crossing = site.out().trouble(fabric, tables);
    String trouble = crossing != null ? crossing : Isolation.trouble(w, tables);
    return new Proof(trouble == null ? by.get() : null, trouble, null);
  }

  /** What the whole audit says of tables that are not proven. */
  private static String audited(PhysicalFabric site, Fabric fabric, ForwardingTables tables) {
    AuditOptions options =
        AuditOptions.defaults().withTree(site.tree()).withExamples(1).withThreads(1);
    return Audit.run(fabric, tables, options).findings().getFirst().message();
  }

  /** True if a tenant had the same links in the state before, and nothing of its routes differs. */
  private static boolean wasConfined(
      DraftState w, Map.Entry<String, Holdings.Held> e, Fabric fabric, BitSet changed) {
    Holdings.Held a = e.getValue();
    return w.origin.holdings.of(e.getKey()) == a
        && promised(w.origin, e)
        && !LinkConfinement.concerns(fabric, w.site.hostPorts(a.charged()), changed);
  }
}
