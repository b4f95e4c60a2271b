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
import java.util.List;
import java.util.Map;
import org.heddle.catalog.Catalog;
import org.heddle.cli.Main;
import org.heddle.fabric.Fabric;
import org.heddle.mad.Notice;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.smp.client.SmpClient;
import org.heddle.smp.client.SmpOptions;
import org.heddle.smp.discover.DiscoveredFabric;
import org.heddle.smp.discover.FabricDiscovery;
import org.heddle.smp.discover.LightSweep;
import org.heddle.smp.discover.PortTables;
import org.heddle.smp.discover.TableAccess;
import org.heddle.smp.transport.SmpTransport;
import org.heddle.smp.transport.TransportSpec;
import org.heddle.smp.write.PlanExecutor;
import org.heddle.smp.write.PlannedSmp;
import org.heddle.smp.write.SmpJournal;
import org.heddle.smp.write.SmpPlan;
import org.heddle.text.Source;
import org.heddle.text.lft.BoundTables;
import org.heddle.text.lft.CompactTables;
import org.heddle.text.lft.TableFormats;
import org.heddle.text.topology.IbnetdiscoverReader;
import org.heddle.text.topology.IbnetdiscoverWriter;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.generate.DamageSpec;
import org.heddle.topology.generate.FabricDamage;
import org.heddle.topology.generate.FabricExtras;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * The datagram agent on a simulated fabric that OpenSM has set up once and left alone: what it sees
 * is what ibnetdiscover and OpenSM's dump say, what it writes is what dump_fts reads.
 */
class DatagramAgentIT {
  private static final long LISTEN_NS = 10_000_000;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path directory;

  @BeforeAll
  static void peers() {
    Peers.need();
  }

  private static Fabric damagedTreeWithSmNode() {
    Fabric tree = TreeGenerator.generate(TreeSpec.parse("XGFT(3;4,4,4;1,4,4)"));
    DamageSpec damage = DamageSpec.none(7).withLinks(DamageSpec.Amount.of(3)).keepingConnected();
    return FabricExtras.withSmNode(FabricDamage.apply(tree, damage).fabric());
  }

  private static String smNode(Fabric fabric) {
    for (int node = fabric.switchCount(); node < fabric.nodeCount(); node++) {
      if (fabric.description(node).equals("sm-node")) {
        return IbsimFabric.idOf(fabric, node);
      }
    }
    throw new AssertionError("no sm-node");
  }

  private Path file(String name) {
    return directory.resolve(name);
  }

  /** Writes the tables into the switches. */
  private String apply(String net, Path tables, String via) {
    return heddle(
        "apply", net, tables.toString(), file("state").toString(), "--to", "umad", "--via", via);
  }

  private static String heddle(String... words) {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream stream = new PrintStream(printed, true, StandardCharsets.UTF_8);
    int code = Main.run(List.of(words), InputStream.nullInputStream(), stream, stream, Map.of());
    assertThat(code).as(printed.toString(StandardCharsets.UTF_8)).isZero();
    return printed.toString(StandardCharsets.UTF_8);
  }

  private static SmpClient client(IbsimFabric ibsim, String host, boolean manager)
      throws IOException {
    SmpTransport transport = TransportSpec.parse(ibsim.via(host)).open(manager);
    return new SmpClient(transport, SmpOptions.of(transport), System::nanoTime);
  }

