package org.heddle.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.heddle.control.Controller;
import org.heddle.control.model.Actor;
import org.heddle.control.model.Credential;
import org.heddle.control.model.Job;
import org.heddle.control.model.Plan;
import org.heddle.control.model.Request;
import org.heddle.control.port.JobStore;
import org.heddle.control.port.Part;
import org.heddle.control.port.Store;
import org.heddle.control.port.StoreException;
import org.heddle.fabric.Fabric;
import org.heddle.plan.DesiredState;
import org.heddle.plan.model.Change;
import org.heddle.plan.model.Drained;
import org.heddle.plan.model.HostRef;
import org.heddle.plan.model.LinkRef;
import org.heddle.plan.model.Origin;
import org.heddle.plan.model.Outcome;
import org.heddle.plan.model.PartitionOptions;
import org.heddle.plan.model.TenantSpec;
import org.heddle.plan.model.VmSpec;
import org.heddle.topology.generate.FabricShuffle;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What every kind of database must do. */
abstract class StoreContract {
  @TempDir Path directory;

  private final Fabric fabric =
      FabricShuffle.ports(
          TreeGenerator.generate(TreeSpec.parse("XGFT(2;4,8;1,4)")).withAssignedLids(), 11);

  /** Opens the same database every time. */
  abstract SqlStore open();

  @Test
  void whatWasAcceptedIsThereWhenTheDatabaseIsOpenedAgain() {
    Change change = new Change.Create(TenantSpec.links("a", "o", 6));
    Request request = new Request(Actor.SYSTEM, "k", "d", false);
    Store.Saved before;
    try (SqlStore store = open()) {
      store.create("f", fabric, "dmodk");
      try (Controller c = Controller.open(store, Clock.systemUTC(), "f")) {
        c.submit(change, request).join();
      }
      before = store.load("f").orElseThrow();
    }
    try (SqlStore store = open()) {
      assertThat(store.load("f")).contains(before);
      assertThat(before.fabric().fingerprint()).isEqualTo(fabric.fingerprint());
      try (Controller c = Controller.open(store, Clock.systemUTC(), "f")) {
        assertThat(c.submit(change, request).join())
            .isInstanceOfSatisfying(Outcome.Accepted.class, a -> assertThat(a.repeated()).isTrue());
        assertThat(c.view().epoch()).isEqualTo(1);
      }
      assertThat(store.journal("f", 0, 10)).hasSize(1);
      assertThat(store.events("f", 0, 10)).hasSize(1);
    }
  }

  @Test
  void whoMadeAPartitionIsKept() {
    try (SqlStore store = open()) {
      store.create("f", fabric, "dmodk");
      try (Controller c = Controller.open(store, Clock.systemUTC(), "f")) {
        for (Origin by : Origin.values()) {
          PartitionOptions options = PartitionOptions.ofKey(0x10 + by.ordinal()).withOrigin(by);
          TenantSpec spec = TenantSpec.partition(by.word(), "", options, List.of());
          c.submit(new Change.Create(spec), Request.of(Actor.SYSTEM)).join();
        }
      }
      assertThat(store.load("f").orElseThrow().tenants())
          .hasSize(Origin.values().length)
          .allMatch(t -> t.spec().partition().origin().word().equals(t.name()));
    }
  }

  @Test
  void credentialsAndWhenTheyWereUsedAreThereWhenTheDatabaseIsOpenedAgain() {
    Instant end = Instant.parse("2030-01-01T00:00:00Z");
    Credential made =
        new Credential(
                "ci",
                "token",
                "h",
                Actor.Role.VIEWER,
                "",
                Instant.EPOCH,
                false,
                Optional.of(end),
                "ann",
                List.of())
            .after(new Credential.Asked("root", "k", "d"));
    try (SqlStore store = open()) {
      store.put(made);
      store.used(Map.of("ci", Instant.ofEpochSecond(7)));
      store.used(Map.of("ci", Instant.ofEpochSecond(9), "cj", Instant.ofEpochSecond(8)));
    }
    try (SqlStore store = open()) {
      assertThat(store.credentials()).containsExactly(made);
      assertThat(store.lastUsed())
          .isEqualTo(Map.of("ci", Instant.ofEpochSecond(9), "cj", Instant.ofEpochSecond(8)));
      store.put(made.ended());
      assertThat(store.credentials()).containsExactly(made.ended());
    }
  }

