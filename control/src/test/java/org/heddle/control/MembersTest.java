package org.heddle.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.util.List;
import java.util.OptionalLong;
import org.heddle.control.model.Actor;
import org.heddle.control.model.Request;
import org.heddle.fabric.Fabric;
import org.heddle.plan.DesiredState;
import org.heddle.plan.model.Change;
import org.heddle.plan.model.Change.Adding;
import org.heddle.plan.model.Member;
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
    PartitionOptions options = PartitionOptions.ofKey(0x12).whileItHasMembers();
    return submit(
        new Change.AddMembers(
            TenantSpec.partition("p", "", options, List.of()), List.of(members), adding));
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
    add(Adding.JOB, FULL);
    assertThat(add(Adding.JOB, FULL, LIMITED)).isInstanceOf(Outcome.Accepted.class);
    assertThat(add(Adding.JOB, LIMITED))
        .isInstanceOfSatisfying(
            Outcome.Refused.class, no -> assertThat(no.code()).isEqualTo(Outcome.Code.CONFLICT));
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
        .isEqualTo(new PartitionOptions(0x12, false, false, 4096, 200, 3, true, ""));
    submit(new Change.DeleteKey(0x12));
    assertThat(controller.view().tenants()).isEmpty();
    for (Change nothing : List.of(new Change.DeleteKey(0x12), new Change.SetQuality(1, 0, 0, 0))) {
      assertThat(submit(nothing))
          .isInstanceOfSatisfying(
              Outcome.Refused.class, no -> assertThat(no.code()).isEqualTo(Outcome.Code.NOT_FOUND));
    }
  }
}
