package org.heddle.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.text.lft.BoundTables;
import org.heddle.topology.generate.FabricExtras;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.heddle.verify.links.LinkConfinement;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Two tenants lose a link each of the same leaf of a simulated fabric with OpenSM: both are named,
 * neither gets what the other has, nobody else gets their hosts, and both are whole when the cables
 * are back. The scenarios without a fabric are those of {@code PromiseTest}.
 */
class PromiseLiveIT {
  private static final Fabric TREE =
      FabricExtras.withSmNode(TreeGenerator.generate(TreeSpec.parse("XGFT(2;4,8;1,4)")));

  private static final String A = "0x8101";
  private static final String B = "0x8102";

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path directory;

  private LiveController serve;
  private String host;

  @BeforeAll
  static void peers() {
    Peers.need();
  }

  private static int node(String name) {
    for (int node = 0; node < TREE.nodeCount(); node++) {
      if (TREE.description(node).equals(name)) {
        return node;
      }
    }
    throw new AssertionError("no " + name);
  }

  @Test
  void twoTenantsThatLoseLinksOfOneLeafKeepTheRestAndAreWholeAgain() throws Exception {
    host = IbsimFabric.idOf(TREE, node("sm-node"));
    try (IbsimFabric ibsim = IbsimFabric.startUdp(directory, TREE);
        LiveController controller = LiveController.start(directory, ibsim, TREE, host)) {
      serve = controller;
      try (OpenSm opensm = serve.startOpenSm(ibsim, host, "-s", "10")) {
        assertThat(opensm.timesUp()).isPositive();
        serve.await("in sync after the start", status -> true);
        linksGoAndComeBack(ibsim);
      }
    }
  }

  private void linksGoAndComeBack(IbsimFabric ibsim) {
    assertThat(create("a", "links", "0x101", "H_0_0", "H_0_1", "H_1_0", "H_1_1").statusCode())
        .isEqualTo(201);
    HttpResponse<String> second = create("b", "links", "0x102", "H_0_2", "H_0_3", "H_1_2", "H_1_3");
    assertThat(second.statusCode()).isEqualTo(201);
    serve.await("in sync with tenants", f -> f.get("epoch").longValue() >= 2);
    Fabric whole = ibsim.discover(host);
    List<Integer> lost = List.of(linkAtLeaf("a", whole), linkAtLeaf("b", whole));
    lost.forEach(port -> ibsim.unlink(whole, port));
    awaitCabling(ibsim, "without two links");
    Fabric damaged = ibsim.discover(host);
    assertThat(tenant("a").get("broken")).hasSize(1);
    assertThat(tenant("b").get("broken")).hasSize(1);
    assertThat(ends("a")).doesNotContainAnyElementsOf(ends("b"));
    assertThat(create("c", "def", "0x103", "H_0_2", "H_0_3", "H_1_2", "H_1_3").statusCode())
        .isEqualTo(409);
    keysAreTheOwnOnly(ibsim, damaged);
    for (int port : lost) {
      ibsim.relink(whole, port);
    }
    awaitCabling(ibsim, "with both links");
    Fabric after = ibsim.discover(host);
    BoundTables live = ibsim.liveTables(host, after);
    for (String name : List.of("a", "b")) {
      assertThat(tenant(name).get("broken")).isEmpty();
      assertThat(
              LinkConfinement.check(
                      after, live.tables(), hostPorts(name, after), ports(name, after))
                  .confined())
          .as(name)
          .isTrue();
    }
    keysAreTheOwnOnly(ibsim, after);
    assertThat(serve.answer("GET", "/readyz", "").statusCode()).isEqualTo(200);
    assertThat(create("d", "links", "0x104", "H_2_0", "H_3_0").statusCode()).isEqualTo(201);
    long epoch = serve.epoch();
    serve.await("in sync with another tenant", f -> f.get("epoch").longValue() >= epoch);
  }

  private HttpResponse<String> create(String name, String policy, String key, String... hosts) {
    List<String> guids = new ArrayList<>();
    for (String h : hosts) {
      guids.add('"' + Guid.format(TREE.nodeGuid(node(h))) + '"');
    }
    return serve.answer(
        "POST",
        "/v1/tenants",
        "{\"name\":\"%s\",\"policy\":\"%s\",\"pkey\":\"%s\",\"host_guids\":[%s]}"
            .formatted(name, policy, key, String.join(",", guids)));
  }

  private JsonNode tenant(String name) {
    return serve.call("GET", "/v1/tenants/" + name, "");
  }

  /** A link of a tenant that leaves the first leaf. */
  private int linkAtLeaf(String name, Fabric f) {
    for (int port : ports(name, f)) {
      if (f.nodeGuid(f.nodeOf(port)) == TREE.nodeGuid(node("S1_0"))) {
        return port;
      }
    }
    throw new AssertionError("no link of " + name);
  }

  private int[] ports(String name, Fabric f) {
    List<Integer> out = new ArrayList<>();
    for (JsonNode l : tenant(name).get("links")) {
      int node = f.findNode(Guid.parse(l.get("from").stringValue()).value());
      out.add(f.port(node, l.get("port").intValue()));
    }
    return out.stream().mapToInt(i -> i).toArray();
  }

  private Set<String> ends(String name) {
    Set<String> out = new TreeSet<>();
    for (JsonNode l : tenant(name).get("links")) {
      out.add(l.get("from").stringValue() + " " + l.get("port"));
      out.add(l.get("to").stringValue() + " " + l.get("to_port"));
    }
    return out;
  }

  private int[] hostPorts(String name, Fabric f) {
    List<Integer> out = new ArrayList<>();
    for (JsonNode h : tenant(name).get("hosts")) {
      out.add(f.port(f.findNode(Guid.parse(h.get("guid").stringValue()).value()), 1));
    }
    return out.stream().mapToInt(i -> i).toArray();
  }

  private void keysAreTheOwnOnly(IbsimFabric ibsim, Fabric f) {
    for (String name : List.of("a", "b")) {
      int own = Integer.decode(name.equals("a") ? A : B);
      for (int port : hostPorts(name, f)) {
        String lid = String.valueOf(f.lid(port));
        assertThat(PkeyTables.parse(ibsim.run(host, "smpquery", "pkeys", lid, "1")))
            .containsExactlyInAnyOrder(0x7fff, own);
      }
    }
  }

  private void awaitCabling(IbsimFabric ibsim, String what) {
    serve.awaitCabling(ibsim.discover(host), what);
  }
}
