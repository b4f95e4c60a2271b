package org.heddle.routing.links;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.heddle.allocation.Allocation;
import org.heddle.allocation.Plant;
import org.heddle.catalog.Catalog;
import org.heddle.fabric.Fabric;
import org.heddle.routing.ForwardingTables;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.tenancy.IsolationPolicy;
import org.heddle.tenancy.Lanes;
import org.heddle.tenancy.Partition;
import org.heddle.tenancy.PartitionMember;
import org.heddle.tenancy.Tenancy;
import org.heddle.topology.FatTree;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.Recognition;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.heddle.verify.Audit;
import org.heddle.verify.AuditOptions;
import org.heddle.verify.AuditReport;
import org.heddle.verify.isolation.IsolationAudit;
import org.heddle.verify.isolation.IsolationOptions;
import org.heddle.verify.isolation.IsolationReport;
import org.heddle.verify.links.LinkConfinement;

/** A fabric with base tables on which tenants get links. */
final class LinkLab {
  final Fabric fabric;
  final FatTree tree;
  final Plant plant;
  final ForwardingTables base;

  LinkLab(String spec) {
    this(TreeGenerator.generate(TreeSpec.parse(spec)));
  }

  LinkLab(Fabric cabled) {
    fabric = cabled.withAssignedLids();
    Recognition recognition = FatTreeRecogniser.recognise(fabric);
    tree = ((Recognition.Found) recognition).tree();
    plant = ((Plant.Outcome.Built) Plant.of(fabric, tree)).plant();
    RoutingResult result =
        Catalog.engine("dmodk").orElseThrow().route(RoutingRequest.of(fabric, recognition));
    base = ((RoutingResult.Routed) result).tables();
  }

  int lid(int host) {
    return fabric.lid(fabric.port(host, 1));
  }

  /** Ports of the hosts of a tenant. */
  int[] hostPorts(Allocation tenant) {
    List<Integer> out = new ArrayList<>();
    for (int host : tenant.hosts()) {
      for (int number = 1; number <= fabric.portCount(host); number++) {
        if (fabric.peer(fabric.port(host, number)) != Fabric.NONE) {
          out.add(fabric.port(host, number));
        }
      }
    }
    return out.stream().mapToInt(i -> i).toArray();
  }

  List<Region> regions(Map<String, Allocation> tenants) {
    List<Region> out = new ArrayList<>();
    tenants.forEach((name, a) -> out.add(new Region(name, hostPorts(a), a.links())));
    return out;
  }

  LinkRouting.Outcome outcome(Map<String, Allocation> tenants) {
    return LinkRouting.route(fabric, tree, base, regions(tenants));
  }

  LinkRouting.Routed route(Map<String, Allocation> tenants) {
    LinkRouting.Outcome outcome = outcome(tenants);
    assertThat(outcome).isInstanceOf(LinkRouting.Routed.class);
    return (LinkRouting.Routed) outcome;
  }

  /** Sound tables in which no tenant meets another and none leaves its links. */
  void assertApart(Map<String, Allocation> tenants, LinkRouting.Routed routed) {
    AuditReport before = Audit.run(fabric, base, AuditOptions.defaults().withTree(tree));
    AuditReport report = Audit.run(fabric, routed.tables(), AuditOptions.defaults().withTree(tree));
    assertThat(report.errors()).as(report.findings().toString()).isEqualTo(before.errors());
    assertThat(report.creditLoops().cyclic()).isEqualTo(before.creditLoops().cyclic());
    assertThat(report.upDown().orElseThrow().downUpRoutes())
        .isEqualTo(before.upDown().orElseThrow().downUpRoutes());
    for (AuditReport.PairKind kind : AuditReport.PairKind.values()) {
      assertThat(report.reachability(kind).unreachable())
          .isEqualTo(before.reachability(kind).unreachable());
    }
    IsolationReport isolation =
        IsolationAudit.run(
            fabric,
            routed.tables(),
            tenancy(tenants),
            Lanes.single(tenants.size()),
            IsolationOptions.defaults().withTree(tree));
    assertThat(isolation.pairs()).isEmpty();
    assertThat(isolation.violations()).isEmpty();
    tenants.forEach(
        (name, a) -> {
          LinkConfinement.Result r =
              LinkConfinement.check(fabric, routed.tables(), hostPorts(a), a.links());
          assertThat(r.confined()).as("%s: %s", name, r).isTrue();
          assertThat(r.routes()).isPositive();
        });
  }

  private Tenancy tenancy(Map<String, Allocation> tenants) {
    List<Partition> partitions = new ArrayList<>();
    tenants.forEach(
        (name, a) -> {
          List<PartitionMember> members = new ArrayList<>();
          for (int port : hostPorts(a)) {
            members.add(new PartitionMember(port, true, 1));
          }
          partitions.add(
              new Partition(name, partitions.size() + 1, IsolationPolicy.PHY, members, List.of()));
        });
    return new Tenancy(new Tenancy.Rules(true, 1, 1.0, List.of()), partitions);
  }

  /** Every switch's entry for every LID of a tenant is the same in both. */
  void assertSameEntries(Allocation tenant, ForwardingTables a, ForwardingTables b) {
    for (int port : hostPorts(tenant)) {
      for (int sw = 0; sw < fabric.switchCount(); sw++) {
        assertThat(a.port(sw, fabric.lid(port))).isEqualTo(b.port(sw, fabric.lid(port)));
      }
    }
  }

  /** Routes from a switch with hosts of nobody to another such host that use a tenant's link. */
  long othersOn(Map<String, Allocation> tenants, ForwardingTables tables) {
    Set<Integer> taken = new HashSet<>();
    Set<Integer> owned = new HashSet<>();
    tenants
        .values()
        .forEach(
            a -> {
              Arrays.stream(a.hosts()).forEach(taken::add);
              Arrays.stream(a.links()).forEach(owned::add);
            });
    List<Integer> ports = new ArrayList<>();
    List<Integer> links = new ArrayList<>();
    for (int port = 0; port < fabric.portIdLimit(); port++) {
      int node = fabric.nodeOf(port);
      if (!fabric.isSwitch(node) && fabric.lid(port) != 0 && !taken.contains(node)) {
        ports.add(port);
      }
      boolean link = fabric.isSwitch(node) && fabric.peer(port) != Fabric.NONE;
      if (link
          && fabric.isSwitch(fabric.peerNode(port))
          && !owned.contains(port)
          && !owned.contains(fabric.peer(port))) {
        links.add(port);
      }
    }
    LinkConfinement.Result r =
        LinkConfinement.check(
            fabric,
            tables,
            ports.stream().mapToInt(i -> i).toArray(),
            links.stream().mapToInt(i -> i).toArray());
    assertThat(r.lost()).isZero();
    return r.strays();
  }
}
