package org.heddle.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.mad.AttributeId;
import org.heddle.mad.MadMethod;
import org.heddle.mad.PKeyBlock;
import org.heddle.mad.PortInfo;
import org.heddle.routing.ForwardingTables;
import org.heddle.smp.client.SmpClient;
import org.heddle.smp.client.SmpOptions;
import org.heddle.smp.client.SmpOutcome;
import org.heddle.smp.client.SmpRoute;
import org.heddle.smp.discover.DiscoveredFabric;
import org.heddle.smp.discover.FabricDiscovery;
import org.heddle.smp.transport.SmpTransport;
import org.heddle.smp.transport.TransportSpec;
import org.heddle.text.Source;
import org.heddle.text.opensm.PartitionsConfReader;
import org.heddle.topology.generate.FabricExtras;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.heddle.verify.Audit;
import org.heddle.verify.AuditOptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * What a controller does with an OpenSM that does not have the lanes, believes in entries that
 * somebody else has overwritten, ends and comes back, or is not the master any more.
 */
class ServeOpensmIT {
  private static final Fabric TREE =
      FabricExtras.withSmNode(TreeGenerator.generate(TreeSpec.parse("XGFT(2;6,6;1,6)")));
  private static final String HOST = IbsimFabric.idOf(TREE, smNode());
  private static final Pattern LEVEL = Pattern.compile("sl\\.+(0x[0-9A-Fa-f]+)");
  private static final String IDENTITY = ": | 0| 1| 2| 3| 4| 5| 6| 7| 0| 1| 2| 3| 4| 5| 6| 7|";

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path directory;

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

  private static void lanes(LiveController serve) {
    for (String name : List.of("red", "blue")) {
      serve.call(
          "POST", "/v1/tenants", "{\"name\":\"" + name + "\",\"hosts\":17,\"policy\":\"vlane\"}");
    }
  }

  /** Service levels of the partitions that OpenSM was given, by key, the default one's left out. */
  private static TreeMap<Integer, Integer> levels(LiveController serve) throws IOException {
    Path file = serve.files().resolve("partitions.conf");
    TreeMap<Integer, Integer> out = new TreeMap<>();
    PartitionsConfReader.read(new Source("p", Files.readAllBytes(file)))
        .get()
        .definitions()
        .forEach(d -> out.put(d.pkey(), d.flags().sl()));
    out.remove(0x7fff);
    return out;
  }

  private static List<String> lanesAt(IbsimFabric ibsim, Fabric live, int node, int port) {
    int lid = live.lid(live.port(node, live.isSwitch(node) ? 0 : 1));
    return ibsim
        .run(HOST, "smpquery", "sl2vl", String.valueOf(lid), String.valueOf(port))
        .lines()
        .filter(l -> l.startsWith("ports:"))
        .map(l -> l.substring(l.indexOf(": |")))
        .distinct()
        .toList();
  }

  /** The service level of the path between the first two hosts of a tenant. */
  private static int level(LiveController serve, IbsimFabric ibsim, Fabric live, String tenant) {
    List<Integer> lids = new ArrayList<>();
    for (JsonNode h : serve.call("GET", "/v1/tenants/" + tenant, "").get("hosts")) {
      int node = live.findNode(Guid.parse(h.get("guid").stringValue()).value());
      lids.add(live.lid(live.port(node, 1)));
    }
    String answer =
        ibsim.run(HOST, "saquery", "-p", "--src-to-dst", lids.get(0) + ":" + lids.get(1));
    Matcher m = LEVEL.matcher(answer);
    assertThat(m.find()).as(answer).isTrue();
    return Integer.decode(m.group(1));
  }

