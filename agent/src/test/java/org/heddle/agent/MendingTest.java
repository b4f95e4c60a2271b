package org.heddle.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.heddle.catalog.Catalog;
import org.heddle.control.port.FabricAgent;
import org.heddle.control.port.FabricAgent.Applied;
import org.heddle.control.port.FabricAgent.BlockWrite;
import org.heddle.control.port.Fence;
import org.heddle.fabric.Fabric;
import org.heddle.mad.MadHeader;
import org.heddle.mad.PKeyBlock;
import org.heddle.plan.model.Member;
import org.heddle.plan.model.Partition;
import org.heddle.plan.model.PartitionOptions;
import org.heddle.routing.ForwardingTables;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.smp.FakeNetwork;
import org.heddle.text.Parsed;
import org.heddle.text.Source;
import org.heddle.text.opensm.PartitionsConf;
import org.heddle.text.opensm.PartitionsConf.MemberKind;
import org.heddle.text.opensm.PartitionsConf.Membership;
import org.heddle.text.opensm.PartitionsConfReader;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files, keys, enforcement and entries that somebody else changes, at a network whose OpenSM reads
 * partitions when it is told, and writes only what it does not believe to be there.
 */
class MendingTest {
  private static final Fabric FABRIC =
      TreeGenerator.generate(TreeSpec.parse("XGFT(2;4,4;1,4)")).withAssignedLids();
  private static final int HERE = FABRIC.nodeCount() - 1;
  private static final int MS = 1_000_000;
  private static final int CAP = 32;

  @TempDir Path directory;

  private final FakeNetwork network = new FakeNetwork(FABRIC, HERE, 1);
  private final ForwardingTables wanted = tables();
  private final List<Partition> partitions =
      List.of(tenant("red", 0x101, 0), tenant("blue", 0x102, 5));

  /** Keys that OpenSM believes to have given to a port, by the id of the host's. */
  private final Map<Integer, List<Integer>> believed = new HashMap<>();

  private OpensmAgent agent;
  private Path told;
  private Path files;

  private final OpensmAgent.Time time =
      new OpensmAgent.Time() {
        @Override
        public long nanos() {
          return network.nowNs();
        }

        @Override
        public void pass(long millis) {
          MendingTest.this.pass(millis);
        }
      };

  private void pass(long millis) {
    network.receive(new byte[MadHeader.MAD_SIZE], millis * MS);
    opensm();
  }

  private static ForwardingTables tables() {
    RoutingRequest request = RoutingRequest.of(FABRIC, FatTreeRecogniser.recognise(FABRIC));
    return ((RoutingResult.Routed) Catalog.engine("dmodk").orElseThrow().route(request)).tables();
  }

  private static int hostPort(int number) {
    return FABRIC.port(FABRIC.switchCount() + number, 1);
  }

  private static Partition tenant(String name, int key, int from) {
    List<Member> members = new ArrayList<>();
    for (int i = from; i < from + 5; i++) {
      members.add(new Member(FABRIC.portGuid(hostPort(i)), true, false));
    }
    return new Partition(name, PartitionOptions.ofKey(key), members);
  }

  @BeforeEach
  void start() throws IOException {
    network.masterLid = FABRIC.lid(FABRIC.port(HERE, 1));
    network.switchKeys = CAP;
    told = directory.resolve("told");
    files = directory.resolve("files");
    for (int sw = 0; sw < FABRIC.switchCount(); sw++) {
      for (int lid = 0; lid <= FABRIC.topLid(); lid++) {
        network.tables[sw][lid] = (byte) wanted.port(sw, lid);
      }
    }
    agent =
        new OpensmAgent(
            new LiveReader(() -> network, 0, network::nowNs),
            new GenerationDirectory(files),
            new OpensmAgent.Options(
                List.of("sh", "-c", "echo told >> " + told), Duration.ofSeconds(10), true),
            time);
    agent.observe();
    assertThat(agent.apply(target()).problems()).isEmpty();
    agent.observe();
    assertThat(agent.astray()).isEmpty();
    assertThat(signals()).isEqualTo(1);
    assertThat(keys(hostPort(0))).contains(0x8101);
    assertThat(keys(FABRIC.peer(hostPort(5)))).contains(0x8102);
  }

  @AfterEach
  void end() {
    agent.close();
  }

  private long signals() throws IOException {
    return Files.exists(told) ? Files.readAllLines(told).size() : 0;
  }

  private long served;

