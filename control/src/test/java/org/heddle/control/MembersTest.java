package org.heddle.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.util.List;
import java.util.OptionalLong;
import org.heddle.control.model.Actor;
import org.heddle.control.model.Request;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.MachineList;
import org.heddle.plan.DesiredState;
import org.heddle.plan.model.Change;
import org.heddle.plan.model.Change.Adding;
import org.heddle.plan.model.KeyRanges;
import org.heddle.plan.model.Member;
import org.heddle.plan.model.Origin;
import org.heddle.plan.model.Outcome;
import org.heddle.plan.model.PartitionOptions;
import org.heddle.plan.model.Policy;
import org.heddle.plan.model.Tenant;
import org.heddle.plan.model.TenantSpec;
import org.heddle.topology.generate.FabricShuffle;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Members of partitions that come and go by their port GUIDs. */
class MembersTest {
  private static final Member FULL = new Member(0x0200000000000001L, true, true);
  private static final Member LIMITED = new Member(0x0200000000000002L, false, false);

  private final Fabric fabric =
      FabricShuffle.ports(
          TreeGenerator.generate(TreeSpec.parse("XGFT(2;4,8;1,4)")).withAssignedLids(), 5);
  private final MemoryStore store = new MemoryStore();
  private Controller controller;

  @BeforeEach
  void open() {
    store.create("f", fabric, "dmodk");
    controller = Controller.open(store, Clock.systemUTC(), "f");
  }

  @AfterEach
  void close() {
    controller.close();
  }

  private Outcome submit(Change change) {
    return controller.submit(change, Request.of(Actor.SYSTEM)).join();
  }

  private Outcome add(Adding adding, Member... members) {
    return add(Origin.CLIENT, 0x12, adding, members);
  }

  private Outcome job(int key, Member... members) {
    return add(Origin.JOBS, key, Adding.ADD, members);
  }

  private Outcome add(Origin by, int key, Adding adding, Member... members) {
    PartitionOptions options = PartitionOptions.ofKey(key).withOrigin(by).whileItHasMembers();
    return submit(
        new Change.AddMembers(
            TenantSpec.partition("p" + key, "", options, List.of()), List.of(members), adding));
  }

  private static void assertConflict(Outcome outcome) {
    assertThat(outcome)
        .isInstanceOfSatisfying(
            Outcome.Refused.class, no -> assertThat(no.code()).isEqualTo(Outcome.Code.CONFLICT));
  }

  private List<Member> members() {
    return controller.view().tenantOfKey(0x8012).orElseThrow().spec().members();
  }

  @Test
  void anEphemeralPartitionComesWithItsFirstMemberAndGoesWithItsLast() {
    assertThat(add(Adding.ADD)).isInstanceOf(Outcome.Unchanged.class);
    add(Adding.ADD, FULL);
    assertThat(members()).containsExactly(FULL);
    assertThat(submit(new Change.RemoveMembers(0x12, List.of(77L))))
        .isInstanceOf(Outcome.Unchanged.class);
    submit(new Change.RemoveMembers(0x12, List.of(FULL.guid())));
    assertThat(controller.view().tenants()).isEmpty();
  }

  @Test
  void addingTakesNobodyAwayAndReplacingDoes() {
    add(Adding.ADD, FULL);
    add(Adding.ADD, LIMITED);
    assertThat(members()).containsExactly(FULL, LIMITED);
    add(Adding.REPLACE, LIMITED);
    assertThat(members()).containsExactly(LIMITED);
    assertThat(add(Adding.REPLACE, LIMITED)).isInstanceOf(Outcome.Unchanged.class);
    add(Adding.REPLACE);
    assertThat(controller.view().tenants()).isEmpty();
  }

  @Test
  void aJobsKeyIsNotSharedByChance() {
    job(0x12, FULL);
    job(0x13, LIMITED);
    assertThat(job(0x12, FULL)).isInstanceOf(Outcome.Unchanged.class);
    assertConflict(job(0x12, FULL, LIMITED)); // a job that runs on some of the same nodes, too
    assertConflict(job(0x12, LIMITED));
    submit(new Change.DeleteKey(0x13));
    assertConflict(job(0x12, LIMITED)); // still a key of one job's number
    submit(new Change.DeleteKey(0x12));
    assertThat(job(0x12, LIMITED)).isInstanceOf(Outcome.Accepted.class);
  }

  @Test
  void jobsThatAllHaveOneKeyShareIt() {
    for (int i = 1; i <= 5; i++) {
      assertThat(job(0x12, new Member(0x0200000000000000L + i, true, false)))
          .isInstanceOf(Outcome.Accepted.class);
    }
    assertThat(members()).hasSize(5);
    close();
    controller = Controller.open(store, Clock.systemUTC(), "f");
    assertThat(job(0x12, new Member(0x0200000000000009L, true, false)))
        .isInstanceOf(Outcome.Accepted.class);
  }