  @Test
  void lanesComeAndGoWhileOpensmRuns() throws IOException {
    try (IbsimFabric ibsim = IbsimFabric.startUdp(directory, TREE);
        LiveController serve = LiveController.start(directory, ibsim, TREE, HOST)) {
      assertThat(serve.startCommand())
          .isEqualTo("opensm -F " + serve.files().resolve("opensm.conf"));
      serve.awaitTrouble("no subnet manager has been here yet: start OpenSM with opensm -F");
      try (OpenSm opensm = serve.startOpenSm(ibsim, HOST)) {
        serve.awaitFine("in sync after the start");
        Fabric live = ibsim.discover(HOST);
        assertThat(lanesAt(ibsim, live, 0, 1)).doesNotContain(IDENTITY);
        long pid = opensm.pid();
        lanes(serve);
        serve.awaitFine("in sync with lanes");
        TreeMap<Integer, Integer> levels = levels(serve);
        assertThat(levels.values()).hasSize(2).doesNotHaveDuplicates();
        for (int node : new int[] {0, live.switchCount() - 1, live.switchCount() + 3}) {
          assertThat(lanesAt(ibsim, live, node, 1)).containsExactly(IDENTITY);
        }
        List<Integer> ofPaths = new ArrayList<>();
        for (String name : List.of("red", "blue")) {
          ofPaths.add(level(serve, ibsim, live, name));
        }
        assertThat(ofPaths).containsExactlyInAnyOrderElementsOf(levels.values());
        serve.call("DELETE", "/v1/tenants/red", "");
        serve.call("DELETE", "/v1/tenants/blue", "");
        serve.awaitFine("in sync without lanes");
        assertThat(opensm.pid()).isEqualTo(pid);
        assertThat(Files.readString(serve.files().resolve("opensm.conf"))).contains("qos FALSE");
        System.err.println(
            "ServeOpensmIT: lanes came and went under OpenSM " + pid + ": " + levels);
      }
    }
  }

  @Test
  void lanesThatAreNotInForceAreTold() throws IOException {
    try (IbsimFabric ibsim = IbsimFabric.startUdp(directory, TREE);
        LiveController serve = LiveController.start(directory, ibsim, TREE, HOST)) {
      String tables = serve.files().resolve("opensm.lfts").toString();
      String keys = serve.files().resolve("partitions.conf").toString();
      try (OpenSm opensm =
          OpenSm.start(ibsim, HOST, "-R", "file,no_fallback", "-U", tables, "-P", keys)) {
        opensm.awaitUp(1);
        serve.tell(opensm);
        serve.awaitFine("in sync after the start");
        lanes(serve);
        String told = serve.awaitTrouble("lanes are not in force: port ");
        assertThat(told)
            .contains("start OpenSM again with opensm -F " + serve.files().resolve("opensm.conf"));
        System.err.println("ServeOpensmIT: " + told);
      }
      try (OpenSm again = serve.startOpenSm(ibsim, HOST)) {
        serve.awaitFine("lanes in force after OpenSM has been started with its options");
        assertThat(again.timesUp()).isPositive();
      }
    }
  }

  @Test
  void entriesAndKeysOfSomebodyElseAreMended() throws IOException {
    try (IbsimFabric ibsim = IbsimFabric.startUdp(directory, TREE);
        LiveController serve = LiveController.start(directory, ibsim, TREE, HOST);
        OpenSm opensm = serve.startOpenSm(ibsim, HOST)) {
      serve.awaitFine("in sync after the start");
      serve.call("POST", "/v1/tenants", "{\"name\":\"red\",\"hosts\":10}");
      serve.awaitFine("in sync with a tenant");
      Fabric live = ibsim.discover(HOST);
      ForwardingTables right = ibsim.liveTables(HOST, live).tables();
      assertThat(opensm.timesUp()).isPositive();
      long told = serve.reloads();
      long[] millis = new long[3];
      for (int run = 0; run < millis.length; run++) {
        millis[run] = entryIsMended(serve, ibsim, live, right, run);
      }
      assertThat(serve.reloads()).as("OpenSM was not asked").isEqualTo(told);
      System.err.printf(
          "ServeOpensmIT: wrong entries, written by somebody else, were right again %s ms after"
              + " that%n",
          Arrays.toString(millis));
      keyIsMended(serve, ibsim, live);
    }
  }

  /** Points some entries of a block of a switch elsewhere and waits until they are right again. */
  private static long entryIsMended(
      LiveController serve, IbsimFabric ibsim, Fabric live, ForwardingTables right, int run)
      throws IOException {
    int sw = live.peerNode(live.port(live.findNode(TREE.nodeGuid(smNode())), 1));
    SmpRoute route = SmpRoute.directed(1);
    byte[] block = new byte[ForwardingTables.BLOCK_SIZE];
    for (int lid = 0; lid < block.length; lid++) {
      block[lid] = (byte) right.port(sw, lid);
    }
    byte[] wrong = block.clone();
    wrong[5 + run] = (byte) (wrong[5 + run] == 1 ? 2 : 1);
    long last = serve.lastEvent();
    long began = System.nanoTime();
    try (SmpClient client = client(ibsim)) {
      set(client, route, AttributeId.LINEAR_FORWARDING_TABLE, 0, wrong);
      serve.awaitThat(
          "the entry is right again",
          () ->
              client.call(route, MadMethod.GET, AttributeId.LINEAR_FORWARDING_TABLE, 0, null)
                      instanceof SmpOutcome.Answer a
                  && Arrays.equals(
                      a.smp().buffer(),
                      a.smp().dataOffset(),
                      a.smp().dataOffset() + block.length,
                      block,
                      0,
                      block.length));
    }
    long millis = (System.nanoTime() - began) / 1_000_000;
    serve.awaitFine("in sync again");
    assertThat(
            Audit.run(live, ibsim.liveTables(HOST, live).tables(), AuditOptions.defaults()).clean())
        .isTrue();
    assertThat(serve.eventsAfter(last)).contains("1 block differs").doesNotContain("trouble");
    return millis;
  }

