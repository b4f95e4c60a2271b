package org.heddle.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.heddle.control.model.Actor;
import org.heddle.control.model.Request;
import org.heddle.plan.DesiredState;
import org.heddle.plan.Differences;
import org.heddle.plan.model.Change;
import org.heddle.plan.model.Outcome;
import org.heddle.plan.model.Outcome.MachineEffect.What;
import org.heddle.plan.model.Tenant;
import org.heddle.plan.model.TenantSpec;
import org.heddle.plan.model.Vm;
import org.heddle.plan.model.VmSpec;
import org.junit.jupiter.api.Test;

class DryRunTest extends EmulatedFabric {
  private static Request dry(String client) {
    return new Request(new Actor(client, Actor.Role.PROVIDER, ""), "", "", true);
  }

  private static Change create(String name, int hosts) {
    return new Change.Create(TenantSpec.links(name, name, hosts));
  }

  private static Change delete(String name) {
    return new Change.Delete(name, OptionalLong.empty());
  }

  private static Change together(Change... changes) {
    return new Change.Batch("test", List.of(changes), OptionalLong.empty());
  }

  private Outcome.Accepted tried(Change change) {
    return (Outcome.Accepted) controller.submit(change, dry("c")).join();
  }

  /** Dry runs wait for a latch when they ask for the time; everybody else gets it. */
  private static final class Stopping extends Clock {
    final CountDownLatch begun = new CountDownLatch(DryRuns.AT_ONCE);
    final CountDownLatch go = new CountDownLatch(1);

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }

