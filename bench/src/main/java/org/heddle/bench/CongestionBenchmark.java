package org.heddle.bench;

import java.util.concurrent.TimeUnit;
import org.heddle.catalog.Catalog;
import org.heddle.congestion.AllToAllLoads;
import org.heddle.congestion.Evaluation;
import org.heddle.congestion.Routes;
import org.heddle.congestion.Statistics;
import org.heddle.congestion.Study;
import org.heddle.fabric.Fabric;
import org.heddle.routing.ForwardingTables;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.heddle.traffic.Bisect;
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
 * Random bisections over ftree's tables on one thread, 200 trials a call; tracing of all routes;
 * exact loads of an all-to-all exchange from traced routes. ORCS compiled with -O2 does about 190
 * trials a second at 324 hosts and 60 at 512.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(value = 1, jvmArgs = "-Xmx2500m")
public class CongestionBenchmark {
  private static final int TRIALS = 200;

  /** Trees by number of hosts. */
  public enum Tree {
    HOSTS_324("XGFT(2;18,18;1,18)"),
    HOSTS_512("XGFT(3;8,8,8;1,8,8)"),
    HOSTS_1728("XGFT(3;12,12,12;1,12,12)"),
    HOSTS_11664("XGFT(3;18,18,36;1,18,18)");

    private final String spec;

    Tree(String spec) {
      this.spec = spec;
    }
  }

  @Param private Tree tree;

  private Fabric fabric;
  private ForwardingTables tables;
  private Routes routes;
  private long seed;

  /** Makes fabric, tables and routes. */
  @Setup
  public void prepare() {
    fabric = TreeGenerator.generate(TreeSpec.parse(tree.spec)).withAssignedLids();
    RoutingRequest request = RoutingRequest.of(fabric, FatTreeRecogniser.recognise(fabric));
    RoutingResult routed = Catalog.engine("ftree").orElseThrow().route(request);
    tables = ((RoutingResult.Routed) routed).tables();
    routes = trace();
  }

  /** 200 trials. */
  @Benchmark
  public Statistics bisections() {
    Study.Settings settings = Study.Settings.shuffled(seed++);
    return Evaluation.run(Study.of(routes, new Bisect(), settings), TRIALS);
  }

  /** All routes between hosts. */
  @Benchmark
  public Routes trace() {
    return Routes.trace(fabric, tables, Routes.hosts(fabric));
  }

  /** Loads of an all-to-all exchange, from traced routes. */
  @Benchmark
  public long[] allToAll() {
    return routes.allToAll();
  }

  /** The same from the tables, without routes. */
  @Benchmark
  public AllToAllLoads allToAllFromTables() {
    return AllToAllLoads.of(fabric, tables, Routes.hosts(fabric));
  }

  /** Those, the weights of all messages and the fingerprint of all routes: what a command needs. */
  @Benchmark
  public AllToAllLoads.Exchange exchangeFromTables() {
    AllToAllLoads loads = AllToAllLoads.of(fabric, tables, Routes.hosts(fabric));
    return loads.exchange(1, Study.Settings.inOrder());
  }
}
