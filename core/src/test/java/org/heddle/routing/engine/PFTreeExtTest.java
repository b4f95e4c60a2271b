package org.heddle.routing.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.heddle.fabric.Fabric;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.tenancy.IsolationPolicy;
import org.heddle.tenancy.Partition;
import org.heddle.tenancy.PartitionMember;
import org.heddle.tenancy.Tenancy;
import org.heddle.verify.isolation.IsolationAudit;
import org.heddle.verify.isolation.IsolationOptions;
import org.heddle.verify.isolation.IsolationReport;
import org.junit.jupiter.api.Test;

class PFTreeExtTest extends RoutingEngineContract {
  @Override
  protected String name() {
    return "pftree-ext";
  }

  @Override
  protected boolean routesAnything() {
    return false;
  }

  /** Hosts of every leaf dealt out in turn to so many physically isolated partitions. */
  private static Tenancy physical(Fabric fabric, int count, boolean strict, double share) {
    List<List<PartitionMember>> members = new ArrayList<>();
    for (int p = 0; p < count; p++) {
      members.add(new ArrayList<>());
    }
    for (int port = 0; port < fabric.portIdLimit(); port++) {
      if (fabric.isEndport(port) && !fabric.isSwitch(fabric.nodeOf(port))) {
        int number = fabric.numberOf(fabric.peer(port));
        members.get(number % count).add(new PartitionMember(port, true, 1));
      }
    }
    List<Partition> partitions = new ArrayList<>();
    for (int p = 0; p < count; p++) {
      partitions.add(new Partition("P" + p, p + 1, IsolationPolicy.PHY, members.get(p), List.of()));
    }
    return new Tenancy(new Tenancy.Rules(strict, 8, share, List.of()), partitions);
  }

  private RoutingResult route(Fabric fabric, Tenancy tenancy) {
    return engine().route(RoutingRequest.of(fabric, recognise(fabric)).withTenancy(tenancy));
  }

  private static IsolationReport isolation(
      Fabric fabric, Tenancy tenancy, RoutingResult.Routed routed) {
    return IsolationAudit.run(
        fabric, routed.tables(), tenancy, routed.lanes(), IsolationOptions.defaults());
  }

  @Test
  void strictListsEveryChannelThatTwoPhysicalPartitionsShareAndBestEffortNotesTheSame() {
    // Two partitions, both on both leaves, and one spine: they meet on all four channels.
    Fabric fabric = Fabrics.tree("XGFT(2;4,2;1,1)");
    Tenancy strict = physical(fabric, 2, true, 1);
    RoutingResult.Unsupported refused = (RoutingResult.Unsupported) route(fabric, strict);
    assertThat(refused.reason())
        .isEqualTo(
            "isolation cannot be kept: 4 times two partitions meet on a channel that should not; "
                + "no up/down routing with one route to each LID keeps it");
    Tenancy relaxed = physical(fabric, 2, false, 1);
    RoutingResult.Routed routed = (RoutingResult.Routed) route(fabric, relaxed);
    List<String> expected = new ArrayList<>();
    for (int channel : isolation(fabric, relaxed, routed).sharedChannels(0, 1)) {
      expected.add(
          fabric.node(fabric.nodeOf(channel)).display()
              + " port "
              + fabric.numberOf(channel)
              + ": P0 and P1 share it, and physical isolation was promised");
    }
    assertThat(expected).hasSize(4);
    assertThat(refused.details()).isEqualTo(expected);
    assertThat(routed.notes().getFirst()).isEqualTo(refused.reason());
    assertThat(routed.notes().subList(1, 5)).isEqualTo(expected);
  }

  @Test
  void physicalPartitionsTakeFewerChannelsIfTheCapAsksForIt() {
    // 4 leaves, 4 spines: 32 channels. One partition on a spine of its own needs 4 up and 4 down.
    Fabric fabric = Fabrics.tree("XGFT(2;4,4;1,4)");
    Tenancy free = physical(fabric, 1, true, 1);
    RoutingResult.Routed wide = (RoutingResult.Routed) route(fabric, free);
    assertThat(isolation(fabric, free, wide).physicalChannels()).isGreaterThan(8);
    Tenancy capped = physical(fabric, 1, true, 0.25);
    RoutingResult.Routed narrow = (RoutingResult.Routed) route(fabric, capped);
    assertThat(isolation(fabric, capped, narrow).physicalChannels()).isEqualTo(8);
    assertThat(isolation(fabric, capped, narrow).kept()).isTrue();
    assertSound(fabric, narrow.tables());
  }

  @Test
  void aCapThatCannotBeKeptIsRefusedWithTheFigures() {
    // 4 leaves need 4 channels up and 4 down at least, 8 of 32; 7 are allowed.
    Fabric fabric = Fabrics.tree("XGFT(2;4,4;1,4)");
    RoutingResult.Unsupported refused =
        (RoutingResult.Unsupported) route(fabric, physical(fabric, 1, true, 0.22));
    assertThat(refused.reason())
        .startsWith("physical isolation takes ")
        .endsWith(
            " of 32 channels between switches, 25.0%; the rules allow 22.0%; no up/down routing "
                + "with one route to each LID keeps it");
    Tenancy relaxed = physical(fabric, 1, false, 0.22);
    RoutingResult.Routed routed = (RoutingResult.Routed) route(fabric, relaxed);
    assertThat(routed.notes()).containsExactly(refused.reason());
    assertThat(isolation(fabric, relaxed, routed).violations())
        .extracting(f -> f.code())
        .containsExactly("physical-cap");
  }
}
