package org.heddle.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.heddle.control.emulator.Emulator;
import org.heddle.control.model.Actor;
import org.heddle.control.model.Request;
import org.heddle.control.port.FabricAgent;
import org.heddle.control.port.Store;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.FabricBuilder;
import org.heddle.plan.Holdings;
import org.heddle.plan.PhysicalFabric;
import org.heddle.plan.model.Breach;
import org.heddle.plan.model.Change;
import org.heddle.plan.model.Drained;
import org.heddle.plan.model.EventKind;
import org.heddle.plan.model.JournalEntry;
import org.heddle.plan.model.LinkRef;
import org.heddle.plan.model.Outcome;
import org.heddle.plan.model.PartitionOptions;
import org.heddle.plan.model.Policy;
import org.heddle.plan.model.Tenant;
import org.heddle.plan.model.TenantSpec;
import org.junit.jupiter.api.Test;

/**
 * The smallest histories in which somebody once had what another has, and what a promise that broke
 * needs to come back.
 */
class PromiseTest extends EmulatedFabric {
  private long host(String name) {
    for (int node = 0; node < fabric.nodeCount(); node++) {
      if (fabric.description(node).equals(name)) {
        return fabric.nodeGuid(node);
      }
    }
    throw new AssertionError(name);
  }

  private Outcome create(String name, Policy policy, String... hosts) {
    List<Long> named = new ArrayList<>();
    for (String h : hosts) {
      named.add(host(h));
    }
    return submit(
        new Change.Create(
            new TenantSpec(
                name, "", policy, 0, named, 1, "exact", PartitionOptions.AUTOMATIC, List.of())));
  }

  private Tenant tenant(String name) {
    return controller.view().tenant(name).orElseThrow();
  }

  private void converge() {
    for (int i = 0; i < 20 && !reconciler.pass().settled(); i++) {
      assertThat(reconciler.status().problems()).isEmpty();
    }
    assertThat(reconciler.status().inSync()).isTrue();
  }

  /** Two tenants with two links each at the leaf of H_0_0; returns one link of each there. */
  private List<LinkRef> twoTenants() {
    assertThat(create("a", Policy.LINKS, "H_0_0", "H_0_1", "H_1_0", "H_1_1")).isInstanceOf(ok());
    assertThat(create("b", Policy.LINKS, "H_0_2", "H_0_3", "H_1_2", "H_1_3")).isInstanceOf(ok());
    converge();
    long leaf = host("S1_0");
    List<LinkRef> out = new ArrayList<>();
    for (String name : List.of("a", "b")) {
      out.add(
          tenant(name).links().stream().filter(l -> l.from() == leaf).findFirst().orElseThrow());
    }
    return out;
  }

  private static Class<Outcome.Accepted> ok() {
    return Outcome.Accepted.class;
  }

  /** Both have lost a link, nobody has got what the other has, nobody else gets their hosts. */
  private void bothAreFlaggedAndKeepTheRest(List<LinkRef> lost) {
    for (int i = 0; i < 2; i++) {
      Tenant t = tenant(i == 0 ? "a" : "b");
      assertThat(t.broken()).singleElement().isInstanceOf(Breach.LostLink.class);
      assertThat(t.links()).hasSize(4).contains(lost.get(i)).doesNotContain(lost.get(1 - i));
    }
    assertThat(controller.view().freeHosts()).isEqualTo(24);
    for (Policy policy : Policy.values()) {
      assertThat(create("c", policy, "H_0_2", "H_0_3", "H_1_2", "H_1_3"))
          .isInstanceOf(Outcome.Refused.class);
    }
    Tenant a = tenant("a");
    controller.close();
    reopen();
    assertThat(tenant("a")).isEqualTo(a);
    assertThat(controller.view().freeHosts()).isEqualTo(24);
  }

  private void bothAreWholeAndTheControllerGoesOn() {
    assertThat(tenant("a").broken()).isEmpty();
    assertThat(tenant("b").broken()).isEmpty();
    assertThat(reconciler.refusesFabric()).isEmpty();
    assertThat(create("d", Policy.LINKS, "H_2_0", "H_3_0")).isInstanceOf(ok());
    LinkRef other = tenant("d").links().getFirst();
    emulator.setLink(other.from(), other.port(), false);
    converge();
    assertThat(tenant("d").broken()).isEmpty(); // it got another one
  }

