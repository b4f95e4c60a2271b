package org.heddle.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.heddle.agent.LiveReader;
import org.heddle.cli.Cli;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.routing.ForwardingTables;
import org.heddle.smp.transport.TransportSpec;
import org.heddle.text.lft.BoundTables;
import org.heddle.topology.generate.FabricExtras;
import org.heddle.topology.generate.FabricShuffle;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * A site with OpenSM, 20 partitions, lanes and two dead links is imported, runs beside a controller
 * that writes nothing, is taken over, and goes back, as the runbook has it. Before, between all
 * steps and after, every port has the same keys and lanes, as {@code smpquery} reads them, and
 * every pair of hosts is reached by the tables in the switches; keys are also read all the time in
 * between. The site's files stay as they are.
 */
class TakeOverLiveIT {
  private static final int PARTITIONS = 20;
  private static final int LANES = 4;

  /** The key of a tenant that comes and goes while Heddle has the site. */
  private static final int FRESH = 0x7000;

  private static final long SEED = Long.getLong("heddle.takeover.seed", 1);
  private static final Pattern SL2VL = Pattern.compile("(?m)^\\s*ports: in .*?: (\\|[ |0-9]+\\|)");

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path directory;

  private Fabric whole;
  private String sm;
  private IbsimFabric ibsim;
  private Path site;
  private Path config;

  /** What is to stay. */
  private record Seen(Map<String, TreeSet<Integer>> keys, Map<String, String> lanes, int pairs) {}

  @BeforeAll
  static void peers() {
    Peers.need();
  }

  @Test
  void aSiteIsTakenOverAndGoesBack() throws Exception {
    whole =
        FabricShuffle.ports(
            FabricExtras.withSmNode(TreeGenerator.generate(TreeSpec.parse("XGFT(2;6,6;1,6)"))), 7);
    sm = IbsimFabric.idOf(whole, node("sm-node"));
    site = Files.createDirectory(directory.resolve("etc-opensm"));
    Files.writeString(site.resolve("partitions.conf"), partitions());
    Files.writeString(site.resolve("roots"), roots());
    Files.writeString(site.resolve("opensm.conf"), options());
    try (IbsimFabric simulator = IbsimFabric.startUdp(directory, whole)) {
      ibsim = simulator;
      ibsim.unlink(whole, cable("S1_0", "S2_1"));
      ibsim.unlink(whole, cable("S1_3", "S2_4"));
      Map<String, String> files = files();
      Seen before;
      try (OpenSm theirs = OpenSm.startWith(ibsim, sm, site.resolve("opensm.conf"))) {
        theirs.awaitUp(1);
        before = look("before");
        assertThat(before.keys.get("H_0_1")).hasSizeGreaterThan(2);
        assertThat(before.pairs).isEqualTo(37 * 36);
        try (Sampler sampler = new Sampler(before)) {
          imported(before);
          beside(before, theirs);
          theirs.end();
          same(before, "no OpenSM runs");
          try (OpenSm ours =
              OpenSm.startWith(ibsim, sm, directory.resolve("for-opensm/opensm.conf"))) {
            ours.awaitUp(1);
            same(before, "OpenSM with Heddle's files");
            taken(before, ours);
          }
          assertThat(files()).isEqualTo(files);
          sampler.check("until the take-over");
        }
      }
      try (Sampler sampler = new Sampler(before);
          OpenSm theirs = OpenSm.startWith(ibsim, sm, site.resolve("opensm.conf"))) {
        theirs.awaitUp(1);
        same(before, "gone back");
        sampler.check("going back");
      }
      assertThat(files()).isEqualTo(files);
    }
  }

  private int node(String name) {
    for (int node = 0; node < whole.nodeCount(); node++) {
      if (whole.description(node).equals(name)) {
        return node;
      }
    }
    throw new AssertionError("no node " + name);
  }

  private int cable(String from, String to) {
    int a = node(from);
    for (int k = 1; k <= whole.portCount(a); k++) {
      if (whole.peerNode(whole.port(a, k)) == node(to)) {
        return whole.port(a, k);
      }
    }
    throw new AssertionError("no cable");
  }

  private String port(int leaf, int number) {
    int node = node("H_" + leaf + "_" + number);
    return Guid.format(whole.portGuid(whole.port(node, 1)));
  }

