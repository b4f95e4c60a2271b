package org.heddle.addressing;

import static org.assertj.core.api.Assertions.assertThat;

import org.heddle.catalog.Catalog;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.FabricBuilder;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.Recognition;
import org.heddle.verify.Audit;
import org.heddle.verify.AuditOptions;
import org.heddle.verify.AuditReport;
import org.junit.jupiter.api.Test;

class VSwitchesTest {
  /** Two spines, three leaves, two virtual switches a leaf with three functions each. */
  private static Fabric withVirtualSwitches() {
    FabricBuilder b = new FabricBuilder();
    int[] spine = {b.addSwitch(0x300, 3, "spine-0"), b.addSwitch(0x301, 3, "spine-1")};
    for (int l = 0; l < 3; l++) {
      int leaf = b.addSwitch(0x200 + l, 4, "leaf-" + l);
      b.connect(leaf, 3, spine[0], l + 1);
      b.connect(leaf, 4, spine[1], l + 1);
      for (int h = 0; h < 2; h++) {
        int v = b.addSwitch(0x100 + 2 * l + h, 4, "vswitch-" + l + h);
        b.connect(v, 4, leaf, h + 1);
        for (int f = 0; f < 3; f++) {
          int ca = b.addCa(0x1000 + 16 * (2 * l + h) + f, 1, "function");
          b.connect(ca, 1, v, f + 1);
        }
      }
    }
    return b.build().withAssignedLids();
  }

  @Test
  void areFoundByTheirOnlyUpLink() {
    Fabric fabric = withVirtualSwitches();
    int[] found = VSwitches.find(fabric);
    assertThat(found).hasSize(6);
    for (int s : found) {
      assertThat(fabric.description(s)).startsWith("vswitch");
    }
  }

  @Test
  void foldIntoHypervisorsWhoseMachinesKeepTheirLids() {
    Fabric fabric = withVirtualSwitches();
    Fabric folded = VSwitches.fold(fabric, VSwitches.find(fabric));
    assertThat(folded.switchCount()).isEqualTo(5);
    assertThat(folded.caCount()).isEqualTo(6);
    assertThat(folded.virtualLids().size()).isEqualTo(18);
    assertThat(folded.topLid()).isEqualTo(fabric.topLid());
    for (int lid = 1; lid <= fabric.topLid(); lid++) {
      int real = fabric.attachedSwitch(fabric.portOfLid(lid));
      boolean isVirtual = fabric.description(real).startsWith("vswitch");
      int now = folded.portOfLid(lid);
      assertThat(folded.nodeGuid(folded.nodeOf(now)))
          .isEqualTo(
              isVirtual
                  ? fabric.nodeGuid(real)
                  : fabric.nodeGuid(fabric.nodeOf(fabric.portOfLid(lid))));
    }
  }

  @Test
  void areRoutedOnceFolded() {
    Fabric fabric = withVirtualSwitches();
    Fabric folded = VSwitches.fold(fabric, VSwitches.find(fabric));
    Recognition recognition = FatTreeRecogniser.recognise(folded);
    assertThat(((Recognition.Found) recognition).tree().levels()).isEqualTo(2);
    RoutingResult result =
        Catalog.engine("vswitch-ftree").orElseThrow().route(RoutingRequest.of(folded, recognition));
    AuditReport report =
        Audit.run(folded, ((RoutingResult.Routed) result).tables(), AuditOptions.defaults());
    assertThat(report.reachability(AuditReport.PairKind.values()[0]).unreachable()).isZero();
    assertThat(report.size().caLids()).isEqualTo(24);
  }
}