  @Test
  void twoLinksOfALeafThatAreLostAtOnceAreNotMendedWithEachOthers() {
    List<LinkRef> lost = twoTenants();
    lost.forEach(l -> emulator.setLink(l.from(), l.port(), false));
    converge();
    bothAreFlaggedAndKeepTheRest(lost);
    lost.forEach(l -> emulator.setLink(l.from(), l.port(), true));
    converge();
    bothAreWholeAndTheControllerGoesOn();
  }

  @Test
  void norAreThoseThatAreLostOneAfterTheOther() {
    List<LinkRef> lost = twoTenants();
    for (LinkRef l : lost) {
      emulator.setLink(l.from(), l.port(), false);
      converge();
    }
    bothAreFlaggedAndKeepTheRest(lost);
    for (LinkRef l : lost) {
      emulator.setLink(l.from(), l.port(), true);
      converge();
    }
    bothAreWholeAndTheControllerGoesOn();
  }

  @Test
  void norAreThoseThatAreDrainedByForce() {
    List<LinkRef> lost = twoTenants();
    for (LinkRef l : lost) {
      Drained what = new Drained(List.of(l), List.of());
      assertThat(submit(new Change.Drain(what, true, true))).isInstanceOf(ok());
    }
    converge();
    bothAreFlaggedAndKeepTheRest(lost);
    assertThat(submit(new Change.Drain(new Drained(lost, List.of()), false, false)))
        .isInstanceOf(ok());
    converge();
    bothAreWholeAndTheControllerGoesOn();
  }

  @Test
  void aStoreThatGaveOneLinkToTwoIsOpenedWithTheSecondFlaggedAndMended() {
    List<LinkRef> links = twoTenants();
    Tenant a = tenant("a");
    Tenant b = tenant("b");
    controller.close();
    List<LinkRef> stolen = new ArrayList<>(a.links()); // as that controller would have chosen
    stolen.removeIf(l -> l.to() == links.get(0).to());
    b.links().stream().filter(l -> l.to() == links.get(1).to()).forEach(stolen::add);
    assertThat(stolen).hasSize(4);
    commit(a.holding(a.hosts(), stolen, List.of(), a.changed()));
    reopen();
    assertThat(tenant("a").broken()).isEmpty();
    assertThat(tenant("b").broken())
        .hasSize(2)
        .allSatisfy(
            x ->
                assertThat(x)
                    .isInstanceOfSatisfying(
                        Breach.MeetsTenant.class, m -> assertThat(m.tenant()).isEqualTo("a")));
    assertThat(controller.view().freeHosts()).isEqualTo(24);
    assertThat(create("d", Policy.LINKS, "H_2_0", "H_3_0")).isInstanceOf(ok());
    assertThat(store.load("f").orElseThrow().tenants())
        .filteredOn(t -> t.name().equals("b"))
        .singleElement()
        .satisfies(t -> assertThat(t.broken()).hasSize(2));
    LinkRef other = tenant("d").links().getFirst();
    emulator.setLink(other.from(), other.port(), false); // any change of the fabric mends it
    converge();
    assertThat(tenant("b").broken()).isEmpty();
    assertThat(tenant("b").hosts()).isEqualTo(b.hosts());
    assertThat(tenant("b").links()).doesNotContainAnyElementsOf(tenant("a").links());
  }

  private void commit(Tenant t) {
    long epoch = store.load("f").orElseThrow().epoch();
    JournalEntry entry =
        new JournalEntry(
            epoch + 1, Instant.EPOCH, "", EventKind.TENANT_CHANGED, t.name(), List.of(), List.of());
    store.commit(
        new Store.Commit(
            "f",
            epoch,
            epoch + 1,
            Optional.empty(),
            List.of(t),
            List.of(),
            Store.Machines.NONE,
            List.of(entry),
            List.of(),
            List.of()));
  }

  @Test
  void aHostThatIsPluggedInAtAnotherLeafIsFoundOutByItsTenantsLinks() {
    assertThat(create("a", Policy.LINKS, "H_0_0", "H_0_1", "H_1_0", "H_1_1")).isInstanceOf(ok());
    Tenant before = tenant("a");
    Fabric swapped = TwoHostsSwapped.of(fabric, host("H_0_0"), host("H_2_0"));
    assertThat(submit(new Change.FabricChanged(swapped, "swapped"))).isInstanceOf(ok());
    Tenant after = tenant("a");
    assertThat(after.hosts()).containsExactlyInAnyOrderElementsOf(before.hosts());
    assertThat(after.broken()).isEmpty();
    assertThat(after.links()).isNotEqualTo(before.links()); // for three leaves now
    assertThat(submit(new Change.FabricChanged(fabric, "as before"))).isInstanceOf(ok());
    assertThat(tenant("a").broken()).isEmpty();
  }

