package org.heddle.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.heddle.catalog.Catalog;
import org.heddle.control.port.AgentException;
import org.heddle.control.port.FabricAgent;
import org.heddle.control.port.FabricAgent.Applied;
import org.heddle.control.port.FabricAgent.BlockWrite;
import org.heddle.control.port.Fence;
import org.heddle.fabric.Fabric;
import org.heddle.mad.AttributeId;
import org.heddle.mad.MadHeader;
import org.heddle.mad.MadMethod;
import org.heddle.routing.ForwardingTables;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.smp.FakeNetwork;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Waiting for OpenSM at a network of agents whose time only waiting moves. */
class AwaitingTest {
  private static final Fabric FABRIC =
      TreeGenerator.generate(TreeSpec.parse("XGFT(3;4,4,4;1,4,4)")).withAssignedLids();
  private static final int HERE = FABRIC.nodeCount() - 1;
  private static final int MS = 1_000_000;

  @TempDir Path directory;

  private final FakeNetwork network = new FakeNetwork(FABRIC, HERE, 1);
  private final ForwardingTables before = tables("dmodk");
  private final ForwardingTables wanted = shifted(before);
  private Runnable opensm = () -> {};

  /** Time passes at the network, and OpenSM does something meanwhile. */
  private final OpensmAgent.Time time =
      new OpensmAgent.Time() {
        @Override
        public long nanos() {
          return network.nowNs();
        }

        @Override
        public void pass(long millis) {
          network.receive(new byte[MadHeader.MAD_SIZE], millis * MS);
          opensm.run();
        }
      };

  AwaitingTest() {
    network.masterLid = FABRIC.lid(FABRIC.port(HERE, 1));
    for (int sw = 0; sw < FABRIC.switchCount(); sw++) {
      for (int lid = 0; lid <= FABRIC.topLid(); lid++) {
        network.tables[sw][lid] = (byte) before.port(sw, lid);
      }
    }
  }

  private static ForwardingTables tables(String engine) {
    RoutingRequest request = RoutingRequest.of(FABRIC, FatTreeRecogniser.recognise(FABRIC));
    return ((RoutingResult.Routed) Catalog.engine(engine).orElseThrow().route(request)).tables();
  }

  /** One entry of each block of each leaf is another one. */
  private static ForwardingTables shifted(ForwardingTables tables) {
    ForwardingTables out = tables;
    for (int sw = 0; sw < 16; sw++) {
      for (int lid = 1; lid <= FABRIC.topLid(); lid += ForwardingTables.BLOCK_SIZE) {
        out = out.with(sw, lid, 1 + tables.port(sw, lid) % 4);
      }
    }
    return out;
  }

  private FabricAgent.Target target() {
    List<BlockWrite> writes = new ArrayList<>();
    for (int sw = 0; sw < FABRIC.switchCount(); sw++) {
      for (int block = 0; block * 64 <= FABRIC.topLid(); block++) {
        byte[] entries = new byte[64];
        boolean differs = false;
        for (int i = 0; i < 64; i++) {
          entries[i] = (byte) wanted.port(sw, block * 64 + i);
          differs |= entries[i] != (byte) before.port(sw, block * 64 + i);
        }
        if (differs) {
          writes.add(new BlockWrite(FABRIC.nodeGuid(sw), block, entries));
        }
      }
    }
    return new FabricAgent.Target(2, FABRIC, wanted, writes, List.of(), Fence.NONE);
  }

  private LiveReader reader(long mKey) {
    return new LiveReader(() -> network, mKey, network::nowNs);
  }

  private OpensmAgent agent(LiveReader reader) {
    return new OpensmAgent(
        reader,
        new GenerationDirectory(directory.resolve("files")),
        new OpensmAgent.Options(List.of("true"), Duration.ofSeconds(10), true),
        time);
  }

  private void write(BlockWrite w) {
    int at = w.block() * 64;
    System.arraycopy(w.entries(), 0, network.tables[FABRIC.findNode(w.switchGuid())], at, 64);
  }

  private Map<String, Double> figures(FabricAgent agent) {
    Map<String, Double> out = new TreeMap<>();
    agent.figures().forEach(f -> out.put(f.name(), f.value()));
    return out;
  }

  @Test
  void blocksAreCountedAsTheyComeAndEachIsReadUntilItIsThere() {
    FabricAgent.Target target = target();
    List<BlockWrite> todo = new ArrayList<>(target.writes());
    opensm =
        () -> {
          if (!todo.isEmpty()) {
            write(todo.removeFirst());
          }
        };
    List<Integer> left = new ArrayList<>();
    try (OpensmAgent agent = agent(reader(0))) {
      agent.observe();
      Applied applied = agent.apply(target, left::add);
      assertThat(applied.problems()).isEmpty();
      assertThat(applied.end()).isEqualTo(Applied.End.WRITTEN);
      assertThat(applied.written()).isEqualTo(target.writes().size()).isGreaterThan(16);
      assertThat(left)
          .isSortedAccordingTo(Comparator.reverseOrder())
          .doesNotHaveDuplicates()
          .hasSize(target.writes().size())
          .endsWith(0);
      assertThat(figures(agent))
          .containsEntry("agent_signals_total", 1.0)
          .containsEntry("agent_files_written_total", 1.0)
          .containsEntry("agent_smp_timeouts_total", 0.0)
          .containsEntry("agent_corrections_total", 0.0);
      assertThat(figures(agent).get("agent_smps_total")).isGreaterThan(500);
    }
  }

