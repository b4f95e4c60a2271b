package org.heddle.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.heddle.allocation.Rails;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.FabricBuilder;
import org.heddle.plan.model.Breach;
import org.heddle.plan.model.Change;
import org.heddle.plan.model.Drained;
import org.heddle.plan.model.Event;
import org.heddle.plan.model.EventKind;
import org.heddle.plan.model.HostRef;
import org.heddle.plan.model.LinkRef;
import org.heddle.plan.model.Member;
import org.heddle.plan.model.Outcome;
import org.heddle.plan.model.PartitionOptions;
import org.heddle.plan.model.Policy;
import org.heddle.plan.model.Tenant;
import org.heddle.plan.model.TenantSpec;
import org.heddle.topology.generate.MachineWiring;
import org.heddle.topology.generate.TreeSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A controller gives machines with all their adapters. */
class RailsTest extends EmulatedFabric {
  /** Two units of two leaves, four machines of two adapters in each. */
  private void rails() {
    open(MachineWiring.generate(TreeSpec.parse("XGFT(2;4,4;1,4)"), 2, 1));
  }

  private Outcome create(String name, int hosts, Rails rails, Long... adapters) {
    return create(name, Policy.LINKS, hosts, rails, adapters);
  }

  private Outcome create(String name, Policy policy, int hosts, Rails rails, Long... adapters) {
    TenantSpec spec =
        new TenantSpec(
            name,
            "",
            policy,
            hosts,
            List.of(adapters),
            1,
            rails,
            "exact",
            PartitionOptions.AUTOMATIC,
            List.of());
    return submit(new Change.Create(spec, List.of()));
  }

  private long adapter(String description) {
    for (int node = 0; node < fabric.nodeCount(); node++) {
      if (fabric.description(node).equals(description)) {
        return fabric.nodeGuid(node);
      }
    }
    throw new AssertionError(description);
  }

  private Set<Long> ports(String tenant) {
    Set<Long> out = new HashSet<>();
    Tenant t = controller.view().tenant(tenant).orElseThrow();
    for (Member m : controller.view().members(t)) {
      out.add(m.guid());
    }
    return out;
  }

  @Test
  void aMachineIsOneTenantsWithAllItsAdapters() {
    rails();
    assertThat(create("blue", 4, Rails.SEPARATE)).isInstanceOf(Outcome.Accepted.class);
    Tenant blue = controller.view().tenant("blue").orElseThrow();
    assertThat(blue.hosts()).hasSize(4);
    assertThat(blue.hosts().stream().map(HostRef::name)).allMatch(n -> n.matches("gpu\\d+"));
    assertThat(ports("blue")).hasSize(8);
    String taken = blue.hosts().getFirst().name();
    assertThat(create("red", 0, Rails.SEPARATE, adapter(taken + " mlx5_1")))
        .isInstanceOf(Outcome.Refused.class);
    assertThat(controller.view().freeHosts()).isEqualTo(4);
  }

  @Test
  void anAdapterStandsForItsMachine() {
    rails();
    Outcome done =
        create(
            "red",
            0,
            Rails.SEPARATE,
            adapter("gpu0001 mlx5_1"),
            adapter("gpu0001 mlx5_0"),
            adapter("gpu0005 mlx5_1"));
    assertThat(done).isInstanceOf(Outcome.Accepted.class);
    Tenant red = controller.view().tenant("red").orElseThrow();
    assertThat(red.hosts().stream().map(HostRef::name)).containsExactly("gpu0001", "gpu0005");
    assertThat(ports("red")).hasSize(4);
    assertThat(red.links()).hasSize(4);
    assertThat(red.broken()).isEmpty();
  }

  @Test
  void aMachineThatLacksACableIsNotGiven() {
    rails();
    int node = fabric.findNode(adapter("gpu0001 mlx5_1"));
    int port = fabric.port(node, 1);
    int leaf = fabric.attachedSwitch(port);
    int number = fabric.numberOf(fabric.peer(port));
    LinkRef cable = new LinkRef(fabric.nodeGuid(node), 1, fabric.nodeGuid(leaf), number);
    assertThat(submit(new Change.Drain(new Drained(List.of(cable), List.of()), true, false)))
        .isInstanceOf(Outcome.Accepted.class);
    assertThat(controller.view().freeHosts()).isEqualTo(7);
    assertThat(create("red", 0, Rails.SEPARATE, adapter("gpu0001 mlx5_0")))
        .isInstanceOf(Outcome.Refused.class);
  }