  private List<Long> threeRoots() {
    List<Long> roots = new ArrayList<>();
    for (int sw = 0; sw < fabric.switchCount() && roots.size() < 3; sw++) {
      if (controller.view().tree().level(sw) == 2) {
        roots.add(fabric.nodeGuid(sw));
      }
    }
    return roots;
  }

  /** Four tenants that are kept apart fill the four up-links of two leaves. */
  private void phy(int from, int to) {
    for (int i = from; i < to; i++) {
      assertThat(create("p" + i, Policy.PHY, "H_0_" + i, "H_1_" + i)).isInstanceOf(ok());
    }
  }

  @Test
  void whoComesWhileSomebodyGaveWayMustLeaveRoomForWhenTheFabricIsWholeAgain() {
    phy(0, 3);
    converge();
    threeRoots().forEach(r -> emulator.setNode(r, false));
    converge();
    assertThat(tenant("p2").broken()).containsExactly(new Breach.GaveWay(Policy.PHY));
    controller.close();
    reopen(); // what the fabric lacks is known after a restart, too
    // the fourth link is all there is for these two, and for members of all three
    TenantSpec tied =
        new TenantSpec(
            "tied",
            "",
            Policy.DEF,
            0,
            List.of(host("H_0_3"), host("H_1_3")),
            1,
            "exact",
            PartitionOptions.AUTOMATIC,
            List.of(controller.view().members(tenant("p2")).getFirst()));
    assertThat(submit(new Change.Create(tied)))
        .isInstanceOfSatisfying(
            Outcome.Refused.class, no -> assertThat(no.reason()).contains("is there again", "p2"));
    assertThat(create("d", Policy.DEF, "H_0_3", "H_1_3")).isInstanceOf(ok());
    emulatorHeals();
    for (Tenant t : controller.view().all()) {
      assertThat(t.broken()).as(t.name()).isEmpty();
    }
  }

  private void emulatorHeals() {
    for (int node = 0; node < fabric.nodeCount(); node++) {
      emulator.setNode(fabric.nodeGuid(node), true);
    }
    converge();
  }

  @Test
  void whatIsWrittenOffIsNotWaitedFor() {
    phy(0, 3);
    converge();
    threeRoots().forEach(r -> emulator.setNode(r, false));
    converge();
    TenantSpec tied =
        new TenantSpec(
            "tied",
            "",
            Policy.DEF,
            0,
            List.of(host("H_0_3"), host("H_1_3")),
            1,
            "exact",
            PartitionOptions.AUTOMATIC,
            List.of(controller.view().members(tenant("p2")).getFirst()));
    assertThat(submit(new Change.Create(tied))).isInstanceOf(Outcome.Refused.class);
    assertThat(submit(new Change.WriteOff())).isInstanceOf(ok());
    assertThat(submit(new Change.WriteOff())).isInstanceOf(Outcome.Unchanged.class);
    controller.close();
    reopen();
    assertThat(submit(new Change.Create(tied))).isInstanceOf(ok());
  }

