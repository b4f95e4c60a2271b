package org.heddle.agent;

import static org.assertj.core.api.Assertions.assertThat;

import org.heddle.fabric.Fabric;
import org.heddle.smp.FakeNetwork;
import org.heddle.smp.client.SmpClient;
import org.heddle.smp.discover.DiscoveredFabric;
import org.heddle.smp.discover.FabricDiscovery;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.junit.jupiter.api.Test;

class PulseTest {
  private static final Fabric FABRIC =
      TreeGenerator.generate(TreeSpec.parse("XGFT(2;4,4;1,4)")).withAssignedLids();
  private static final int HERE = FABRIC.nodeCount() - 1;

  private final FakeNetwork network = new FakeNetwork(FABRIC, HERE, 1);
  private final SmpClient client = network.client(16);
  private final Pulse pulse = new Pulse();
  private final int manager = FABRIC.port(HERE, 1);
  private final DiscoveredFabric found;

  PulseTest() {
    network.masterLid = FABRIC.lid(manager);
    found = FabricDiscovery.run(client);
    assertThat(pulse.beat(client, found)).isEmpty();
    assertThat(pulse.beat(client, found)).isEmpty();
  }

  @Test
  void aBeatIsAnSmpASwitchAndTwoMore() {
    long before = client.sent();
    pulse.beat(client, found);
    assertThat(client.sent() - before).isEqualTo(FABRIC.switchCount() + 2);
  }

  @Test
  void aPortThatHasChangedIsToldOnceAndAgainWhenItChangesAgain() {
    network.cut(FABRIC.port(FABRIC.switchCount() - 1, 1));
    assertThat(pulse.beat(client, found).orElseThrow()).contains("a port has changed");
    assertThat(pulse.beat(client, found)).as("nobody has reset it").isEmpty();
    network.forgetChanges();
    assertThat(pulse.beat(client, found)).isEmpty();
    network.cut(FABRIC.port(FABRIC.switchCount() - 1, 2));
    assertThat(pulse.beat(client, found)).isPresent();
  }

  @Test
  void aSwitchThatDoesNotAnswerIsToldOnce() {
    network.muted.add(FABRIC.switchCount() - 1);
    assertThat(pulse.beat(client, found).orElseThrow()).contains("does not answer");
    assertThat(pulse.beat(client, found)).isEmpty();
    network.muted.clear();
    assertThat(pulse.beat(client, found)).isEmpty();
  }

  /** A light sweep is two datagrams a switch, say, however often; a heavy one is more at once. */
  @Test
  void aHeavySweepIsToldFromALightOne() {
    for (int i = 0; i < 100; i++) {
      network.managerSent += i % 20 == 0 ? 2 * FABRIC.switchCount() : 0;
      assertThat(pulse.beat(client, found)).as("%d", i).isEmpty();
    }
    int told = 0;
    for (int i = 0; i < 8; i++) {
      network.managerSent += 50; // slow, as in a large fabric
      told += pulse.beat(client, found).isPresent() ? 1 : 0;
    }
    assertThat(told).isBetween(1, 3);
  }

  @Test
  void aManagerThatWasStartedAgainOrIsGoneIsToldOnce() {
    network.managerSent = 1_000_000;
    assertThat(pulse.beat(client, found).orElseThrow()).contains("sweeps");
    network.managerSent = 10;
    assertThat(pulse.beat(client, found).orElseThrow()).contains("another subnet manager");
    assertThat(pulse.beat(client, found)).isEmpty();
    network.masterLid = 0;
    assertThat(pulse.beat(client, found).orElseThrow()).contains("or none");
    assertThat(pulse.beat(client, found)).isEmpty();
    network.masterLid = FABRIC.lid(manager);
    assertThat(pulse.beat(client, found)).isPresent();
    network.managerSent = 10 + 60;
    assertThat(pulse.beat(client, found)).isEmpty();
  }
}
