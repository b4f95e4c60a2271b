package org.heddle.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.heddle.catalog.Catalog;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.reconfig.reroute.SubtreeReroute;
import org.heddle.routing.ForwardingTables;
import org.heddle.routing.RoutingEngine;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.Subtree;
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
 * Routing 324 hosts of 11,664 anew for an order of receivers, against routing all of them: finding
 * the (sub-)tree, routing, and finding the blocks that differ, on both sides (Tasoulas, thesis,
 * paper III, figure 10). Every call takes another of the 36 sub-trees and its order, and starts
 * from the same tables of ftree.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(
    value = 1,
    jvmArgs = {"-Xms1500m", "-Xmx1500m", "-XX:+UseSerialGC", "-XX:+AlwaysPreTouch"})
public class SubtreeBenchmark {
  private static final int SUBTREES = 36;
  private static final int LEAVES = 18;
  private static final int HOSTS = 18;

  /** How many hosts of the sub-tree the order names. */
  @Param({"18", "324"})
  private int ordered;

  private final RoutingEngine engine = Catalog.engine("noftree").orElseThrow();
  private Fabric fabric;
  private ForwardingTables before;
  private final List<int[]> ports = new ArrayList<>();
  private final List<List<Guid>> orders = new ArrayList<>();
  private int next;

  /** Makes fabric, tables and orders, and prints how many blocks either way writes. */
  @Setup
  public void prepare() {
    fabric = TreeGenerator.generate(TreeSpec.parse("XGFT(3;18,18,36;1,18,18)")).withAssignedLids();
    RoutingRequest request = RoutingRequest.of(fabric, FatTreeRecogniser.recognise(fabric));
    before = ((RoutingResult.Routed) Catalog.engine("ftree").orElseThrow().route(request)).tables();
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < SUBTREES; i++) {
      int first = fabric.switchCount() + i * LEAVES * HOSTS; // GUIDs follow the leaves
      ports.add(new int[] {fabric.port(first, 1), fabric.port(first + LEAVES * HOSTS - 1, 1)});
      orders.add(order(first, random));
    }
    long part = 0;
    long whole = 0;
    for (int i = 0; i < SUBTREES; i++) {
      next = i;
      part += subtree().smps();
      whole += full();
    }
    System.out.printf(
        "%n%d hosts in the order, means over the sub-trees: %.1f blocks written, all anew %.1f%n",
        ordered, (double) part / SUBTREES, (double) whole / SUBTREES);
  }

  private List<Guid> order(int first, SplittableRandom random) {
    int[] hosts = new int[LEAVES * HOSTS];
    for (int i = 0; i < hosts.length; i++) {
      int j = random.nextInt(i + 1);
      hosts[i] = hosts[j];
      hosts[j] = first + i;
    }
    List<Guid> out = new ArrayList<>();
    for (int i = 0; i < ordered; i++) {
      out.add(new Guid(fabric.nodeGuid(hosts[i])));
    }
    return out;
  }

  /** The sub-tree, its tables and its blocks. */
  @Benchmark
  public SubtreeReroute.Rerouted subtree() {
    next = (next + 1) % SUBTREES;
    Subtree found = ((Subtree.Found) Subtree.holding(fabric, ports.get(next))).subtree();
    return (SubtreeReroute.Rerouted) SubtreeReroute.run(before, found, engine, orders.get(next));
  }

  /** The whole tree, all tables and their blocks. */
  @Benchmark
  public long full() {
    next = (next + 1) % SUBTREES;
    RoutingRequest request =
        new RoutingRequest(
            fabric, FatTreeRecogniser.recognise(fabric), orders.get(next), List.of());
    ForwardingTables after = ((RoutingResult.Routed) engine.route(request)).tables();
    long blocks = 0;
    for (int sw = 0; sw < fabric.switchCount(); sw++) {
      blocks += after.differingBlocks(sw, before);
    }
    return blocks;
  }

  /** The same without looking for blocks. */
  @Benchmark
  public RoutingResult fullWithoutBlocks() {
    next = (next + 1) % SUBTREES;
    return engine.route(
        new RoutingRequest(
            fabric, FatTreeRecogniser.recognise(fabric), orders.get(next), List.of()));
  }
}
