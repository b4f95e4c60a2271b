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
import org.heddle.catalog.Catalog;
import org.heddle.cli.Main;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.routing.ForwardingTables;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.text.Source;
import org.heddle.text.lft.BoundTables;
import org.heddle.text.lft.CompactTables;
import org.heddle.text.lft.TableFormats;
import org.heddle.text.topology.IbnetdiscoverWriter;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.Recognition;
import org.heddle.topology.generate.DamageSpec;
import org.heddle.topology.generate.FabricDamage;
import org.heddle.topology.generate.FabricExtras;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.heddle.verify.Audit;
import org.heddle.verify.AuditOptions;
import org.heddle.verify.AuditReport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * The whole way, with real programs: discover a fabric, route it, hand the tables to OpenSM, read
 * back what is in the switches.
 */
class LiveLoopIT {
  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path directory;

  @BeforeAll
  static void peers() {
    Peers.need();
  }

  @Test
  void tables_written_for_opensm_arrive_in_the_switches_and_changes_follow_a_hangup()
      throws IOException {
    Fabric planned = damagedTreeWithSmNode();
    try (IbsimFabric ibsim = IbsimFabric.start(directory, planned)) {
      String host = IbsimFabric.idOf(planned, smNode(planned));
      Fabric fabric = ibsim.discover(host);
      assertThat(Cabling.lines(fabric)).isEqualTo(Cabling.lines(planned));

      BoundTables computed = route(fabric.withAssignedLids());
      apply(fabric, computed);
      try (OpenSm opensm = startOpensm(ibsim, host)) {
        opensm.awaitUp(1);
        assertThat(opensm.log()).contains("file tables configured on all switches");
        BoundTables live = ibsim.liveTables(host, fabric);
        assertThat(audit(live).clean()).isTrue();
        assertThat(Cabling.differences(computed, live)).isEmpty();
        BoundTables dumped = dumpedTables(fabric);
        assertThat(Cabling.differences(computed, dumped)).isEmpty();
        checkPkeys(ibsim, host, live.fabric());

        BoundTables changed = oneRouteChanged(computed);
        apply(fabric, changed);
        opensm.reload();
        awaitTables(opensm, ibsim, host, changed);
        BoundTables reloaded = ibsim.liveTables(host, fabric);
        assertThat(Cabling.differences(live, reloaded)).hasSize(1);
        assertThat(Cabling.differences(changed, reloaded)).isEmpty();
        assertThat(audit(reloaded).clean()).isTrue();
        checkOneEntryByIbroute(ibsim, host, reloaded);

        int cable = upLink(fabric, leafOf(fabric, fabric.switchCount()), 1);
        ibsim.unlink(fabric, cable);
        Fabric broken = ibsim.discover(host);
        assertThat(Cabling.lines(broken)).hasSize(Cabling.lines(fabric).size() - 2);
        BoundTables rerouted = route(broken);
        apply(broken, rerouted);
        opensm.reload();
        awaitTables(opensm, ibsim, host, rerouted);
        assertThat(audit(ibsim.liveTables(host, broken)).clean()).isTrue();
      }
    }
  }

  /** Three spine or middle links are missing; the subnet manager's node is on a spine. */
  private static Fabric damagedTreeWithSmNode() {
    Fabric tree = TreeGenerator.generate(TreeSpec.parse("XGFT(3;4,4,4;1,4,4)"));
    DamageSpec damage = DamageSpec.none(7).withLinks(DamageSpec.Amount.of(3)).keepingConnected();
    return FabricExtras.withSmNode(FabricDamage.apply(tree, damage).fabric());
  }

  private static int smNode(Fabric fabric) {
    for (int node = fabric.switchCount(); node < fabric.nodeCount(); node++) {
      if (fabric.description(node).equals("sm-node")) {
        return node;
      }
    }
    throw new AssertionError("no sm-node");
  }

  private static BoundTables route(Fabric fabric) {
    Recognition recognition = FatTreeRecogniser.recognise(fabric);
    RoutingResult result =
        Catalog.engine("ftree").orElseThrow().route(RoutingRequest.of(fabric, recognition));
    assertThat(result).isInstanceOf(RoutingResult.Routed.class);
    BoundTables bound = new BoundTables(fabric, ((RoutingResult.Routed) result).tables());
    assertThat(audit(bound).clean()).isTrue();
    return bound;
  }

  private static AuditReport audit(BoundTables bound) {
    AuditOptions options = AuditOptions.defaults();
    if (FatTreeRecogniser.recognise(bound.fabric()) instanceof Recognition.Found found) {
      options = options.withTree(found.tree());
    }
    return Audit.run(bound.fabric(), bound.tables(), options);
  }

  /** {@code heddle apply --to opensm-files}; the files are replaced, OpenSM may be running. */
  private void apply(Fabric discovered, BoundTables bound) throws IOException {
    Path fabricFile = directory.resolve("fabric.topo");
    try (OutputStream out = Files.newOutputStream(fabricFile)) {
      IbnetdiscoverWriter.write(discovered, out);
    }
    Path tables = directory.resolve("tables.hlft");
    try (OutputStream out = Files.newOutputStream(tables)) {
      CompactTables.write(bound.fabric(), bound.tables(), out);
    }
    Path partitions = directory.resolve("tenants.conf");
    Files.writeString(partitions, partitions(bound.fabric()));
    List<String> words = new ArrayList<>(List.of("apply", fabricFile.toString()));
    words.addAll(List.of(tables.toString(), files().toString(), "--to", "opensm-files"));
    words.addAll(List.of("--partitions", partitions.toString()));
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream stream = new PrintStream(printed, true, StandardCharsets.UTF_8);
    int code = Main.run(words, InputStream.nullInputStream(), stream, stream, Map.of());
    assertThat(code).as(printed.toString(StandardCharsets.UTF_8)).isZero();
  }

