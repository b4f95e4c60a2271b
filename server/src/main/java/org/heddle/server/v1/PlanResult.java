package org.heddle.server.v1;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.heddle.fabric.Guid;
import org.heddle.plan.model.JournalEntry;
import org.heddle.plan.model.Outcome;
import org.heddle.plan.model.Outcome.MachineEffect;
import org.heddle.plan.model.Tenant;
import org.heddle.plan.model.Vm;
import org.heddle.server.http.Documents;

/**
 * What would become of a plan.
 *
 * @param proven true if every table was made and proven: routes, links of tenants' own, isolation
 * @param code why not, as the kind of a problem; empty if proven
 * @param reason a sentence; empty if proven
 * @param tables blocks that would be written
 * @param tenants to whom something would happen
 * @param vms the same of virtual machines
 */
record PlanResult(
    boolean proven,
    String code,
    String reason,
    List<String> hints,
    Documents.TablesDocument tables,
    List<TenantChange> tenants,
    Vms vms) {
  /** VMs that are listed at most. */
  static final int SHOWN = 1000;

  /**
   * What would happen to virtual machines.
   *
   * @param total to how many something would
   * @param counts how many, by change
   * @param list the first {@value #SHOWN}: those for whom it is more than another way first, then
   *     by name
   */
  record Vms(int total, Map<String, Integer> counts, List<VmChange> list) {}

  /**
   * What would happen to a virtual machine.
   *
   * @param change stranded, stopped, moved, reached, as-host, started, or rerouted
   * @param switches whose entries for its LID would be others
   */
  record VmChange(
      String name, String change, int switches, Optional<VmSide> before, Optional<VmSide> after) {}

  /** Where a virtual machine is; {@code route} is own, host, or none if it is not reached. */
  record VmSide(
      String tenant, String host, String hostGuid, int lid, String route, String stranded) {}

  /** What a tenant has: counts of hosts and links; MTU and rate if they are not the usual ones. */
  record Side(
      String policy,
      String pkey,
      boolean ipoib,
      @JsonInclude(JsonInclude.Include.NON_NULL) Integer mtu,
      @JsonInclude(JsonInclude.Include.NON_NULL) Double rate,
      int hosts,
      int links,
      List<String> broken) {}

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
              true,
              "",
              "",
              List.of(),
              Documents.tables(a.tables()),
              tenants(a.effects()),
              vms(a.machines()));
      case Outcome.Unchanged _ ->
          new PlanResult(
              true, "", "", List.of(), Documents.tables(List.of()), List.of(), vms(List.of()));
      case Outcome.Refused no ->
          new PlanResult(
              false,
              ApiV1.word(no.code()),
              no.reason(),
              no.allHints(),
              Documents.tables(List.of()),
              List.of(),
              vms(List.of()));
    };
  }

  private static Vms vms(List<MachineEffect> effects) {
    Map<String, Integer> counts = new TreeMap<>();
    effects.forEach(e -> counts.merge(e.what().word(), 1, Integer::sum));
    List<VmChange> list =
        effects.stream()
            .sorted(Comparator.comparing(MachineEffect::what))
            .limit(SHOWN)
            .map(
                e ->
                    new VmChange(
                        e.name(),
                        e.what().word(),
                        e.switches(),
                        e.before().map(PlanResult::side),
                        e.after().map(PlanResult::side)))
            .toList();
    return new Vms(effects.size(), counts, list);
  }

  private static VmSide side(Vm vm) {
    String route = vm.column().isPresent() ? "own" : "host";
    return new VmSide(
        vm.tenant(),
        vm.host().name(),
        Guid.format(vm.host().guid()),
        vm.lid(),
        vm.stranded().isEmpty() ? route : "none",
        vm.stranded());
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
        Documents.key(t.pkey()),
        t.spec().partition().ipOverIb(),
        Documents.mtu(t.spec().partition()),
        Documents.rate(t.spec().partition()),
        t.hosts().size(),
        t.links().size(),
        Documents.broken(t));
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
