package org.heddle.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.routing.ForwardingTables;
import org.heddle.text.lft.BoundTables;
import org.heddle.topology.generate.FabricExtras;
import org.heddle.topology.generate.FabricShuffle;
import org.heddle.topology.generate.MachineWiring;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.heddle.verify.links.LinkConfinement;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/**
 * Cables, switches and machines of simulated fabrics go and come back at random, several at once,
 * under a controller with tenants and OpenSM. After each event every pair of hosts that is
 * connected is reached by the tables in the switches, and what the controller says of cables and
 * promises is what this test reads from the fabric itself. {@code -Dheddle.losses=100
 * -Dheddle.losses.seed=1}.
 */
class LossesLiveIT {
  private static final int EVENTS = Integer.getInteger("heddle.losses", 8);
  private static final long SEED = Long.getLong("heddle.losses.seed", 1);
  private static final int MOST_LOST = 12;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path directory;

  private LiveController serve;
  private Looks looks;
  private Fabric whole;
  private String host;

  @BeforeAll
  static void peers() {
    Peers.need();
  }

  /** Small fabrics wired as large real ones are. */
  enum Wiring {
    RAILS("XGFT(2;4,8;1,4)", 4, 1, 0),
    THREE_LEVELS("XGFT(3;2,4,2;1,2,4)", 2, 1, 1),
    TWO_ON_A_LEAF("PGFT(2;8,4;1,4;1,2)", 1, 2, 0);

    private final Fabric fabric;

    Wiring(String spec, int rails, int adaptersOnLeaf, int managementLeaves) {
      Fabric f = MachineWiring.generate(TreeSpec.parse(spec), rails, adaptersOnLeaf);
      f = managementLeaves > 0 ? FabricExtras.withManagementLeaves(f, managementLeaves) : f;
      fabric = FabricShuffle.ports(FabricExtras.withSmNode(f), 7);
    }
  }

  /** Two cables, after which leaves without a common ancestor are left. */
  private static final String[][] TWO_CABLES = {{"S1_0", "S2_0"}, {"S1_1", "S2_1"}};

  @ParameterizedTest
  @EnumSource
  void everyConnectedPairIsReachedAfterEveryEvent(Wiring wiring) throws Exception {
    run(wiring.fabric, 3);
  }

  /** Two leaves on two spines lose a cable each: they have no common ancestor any more. */
  @Test
  void leavesWithoutACommonAncestorAreReached() throws Exception {
    Fabric f = TreeGenerator.generate(TreeSpec.parse("XGFT(2;2,4;1,2)"));
    whole = FabricShuffle.ports(FabricExtras.withSmNode(f, node(f, "S1_2")), 3);
    start(
        ibsim -> {
          for (String[] ends : TWO_CABLES) {
            ibsim.unlink(whole, cable(node(whole, ends[0]), node(whole, ends[1])));
          }
          check(ibsim, "without two cables");
          assertThat(serve.fabric().get("notes").toString()).contains("no common ancestor");
          for (String[] ends : TWO_CABLES) {
            ibsim.relink(whole, cable(node(whole, ends[0]), node(whole, ends[1])));
          }
          check(ibsim, "with both cables");
          assertThat(serve.fabric().get("notes").toString()).doesNotContain("no common ancestor");
        });
  }

  /** What is done while everything runs. */
  private interface Story {
    void tell(IbsimFabric ibsim);
  }

  private void start(Story story) throws Exception {
    host = IbsimFabric.idOf(whole, node(whole, "sm-node"));
    try (IbsimFabric ibsim = IbsimFabric.startUdp(directory, whole);
        LiveController controller = LiveController.start(directory, ibsim, whole, host)) {
      serve = controller;
      try (OpenSm opensm = serve.startOpenSm(ibsim, host, "-s", "1")) {
        assertThat(opensm.timesUp()).isPositive();
        serve.await("in sync after the start", status -> true);
        try (Looks sampler = new Looks(serve)) {
          looks = sampler;
          story.tell(ibsim);
          System.out.println("LossesLiveIT: " + sampler.summary());
        }
      }
    }
  }

  private void run(Fabric fabric, int machines) throws Exception {
    whole = fabric;
    start(
        ibsim -> {
          serve.call("POST", "/v1/tenants", "{\"name\":\"red\",\"hosts\":" + machines + "}");
          serve.call("POST", "/v1/tenants", "{\"name\":\"blue\",\"hosts\":2}");
          serve.call("POST", "/v1/tenants", "{\"name\":\"shared\",\"hosts\":1,\"policy\":\"def\"}");
          check(ibsim, "with tenants");
          SplittableRandom random = new SplittableRandom(SEED);
          BitSet lost = new BitSet(); // the port with the smaller id of every cable that is out
          for (int event = 1; event <= EVENTS; event++) {
            looks.mark();
            String what = "after event " + event + ": " + happens(ibsim, random, lost);
            check(ibsim, what);
            looks.settled();
          }
          for (int port = lost.nextSetBit(0); port >= 0; port = lost.nextSetBit(port + 1)) {
            ibsim.relink(whole, port);
          }
          check(ibsim, "whole again");
          for (JsonNode t : serve.call("GET", "/v1/tenants", "").get("items")) {
            assertThat(t.get("broken")).as(t.toString()).isEmpty();
          }
        });
  }