  /**
   * The default partition that everybody talks in, storage, monitoring by kinds, machines that are
   * off, names twice, a key in two definitions, and projects that overlap.
   */
  private String partitions() {
    SplittableRandom random = new SplittableRandom(SEED);
    StringBuilder out = new StringBuilder("# our partitions\n");
    out.append("Default=0x7fff, ipoib : ALL=limited, ALL_SWITCHES=full, SELF=full ;\n");
    out.append("storage=0x0010, ipoib, mtu=5, sl=1 : ALL=limited, " + port(0, 0) + "=full ;\n");
    out.append("monitoring=0x0011 : SELF=full, ALL_SWITCHES=full, ALL_CAS ;\n");
    out.append("old=0x8012, defmember=full : 0x00000000deadbeef, " + port(5, 5) + " ;\n");
    out.append("my project=19 : " + port(1, 0) + "=full, " + port(1, 1) + "=limited ;\n");
    out.append("my project=0x13, ipoib : " + port(1, 2) + "=full ; # the same key again\n");
    out.append(
        "scoped=0x14, ipoib, scope=2, scope=5 : "
            + port(2, 0)
            + "=full, "
            + port(2, 1)
            + "=full ;\n");
    for (int p = 7; p < PARTITIONS + 1; p++) {
      out.append("project %d=0x%04x, ipoib, sl=%d :\n".formatted(p, 0x20 + p, p % LANES));
      TreeSet<String> ports = new TreeSet<>();
      while (ports.size() < 5) {
        ports.add(port(random.nextInt(6), random.nextInt(6)));
      }
      List<String> entries = new ArrayList<>();
      ports.forEach(g -> entries.add("  " + g + (random.nextInt(4) == 0 ? "" : "=full")));
      out.append(String.join(",\n", entries)).append(" ;\n");
    }
    return out.toString();
  }

  private String roots() {
    StringBuilder out = new StringBuilder();
    for (int s = 0; s < 6; s++) {
      out.append(Guid.format(whole.nodeGuid(node("S2_" + s)))).append('\n');
    }
    return out.toString();
  }

  private String options() {
    return """
        # options of the site
        force_log_flush TRUE
        sm_priority 9
        routing_engine updn
        root_guid_file %s
        partition_config_file %s
        qos TRUE
        qos_max_vls 4
        qos_high_limit 0
        qos_vlarb_high 0:0
        qos_vlarb_low 0:32,1:64,2:64,3:128
        qos_sl2vl 0,1,2,3,3,2,1,0,0,1,2,3,0,1,2,3
        """
        .formatted(site.resolve("roots"), site.resolve("partitions.conf"));
  }

  private Map<String, String> files() throws IOException {
    Map<String, String> out = new TreeMap<>();
    try (Stream<Path> all = Files.list(site)) {
      for (Path file : all.toList()) {
        out.put(file.toString(), Files.readString(file) + Files.getLastModifiedTime(file));
      }
    }
    return out;
  }

  private void configure(String agent) throws IOException {
    config = directory.resolve("serve.yaml");
    Files.write(
        config,
        List.of(
            "version: 1",
            "listen: 127.0.0.1:0",
            "open: true",
            "agent: " + agent,
            "interval_ms: 100",
            "data: " + directory.resolve("data"),
            "files: " + directory.resolve("for-opensm"),
            "opensm_conf: " + site.resolve("opensm.conf"),
            "lanes: site",
            "via: " + ibsim.via(sm),
            "reload: [sh, " + LiveController.reload(directory) + "]"));
  }

  /** First to look, then for good, then once more. */
  private void imported(Seen before) throws IOException {
    configure("dry-run");
    Cli.Result dry = Cli.run("serve", "import", "--config", config.toString());
    assertThat(dry.code()).as(dry.out() + dry.err()).isZero();
    assertThat(dry.out())
        .contains("engine: updn -> updn", "6 switches, the top of the tree as Heddle finds it")
        .contains("keys: 49 of 49 ports keep exactly what they have, 0 lose some, 0 gain some")
        .contains("every port keeps its own", "nothing is written: --yes");
    assertThat(directory.resolve("data")).doesNotExist();
    Cli.Result real = Cli.run("serve", "import", "--config", config.toString(), "--yes");
    assertThat(real.code()).as(real.out() + real.err()).isZero();
    Cli.Result again = Cli.run("serve", "import", "--config", config.toString(), "--yes");
    assertThat(again.code()).as(again.out() + again.err()).isZero();
    assertThat(again.out()).contains("there already").doesNotContain("new tenant", "made anew");
    same(before, "imported");
  }

  /** A controller that only looks; it says what it would do. */
  private void beside(Seen before, OpenSm theirs) throws IOException {
    int sweeps = theirs.timesUp();
    ForwardingTables tables = ibsim.liveTables(sm, ibsim.discover(sm)).tables();
    try (LiveController controller = LiveController.run(directory, config)) {
      controller.awaitTrouble("dry run: ");
      JsonNode fabric = controller.fabric();
      assertThat(fabric.get("status").get("problems").toString())
          .contains("would be written, files are in")
          .doesNotContain("keys would change", "could not be read");
      assertThat(controller.call("GET", "/v1/tenants?limit=100", "").get("items"))
          .hasSize(PARTITIONS);
      Cli.Result refused = Cli.run("serve", "import", "--config", config.toString(), "--yes");
      assertThat(refused.code()).isEqualTo(1);
      assertThat(refused.err()).contains("another heddle serve", "systemctl stop heddle");
      same(before, "with a controller beside");
      assertThat(controller.reloads()).isZero();
    }
    Fabric now = ibsim.discover(sm);
    ForwardingTables after = ibsim.liveTables(sm, now).tables();
    for (int sw = 0; sw < now.switchCount(); sw++) {
      assertThat(after.differingBlocks(sw, tables)).isZero();
    }
    assertThat(theirs.timesUp()).isEqualTo(sweeps);
  }

