package org.heddle.routing.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.heddle.catalog.Catalog;
import org.heddle.fabric.Fabric;
import org.heddle.routing.RoutingEngine;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.tenancy.IsolationPolicy;
import org.heddle.tenancy.Partition;
import org.heddle.tenancy.PartitionMember;
import org.heddle.tenancy.Tenancy;
import org.heddle.topology.Recognition;
import org.heddle.verify.IsolationAudit;
import org.heddle.verify.IsolationOptions;
import org.junit.jupiter.api.Test;

/**
 * Random fabrics, tenancies and policies: what an engine of the pFTree family claims is what the
 * independent isolation audit finds, no false promise and no false alarm.
 */
class PartitionClaimsTest {
  private static final int SEEDS = Integer.getInteger("heddle.test.triples", 250);

  @Test
  void theEnginesClaimIsTheVerifiersFinding() {
    List<String> wrong = new ArrayList<>();
    int kept = 0;
    int broken = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Fabric fabric = Fabrics.damaged(random.nextInt(1000));
      Recognition recognition = RoutingEngineContract.recognise(fabric);
      Tenancy tenancy = tenancy(fabric, random);
      RoutingRequest request = RoutingRequest.of(fabric, recognition).withTenancy(tenancy);
      for (String name : List.of("pftree", "pftree-ext", "pftree-wt", "pftree-mix")) {
        RoutingEngine engine = Catalog.engine(name).orElseThrow();
        if (!(engine.route(request) instanceof RoutingResult.Routed routed)) {
          continue; // damage cut the tree: no claim
        }
        boolean claimed = routed.notes().stream().noneMatch(n -> n.contains("isolation"));
        boolean found =
            IsolationAudit.run(
                    fabric, routed.tables(), tenancy, routed.lanes(), IsolationOptions.defaults())
                .kept();
        if (claimed != found) {
          wrong.add("seed " + seed + ", " + name + ": claimed " + claimed + ", found " + found);
        }
        Tenancy.Rules strict =
            new Tenancy.Rules(true, tenancy.rules().dataLanes(), 1.0, tenancy.rules().sharing());
        boolean refused =
            engine.route(request.withTenancy(tenancy.withRules(strict)))
                instanceof RoutingResult.Unsupported;
        if (refused == claimed) {
          wrong.add("seed " + seed + ", " + name + ": strict and best effort disagree");
        }
        kept += found ? 1 : 0;
        broken += found ? 0 : 1;
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(kept).isPositive();
    assertThat(broken).isPositive();
  }

  private static Tenancy tenancy(Fabric fabric, SplittableRandom random) {
    List<Integer> ports = new ArrayList<>();
    for (int port = 0; port < fabric.portIdLimit(); port++) {
      if (fabric.isEndport(port) && !fabric.isSwitch(fabric.nodeOf(port))) {
        ports.add(port);
      }
    }
    for (int i = ports.size() - 1; i > 0; i--) {
      Collections.swap(ports, i, random.nextInt(i + 1));
    }
    int tenants = 1 + random.nextInt(6);
    List<Partition> partitions = new ArrayList<>();
    for (int t = 0; t < tenants; t++) {
      int from = t * ports.size() / tenants;
      int to = Math.min(ports.size(), (t + 1) * ports.size() / tenants + random.nextInt(2));
      List<Integer> mine = new ArrayList<>(ports.subList(from, to));
      Collections.sort(mine);
      List<PartitionMember> members = new ArrayList<>();
      for (int port : mine) {
        members.add(new PartitionMember(port, random.nextInt(4) > 0, 1 + random.nextInt(3)));
      }
      IsolationPolicy[] policies = IsolationPolicy.values();
      IsolationPolicy policy = policies[random.nextInt(policies.length)];
      partitions.add(new Partition("t" + t, t + 1, policy, members, List.of()));
    }
    Tenancy.Rules rules = new Tenancy.Rules(false, 1 + random.nextInt(4), 1.0, List.of());
    return new Tenancy(rules, partitions);
  }
}
