package org.heddle.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import org.heddle.fabric.Fabric;
import org.heddle.fabric.FabricBuilder;
import org.heddle.fabric.NodeType;
import org.heddle.routing.RoutingEngine;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.junit.jupiter.api.Test;

class EngineFallbackTest {
  private static final RoutingEngine DMODK = Catalog.engine("dmodk").orElseThrow();

  private static RoutingRequest request(Fabric fabric) {
    return RoutingRequest.of(fabric, FatTreeRecogniser.recognise(fabric));
  }

  /** Switches with a host each; those of neighbouring numbers are joined, and the ends. */
  private static Fabric ring(int switches) {
    FabricBuilder b = new FabricBuilder();
    int[] sw = new int[switches];
    for (int i = 0; i < switches; i++) {
      sw[i] = b.addSwitch(0x100 + i, 4, "s" + i);
      b.connect(b.addNode(NodeType.CA, 0x200 + i, 1, "h" + i), 1, sw[i], 3);
    }
    for (int i = 0; i < switches; i++) {
      b.connect(sw[i], 1, sw[(i + 1) % switches], 2);
    }
    return b.build().withAssignedLids();
  }

  @Test
  void whoCanRouteTheFabricIsNotReplaced() {
    Fabric fabric = TreeGenerator.generate(TreeSpec.parse("XGFT(2;2,2;1,2)")).withAssignedLids();
    assertThat(EngineFallback.route(DMODK, request(fabric)))
        .isEqualTo(DMODK.route(request(fabric)))
        .isInstanceOf(RoutingResult.Routed.class);
  }

  @Test
  void anotherOneThatCanIsTakenAndSaysSo() {
    Fabric fabric = ring(5);
    RoutingResult.Unsupported no = (RoutingResult.Unsupported) DMODK.route(request(fabric));
    RoutingResult.Routed yes = (RoutingResult.Routed) EngineFallback.route(DMODK, request(fabric));
    RoutingResult.Routed updn =
        (RoutingResult.Routed) Catalog.engine("updn").orElseThrow().route(request(fabric));
    assertThat(yes.tables()).isEqualTo(updn.tables());
    assertThat(yes.notes().getFirst()).isEqualTo("dmodk cannot route this fabric: " + no.reason());
    assertThat(yes.notes().get(1)).startsWith("ftree cannot route this fabric: ");
    assertThat(yes.notes().get(2)).isEqualTo("the tables are those of updn instead");
  }

  @Test
  void whereNobodyCanTheOneWantedSaysWhyNot() {
    FabricBuilder b = new FabricBuilder();
    int host = b.addNode(NodeType.CA, 1, 1, "a");
    b.connect(host, 1, b.addNode(NodeType.CA, 2, 1, "b"), 1);
    Fabric cable = b.build().withAssignedLids(); // without a switch
    assertThat(EngineFallback.route(DMODK, request(cable)))
        .isInstanceOf(RoutingResult.Unsupported.class)
        .isEqualTo(DMODK.route(request(cable)));
  }
}
