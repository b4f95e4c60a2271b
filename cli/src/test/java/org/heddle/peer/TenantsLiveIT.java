package org.heddle.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.heddle.cli.Main;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.tenancy.Partition;
import org.heddle.tenancy.PartitionMember;
import org.heddle.text.Source;
import org.heddle.text.lft.BoundTables;
import org.heddle.text.lft.TableFormats;
import org.heddle.text.opensm.PartitionsConfReader;
import org.heddle.text.tenants.ResolvedTenants;
import org.heddle.text.tenants.TenantsFileReader;
import org.heddle.text.tenants.TenantsResolver;
import org.heddle.text.topology.IbnetdiscoverWriter;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * A plan for 12 tenants on 324 hosts, handed to OpenSM: its tables, keys, lanes and path records
 * against what the plan says. The simulator filters nothing, so it is the tables that are compared,
 * not the fate of packets.
 */
class TenantsLiveIT {
  private static final int LANES = 6;
  private static final int TENANTS = 12;
  private static final int SAMPLED_HOSTS = 24;
  private static final Fabric TREE = TreeGenerator.generate(TreeSpec.parse("XGFT(2;18,18;1,18)"));
  private static final Pattern RECORD =
      Pattern.compile("pkey\\.+(0x[0-9A-Fa-f]+)\\s+.*?sl\\.+(0x[0-9A-Fa-f]+)", Pattern.DOTALL);

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path directory;

  private Path plan;
  private ResolvedTenants tenants;
  private List<Integer> levels;

  @BeforeAll
  static void peers() {
    Peers.need();
  }

  /** Two physically isolated tenants, four on lanes, six others; the last two share a host. */
  private static String tenantsFile() {
    StringBuilder out = new StringBuilder("version: 1\ndata_lanes: " + LANES + "\ntenants:\n");
    for (int t = 0; t < TENANTS; t++) {
      String policy = t < 2 ? "phy" : t < 6 ? "vlane" : "def";
      out.append("  - name: t%02d%n    pkey: 0x%04x%n".formatted(t, 0x101 + 7 * t));
      out.append("    policy: ").append(policy).append('\n');
      out.append("    members: [{count: 26}");
      out.append(t >= 10 ? ", {guid: 0x100285}" : "");
      out.append(t == 4 ? ", {guid: 0xdeadbeef}" : "").append("]\n");
    }
    return out.toString();
  }

  private void plan() throws IOException {
    Path net = directory.resolve("tree.net");
    try (OutputStream out = Files.newOutputStream(net)) {
      IbnetdiscoverWriter.write(TREE, out);
    }
    Path file = directory.resolve("tenants.yaml");
    Files.writeString(file, tenantsFile());
    plan = directory.resolve("plan");
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code =
        Main.run(
            List.of("plan", net.toString(), file.toString(), "-o", plan.toString()),
            InputStream.nullInputStream(),
            new PrintStream(OutputStream.nullOutputStream()),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            Map.of());
    assertThat(code).as(err.toString(StandardCharsets.UTF_8)).isLessThanOrEqualTo(1);
    tenants =
        TenantsResolver.resolve(
                TenantsFileReader.read(Source.of("tenants.yaml", tenantsFile())).get(), TREE)
            .get();
    levels = new ArrayList<>();
    PartitionsConfReader.read(source("partitions.conf"))
        .get()
        .definitions()
        .forEach(d -> levels.add(d.flags().sl()));
    levels.removeFirst();
  }

  private Source source(String name) throws IOException {
    return new Source(name, Files.readAllBytes(plan.resolve(name)));
  }

