package org.heddle.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.heddle.control.emulator.Emulator;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.MachineList;
import org.heddle.plan.model.Breach;
import org.heddle.plan.model.Change;
import org.heddle.plan.model.HostRef;
import org.heddle.plan.model.KeyRanges;
import org.heddle.plan.model.Outcome;
import org.heddle.plan.model.Tenant;
import org.heddle.plan.model.TenantSpec;
import org.heddle.topology.generate.MachineWiring;
import org.heddle.topology.generate.TreeSpec;
import org.junit.jupiter.api.Test;

/** A list of machines holds for every fabric that a controller sees: these do not tell of it. */
class ListedMachinesTest extends EmulatedFabric {
  /** Four machines of two adapters in each of two units; only the list knows. */
  private void openListed() {
    Fabric named = MachineWiring.generate(TreeSpec.parse("XGFT(2;4,4;1,4)"), 2, 1);
    Map<Long, String> list = new LinkedHashMap<>();
    String[] bare = new String[named.nodeCount()];
    Arrays.setAll(bare, named::description);
    for (int node = named.switchCount(); node < bare.length; node++) {
      list.put(named.nodeGuid(node), bare[node].split(" ")[0]);
      bare[node] = "mlx5_0";
    }
    open(named.withDescriptions(bare));
    controller.close();
    controller =
        Controller.open(store, Clock.systemUTC(), "f", KeyRanges.ALL, MachineList.of(list));
    emulator = new Emulator(fabric); // which knows nothing of the list
    reconciler = new Reconciler(controller, emulator, true, Duration.ofHours(1));
    look();
  }

  private void look() {
    for (int i = 0; i < 20 && !reconciler.pass().settled(); i++) {
      assertThat(reconciler.status().problems()).isEmpty();
    }
    assertThat(reconciler.status().inSync()).isTrue();
  }

  private Tenant red() {
    return controller.view().tenant("red").orElseThrow();
  }

  @Test
  void theListHoldsThroughDamage() {
    openListed();
    assertThat(controller.view().freeHosts()).isEqualTo(8);
    assertThat(submit(new Change.Create(TenantSpec.links("red", "", 4), List.of())))
        .isInstanceOf(Outcome.Accepted.class);
    assertThat(red().hosts().stream().map(HostRef::name)).allMatch(n -> n.startsWith("gpu"));
    assertThat(controller.view().members(red())).hasSize(8);
    HostRef host = red().hosts().getFirst();
    long epoch = controller.view().epoch();
    look();
    assertThat(controller.view().epoch()).isEqualTo(epoch); // the fabric is what it was
    emulator.setLink(host.guid(), 1, false);
    look();
    assertThat(controller.view().fabric().machines().count()).isEqualTo(8);
    assertThat(red().broken())
        .singleElement()
        .isInstanceOfSatisfying(
            Breach.LostPort.class, p -> assertThat(p.host()).isEqualTo(host.name()));
    emulator.setLink(host.guid(), 1, true);
    look();
    assertThat(red().broken()).isEmpty();
    assertThat(controller.view().freeHosts()).isEqualTo(4);
  }
}
