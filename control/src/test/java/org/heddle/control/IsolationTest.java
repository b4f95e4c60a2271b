package org.heddle.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.heddle.fabric.Fabric;
import org.heddle.plan.DesiredState;
import org.heddle.plan.model.Breach;
import org.heddle.plan.model.Change;
import org.heddle.plan.model.Member;
import org.heddle.plan.model.Origin;
import org.heddle.plan.model.Outcome;
import org.heddle.plan.model.PartitionOptions;
import org.heddle.plan.model.Policy;
import org.heddle.plan.model.Tenant;
import org.heddle.plan.model.TenantSpec;
import org.heddle.routing.ForwardingTables;
import org.heddle.tenancy.IsolationPolicy;
import org.heddle.tenancy.Lanes;
import org.heddle.tenancy.Partition;
import org.heddle.tenancy.PartitionMember;
import org.heddle.tenancy.Tenancy;
import org.heddle.verify.isolation.IsolationAudit;
import org.heddle.verify.isolation.IsolationOptions;
import org.heddle.verify.isolation.IsolationReport;
import org.junit.jupiter.api.Test;

/** Policies phy and vlane: promised, proven from the tables the emulator has, and given up. */
class IsolationTest extends EmulatedFabric {
  private static TenantSpec spec(String name, Policy policy, int hosts, Long... named) {
    return new TenantSpec(
        name, "", policy, hosts, List.of(named), 1, "exact", PartitionOptions.AUTOMATIC, List.of());
  }

  private Outcome create(String name, Policy policy, int hosts, Long... named) {
    return submit(new Change.Create(spec(name, policy, hosts, named)));
  }

  /** Hosts at these places of the leaves that are named. */
  private Long[] hosts(int place, int... leaves) {
    List<Integer> switches = new ArrayList<>();
    TreeMap<Integer, List<Long>> byLeaf = new TreeMap<>();
    for (int node = 0; node < fabric.nodeCount(); node++) {
      if (!fabric.isSwitch(node)) {
        int leaf = fabric.attachedSwitch(fabric.port(node, 1));
        byLeaf.computeIfAbsent(leaf, _ -> new ArrayList<>()).add(fabric.nodeGuid(node));
      }
    }
    switches.addAll(byLeaf.keySet());
    List<Long> out = new ArrayList<>();
    for (int leaf : leaves) {
      out.add(byLeaf.get(switches.get(leaf)).get(place));
    }
    return out.toArray(Long[]::new);
  }

  /** A host of every leaf, at another place after every third: D-mod-K lets these meet. */
  private Long[] crossed(int place) {
    List<Long> out = new ArrayList<>();
    for (int leaf = 0; leaf < 8; leaf++) {
      out.add(hosts((place + leaf / 3) % 3, leaf)[0]);
    }
    return out.toArray(Long[]::new);
  }

  private void converge() {
    for (int i = 0; i < 20 && !reconciler.pass().settled(); i++) {
      assertThat(reconciler.status().problems()).hasSizeLessThan(1000);
    }
    assertThat(reconciler.status().inSync()).isTrue();
  }

  /** The audit of what the fabric has, by partitions worked out here from the tenants' hosts. */
  private IsolationReport measured() {
    converge();
    var seen = emulator.observe();
    Fabric now = seen.fabric();
    List<Partition> partitions = new ArrayList<>();
    List<Integer> lanes = new ArrayList<>();
    for (Tenant t : controller.view().all()) {
      TreeMap<Integer, PartitionMember> members = new TreeMap<>();
      for (Member m : controller.view().members(t)) {
        int port = now.findPort(m.guid());
        if (port != Fabric.NONE) {
          members.put(port, new PartitionMember(port, true, 1));
        }
      }
      IsolationPolicy policy =
          t.spec().policy() == Policy.LINKS || !t.broken().isEmpty()
              ? IsolationPolicy.DEF
              : IsolationPolicy.valueOf(t.spec().policy().name());
      partitions.add(
          new Partition(t.name(), t.pkey(), policy, List.copyOf(members.values()), List.of()));
      lanes.add(t.spec().partition().serviceLevel());
    }
    ForwardingTables tables = seen.tables();
    return IsolationAudit.run(
        now,
        tables,
        new Tenancy(new Tenancy.Rules(true, 8, 1, List.of()), partitions),
        new Lanes(lanes.stream().mapToInt(i -> i).toArray()),
        IsolationOptions.defaults());
  }

