package org.heddle.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.heddle.control.model.Actor;
import org.heddle.control.model.Request;
import org.heddle.control.port.Fence;
import org.heddle.plan.model.Change;
import org.heddle.plan.model.LinkRef;
import org.heddle.plan.model.Outcome;
import org.heddle.plan.model.Tenant;
import org.heddle.plan.model.TenantSpec;
import org.junit.jupiter.api.Test;

class ControllerTest extends EmulatedFabric {
  private Outcome create(String name, int hosts) {
    return submit(new Change.Create(TenantSpec.links(name, name, hosts)));
  }

  private void converge() {
    for (int i = 0; i < 20 && !reconciler.pass().settled(); i++) {
      assertThat(reconciler.status().problems()).hasSizeLessThan(1000);
    }
    assertThat(reconciler.status().inSync()).isTrue();
    assertThat(reconciler.status().epoch()).isEqualTo(controller.view().epoch());
  }

  @Test
  void whoLeadsNoMoreTakesNoChangesAndWritesNothingIntoTheFabric() {
    assertThat(create("a", 10)).isInstanceOf(Outcome.Accepted.class);
    var before = emulator.observe().tables();
    store.loseLeadership();
    assertThat(create("b", 4))
        .isInstanceOfSatisfying(
            Outcome.Refused.class, r -> assertThat(r.code()).isEqualTo(Outcome.Code.UNAVAILABLE));
    assertThat(reconciler.pass().settled()).isFalse();
    assertThat(reconciler.status().problems()).containsExactly("this process does not lead");
    assertThat(emulator.observe().tables()).isEqualTo(before);
    assertThat(store.load("f").orElseThrow().epoch()).isEqualTo(1);
  }

  /** Holds for some questions; then, before the next answer, something happens, and it does not. */
  private static Fence holdingFor(int questions, Runnable then) {
    return new Fence() {
      private int asked;

      @Override
      public long term() {
        return 1;
      }

      @Override
      public boolean holds() {
        if (++asked == questions + 1) {
          then.run();
        }
        return asked <= questions;
      }

      @Override
      public boolean confirm() {
        return holds();
      }
    };
  }

  @Test
  void whoIsStoppedInTheMiddleOfWritingLeavesTheFabricToTheNextLeader() {
    assertThat(create("a", 10)).isInstanceOf(Outcome.Accepted.class);
    try (Controller next = Controller.open(store, Clock.systemUTC(), "f")) {
      Reconciler other = new Reconciler(next, emulator, true, Duration.ofHours(1));
      Change change = new Change.Create(TenantSpec.links("b", "b", 7));
      store.fence(
          holdingFor(
              3,
              () -> { // the first one is stopped before its fourth block
                store.fence(Fence.NONE);
                assertThat(next.submit(change, Request.of(Actor.SYSTEM)).join())
                    .isInstanceOf(Outcome.Accepted.class);
                for (int i = 0; i < 20 && !other.pass().settled(); i++) {
                  assertThat(other.status().problems()).isEmpty();
                }
                assertThat(other.status().inSync()).isTrue();
              }));
      long before = emulator.written();
      assertThat(reconciler.pass().settled()).isFalse();
      assertThat(reconciler.status().written()).isEqualTo(3);
      assertThat(reconciler.status().problems())
          .containsExactly("the leadership was lost: no more is written");
      assertThat(emulator.written()).isEqualTo(before + 3 + other.status().written());
      assertThat(emulator.observe().tables()).isEqualTo(next.view().tables());
    }
  }

  @Test
  void theNextLeaderHasWhatTheLastOneAcknowledgedAndTheLastOneCannotGoOn() {
    assertThat(create("a", 10)).isInstanceOf(Outcome.Accepted.class);
    try (Controller next = Controller.open(store, Clock.systemUTC(), "f")) {
      assertThat(next.view().tenants()).containsOnlyKeys("a");
      Change c = new Change.Create(TenantSpec.links("b", "b", 4));
      assertThat(next.submit(c, Request.of(Actor.SYSTEM)).join())
          .isInstanceOf(Outcome.Accepted.class);
      assertThat(create("c", 4)).isInstanceOf(Outcome.Refused.class);
      assertThat(next.view().tenants()).containsOnlyKeys("a", "b");
      assertThat(store.load("f").orElseThrow().tenants()).hasSize(2);
    }
  }

  @Test
  void tenantsAreAdmittedAndTheEmulatorGetsTheirTables() {
    assertThat(create("a", 10)).isInstanceOf(Outcome.Accepted.class);
    assertThat(create("b", 10)).isInstanceOf(Outcome.Accepted.class);
    converge();
    assertThat(controller.view().epoch()).isEqualTo(2);
    assertThat(controller.view().freeHosts()).isEqualTo(12);
    assertThat(emulator.observe().tables()).isEqualTo(controller.view().tables());
  }

  @Test
  void whatHasNoPlaceIsRefusedWithAReasonAndChangesNothing() {
    create("a", 30);
    assertThat(create("b", 13))
        .isInstanceOfSatisfying(
            Outcome.Refused.class,
            no -> {
              assertThat(no.code()).isEqualTo(Outcome.Code.NO_PLACE);
              assertThat(no.hints()).contains("free hosts: 2");
            });
    assertThat(controller.view().epoch()).isEqualTo(1);
  }