  @Test
  void aChangeThatFailsIsRefusedAloneIsInTheLogAndOthersGoOn() {
    controller.onView(
        _ -> {
          throw new IllegalStateException("a viewer");
        });
    List<Throwable> logged = new CopyOnWriteArrayList<>();
    Logger log = Logger.getLogger(Controller.class.getName());
    Handler handler = handler(logged);
    log.addHandler(handler);
    log.setUseParentHandlers(false);
    List<CompletableFuture<Outcome>> answers = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      TenantSpec spec = i % 3 == 1 ? null : TenantSpec.links("t" + i, "", 1);
      answers.add(controller.submit(new Change.Create(spec), Request.of(Actor.SYSTEM)));
    }
    for (int i = 0; i < 9; i++) {
      Outcome out = answers.get(i).join();
      if (i % 3 == 1) {
        assertThat(out)
            .isInstanceOfSatisfying(
                Outcome.Refused.class, no -> assertThat(no.reason()).contains("failed"));
      } else {
        assertThat(out).isInstanceOf(ok());
      }
    }
    assertThat(controller.leads()).isTrue();
    assertThat(controller.view().tenants()).hasSize(6);
    controller.close();
    log.removeHandler(handler);
    log.setUseParentHandlers(true);
    assertThat(logged).hasAtLeastOneElementOfType(NullPointerException.class);
    assertThat(logged).anySatisfy(e -> assertThat(e).hasMessage("a viewer"));
  }

  private static Handler handler(List<Throwable> thrown) {
    return new Handler() {
      @Override
      public void publish(LogRecord line) {
        thrown.add(line.getThrown());
      }

      @Override
      public void flush() {}

      @Override
      public void close() {}
    };
  }

  @Test
  void aFabricThatCannotBePlannedForIsToldUntilItCan() {
    AtomicReference<FabricAgent> seen = new AtomicReference<>(new Emulator(ring()));
    FabricAgent agent =
        (FabricAgent)
            Proxy.newProxyInstance(
                FabricAgent.class.getClassLoader(),
                new Class<?>[] {FabricAgent.class},
                (_, method, args) -> method.invoke(seen.get(), args));
    reconciler = new Reconciler(controller, agent, true, Duration.ofHours(1));
    reconciler.pass();
    assertThat(reconciler.refusesFabric()).isPresent();
    seen.set(emulator);
    converge();
    assertThat(reconciler.refusesFabric()).isEmpty();
  }

  /** Three switches in a circle, with a host each. */
  private static Fabric ring() {
    FabricBuilder out = new FabricBuilder();
    for (int i = 0; i < 3; i++) {
      out.addSwitch(0x100 + i, 3, "s" + i);
      int host = out.addCa(0x200 + i, 1, "h" + i);
      out.setPortGuid(host, 1, 0x300 + i);
      out.connect(2 * i, 3, host, 1);
    }
    for (int i = 0; i < 3; i++) {
      out.connect(2 * i, 1, 2 * ((i + 1) % 3), 2);
    }
    return out.build();
  }

  @Test
  void nothingIsTakenTwice() {
    twoTenants();
    PhysicalFabric site =
        ((PhysicalFabric.Outcome.Built) PhysicalFabric.of(fabric, "dmodk", Drained.NONE)).site();
    Holdings none = Holdings.none(site);
    Holdings.Held mine = site.remains(tenant("a"), none).held();
    Holdings one = none.with("a", mine);
    assertThat(one.freeHosts()).isEqualTo(28);
    assertThat(none.freeHosts()).isEqualTo(32);
    assertThatThrownBy(() -> one.with("a", mine)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> one.with("b", mine)).isInstanceOf(IllegalStateException.class);
    assertThat(site.remains(tenant("a"), one).lost()).hasSize(8);
    assertThat(one.without("a").freeHosts()).isEqualTo(32);
    assertThat(one.without("x")).isSameAs(one);
    assertThat(one.holderOfHost(mine.charged().host(0))).contains("a");
    assertThat(one.holderOfLink(mine.links()[0])).contains("a");
  }

  @Test
  void aBreachAndItsSentenceTellTheSame() {
    List<Breach> all =
        List.of(
            new Breach.LostHost("host 1 is gone", Breach.Why.GONE),
            new Breach.LostHost("H_0_1", Breach.Why.OUT_OF_SERVICE),
            new Breach.LostHost("", Breach.Why.UNLINKED),
            new Breach.LostHost("a at mlx5_1 port 2", Breach.Why.UNPLACED),
            new Breach.LostPort("gpu07", "mlx5_1", 1, Breach.Why.UNLINKED),
            new Breach.LostPort("0x0000000000000001", "", 2, Breach.Why.OUT_OF_SERVICE),
            new Breach.LostPort("n 1", "HCA-2 of 4", 1, Breach.Why.UNPLACED),
            new Breach.LostLink("'S1' (0x1)", 5, Breach.Why.GONE),
            new Breach.LostLink("0x00000000000000ff", 36, Breach.Why.OUT_OF_SERVICE),
            new Breach.LostLink("'a port 3'", 1, Breach.Why.UNPLACED),
            new Breach.LostLink("'S2' (0x2)", 7, Breach.Why.SLOW),
            new Breach.MeetsTenant("link from 'S1' (0x1) port 5", "b.c-d"),
            new Breach.GaveWay(Policy.PHY),
            new Breach.GaveWay(Policy.VLANE),
            new Breach.Unroutable("its links do not join 'a' to 'b'"),
            new Breach.Said("something else"));
    for (Breach b : all) {
      assertThat(Breach.of(b.sentence())).isEqualTo(b);
    }
    assertThat(all.get(12).sentence()) // as databases of before have it
        .isEqualTo("its traffic meets that of others between switches: policy phy");
  }
}
