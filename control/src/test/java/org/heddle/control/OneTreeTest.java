package org.heddle.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.heddle.allocation.Rails;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.FabricBuilder;
import org.heddle.plan.model.Breach;
import org.heddle.plan.model.Change;
import org.heddle.plan.model.Outcome;
import org.heddle.plan.model.PartitionOptions;
import org.heddle.plan.model.Policy;
import org.heddle.plan.model.Tenant;
import org.heddle.plan.model.TenantSpec;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.heddle.verify.Audit;
import org.heddle.verify.AuditOptions;
import org.heddle.verify.Severity;
import org.junit.jupiter.api.Test;

/** Two trees: half of the hosts of a leaf are in both, half in one of them. */
class OneTreeTest extends EmulatedFabric {
  /** With all hosts in both trees but those of odd numbers, which have one port. */
  private void openMixed() {
    Fabric whole = TreeGenerator.generate(TreeSpec.parse("XGFT(2;4,4;2,4)"));
    FabricBuilder b = new FabricBuilder();
    Map<Integer, Integer> only = new HashMap<>();
    for (int n = 0; n < whole.nodeCount(); n++) {
      int host = n - whole.switchCount();
      if (host >= 0 && host % 2 == 1) {
        only.put(n, 1 + host / 4 % 2);
      }
      int ports = only.containsKey(n) ? 1 : whole.portCount(n);
      b.addNode(whole.nodeType(n), whole.nodeGuid(n), ports, whole.description(n));
    }
    for (int p = 0; p < whole.portIdLimit(); p++) {
      int node = whole.nodeOf(p);
      int number = whole.numberOf(p);
      boolean there = !only.containsKey(node) || only.get(node) == number;
      boolean lower = whole.peer(p) != Fabric.NONE && (!whole.isSwitch(node) || whole.peer(p) > p);
      if (there && lower && whole.isSwitch(whole.peerNode(p))) {
        int to = only.containsKey(node) ? 1 : number;
        b.connect(node, to, whole.peerNode(p), whole.numberOf(whole.peer(p)));
        if (!whole.isSwitch(node)) {
          b.setPortGuid(node, to, whole.portGuid(p));
        }
      }
    }
    open(b.build());
    look();
  }

  private Outcome create(String name, int hosts, Rails rails, Long... named) {
    return submit(
        new Change.Create(
            new TenantSpec(
                name,
                "",
                Policy.LINKS,
                hosts,
                List.of(named),
                1,
                rails,
                "exact",
                PartitionOptions.AUTOMATIC,
                List.of()),
            List.of()));
  }

  private void look() {
    for (int i = 0; i < 20 && !reconciler.pass().settled(); i++) {
      assertThat(reconciler.status().problems()).isEmpty();
    }
    assertThat(reconciler.status().inSync()).isTrue();
    AuditOptions options = AuditOptions.defaults().withThreads(1);
    assertThat(
            Audit.run(controller.view().fabric(), controller.view().tables(), options).findings())
        .noneMatch(f -> f.severity() == Severity.ERROR);
  }

  @Test
  void theyAreGivenAndKeepTheirLinksThroughDamage() {
    openMixed();
    assertThat(controller.view().freeHosts()).isEqualTo(16);
    assertThat(create("red", 5, Rails.SEPARATE)).isInstanceOf(Outcome.Accepted.class);
    assertThat(create("blue", 4, Rails.JOINED)).isInstanceOf(Outcome.Accepted.class);
    assertThat(create("green", 3, Rails.SEPARATE)).isInstanceOf(Outcome.Accepted.class);
    look();
    Map<String, Tenant> before = controller.view().tenants();
    assertThat(before.values()).allMatch(t -> t.broken().isEmpty());
    reopen();
    assertThat(controller.view().tenants()).isEqualTo(before);
    look();
    for (int host = fabric.switchCount(); host < fabric.nodeCount(); host++) {
      int last = fabric.portCount(host);
      emulator.setLink(fabric.nodeGuid(host), last, false);
      look();
      List<Breach> broken =
          controller.view().all().stream().flatMap(t -> t.broken().stream()).toList();
      boolean one = last == 1;
      assertThat(broken)
          .allMatch(b -> one ? b instanceof Breach.LostHost : b instanceof Breach.LostPort);
      emulator.setLink(fabric.nodeGuid(host), last, true);
      look();
      assertThat(controller.view().all()).allMatch(t -> t.broken().isEmpty());
    }
  }

  @Test
  void whoMayHaveLostALinkIsRefusedWithTheReason() {
    openMixed();
    int both = fabric.switchCount();
    emulator.setLink(fabric.nodeGuid(both), 2, false);
    look();
    assertThat(create("red", 0, Rails.SEPARATE, fabric.nodeGuid(both)))
        .isInstanceOfSatisfying(
            Outcome.Refused.class,
            no ->
                assertThat(no.reason())
                    .isEqualTo(
                        fabric.description(both)
                            + " cannot be given: it has no port in one of the separate trees, and"
                            + " one without a cable: it may have lost its link"));
    assertThat(create("all", 16, Rails.SEPARATE))
        .isInstanceOfSatisfying(
            Outcome.Refused.class,
            no ->
                assertThat(no.hints()).anyMatch(h -> h.startsWith("1 machine is not allocated: ")));
  }
}
