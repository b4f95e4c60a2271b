package org.heddle.experiment;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.heddle.catalog.Catalog;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.routing.ForwardingTables;
import org.heddle.routing.RoutingEngine;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.tenancy.Tenancy;
import org.heddle.topology.FatTree;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.Recognition;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;

/** A fabric of an experiment, with its tree, and engines that route it. */
record TestTree(Fabric fabric, FatTree tree) {
  /** A generated tree. */
  static TestTree of(String spec) {
    return of(TreeGenerator.generate(TreeSpec.parse(spec)).withAssignedLids());
  }

  /**
   * @throws IllegalArgumentException if it is no tree
   */
  static TestTree of(Fabric fabric) {
    if (FatTreeRecogniser.recognise(fabric) instanceof Recognition.Found found) {
      return new TestTree(fabric, found.tree());
    }
    throw new IllegalArgumentException("no tree was recognised");
  }

  static Optional<String> problem(String spec) {
    try {
      TreeSpec.parse(spec);
      return Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.of(e.getMessage());
    }
  }

  static Optional<String> engineProblem(String name) {
    return Catalog.engine(name).isPresent()
        ? Optional.empty()
        : Optional.of(
            "there is no engine '"
                + name
                + "'; engines: "
                + String.join(", ", Catalog.engines().stream().map(RoutingEngine::name).toList()));
  }

  ForwardingTables route(String engine, Tenancy tenancy, List<Guid> order) {
    RoutingRequest request = request(tenancy).withHostOrder(order);
    return tables(engine, Catalog.engine(engine).orElseThrow().route(request));
  }

  /** An engine's tables by the order of hosts; what no order changes is worked out here. */
  Function<List<Guid>, ForwardingTables> routes(String engine) {
    Function<List<Guid>, RoutingResult> routes =
        Catalog.engine(engine).orElseThrow().forOrders(request(Tenancy.NONE));
    return order -> tables(engine, routes.apply(order));
  }

  private RoutingRequest request(Tenancy tenancy) {
    return new RoutingRequest(
        fabric, new Recognition.Found(tree, List.of()), List.of(), List.of(), tenancy);
  }

  private static ForwardingTables tables(String engine, RoutingResult result) {
    return switch (result) {
      case RoutingResult.Routed routed -> routed.tables();
      case RoutingResult.Unsupported no ->
          throw new IllegalArgumentException(engine + " does not route this: " + no.reason());
    };
  }

  int hosts() {
    return fabric.caCount();
  }

  /** Hosts of a leaf for each of its up-links, of the first leaf. */
  double oversubscription() {
    int leaf = tree.leaf(0);
    int down = hostPorts(leaf).length;
    int up = 0;
    for (int number = 1; number <= fabric.portCount(leaf); number++) {
      int peer = fabric.peer(fabric.port(leaf, number));
      up += peer >= 0 && fabric.isSwitch(fabric.nodeOf(peer)) ? 1 : 0;
    }
    return up == 0 ? Double.NaN : (double) down / up;
  }

  /** The ports of the hosts of a switch, in the order of its own ports. */
  int[] hostPorts(int sw) {
    int[] out = new int[fabric.portCount(sw)];
    int n = 0;
    for (int number = 1; number <= fabric.portCount(sw); number++) {
      int peer = fabric.peer(fabric.port(sw, number));
      if (peer >= 0 && !fabric.isSwitch(fabric.nodeOf(peer))) {
        out[n++] = peer;
      }
    }
    return Arrays.copyOf(out, n);
  }
}