  private static SmpClient client(IbsimFabric ibsim) throws IOException {
    SmpTransport transport = TransportSpec.parse(ibsim.via(HOST)).open(false);
    return new SmpClient(transport, SmpOptions.of(transport), System::nanoTime);
  }

  private static void set(
      SmpClient client, SmpRoute route, int attribute, int modifier, byte[] data) {
    assertThat(client.call(route, MadMethod.SET, attribute, modifier, data))
        .isInstanceOf(SmpOutcome.Answer.class);
  }

  /** A host that somebody lets into the tenant's partition. */
  private static void keyIsMended(LiveController serve, IbsimFabric ibsim, Fabric live)
      throws IOException {
    JsonNode tenant = serve.call("GET", "/v1/tenants/red", "");
    int key = levels(serve).firstKey() | 0x8000;
    List<Integer> own = new ArrayList<>();
    tenant
        .get("hosts")
        .forEach(h -> own.add(live.findNode(Guid.parse(h.get("guid").stringValue()).value())));
    int stranger = live.switchCount();
    while (own.contains(stranger) || live.description(stranger).equals("sm-node")) {
      stranger++;
    }
    String lid = String.valueOf(live.lid(live.port(stranger, 1)));
    long last = serve.lastEvent();
    long began = System.nanoTime();
    try (SmpClient client = client(ibsim)) {
      DiscoveredFabric found = FabricDiscovery.run(client);
      SmpRoute route =
          found.routeToPort(found.fabric().findPort(live.portGuid(live.port(stranger, 1))));
      SmpOutcome.Answer before =
          (SmpOutcome.Answer) client.call(route, MadMethod.GET, AttributeId.P_KEY_TABLE, 0, null);
      byte[] table = new PKeyBlock().wrap(before.smp()).copy();
      PKeyBlock block = new PKeyBlock().wrap(table, 0);
      int free = 0;
      while (block.key(free) != 0) {
        free++;
      }
      block.key(free, key);
      set(client, route, AttributeId.P_KEY_TABLE, 0, table);
    }
    // That the key was there is told by the answer above and by the event below: reading it here
    // would race with the controller, which may have taken it away by then.
    serve.awaitThat(
        "the key is gone",
        () -> !PkeyTables.parse(ibsim.run(HOST, "smpquery", "pkeys", lid, "1")).contains(key));
    System.err.printf(
        "ServeOpensmIT: a key that somebody else gave was gone after %d ms%n",
        (System.nanoTime() - began) / 1_000_000);
    serve.awaitFine("in sync with the right keys");
    assertThat(serve.eventsAfter(last)).contains("other keys").doesNotContain("trouble");
  }

  /** Not by SIGKILL: the simulator would go on asking the dead one in place of its successor. */
  @Test
  void opensmEndsAndComesBack() throws IOException {
    try (IbsimFabric ibsim = IbsimFabric.startUdp(directory, TREE);
        LiveController serve = LiveController.start(directory, ibsim, TREE, HOST)) {
      Fabric live;
      try (OpenSm opensm = serve.startOpenSm(ibsim, HOST)) {
        serve.awaitFine("in sync after the start");
        serve.call("POST", "/v1/tenants", "{\"name\":\"red\",\"hosts\":10,\"pkey\":\"0x101\"}");
        serve.awaitFine("in sync with a tenant");
        live = ibsim.discover(HOST);
        opensm.end();
        serve.awaitTrouble("does not answer: start OpenSM again with opensm -F");
      }
      serve.call("POST", "/v1/tenants", "{\"name\":\"blue\",\"hosts\":9,\"pkey\":\"0x102\"}");
      serve.awaitTrouble("the files are written; the subnet manager at 'sm-node'");
      try (OpenSm opensm = serve.startOpenSm(ibsim, HOST)) {
        serve.awaitFine("in sync with the OpenSM that came back");
        Fabric after = ibsim.discover(HOST);
        assertThat(Cabling.lines(after)).isEqualTo(Cabling.lines(live)); // with all LIDs
        clean(ibsim, after);
        opensm.end();
      }
      otherLids(serve, ibsim, live);
    }
  }

