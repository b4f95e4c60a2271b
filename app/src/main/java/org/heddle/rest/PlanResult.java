package org.heddle.rest;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.heddle.control.model.JournalEntry;
import org.heddle.control.model.Outcome;
import org.heddle.control.model.Tenant;

/**
 * What would become of a plan.
 *
 * @param proven true if every table was made and proven: routes, links of tenants' own, isolation
 * @param code why not, as the kind of a problem; empty if proven
 * @param reason a sentence; empty if proven
 * @param tables blocks that would be written
 * @param tenants to whom something would happen
 */
record PlanResult(
    boolean proven,
    String code,
    String reason,
    List<String> hints,
    Documents.TablesDocument tables,
    List<TenantChange> tenants) {

  /** What a tenant has: counts of hosts and links. */
  record Side(String policy, String pkey, int hosts, int links, List<String> broken) {}

  /**
   * What would happen to a tenant.
   *
   * @param change admitted, gone, promise-broken, promise-restored, moved, or changed
   */
  record TenantChange(String name, String change, Optional<Side> before, Optional<Side> after) {}

  static PlanResult of(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Accepted a ->
          new PlanResult(
              true, "", "", List.of(), Documents.tables(a.tables()), tenants(a.effects()));
      case Outcome.Unchanged _ ->
          new PlanResult(true, "", "", List.of(), Documents.tables(List.of()), List.of());
      case Outcome.Refused no ->
          new PlanResult(
              false,
              ApiV1.word(no.code()),
              no.reason(),
              no.hints(),
              Documents.tables(List.of()),
              List.of());
    };
  }

  private static List<TenantChange> tenants(List<JournalEntry.Effect> effects) {
    List<TenantChange> out = new ArrayList<>();
    for (JournalEntry.Effect e : effects) {
      out.add(
          new TenantChange(
              e.name(),
              word(e),
              e.before().map(PlanResult::side),
              e.after().map(PlanResult::side)));
    }
    return out;
  }

  private static Side side(Tenant t) {
    return new Side(
        t.spec().policy().word(),
        "0x" + Integer.toHexString(t.pkey()),
        t.hosts().size(),
        t.links().size(),
        t.broken());
  }

  private static String word(JournalEntry.Effect e) {
    if (e.before().isEmpty() || e.after().isEmpty()) {
      return e.before().isEmpty() ? "admitted" : "gone";
    }
    Tenant before = e.before().get();
    Tenant after = e.after().get();
    if (!before.broken().equals(after.broken())) {
      return after.broken().isEmpty() ? "promise-restored" : "promise-broken";
    }
    boolean same = before.hosts().equals(after.hosts()) && before.links().equals(after.links());
    return same ? "changed" : "moved";
  }
}