  /** Where {@code heddle apply} writes. */
  private Path files() {
    return directory.resolve("for-opensm");
  }

  private OpenSm startOpensm(IbsimFabric ibsim, String host) {
    return OpenSm.start(
        ibsim,
        host,
        "-R",
        "file,no_fallback",
        "-U",
        files().resolve("opensm.lfts").toString(),
        "-P",
        files().resolve("partitions.conf").toString(),
        "-s",
        "10",
        "-D",
        "0x43");
  }

  private BoundTables dumpedTables(Fabric fabric) throws IOException {
    Path dump = directory.resolve("opensm-lfts.dump");
    return TableFormats.read(new Source("opensm-lfts.dump", Files.readAllBytes(dump)), fabric)
        .get();
  }

  /** Two tenants, 0x101 and 0x102, of two hosts each. */
  private static String partitions(Fabric fabric) {
    int first = fabric.switchCount();
    return "Default=0x7fff, ipoib : ALL=limited, ALL_SWITCHES=full, SELF=full ;\n"
        + tenant("tenant-a", 0x101, fabric, first, first + 5)
        + tenant("tenant-b", 0x102, fabric, first + 1, first + 6);
  }

  private static String tenant(String name, int pkey, Fabric fabric, int a, int b) {
    return String.format(
        "%s=0x%04x, defmember=full : %s, %s ;%n",
        name, pkey, hostPort(fabric, a), hostPort(fabric, b));
  }

  private static String hostPort(Fabric fabric, int node) {
    return Guid.format(fabric.portGuid(fabric.port(node, 1)));
  }

  private static void checkPkeys(IbsimFabric ibsim, String host, Fabric live) {
    int first = live.switchCount();
    assertThat(pkeys(ibsim, host, live, first)).containsExactly(0x7fff, 0x8101);
    assertThat(pkeys(ibsim, host, live, first + 1)).containsExactly(0x7fff, 0x8102);
    assertThat(pkeys(ibsim, host, live, first + 2)).containsExactly(0x7fff);
    assertThat(pkeys(ibsim, host, live, smNode(live))).containsExactly(0xffff);
  }

  private static List<Integer> pkeys(IbsimFabric ibsim, String host, Fabric live, int node) {
    int lid = live.lid(live.port(node, 1));
    return PkeyTables.parse(ibsim.run(host, "smpquery", "pkeys", String.valueOf(lid), "1"));
  }

  /** A leaf sends to a host under another spine group by another one of its upward ports. */
  private static BoundTables oneRouteChanged(BoundTables bound) {
    Fabric fabric = bound.fabric();
    int leaf = leafOf(fabric, fabric.switchCount());
    int far = fabric.nodeCount() - 2;
    int lid = fabric.lid(fabric.port(far, 1));
    int now = bound.tables().port(leaf, lid);
    for (int n = 1; n <= 4; n++) {
      int port = fabric.numberOf(upLink(fabric, leaf, n));
      ForwardingTables tables = bound.tables().with(leaf, lid, port);
      BoundTables changed = new BoundTables(fabric, tables);
      if (port != now && audit(changed).clean()) {
        return changed;
      }
    }
    throw new AssertionError("no other way up");
  }

  /** A third program's word for the entry of the last host at the first leaf. */
  private static void checkOneEntryByIbroute(IbsimFabric ibsim, String host, BoundTables live) {
    Fabric fabric = live.fabric();
    int leaf = leafOf(fabric, fabric.switchCount());
    int lid = fabric.lid(fabric.port(fabric.nodeCount() - 2, 1));
    String at = String.valueOf(fabric.lid(fabric.port(leaf, 0)));
    String printed = ibsim.run(host, "ibroute", at, String.valueOf(lid), String.valueOf(lid));
    assertThat(printed).contains(String.format("0x%04x %03d", lid, live.tables().port(leaf, lid)));
  }

  private static int leafOf(Fabric fabric, int host) {
    return fabric.peerNode(fabric.port(host, 1));
  }

  /** The n-th port of a leaf that leads to a switch. */
  private static int upLink(Fabric fabric, int leaf, int n) {
    int seen = 0;
    for (int k = 1; k <= fabric.portCount(leaf); k++) {
      int port = fabric.port(leaf, k);
      if (fabric.isSwitch(fabric.peerNode(port)) && ++seen == n) {
        return port;
      }
    }
    throw new AssertionError("leaf has only " + seen + " links up");
  }

  /** OpenSM sweeps for reasons of its own, too: wait for the tables, not for a sweep. */
  private static void awaitTables(
      OpenSm opensm, IbsimFabric ibsim, String host, BoundTables expected) {
    opensm.await(
        "the rerouted tables",
        () -> Cabling.differences(expected, ibsim.liveTables(host, expected.fabric())).isEmpty());
  }
}
