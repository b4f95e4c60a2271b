package org.heddle.reconfig;

import java.util.List;
import java.util.Optional;
import org.heddle.catalog.Catalog;
import org.heddle.fabric.Fabric;
import org.heddle.reconfig.reroute.MinimalReroute;
import org.heddle.routing.ForwardingTables;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.topology.FatTree;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.Recognition;
import org.heddle.topology.generate.DamageSpec;
import org.heddle.topology.generate.FabricDamage;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.heddle.verify.Audit;
import org.heddle.verify.AuditOptions;
import org.heddle.verify.AuditReport;
import org.heddle.verify.Severity;

/** Fabrics that lose things, and what minimal updates make of their tables. */
public final class RerouteLab {
  private RerouteLab() {}

  public static Fabric tree(String spec) {
    return TreeGenerator.generate(TreeSpec.parse(spec)).withAssignedLids();
  }

  public static Optional<FatTree> treeOf(Fabric fabric) {
    return FatTreeRecogniser.recognise(fabric) instanceof Recognition.Found found
        ? Optional.of(found.tree())
        : Optional.empty();
  }

  /** Tables of an engine, or empty if it refuses. */
  public static Optional<ForwardingTables> route(Fabric fabric, String engine) {
    RoutingRequest request = RoutingRequest.of(fabric, FatTreeRecogniser.recognise(fabric));
    return Catalog.engine(engine).orElseThrow().route(request) instanceof RoutingResult.Routed ok
        ? Optional.of(ok.tables())
        : Optional.empty();
  }

  public static Fabric withoutLink(Fabric fabric, long seed) {
    return FabricDamage.apply(
            fabric, DamageSpec.none(seed).withLinks(DamageSpec.Amount.of(1)).keepingConnected())
        .fabric();
  }

  public static Fabric withoutHost(Fabric fabric, long seed) {
    return FabricDamage.apply(fabric, DamageSpec.none(seed).withHosts(DamageSpec.Amount.of(1)))
        .fabric();
  }

  /** The update from the tables of one snapshot to another snapshot, measured by ftree. */
  public static MinimalReroute update(Fabric before, ForwardingTables old, Fabric now) {
    return MinimalReroute.of(
        now,
        treeOf(now).orElseThrow(),
        MinimalReroute.carryOver(before, old, now),
        route(now, "ftree").orElseThrow());
  }

  static AuditReport audit(Fabric fabric, ForwardingTables tables) {
    return Audit.run(
        fabric, tables, AuditOptions.defaults().withTree(treeOf(fabric).orElseThrow()));
  }

  /** Errors, unreached pairs and credit loops, in words; empty if the tables are sound. */
  public static List<String> faults(Fabric fabric, ForwardingTables tables) {
    AuditReport report = audit(fabric, tables);
    java.util.ArrayList<String> out = new java.util.ArrayList<>();
    report.findings().stream()
        .filter(f -> f.severity() == Severity.ERROR)
        .forEach(f -> out.add(f.message()));
    for (AuditReport.PairKind kind : AuditReport.PairKind.values()) {
      if (report.reachability(kind).unreachable() > 0) {
        out.add(report.reachability(kind).toString());
      }
    }
    if (report.creditLoops().cyclic() > 0) {
      out.add("credit loops");
    }
    if (report.creditLoopsWithSwitches().cyclic() > 0) {
      out.add("credit loops with switches");
    }
    return out;
  }

  /** Largest number of destinations by lower level and direction (0 down, 1 up), as audited. */
  public static int[][] mostDestinations(Fabric fabric, ForwardingTables tables) {
    FatTree tree = treeOf(fabric).orElseThrow();
    AuditReport report = audit(fabric, tables);
    int[][] most = new int[tree.levels()][2];
    for (int s = 0; s < fabric.switchCount(); s++) {
      for (int n = 1; n <= fabric.portCount(s); n++) {
        int port = fabric.port(s, n);
        int other = fabric.peerNode(port);
        if (other == Fabric.NONE || !fabric.isSwitch(other)) {
          continue;
        }
        int step = tree.level(other) - tree.level(s);
        if (Math.abs(step) == 1) {
          int low = Math.min(tree.level(s), tree.level(other));
          int[] of = most[low];
          of[step > 0 ? 1 : 0] =
              Math.max(of[step > 0 ? 1 : 0], report.channels().destinations(port));
        }
      }
    }
    return most;
  }
}
