package org.heddle.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.heddle.control.model.Actor;
import org.heddle.control.model.Request;
import org.heddle.fabric.MachineList;
import org.heddle.plan.model.Change;
import org.heddle.plan.model.KeyRanges;
import org.heddle.plan.model.Outcome;
import org.heddle.plan.model.Quotas;
import org.heddle.plan.model.TenantSpec;
import org.heddle.plan.model.VmSpec;
import org.junit.jupiter.api.Test;

/** What an owner's tenants have together never becomes more than its quota. */
class QuotaTest extends EmulatedFabric {
  private static final OptionalInt ANY = OptionalInt.empty();

  private void open(Quotas.Quota red, Quotas.Quota others) {
    controller.close();
    controller =
        Controller.open(
            store,
            Clock.systemUTC(),
            "f",
            KeyRanges.ALL,
            MachineList.NONE,
            new Quotas(Map.of("red", red), others));
  }

  private static Change create(String name, String owner, int hosts) {
    return new Change.Create(TenantSpec.links(name, owner, hosts));
  }

  private void refused(Change change, String reason) {
    long epoch = controller.view().epoch();
    for (boolean dry : new boolean[] {true, false}) {
      Outcome outcome = controller.submit(change, new Request(Actor.SYSTEM, "", "", dry)).join();
      assertThat(outcome)
          .isInstanceOfSatisfying(
              Outcome.Refused.class,
              no -> {
                assertThat(no.code()).isEqualTo(Outcome.Code.QUOTA);
                assertThat(no.reason()).isEqualTo(reason);
              });
    }
    assertThat(controller.view().epoch()).isEqualTo(epoch);
  }

  private void accepted(Change change) {
    assertThat(submit(change)).isInstanceOf(Outcome.Accepted.class);
  }

  @Test
  void hostsCountOverAllTenantsOfAnOwner() {
    open(new Quotas.Quota(OptionalInt.of(6), ANY, ANY), Quotas.Quota.NONE);
    accepted(create("red", "red", 4));
    refused(create("red.b", "red", 3), "the quota of 'red' is 6 hosts: it has 4, and would have 7");
    accepted(create("red.b", "red", 2));
    accepted(create("blue", "blue", 8));
    accepted(create("mine", "", 8));
    refused(
        new Change.Batch("two", List.of(create("red.c", "red", 1)), java.util.OptionalLong.empty()),
        "the quota of 'red' is 6 hosts: it has 6, and would have 7");
    accepted(new Change.Delete("red.b", java.util.OptionalLong.empty()));
    accepted(create("red.c", "red", 1));
  }

  @Test
  void whatIsThereStaysWhenTheQuotaShrinks() {
    accepted(create("red", "red", 6));
    open(new Quotas.Quota(OptionalInt.of(2), ANY, ANY), Quotas.Quota.NONE);
    assertThat(controller.view().tenant("red").orElseThrow().hosts()).hasSize(6);
    refused(create("red.b", "red", 1), "the quota of 'red' is 2 hosts: it has 6, and would have 7");
    accepted(new Change.Replace(TenantSpec.links("red", "red", 4), java.util.OptionalLong.empty()));
  }

  @Test
  void linksAndMachinesCountAndOthersHaveTheirs() {
    open(Quotas.Quota.NONE, new Quotas.Quota(ANY, OptionalInt.of(3), OptionalInt.of(1)));
    Outcome wide = submit(create("blue", "blue", 8)); // over several leaves, with links
    assertThat(wide)
        .isInstanceOfSatisfying(
            Outcome.Refused.class, no -> assertThat(no.reason()).contains("3 links: it has 0"));
    accepted(create("blue", "blue", 2));
    long host = controller.view().tenant("blue").orElseThrow().hosts().getFirst().guid();
    accepted(new Change.StartVm(new VmSpec("one", "blue", host, true, 1)));
    refused(
        new Change.StartVm(new VmSpec("two", "blue", host, true, 1)),
        "the quota of 'blue' is 1 virtual machines: it has 1, and would have 2");
  }
}
