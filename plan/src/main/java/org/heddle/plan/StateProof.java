package org.heddle.plan;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.heddle.fabric.Counted;
import org.heddle.fabric.Fabric;
import org.heddle.plan.model.Drained;
import org.heddle.plan.model.Outcome;
import org.heddle.routing.ForwardingTables;
import org.heddle.tenancy.Tenancy;
import org.heddle.verify.Audit;
import org.heddle.verify.AuditOptions;
import org.heddle.verify.ProvenTables;
import org.heddle.verify.isolation.IsolationReport;
import org.heddle.verify.links.LinkConfinement;

/** Proves from finished tables that tenants have what they were promised. */
public final class StateProof {
  private StateProof() {}

  /**
   * Routes and proves. If it cannot be proven with the columns that machines have kept, all of them
   * are routed as their hosts.
   */
  public static Tables prove(DraftState w) {
    Tables first = StateRouter.route(w);
    if (!first.ok()) {
      return first;
    }
    Proof proof = proof(w, first.tables());
    if (proof.trouble == null) {
      return first.proven(proof.by);
    }
    if (!first.machines().hasColumns()) {
      return Tables.refused(Outcome.Code.UNPROVEN, proof.trouble, proof.culprit);
    }
    VmInventory bare = first.machines().withoutColumns();
    Tables again = first.with(bare, VmRoutes.over(w, first.plain(), bare));
    proof = proof(w, again.tables());
    return proof.trouble == null
        ? again.proven(proof.by)
        : Tables.refused(Outcome.Code.UNPROVEN, proof.trouble, proof.culprit);
  }

  /**
   * Why an engine's tables are not to be taken for a fabric without tenants, in a sentence; empty
   * if they are proven, or those of a fall-back are. As long as a whole audit.
   */
  public static Optional<String> baseTrouble(Fabric fabric, String engine) {
    return switch (PhysicalFabric.of(fabric, engine, Drained.NONE)) {
      case PhysicalFabric.Outcome.Refused no -> Optional.of(no.reason());
      case PhysicalFabric.Outcome.Built built -> {
        Tables tables = prove(new DraftState(built.site(), engine));
        yield tables.ok()
            ? Optional.empty()
            : Optional.of(
                "the tables of "
                    + built.site().engine(false).used()
                    + " are not proven: "
                    + tables.trouble());
      }
    };
  }

  /** What the tables are proven by, or what cannot be proven of them. */
  private record Proof(ProvenTables by, String trouble, String culprit) {}

  /** From those of the state that this one was copied from, as far as these show it. */
  private static Proof proof(DraftState w, ForwardingTables tables) {
    PhysicalFabric site = w.site;
    Fabric fabric = w.machines.fabric();
    ProvenTables before = w.origin == null ? null : w.origin.routed.proof();
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
      if (!StateRouter.promised(w, e) || changed != null && wasConfined(w, e, fabric, changed)) {
        continue;
      }
      LinkConfinement.Result r = confinement(site, fabric, tables, e.getValue());
      if (!r.confined()) {
        String how = r.example().orElse("leaves its links");
        return new Proof(null, "tenant " + e.getKey() + ": " + how, e.getKey());
      }
    }
    String crossing = site.out().trouble(fabric, tables);
    String trouble = crossing != null ? crossing : Isolation.trouble(w, tables);
    return new Proof(trouble == null ? by.get() : null, trouble, null);
  }

  /** What a tenant's routes do that its links are to carry. */
  private static LinkConfinement.Result confinement(
      PhysicalFabric site, Fabric fabric, ForwardingTables tables, Holdings.Held held) {
    int[] ports = site.hostPorts(held.charged());
    int[] rails = held.charged().railsOf(ports);
    return LinkConfinement.check(fabric, tables, ports, rails, held.links());
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
        && StateRouter.promised(w.origin, e)
        && !LinkConfinement.concerns(fabric, w.site.hostPorts(a.charged()), changed);
  }

  /**
   * What finished tables make of what tenants were promised, all of it, for people.
   *
   * @param broken what is not kept, one sentence each; empty if everything is
   * @param crossings which tenants without links of their own cross whose, one sentence each: they
   *     may have no other way, so that is told and breaks nothing
   */
  public record Findings(List<String> broken, List<String> crossings) {
    public Findings {
      broken = List.copyOf(broken);
      crossings = List.copyOf(crossings);
    }
  }

  /**
   * Those of the tenants' own links. What a whole audit and an isolation audit find is broken
   * besides.
   *
   * @param audited the partitions of the isolation audit, {@link StateRouter#besideLinks}
   */
  public static Findings findings(
      DraftState w, ForwardingTables tables, Tenancy audited, IsolationReport isolation) {
    List<String> broken = new ArrayList<>();
    List<String> crossings = new ArrayList<>();
    Set<String> own = new HashSet<>();
    Set<String> joined = new HashSet<>();
    for (Map.Entry<String, Holdings.Held> e : w.held()) {
      if (StateRouter.promised(w, e)) {
        own.add(e.getKey());
        if (e.getValue().charged().acrossRails() || w.site.plant().rails() == 1) {
          joined.add(e.getKey());
        }
        LinkConfinement.Result r = confinement(w.site, w.site.fabric(), tables, e.getValue());
        if (!r.confined()) {
          broken.add(
              "%s: of %s, %d off its links and %d not arriving: %s"
                  .formatted(
                      e.getKey(),
                      Counted.of(r.routes(), "route", "routes"),
                      r.strays(),
                      r.lost(),
                      r.example().orElse("")));
        }
      }
    }
    for (IsolationReport.Pair pair : isolation.pairs()) {
      String a = audited.partitions().get(pair.a()).name();
      String b = audited.partitions().get(pair.b()).name();
      String channels = Counted.of(pair.channels(), "channel", "channels");
      if (own.contains(a) && own.contains(b)) {
        // Their links are nobody else's, and each keeps to them: what is left is between rails.
        List<String> apart = Stream.of(a, b).filter(name -> !joined.contains(name)).toList();
        if (apart.isEmpty()) {
          broken.add(a + " and " + b + " share " + channels);
        } else {
          crossings.add(
              "%s and %s share %s: between its rails, %s"
                  .formatted(
                      a,
                      b,
                      channels,
                      apart.size() == 2
                          ? "neither has links of its own"
                          : apart.getFirst() + " has no links of its own"));
        }
      } else if ((own.contains(a) || own.contains(b)) && pair.violation().isEmpty()) {
        crossings.add(
            "%s, without links of its own, crosses those of %s: %s"
                .formatted(own.contains(a) ? b : a, own.contains(a) ? a : b, channels));
      }
    }
    return new Findings(broken, crossings);
  }
}