  @Test
  void aCommitOnAnotherEpochChangesNothing() {
    try (SqlStore store = open()) {
      store.create("f", fabric, "dmodk");
      Store.Commit late =
          new Store.Commit(
              "f",
              5,
              6,
              Optional.empty(),
              List.of(),
              List.of(),
              Store.Machines.NONE,
              List.of(),
              List.of(),
              List.of());
      assertThatThrownBy(() -> store.commit(late)).isInstanceOf(StoreException.class);
      assertThat(store.load("f").orElseThrow().epoch()).isZero();
      assertThat(store.healthy()).isTrue();
    }
  }

  @Test
  void machinesTheirRoutesAndTheirMovesAreThereAgainAndNoVguidIsGivenTwice() {
    Request request = Request.of(Actor.SYSTEM);
    long vguid;
    DesiredState before;
    try (SqlStore store = open()) {
      store.create("f", fabric, "dmodk");
      try (Controller c = Controller.open(store, Clock.systemUTC(), "f")) {
        c.submit(new Change.Create(TenantSpec.links("a", "o", 12)), request).join();
        List<HostRef> hosts = c.view().tenant("a").orElseThrow().hosts();
        for (String name : List.of("x", "y")) {
          VmSpec spec = new VmSpec(name, "a", hosts.getFirst().guid(), true, 2);
          c.submit(new Change.StartVm(spec), request).join();
        }
        vguid = c.view().vm("y").orElseThrow().vguid();
        Change.VmMove move = new Change.VmMove("x", hosts.getLast().guid());
        assertThat(c.submit(new Change.MoveVms(List.of(move), true), request).join())
            .isInstanceOf(Outcome.Accepted.class);
        c.submit(new Change.StopVm("y", OptionalLong.empty()), request).join();
        before = c.view();
      }
      assertThat(before.vm("x").orElseThrow().column()).isPresent();
    }
    try (SqlStore store = open()) {
      try (Controller c = Controller.open(store, Clock.systemUTC(), "f")) {
        assertThat(c.view().vms()).isEqualTo(before.vms()).containsOnlyKeys("x");
        assertThat(c.view().tables()).isEqualTo(before.tables());
        long host = c.view().vm("x").orElseThrow().host().guid();
        c.submit(new Change.StartVm(new VmSpec("z", "a", host, true, 1)), request).join();
        assertThat(c.view().vm("z").orElseThrow().vguid()).isEqualTo(vguid + 1);
      }
      assertThat(store.migrations("f", 0, 10)).hasSize(1);
      assertThat(store.migration("f", 4).orElseThrow().moves()).hasSize(1);
      assertThat(store.migration("f", 3)).isEmpty();
      assertThat(store.journal("f", 3, 1).getFirst().machines()).hasSize(1);
    }
  }

  @Test
  void plansAreKeptInOrderOncePerKeyAndTheOldestGo() {
    Plan asked = new Plan(0, 3, Instant.EPOCH, "me", "k", "d", "[]", "{}");
    Plan keyless = new Plan(0, 4, Instant.EPOCH, "me", "", "", "[1]", "{}");
    try (SqlStore store = open()) {
      store.create("f", fabric, "dmodk");
      assertThat(store.put("f", asked, 2)).isEqualTo(asked.withId(1));
      assertThat(store.put("f", asked, 2)).isEqualTo(asked.withId(1));
      assertThat(store.put("f", keyless, 2).id()).isEqualTo(2);
      assertThat(store.planOfKey("f", "me", "k")).contains(asked.withId(1));
      assertThat(store.planOfKey("f", "you", "k")).isEmpty();
      assertThat(store.planOfKey("f", "me", "")).isEmpty();
    }
    try (SqlStore store = open()) {
      assertThat(store.plans("f", 0, 10)).containsExactly(asked.withId(1), keyless.withId(2));
      assertThat(store.plans("f", 1, 10)).containsExactly(keyless.withId(2));
      assertThat(store.put("f", keyless, 2).id()).isEqualTo(3);
      assertThat(store.plan("f", 1)).isEmpty();
      assertThat(store.plan("f", 3)).contains(keyless.withId(3));
      assertThat(store.plan("g", 3)).isEmpty();
    }
  }

