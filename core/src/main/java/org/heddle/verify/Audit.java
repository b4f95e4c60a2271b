package org.heddle.verify;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.heddle.fabric.Fabric;
import org.heddle.routing.ForwardingTables;
import org.heddle.verify.AuditReport.PairKind;

/**
 * Proves from finished forwarding tables that they work: entries are valid, every LID is reached
 * from everywhere, no packet runs in a circle, nothing deadlocks. Also measures how balanced the
 * tables are. Takes tables of any origin and shares no code with the engines. {@code docs/audit.md}
 * explains the checks.
 *
 * <p>Exact, no sampling: every LID from every switch. O(switches x LIDs) time; memory is a few
 * words per port and worker. The report depends only on fabric, tables, tree and number of
 * examples, not on the number of threads.
 */
public final class Audit {
  /** How many distinct forwarding loops a report keeps. */
  public static final int MAX_LOOPS = 1000;

  private Audit() {}

  /**
   * Audits tables.
   *
   * @param fabric with LIDs; endports without one are reported, not guessed
   * @param tables of the switches of this fabric
   * @throws IllegalArgumentException if the tables are of another number of switches
   */
  public static AuditReport run(Fabric fabric, ForwardingTables tables, AuditOptions options) {
    Network.requireTables(fabric, tables);
    Network net = new Network(fabric, options.tree());
    Sweep sweep = sweep(net, tables, options);
    sweep.finish();
    Findings findings = new Findings(net, sweep, options.examples());
    Components components = new Components(net);
    ChannelLoad load = new ChannelLoad(sweep.destinations, sweep.pairs);
    AuditReport.CreditLoops ca = creditLoops(net, sweep, Dependencies.CA);
    AuditReport.CreditLoops all = creditLoops(net, sweep, Dependencies.ALL);
    List<AuditReport.ForwardingLoop> loops = sweep.loops.list(net);
    List<AuditReport.Component> componentList = components.list();
    AuditReport.Hops hops = Statistics.hops(sweep.hops);
    Optional<AuditReport.UpDown> upDown = upDown(net, sweep, hops);

    findings.tables();
    findings.loops(loops);
    findings.creditLoops(ca, all);
    upDown.ifPresent(findings::directions);
    findings.addresses();
    findings.components(componentList, components.separatedPairs());
    findings.staleEntries();
    AuditReport.LinkUse links = findings.links();
    List<AuditReport.SinglePoint> singlePoints = SinglePoints.of(net, tables);
    findings.singlePoints(singlePoints);
    return new AuditReport(
        size(net, sweep),
        componentList,
        entries(sweep),
        reachability(sweep),
        sweep.loops.total,
        loops,
        ca,
        all,
        upDown,
        Statistics.load(net, load, false),
        Statistics.load(net, load, true),
        hops,
        links,
        singlePoints,
        findings.list(),
        load);
  }

  private static AuditReport.CreditLoops creditLoops(Network net, Sweep sweep, int plane) {
    return new ChannelGraph(net, sweep.dependencies, plane, ChannelGraph.SEARCH_BUDGET).result();
  }

  /** Gives every worker a contiguous range of blocks and merges in the order of the ranges. */
  private static Sweep sweep(Network net, ForwardingTables tables, AuditOptions options) {
    int lids = Math.max(net.fabric.topLid(), tables.topLid());
    int blocks = lids / Sweep.BLOCK + 1;
    int workers = Math.min(options.threads(), blocks);
    Sweep[] sweeps = new Sweep[workers];
    Workers.Counter counter = new Workers.Counter(lids, options.progress());
    Workers.run(
        "audit",
        workers,
        w -> {
          int from = (int) ((long) blocks * w / workers);
          int to = (int) ((long) blocks * (w + 1) / workers);
          sweeps[w] = new Sweep(net, tables, options.examples());
          for (int b = from; b < to; b++) {
            sweeps[w].block(b * Sweep.BLOCK);
            counter.add(Sweep.BLOCK);
          }
        });
    for (int w = 1; w < workers; w++) {
      sweeps[0].merge(sweeps[w]);
    }
    return sweeps[0];
  }

  private static AuditReport.Size size(Network net, Sweep sweep) {
    int endports = 0;
    for (int p = net.switchPorts; p < net.peer.length; p++) {
      endports += net.isSource(p) ? 1 : 0;
    }
    Fabric fabric = net.fabric;
    return new AuditReport.Size(
        fabric.switchCount(),
        fabric.caCount(),
        fabric.routerCount(),
        endports,
        sweep.caLids,
        sweep.switchLids);
  }

  private static AuditReport.Entries entries(Sweep sweep) {
    return new AuditReport.Entries(
        sweep.checkedEntries,
        sweep.missingEntries,
        sweep.count[AuditCode.PORT_OUT_OF_RANGE.ordinal()],
        sweep.count[AuditCode.DANGLING_PORT.ordinal()],
        sweep.count[AuditCode.PORT_ZERO.ordinal()],
        sweep.count[AuditCode.OWN_LID.ordinal()],
        sweep.count[AuditCode.WRONG_HOST.ordinal()],
        sweep.count[AuditCode.STALE_ENTRY.ordinal()]);
  }

  private static List<AuditReport.Reachability> reachability(Sweep sweep) {
    List<AuditReport.Reachability> out = new ArrayList<>();
    for (PairKind kind : PairKind.values()) {
      long[] failed = sweep.failed[kind.ordinal()];
      long all = 0;
      for (long n : failed) {
        all += n;
      }
      long missing = failed[-RouteTree.NO_ENTRY];
      long loop = failed[-RouteTree.LOOP];
      out.add(
          new AuditReport.Reachability(
              kind, sweep.pairCount[kind.ordinal()], all, missing, all - missing - loop, loop));
    }
    return out;
  }

  private static Optional<AuditReport.UpDown> upDown(
      Network net, Sweep sweep, AuditReport.Hops hops) {
    if (!net.hasTree) {
      return Optional.empty();
    }
    long turns = 0;
    for (int n = 0; n < net.switches; n++) {
      for (int in = net.first[n]; in < net.first[n + 1]; in++) {
        if (net.hop[in] >= 0 && net.direction[net.peer[in]] < 0) {
          turns += upwardOutputs(net, sweep.dependencies, n, in);
        }
      }
    }
    return Optional.of(
        new AuditReport.UpDown(
            hops.routes() - sweep.hops[0], sweep.downUpRoutes, sweep.sameLevelRoutes, turns));
  }

  private static int upwardOutputs(Network net, Dependencies dependencies, int sw, int in) {
    int count = 0;
    for (int out = net.first[sw]; out < net.first[sw + 1]; out++) {
      int number = out - net.first[sw];
      long word = dependencies.word(net, in, number >>> 6, Dependencies.CA);
      count += net.direction[out] > 0 && (word >>> number & 1) != 0 ? 1 : 0;
    }
    return count;
  }
}
