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
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.heddle.cli.Main;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.tenancy.IsolationPolicy;
import org.heddle.tenancy.Lanes;
import org.heddle.tenancy.Tenancy;
import org.heddle.text.Source;
import org.heddle.text.lft.BoundTables;
import org.heddle.text.lft.TableFormats;
import org.heddle.text.state.StateFile;
import org.heddle.text.state.StateFileReader;
import org.heddle.text.tenants.TenantsFile;
import org.heddle.text.tenants.TenantsResolver;
import org.heddle.text.topology.IbnetdiscoverWriter;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.Recognition;
import org.heddle.topology.generate.FabricExtras;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.heddle.verify.Audit;
import org.heddle.verify.AuditOptions;
import org.heddle.verify.isolation.IsolationAudit;
import org.heddle.verify.isolation.IsolationOptions;
import org.heddle.verify.isolation.IsolationReport;
import org.heddle.verify.links.LinkConfinement;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three tenants are admitted, one leaves, one arrives, with OpenSM in charge of a simulated fabric:
 * after every step the tables are read back from the switches and audited.
 */
class LinksLiveIT {
  private static final Fabric TREE =
      FabricExtras.withSmNode(TreeGenerator.generate(TreeSpec.parse("XGFT(3;4,4,4;1,4,4)")));

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path directory;

  private String host;
  private Fabric fabric;
  private OpenSm opensm;

  @BeforeAll
  static void peers() {
    Peers.need();
  }

  @Test
  void tenantsComeAndGoAndTheSwitchesKeepThemApart() throws IOException {
    host = IbsimFabric.idOf(TREE, smNode());
    try (IbsimFabric ibsim = IbsimFabric.start(directory, TREE)) {
      fabric = ibsim.discover(host);
      try (OutputStream out = Files.newOutputStream(directory.resolve("fabric.topo"))) {
        IbnetdiscoverWriter.write(fabric, out);
      }
      allocate("add", "red", "--hosts", "22");
      try (OpenSm running = OpenSm.start(ibsim, host, options())) {
        opensm = running;
        opensm.awaitUp(1);
        BoundTables one = step(ibsim, "red");
        allocate("add", "green", "--hosts", "10");
        BoundTables two = step(ibsim, "red", "green");
        assertSameEntries("red", one, two);
        allocate("add", "blue", "--hosts", "18");
        BoundTables three = step(ibsim, "red", "green", "blue");
        assertSameEntries("red", two, three);
        assertSameEntries("green", two, three);
        allocate("remove", "green");
        BoundTables left = step(ibsim, "red", "blue");
        assertSameEntries("red", three, left);
        assertSameEntries("blue", three, left);
        allocate("add", "grey", "--hosts", "12");
        BoundTables last = step(ibsim, "red", "blue", "grey");
        assertSameEntries("red", left, last);
        assertSameEntries("blue", left, last);
        assertThat(opensm.log()).contains("file tables configured on all switches");
      }
    }
  }

  private static int smNode() {
    for (int node = TREE.switchCount(); node < TREE.nodeCount(); node++) {
      if (TREE.description(node).equals("sm-node")) {
        return node;
      }
    }
    throw new AssertionError("no sm-node");
  }

  private String[] options() {
    Path files = directory.resolve("files");
    return new String[] {
      "-R",
      "file,no_fallback",
      "-U",
      files.resolve("opensm.lfts").toString(),
      "-P",
      files.resolve("partitions.conf").toString(),
      "-s",
      "10"
    };
  }

  private void allocate(String... words) {
    List<String> all = new ArrayList<>(List.of("allocate", path("fabric.topo")));
    all.addAll(List.of("--state", path("state.json")));
    all.addAll(Arrays.asList(words));
    all.addAll(List.of("-o", path("files")));
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream stream = new PrintStream(printed, true, StandardCharsets.UTF_8);
    int code = Main.run(all, InputStream.nullInputStream(), stream, stream, Map.of());
    assertThat(code).as(printed.toString(StandardCharsets.UTF_8)).isZero();
  }

