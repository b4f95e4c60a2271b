package org.heddle.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.heddle.catalog.Catalog;
import org.heddle.fabric.Fabric;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.tenancy.IsolationPolicy;
import org.heddle.tenancy.Partition;
import org.heddle.tenancy.PartitionMember;
import org.heddle.tenancy.Tenancy;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.Recognition;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.heddle.verify.isolation.IsolationAudit;
import org.heddle.verify.isolation.IsolationOptions;

/**
 * What tenants cost: {@code pftree-ext} and the isolation audit for several tenancies of one
 * fabric, beside {@code ftree} in the same JVM. Run by {@code bench/tenants}.
 */
public final class TenantSpeed {
  private static final int TENANTS = 200;
  private static final long SEED = 3;

  private final RoutingRequest request;
  private final int[] hosts; // port ids in order of GUIDs
  private double reference;

  private TenantSpeed(RoutingRequest request) {
    this.request = request;
    Fabric fabric = request.fabric();
    int[] ports = new int[fabric.portIdLimit()];
    int n = 0;
    for (int port = 0; port < ports.length; port++) {
      if (fabric.isEndport(port) && !fabric.isSwitch(fabric.nodeOf(port))) {
        ports[n++] = port;
      }
    }
    hosts = java.util.Arrays.copyOf(ports, n);
  }

  /** Entry point: the tree's specification. */
  public static void main(String[] args) {
    Fabric fabric = TreeGenerator.generate(TreeSpec.parse(args[0])).withAssignedLids();
    new TenantSpeed(RoutingRequest.of(fabric, FatTreeRecogniser.recognise(fabric))).measure();
  }

  private void measure() {
    int share = hosts.length / TENANTS;
    int[] equal = new int[TENANTS];
    java.util.Arrays.fill(equal, share);
    int[] giant = new int[TENANTS];
    giant[0] = hosts.length * 2 / 3;
    java.util.Arrays.fill(giant, 1, TENANTS, (hosts.length - giant[0]) / (TENANTS - 1));
    measure("scattered, all def", tenancy(equal, true, 0, 0));
    measure("scattered, 2 phy, 5 vlane", tenancy(equal, true, 2, 5));
    measure("scattered, 10 phy, 20 vlane", tenancy(equal, true, 10, 20));
    measure("together, all def", tenancy(equal, false, 0, 0));
    measure("together, 10 phy, 20 vlane", tenancy(equal, false, 10, 20));
    measure("scattered, one of two thirds, all def", tenancy(giant, true, 0, 0));
    measure("scattered, one of two thirds, 5 vlane", tenancy(giant, true, 0, 5));
  }

  private void measure(String name, Tenancy tenancy) {
    RoutingRequest with = request.withTenancy(tenancy);
    if (reference == 0) {
      route("pftree-ext", with); // both engines are known to the compiler before either is measured
    }
    reference = 0;
    reference = row(name + ": ftree", () -> route("ftree", request));
    RoutingResult.Routed routed = route("pftree-ext", with);
    row(name + ": pftree-ext", () -> route("pftree-ext", with));
    for (int threads = 1; threads <= 2; threads++) {
      IsolationOptions options = options().withThreads(threads);
      row(
          name + ": isolation audit, threads: " + threads,
          () ->
              IsolationAudit.run(
                  request.fabric(), routed.tables(), tenancy, routed.lanes(), options));
    }
    System.out.printf(
        Locale.ROOT,
        "| &nbsp;&nbsp;%s | | | | |%n",
        routed.notes().isEmpty() ? "every policy kept" : routed.notes().getFirst());
  }

  private double row(String what, Supplier<?> work) {
    Stopwatch times = Stopwatch.of(work);
    double ratio = reference == 0 ? 1 : times.median() / reference;
    System.out.printf(Locale.ROOT, "| %s | %s | %.1f |%n", what, times.columns(), ratio);
    return times.median();
  }

  private IsolationOptions options() {
    return request.recognition() instanceof Recognition.Found found
        ? IsolationOptions.defaults().withTree(found.tree())
        : IsolationOptions.defaults();
  }

  private static RoutingResult.Routed route(String engine, RoutingRequest request) {
    return switch (Catalog.engine(engine).orElseThrow().route(request)) {
      case RoutingResult.Routed routed -> routed;
      case RoutingResult.Unsupported no -> throw new IllegalStateException(no.toString());
    };
  }

  /** Tenants of given sizes: the first ones phy, then vlane ones, the others def. */
  private Tenancy tenancy(int[] sizes, boolean scattered, int phy, int vlane) {
    int[] order = hosts.clone();
    SplittableRandom random = new SplittableRandom(SEED);
    for (int i = order.length - 1; i > 0 && scattered; i--) {
      int j = random.nextInt(i + 1);
      int port = order[i];
      order[i] = order[j];
      order[j] = port;
    }
    List<Partition> partitions = new ArrayList<>();
    int next = 0;
    for (int t = 0; t < sizes.length; t++) {
      List<Integer> ports = new ArrayList<>();
      for (int i = 0; i < sizes[t]; i++) {
        ports.add(order[next++]);
      }
      Collections.sort(ports);
      List<PartitionMember> members = new ArrayList<>();
      ports.forEach(port -> members.add(new PartitionMember(port, true, 1)));
      IsolationPolicy policy =
          t < phy
              ? IsolationPolicy.PHY
              : t < phy + vlane ? IsolationPolicy.VLANE : IsolationPolicy.DEF;
      partitions.add(new Partition("t" + t, t + 1, policy, members, List.of()));
    }
    return new Tenancy(Tenancy.Rules.BEST_EFFORT, partitions);
  }
}
