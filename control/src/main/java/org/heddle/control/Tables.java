package org.heddle.control;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.heddle.allocation.Allocation;
import org.heddle.routing.ForwardingTables;
import org.heddle.routing.RoutingResult;
import org.heddle.routing.links.LinkRouting;
import org.heddle.routing.links.Region;
import org.heddle.verify.AllocationAudit;
import org.heddle.verify.AllocationFinding;
import org.heddle.verify.Audit;
import org.heddle.verify.AuditOptions;
import org.heddle.verify.AuditReport;
import org.heddle.verify.LinkConfinement;

/** Routes a {@link Working} state and proves the tables. */
final class Tables {
  private Tables() {}

  /** Tables, or a sentence why there are none. */
  record Result(ForwardingTables tables, String trouble, List<String> notes) {
    boolean ok() {
      return trouble == null;
    }
  }

  /** Routes tenants inside their links; tenants whose promise is broken stay on the base. */
  static Result route(Working w) {
    Site site = w.site;
    List<Region> regions = new ArrayList<>();
    List<Allocation> all = new ArrayList<>();
    for (Map.Entry<String, Allocation> e : w.allocations()) {
      all.add(e.getValue());
      if (promised(w, e)) {
        regions.add(new Region(e.getKey(), site.hostPorts(e.getValue()), e.getValue().links()));
      }
    }
    List<AllocationFinding> shared =
        new AllocationAudit(site.used(), site.usedTree(), null, 0).exclusive(all);
    if (!shared.isEmpty()) {
      return new Result(null, shared.getFirst().toString(), List.of());
    }
    ForwardingTables base = site.base();
    if (Isolation.physical(w)) {
      switch (site.base(Isolation.forEngine(Isolation.tenancy(w), site.used()))) {
        case RoutingResult.Unsupported no -> {
          String detail = no.details().isEmpty() ? "" : ": " + no.details().getFirst();
          return new Result(null, no.reason() + detail, List.of());
        }
        case RoutingResult.Routed yes -> base = yes.tables();
      }
    }
    if (regions.isEmpty()) {
      return new Result(site.out().complete(base), null, List.of());
    }
    return switch (LinkRouting.route(site.used(), site.usedTree(), base, regions)) {
      case LinkRouting.Refused no ->
          new Result(null, "tenant " + no.region() + ": " + no.reason(), List.of());
      case LinkRouting.Routed yes ->
          new Result(
              site.out().complete(yes.tables()),
              null,
              yes.sharedEntries() == 0
                  ? List.of()
                  : List.of(
                      "hosts without links of their own cross tenants' links: %,d entries"
                          .formatted(yes.sharedEntries())));
    };
  }

  private static boolean promised(Working w, Map.Entry<String, Allocation> e) {
    return e.getValue().guaranteed() && w.tenants.get(e.getKey()).broken().isEmpty();
  }

  /** What cannot be proven of the tables, or null. */
  static String proof(Working w, ForwardingTables tables) {
    Site site = w.site;
    AuditReport report =
        Audit.run(
            site.fabric(),
            tables,
            AuditOptions.defaults().withTree(site.tree()).withExamples(1).withThreads(1));
    if (!report.clean()) {
      return report.findings().getFirst().message();
    }
    for (Map.Entry<String, Allocation> e : w.allocations()) {
      if (!promised(w, e)) {
        continue;
      }
      LinkConfinement.Result r =
          LinkConfinement.check(
              site.fabric(), tables, site.hostPorts(e.getValue()), e.getValue().links());
      if (!r.confined()) {
        return "tenant " + e.getKey() + ": " + r.example().orElse("leaves its links");
      }
    }
    String crossing = site.out().trouble(site.fabric(), tables);
    return crossing != null ? crossing : Isolation.trouble(w, tables);
  }
}