  /** An OpenSM that has forgotten the LIDs and gives others. */
  private static void otherLids(LiveController serve, IbsimFabric ibsim, Fabric before)
      throws IOException {
    long epoch = serve.epoch();
    try (OpenSm opensm = serve.startOpenSm(ibsim, HOST, "-r")) {
      assertThat(opensm.timesUp()).isPositive();
      serve.awaitFine("in sync with an OpenSM that gives LIDs anew");
      Fabric after = ibsim.discover(HOST);
      boolean same = Cabling.lines(after).equals(Cabling.lines(before));
      assertThat(serve.epoch()).isGreaterThanOrEqualTo(same ? epoch : epoch + 1);
      clean(ibsim, after);
      System.err.println("ServeOpensmIT: with -r the LIDs were " + (same ? "the same" : "others"));
    }
  }

  /** LIDs from another cache, as when OpenSM moves to another host. */
  @Test
  @Tag("slow")
  void lidsOfAnotherOpensmAreTakenOver() throws IOException {
    try (IbsimFabric ibsim = IbsimFabric.startUdp(directory, TREE);
        LiveController serve = LiveController.start(directory, ibsim, TREE, HOST)) {
      Fabric before;
      String web;
      try (OpenSm opensm = serve.startOpenSm(ibsim, HOST)) {
        serve.awaitFine("in sync after the start");
        web = tenantWithMachine(serve);
        serve.awaitFine("in sync with a tenant and a machine");
        before = ibsim.discover(HOST);
        opensm.end();
      }
      JsonNode red = serve.call("GET", "/v1/tenants/red", "");
      long epoch = serve.epoch();
      JsonNode last = serve.call("GET", "/v1/events?last=1", "").get("items").get(0).get("id");
      moveLids(directory.resolve("guid2lid"), 100);
      try (OpenSm opensm = serve.startOpenSm(ibsim, HOST)) {
        assertThat(opensm.timesUp()).isPositive();
        serve.await(
            "in sync with other LIDs",
            f -> f.get("epoch").longValue() > epoch && f.get("status").get("problems").isEmpty());
        Fabric after = ibsim.discover(HOST);
        for (int node = 0; node < after.nodeCount(); node++) {
          int there = before.findNode(after.nodeGuid(node));
          int number = after.isSwitch(node) ? 0 : 1;
          assertThat(after.lid(after.port(node, number)))
              .isEqualTo(before.lid(before.port(there, number)) + 100);
        }
        int host = after.findNode(Guid.parse(web).value());
        int lid = after.lid(after.port(host, 1));
        serve.awaitThat(
            "the machine's LID is its host's",
            () -> serve.call("GET", "/v1/vms/web", "").get("lid").intValue() == lid);
        serve.awaitFine("in sync with all of them");
        clean(ibsim, after);
        String events = serve.call("GET", "/v1/events?after=" + last.longValue(), "").toString();
        assertThat(events).contains("LIDs are others").doesNotContain("promise-broken");
        JsonNode now = serve.call("GET", "/v1/tenants/red", "");
        assertThat(now.get("hosts")).isEqualTo(red.get("hosts"));
        assertThat(now.get("links")).isEqualTo(red.get("links"));
        assertThat(now.get("broken")).isEmpty();
        assertThat(PkeyTables.parse(ibsim.run(HOST, "smpquery", "pkeys", String.valueOf(lid), "1")))
            .contains(0x8101);
        assertThat(Files.readString(serve.files().resolve("opensm.lfts")))
            .contains("portguid 0x" + Guid.hex16(after.portGuid(after.port(host, 1))))
            .doesNotContain("\n0x0001 ");
        twoPortsWithOneLid(serve, ibsim, after);
      }
    }
  }

  /** The GUID of the machine's host. */
  private static String tenantWithMachine(LiveController serve) {
    serve.call("POST", "/v1/tenants", "{\"name\":\"red\",\"hosts\":10,\"pkey\":\"0x101\"}");
    JsonNode hosts = serve.call("GET", "/v1/tenants/red", "").get("hosts");
    String guid = hosts.get(2).get("guid").stringValue();
    serve.call(
        "POST",
        "/v1/vms",
        "{\"name\":\"web\",\"tenant\":\"red\",\"own_lid\":false,\"host\":\"" + guid + "\"}");
    return guid;
  }

