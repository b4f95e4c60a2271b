package org.heddle.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.FabricBuilder;
import org.heddle.fabric.Guid;
import org.heddle.fabric.LinkSpeed;
import org.heddle.fabric.LinkWidth;
import org.heddle.text.lft.BoundTables;
import org.heddle.topology.generate.FabricExtras;
import org.heddle.verify.Audit;
import org.heddle.verify.AuditOptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Hosts with two ports, each at another leaf, and OpenSM: keys and routes of both, one port down.
 */
class ServeTwoPortsIT {
  private static final int LEAVES = 6;
  private static final int SPINES = 4;
  private static final int HOSTS = 8;
  private static final Fabric FABRIC = FabricExtras.withSmNode(fabric());
  private static final String HOST = IbsimFabric.idOf(FABRIC, FABRIC.findNode(smGuid()));

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path directory;

  private LiveController serve;

  @BeforeAll
  static void peers() {
    Peers.need();
  }

  /** Leaves in pairs: every host of a pair has its first port at one of them, its second there. */
  private static Fabric fabric() {
    FabricBuilder builder = new FabricBuilder();
    int[] spines = new int[SPINES];
    for (int s = 0; s < SPINES; s++) {
      spines[s] = builder.addSwitch(0x210000 + 0x100 * s, LEAVES + 2, "spine-" + s);
    }
    for (int pair = 0; pair < LEAVES / 2; pair++) {
      int[] leaves = new int[2];
      for (int i = 0; i < 2; i++) {
        int number = 2 * pair + i;
        leaves[i] = builder.addSwitch(0x200000 + 0x100 * number, HOSTS + SPINES, "leaf-" + number);
        for (int s = 0; s < SPINES; s++) {
          cable(builder, leaves[i], HOSTS + 1 + s, spines[s], number + 1);
        }
      }
      for (int h = 0; h < HOSTS; h++) {
        long guid = 0x100000 + 0x10L * (pair * HOSTS + h);
        int host = builder.addCa(guid, 2, "host-" + pair + "-" + h);
        for (int i = 0; i < 2; i++) {
          builder.setPortGuid(host, i + 1, guid + i + 1);
          cable(builder, host, i + 1, leaves[i], h + 1);
        }
      }
    }
    return builder.build();
  }

  private static void cable(FabricBuilder builder, int a, int portA, int b, int portB) {
    builder.connect(a, portA, b, portB, LinkWidth.X4, LinkSpeed.QDR);
  }

  private static long smGuid() {
    for (int node = FABRIC.switchCount(); node < FABRIC.nodeCount(); node++) {
      if (FABRIC.description(node).equals("sm-node")) {
        return FABRIC.nodeGuid(node);
      }
    }
    throw new AssertionError("no sm-node");
  }

  @Test
  void bothPortsOfAHostAreItsTenants() throws IOException {
    try (IbsimFabric ibsim = IbsimFabric.startUdp(directory, FABRIC);
        LiveController controller = LiveController.start(directory, ibsim, FABRIC, HOST);
        OpenSm opensm = controller.startOpenSm(ibsim, HOST)) {
      serve = controller;
      assertThat(opensm.timesUp()).isPositive();
      serve.awaitFine("in sync after the start");
      serve.call(
          "POST",
          "/v1/tenants",
          "{\"name\":\"red\",\"hosts\":5,\"policy\":\"def\",\"pkey\":\"0x101\"}");
      serve.call(
          "POST",
          "/v1/tenants",
          "{\"name\":\"blue\",\"hosts\":6,\"policy\":\"def\",\"pkey\":\"0x102\"}");
      serve.awaitFine("in sync with two tenants");
      Fabric live = ibsim.discover(HOST);
      prove(ibsim, live);
      for (int node = live.switchCount(); node < live.nodeCount(); node++) {
        keys(ibsim, live, node, 1);
      }
      linkIsDrained(ibsim, live);
      portGoes(ibsim, live);
    }
  }

  private Set<Integer> hosts(Fabric live, String tenant) {
    Set<Integer> out = new LinkedHashSet<>();
    for (JsonNode h : serve.call("GET", "/v1/tenants/" + tenant, "").get("hosts")) {
      out.add(live.findNode(Guid.parse(h.get("guid").stringValue()).value()));
    }
    return out;
  }