  private String path(String name) {
    return directory.resolve(name).toString();
  }

  /** Lets OpenSM read its files again; the tables in the switches, proven. */
  private BoundTables step(IbsimFabric ibsim, String... names) throws IOException {
    opensm.reload();
    BoundTables planned =
        TableFormats.read(
                new Source("p", Files.readAllBytes(directory.resolve("files/opensm.lfts"))), fabric)
            .get();
    opensm.await(
        "the planned tables",
        () -> Cabling.differences(planned, ibsim.liveTables(host, fabric)).isEmpty());
    BoundTables live = ibsim.liveTables(host, fabric);
    StateFile state = state();
    assertThat(state.tenants()).extracting(StateFile.Tenant::name).containsExactly(names);
    Recognition.Found tree = (Recognition.Found) FatTreeRecogniser.recognise(live.fabric());
    assertThat(
            Audit.run(live.fabric(), live.tables(), AuditOptions.defaults().withTree(tree.tree()))
                .clean())
        .isTrue();
    Tenancy tenancy = tenancy(state, live.fabric());
    IsolationReport isolation =
        IsolationAudit.run(
            live.fabric(),
            live.tables(),
            tenancy,
            Lanes.single(names.length),
            IsolationOptions.defaults().withTree(tree.tree()));
    assertThat(isolation.pairs()).isEmpty();
    assertThat(isolation.violations()).isEmpty();
    for (StateFile.Tenant tenant : state.tenants()) {
      LinkConfinement.Result r =
          LinkConfinement.check(
              live.fabric(),
              live.tables(),
              ports(tenant, live.fabric()),
              links(tenant, live.fabric()));
      assertThat(r.confined()).as(tenant.name() + ": " + r).isTrue();
    }
    return live;
  }

  private StateFile state() throws IOException {
    byte[] bytes = Files.readAllBytes(directory.resolve("state.json"));
    return StateFileReader.read(new Source("state.json", bytes)).get();
  }

  private static int[] ports(StateFile.Tenant tenant, Fabric live) {
    return tenant.hosts().stream()
        .mapToInt(h -> live.port(live.findNode(h.guid().value()), 1))
        .toArray();
  }

  private static int[] links(StateFile.Tenant tenant, Fabric live) {
    return tenant.links().stream()
        .mapToInt(l -> live.port(live.findNode(l.from().value()), l.port()))
        .toArray();
  }

  private static Tenancy tenancy(StateFile state, Fabric live) {
    List<TenantsFile.Tenant> tenants = new ArrayList<>();
    for (StateFile.Tenant t : state.tenants()) {
      List<TenantsFile.Member> members = new ArrayList<>();
      for (int port : ports(t, live)) {
        members.add(TenantsFile.Member.of(new TenantsFile.ByGuid(new Guid(live.portGuid(port)))));
      }
      tenants.add(TenantsFile.Tenant.of(t.name(), 0, IsolationPolicy.PHY, members));
    }
    TenantsFile file = new TenantsFile("state", TenantsFile.Rules.DEFAULT, List.of(), tenants);
    return TenantsResolver.resolve(file, live).get().tenancy();
  }

  /** The entries of every switch for every host of a tenant, by GUID. */
  private void assertSameEntries(String name, BoundTables before, BoundTables after)
      throws IOException {
    StateFile.Tenant tenant = state().find(name).orElseThrow();
    assertThat(entries(tenant, after)).isEqualTo(entries(tenant, before)).isNotEmpty();
  }

  private static Map<String, Integer> entries(StateFile.Tenant tenant, BoundTables bound) {
    Map<String, Integer> out = new HashMap<>();
    Fabric f = bound.fabric();
    for (int port : ports(tenant, f)) {
      for (int sw = 0; sw < f.switchCount(); sw++) {
        out.put(
            Guid.format(f.nodeGuid(sw)) + " " + Guid.format(f.portGuid(port)),
            bound.tables().port(sw, f.lid(port)));
      }
    }
    return out;
  }
}