  @Test
  void aPhyTenantSharesNoChannelInTheTablesThatTheFabricGets() {
    assertThat(create("d", Policy.DEF, 0, hosts(0, 0, 1, 2, 3))).isInstanceOf(ok());
    assertThat(create("p", Policy.PHY, 0, hosts(1, 0, 1, 2, 3))).isInstanceOf(ok());
    assertThat(create("q", Policy.PHY, 0, hosts(2, 0, 1, 2, 3))).isInstanceOf(ok());
    IsolationReport report = measured();
    assertThat(report.kept()).isTrue();
    assertThat(report.pairs()).isEmpty();
    assertThat(report.partitions()).allSatisfy(p -> assertThat(p.used()).isPositive());
    assertThat(report.partitions()).allSatisfy(p -> assertThat(p.unreached()).isZero());
  }

  private static Class<Outcome.Accepted> ok() {
    return Outcome.Accepted.class;
  }

  @Test
  void fivePhyTenantsDoNotFitOnFourUpLinksAndTheReasonSaysSo() {
    create("p0", Policy.PHY, 0, hosts(0, 0, 1));
    create("p1", Policy.PHY, 0, hosts(1, 0, 1));
    create("p2", Policy.PHY, 0, hosts(2, 0, 1, 2));
    create("d", Policy.DEF, 0, hosts(3, 0, 1));
    DesiredState before = controller.view();
    // a port in two partitions has one way only
    Member shared = controller.view().members(before.tenant("d").orElseThrow()).getFirst();
    Member other = controller.view().members(before.tenant("p0").orElseThrow()).getLast();
    TenantSpec tied =
        TenantSpec.partition("tied", "", PartitionOptions.AUTOMATIC, List.of(shared, other));
    assertThat(submit(new Change.Create(tied.withMembers(List.of(shared, other)))))
        .isInstanceOfSatisfying(
            Outcome.Refused.class,
            no -> {
              assertThat(no.code()).isIn(Outcome.Code.NO_PLACE, Outcome.Code.UNPROVEN);
              assertThat(no.reason()).containsAnyOf("isolation cannot be kept", "share");
              assertThat(no.reason()).contains("tied");
            });
    assertThat(controller.view()).isSameAs(before);
    assertThat(measured().kept()).isTrue();
  }

  @Test
  void vlaneTenantsGetServiceLevelsThatTheyKeep() {
    create("d", Policy.DEF, 0, crossed(0));
    create("v", Policy.VLANE, 0, crossed(1));
    create("w", Policy.VLANE, 0, crossed(2));
    assertThat(levels()).containsExactly(0, 1, 2);
    assertThat(measured().kept()).isTrue();
    assertThat(measured().pairs()).isNotEmpty();
    assertThat(submit(new Change.Create(spec("w", Policy.VLANE, 0, crossed(2)))))
        .isInstanceOf(Outcome.Unchanged.class);
    submit(new Change.Delete("v", OptionalLong.empty()));
    assertThat(levels()).containsExactly(0, 2);
    TenantSpec less = spec("w", Policy.DEF, 0, crossed(2));
    Tenant w = controller.view().tenant("w").orElseThrow();
    submit(
        new Change.Replace(less.withPartition(w.spec().partition()), OptionalLong.of(w.changed())));
    assertThat(levels()).containsExactly(0, 0);
  }

  private List<Integer> levels() {
    return controller.view().all().stream().map(t -> t.spec().partition().serviceLevel()).toList();
  }

