package org.heddle.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.heddle.allocation.Rails;
import org.heddle.catalog.BaseEngines;
import org.heddle.catalog.Catalog;
import org.heddle.fabric.Fabric;
import org.heddle.plan.EngineInForce;
import org.heddle.plan.StateProof;
import org.heddle.plan.model.Change;
import org.heddle.plan.model.Outcome;
import org.heddle.plan.model.PartitionOptions;
import org.heddle.plan.model.Policy;
import org.heddle.plan.model.TenantSpec;
import org.heddle.routing.EngineNames;
import org.heddle.routing.RoutingEngine;
import org.heddle.verify.Audit;
import org.heddle.verify.AuditOptions;
import org.heddle.verify.Severity;
import org.junit.jupiter.api.Test;

/** A controller works with every engine there is, or says which to take instead. */
class BaseEngineTest extends EmulatedFabric {
  private void openWith(String engine) {
    open("XGFT(2;4,8;1,4)");
    switchTo(engine);
  }

  private void switchTo(String engine) {
    store.engine("f", engine);
    close();
    reopen();
    look();
  }

  private void admit(String name, Policy policy, int hosts) {
    TenantSpec spec =
        new TenantSpec(
            name,
            "",
            policy,
            hosts,
            List.of(),
            1,
            Rails.SEPARATE,
            "exact",
            PartitionOptions.AUTOMATIC,
            List.of());
    assertThat(submit(new Change.Create(spec, List.of()))).isInstanceOf(Outcome.Accepted.class);
  }

  private void look() {
    for (int i = 0; i < 20 && !reconciler.pass().settled(); i++) {
      assertThat(reconciler.status().problems()).isEmpty();
    }
    assertThat(reconciler.status().problems()).isEmpty();
    assertThat(reconciler.status().inSync()).isTrue();
    AuditOptions options = AuditOptions.defaults().withThreads(1);
    assertThat(
            Audit.run(controller.view().fabric(), controller.view().tables(), options).findings())
        .noneMatch(f -> f.severity() == Severity.ERROR);
  }

  private void setUplink(boolean up) {
    int port = fabric.port(0, 1);
    while (!fabric.isSwitch(fabric.peerNode(port))) {
      port++;
    }
    emulator.setLink(fabric.nodeGuid(0), fabric.numberOf(port), up);
    look();
  }

  private EngineInForce engine() {
    return controller.view().engine();
  }

  @Test
  void everyEngineServesOrSaysWhichOneDoes() {
    List<String> able =
        Catalog.engines().stream()
            .filter(e -> BaseEngines.refusal(e).isEmpty())
            .filter(e -> !e.name().equals(CircleEngine.NAME))
            .map(RoutingEngine::name)
            .toList();
    assertThat(able).contains(EngineNames.DMODK, EngineNames.FTREE, EngineNames.UPDN);
    for (RoutingEngine e : Catalog.engines()) {
      Optional<String> no = BaseEngines.refusal(e);
      if (no.isPresent()) {
        String advice = no.get().substring(no.get().lastIndexOf(';'));
        assertThat(no.get()).startsWith(e.name() + " makes no base tables: ");
        assertThat(able).as(advice).anyMatch(name -> advice.contains(" " + name));
        continue;
      }
      if (e.name().equals(CircleEngine.NAME)) {
        continue; // it says that it can, and its tables say that it cannot
      }
      assertThat(StateProof.baseTrouble(fabric, e.name())).isEmpty();
      openWith(e.name());
      assertThat(engine()).isEqualTo(new EngineInForce(e.name(), e.name(), Optional.empty()));
      admit("links", Policy.LINKS, 6);
      admit("any", Policy.DEF, 5);
      look();
      setUplink(false);
      assertThat(engine().wanted()).isEqualTo(e.name());
      admit("late", Policy.DEF, 3);
      look();
      setUplink(true);
      assertThat(engine()).isEqualTo(new EngineInForce(e.name(), e.name(), Optional.empty()));
      assertThat(controller.view().all()).allMatch(t -> t.broken().isEmpty());
    }
  }

  /** What nobody knows of an engine is seen in its tables. */
  @Test
  void tablesThatCannotBeProvenAreToldBeforeTheyAreTaken() {
    assertThat(StateProof.baseTrouble(fabric, CircleEngine.NAME))
        .hasValueSatisfying(
            why -> assertThat(why).startsWith("the tables of circle are not proven: "));
    assertThat(StateProof.baseTrouble(fabric, "nobody"))
        .hasValueSatisfying(why -> assertThat(why).startsWith("there is no engine 'nobody'"));
  }

  @Test
  void aFallBackIsToldAsLongAsItIsInForce() {
    openWith(PickyEngine.NAME);
    assertThat(engine().fallback()).isEmpty();
    setUplink(false);
    String why = "picky cannot route this fabric: a cable is missing";
    assertThat(engine())
        .isEqualTo(new EngineInForce(PickyEngine.NAME, EngineNames.FTREE, Optional.of(why)));
    assertThat(controller.view().notes()).contains(why, "the tables are those of ftree instead");
    close();
    reopen(); // not forgotten
    assertThat(engine().fallback()).contains(why);
    setUplink(true);
    assertThat(engine())
        .isEqualTo(new EngineInForce(PickyEngine.NAME, PickyEngine.NAME, Optional.empty()));
  }

  @Test
  void anotherEngineKeepsTenantsAndTheirLinks() {
    openWith(EngineNames.DMODK);
    admit("links", Policy.LINKS, 9);
    look();
    var before = controller.view().tenants();
    switchTo(EngineNames.UPDN);
    assertThat(controller.view().tenants()).isEqualTo(before);
    assertThat(engine().used()).isEqualTo(EngineNames.UPDN);
    Fabric whole = controller.view().fabric();
    assertThat(whole.fingerprint()).isEqualTo(fabric.fingerprint());
  }

  @Test
  void whoIsKeptApartHasTablesOfTheEngineThatDoesThat() {
    openWith(EngineNames.FTREE);
    admit("apart", Policy.PHY, 4);
    assertThat(engine())
        .isEqualTo(new EngineInForce(EngineNames.FTREE, EngineNames.PFTREE_EXT, Optional.empty()));
  }
}
