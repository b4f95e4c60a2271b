package org.heddle.plan;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.heddle.plan.model.Quotas;
import org.heddle.plan.model.Tenant;
import org.heddle.plan.model.Vm;

/** What the tenants of an owner have together. */
record Usage(int hosts, int links, int vms) {
  private static final Usage NOTHING = new Usage(0, 0, 0);

  /** That of each owner. O(tenants and machines). */
  static Map<String, Usage> of(DraftState w) {
    Map<String, Usage> out = new LinkedHashMap<>();
    for (Tenant t : w.tenants.values()) {
      out.merge(t.spec().owner(), new Usage(t.hosts().size(), t.links().size(), 0), Usage::plus);
    }
    for (Vm vm : w.machines.all().values()) {
      Tenant t = w.tenants.get(vm.tenant());
      if (t != null) {
        out.merge(t.spec().owner(), new Usage(0, 0, 1), Usage::plus);
      }
    }
    return out;
  }

  private Usage plus(Usage other) {
    return new Usage(hosts + other.hosts, links + other.links, vms + other.vms);
  }

  /** Why a change is too much for somebody; empty if it is not. */
  static Optional<String> excess(Map<String, Usage> before, Map<String, Usage> after, Quotas all) {
    return after.entrySet().stream()
        .map(
            e ->
                excess(
                    e.getKey(),
                    before.getOrDefault(e.getKey(), NOTHING),
                    e.getValue(),
                    all.of(e.getKey())))
        .flatMap(Optional::stream)
        .findFirst();
  }

  private static Optional<String> excess(
      String owner, Usage before, Usage after, Quotas.Quota most) {
    return excess(owner, "hosts", before.hosts, after.hosts, most.hosts())
        .or(() -> excess(owner, "links", before.links, after.links, most.links()))
        .or(() -> excess(owner, "virtual machines", before.vms, after.vms, most.vms()));
  }

  private static Optional<String> excess(
      String owner, String what, int before, int after, OptionalInt most) {
    return most.isPresent() && after > most.getAsInt() && after > before
        ? Optional.of(
            "the quota of '%s' is %d %s: it has %d, and would have %d"
                .formatted(owner, most.getAsInt(), what, before, after))
        : Optional.empty();
  }
}