  /** Every door against the partition that every other one made. */
  @Test
  void nobodyJoinsWhatAnotherDoorMade() {
    TenantSpec links = TenantSpec.links("a", "", 2).withPartition(PartitionOptions.ofKey(0x21));
    submit(new Change.Create(links));
    submit(
        new Change.Create(TenantSpec.partition("b", "", PartitionOptions.ofKey(0x22), List.of())));
    add(Origin.CLIENT, 0x23, Adding.ADD, FULL);
    job(0x24, FULL);
    Member spy = new Member(0x0200000000000066L, true, false);
    for (Adding adding : Adding.values()) {
      for (int key : List.of(0x21, 0x22, 0x24)) {
        assertConflict(add(Origin.CLIENT, key, adding, spy));
      }
    }
    for (int key : List.of(0x21, 0x22, 0x23)) {
      assertConflict(job(key, spy));
    }
    for (int key : List.of(0x21, 0x22)) {
      assertConflict(submit(new Change.DeleteKey(key)));
      assertConflict(submit(new Change.SetQuality(key, 4096, 200, 3)));
      assertConflict(submit(new Change.RemoveMembers(key, List.of(FULL.guid()))));
    }
    for (Tenant t : controller.view().all()) {
      assertThat(controller.view().members(t)).extracting(Member::guid).doesNotContain(spy.guid());
    }
  }

  /** What a client made to stay may be used by jobs, until it gets hosts of its own. */
  @Test
  void jobsUseAPartitionThatWasMadeForThem() {
    PartitionOptions kept = PartitionOptions.ofKey(0x12).withOrigin(Origin.CLIENT);
    submit(new Change.Create(TenantSpec.partition("shared", "", kept, List.of())));
    assertThat(job(0x12, FULL)).isInstanceOf(Outcome.Accepted.class);
    assertThat(job(0x13, FULL)).isInstanceOf(Outcome.Accepted.class);
    assertThat(job(0x12, LIMITED)).isInstanceOf(Outcome.Accepted.class);
    assertConflict(add(Adding.ADD, new Member(0x0200000000000009L, true, false)));
    Tenant there = controller.view().tenantOfKey(0x12).orElseThrow();
    TenantSpec better =
        TenantSpec.links("shared", "", 2)
            .withPartition(PartitionOptions.ofKey(0x12))
            .withMembers(there.spec().members());
    assertThat(submit(new Change.Replace(better, OptionalLong.empty())))
        .isInstanceOf(Outcome.Accepted.class);
    assertConflict(job(0x12, new Member(0x0200000000000009L, true, false)));
  }

  /** Whatever of clients' there is, no job gets in, and none takes anybody out. */
  @Test
  void noJobGetsIntoWhatIsAClients() {
    PartitionOptions kept = PartitionOptions.ofKey(0x30).withOrigin(Origin.CLIENT);
    PartitionOptions network =
        PartitionOptions.ofKey(0x31).withOrigin(Origin.CLIENT).withLabel("n");
    submit(new Change.Create(TenantSpec.partition("kept", "", kept, List.of())));
    submit(new Change.Create(TenantSpec.partition("network", "", network, List.of())));
    submit(new Change.Create(TenantSpec.links("a", "", 2)));
    add(Origin.CLIENT, 0x30, Adding.ADD, FULL);
    add(Origin.CLIENT, 0x32, Adding.ADD, FULL);
    job(0x33, LIMITED);
    Tenant jobs = controller.view().tenantOfKey(0x33).orElseThrow();
    submit(
        new Change.Replace(
            TenantSpec.links(jobs.name(), "", 2)
                .withPartition(PartitionOptions.ofKey(0x33))
                .withMembers(jobs.spec().members()),
            OptionalLong.empty()));
    assertThat(controller.view().tenantOfKey(0x33).orElseThrow().hosts()).hasSize(2);
    Member spy = new Member(0x0200000000000066L, true, false);
    for (int key : List.of(0x30, 0x31, 0x32, 0x33)) {
      assertConflict(job(key, spy));
      assertConflict(job(key, FULL, LIMITED, spy)); // those that are there among others
    }
    for (int key : List.of(0x30, 0x32)) {
      assertConflict(submit(new Change.RemoveMembers(key, List.of(FULL.guid()), Origin.JOBS)));
    }
  }

  /** In a database of before it was kept who made a partition: a job's, or a client's. */
  @Test
  void aJobLeavesAPartitionOfWhichNobodyKnowsWhoMadeIt() {
    for (int key : List.of(0x12, 0x13)) {
      PartitionOptions old =
          PartitionOptions.ofKey(key).withOrigin(Origin.UNKNOWN).whileItHasMembers();
      submit(new Change.Create(TenantSpec.partition("old" + key, "", old, List.of(FULL))));
    }
    assertThat(job(0x12, FULL)).isInstanceOf(Outcome.Unchanged.class);
    assertConflict(job(0x12, LIMITED));
    assertConflict(job(0x12, FULL, LIMITED));
    assertThat(submit(new Change.RemoveMembers(0x12, List.of(FULL.guid()), Origin.JOBS)))
        .isInstanceOf(Outcome.Accepted.class);
    assertThat(add(Origin.CLIENT, 0x13, Adding.ADD, LIMITED)).isInstanceOf(Outcome.Accepted.class);
    assertThat(controller.view().byKey().keySet()).containsExactly(0x13);
  }