  @Test
  void whenLanesRunOutOnlyThoseWhoMeetNobodyOnOneAreAdmitted() {
    for (int i = 0; i < 7; i++) {
      assertThat(create("v" + i, Policy.VLANE, 0, hosts(i % 4, 2 * (i / 4), 2 * (i / 4) + 1)))
          .isInstanceOf(ok());
    }
    assertThat(levels()).containsExactly(1, 2, 3, 4, 5, 6, 7);
    assertThat(create("far", Policy.VLANE, 0, hosts(0, 6, 7))).isInstanceOf(ok());
    assertThat(levels()).last().isEqualTo(1);
    assertThat(measured().kept()).isTrue();
    // somebody's client asks for the level of a tenant that it meets
    Tenant far = controller.view().tenant("far").orElseThrow();
    TenantSpec asked = spec("near", Policy.DEF, 0, hosts(1, 6, 7));
    submit(
        new Change.Create(
            asked.withPartition(PartitionOptions.AUTOMATIC.withOrigin(Origin.CLIENT))));
    IsolationReport report = measured();
    Tenant near = controller.view().tenant("near").orElseThrow();
    Outcome same = submit(new Change.SetQuality(near.pkey(), 0, 0, 1));
    boolean meet = report.pair(7, 8).isPresent();
    assertThat(same instanceof Outcome.Refused).isEqualTo(meet);
    assertThat(far.spec().partition().serviceLevel()).isEqualTo(1);
    assertThat(measured().kept()).isTrue();
  }

  @Test
  void aPromiseThatNoLinkIsLeftForIsFlaggedAndKeptAgainWhenTheLinksAreBack() {
    create("d", Policy.DEF, 0, hosts(0, 0, 1));
    create("p", Policy.PHY, 0, hosts(1, 0, 1));
    converge();
    List<Long> roots = new ArrayList<>();
    for (int sw = 0; sw < fabric.switchCount(); sw++) {
      if (controller.view().tree().level(sw) == 2) {
        roots.add(fabric.nodeGuid(sw));
      }
    }
    roots.subList(0, 3).forEach(r -> emulator.setNode(r, false));
    converge();
    assertThat(controller.view().tenant("p").orElseThrow().broken())
        .containsExactly(new Breach.GaveWay(Policy.PHY));
    assertThat(measured().kept()).isTrue();
    assertThat(store.events("f", 0, 1000))
        .extracting(e -> e.kind().word())
        .contains("promise-broken");
    controller.close();
    reopen();
    converge();
    roots.subList(0, 2).forEach(r -> emulator.setNode(r, true));
    converge();
    assertThat(controller.view().tenant("p").orElseThrow().broken()).isEmpty();
    assertThat(store.events("f", 0, 1000))
        .extracting(e -> e.kind().word())
        .contains("promise-restored");
    assertThat(measured().kept()).isTrue();
  }

  @Test
  void aPromiseIsKeptAgainWhenTheOtherTenantGoes() {
    create("d", Policy.DEF, 0, hosts(0, 0, 1));
    create("p", Policy.PHY, 0, hosts(1, 0, 1));
    for (int sw = 0, n = 0; sw < fabric.switchCount(); sw++) {
      if (controller.view().tree().level(sw) == 2 && n++ < 3) {
        emulator.setNode(fabric.nodeGuid(sw), false);
      }
    }
    converge();
    assertThat(controller.view().tenant("p").orElseThrow().broken()).hasSize(1);
    submit(new Change.Delete("d", OptionalLong.empty()));
    assertThat(controller.view().tenant("p").orElseThrow().broken()).isEmpty();
    assertThat(store.events("f", 0, 1000))
        .extracting(e -> e.kind().word())
        .contains("tenant-deleted", "promise-restored");
    assertThat(store.load("f").orElseThrow().tenants().getFirst().broken()).isEmpty();
  }

  @Test
  void aRestartMakesTheSameTables() {
    create("a", Policy.PHY, 6);
    create("b", Policy.PHY, 5);
    create("c", Policy.LINKS, 4);
    create("e", Policy.DEF, 5);
    Tenant a = controller.view().tenant("a").orElseThrow();
    TenantSpec moved = a.spec().withMembers(List.of(new Member(0xabcL, true, false)));
    submit(new Change.Replace(moved, OptionalLong.empty()));
    converge();
    ForwardingTables before = controller.view().tables();
    assertThat(measured().kept()).isTrue();
    controller.close();
    reopen();
    assertThat(controller.view().tables()).isEqualTo(before);
  }
}
