package org.heddle.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.heddle.catalog.Catalog;
import org.heddle.fabric.Fabric;
import org.heddle.mad.SmInfo;
import org.heddle.routing.ForwardingTables;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.junit.jupiter.api.Test;

/** Which blocks may be written past OpenSM, and when it counts as another one. */
class InForceTest {
  private static final Fabric FABRIC =
      TreeGenerator.generate(TreeSpec.parse("XGFT(2;9,9;1,9)")).withAssignedLids();

  private static SubnetManager master(long guid, long activity) {
    return new SubnetManager(1, true, guid, "here", 0, SmInfo.MASTER, activity);
  }

  private static ForwardingTables tables() {
    RoutingRequest request = RoutingRequest.of(FABRIC, FatTreeRecogniser.recognise(FABRIC));
    return ((RoutingResult.Routed) Catalog.engine("dmodk").orElseThrow().route(request)).tables();
  }

  private static ForwardingTables other(ForwardingTables tables, int lid) {
    return tables.with(0, lid, tables.port(0, lid) == 1 ? 2 : 1);
  }

  @Test
  void onlyBlocksThatAreNoNewsToOpensmAreWrittenPastIt() {
    ForwardingTables told = tables();
    InForce inForce = new InForce(FABRIC, told, List.of(), master(7, 1));
    assertThat(inForce.onlyBelieved(FABRIC, told, told)).isZero();
    assertThat(inForce.onlyBelieved(FABRIC, other(told, 3), told)).isEqualTo(1);
    assertThat(inForce.onlyBelieved(FABRIC, other(other(told, 3), 70), told)).isEqualTo(2);
    ForwardingTables news = other(told, 70);
    assertThat(inForce.onlyBelieved(FABRIC, other(told, 3), news)).isEqualTo(-1);
    assertThat(inForce.onlyBelieved(FABRIC, other(news, 3), news)).isEqualTo(1);
  }

  @Test
  void whoWasStartedAgainIsAnotherOne() {
    assertThat(master(7, 5).continues(master(7, 5))).isTrue();
    assertThat(master(7, 4).continues(master(7, 5))).isFalse();
    assertThat(master(8, 9).continues(master(7, 5))).isFalse();
    assertThat(master(7, 9).continues(master(7, 5).ended())).isFalse();
    assertThat(master(7, 5).ended().trouble("opensm")).contains("does not answer");
    assertThat(master(7, 5).trouble("opensm")).isEmpty();
  }
}