  private static String text(Fabric fabric) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    IbnetdiscoverWriter.write(fabric, out);
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void fabric_and_tables_are_seen_as_the_diagnostics_see_them_on_both_ways() throws IOException {
    Fabric planned = damagedTreeWithSmNode();
    String host = smNode(planned);
    try (IbsimFabric ibsim = IbsimFabric.startUdp(directory, planned)) {
      OpenSm.oneSweep(ibsim, host, "-R", "ftree", "-D", "0x43");
      Fabric reference = ibsim.discover(host);
      heddle(
          "fabric",
          "discover",
          "--via",
          ibsim.via(host),
          "-o",
          file("udp.net").toString(),
          "--lfts",
          file("udp.hlft").toString());
      Fabric ours = read(file("udp.net"));
      assertThat(Files.readString(file("udp.net"))).isEqualTo(text(reference));
      assertThat(ours.topLid()).isEqualTo(planned.switchCount() + 65);

      BoundTables tables = tables(file("udp.hlft"), ours);
      BoundTables dumped = tables(file("opensm-lfts.dump"), ours);
      assertThat(tables.tables()).isEqualTo(dumped.tables());
      assertThat(Cabling.differences(ibsim.liveTables(host, ours), tables)).isEmpty();

      discoverByUmad(ibsim, IbsimFabric.idOf(planned, planned.switchCount()));
      assertThat(Files.mismatch(file("udp.hlft"), file("umad.hlft"))).isEqualTo(-1);
      assertThat(read(file("umad.net")).fingerprint()).isEqualTo(ours.fingerprint());
      checkPkeys(ibsim, host);
    }
  }