  @Test
  void opensmDoesWhatThePlanSays() throws IOException {
    plan();
    assertThat(new TreeSet<>(levels)).hasSizeGreaterThan(1);
    Path options = directory.resolve("with-flush.conf");
    Files.writeString(
        options, Files.readString(plan.resolve("opensm.conf")) + "force_log_flush TRUE\n");
    String host = IbsimFabric.idOf(TREE, TREE.switchCount());
    try (IbsimFabric ibsim = IbsimFabric.start(directory, TREE);
        OpenSm opensm = OpenSm.start(ibsim, host, "-F", options.toString())) {
      opensm.awaitUp(1);
      assertThat(opensm.log()).doesNotContainPattern("ERR (AC|E1|9)").contains("qos-policy.conf");
      Fabric live = ibsim.discover(host);
      tables(ibsim, host, live);
      keys(ibsim, host, live);
      lanes(ibsim, host, live);
      paths(ibsim);
    }
  }

  /** A host whose cable is out when OpenSM starts: its GUID is in the file, and unknown. */
  @Test
  void membersThatComeLaterGetTheirKey() throws IOException {
    Fabric small = TreeGenerator.generate(TreeSpec.parse("XGFT(2;4,2;1,2)"));
    int late = small.port(small.switchCount() + 3, 1);
    Path partitions = directory.resolve("partitions.conf");
    String member = Guid.format(small.portGuid(late));
    Files.writeString(
        partitions,
        "Default=0x7fff : ALL=limited, ALL_SWITCHES=full, SELF=full ;\nred=0x0101, sl=1 : "
            + member
            + "=full, 0x100003=full ;\n");
    String host = IbsimFabric.idOf(small, small.switchCount());
    try (IbsimFabric ibsim = IbsimFabric.start(directory, small)) {
      ibsim.unlink(small, late);
      try (OpenSm opensm = OpenSm.start(ibsim, host, "-R", "minhop", "-P", partitions.toString())) {
        opensm.awaitUp(1);
        assertThat(ibsim.discover(host).findPort(small.portGuid(late))).isEqualTo(Fabric.NONE);
        ibsim.console("ReLink \"" + IbsimFabric.idOf(small, small.nodeOf(late)) + "\"[1]");
        // not for a second sweep: that may have other reasons
        opensm.await(
            "the keys of the late host",
            () -> keysAt(ibsim, host, small.portGuid(late)).equals(Set.of(0x7fff, 0x8101)));
      }
    }
  }

  /** The keys of a port; none if it is not there, or has no LID yet. */
  private static Set<Integer> keysAt(IbsimFabric ibsim, String host, long guid) {
    Fabric live = ibsim.discover(host);
    int port = live.findPort(guid);
    return port == Fabric.NONE || live.lid(port) == 0
        ? Set.of()
        : new TreeSet<>(
            PkeyTables.parse(
                ibsim.run(host, "smpquery", "pkeys", String.valueOf(live.lid(port)), "1")));
  }

  private void tables(IbsimFabric ibsim, String host, Fabric live) throws IOException {
    BoundTables planned = TableFormats.read(source("opensm.lfts"), TREE).get();
    assertThat(Cabling.differences(planned, ibsim.liveTables(host, live))).isEmpty();
  }

  private void keys(IbsimFabric ibsim, String host, Fabric live) {
    Map<Integer, TreeSet<Integer>> expected = new TreeMap<>();
    for (Partition partition : tenants.tenancy().partitions()) {
      for (PartitionMember member : partition.members()) {
        expected
            .computeIfAbsent(member.port(), _ -> new TreeSet<>())
            .add(partition.pkey() | (member.full() ? 0x8000 : 0));
      }
    }
    int shared = TREE.findPort(0x100285);
    assertThat(expected.get(shared)).hasSize(2);
    int step = TREE.caCount() / SAMPLED_HOSTS;
    for (int i = 0; i <= SAMPLED_HOSTS; i++) {
      int node = TREE.switchCount() + i * step;
      int port = i == SAMPLED_HOSTS ? shared : TREE.port(node, 1);
      TreeSet<Integer> wanted = expected.getOrDefault(port, new TreeSet<>());
      wanted.add(i == 0 ? 0xffff : 0x7fff); // the subnet manager is at the first
      String lid = String.valueOf(live.lid(live.findPort(TREE.portGuid(port))));
      List<Integer> found = PkeyTables.parse(ibsim.run(host, "smpquery", "pkeys", lid, "1"));
      assertThat(new TreeSet<>(found)).as("port %d", port).isEqualTo(wanted);
    }
  }