  /** Where a whole leaf goes, its machines lack nothing that others of the unit have. */
  @Test
  void aLeafThatGoesTakesARailFromTenantsOfItsUnit() {
    rails();
    assertThat(create("red", 2, Rails.SEPARATE)).isInstanceOf(Outcome.Accepted.class);
    assertThat(red().links()).isEmpty();
    long first = red().hosts().getFirst().guid();
    int leaf = fabric.attachedSwitch(fabric.port(fabric.findNode(first), 1));
    emulator.setNode(fabric.nodeGuid(leaf), false);
    look();
    assertThat(Breach.sentences(red().broken()))
        .containsExactlyInAnyOrderElementsOf(
            red().hosts().stream()
                .map(h -> "host " + h.name() + " has no link at mlx5_0 port 1")
                .toList());
    reopen();
    assertThat(red().broken()).hasSize(2);
    emulator.setNode(fabric.nodeGuid(leaf), true);
    look();
    assertThat(red().broken()).isEmpty();
  }

  /** What hangs on a leaf switch that is off is in no fabric that anybody reads. */
  private Fabric without(int leaf) {
    FabricBuilder b = new FabricBuilder();
    int[] now = new int[fabric.nodeCount()];
    for (int n = 0; n < now.length; n++) {
      boolean gone =
          n == leaf || !fabric.isSwitch(n) && fabric.attachedSwitch(fabric.port(n, 1)) == leaf;
      now[n] = Fabric.NONE;
      if (!gone) {
        now[n] =
            b.addNode(
                fabric.nodeType(n), fabric.nodeGuid(n), fabric.portCount(n), fabric.description(n));
        for (int k = fabric.isSwitch(n) ? 0 : 1; k <= fabric.portCount(n); k++) {
          b.setPortGuid(now[n], k, fabric.portGuid(fabric.port(n, k)));
        }
      }
    }
    for (int port = 0; port < fabric.portIdLimit(); port++) {
      int peer = fabric.peer(port);
      int a = peer == Fabric.NONE || peer < port ? Fabric.NONE : now[fabric.nodeOf(port)];
      int z = a == Fabric.NONE ? Fabric.NONE : now[fabric.nodeOf(peer)];
      if (z != Fabric.NONE) {
        b.connect(
            a,
            fabric.numberOf(port),
            z,
            fabric.numberOf(peer),
            fabric.width(port),
            fabric.speed(port));
      }
    }
    return b.build().withAssignedLids();
  }

  /** With the first or the second rail of a unit gone: its machines are whose they were. */
  @ParameterizedTest
  @ValueSource(strings = {"mlx5_0", "mlx5_1"})
  void aMachineStaysItsTenantsWithoutItsFirstAdapter(String rail) {
    rails();
    assertThat(create("red", 2, Rails.SEPARATE)).isInstanceOf(Outcome.Accepted.class);
    List<HostRef> mine = red().hosts();
    long lost = adapter(mine.getFirst().name() + " " + rail);
    Fabric later = without(fabric.attachedSwitch(fabric.port(fabric.findNode(lost), 1)));
    assertThat(submit(new Change.FabricChanged(later, "a leaf is off")))
        .isInstanceOf(Outcome.Accepted.class);
    assertThat(red().hosts()).isEqualTo(mine);
    assertThat(red().broken()).hasSize(2).allMatch(b -> b instanceof Breach.LostPort);
    // Two machines beside red's, that lack a rail now, are nobody's with links, named or not.
    assertThat(create("blue", 5, Rails.SEPARATE)).isInstanceOf(Outcome.Refused.class);
    assertThat(create("blue", 4, Rails.SEPARATE)).isInstanceOf(Outcome.Accepted.class);
    Set<String> names = new HashSet<>();
    mine.forEach(h -> names.add(h.name()));
    Tenant blue = controller.view().tenant("blue").orElseThrow();
    blue.hosts().forEach(h -> assertThat(names.add(h.name())).isTrue());
    long free = mine.getFirst().adapters().stream().mapToLong(g -> g).max().orElseThrow();
    assertThat(create("grey", 0, Rails.SEPARATE, free)).isInstanceOf(Outcome.Refused.class);
    assertThat(create("grey", Policy.DEF, 2, Rails.SEPARATE)).isInstanceOf(Outcome.Accepted.class);
    reopen();
    assertThat(red().hosts()).isEqualTo(mine);
    assertThat(red().hosts().getFirst().adapters()).hasSize(2);
    assertThat(submit(new Change.FabricChanged(fabric, "the leaf is back")))
        .isInstanceOf(Outcome.Accepted.class);
    assertThat(red().broken()).isEmpty();
    assertThat(controller.view().tenant("blue").orElseThrow().broken()).isEmpty();
  }