  /** In a process of its own: the preload library has to be there from the start. */
  private void discoverByUmad(IbsimFabric ibsim, String host) {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    List<String> command = new ArrayList<>(List.of(java, "--enable-native-access=ALL-UNNAMED"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of("fabric", "discover", "--via", "umad"));
    command.addAll(List.of("-o", "umad.net", "--lfts", "umad.hlft"));
    assertThat(ibsim.run(host, command.toArray(String[]::new))).contains("found ");
  }

  private static void checkPkeys(IbsimFabric ibsim, String host) throws IOException {
    try (SmpClient client = client(ibsim, host, false)) {
      DiscoveredFabric discovered = FabricDiscovery.run(client);
      Fabric fabric = discovered.fabric();
      for (int node = fabric.switchCount(); node < fabric.nodeCount(); node += 13) {
        String lid = String.valueOf(fabric.lid(fabric.port(node, 1)));
        List<Integer> theirs = PkeyTables.parse(ibsim.run(host, "smpquery", "pkeys", lid, "1"));
        int[] keys = PortTables.pKeys(client, discovered.route(node), 0, 64).orElseThrow();
        List<Integer> ours = new ArrayList<>();
        for (int key : keys) {
          if (key != 0) {
            ours.add(key);
          }
        }
        assertThat(ours).isNotEmpty().isEqualTo(theirs);
      }
      assertThat(PortTables.lanes(client, discovered.route(0), 1, 2)).isPresent();
      assertThat(PortTables.arbitration(client, discovered.route(0), true, 1, 8)).isPresent();
    }
  }

  @Test
  void tables_are_written_read_back_and_taken_back() throws IOException {
    Fabric planned = damagedTreeWithSmNode();
    String host = smNode(planned);
    try (IbsimFabric ibsim = IbsimFabric.startUdp(directory, planned)) {
      OpenSm.oneSweep(ibsim, host, "-R", "minhop");
      String via = ibsim.via(host);
      String net = file("live.net").toString();
      heddle("fabric", "discover", "--via", via, "-o", net, "--lfts", file("0.hlft").toString());
      Fabric fabric = read(file("live.net"));
      BoundTables before = ibsim.liveTables(host, fabric);
      BoundTables wanted = route(fabric);
      Path wantedFile = file("wanted.hlft");
      try (OutputStream out = Files.newOutputStream(wantedFile)) {
        CompactTables.write(wanted.fabric(), wanted.tables(), out);
      }
      assertThat(Cabling.differences(before, wanted)).isNotEmpty();

      String apply = apply(net, wantedFile, via);
      assertThat(apply).contains("read back: the switches hold the tables");
      assertThat(Cabling.differences(wanted, ibsim.liveTables(host, fabric))).isEmpty();
      String again = apply(net, wantedFile, via);
      assertThat(again).contains("nothing was sent");

      Path journal = file("state").resolve("smp-journal.done");
      assertThat(heddle("recover", journal.toString(), "--undo", "--via", via))
          .startsWith("undone with");
      assertThat(Cabling.differences(before, ibsim.liveTables(host, fabric))).isEmpty();
    }
  }

  @Test
  void a_link_that_fails_in_the_middle_of_a_plan_is_noticed_and_the_plan_finished()
      throws IOException {
    Fabric planned = damagedTreeWithSmNode();
    String host = smNode(planned);
    try (IbsimFabric ibsim = IbsimFabric.startUdp(directory, planned)) {
      OpenSm.oneSweep(ibsim, host, "-R", "ftree");
      try (SmpClient client = client(ibsim, host, true)) {
        List<String> heard = new ArrayList<>();
        client.onTrap(
            notice -> {
              if (notice.trapNumber() == Notice.LINK_STATE_CHANGED) {
                heard.add(notice.describe());
              }
            });
        DiscoveredFabric discovered = FabricDiscovery.run(client);
        Fabric fabric = discovered.fabric();
        LightSweep.run(client, discovered, false, true); // OpenSM may have left bits
        int far = farthest(discovered);
        SmpPlan plan = new SmpPlan(List.of(fill(0, fabric, far, 7), fill(1, fabric, far, 9)));
        List<byte[]> before = List.of(new byte[64], plan.smps().getFirst().data());
        int cable = lastCable(discovered, far);
        try (SmpJournal journal = SmpJournal.create(file("journal"), plan, before)) {
          ibsim.unlink(fabric, cable);
          assertThat(PlanExecutor.finish(client, discovered, journal))
              .isInstanceOf(PlanExecutor.Result.Stopped.class);
        }
        long end = System.nanoTime() + PeerProcess.DEADLINE.toNanos();
        while (heard.isEmpty() && System.nanoTime() < end) {
          client.listen(LISTEN_NS);
        }
        assertThat(heard).as("traps of a changed link").isNotEmpty();
        DiscoveredFabric anew = FabricDiscovery.run(client);
        assertThat(Cabling.lines(anew.fabric())).hasSize(Cabling.lines(fabric).size() - 2);
        LightSweep.Report report = LightSweep.run(client, discovered, false, false);
        assertThat(report.changed()).contains(new LightSweep.LinkChange(cable, false));
        assertThat(report.silent()).contains(far);

        try (SmpJournal journal = SmpJournal.open(file("journal"))) {
          assertThat(PlanExecutor.finish(client, anew, journal))
              .isEqualTo(new PlanExecutor.Result.Completed(2));
        }
        int sw = anew.fabric().findNode(fabric.nodeGuid(far));
        assertThat(TableAccess.read(client, anew).tables().port(sw, 1)).isEqualTo(9);
      }
    }
  }

  private static int farthest(DiscoveredFabric discovered) {
    int best = 0;
    for (int sw = 0; sw < discovered.fabric().switchCount(); sw++) {
      best = discovered.route(sw).hops() > discovered.route(best).hops() ? sw : best;
    }
    return best;
  }

  /** The port by which the route to a switch leaves the switch before it. */
  private static int lastCable(DiscoveredFabric discovered, int sw) {
    Fabric fabric = discovered.fabric();
    for (int n = 1; n <= fabric.portCount(sw); n++) {
      int near = fabric.peer(fabric.port(sw, n));
      if (near != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(near))) {
        int number = fabric.numberOf(near);
        if (discovered.route(fabric.nodeOf(near)).then(number).equals(discovered.route(sw))) {
          return near;
        }
      }
    }
    throw new AssertionError("no cable");
  }

  private static PlannedSmp fill(int phase, Fabric fabric, int sw, int port) {
    byte[] data = new byte[64];
    Arrays.fill(data, (byte) port);
    return PlannedSmp.block(phase, fabric.nodeGuid(sw), 0, data);
  }

  private static BoundTables route(Fabric fabric) {
    RoutingResult result =
        Catalog.engine("ftree")
            .orElseThrow()
            .route(RoutingRequest.of(fabric, FatTreeRecogniser.recognise(fabric)));
    return new BoundTables(fabric, ((RoutingResult.Routed) result).tables());
  }

  private static Fabric read(Path net) throws IOException {
    return IbnetdiscoverReader.read(new Source(net.toString(), Files.readAllBytes(net))).get();
  }

  private static BoundTables tables(Path file, Fabric fabric) throws IOException {
    return TableFormats.read(new Source(file.toString(), Files.readAllBytes(file)), fabric).get();
  }
}