  /** What OpenSM does with partitions when it was told; twice the number of keys is not needed. */
  private void opensm() {
    try {
      if (signals() > served) {
        served = signals();
        sweep();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void sweep() throws IOException {
    Path file = files.resolve("partitions.conf");
    Parsed<PartitionsConf> read =
        Files.exists(file)
            ? PartitionsConfReader.read(new Source("p", Files.readAllBytes(file)))
            : null;
    for (int i = 0; i < FABRIC.caCount(); i++) {
      List<Integer> keys = new ArrayList<>();
      if (read == null || !read.ok() || hostPort(i) == FABRIC.port(HERE, 1)) {
        keys.add(0xffff);
      } else {
        keys.add(0x7fff);
      }
      if (read != null && read.ok()) {
        long guid = FABRIC.portGuid(hostPort(i));
        read.get().definitions().stream()
            .filter(d -> d.pkey() != 0x7fff)
            .filter(
                d ->
                    d.members().stream()
                        .anyMatch(
                            m ->
                                m.kind() == MemberKind.GUID
                                    && m.guid() == guid
                                    && m.membership() == Membership.FULL))
            .forEach(d -> keys.add(0x8000 | d.pkey()));
      }
      if (!keys.equals(believed.get(hostPort(i)))) {
        believed.put(hostPort(i), keys);
        put(hostPort(i), keys);
        put(FABRIC.peer(hostPort(i)), keys);
      }
      network.enforcement.put(FABRIC.peer(hostPort(i)), 3); // of that it sees what is there
    }
  }

  private void put(int port, List<Integer> keys) {
    byte[] table = new byte[256];
    PKeyBlock block = new PKeyBlock().wrap(table, 0);
    for (int i = 0; i < keys.size(); i++) {
      block.key(i, keys.get(i));
    }
    network.pkeys.put(port, table);
  }

  private List<Integer> keys(int port) {
    PKeyBlock block = new PKeyBlock().wrap(network.pkeys.get(port), 0);
    List<Integer> out = new ArrayList<>();
    for (int i = 0; i < PKeyBlock.ENTRIES; i++) {
      if (block.key(i) != 0) {
        out.add(block.key(i));
      }
    }
    return out;
  }

  private FabricAgent.Target target() {
    List<BlockWrite> writes = new ArrayList<>();
    for (int sw = 0; sw < FABRIC.switchCount(); sw++) {
      byte[] entries = new byte[64];
      for (int lid = 0; lid < entries.length; lid++) {
        entries[lid] = (byte) wanted.port(sw, lid);
      }
      int length = FABRIC.topLid() + 1;
      if (!Arrays.equals(entries, 0, length, network.tables[sw], 0, length)) {
        writes.add(new BlockWrite(FABRIC.nodeGuid(sw), 0, entries));
      }
    }
    return new FabricAgent.Target(1, FABRIC, wanted, writes, partitions, Fence.NONE);
  }

  private double figure(String name) {
    return agent.figures().stream()
        .filter(f -> f.name().equals("agent_" + name))
        .findFirst()
        .orElseThrow()
        .value();
  }

  /** Everything that has to be as it was, in lines. */
  private Map<String, String> state() throws IOException {
    Map<String, String> out = new TreeMap<>();
    for (int i = 0; i < FABRIC.caCount(); i++) {
      int edge = FABRIC.peer(hostPort(i));
      out.put("host " + i, keys(hostPort(i)).toString());
      out.put("edge " + i, keys(edge) + " " + network.enforcement.get(edge));
    }
    for (int sw = 0; sw < FABRIC.switchCount(); sw++) {
      out.put(
          "table " + sw, Arrays.toString(Arrays.copyOf(network.tables[sw], FABRIC.topLid() + 1)));
    }
    for (String name : List.of("partitions.conf", "opensm.conf", "opensm.lfts")) {
      out.put(name, content(name));
    }
    return out;
  }

  private String content(String name) throws IOException {
    Path file = files.resolve(name);
    return Files.exists(file)
        ? new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1)
        : "none";
  }

  private void spyAt(int port) {
    List<Integer> keys = new ArrayList<>(keys(port));
    keys.add(keys.contains(0x8102) ? 0x8103 : 0x8102);
    put(port, keys);
  }

  @Test
  void keysAndEnforcementOfSwitchesAreSeenAndMended() throws IOException {
    Map<String, String> right = state();
    spyAt(FABRIC.peer(hostPort(2)));
    put(FABRIC.peer(hostPort(3)), List.of());
    network.enforcement.put(FABRIC.peer(hostPort(4)), 1);
    agent.observe();
    assertThat(agent.astray())
        .singleElement()
        .asString()
        .startsWith("other keys at switches: port ")
        .contains("has the keys 0x8101, 0x8102, not 0x8101 (and 2 other ports)");
    assertThat(agent.apply(target()).problems()).isEmpty();
    agent.observe();
    assertThat(agent.astray()).isEmpty();
    assertThat(state()).isEqualTo(right);
    assertThat(signals()).as("OpenSM believes in what is there").isEqualTo(1);
    assertThat(figure("key_corrections_total")).isEqualTo(1);
  }

  @Test
  void enforcementAloneIsSeenAndMended() throws IOException {
    Map<String, String> right = state();
    network.enforcement.put(FABRIC.peer(hostPort(4)), 0);
    agent.observe();
    assertThat(agent.astray()).singleElement().asString().contains("does not enforce partitions");
    agent.apply(target());
    agent.observe();
    assertThat(agent.astray()).isEmpty();
    assertThat(state()).isEqualTo(right);
  }

  @Test
  void aDamagedFileIsWrittenAndOpensmToldBeforeKeysAreMended() throws IOException {
    Map<String, String> right = state();
    Files.writeString(files.resolve("partitions.conf"), "garbage");
    sweep(); // whatever made it do so
    assertThat(keys(hostPort(0))).containsExactly(0xffff);
    agent.observe();
    assertThat(agent.astray().getFirst())
        .startsWith("partitions.conf is not what was written: OpenSM cannot read it");
    assertThat(figure("files_wrong")).isEqualTo(1);
    assertThat(agent.apply(target()).problems()).isEmpty();
    agent.observe();
    assertThat(agent.astray()).isEmpty();
    assertThat(state()).isEqualTo(right);
    assertThat(signals()).isEqualTo(2);
    assertThat(figure("key_corrections_total")).as("OpenSM did it").isZero();
    assertThat(figure("files_damaged_total")).isEqualTo(1);
  }

  /** Something that cannot be opened for writing is where the new file has to be made. */
  private void noRoom(boolean spare) throws IOException {
    Path beside = files.resolve(".partitions.conf.0.new");
    Files.createDirectories(beside.resolve("in the way"));
    if (!spare) {
      Files.delete(files.resolve(".partitions.conf.spare"));
    }
  }

  private void roomAgain() throws IOException {
    Path beside = files.resolve(".partitions.conf.0.new");
    Files.delete(beside.resolve("in the way"));
    Files.delete(beside);
  }

  @Test
  void aMissingFileThatCannotBeWrittenIsToldAndTenantsStayApart() throws IOException {
    Map<String, String> right = state();
    noRoom(false);
    Files.delete(files.resolve("partitions.conf"));
    sweep();
    for (int i = 0; i < 3; i++) {
      agent.observe();
      assertThat(agent.astray().getFirst())
          .isEqualTo("partitions.conf is not what was written: it is gone");
      Applied applied = agent.apply(target());
      assertThat(applied.problems().getFirst()).startsWith("files for OpenSM: ");
      assertThat(applied.soon()).isFalse();
      assertThat(agent.cannotWrite()).isPresent();
      assertThat(signals()).as("it would read that there are no partitions").isEqualTo(1);
      Map<String, String> now = state();
      assertThat(now).containsEntry("partitions.conf", "none");
      now.put("partitions.conf", right.get("partitions.conf"));
      assertThat(now).as("keys are what they were").isEqualTo(right);
    }
    assertThat(figure("files_failed_total")).isEqualTo(3);
    roomAgain();
    agent.observe();
    assertThat(agent.apply(target()).problems()).isEmpty();
    assertThat(agent.cannotWrite()).isEmpty();
    agent.observe();
    assertThat(agent.astray()).isEmpty();
    assertThat(state()).isEqualTo(right);
    assertThat(signals()).isEqualTo(2);
  }

  @Test
  void aSpareCopyNeedsNoRoom() throws IOException {
    Map<String, String> right = state();
    noRoom(true);
    Files.delete(files.resolve("partitions.conf"));
    agent.observe();
    assertThat(agent.apply(target()).problems()).isEmpty();
    agent.observe();
    assertThat(agent.astray()).isEmpty();
    assertThat(state()).isEqualTo(right);
  }

  @Test
  void aChangeThatCannotBeWrittenLeavesTheFilesOfBefore() throws IOException {
    Map<String, String> right = state();
    noRoom(true);
    FabricAgent.Target other =
        new FabricAgent.Target(
            2, FABRIC, wanted, List.of(), List.of(partitions.getFirst()), Fence.NONE);
    assertThat(agent.apply(other).problems().getFirst()).startsWith("files for OpenSM: ");
    assertThat(state()).isEqualTo(right);
    assertThat(signals()).isEqualTo(1);
    agent.observe();
    assertThat(agent.astray()).isEmpty();
  }

  /** Configuration management that has another opinion, say. */
  @Test
  void whoeverKeepsChangingAFileDoesNotHaveOpensmSweepForEver() throws IOException {
    String right = content("partitions.conf");
    List<String> problems = new ArrayList<>();
    long began = network.nowNs();
    for (int i = 0; i < 12; i++) {
      Files.writeString(files.resolve("partitions.conf"), right + "# " + i + "\n");
      agent.observe();
      problems.addAll(agent.apply(target()).problems());
      assertThat(content("partitions.conf")).isEqualTo(right);
    }
    assertThat(network.nowNs() - began).isLessThan(60_000L * MS);
    assertThat(signals()).isEqualTo(1 + 5);
    assertThat(problems).hasSize(12 - 5).allMatch(p -> p.contains("at most 5 times a minute"));
    assertThat(figure("corrections_held_total")).isEqualTo(12 - 5);
    agent.observe();
    assertThat(agent.astray()).as("it was not told of the last ones").hasSize(1);
    pass(60_000);
    assertThat(agent.apply(target()).problems()).isEmpty();
    agent.observe();
    assertThat(agent.astray()).isEmpty();
  }

  /** Somebody who keeps setting keys of a host does not keep switches from being corrected. */
  @Test
  void eachCauseHasABudgetOfItsOwn() throws IOException {
    Map<String, String> right = state();
    for (int i = 0; i < 8; i++) {
      spyAt(hostPort(1));
      agent.observe();
      agent.apply(target());
    }
    assertThat(keys(hostPort(1))).contains(0x8102);
    put(hostPort(1), List.of(0x7fff, 0x8101));
    spyAt(FABRIC.peer(hostPort(2)));
    agent.observe();
    assertThat(agent.apply(target()).problems()).isEmpty();
    agent.observe();
    assertThat(agent.astray()).isEmpty();
    assertThat(state()).isEqualTo(right);
  }

  private void fault(SplittableRandom random) throws IOException {
    int host = random.nextInt(10); // those of tenants
    int edge = FABRIC.peer(hostPort(host));
    Path conf = files.resolve("partitions.conf");
    switch (random.nextInt(9)) {
      case 0 -> spyAt(hostPort(host));
      case 1 -> spyAt(edge);
      case 2 -> put(edge, List.of());
      case 3 -> put(hostPort(host), List.of(0xffff));
      case 4 -> network.enforcement.put(edge, random.nextInt(3));
      case 5 -> network.tables[random.nextInt(4)][1 + random.nextInt(16)] ^= 3;
      case 6 -> {
        byte[] garbage = new byte[random.nextInt(200)];
        random.nextBytes(garbage);
        Files.write(conf, garbage);
      }
      case 7 -> Files.deleteIfExists(conf);
      default -> {
        Path lfts = files.resolve("opensm.lfts");
        Path beside = directory.resolve("beside");
        Files.writeString(beside, "Unicast lids nobody wrote");
        Files.move(beside, lfts, StandardCopyOption.REPLACE_EXISTING);
      }
    }
    if (random.nextBoolean()) {
      sweep();
    }
  }

  /**
   * Whatever is changed, together and by chance: all is well is said only when it is, and it comes
   * to that.
   */
  @Test
  void anythingThatOthersChangeIsSeenAndMended() throws IOException {
    Map<String, String> right = state();
    for (int seed = 0; seed < 60; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      for (int k = 1 + random.nextInt(4); k > 0; k--) {
        fault(random);
      }
      int looks = 0;
      while (true) {
        agent.observe();
        if (agent.astray().isEmpty() && target().writes().isEmpty()) {
          Map<String, String> now = state();
          now.keySet().removeIf(key -> now.get(key).equals(right.get(key)));
          assertThat(now).as("seed %d: what is not as it was", seed).isEmpty();
          break;
        }
        assertThat(++looks).as("seed %d: %s", seed, agent.astray()).isLessThan(6);
        agent.apply(target());
      }
      pass(61_000); // budgets are full again
    }
  }
}