  private static void lanes(IbsimFabric ibsim, String host, Fabric live) {
    for (int node : new int[] {0, live.switchCount() - 1, live.switchCount() + 100}) {
      boolean isSwitch = live.isSwitch(node);
      String lid = String.valueOf(live.lid(live.port(node, isSwitch ? 0 : 1)));
      for (int port : new int[] {1, live.portCount(node)}) {
        String number = String.valueOf(port);
        String mapping = ibsim.run(host, "smpquery", "sl2vl", lid, number);
        assertThat(mapping.lines().filter(l -> l.startsWith("ports:")))
            .isNotEmpty()
            .allMatch(l -> l.endsWith(": | 0| 1| 2| 3| 4| 5| 0| 1| 2| 3| 4| 5| 0| 1| 2| 3|"));
        assertThat(ibsim.run(host, "smpquery", "vlarb", lid, number).lines())
            .containsSubsequence(
                "VL    : |0x0 |0x1 |0x2 |0x3 |0x4 |0x5 |0x0 |0x0 |",
                "WEIGHT: |0x40|0x40|0x40|0x40|0x40|0x40|0x0 |0x0 |",
                "WEIGHT: |0x0 |0x0 |0x0 |0x0 |0x0 |0x0 |0x0 |0x0 |");
      }
    }
  }

  private void paths(IbsimFabric ibsim) {
    int sm = TREE.port(TREE.switchCount(), 1);
    for (int t = 0; t < TENANTS; t++) {
      List<Integer> own = ports(t);
      own.removeIf(port -> port == sm);
      int from = own.get(0);
      int to = own.get(own.size() / 2);
      int pkey = tenants.tenancy().partitions().get(t).pkey() | 0x8000;
      String wanted = "0x%x 0x%x".formatted(pkey, levels.get(t));
      assertThat(path(ibsim, from, to)).as("tenant %d", t).isEqualTo(wanted);
      String stated = "0x%04x".formatted(pkey);
      assertThat(path(ibsim, from, to, "--pkey", stated)).isEqualTo(wanted);
      List<Integer> others = ports((t + 1) % TENANTS);
      others.removeAll(own);
      others.removeIf(port -> port == sm);
      assertThat(path(ibsim, from, others.get(1))).isEmpty();
      assertThat(path(ibsim, from, others.get(1), "--pkey", stated)).isEmpty();
    }
  }

  private List<Integer> ports(int tenant) {
    List<Integer> out = new ArrayList<>();
    tenants.tenancy().partitions().get(tenant).members().forEach(m -> out.add(m.port()));
    return out;
  }

  /** P_Key and service level of the path record that the source itself gets, or nothing. */
  private static String path(IbsimFabric ibsim, int from, int to, String... more) {
    List<String> command =
        new ArrayList<>(List.of("saquery", "PR", "--sgid-to-dgid", gid(from) + "-" + gid(to)));
    command.addAll(List.of(more));
    String host = IbsimFabric.idOf(TREE, TREE.nodeOf(from));
    Matcher record = RECORD.matcher(ibsim.run(host, command.toArray(String[]::new)));
    return record.find()
        ? "0x%x 0x%x".formatted(Integer.decode(record.group(1)), Integer.decode(record.group(2)))
        : "";
  }

  private static String gid(int port) {
    long guid = TREE.portGuid(port);
    return "fe80::%x:%x:%x:%x"
        .formatted(guid >>> 48, guid >>> 32 & 0xffff, guid >>> 16 & 0xffff, guid & 0xffff);
  }
}