  /** Lines of the file are a port's GUID, its first and its last LID. */
  private static void moveLids(Path cache, int by) throws IOException {
    List<String> out = new ArrayList<>();
    for (String line : Files.readAllLines(cache)) {
      String[] words = line.strip().split("\\s+");
      if (words.length == 3) {
        int from = Integer.decode(words[1]) + by;
        int to = Integer.decode(words[2]) + by;
        out.add("%s 0x%04x 0x%04x%n".formatted(words[0], from, to));
      }
    }
    assertThat(out).hasSizeGreaterThan(TREE.caCount());
    Files.write(cache, out);
  }

  /** Somebody gives a host another one's LID: it is told, and OpenSM makes it right again. */
  private static void twoPortsWithOneLid(LiveController serve, IbsimFabric ibsim, Fabric live)
      throws IOException {
    int first = live.port(live.switchCount() + 1, 1);
    int second = live.port(live.switchCount() + 9, 1);
    JsonNode last = serve.call("GET", "/v1/events?last=1", "").get("items").get(0).get("id");
    try (SmpClient client = client(ibsim)) {
      DiscoveredFabric found = FabricDiscovery.run(client);
      SmpRoute route = found.routeToPort(found.fabric().findPort(live.portGuid(second)));
      SmpOutcome.Answer was =
          (SmpOutcome.Answer) client.call(route, MadMethod.GET, AttributeId.PORT_INFO, 1, null);
      PortInfo info = new PortInfo().wrap(new PortInfo().wrap(was.smp()).copy(), 0);
      info.lid(live.lid(first));
      info.portState(0); // no change
      info.physicalState(0);
      byte[] data = info.copy();
      set(client, route, AttributeId.PORT_INFO, 1, data);
    }
    serve.awaitThat(
        "the change is told",
        () ->
            serve
                .call("GET", "/v1/events?after=" + last.longValue(), "")
                .toString()
                .contains("fabric-changed"));
    serve.awaitFine("in sync with LIDs that are each port's own");
    serve.awaitThat(
        "the port has its own LID again, and tables are clean",
        () -> {
          Fabric now = ibsim.discover(HOST);
          ForwardingTables tables = ibsim.liveTables(HOST, now).tables();
          return now.lid(second) == live.lid(second)
              && Audit.run(now, tables, AuditOptions.defaults()).clean();
        });
  }

  private static void clean(IbsimFabric ibsim, Fabric live) {
    assertThat(
            Audit.run(live, ibsim.liveTables(HOST, live).tables(), AuditOptions.defaults()).clean())
        .isTrue();
  }

  /** One that waits for the first one's end and routes by itself. */
  @Test
  @Tag("slow")
  void anotherManagerTakesOverAndLeavesAgain() throws IOException {
    String other = IbsimFabric.idOf(TREE, TREE.switchCount() + 20);
    Path standby = directory.resolve("standby.conf");
    Files.writeString(
        standby,
        "force_log_flush TRUE\nsminfo_polling_timeout 500\npolling_retry_number 2\n"
            + "routing_engine minhop\n");
    try (IbsimFabric ibsim = IbsimFabric.startUdp(directory, TREE);
        LiveController serve =
            LiveController.start(directory, ibsim, TREE, HOST, "settle_ms: 3000")) {
      serve.call("POST", "/v1/tenants", "{\"name\":\"red\",\"hosts\":10,\"pkey\":\"0x101\"}");
      try (OpenSm opensm = serve.startOpenSm(ibsim, HOST, "-p", "10")) {
        serve.awaitFine("in sync after the start");
        try (OpenSm second = OpenSm.startWith(ibsim, other, standby)) {
          second.await("standing by", () -> second.log().contains("Entering STANDBY"));
          serve.awaitFine("in sync while another one stands by");
          opensm.end(); // killed, it would stay attached to the simulator, and the second be stuck
          second.awaitUp(1);
          serve.tell(second);
          String told = serve.awaitTrouble("the subnet manager is now at ");
          assertThat(told).contains("before at 'sm-node'").contains("or stop it");
          System.err.println("ServeOpensmIT: " + told);
        }
      }
      try (OpenSm opensm = serve.startOpenSm(ibsim, HOST)) {
        long began = System.nanoTime();
        serve.awaitFine("in sync when the first one is the master again");
        System.err.printf(
            "ServeOpensmIT: %d ms from SUBNET UP of the right OpenSM to clean tables and keys%n",
            (System.nanoTime() - began) / 1_000_000);
        assertThat(opensm.timesUp()).isPositive();
        clean(ibsim, ibsim.discover(HOST));
      }
    }
  }
}
