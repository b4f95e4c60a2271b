package org.heddle.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.heddle.fabric.Fabric;
import org.heddle.mad.PKeyBlock;
import org.heddle.smp.FakeNetwork;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Keys and entries that somebody writes between looks. */
class PatrolTest {
  private static final Fabric FABRIC =
      TreeGenerator.generate(TreeSpec.parse("XGFT(2;18,18;1,18)")).withAssignedLids();
  private static final int HERE = FABRIC.nodeCount() - 1;

  /** 324 hosts with 2 blocks of keys, their switches with one: 972 blocks. */
  private static final int ROUND = 2;

  private final FakeNetwork network = new FakeNetwork(FABRIC, HERE, 1);
  private final LiveReader reader = new LiveReader(() -> network, 0, network::nowNs);

  PatrolTest() {
    network.masterLid = FABRIC.lid(FABRIC.port(HERE, 1));
    network.switchKeys = 32;
    look();
  }

  @AfterEach
  void close() {
    reader.close();
  }

  private void look() {
    reader.observe();
    reader.astray(List.of(), new PortKeys.Rules(0, true, false));
  }

  /** What is told first in some beats. */
  private Optional<String> told(int beats) {
    Optional<String> first = Optional.empty();
    for (int i = 0; i < beats && first.isEmpty(); i++) {
      first = reader.beat().fact();
    }
    return first;
  }

  private void key(int port, int index, int key) {
    new PKeyBlock().wrap(network.pkeys.get(port), index / 32 * 64).key(index % 32, key);
  }

  @Test
  void whatNobodyChangesIsNotToldOf() {
    assertThat(told(3 * ROUND)).isEmpty();
  }

  @Test
  void aKeyOfAnyPortIsToldWithinARound() {
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < 20; i++) {
      int host = FABRIC.port(FABRIC.switchCount() + random.nextInt(FABRIC.caCount()), 1);
      boolean atSwitch = random.nextBoolean();
      int port = atSwitch ? FABRIC.peer(host) : host;
      int index = random.nextInt(atSwitch ? 32 : 64);
      int was = index == 0 ? 0x7fff : 0;
      key(port, index, 0x8123);
      assertThat(told(ROUND).orElseThrow())
          .startsWith("other keys: port ")
          .contains("has 0x8123 where 0x%04x was".formatted(was));
      key(port, index, was);
      assertThat(told(ROUND)).isEmpty();
    }
  }

  @Test
  void anEntryIsToldAndAfterALookItIsKnown() {
    network.tables[35][1] ^= 1;
    assertThat(told(1).orElseThrow()).startsWith("other entries at ");
    look();
    assertThat(told(ROUND)).isEmpty();
  }

  /** A look knows of them already. */
  @Test
  void keysThatALookHasFoundWrongAreNotToldAgain() {
    key(FABRIC.port(HERE, 1), 3, 0x8123);
    assertThat(told(ROUND)).isPresent();
    look();
    assertThat(told(ROUND)).isEmpty();
    key(FABRIC.port(HERE, 1), 3, 0);
    look();
    key(FABRIC.port(HERE, 1), 3, 0x8123);
    assertThat(told(ROUND)).isPresent();
  }
}