    @Override
    public Instant instant() {
      if (Thread.currentThread().getName().equals("heddle-dry-run")) {
        begun.countDown();
        try {
          go.await();
        } catch (InterruptedException _) {
          Thread.currentThread().interrupt();
        }
      }
      return Instant.EPOCH;
    }
  }

  @Test
  void dryRunsHoldUpNoChangeAndAreAboutTheStateAtTheirBeginning() throws Exception {
    Stopping clock = new Stopping();
    controller.close();
    controller = Controller.open(store, clock, "f");
    List<CompletableFuture<Outcome>> slow = new ArrayList<>();
    for (int i = 0; i < DryRuns.AT_ONCE; i++) {
      slow.add(controller.submit(create("d" + i, 4), dry("c" + i)));
    }
    clock.begun.await();
    assertThat(submit(create("a", 20))).isInstanceOf(Outcome.Accepted.class);
    assertThat(submit(create("b", 12))).isInstanceOf(Outcome.Accepted.class);
    assertThat(slow).noneMatch(CompletableFuture::isDone);
    clock.go.countDown();
    for (CompletableFuture<Outcome> s : slow) {
      assertThat(s.join())
          .isInstanceOfSatisfying(
              Outcome.Accepted.class, ok -> assertThat(ok.epoch()).isEqualTo(1));
    }
    assertThat(controller.view().tenants()).containsOnlyKeys("a", "b");
  }

  @Test
  void whoAsksForTooManyAtOnceIsRefusedAndOthersTakeTheirTurns() throws Exception {
    Stopping clock = new Stopping();
    controller.close();
    controller = Controller.open(store, clock, "f");
    List<CompletableFuture<Outcome>> begun = new ArrayList<>();
    for (int i = 0; i < DryRuns.AT_ONCE; i++) {
      begun.add(controller.submit(create("x" + i, 1), dry("greedy")));
    }
    clock.begun.await();
    List<CompletableFuture<Outcome>> waiting = new ArrayList<>();
    for (int i = 0; i < DryRuns.WAITING; i++) {
      waiting.add(controller.submit(create("y" + i, 1), dry("greedy")));
    }
    assertThat(waiting).noneMatch(CompletableFuture::isDone);
    assertThat(controller.submit(create("z", 1), dry("greedy")).join())
        .isInstanceOfSatisfying(
            Outcome.Refused.class, no -> assertThat(no.code()).isEqualTo(Outcome.Code.UNAVAILABLE));
    CompletableFuture<Outcome> other = controller.submit(create("z", 1), dry("modest"));
    assertThat(other).isNotDone();
    clock.go.countDown();
    assertThat(other.join()).isInstanceOf(Outcome.Accepted.class);
    begun.forEach(b -> assertThat(b.join()).isInstanceOf(Outcome.Accepted.class));
    waiting.forEach(b -> assertThat(b.join()).isInstanceOf(Outcome.Accepted.class));
    assertThat(controller.view().epoch()).isZero();
  }

  @Test
  void theControllersEndRefusesThoseThatWait() throws Exception {
    Stopping clock = new Stopping();
    controller.close();
    controller = Controller.open(store, clock, "f");
    for (int i = 0; i < DryRuns.AT_ONCE; i++) {
      controller.submit(create("x" + i, 1), dry("c"));
    }
    clock.begun.await();
    CompletableFuture<Outcome> waiting = controller.submit(create("y", 1), dry("c"));
    controller.close();
    assertThat(waiting.join()).isInstanceOf(Outcome.Refused.class);
    assertThat(controller.submit(create("z", 1), dry("c")).join())
        .isInstanceOf(Outcome.Refused.class);
    clock.go.countDown();
  }

  @Test
  void whatADryRunSaysIsWhatTheChangeThenDoes() {
    SplittableRandom random = new SplittableRandom(5);
    for (int i = 0; i < 60; i++) {
      String name = "t" + random.nextInt(5);
      Change change =
          random.nextInt(3) == 0
              ? delete(name)
              : random.nextInt(3) == 0
                  ? new Change.Replace(
                      TenantSpec.links(name, name, 1 + random.nextInt(12)), OptionalLong.empty())
                  : create(name, 1 + random.nextInt(12));
      DesiredState before = controller.view();
      Outcome would = controller.submit(change, dry("c")).join();
      assertThat(controller.view()).isSameAs(before);
      Outcome is = submit(change);
      if (!(would instanceof Outcome.Accepted w) || !(is instanceof Outcome.Accepted a)) {
        assertThat(would).isEqualTo(is);
        continue;
      }
      assertThat(w.epoch()).isEqualTo(a.epoch());
      assertThat(w.tenant().map(DryRunTest::timeless))
          .isEqualTo(a.tenant().map(DryRunTest::timeless));
      assertThat(w.tables())
          .isEqualTo(
              Differences.blocks(before, controller.view().fabric(), controller.view().tables()));
    }
  }

  private static Tenant timeless(Tenant t) {
    return new Tenant(
        t.spec(), t.hosts(), t.links(), t.created(), t.changed(), Instant.EPOCH, t.broken());
  }

  private Vm start(String name, String tenant, int host) {
    long guid = controller.view().tenant(tenant).orElseThrow().hosts().get(host).guid();
    return ((Outcome.Accepted) submit(new Change.StartVm(new VmSpec(name, tenant, guid, true, 1))))
        .vm()
        .orElseThrow();
  }

  private static Change stop(String name) {
    return new Change.StopVm(name, OptionalLong.empty());
  }

  private long host(String tenant, int i) {
    return controller.view().tenant(tenant).orElseThrow().hosts().get(i).guid();
  }

  @Test
  void changesOfTenantsAndMachinesAreTriedAndMadeTogether() {
    submit(create("a", 12));
    start("one", "a", 0);
    start("two", "a", 1);
    Change all =
        together(
            create("b", 4),
            stop("two"),
            new Change.StartVm(new VmSpec("three", "a", host("a", 2), true, 1)),
            new Change.StartVm(new VmSpec("brief", "a", host("a", 3), true, 1)),
            stop("brief"),
            new Change.MoveVms(List.of(new Change.VmMove("one", host("a", 11))), true));
    long epoch = controller.view().epoch();
    Outcome.Accepted would = tried(all);
    assertThat(would.machines())
        .extracting(m -> m.name() + " " + m.what())
        .containsExactly("one MOVED", "three STARTED", "two STOPPED");
    assertThat(would.migration()).isPresent();
    assertThat(controller.view().vms()).containsOnlyKeys("one", "two");
    assertThat(submit(all)).isInstanceOf(Outcome.Accepted.class);
    assertThat(controller.view().epoch()).isEqualTo(epoch + 1);
    assertThat(controller.view().vms()).containsOnlyKeys("one", "three");
    assertThat(controller.view().vm("one").orElseThrow().host().guid()).isEqualTo(host("a", 11));
    assertThat(store.migration("f", epoch + 1)).isPresent();
    assertThat(store.journal("f", epoch, 1).getFirst().machines())
        .extracting(m -> m.name())
        .containsExactlyInAnyOrder("one", "two", "three");
    Change back = controller.rollbackTo(epoch).orElseThrow();
    Outcome.Accepted undone = tried(back);
    assertThat(undone.machines())
        .extracting(m -> m.name() + " " + m.what())
        .containsExactly("one MOVED", "three STOPPED", "two STARTED");
    assertThat(submit(back)).isInstanceOf(Outcome.Accepted.class);
    assertThat(controller.view().vms()).containsOnlyKeys("one", "two");
  }

  @Test
  void aRollbackOverMoreThanOnePartOfTheJournalFindsWhatWasThere() {
    submit(create("a", 4));
    Tenant a = controller.view().tenant("a").orElseThrow();
    for (int i = 0; i < Controller.JOURNAL_PART; i++) {
      submit(i % 2 == 0 ? delete("a") : create("a", 5));
    }
    submit(create("b", 2));
    assertThat(controller.view().epoch()).isGreaterThan(Controller.JOURNAL_PART + 1);
    Change.Rollback back = controller.rollbackTo(1).orElseThrow();
    assertThat(back.base()).isEqualTo(controller.view().epoch());
    assertThat(back.tenants()).containsOnlyKeys("a", "b");
    assertThat(submit(back)).isInstanceOf(Outcome.Accepted.class);
    assertThat(controller.view().tenants()).containsOnlyKeys("a");
    assertThat(controller.view().tenant("a").orElseThrow().hosts()).isEqualTo(a.hosts());
  }

  @Test
  void twoMigrationsInOneChangeAreRefused() {
    submit(create("a", 12));
    start("one", "a", 0);
    Change there = new Change.MoveVms(List.of(new Change.VmMove("one", host("a", 11))), true);
    Change back = new Change.MoveVms(List.of(new Change.VmMove("one", host("a", 0))), true);
    assertThat(controller.submit(together(there, back), dry("c")).join())
        .isInstanceOf(Outcome.Refused.class);
  }

  @Test
  void machinesThatAreReroutedWithTheirHostsAreSaid() {
    submit(create("a", 20));
    for (int i = 0; i < 20; i++) {
      start("m" + i, "a", i);
    }
    DesiredState before = controller.view();
    Change more = create("b", 8);
    Outcome.Accepted would = tried(more);
    submit(more);
    DesiredState after = controller.view();
    List<String> expected = new ArrayList<>();
    for (Vm vm : before.vms().values()) {
      int switches = 0;
      for (int sw = 0; sw < before.tables().switchCount(); sw++) {
        boolean same = before.tables().port(sw, vm.lid()) == after.tables().port(sw, vm.lid());
        switches += same ? 0 : 1;
      }
      if (switches > 0) {
        expected.add(vm.name() + " " + switches);
      }
    }
    assertThat(would.machines()).allMatch(m -> m.what() == What.REROUTED);
    assertThat(would.machines())
        .extracting(m -> m.name() + " " + m.switches())
        .containsExactlyElementsOf(expected);
  }
}