  /** Of a machine that lost several adapters each is named, whether its rails go at once or not. */
  @Test
  void everyLostPortOfAMachineIsTold() {
    open(MachineWiring.generate(TreeSpec.parse("XGFT(2;2,8;1,2)"), 4, 1));
    assertThat(create("red", 2, Rails.SEPARATE)).isInstanceOf(Outcome.Accepted.class);
    List<String> expected = new ArrayList<>();
    for (HostRef host : red().hosts()) {
      for (String rail : List.of("mlx5_1", "mlx5_2")) {
        emulator.setLink(adapter(host.name() + " " + rail), 1, false);
        expected.add("host " + host.name() + " has no link at " + rail + " port 1");
      }
    }
    look();
    assertThat(Breach.sentences(red().broken())).containsExactlyInAnyOrderElementsOf(expected);
  }

  /** A machine on a leaf that is drained is not given, as with a cable of its own that is. */
  @Test
  void aMachineOnADrainedLeafIsNotGiven() {
    rails();
    int leaf = fabric.attachedSwitch(fabric.port(fabric.findNode(adapter("gpu0001 mlx5_0")), 1));
    Drained what = new Drained(List.of(), List.of(fabric.nodeGuid(leaf)));
    assertThat(submit(new Change.Drain(what, true, true))).isInstanceOf(Outcome.Accepted.class);
    assertThat(create("red", 5, Rails.SEPARATE)).isInstanceOf(Outcome.Refused.class);
    assertThat(create("red", 0, Rails.SEPARATE, adapter("gpu0001 mlx5_1")))
        .isInstanceOf(Outcome.Refused.class);
    assertThat(create("red", 4, Rails.SEPARATE)).isInstanceOf(Outcome.Accepted.class);
    assertThat(red().hosts().stream().map(HostRef::name)).noneMatch("gpu0001"::equals);
    submit(new Change.Drain(what, false, false));
    assertThat(create("blue", 4, Rails.SEPARATE)).isInstanceOf(Outcome.Accepted.class);
  }

  /** Links are promised on every rail; a tenant without links needs only to reach the machine. */
  @Test
  void aMachineIsNotLostToATenantWithoutLinksWhileAnAdapterIsReached() {
    rails();
    long first = adapter("gpu0001 mlx5_0");
    long second = adapter("gpu0001 mlx5_1");
    assertThat(create("red", Policy.DEF, 0, Rails.SEPARATE, first, adapter("gpu0005 mlx5_0")))
        .isInstanceOf(Outcome.Accepted.class);
    for (long lost : List.of(first, second)) {
      emulator.setLink(lost, 1, false);
      look();
      assertThat(red().broken()).isEmpty();
      reopen();
      assertThat(red().broken()).isEmpty();
      assertThat(controller.view().freeHosts()).isEqualTo(6);
      emulator.setLink(lost, 1, true);
      look();
    }
    emulator.setLink(first, 1, false);
    emulator.setLink(second, 1, false);
    look();
    assertThat(red().broken()).hasSize(1);
    emulator.setLink(second, 1, true);
    look();
    assertThat(red().broken()).isEmpty();
  }

  /** A host of which one adapter lost its cable has links: the message names the one that lost. */
  @ParameterizedTest
  @CsvSource({"2, 1", "1, 2"})
  void aTenantIsToldWhichPortOfAHostIsOfNoUse(int rails, int adaptersOnLeaf) {
    open(MachineWiring.generate(TreeSpec.parse("XGFT(2;8,4;1,8)"), rails, adaptersOnLeaf));
    long first = adapter("gpu0001 mlx5_0");
    long second = adapter("gpu0001 mlx5_1");
    assertThat(create("red", 0, Rails.SEPARATE, first, adapter("gpu0005 mlx5_0")))
        .isInstanceOf(Outcome.Accepted.class);
    for (long lost : List.of(first, second)) {
      String adapter = lost == first ? "mlx5_0" : "mlx5_1";
      emulator.setLink(lost, 1, false);
      look();
      assertThat(red().broken())
          .containsExactly(new Breach.LostPort("gpu0001", adapter, 1, Breach.Why.UNLINKED));
      emulator.setLink(lost, 1, true);
      look();
      assertThat(red().broken()).isEmpty();
      assertThat(submit(new Change.Drain(new Drained(cables(lost), List.of()), true, true)))
          .isInstanceOf(Outcome.Accepted.class);
      assertThat(red().broken())
          .containsExactly(new Breach.LostPort("gpu0001", adapter, 1, Breach.Why.OUT_OF_SERVICE));
      submit(new Change.Drain(new Drained(cables(lost), List.of()), false, false));
      assertThat(red().broken()).isEmpty();
    }
    emulator.setLink(first, 1, false);
    emulator.setLink(second, 1, false);
    look();
    assertThat(red().broken()).containsExactly(new Breach.LostHost("gpu0001", Breach.Why.UNLINKED));
    emulator.setLink(first, 1, true);
    emulator.setLink(second, 1, true);
    look();
    assertThat(submit(new Change.Drain(new Drained(cables(first, second), List.of()), true, true)))
        .isInstanceOf(Outcome.Accepted.class);
    assertThat(red().broken())
        .containsExactly(new Breach.LostHost("gpu0001", Breach.Why.OUT_OF_SERVICE));
  }