  @Test
  void jobsAreKeptInOrderOncePerKeyUntilTheyFailAndTheOldestGo() {
    Actor red = new Actor("r", Actor.Role.TENANT, "red");
    Job asked = Job.queued("tenant-created", "a", red, "k", "d", Instant.EPOCH);
    Job keyless = Job.queued(Job.PLAN, "", Actor.SYSTEM, "", "", Instant.EPOCH);
    Job first = asked.withId(1);
    try (SqlStore store = open()) {
      store.create("f", fabric, "dmodk");
      assertThat(store.jobs().add("f", asked, 3)).isEqualTo(new JobStore.Added(first, true));
      assertThat(store.jobs().add("f", asked, 3)).isEqualTo(new JobStore.Added(first, false));
      assertThat(store.jobs().add("f", keyless, 3).job().key()).isEqualTo(Job.ownKey(2));
      assertThat(store.jobs().open("f")).hasSize(2);
      store.jobs().update("f", List.of(first.ended(Job.State.FAILED, "", "{}", Instant.EPOCH)));
    }
    try (SqlStore store = open()) {
      assertThat(store.jobs().open("f")).extracting(Job::id).containsExactly(2L);
      assertThat(store.jobs().job("f", 1).orElseThrow().state()).isEqualTo(Job.State.FAILED);
      assertThat(store.jobs().jobs("f", Part.after(0, 10), Optional.of("red")))
          .extracting(Job::id)
          .containsExactly(1L);
      assertThat(store.jobs().jobs("f", Part.after(1, 10), Optional.empty()))
          .extracting(Job::id)
          .containsExactly(2L);
      assertThat(store.jobs().add("f", asked, 3))
          .isEqualTo(new JobStore.Added(asked.withId(3), true));
      store.jobs().add("f", keyless, 3);
      assertThat(store.jobs().job("f", 1)).isEmpty();
      assertThat(store.jobs().job("g", 2)).isEmpty();
    }
  }

  @Test
  void whatIsOutOfServiceIsKnownForEveryEpoch() {
    LinkRef link = new LinkRef(0x10, 3, 0x20, 4);
    Drained one = new Drained(List.of(link), List.of());
    Drained two = one.with(new Drained(List.of(), List.of(0x8000000000000001L)));
    try (SqlStore store = open()) {
      store.create("f", fabric, "dmodk");
      store.commit(
          new Store.Commit(
              "f",
              0,
              4,
              Optional.empty(),
              List.of(),
              List.of(),
              Store.Machines.NONE,
              List.of(),
              List.of(),
              List.of(),
              List.of(new Drained.At(2, one), new Drained.At(4, two)),
              Optional.of(new Store.Reference(Optional.of(fabric), one))));
    }
    try (SqlStore store = open()) {
      Store.Reference reference = store.load("f").orElseThrow().reference();
      assertThat(reference.drained()).isEqualTo(one);
      assertThat(reference.fabric().orElseThrow().fingerprint()).isEqualTo(fabric.fingerprint());
      assertThat(store.drained("f", 1)).isEqualTo(Drained.NONE);
      assertThat(store.drained("f", 2)).isEqualTo(one);
      assertThat(store.drained("f", 3)).isEqualTo(one);
      assertThat(store.drained("f", 9)).isEqualTo(two);
      assertThat(store.drained("g", 9)).isEqualTo(Drained.NONE);
    }
  }
}
