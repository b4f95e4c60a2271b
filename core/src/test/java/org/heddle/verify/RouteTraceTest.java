package org.heddle.verify;

import static org.assertj.core.api.Assertions.assertThat;

import org.heddle.fabric.Fabric;
import org.heddle.fabric.FabricBuilder;
import org.heddle.routing.ForwardingTables;
import org.heddle.verify.RouteTrace.Link;
import org.heddle.verify.RouteTrace.Outcome;
import org.junit.jupiter.api.Test;

class RouteTraceTest {
  /** Host a on port 1 of s, host b on port 1 of t, s and t joined by ports 2; port 3 is free. */
  private static Fabric twoSwitches() {
    FabricBuilder builder = new FabricBuilder();
    int s = builder.addSwitch(0x20, 3, "s");
    int t = builder.addSwitch(0x21, 3, "t");
    int a = builder.addCa(0x10, 1, "a");
    int b = builder.addCa(0x12, 1, "b");
    builder.setPortGuid(a, 1, 0x11);
    builder.setPortGuid(b, 1, 0x13);
    builder.connect(a, 1, s, 1);
    builder.connect(b, 1, t, 1);
    builder.connect(s, 2, t, 2);
    return builder.build().withAssignedLids();
  }

  private final Fabric fabric = twoSwitches();
  private final int portA = fabric.findPort(0x11);
  private final int portB = fabric.findPort(0x13);
  private final int lidB = fabric.lid(portB);

  /** Tables in which s and t send LID b to the given ports, and have no other entries. */
  private ForwardingTables sending(int atS, int atT) {
    return ForwardingTables.empty(2, fabric.topLid()).with(0, lidB, atS).with(1, lidB, atT);
  }

  private RouteTrace fromAToB(int atS, int atT) {
    return RouteTrace.follow(fabric, sending(atS, atT), portA, lidB);
  }

  @Test
  void aRouteIsListedCableByCable() {
    RouteTrace trace = fromAToB(2, 1);
    assertThat(trace.outcome()).isEqualTo(Outcome.ARRIVED);
    assertThat(trace.links())
        .containsExactly(
            new Link(portA, fabric.port(0, 1)),
            new Link(fabric.port(0, 2), fabric.port(1, 2)),
            new Link(fabric.port(1, 1), portB));
  }

  @Test
  void aRouteStartsAtASwitchToo() {
    RouteTrace trace = RouteTrace.follow(fabric, sending(2, 1), fabric.port(0, 0), lidB);
    assertThat(trace.outcome()).isEqualTo(Outcome.ARRIVED);
    assertThat(trace.links()).hasSize(2);
  }

  @Test
  void aSwitchReceivesItsOwnLidAtPortZero() {
    int lid = fabric.lid(fabric.port(1, 0));
    ForwardingTables tables =
        ForwardingTables.empty(2, fabric.topLid()).with(0, lid, 2).with(1, lid, 0);
    RouteTrace trace = RouteTrace.follow(fabric, tables, portA, lid);
    assertThat(trace.outcome()).isEqualTo(Outcome.ARRIVED);
    assertThat(trace.end()).isEqualTo(1);
  }

  @Test
  void everyWayToFailHasItsName() {
    assertThat(fromAToB(2, ForwardingTables.NO_PORT).outcome()).isEqualTo(Outcome.NO_ENTRY);
    assertThat(fromAToB(2, 9).outcome()).isEqualTo(Outcome.PORT_OUT_OF_RANGE);
    assertThat(fromAToB(2, 3).outcome()).isEqualTo(Outcome.DANGLING_PORT);
    assertThat(fromAToB(2, 0).outcome()).isEqualTo(Outcome.PORT_ZERO);
    assertThat(fromAToB(1, 1).outcome()).isEqualTo(Outcome.WRONG_HOST);
    assertThat(fromAToB(2, 2).outcome()).isEqualTo(Outcome.LOOP);
  }

  @Test
  void aHostReachesItselfWithoutACable() {
    RouteTrace trace = RouteTrace.follow(fabric, sending(2, 1), portB, lidB);
    assertThat(trace.outcome()).isEqualTo(Outcome.ARRIVED);
    assertThat(trace.links()).isEmpty();
  }
}