  /** Each linked port has its tenant's key and no other one's. */
  private void keys(IbsimFabric ibsim, Fabric live, int node, int from) {
    boolean red = hosts(live, "red").contains(node);
    boolean blue = hosts(live, "blue").contains(node);
    for (int number = from; number <= live.portCount(node); number++) {
      int port = live.port(node, number);
      if (live.peer(port) != Fabric.NONE) {
        String[] command = {"smpquery", "pkeys", String.valueOf(live.lid(port)), "0"};
        List<Integer> found = PkeyTables.parse(ibsim.run(HOST, command));
        assertThat(found.contains(0x8101)).as("%s %s", live.node(node), found).isEqualTo(red);
        assertThat(found.contains(0x8102)).as("%s %s", live.node(node), found).isEqualTo(blue);
      }
    }
  }

  private void prove(IbsimFabric ibsim, Fabric live) {
    BoundTables tables = ibsim.liveTables(HOST, live);
    assertThat(Audit.run(live, tables.tables(), AuditOptions.defaults()).clean()).isTrue();
    for (String name : List.of("red", "blue")) {
      assertThat(serve.call("GET", "/v1/tenants/" + name, "").get("broken")).isEmpty();
    }
  }

  /** One of a leaf's links to the spines. */
  private void linkIsDrained(IbsimFabric ibsim, Fabric live) {
    long epoch = serve.epoch();
    int leaf = live.findNode(0x200000);
    int port = live.port(leaf, HOSTS + 1);
    String path = "/v1/links/" + Guid.format(live.nodeGuid(leaf)) + ":" + live.numberOf(port);
    serve.call("PUT", path, "{\"state\":\"drained\",\"force\":true}");
    serve.await("in sync with a drained link", f -> f.get("epoch").longValue() == epoch + 1);
    BoundTables tables = ibsim.liveTables(HOST, live);
    for (int lid = 1; lid <= live.topLid(); lid++) {
      assertThat(tables.tables().port(leaf, lid)).as("LID %d", lid).isNotEqualTo(HOSTS + 1);
    }
    prove(ibsim, live);
    serve.call("PUT", path, "{\"state\":\"up\"}");
    serve.await("in sync with the link again", f -> f.get("epoch").longValue() == epoch + 2);
    prove(ibsim, live);
  }

  /** A host is reached by its other port, and gets its key back at the first one. */
  private void portGoes(IbsimFabric ibsim, Fabric before) {
    int host = hosts(before, "red").iterator().next();
    int first = before.port(host, 1);
    int lid = before.lid(first);
    long epoch = serve.epoch();
    ibsim.unlink(before, before.peer(first));
    serve.await("in sync without a port", f -> f.get("epoch").longValue() > epoch);
    Fabric without = ibsim.discover(HOST);
    int there = without.findNode(before.nodeGuid(host));
    assertThat(without.peer(without.port(there, 1))).isEqualTo(Fabric.NONE);
    prove(ibsim, without);
    keys(ibsim, without, there, 2);
    assertThat(hosts(without, "red")).contains(there);
    long then = serve.epoch();
    int peer = before.peer(first);
    ibsim.console(
        "ReLink \""
            + IbsimFabric.idOf(before, before.nodeOf(peer))
            + "\"["
            + before.numberOf(peer)
            + "]");
    serve.await("in sync with the port again", f -> f.get("epoch").longValue() > then);
    serve.awaitThat(
        "the port has its LID and its key again",
        () -> {
          Fabric now = ibsim.discover(HOST);
          int node = now.findNode(before.nodeGuid(before.nodeOf(first)));
          return now.lid(now.port(node, 1)) == lid
              && PkeyTables.parse(ibsim.run(HOST, "smpquery", "pkeys", String.valueOf(lid), "0"))
                  .contains(0x8101);
        });
    serve.awaitFine("without trouble");
    Fabric after = ibsim.discover(HOST);
    assertThat(after.lid(after.port(after.findNode(before.nodeGuid(host)), 1))).isEqualTo(lid);
    prove(ibsim, after);
    keys(ibsim, after, after.findNode(before.nodeGuid(host)), 1);
  }
}