  private Applied overtakenBy(Runnable what, long[] tookNs) {
    boolean[] done = new boolean[1];
    opensm =
        () -> {
          if (!done[0]) {
            done[0] = true;
            what.run();
          }
        };
    try (OpensmAgent agent = agent(reader(0))) {
      agent.observe();
      long began = network.nowNs();
      Applied applied = agent.apply(target(), _ -> {});
      tookNs[0] = network.nowNs() - began;
      assertThat(figures(agent)).containsEntry("agent_overtaken_total", 1.0);
      return applied;
    }
  }

  /** Also if OpenSM has reset what the switches said of it. */
  @Test
  void aLinkThatGoesEndsTheWaitWithinASecond() {
    long[] took = new long[1];
    Applied applied =
        overtakenBy(
            () -> {
              network.cut(FABRIC.port(FABRIC.switchCount() - 1, 1));
              network.forgetChanges();
            },
            took);
    assertThat(applied.end()).isEqualTo(Applied.End.OVERTAKEN);
    assertThat(applied.problems()).as("no trouble: it is looked at again").isEmpty();
    assertThat(applied.soon()).isTrue();
    assertThat(took[0]).isLessThan(1_000L * MS);
  }

  /** OpenSM's four attempts of 200 ms, and not once more for each of its blocks. */
  @Test
  void aSwitchThatDoesNotAnswerEndsTheWait() {
    long[] took = new long[1];
    Applied applied = overtakenBy(() -> network.muted.add(0), took);
    assertThat(applied.end()).isEqualTo(Applied.End.OVERTAKEN);
    assertThat(took[0]).isLessThan(2_500L * MS);
  }

  @Test
  void nothingHappensAndTheWaitEndsWithItsTime() {
    try (OpensmAgent agent = agent(reader(0))) {
      agent.observe();
      long began = network.nowNs();
      Applied applied = agent.apply(target(), _ -> {});
      assertThat(applied.problems())
          .singleElement()
          .asString()
          .startsWith("OpenSM was told, but switches have other entries after 10384 ms");
      assertThat(network.nowNs() - began).isBetween(10_384L * MS, 11_884L * MS);
      assertThat(figures(agent)).containsEntry("agent_unsettled_total", 1.0);
    }
  }

  /** Half of the fabric stops to answer in the middle of a look, with its links up. */
  @Test
  void aLookAtAFabricThatVanishesDoesNotAskForEverything() {
    int[] sent = new int[1];
    network.onSend =
        () -> {
          if (++sent[0] == 700) {
            for (int sw = 0; sw < FABRIC.switchCount(); sw += 2) {
              network.muted.add(sw);
            }
          }
        };
    try (LiveReader reader = reader(0)) {
      long began = network.nowNs();
      try {
        reader.observe();
      } catch (AgentException e) {
        assertThat(e).hasMessageContaining("answer");
      }
      assertThat(sent[0]).isGreaterThan(700);
      assertThat(network.nowNs() - began).isLessThan(8_000L * MS);
    }
  }

  @Test
  void everyDatagramCarriesTheManagementKey() {
    network.wantedKey = 0x1122334455667788L;
    try (LiveReader reader = reader(0x1122334455667788L)) {
      reader.observe();
      assertThat(reader.manager().leads()).isTrue();
      assertThat(reader.astray(List.of(), new PortKeys.Rules(0, true, false)).first()).isEmpty();
      network.pkeys.values().forEach(table -> table[5] = 1); // somebody else's key
      assertThat(reader.astray(List.of(), new PortKeys.Rules(0, true, false)).first()).isPresent();
      assertThat(reader.restoreHosts()).isEmpty();
      assertThat(reader.astray(List.of(), new PortKeys.Rules(0, true, false)).first()).isEmpty();
      assertThat(reader.write(FABRIC, wanted, () -> true)).isEmpty();
      reader.ask(new Outstanding(target()));
      assertThat(reader.changed(FABRIC)).isEmpty();
      assertThat(reader.beat().suspicion()).isEmpty();
      assertThat(network.came)
          .contains(
              MadMethod.SET + "/" + AttributeId.P_KEY_TABLE,
              MadMethod.SET + "/" + AttributeId.LINEAR_FORWARDING_TABLE,
              MadMethod.GET + "/" + AttributeId.SM_INFO,
              MadMethod.GET + "/" + AttributeId.NODE_INFO);
    }
    assertThat(network.wrongKeys).isEmpty();
  }

  @Test
  void aWrongManagementKeyIsTold() {
    network.wantedKey = 7;
    try (LiveReader none = reader(0);
        LiveReader wrong = reader(8)) {
      assertThatThrownBy(none::observe)
          .isInstanceOf(AgentException.class)
          .hasMessageContaining("the subnet has a management key and m_key_file is not set");
      assertThatThrownBy(wrong::observe)
          .isInstanceOf(AgentException.class)
          .hasMessageContaining("the subnet's management key is not the one in m_key_file");
    }
    assertThat(network.wrongKeys).containsOnlyKeys(AttributeId.NODE_INFO);
  }
}