  /** Two machines that lost different rails meet over the tree only, where they have no links. */
  @Test
  void machinesThatNoLongerShareEveryLeafAreToldOf() {
    open(MachineWiring.generate(TreeSpec.parse("XGFT(2;2,8;1,2)"), 4, 1));
    assertThat(create("red", 2, Rails.SEPARATE)).isInstanceOf(Outcome.Accepted.class);
    String first = red().hosts().get(0).name();
    String second = red().hosts().get(1).name();
    emulator.setLink(adapter(first + " mlx5_1"), 1, false);
    emulator.setLink(adapter(second + " mlx5_2"), 1, false);
    look();
    assertThat(red().broken())
        .anyMatch(b -> b instanceof Breach.Unroutable)
        .contains(new Breach.LostPort(first, "mlx5_1", 1, Breach.Why.UNLINKED))
        .contains(new Breach.LostPort(second, "mlx5_2", 1, Breach.Why.UNLINKED));
    emulator.setLink(adapter(first + " mlx5_1"), 1, true);
    emulator.setLink(adapter(second + " mlx5_2"), 1, true);
    look();
    assertThat(red().broken()).isEmpty();
  }

  private List<LinkRef> cables(long... adapters) {
    List<LinkRef> out = new ArrayList<>();
    for (long guid : adapters) {
      int port = fabric.port(fabric.findNode(guid), 1);
      int number = fabric.numberOf(fabric.peer(port));
      out.add(new LinkRef(guid, 1, fabric.nodeGuid(fabric.attachedSwitch(port)), number));
    }
    return out;
  }

  /** One slow cable of one rail: the position is lost on all, and is back with its speed. */
  @Test
  void aSlowLinkIsLostUntilItIsFastAgain() {
    rails();
    assertThat(create("red", 8, Rails.SEPARATE)).isInstanceOf(Outcome.Accepted.class);
    Tenant before = red();
    assertThat(before.links()).hasSize(16);
    LinkRef link = before.links().getFirst();
    emulator.setSlow(link.to(), link.toPort(), true);
    look();
    assertThat(red().broken())
        .anyMatch(b -> b instanceof Breach.LostLink l && l.why() == Breach.Why.SLOW)
        .hasSizeBetween(1, 2); // its fellow on the other rail has no place then
    assertThat(red().links()).isEqualTo(before.links());
    assertThat(controller.view().notes()).anyMatch(n -> n.startsWith("1 link is slower than the"));
    reopen();
    assertThat(red().broken()).isNotEmpty();
    assertThat(store.events("f", 0, 1000).stream().map(Event::kind))
        .contains(EventKind.PROMISE_BROKEN);
    emulator.setSlow(link.to(), link.toPort(), false);
    look();
    assertThat(red().broken()).isEmpty();
    assertThat(red().links()).isEqualTo(before.links());
    assertThat(store.events("f", 0, 1000).stream().map(Event::kind))
        .contains(EventKind.PROMISE_RESTORED);
  }

  private Tenant red() {
    return controller.view().tenant("red").orElseThrow();
  }

  private void look() {
    for (int i = 0; i < 20 && !reconciler.pass().settled(); i++) {
      assertThat(reconciler.status().problems()).isEmpty();
    }
    assertThat(reconciler.status().inSync()).isTrue();
  }

  @Test
  void acrossRailsAndBack() {
    rails();
    assertThat(create("all", 2, Rails.JOINED)).isInstanceOf(Outcome.Accepted.class);
    Tenant all = controller.view().tenant("all").orElseThrow();
    assertThat(all.links()).hasSize(4); // two of each leaf of a unit
    reopen();
    assertThat(controller.view().tenant("all")).contains(all);
    assertThat(all.spec().rails()).isEqualTo(Rails.JOINED);
    assertThat(submit(new Change.Delete("all", OptionalLong.empty())))
        .isInstanceOf(Outcome.Accepted.class);
    assertThat(controller.view().freeHosts()).isEqualTo(8);
  }
}
