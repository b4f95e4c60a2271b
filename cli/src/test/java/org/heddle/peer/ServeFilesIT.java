package org.heddle.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.function.IntUnaryOperator;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.mad.AttributeId;
import org.heddle.mad.PKeyBlock;
import org.heddle.mad.PortInfo;
import org.heddle.smp.client.SmpClient;
import org.heddle.smp.client.SmpRoute;
import org.heddle.smp.discover.DiscoveredFabric;
import org.heddle.smp.discover.FabricDiscovery;
import org.heddle.topology.generate.FabricExtras;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.heddle.verify.Audit;
import org.heddle.verify.AuditOptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Files of OpenSM that somebody else damages, and keys that somebody else sets at hosts and at the
 * switches before them: after each, files, keys of both ends of every cable of a host, and OpenSM's
 * answers are as they were. {@code -Dheddle.files.tree=XGFT(..)} takes another tree. The interval
 * between looks is the usual one.
 */
class ServeFilesIT {
  private static final Fabric TREE =
      FabricExtras.withSmNode(
          TreeGenerator.generate(
              TreeSpec.parse(System.getProperty("heddle.files.tree", "XGFT(2;6,6;1,6)"))));
  private static final String HOST = IbsimFabric.idOf(TREE, smNode());

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path directory;

  private IbsimFabric ibsim;
  private LiveController serve;
  private OpenSm opensm;

  @BeforeAll
  static void peers() {
    Peers.need();
  }

  private static int smNode() {
    for (int node = TREE.switchCount(); node < TREE.nodeCount(); node++) {
      if (TREE.description(node).equals("sm-node")) {
        return node;
      }
    }
    throw new AssertionError("no sm-node");
  }

  private interface Live {
    void run() throws IOException;
  }

  private void live(Live test) throws IOException {
    try (IbsimFabric simulator = IbsimFabric.startUdp(directory, TREE);
        LiveController controller =
            LiveController.start(directory, simulator, TREE, HOST, "# no interval_ms");
        OpenSm manager = controller.startOpenSm(simulator, HOST)) {
      ibsim = simulator;
      serve = controller;
      opensm = manager;
      serve.awaitFine("in sync after the start");
      serve.call("POST", "/v1/tenants", "{\"name\":\"red\",\"hosts\":10,\"pkey\":\"0x101\"}");
      serve.call("POST", "/v1/tenants", "{\"name\":\"blue\",\"hosts\":9,\"pkey\":\"0x102\"}");
      serve.awaitFine("in sync with tenants");
      test.run();
    }
  }

  private Path partitions() {
    return serve.files().resolve("partitions.conf");
  }

  private SmpClient client() throws IOException {
    return Smps.client(ibsim.via(HOST));
  }

  private static TreeSet<Integer> keys(byte[] data) {
    TreeSet<Integer> out = new TreeSet<>();
    PKeyBlock block = new PKeyBlock().wrap(data, 0);
    for (int i = 0; i < PKeyBlock.ENTRIES; i++) {
      if ((block.key(i) & 0x7fff) != 0) {
        out.add(block.key(i));
      }
    }
    return out;
  }

  /** Keys and enforcement of both ends of every host's cable, one line each. */
  private List<String> state() throws IOException {
    List<String> out = new ArrayList<>();
    try (SmpClient client = client()) {
      DiscoveredFabric found = FabricDiscovery.run(client);
      Fabric f = found.fabric();
      for (int node = f.switchCount(); node < f.nodeCount(); node++) {
        int port = f.port(node, 1);
        int leaf = f.peer(port);
        SmpRoute toLeaf = found.route(f.nodeOf(leaf));
        int number = f.numberOf(leaf);
        byte[] host = Smps.get(client, found.routeToPort(port), AttributeId.P_KEY_TABLE, 0);
        byte[] edge =
            Smps.get(client, toLeaf, AttributeId.P_KEY_TABLE, PKeyBlock.modifier(number, 0));
        PortInfo info =
            new PortInfo().wrap(Smps.get(client, toLeaf, AttributeId.PORT_INFO, number), 0);
        out.add(
            "%s %x %x %s %s"
                .formatted(
                    f.description(node),
                    keys(host).hashCode(),
                    keys(edge).hashCode(),
                    keys(host) + " " + keys(edge),
                    info.partitionEnforcementInbound()
                        + "/"
                        + info.partitionEnforcementOutbound()));
      }
    }
    return out;
  }

