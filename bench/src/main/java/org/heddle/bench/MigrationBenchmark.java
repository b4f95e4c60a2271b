package org.heddle.bench;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.heddle.catalog.Catalog;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.VirtualLids;
import org.heddle.reconfig.migration.LidMove;
import org.heddle.reconfig.migration.MigrationOptions;
import org.heddle.reconfig.migration.MigrationPlanner;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.topology.FatTree;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.Recognition;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Planning one move between hosts of the first and of the last sub-tree of the roots, the proof and
 * the 64-byte blocks of all writes included (Tasoulas, thesis, paper V, table 3: 3.0, 3.4 and 79 ms
 * for marking alone). Every call plans another machine, whose LIDs lie in other blocks, so that no
 * table entry is in the cache because the call before read it.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(value = 1, jvmArgs = "-Xmx2500m")
public class MigrationBenchmark {
  /** Trees by number of switches. */
  public enum Tree {
    SWITCHES_972("XGFT(3;18,18,18;1,18,18)"),
    SWITCHES_1620("XGFT(3;18,18,36;1,18,18)"),
    SWITCHES_6912("XGFT(4;12,12,12,12;1,12,12,12)");

    private final String spec;

    Tree(String spec) {
      this.spec = spec;
    }
  }

  private static final int COUNT = 64;

  @Param private Tree tree;
  @Param private MigrationOptions.Method method;

  private MigrationPlanner planner;
  private LidMove[] moves;
  private MigrationOptions options;
  private int next;

  /** Makes fabric, tables and planner. */
  @Setup
  public void prepare() {
    Fabric whole = TreeGenerator.generate(TreeSpec.parse(tree.spec)).withAssignedLids();
    int[] lids = new int[COUNT];
    int[] from = new int[COUNT];
    int[] weights = new int[COUNT];
    for (int i = 0; i < COUNT; i++) {
      lids[i] = whole.topLid() + 1 + 64 * i;
      from[i] = whole.port(whole.switchCount() + i, 1); // GUIDs follow the leaves
      weights[i] = 1;
    }
    Fabric fabric = whole.withVirtualLids(VirtualLids.of(lids, from, weights));
    Recognition recognition = FatTreeRecogniser.recognise(fabric);
    FatTree found = ((Recognition.Found) recognition).tree();
    RoutingResult routed =
        Catalog.engine("vswitch-ftree").orElseThrow().route(RoutingRequest.of(fabric, recognition));
    planner =
        MigrationPlanner.of(fabric, Optional.of(found), ((RoutingResult.Routed) routed).tables());
    moves = new LidMove[COUNT];
    for (int i = 0; i < COUNT; i++) {
      moves[i] = LidMove.copy(lids[i], from[i], whole.port(whole.nodeCount() - 1 - 5 * i, 1));
    }
    options = MigrationOptions.DEFAULT.withMethod(method);
  }

  /** One plan. */
  @Benchmark
  public MigrationPlanner.Outcome plan() {
    next = (next + 1) % moves.length;
    return planner.plan(moves[next], options);
  }
}
