package org.heddle.smp.discover;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.FabricBuilder;
import org.heddle.fabric.Guid;
import org.heddle.fabric.LinkSpeed;
import org.heddle.fabric.LinkWidth;
import org.heddle.smp.Fabrics;
import org.heddle.smp.FakeNetwork;
import org.heddle.smp.client.SmpClient;
import org.heddle.smp.client.SmpRoute;
import org.heddle.text.topology.IbnetdiscoverWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is discovered is what there is. */
class FabricDiscoveryTest {
  private static String text(Fabric fabric) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      IbnetdiscoverWriter.write(fabric, out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void the_fabric_is_found_as_it_is_whatever_is_lost_and_overtaken(long seed) {
    Fabric fabric = Fabrics.damagedTree();
    FakeNetwork network = new FakeNetwork(fabric, Fabrics.anAdapter(fabric), seed);
    network.lossPercent = 5;
    network.doublePercent = 10;
    network.spread = true;
    try (SmpClient client = network.client(32)) {
      DiscoveredFabric discovered = FabricDiscovery.run(client);
      assertThat(discovered.warnings()).isEmpty();
      assertThat(text(discovered.fabric())).isEqualTo(text(fabric));
      assertThat(discovered.fabric().fingerprint()).isEqualTo(fabric.fingerprint());
      int leaf = fabric.peerNode(fabric.port(network.here, 1));
      assertThat(discovered.route(network.here)).isEqualTo(SmpRoute.HERE);
      assertThat(discovered.route(leaf)).isEqualTo(SmpRoute.directed(1));
      assertThat(discovered.linearFdbCap(leaf)).isEqualTo(FakeNetwork.CAP);
      assertThat(discovered.linearFdbTop(leaf)).isEqualTo(fabric.topLid());
    }
  }

  @Test
  void routes_are_the_same_whatever_comes_first() {
    Fabric fabric = Fabrics.damagedTree();
    DiscoveredFabric calm = discover(new FakeNetwork(fabric, Fabrics.anAdapter(fabric), 1));
    FakeNetwork restless = new FakeNetwork(fabric, Fabrics.anAdapter(fabric), 2);
    restless.spread = true;
    DiscoveredFabric other = discover(restless);
    for (int node = 0; node < fabric.nodeCount(); node++) {
      assertThat(other.route(node)).isEqualTo(calm.route(node));
    }
  }

  private static DiscoveredFabric discover(FakeNetwork network) {
    try (SmpClient client = network.client(16)) {
      return FabricDiscovery.run(client);
    }
  }

  /** Two switches, double link, a loopback plug, an adapter with a port at each. */
  private static FabricBuilder odd() {
    FabricBuilder builder = new FabricBuilder();
    int a = builder.addSwitch(0x20, 8, "a");
    int b = builder.addSwitch(0x30, 8, "b é");
    int two = builder.addCa(0x40, 2, "two ports");
    int one = builder.addCa(0x50, 1, "one");
    builder.setPortGuid(two, 1, 0x41);
    builder.setPortGuid(two, 2, 0x42);
    builder.setPortGuid(one, 1, 0x51);
    builder.connect(a, 1, b, 2, LinkWidth.X4, LinkSpeed.HDR);
    builder.connect(a, 2, b, 1, LinkWidth.X12, LinkSpeed.SDR);
    builder.connect(a, 5, a, 6, LinkWidth.X1, LinkSpeed.DDR);
    builder.connect(a, 3, two, 1, LinkWidth.X4, LinkSpeed.NDR);
    builder.connect(b, 3, two, 2, LinkWidth.X4, LinkSpeed.EDR);
    builder.connect(b, 4, one, 1, LinkWidth.X4, LinkSpeed.FDR);
    builder.setLid(a, 0, 1, 0);
    builder.setLid(b, 0, 2, 0);
    builder.setLid(two, 1, 8, 2);
    builder.setLid(two, 2, 12, 2);
    builder.setLid(one, 1, 3, 0);
    builder.setEnhancedPort0(b, true);
    builder.setIds(a, 0x2c9, 0xd2f2, 0x21);
    return builder;
  }

  @Test
  void odd_cables_and_adapters_with_two_ports_are_found_too() {
    Fabric fabric = odd().build();
    FakeNetwork network = new FakeNetwork(fabric, fabric.findNode(0x50), 1);
    DiscoveredFabric discovered = discover(network);
    assertThat(discovered.warnings()).isEmpty();
    assertThat(text(discovered.fabric())).isEqualTo(text(fabric));
    assertThat(discovered.route(fabric.findNode(0x40))).isEqualTo(SmpRoute.directed(1, 3));
    assertThat(discovered.fabric().lmc(discovered.fabric().findPort(0x42))).isEqualTo(2);
  }

  /** Whichever two nodes of a kind have one GUID, it is told, and nothing else is told twice. */
  @Test
  void two_nodes_of_one_guid_are_told() {
    Fabric fabric = Fabrics.damagedTree();
    int here = Fabrics.anAdapter(fabric);
    for (int a = 0; a < fabric.nodeCount(); a++) {
      int b = (a + 1) % fabric.nodeCount();
      if (fabric.isSwitch(a) != fabric.isSwitch(b) || a == here || b == here) {
        continue;
      }
      FakeNetwork network = new FakeNetwork(fabric, here, 1);
      network.nodeGuids.put(b, fabric.nodeGuid(a));
      network.portGuids.put(b, fabric.portGuid(fabric.port(a, fabric.isSwitch(a) ? 0 : 1)));
      String guid = Guid.format(fabric.nodeGuid(a));
      assertThat(discover(network).doubles())
          .as("%s and %s", fabric.node(a).display(), fabric.node(b).display())
          .isNotEmpty()
          .allMatch(text -> text.startsWith("2 nodes have the node GUID " + guid));
    }
  }

  @Test
  void two_ports_of_one_guid_are_told() {
    Fabric fabric = odd().build();
    FakeNetwork network = new FakeNetwork(fabric, fabric.findNode(0x50), 1);
    network.portGuids.put(fabric.findNode(0x50), 0x41L);
    assertThat(discover(network).doubles())
        .containsExactly(
            "2 ports have the port GUID 0x0000000000000041: port 1 of 'one'"
                + " (0x0000000000000050), and port 1 of 'two ports' (0x0000000000000040); give each"
                + " a GUID of its own");
  }

  /** Links between switches, loopbacks and adapters with two ports are found from both ends. */
  @Test
  void a_fabric_of_which_nothing_is_double_has_no_doubles() {
    Fabric fabric = odd().build();
    FakeNetwork network = new FakeNetwork(fabric, fabric.findNode(0x50), 1);
    assertThat(discover(network).doubles()).isEmpty();
    Fabric tree = Fabrics.damagedTree();
    assertThat(discover(new FakeNetwork(tree, Fabrics.anAdapter(tree), 1)).doubles()).isEmpty();
  }

  @Test
  void from_one_port_of_two_the_other_side_is_found_through_the_fabric() {
    Fabric fabric = odd().build();
    DiscoveredFabric discovered = discover(new FakeNetwork(fabric, fabric.findNode(0x40), 1));
    assertThat(text(discovered.fabric())).isEqualTo(text(fabric));
  }

  @Test
  void a_link_that_is_up_with_nothing_answering_behind_it_is_reported() {
    Fabric fabric = odd().build();
    FakeNetwork network = new FakeNetwork(fabric, fabric.findNode(0x50), 1);
    int twoPorts = fabric.findNode(0x40);
    network.mute = twoPorts;
    DiscoveredFabric discovered = discover(network);
    assertThat(discovered.fabric().nodeCount()).isEqualTo(3);
    assertThat(discovered.warnings())
        .hasSize(2)
        .allMatch(w -> w.startsWith("nothing usable behind port 3 of '"))
        .allMatch(w -> w.endsWith("no answer to 8 attempts"));
    Fabric seen = discovered.fabric();
    int port = seen.port(seen.findNode(0x30), 3);
    assertThat(discovered.linkUp(port)).isTrue();
    assertThat(seen.peer(port)).isEqualTo(Fabric.NONE);
  }

  @Test
  void where_nothing_answers_there_is_no_fabric() {
    Fabric fabric = odd().build();
    FakeNetwork network = new FakeNetwork(fabric, fabric.findNode(0x50), 1);
    network.lossPercent = 100;
    DiscoveredFabric nothing = discover(network);
    assertThat(nothing.fabric().nodeCount()).isZero();
    assertThat(nothing.warnings())
        .containsExactly(
            "nothing usable behind the port the datagrams start from: no answer to 8 attempts");
  }

  @Test
  void a_lid_that_two_ports_claim_belongs_to_the_first_that_was_found() {
    Fabric fabric = odd().build();
    FakeNetwork network = new FakeNetwork(fabric, fabric.findNode(0x50), 1);
    network.lidOf.put(fabric.port(fabric.findNode(0x20), 0), 9); // inside 8..11 of port 0x41
    DiscoveredFabric discovered = discover(network);
    assertThat(discovered.warnings())
        .containsExactly(
            "LID 8 of port 1 of 'two ports' (0x0000000000000040) belongs to another port as "
                + "well; it counts as having none");
    assertThat(discovered.fabric().lid(discovered.fabric().findPort(0x41))).isZero();
    assertThat(discovered.fabric().lid(discovered.fabric().port(0, 0))).isEqualTo(9);
  }

  @Test
  void the_tables_in_the_switches_are_read_as_far_as_they_look_them_up() {
    Fabric fabric = Fabrics.damagedTree();
    FakeNetwork network = new FakeNetwork(fabric, Fabrics.anAdapter(fabric), 4);
    network.lossPercent = 5;
    for (int sw = 0; sw < fabric.switchCount(); sw++) {
      for (int lid = 1; lid <= fabric.topLid() + 10; lid++) {
        network.tables[sw][lid] = (byte) ((sw + lid) % 9);
      }
    }
    network.tops[2] = 70;
    try (SmpClient client = network.client(16)) {
      DiscoveredFabric discovered = FabricDiscovery.run(client);
      TableAccess.LiveTables live = TableAccess.read(client, discovered);
      assertThat(live.warnings()).isEmpty();
      assertThat(live.tables().topLid()).isEqualTo(fabric.topLid());
      for (int sw = 0; sw < fabric.switchCount(); sw++) {
        for (int lid = 1; lid <= fabric.topLid(); lid++) {
          int expected = sw == 2 && lid > 70 ? 255 : (sw + lid) % 9;
          assertThat(live.tables().port(sw, lid)).isEqualTo(expected);
        }
      }
      TableAccess.LiveTables beyond = TableAccess.read(client, discovered, fabric.topLid() + 5);
      assertThat(beyond.tables().port(2, 71)).isEqualTo(73 % 9);
      assertThat(beyond.tables().port(1, fabric.topLid() + 5)).isEqualTo((fabric.topLid() + 6) % 9);
    }
  }

  @Test
  void a_sweep_notices_links_that_go_and_switches_that_fall_silent() {
    Fabric fabric = Fabrics.damagedTree();
    FakeNetwork network = new FakeNetwork(fabric, Fabrics.anAdapter(fabric), 4);
    try (SmpClient client = network.client(16)) {
      DiscoveredFabric discovered = FabricDiscovery.run(client);
      assertThat(LightSweep.run(client, discovered, false, false).isQuiet()).isTrue();

      int far = fabric.peerNode(fabric.port(fabric.nodeCount() - 1, 1));
      int up = upLink(fabric, far);
      network.cut(up);
      LightSweep.Report report = LightSweep.run(client, discovered, false, true);
      assertThat(report.changed())
          .contains(new LightSweep.LinkChange(up, false))
          .contains(new LightSweep.LinkChange(fabric.peer(up), false))
          .hasSize(2);
      assertThat(LightSweep.run(client, discovered, false, false).changed())
          .as("acknowledged")
          .isEmpty();
      assertThat(LightSweep.run(client, discovered, true, false).changed()).hasSize(2);

      int leaf = fabric.peerNode(fabric.port(network.here, 1));
      for (int n = 1; n <= fabric.portCount(leaf); n++) {
        int port = fabric.port(leaf, n);
        if (fabric.isSwitch(fabric.peerNode(port))) {
          network.cut(port);
        }
      }
      report = LightSweep.run(client, discovered, false, false);
      assertThat(report.silent()).hasSize(fabric.switchCount() - 1).doesNotContain(leaf);
    }
  }

  /** The last one: routes go by the first. */
  private static int upLink(Fabric fabric, int leaf) {
    for (int n = fabric.portCount(leaf); n > 0; n--) {
      if (fabric.isSwitch(fabric.peerNode(fabric.port(leaf, n)))) {
        return fabric.port(leaf, n);
      }
    }
    throw new AssertionError("no way up");
  }
}