  /** What OpenSM says of the path between the first two hosts of a tenant. */
  private String path(String tenant) {
    Fabric live = ibsim.discover(HOST);
    List<Integer> lids = new ArrayList<>();
    serve
        .call("GET", "/v1/tenants/" + tenant, "")
        .get("hosts")
        .forEach(
            h ->
                lids.add(
                    live.lid(
                        live.port(
                            live.findNode(Guid.parse(h.get("guid").stringValue()).value()), 1))));
    return ibsim
        .run(HOST, "saquery", "-p", "--src-to-dst", lids.get(0) + ":" + lids.get(1))
        .lines()
        .filter(l -> l.contains("pkey"))
        .findFirst()
        .orElse("none");
  }

  /** What somebody does to a file. */
  private interface Damage {
    void to(Path file) throws IOException;
  }

  private static Damage says(String text) {
    return file -> Files.writeString(file, text);
  }

  private static void half(Path file) throws IOException {
    byte[] all = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(all, all.length / 2));
  }

  /** As sed -i does it: another file of that name. */
  private static Damage replaces(String what, String by) {
    return file -> {
      String text = Files.readString(file);
      assertThat(text).contains(what);
      Path beside = file.resolveSibling("sed");
      Files.writeString(beside, text.replace(what, by));
      Files.move(beside, file, StandardCopyOption.REPLACE_EXISTING);
    };
  }

  /** True if the status says that all is well. */
  private boolean clean() {
    JsonNode status = serve.fabric().get("status");
    return status.get("in_sync").booleanValue() && status.get("problems").isEmpty();
  }

  /** A file is damaged, and OpenSM made to read it before anything is mended. */
  private void damaged(String name, String told, Damage damage) throws IOException {
    Path file = serve.files().resolve(name);
    byte[] content = Files.readAllBytes(file);
    List<String> keys = state();
    String path = path("red");
    long last = serve.lastEvent();
    long began = System.nanoTime();
    damage.to(file);
    opensm.hangUp();
    serve.awaitThat("not clean", () -> !clean() || serve.eventsAfter(last).contains(told));
    long seen = System.nanoTime();
    serve.awaitThat("an event", () -> serve.eventsAfter(last).contains(told));
    serve.awaitFine("in sync after " + name + " was damaged");
    System.err.printf(
        "ServeFilesIT: %s: not clean after %d ms, in sync after %d ms: %s%n",
        name,
        (seen - began) / 1_000_000,
        (System.nanoTime() - began) / 1_000_000,
        serve
            .call("GET", "/v1/events?after=" + last, "")
            .get("items")
            .get(0)
            .get("text")
            .stringValue());
    assertThat(Files.readAllBytes(file)).isEqualTo(content);
    assertThat(state()).isEqualTo(keys);
    assertThat(path("red")).isEqualTo(path);
    Fabric now = ibsim.discover(HOST);
    assertThat(
            Audit.run(now, ibsim.liveTables(HOST, now).tables(), AuditOptions.defaults()).clean())
        .isTrue();
  }

  @Test
  void damagedFilesAreWrittenAgainAndOpensmReadsThem() throws IOException {
    live(
        () -> {
          String partitions = "partitions.conf";
          damaged(partitions, "OpenSM cannot read it", says("garbage ;;; ="));
          damaged(partitions, "partitions.conf is not what was written", ServeFilesIT::half);
          damaged(partitions, "it is gone", Files::delete);
          damaged(
              partitions,
              "0x0000000000100019 is a full member of 0x0101",
              replaces("red=0x0101 :", "red=0x0101 : 0x100019=full,"));
        });
  }

  @Test
  void otherFilesAreWrittenAgainToo() throws IOException {
    live(
        () -> {
          damaged("opensm.lfts", "opensm.lfts is not what was written", says("garbage"));
          damaged("opensm.conf", "opensm.conf is not what was written", ServeFilesIT::half);
        });
  }

  /** The first host of a tenant. */
  private String firstOf(String tenant) {
    return serve
        .call("GET", "/v1/tenants/" + tenant, "")
        .get("hosts")
        .get(0)
        .get("guid")
        .stringValue();
  }

  /** Somebody sets keys of a host, or of the switch before it. */
  private void keysSet(boolean atSwitch, String told, IntUnaryOperator keyAt) throws IOException {
    List<String> before = state();
    long reloads = serve.reloads();
    long last = serve.lastEvent();
    long began;
    try (SmpClient client = client()) {
      DiscoveredFabric found = FabricDiscovery.run(client);
      Fabric f = found.fabric();
      int host = f.port(f.findNode(Guid.parse(firstOf("red")).value()), 1);
      int leaf = f.peer(host);
      SmpRoute route = atSwitch ? found.route(f.nodeOf(leaf)) : found.routeToPort(host);
      int modifier = atSwitch ? PKeyBlock.modifier(f.numberOf(leaf), 0) : 0;
      byte[] data = Smps.get(client, route, AttributeId.P_KEY_TABLE, modifier);
      PKeyBlock block = new PKeyBlock().wrap(data, 0);
      for (int i = 0; i < PKeyBlock.ENTRIES; i++) {
        int key = keyAt.applyAsInt(i);
        block.key(i, key < 0 ? block.key(i) : key);
      }
      Smps.set(client, route, AttributeId.P_KEY_TABLE, modifier, data);
      began = System.nanoTime();
    }
    serve.awaitThat("not clean", () -> !clean() || serve.eventsAfter(last).contains(told));
    long seen = System.nanoTime();
    serve.awaitThat("an event", () -> serve.eventsAfter(last).contains(told));
    serve.awaitFine("in sync after keys were set");
    System.err.printf(
        "ServeFilesIT: keys set by hand: not clean after %d ms, in sync after %d ms%n",
        (seen - began) / 1_000_000, (System.nanoTime() - began) / 1_000_000);
    assertThat(state()).isEqualTo(before);
    assertThat(serve.reloads()).as("OpenSM was not asked").isEqualTo(reloads);
  }

  @Test
  void keysThatSomebodySetsAtHostsAndSwitchesAreMended() throws IOException {
    live(
        () -> {
          keysSet(true, "other keys at switches", i -> i == 20 ? 0x8102 : -1);
          keysSet(true, "other keys at switches", i -> 0);
          keysSet(false, "other keys: port", i -> i == 20 ? 0x8102 : -1);
          keysSet(false, "other keys: port", i -> i == 0 ? 0xffff : 0);
        });
  }

  /** A file that is gone and cannot be written, since the disk is full: told, and tried again. */
  @Test
  void aFullDiskIsToldAndOpensmReadsNothingMeanwhile() throws IOException {
    live(
        () -> {
          byte[] content = Files.readAllBytes(partitions());
          List<String> keys = state();
          String path = path("red");
          Path beside = serve.files().resolve(".partitions.conf.0.new");
          Files.createSymbolicLink(beside, Path.of("/dev/full"));
          Files.delete(serve.files().resolve(".partitions.conf.spare"));
          long last = serve.lastEvent();
          Files.delete(partitions());
          serve.awaitThat(
              "an event", () -> serve.eventsAfter(last).contains("No space left on device"));
          serve.awaitFine("in sync when there was room again");
          assertThat(serve.eventsAfter(last))
              .contains("partitions.conf is not what was written: it is gone");
          assertThat(partitions()).hasBinaryContent(content);
          assertThat(state()).isEqualTo(keys);
          assertThat(path("red")).isEqualTo(path);
          assertThat(serve.answer("GET", "/metrics", "").body())
              .contains(
                  "heddle_agent_files_failed_total{fabric=\"default\"} 1\n",
                  "heddle_agent_files_wrong{fabric=\"default\"} 0\n");
        });
  }
}
