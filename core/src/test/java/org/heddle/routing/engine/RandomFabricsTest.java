package org.heddle.routing.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.heddle.catalog.Catalog;
import org.heddle.fabric.Fabric;
import org.heddle.routing.ForwardingTables;
import org.heddle.routing.RoutingEngine;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.topology.Recognition;
import org.heddle.verify.AuditCode;
import org.heddle.verify.AuditReport;
import org.heddle.verify.Severity;
import org.junit.jupiter.api.Test;

/**
 * Random damaged fabrics: every engine's tables are complete, reach all that is connected and run
 * in no circle, by the verifier and by a walk of this test; credit loops are minhop's only; a
 * fabric that is recognised is refused by nobody; asked twice, an engine says the same; no channel
 * of ftree carries more than 1.2 times what the fullest one of updn does. As many cases as {@code
 * heddle.test.seeds} says, from {@code heddle.test.first} on.
 */
class RandomFabricsTest {
  private static final int SEEDS = Integer.getInteger("heddle.test.seeds", 300);

  private static final int FIRST = Integer.getInteger("heddle.test.first", 0);

  /**
   * Seeds that once went wrong: cones of several apexes in a circle; links of ftree much fuller
   * than updn's, where a parent (515), a way beside the tree (1949), parallel cables down (1833) or
   * no tree route (632) is free.
   */
  private static final int[] SPECIAL = {3981, 515, 632, 1833, 1949};

  private final List<String> wrong = new ArrayList<>();
  private final Map<String, Integer> count = new TreeMap<>();
  private final Map<String, Integer> fullest = new TreeMap<>(); // by engine

  @Test
  void everyEngineRoutesAllThatIsConnected() {
    for (int i = 0; i < SEEDS + SPECIAL.length; i++) {
      int seed = i < SEEDS ? FIRST + i : SPECIAL[i - SEEDS];
      Fabric fabric = RandomFabrics.of(seed);
      Recognition recognition = RoutingEngineContract.recognise(fabric);
      boolean found = recognition instanceof Recognition.Found;
      count.merge(found ? "recognised" : "not recognised", 1, Integer::sum);
      RoutingRequest request = RoutingRequest.of(fabric, recognition);
      fullest.clear();
      for (RoutingEngine engine : Catalog.engines()) {
        String which = "seed " + seed + ", " + engine.name() + ": ";
        RoutingResult result = engine.route(request);
        if (!engine.route(request).equals(result)) {
          wrong.add(which + "not the same twice");
        }
        switch (result) {
          case RoutingResult.Routed ok -> check(which, engine, fabric, ok);
          case RoutingResult.Unsupported no -> {
            if (found || engine.name().equals("updn") || engine.name().equals("minhop")) {
              wrong.add(which + no.reason());
            }
          }
        }
      }
      if (found) {
        compareLoads(seed);
      }
    }
    assertThat(wrong.stream().limit(30)).as("%d, %s", wrong.size(), count).isEmpty();
    assertThat(count.get("recognised")).isGreaterThan(SEEDS / 2);
    assertThat(count.get("turns between leaves")).isGreaterThan(SEEDS / 10);
  }

  /** The fullest channel of ftree against that of updn, in destinations. */
  private void compareLoads(int seed) {
    int ftree = fullest.get("ftree");
    int best = fullest.get("updn");
    count.merge(ftree <= best ? "load up to updn's" : "load above updn's", 1, Integer::sum);
    if (ftree * 5L > best * 6L) {
      wrong.add("seed " + seed + ": a channel of ftree carries " + ftree + ", of updn " + best);
    }
  }

  private void check(String which, RoutingEngine engine, Fabric fabric, RoutingResult.Routed ok) {
    AuditReport report = RoutingEngineContract.audit(fabric, ok.tables());
    boolean mayLoop = engine.name().equals("minhop");
    report.findings().stream()
        .filter(f -> f.severity() == Severity.ERROR)
        .filter(f -> !(mayLoop && f.code().equals(AuditCode.CREDIT_LOOP.key())))
        .forEach(f -> wrong.add(which + f.message()));
    for (AuditReport.PairKind kind : AuditReport.PairKind.values()) {
      if (report.reachability(kind).unreachable() > 0) {
        wrong.add(which + report.reachability(kind));
      }
    }
    if (!mayLoop && report.creditLoopsWithSwitches().cyclic() > 0) {
      count.merge("credit loops of switches, " + engine.name(), 1, Integer::sum);
    }
    String bad = walk(fabric, ok.tables());
    if (bad != null) {
      wrong.add(which + bad);
    }
    int most =
        report
            .destinationLoad(AuditReport.ChannelKind.SWITCH_TO_SWITCH)
            .map(l -> (int) l.max())
            .orElse(0);
    fullest.put(engine.name(), most);
    if (engine.name().equals("ftree")) {
      boolean turns = ok.notes().stream().anyMatch(n -> n.contains("leaf switch"));
      count.merge(turns ? "turns between leaves" : "no turns between leaves", 1, Integer::sum);
      boolean given = ok.notes().stream().anyMatch(n -> n.contains("up*/down*"));
      count.merge(given ? "all up*/down*" : "tree routes", 1, Integer::sum);
    }
  }

  /** Follows every entry; null if from every switch every LID of its component is reached. */
  private static String walk(Fabric fabric, ForwardingTables tables) {
    int n = fabric.switchCount();
    int[] component = new int[n];
    Arrays.fill(component, -1);
    for (int s = 0; s < n; s++) {
      if (component[s] < 0) {
        flood(fabric, component, s, s);
      }
    }
    for (int lid = 1; lid <= fabric.topLid(); lid++) {
      int port = fabric.portOfLid(lid);
      int at = port == Fabric.NONE ? Fabric.NONE : fabric.attachedSwitch(port);
      if (at == Fabric.NONE) {
        continue;
      }
      for (int s = 0; s < n; s++) {
        if (component[s] == component[at] && !reaches(fabric, tables, s, lid, port)) {
          return fabric.node(s).display() + " does not reach LID " + lid;
        }
      }
    }
    return null;
  }

  private static void flood(Fabric fabric, int[] component, int s, int number) {
    component[s] = number;
    for (int p = 1; p <= fabric.portCount(s); p++) {
      int next = fabric.peerNode(fabric.port(s, p));
      if (fabric.isSwitch(next) && component[next] < 0) {
        flood(fabric, component, next, number);
      }
    }
  }

  private static boolean reaches(
      Fabric fabric, ForwardingTables tables, int from, int lid, int port) {
    int at = from;
    for (int hops = 0; hops <= fabric.switchCount(); hops++) {
      int number = tables.port(at, lid);
      if (number == 0 || number > fabric.portCount(at)) {
        return number == 0 && fabric.nodeOf(port) == at;
      }
      int peer = fabric.peer(fabric.port(at, number));
      if (peer == port) {
        return true;
      }
      if (peer == Fabric.NONE || !fabric.isSwitch(fabric.nodeOf(peer))) {
        return false;
      }
      at = fabric.nodeOf(peer);
    }
    return false;
  }
}
