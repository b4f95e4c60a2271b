package org.heddle.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.routing.ForwardingTables;
import org.heddle.text.lft.BoundTables;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.Recognition;
import org.heddle.topology.generate.FabricExtras;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.heddle.verify.Audit;
import org.heddle.verify.AuditOptions;
import org.heddle.verify.links.LinkConfinement;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * The controller as a process of its own, OpenSM, and a simulated fabric of 324 hosts: tenants come
 * by REST, a link of one of them goes, and after each step the tables in the switches are proven.
 */
class ServeLiveIT {
  private static final Fabric TREE =
      FabricExtras.withSmNode(TreeGenerator.generate(TreeSpec.parse("XGFT(2;18,18;1,18)")));

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path directory;

  private LiveController serve;
  private String host;

  /** What one tenant has, and where the fabric then was. */
  private record Held(int[] ports, int[] links) {}

  @BeforeAll
  static void peers() {
    Peers.need();
  }

  @Test
  void aTenantIsMadeALinkGoesAndTheSwitchesFollow() throws Exception {
    host = IbsimFabric.idOf(TREE, smNode());
    try (IbsimFabric ibsim = IbsimFabric.startUdp(directory, TREE);
        LiveController controller = LiveController.start(directory, ibsim, TREE, host)) {
      serve = controller;
      try (OpenSm opensm = serve.startOpenSm(ibsim, host, "-s", "10")) {
        assertThat(opensm.timesUp()).isPositive();
        serve.await("in sync after the start", status -> true);
        tenants(ibsim);
        linkIsDrained(ibsim);
        switchIsDrained(ibsim);
        machines(ibsim);
        linkGoes(ibsim);
        linkGoesThatCannotBeReplaced(ibsim);
        othersComeAndGo(ibsim);
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

  private void tenants(IbsimFabric ibsim) {
    long before = serve.epoch();
    serve.call("POST", "/v1/tenants", "{\"name\":\"red\",\"hosts\":40,\"pkey\":\"0x101\"}");
    serve.call("POST", "/v1/tenants", "{\"name\":\"blue\",\"hosts\":25,\"pkey\":\"0x102\"}");
    serve.call(
        "POST",
        "/ufmRest/resources/pkeys",
        "{\"pkey\":\"0x103\",\"guids\":[\""
            + Guid.hex16(TREE.portGuid(TREE.port(TREE.nodeCount() - 2, 1)))
            + "\",\"0200000000000001\"]}");
    serve.await("in sync with tenants", f -> f.get("epoch").longValue() >= before + 3);
    Fabric live = ibsim.discover(host);
    prove(ibsim.liveTables(host, live), "red", "blue");
    Held red = held("red", live);
    assertThat(keys(ibsim, live, red.ports[3])).containsExactlyInAnyOrder(0x7fff, 0x8101);
    int member = live.findPort(TREE.portGuid(TREE.port(TREE.nodeCount() - 2, 1)));
    assertThat(keys(ibsim, live, member)).contains(0x8103);
  }

  /** LIDs of machines' own might crash OpenSM; those that share their host's change no table. */
  private void machines(IbsimFabric ibsim) throws Exception {
    Fabric live = ibsim.discover(host);
    ForwardingTables before = ibsim.liveTables(host, live).tables();
    JsonNode hosts = serve.call("GET", "/v1/tenants/red", "").get("hosts");
    String body =
        "{\"name\":\"web\",\"tenant\":\"red\",\"host\":\"%s\"}"
            .formatted(hosts.get(0).get("guid").stringValue());
    HttpResponse<String> refused = serve.answer("POST", "/v1/vms", body);
    assertThat(refused.statusCode()).isEqualTo(409);
    assertThat(refused.body()).contains("own_lid false");
    serve.call("POST", "/v1/vms", body.replace("}", ",\"own_lid\":false}"));
    String to = hosts.get(39).get("guid").stringValue();
    String moves = "{\"moves\":[{\"vm\":\"web\",\"to\":\"%s\"}]}".formatted(to);
    JsonNode m = serve.call("POST", "/v1/migrations", moves);
    long epoch = m.get("epoch").longValue();
    serve.await("in sync with a machine", f -> f.get("epoch").longValue() >= epoch);
    int port = live.port(node(live, hosts.get(39).get("guid")), 1);
    assertThat(m.get("moves").get(0).get("lid").intValue()).isEqualTo(live.lid(port));
    assertThat(ibsim.liveTables(host, live).tables()).isEqualTo(before);
    serve.call("DELETE", "/v1/vms/web", "");
  }

  private List<Integer> keys(IbsimFabric ibsim, Fabric live, int port) {
    String lid = String.valueOf(live.lid(port));
    return PkeyTables.parse(ibsim.run(host, "smpquery", "pkeys", lid, "1"));
  }

  private Held held(String name, Fabric live) {
    JsonNode tenant = serve.call("GET", "/v1/tenants/" + name, "");
    assertThat(tenant.get("broken")).isEmpty();
    List<Integer> ports = new ArrayList<>();
    tenant.get("hosts").forEach(h -> ports.add(live.port(node(live, h.get("guid")), 1)));
    List<Integer> links = new ArrayList<>();
    tenant
        .get("links")
        .forEach(l -> links.add(live.port(node(live, l.get("from")), l.get("port").intValue())));
    return new Held(
        ports.stream().mapToInt(i -> i).toArray(), links.stream().mapToInt(i -> i).toArray());
  }

  private static int node(Fabric live, JsonNode guid) {
    return live.findNode(Guid.parse(guid.stringValue()).value());
  }

  private void prove(BoundTables live, String... names) {
    Recognition.Found tree = (Recognition.Found) FatTreeRecogniser.recognise(live.fabric());
    assertThat(
            Audit.run(live.fabric(), live.tables(), AuditOptions.defaults().withTree(tree.tree()))
                .clean())
        .isTrue();
    for (String name : names) {
      Held held = held(name, live.fabric());
      LinkConfinement.Result r =
          LinkConfinement.check(live.fabric(), live.tables(), held.ports, held.links);
      assertThat(r.confined()).as(name + ": " + r).isTrue();
    }
  }

  private void linkGoes(IbsimFabric ibsim) {
    Fabric before = ibsim.discover(host);
    ForwardingTables old = ibsim.liveTables(host, before).tables();
    Held red = held("red", before);
    int cable = cable(before, red, false);
    long epoch = serve.epoch();
    long began = System.nanoTime();
    ibsim.unlink(before, cable);
    JsonNode clean = awaitCabling(ibsim, "without the link");
    long millis = (System.nanoTime() - began) / 1_000_000;
    Fabric after = ibsim.discover(host);
    assertThat(Cabling.lines(after)).hasSize(Cabling.lines(before).size() - 2);
    BoundTables live = ibsim.liveTables(host, after);
    prove(live, "red", "blue");
    Changed changed = onlyAffected(before, old, live, cable, red);
    int blocks = changed.blocks;
    Set<Integer> lids = changed.lids;
    assertThat(blocks).isPositive();
    System.err.printf(
        "ServeLiveIT: %d ms from the unlink command to clean tables, %d of %d blocks changed,"
            + " %d LIDs, epoch %d to %d%n",
        millis,
        blocks,
        before.switchCount() * (before.topLid() / ForwardingTables.BLOCK_SIZE + 1),
        lids.size(),
        epoch,
        clean.get("epoch").longValue());
  }

  /** Blocks and LIDs whose entries are others. */
  private record Changed(int blocks, Set<Integer> lids) {}

  /**
   * Only the tenant's entries are others, those at the ends of the cable and of what it got
   * instead, and those of LIDs that went over these; of the other tenant none that did not.
   */
  private Changed onlyAffected(
      Fabric before, ForwardingTables old, BoundTables live, int cable, Held red) {
    Held now = held("red", live.fabric());
    Set<Integer> red0 = lids(red, before);
    Set<Integer> blue = lids(held("blue", live.fabric()), live.fabric());
    List<Integer> touched = new ArrayList<>(List.of(cable));
    for (int link : now.links) {
      if (Arrays.stream(red.links).noneMatch(l -> l == link)) {
        touched.add(link);
      }
    }
    int blocks = 0;
    Set<Integer> lids = new TreeSet<>();
    for (int sw = 0; sw < before.switchCount(); sw++) {
      blocks += old.differingBlocks(sw, live.tables());
      for (int lid = 1; lid <= before.topLid(); lid++) {
        if (old.port(sw, lid) != live.tables().port(sw, lid)) {
          lids.add(lid);
          int l = lid;
          int here = sw;
          boolean near = touched.stream().anyMatch(c -> ends(before, c).contains(here));
          boolean used = touched.stream().anyMatch(c -> usedTheCable(before, old, l, c));
          assertThat(red0.contains(lid) || near || used).as("switch %d, LID %d", sw, lid).isTrue();
          assertThat(blue.contains(lid) && !used)
              .as("switch %d, LID %d of blue", sw, lid)
              .isFalse();
        }
      }
    }
    return new Changed(blocks, lids);
  }

  private static String id(Fabric f, int port) {
    return Guid.format(f.nodeGuid(f.nodeOf(port))) + ":" + f.numberOf(port);
  }

  /** LIDs that leave a switch by a port. */
  private static Set<Integer> through(BoundTables live, int port) {
    Set<Integer> out = new TreeSet<>();
    for (int lid = 1; lid <= live.tables().topLid(); lid++) {
      if (live.tables().port(live.fabric().nodeOf(port), lid) == live.fabric().numberOf(port)) {
        out.add(lid);
      }
    }
    return out;
  }

  /** Taken out of service, pulled, put back, and into service again. */
  private void linkIsDrained(IbsimFabric ibsim) {
    Fabric before = ibsim.discover(host);
    ForwardingTables old = ibsim.liveTables(host, before).tables();
    Held red = held("red", before);
    int cable = cable(before, red, false);
    long epoch = serve.epoch();
    long began = System.nanoTime();
    serve.call("PUT", "/v1/links/" + id(before, cable), "{\"state\":\"drained\"}");
    serve.await("in sync with a drained link", f -> f.get("epoch").longValue() > epoch);
    long millis = (System.nanoTime() - began) / 1_000_000;
    Fabric after = ibsim.discover(host);
    assertThat(Cabling.lines(after)).isEqualTo(Cabling.lines(before));
    BoundTables live = ibsim.liveTables(host, after);
    prove(live, "red", "blue");
    assertThat(through(live, cable)).isEmpty();
    assertThat(through(live, after.peer(cable))).isEmpty();
    Changed changed = onlyAffected(before, old, live, cable, red);
    assertThat(changed.blocks).isPositive();
    System.err.printf(
        "ServeLiveIT: link drained, %d ms to tables read back, %d of %d blocks changed, %d LIDs%n",
        millis,
        changed.blocks,
        before.switchCount() * (before.topLid() / ForwardingTables.BLOCK_SIZE + 1),
        changed.lids.size());
    ibsim.unlink(before, cable);
    awaitCabling(ibsim, "without the drained link");
    same(live, ibsim.liveTables(host, ibsim.discover(host)));
    ibsim.relink(before, cable);
    awaitCabling(ibsim, "with the drained link again");
    same(live, ibsim.liveTables(host, ibsim.discover(host)));
    assertThat(serve.call("GET", "/v1/links?state=drained", "").get("items")).hasSize(1);
    long drained = serve.epoch();
    serve.call("PUT", "/v1/links/" + id(before, cable), "{\"state\":\"up\"}");
    serve.await("in sync with the link in service", f -> f.get("epoch").longValue() > drained);
    prove(ibsim.liveTables(host, ibsim.discover(host)), "red", "blue");
  }

  private JsonNode awaitCabling(IbsimFabric ibsim, String what) {
    return serve.awaitCabling(ibsim.discover(host), what);
  }

  private static void same(BoundTables before, BoundTables after) {
    for (int sw = 0; sw < before.fabric().switchCount(); sw++) {
      assertThat(before.tables().differingBlocks(sw, after.tables())).as("switch %d", sw).isZero();
    }
  }

  /** Nobody's route crosses it, and its management is reached by its LID. */
  private void switchIsDrained(IbsimFabric ibsim) {
    Fabric before = ibsim.discover(host);
    Held red = held("red", before);
    int spine = before.nodeOf(before.peer(red.links[0]));
    long epoch = serve.epoch();
    String node = "/v1/nodes/" + Guid.format(before.nodeGuid(spine));
    serve.call("PUT", node, "{\"state\":\"drained\",\"force\":true}");
    serve.await("in sync with a drained switch", f -> f.get("epoch").longValue() > epoch);
    BoundTables live = ibsim.liveTables(host, ibsim.discover(host));
    Recognition.Found tree = (Recognition.Found) FatTreeRecogniser.recognise(live.fabric());
    assertThat(
            Audit.run(live.fabric(), live.tables(), AuditOptions.defaults().withTree(tree.tree()))
                .clean())
        .isTrue();
    int own = before.lid(before.port(spine, 0));
    Set<Integer> reached = new HashSet<>(Set.of(own));
    List<Integer> below = new ArrayList<>();
    for (int k = 1; k <= before.portCount(spine); k++) {
      int peer = before.peer(before.port(spine, k));
      if (peer != Fabric.NONE && before.isSwitch(before.nodeOf(peer))) {
        below.add(peer);
      } else if (peer != Fabric.NONE) {
        reached.add(before.lid(peer)); // where OpenSM itself is linked
      }
    }
    assertThat(below).hasSize(18);
    below.forEach(port -> assertThat(through(live, port)).isSubsetOf(reached));
    assertThat(ibsim.run(host, "smpquery", "nodeinfo", String.valueOf(own)))
        .contains(Guid.format(before.nodeGuid(spine)));
    long drained = serve.epoch();
    serve.call("PUT", node, "{\"state\":\"up\"}");
    serve.await("in sync with the switch in service", f -> f.get("epoch").longValue() > drained);
    prove(ibsim.liveTables(host, ibsim.discover(host)), "red", "blue");
  }

  private static List<Integer> ends(Fabric f, int cable) {
    return List.of(f.nodeOf(cable), f.nodeOf(f.peer(cable)));
  }

  private static Set<Integer> lids(Held held, Fabric f) {
    Set<Integer> out = new HashSet<>();
    for (int port : held.ports) {
      out.add(f.lid(port));
    }
    return out;
  }

  /** A link of a tenant, of the leaf of which it has most links, or fewest. */
  private static int cable(Fabric f, Held held, boolean most) {
    Map<Integer, Integer> count = new HashMap<>();
    for (int link : held.links) {
      count.merge(f.nodeOf(link), 1, Integer::sum);
    }
    int best = held.links[0];
    for (int link : held.links) {
      int less = count.get(f.nodeOf(link)) - count.get(f.nodeOf(best));
      best = (most ? less > 0 : less < 0) ? link : best;
    }
    return best;
  }

  /** All links of that leaf are the tenant's: there is none to take instead. */
  private void linkGoesThatCannotBeReplaced(IbsimFabric ibsim) {
    Fabric before = ibsim.discover(host);
    int cable = cable(before, held("red", before), true);
    ibsim.unlink(before, cable);
    awaitCabling(ibsim, "without the second link");
    assertThat(serve.call("GET", "/v1/tenants/red", "").get("broken")).hasSize(1);
    prove(ibsim.liveTables(host, ibsim.discover(host)), "blue");
    ibsim.relink(before, cable);
    awaitCabling(ibsim, "with the second link");
    prove(ibsim.liveTables(host, ibsim.discover(host)), "red", "blue");
  }

  /** A host without tenant and a switch of the top go and come back. */
  private void othersComeAndGo(IbsimFabric ibsim) {
    Fabric all = ibsim.discover(host);
    Set<Integer> taken = new HashSet<>();
    Arrays.stream(held("red", all).ports).forEach(p -> taken.add(all.nodeOf(p)));
    Arrays.stream(held("blue", all).ports).forEach(p -> taken.add(all.nodeOf(p)));
    int free = all.switchCount();
    while (taken.contains(free) || all.description(free).equals("sm-node")) {
      free++;
    }
    List<String> cable = List.of(end(all, all.peer(all.port(free, 1))));
    measure(ibsim, "host gone", cable, "Unlink");
    measure(ibsim, "unknown host", cable, "ReLink");
    int top = all.switchCount() - 1;
    List<String> cables = new ArrayList<>();
    for (int k = 1; k <= all.portCount(top); k++) {
      int peer = all.peer(all.port(top, k));
      if (peer != Fabric.NONE && !all.description(all.nodeOf(peer)).equals("sm-node")) {
        cables.add(end(all, peer));
      }
    }
    measure(ibsim, "switch gone", cables, "Unlink");
    measure(ibsim, "unknown switch", cables, "ReLink");
  }

  /** A port as the simulator's console names it. */
  private static String end(Fabric f, int port) {
    return " \"" + IbsimFabric.idOf(f, f.nodeOf(port)) + "\"[" + f.numberOf(port) + "]";
  }

  private void measure(IbsimFabric ibsim, String what, List<String> ends, String command) {
    Fabric before = ibsim.discover(host);
    BoundTables old = ibsim.liveTables(host, before);
    long began = System.nanoTime();
    ends.forEach(end -> ibsim.console(command + end));
    long typed = (System.nanoTime() - began) / 1_000_000;
    int nodes = before.nodeCount() + (command.equals("Unlink") ? -1 : 1);
    JsonNode fabric = awaitCabling(ibsim, what);
    assertThat(fabric.get("hosts").intValue() + fabric.get("switches").intValue()).isEqualTo(nodes);
    long millis = (System.nanoTime() - began) / 1_000_000;
    BoundTables now = ibsim.liveTables(host, ibsim.discover(host));
    Recognition.Found tree = (Recognition.Found) FatTreeRecogniser.recognise(now.fabric());
    assertThat(
            Audit.run(now.fabric(), now.tables(), AuditOptions.defaults().withTree(tree.tree()))
                .clean())
        .isTrue();
    System.err.printf(
        "ServeLiveIT: %s: %d ms to clean tables, of that %d ms for %d commands; %d blocks of %d"
            + " switches changed%n",
        what, millis, typed, ends.size(), changed(old, now), before.switchCount());
  }

  /** Blocks of switches that are there before and after. */
  private static int changed(BoundTables old, BoundTables now) {
    int count = 0;
    int top = Math.max(old.tables().topLid(), now.tables().topLid());
    for (int sw = 0; sw < old.fabric().switchCount(); sw++) {
      int there = now.fabric().findNode(old.fabric().nodeGuid(sw));
      for (int from = 0; there != Fabric.NONE && from <= top; from += 64) {
        boolean same = true;
        for (int lid = from; lid < from + 64; lid++) {
          same &= old.tables().port(sw, lid) == now.tables().port(there, lid);
        }
        count += same ? 0 : 1;
      }
    }
    return count;
  }

  /** True if a switch at either end of a cable sent packets to a LID over it. */
  private static boolean usedTheCable(Fabric f, ForwardingTables tables, int lid, int cable) {
    int peer = f.peer(cable);
    return tables.port(f.nodeOf(cable), lid) == f.numberOf(cable)
        || tables.port(f.nodeOf(peer), lid) == f.numberOf(peer);
  }
}