  /** Something goes, or something comes back; returns what. */
  private String happens(IbsimFabric ibsim, SplittableRandom random, BitSet lost) {
    if (lost.cardinality() > MOST_LOST || !lost.isEmpty() && random.nextInt(5) < 2) {
      int[] out = lost.stream().toArray();
      int port = out[random.nextInt(out.length)];
      lost.clear(port);
      ibsim.relink(whole, port);
      return "back " + name(port);
    }
    int node = random.nextInt(whole.nodeCount());
    List<Integer> cables = new ArrayList<>();
    for (int p = 1; p <= whole.portCount(node); p++) {
      int port = whole.port(node, p);
      if (whole.peer(port) != Fabric.NONE && !isOfTheManager(port)) {
        cables.add(Math.min(port, whole.peer(port)));
      }
    }
    cables.removeIf(lost::get);
    boolean all = random.nextInt(4) == 0; // the node with all its cables
    while (!all && cables.size() > 1 + random.nextInt(2)) {
      cables.remove(random.nextInt(cables.size()));
    }
    for (int port : cables) {
      lost.set(port);
      ibsim.unlink(whole, port);
    }
    return "gone " + cables.stream().map(this::name).toList();
  }

  /**
   * The cables of the node that OpenSM runs on and of its switch: without these it sees nothing.
   */
  private boolean isOfTheManager(int port) {
    int manager = node(whole, "sm-node");
    int sw = whole.attachedSwitch(whole.port(manager, 1));
    int a = whole.nodeOf(port);
    int b = whole.nodeOf(whole.peer(port));
    return a == sw || b == sw;
  }

  private void check(IbsimFabric ibsim, String what) {
    Fabric now = ibsim.discover(host);
    serve.awaitCabling(now, what);
    Fabric live = ibsim.discover(host);
    BoundTables tables = ibsim.liveTables(host, live);
    assertThat(unreached(live, tables.tables())).as(what).isEmpty();
    promises(live, tables, what);
  }

  /** Pairs of ports of hosts between which the tables do not lead. */
  private static List<String> unreached(Fabric f, ForwardingTables tables) {
    List<String> out = new ArrayList<>();
    for (int to = 0; to < f.portIdLimit(); to++) {
      if (!f.isEndport(to) || f.isSwitch(f.nodeOf(to)) || f.peer(to) == Fabric.NONE) {
        continue;
      }
      for (int sw = 0; sw < f.switchCount(); sw++) {
        int at = sw;
        int hops = 0;
        while (at >= 0 && at != f.nodeOf(to) && hops++ <= f.switchCount()) {
          int port = f.isSwitch(at) ? tables.port(at, f.lid(to)) : ForwardingTables.NO_PORT;
          int out1 = port == ForwardingTables.NO_PORT ? Fabric.NONE : f.port(at, port);
          at = out1 == Fabric.NONE || f.peer(out1) == Fabric.NONE ? -1 : f.nodeOf(f.peer(out1));
        }
        if (at != f.nodeOf(to)) {
          out.add(f.description(sw) + " to " + f.description(f.nodeOf(to)));
        }
      }
    }
    return out;
  }

  /** A tenant that is not broken is on its own links; one that is lacks something that it lists. */
  private void promises(Fabric live, BoundTables tables, String what) {
    for (JsonNode t : serve.call("GET", "/v1/tenants", "").get("items")) {
      boolean lacks = false;
      Map<Integer, List<Integer>> rails = new TreeMap<>(); // ports by the number of their adapter
      for (JsonNode h : t.get("hosts")) {
        int first = whole.findNode(Guid.parse(h.get("guid").stringValue()).value());
        int[] adapters = whole.machines().adapters(whole.machines().of(first));
        for (int i = 0; i < adapters.length; i++) {
          int there = live.findNode(whole.nodeGuid(adapters[i]));
          lacks |= there == Fabric.NONE;
          if (there != Fabric.NONE) {
            rails.computeIfAbsent(i, _ -> new ArrayList<>()).add(live.port(there, 1));
          }
        }
      }
      List<Integer> links = new ArrayList<>();
      for (JsonNode l : t.get("links")) {
        int node = live.findNode(Guid.parse(l.get("from").stringValue()).value());
        int port = node == Fabric.NONE ? node : live.port(node, l.get("port").intValue());
        boolean there = port != Fabric.NONE && live.peer(port) != Fabric.NONE;
        lacks |= !there;
        if (there) {
          links.add(port);
        }
      }
      if (t.get("policy").stringValue().equals("def")) {
        continue;
      }
      boolean kept = t.get("broken").isEmpty();
      String said = what + ": " + t;
      assertThat(kept && lacks).as(said).isFalse();
      for (List<Integer> ports : rails.values()) {
        boolean confined =
            LinkConfinement.check(live, tables.tables(), array(ports), array(links)).confined();
        assertThat(confined || !kept).as(said).isTrue();
      }
    }
  }

  private static int[] array(List<Integer> ports) {
    return ports.stream().mapToInt(i -> i).toArray();
  }

  private String name(int port) {
    return whole.description(whole.nodeOf(port)) + ":" + whole.numberOf(port);
  }

  private int cable(int a, int b) {
    for (int p = 1; p <= whole.portCount(a); p++) {
      int peer = whole.peer(whole.port(a, p));
      if (peer != Fabric.NONE && whole.nodeOf(peer) == b) {
        return whole.port(a, p);
      }
    }
    throw new AssertionError("no cable");
  }

  private static int node(Fabric f, String name) {
    for (int node = 0; node < f.nodeCount(); node++) {
      if (f.description(node).equals(name)) {
        return node;
      }
    }
    throw new AssertionError("no " + name);
  }
}