  @Test
  void keysAreOfTheRangeOfTheirOrigin() {
    close();
    KeyRanges keys =
        new KeyRanges(
            new KeyRanges.Range(0x100, 0x101),
            new KeyRanges.Range(0x200, 0x2ff),
            new KeyRanges.Range(0x300, 0x3ff));
    controller = Controller.open(store, Clock.systemUTC(), "f", keys, MachineList.NONE);
    submit(new Change.Create(TenantSpec.links("a", "", 1)));
    submit(new Change.Create(TenantSpec.links("b", "", 1)));
    assertThat(controller.view().byKey().keySet()).containsExactlyInAnyOrder(0x100, 0x101);
    assertConflict(submit(new Change.Create(TenantSpec.links("c", "", 1)))); // none is left
    TenantSpec other = TenantSpec.links("c", "", 1).withPartition(PartitionOptions.ofKey(0x200));
    assertConflict(submit(new Change.Create(other)));
    assertConflict(add(Origin.CLIENT, 0x300, Adding.ADD, FULL));
    assertConflict(job(0x200, FULL));
    assertThat(add(Origin.CLIENT, 0x200, Adding.ADD, FULL)).isInstanceOf(Outcome.Accepted.class);
    assertThat(job(0x300, FULL)).isInstanceOf(Outcome.Accepted.class);
    assertConflict(job(0x200, FULL)); // there is one by now
    assertThat(job(PartitionOptions.MANAGEMENT, FULL)).isInstanceOf(Outcome.Refused.class);
  }

  @Test
  void whoIsAMemberDoesNotChangeTheTables() {
    submit(new Change.Create(TenantSpec.links("a", "", 6)));
    DesiredState before = controller.view();
    add(Adding.ADD, FULL);
    assertThat(controller.view().epoch()).isEqualTo(2);
    assertThat(controller.view().tables()).isSameAs(before.tables());
  }

  @Test
  void portsOfATenantsHostsStayAsLongAsItHoldsThem() {
    submit(new Change.Create(TenantSpec.links("a", "", 2)));
    Tenant a = controller.view().tenant("a").orElseThrow();
    long port = controller.view().members(a).getFirst().guid();
    assertThat(submit(new Change.RemoveMembers(a.pkey(), List.of(port))))
        .isInstanceOfSatisfying(
            Outcome.Refused.class, no -> assertThat(no.code()).isEqualTo(Outcome.Code.CONFLICT));
  }

  @Test
  void aPartitionThatGotHostsStaysWithoutMembers() {
    add(Adding.ADD, FULL);
    Tenant p = controller.view().tenantOfKey(0x12).orElseThrow();
    TenantSpec better =
        new TenantSpec(
            p.name(),
            "",
            Policy.LINKS,
            4,
            List.of(),
            1,
            "exact",
            p.spec().partition(),
            p.spec().members());
    assertThat(submit(new Change.Replace(better, OptionalLong.empty())))
        .isInstanceOf(Outcome.Accepted.class);
    submit(new Change.RemoveMembers(0x12, List.of(FULL.guid())));
    assertThat(controller.view().tenantOfKey(0x12).orElseThrow().hosts()).hasSize(4);
  }

  @Test
  void theDefaultPartitionsKeyIsNobodysElse() {
    PartitionOptions key = PartitionOptions.ofKey(PartitionOptions.MANAGEMENT);
    for (TenantSpec wrong :
        List.of(
            TenantSpec.partition("x", "", key, List.of()),
            TenantSpec.links("management", "", 1),
            TenantSpec.links("management", "", 1).withPartition(key))) {
      assertThat(submit(new Change.Create(wrong)))
          .isInstanceOfSatisfying(
              Outcome.Refused.class, no -> assertThat(no.code()).isEqualTo(Outcome.Code.INVALID));
    }
    assertThat(submit(new Change.Create(TenantSpec.partition("management", "", key, List.of()))))
        .isInstanceOf(Outcome.Accepted.class);
  }

  @Test
  void qualityIsKeptAndAKeyIsLetGo() {
    add(Adding.ADD, FULL);
    submit(new Change.SetQuality(0x12, 4096, 200, 3));
    assertThat(controller.view().tenantOfKey(0x12).orElseThrow().spec().partition())
        .isEqualTo(new PartitionOptions(0x12, false, false, 4096, 200, 3, true, Origin.CLIENT, ""));
    submit(new Change.DeleteKey(0x12));
    assertThat(controller.view().tenants()).isEmpty();
    for (Change nothing : List.of(new Change.DeleteKey(0x12), new Change.SetQuality(1, 0, 0, 0))) {
      assertThat(submit(nothing))
          .isInstanceOfSatisfying(
              Outcome.Refused.class, no -> assertThat(no.code()).isEqualTo(Outcome.Code.NOT_FOUND));
    }
  }
}