  private void taken(Seen before, OpenSm ours) throws IOException {
    configure("opensm");
    try (LiveController controller = LiveController.run(directory, config)) {
      controller.tell(ours);
      controller.awaitFine("in sync after the take-over");
      same(before, "taken over");
      compared("taken over", 0);
      controller.call(
          "POST", "/v1/tenants", "{\"name\":\"fresh\",\"hosts\":2,\"pkey\":\"0x7000\"}");
      controller.awaitFine("with a tenant of its own");
      compared("with a tenant of its own", 1);
      controller.call("DELETE", "/v1/tenants/fresh", "");
      controller.awaitFine("without it");
      same(before, "after a tenant came and went");
    }
  }

  /** What the runbook has people look at while the controller runs. */
  private void compared(String when, int code) {
    Cli.Result said = Cli.run("serve", "import", "--compare", "--config", config.toString());
    assertThat(said.code()).as(when + said.out() + said.err()).isEqualTo(code);
    assertThat(said.out())
        .contains(code == 0 ? "49 of 49 ports have exactly" : "2 have others, 0 lack some");
  }

  private void same(Seen before, String when) {
    Seen now = look(when);
    assertThat(now.keys).as("keys " + when).isEqualTo(before.keys);
    assertThat(now.lanes).as("lanes " + when).isEqualTo(before.lanes);
    assertThat(now.pairs).as("pairs " + when).isEqualTo(before.pairs);
  }

  /** Reads keys and lanes of every adapter, and follows every pair through the live tables. */
  private Seen look(String when) {
    Map<String, TreeSet<Integer>> keys = new TreeMap<>();
    Map<String, String> lanes = new TreeMap<>();
    Fabric now = ibsim.discover(sm);
    for (int node = now.switchCount(); node < now.nodeCount(); node++) {
      String lid = String.valueOf(now.lid(now.port(node, 1)));
      String name = now.description(node);
      keys.put(name, new TreeSet<>(PkeyTables.parse(ibsim.run(sm, "smpquery", "pkeys", lid, "1"))));
      Matcher m = SL2VL.matcher(ibsim.run(sm, "smpquery", "sl2vl", lid, "1"));
      lanes.put(name, m.find() ? m.group(1) : "none");
    }
    assertThat(lanes).as(when).doesNotContainValue("none");
    return new Seen(keys, lanes, reached(ibsim.liveTables(sm, now)));
  }

  private static int reached(BoundTables bound) {
    Fabric fabric = bound.fabric();
    int count = 0;
    for (int from = fabric.switchCount(); from < fabric.nodeCount(); from++) {
      for (int to = fabric.switchCount(); to < fabric.nodeCount(); to++) {
        count += from != to && arrives(fabric, bound.tables(), from, to) ? 1 : 0;
      }
    }
    return count;
  }

  private static boolean arrives(Fabric fabric, ForwardingTables tables, int from, int to) {
    int at = fabric.peerNode(fabric.port(from, 1));
    int lid = fabric.lid(fabric.port(to, 1));
    for (int hops = 0; hops < fabric.switchCount() && fabric.isSwitch(at); hops++) {
      int out = tables.port(at, lid);
      if (out < 1 || out > fabric.portCount(at)) {
        return false;
      }
      int next = fabric.peer(fabric.port(at, out));
      if (next == Fabric.NONE) {
        return false;
      }
      at = fabric.nodeOf(next);
    }
    return at == to;
  }

  /** Reads the keys of all hosts over and over, by datagrams of its own. */
  private final class Sampler implements AutoCloseable {
    private final Map<String, TreeSet<Integer>> before;
    private final LiveReader reader =
        new LiveReader(TransportSpec.parse(ibsim.via(IbsimFabric.idOf(whole, node("H_4_4")))));
    private final AtomicBoolean end = new AtomicBoolean();
    private final AtomicInteger samples = new AtomicInteger();
    private final Map<String, String> others = new LinkedHashMap<>();
    private final Fabric fabric;
    private final Thread thread;

    Sampler(Seen seen) {
      before = seen.keys;
      fabric = reader.observe().fabric();
      thread = Thread.ofVirtual().start(this::run);
    }

    private void run() {
      while (!end.get()) {
        reader
            .keysOfHosts()
            .forEach(
                (port, table) -> {
                  TreeSet<Integer> keys = new TreeSet<>();
                  for (int key : table) {
                    keys.add(key);
                  }
                  keys.removeAll(List.of(0, FRESH | 0x8000));
                  String name = fabric.description(fabric.nodeOf(port));
                  if (!keys.equals(before.get(name))) {
                    others.put(name, keys + " instead of " + before.get(name));
                  }
                });
        samples.incrementAndGet();
      }
    }

    void check(String when) throws InterruptedException {
      end.set(true);
      thread.join();
      System.out.println("TakeOverLiveIT: keys of all hosts read " + samples + " times " + when);
      assertThat(others).as("keys " + when).isEmpty();
      assertThat(samples.get()).isPositive();
    }

    @Override
    public void close() {
      end.set(true);
      try {
        thread.join();
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
      }
      reader.close();
    }
  }
}
