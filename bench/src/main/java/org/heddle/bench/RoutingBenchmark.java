package org.heddle.bench;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.heddle.catalog.Catalog;
import org.heddle.fabric.Fabric;
import org.heddle.routing.ForwardingTables;
import org.heddle.routing.RoutingEngine;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.text.Source;
import org.heddle.text.lft.BoundTables;
import org.heddle.text.lft.CompactTables;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.Recognition;
import org.heddle.topology.generate.DamageSpec;
import org.heddle.topology.generate.FabricDamage;
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

/** The kernels behind {@code heddle route}. Run by {@code bench/jmh}. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class RoutingBenchmark {
  /** Trees by number of hosts; JMH takes no commas in values on its command line. */
  public enum Tree {
    HOSTS_512("XGFT(3;8,8,8;1,8,8)"),
    HOSTS_11664("XGFT(3;18,18,36;1,18,18)");

    private final String spec;

    Tree(String spec) {
      this.spec = spec;
    }
  }

  @Param private Tree tree;

  @Param({"0", "5"})
  private int missingLinksPercent;

  private RoutingRequest request;
  private RoutingEngine ftree;
  private RoutingEngine dmodk;
  private Source compact;

  /** Makes fabric and tables. */
  @Setup
  public void prepare() throws IOException {
    Fabric whole = TreeGenerator.generate(TreeSpec.parse(tree.spec)).withAssignedLids();
    DamageSpec damage =
        DamageSpec.none(1)
            .withLinks(DamageSpec.Amount.share(missingLinksPercent / 100.0))
            .keepingConnected();
    Fabric fabric = FabricDamage.apply(whole, damage).fabric();
    request = RoutingRequest.of(fabric, FatTreeRecogniser.recognise(fabric));
    ftree = Catalog.engine("ftree").orElseThrow();
    dmodk = Catalog.engine("dmodk").orElseThrow();
    ForwardingTables tables = ((RoutingResult.Routed) ftree.route(request)).tables();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    CompactTables.write(fabric, tables, out);
    compact = new Source("memory", out.toByteArray());
  }

  /** Levels, sub-trees and nearest shape of the fabric. */
  @Benchmark
  public Recognition recognise() {
    return FatTreeRecogniser.recognise(request.fabric());
  }

  /** Tables by the counters of OpenSM's ftree. */
  @Benchmark
  public RoutingResult ftree() {
    return ftree.route(request);
  }

  /** Tables by arithmetic. */
  @Benchmark
  public RoutingResult dmodk() {
    return dmodk.route(request);
  }

  /** Tables from their compact form. */
  @Benchmark
  public BoundTables readCompact() {
    return CompactTables.read(compact, request.fabric()).get();
  }
}