  @Test
  void theSameKeyIsTheSameRequestAndAnotherContentIsRefused() {
    Request request = new Request(Actor.SYSTEM, "k", "d", false);
    Change change = new Change.Create(TenantSpec.links("a", "", 4));
    assertThat(controller.submit(change, request).join())
        .isInstanceOfSatisfying(Outcome.Accepted.class, a -> assertThat(a.repeated()).isFalse());
    assertThat(controller.submit(change, request).join())
        .isInstanceOfSatisfying(Outcome.Accepted.class, a -> assertThat(a.repeated()).isTrue());
    assertThat(controller.submit(change, new Request(Actor.SYSTEM, "k", "other", false)).join())
        .isInstanceOfSatisfying(
            Outcome.Refused.class, no -> assertThat(no.code()).isEqualTo(Outcome.Code.KEY_REUSED));
    assertThat(controller.view().epoch()).isEqualTo(1);
  }

  @Test
  void aDryRunAnswersAndChangesNothing() {
    Request dry = new Request(Actor.SYSTEM, "", "", true);
    Change change = new Change.Create(TenantSpec.links("a", "", 4));
    assertThat(controller.submit(change, dry).join()).isInstanceOf(Outcome.Accepted.class);
    assertThat(controller.view().tenants()).isEmpty();
    assertThat(store.journal("f", 0, 10)).isEmpty();
  }

  @Test
  void changesThatWaitTogetherAreAllAnswered() {
    List<CompletableFuture<Outcome>> answers = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      Change change = new Change.Create(TenantSpec.links("t" + i, "", 1));
      answers.add(controller.submit(change, Request.of(Actor.SYSTEM)));
    }
    long accepted = answers.stream().filter(a -> a.join() instanceof Outcome.Accepted).count();
    assertThat(accepted).isEqualTo(32);
    assertThat(controller.view().tenants()).hasSize(32);
    assertThat(store.journal("f", 0, 100)).hasSize(32);
  }

  @Test
  void aFailedCommitLeavesEverythingAsItWas() {
    store.failNext();
    assertThat(create("a", 4))
        .isInstanceOfSatisfying(
            Outcome.Refused.class, no -> assertThat(no.code()).isEqualTo(Outcome.Code.UNAVAILABLE));
    assertThat(controller.view().tenants()).isEmpty();
    assertThat(create("a", 4)).isInstanceOf(Outcome.Accepted.class);
    assertThat(controller.view().epoch()).isEqualTo(1);
  }

  @Test
  void aControllerOpenedAgainGoesOnWhereTheFirstStopped() {
    create("a", 10);
    create("b", 6);
    submit(new Change.Delete("a", OptionalLong.empty()));
    controller.close();
    try (Controller again = Controller.open(store, Clock.systemUTC(), "f")) {
      assertThat(again.view().epoch()).isEqualTo(3);
      assertThat(again.view().tenants()).isEqualTo(controller.view().tenants());
      assertThat(again.view().tables()).isEqualTo(controller.view().tables());
    }
  }

  @Test
  void rollingBackBringsTheHostsAndLinksOfThenBack() {
    create("a", 10);
    Tenant then = controller.view().tenant("a").orElseThrow();
    submit(new Change.Delete("a", OptionalLong.empty()));
    create("b", 20);
    assertThat(submit(controller.rollbackTo(1).orElseThrow())).isInstanceOf(Outcome.Accepted.class);
    assertThat(controller.view().tenants()).containsOnlyKeys("a");
    assertThat(controller.view().tenant("a").orElseThrow().links()).isEqualTo(then.links());
  }

  @Test
  void aLinkThatGoesDownMovesItsTenantToOtherLinksOfTheSameHosts() {
    create("a", 6);
    converge();
    Tenant before = controller.view().tenant("a").orElseThrow();
    LinkRef link = before.links().getFirst();
    emulator.setLink(link.from(), link.port(), false);
    converge();
    Tenant after = controller.view().tenant("a").orElseThrow();
    assertThat(after.hosts()).isEqualTo(before.hosts());
    assertThat(after.broken().isEmpty()).isEqualTo(!after.links().contains(link));
    assertThat(store.events("f", 0, 100))
        .extracting(e -> e.kind().word())
        .contains("fabric-changed");
  }

  @Test
  void aTenantWhoseLinksCannotBeReplacedIsFlaggedAndIsWellAgainWhenTheyAreBack() {
    create("a", 32);
    converge();
    LinkRef link = controller.view().tenant("a").orElseThrow().links().getFirst();
    emulator.setLink(link.from(), link.port(), false);
    converge();
    assertThat(controller.view().tenant("a").orElseThrow().broken()).hasSize(1);
    emulator.setLink(link.from(), link.port(), true);
    converge();
    assertThat(controller.view().tenant("a").orElseThrow().broken()).isEmpty();
    assertThat(store.events("f", 0, 100))
        .extracting(e -> e.kind().word())
        .contains("promise-broken", "promise-restored");
  }

  @Test
  void somebodyElsesEntryIsDriftAndIsPutRight() {
    create("a", 6);
    converge();
    emulator.disturb(fabric.nodeGuid(0), fabric.topLid(), 77);
    converge();
    assertThat(emulator.observe().tables()).isEqualTo(controller.view().tables());
    assertThat(store.events("f", 0, 100)).extracting(e -> e.kind().word()).contains("drift");
  }

  @Test
  void lostWritesAreSentAgain() {
    emulator.failWrites(5);
    create("a", 6);
    converge();
    assertThat(emulator.observe().tables()).isEqualTo(controller.view().tables());
  }
}
