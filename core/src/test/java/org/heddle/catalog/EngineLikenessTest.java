package org.heddle.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.heddle.fabric.Fabric;
import org.heddle.routing.ForwardingTables;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.generate.DamageSpec;
import org.heddle.topology.generate.FabricDamage;
import org.heddle.topology.generate.FabricShuffle;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.junit.jupiter.api.Test;

/** Tables of every plain engine on whole and damaged trees, ports in any order. */
class EngineLikenessTest {
  private static final List<String> ENGINES = List.of("ftree", "dmodk", "minhop", "updn");

  private static Fabric fabric(int seed) {
    String[] trees = {"XGFT(2;4,6;1,3)", "XGFT(3;3,3,3;1,3,3)", "PGFT(2;4,4;1,2;1,2)"};
    Fabric tree = TreeGenerator.generate(TreeSpec.parse(trees[seed % trees.length]));
    DamageSpec some =
        DamageSpec.none(seed).withLinks(DamageSpec.Amount.share(0.08)).keepingConnected();
    Fabric fabric = seed % 2 == 0 ? tree : FabricDamage.apply(tree, some).fabric();
    return FabricShuffle.ports(fabric, seed).withAssignedLids();
  }

  private static ForwardingTables route(Fabric fabric, String engine) {
    return Catalog.engine(engine).orElseThrow().route(request(fabric))
            instanceof RoutingResult.Routed yes
        ? yes.tables()
        : null;
  }

  private static RoutingRequest request(Fabric fabric) {
    return RoutingRequest.of(fabric, FatTreeRecogniser.recognise(fabric));
  }

  @Test
  void theEngineThatMadeTablesIsNamed() {
    int named = 0;
    for (int seed = 0; seed < 12; seed++) {
      Fabric fabric = fabric(seed);
      for (String engine : ENGINES) {
        ForwardingTables tables = route(fabric, engine);
        if (tables == null) {
          continue;
        }
        List<EngineLikeness> found = EngineLikeness.of(request(fabric), tables);
        EngineLikeness own =
            found.stream().filter(l -> l.engine().equals(engine)).findFirst().orElseThrow();
        assertThat(own.same()).isTrue();
        assertThat(found.getFirst().same()).isTrue();
        assertThat(found.stream().map(EngineLikeness::engine)).doesNotContain("metabase", "pftree");
        for (EngineLikeness l : found) {
          assertThat(l.same()).isEqualTo(same(fabric, tables, route(fabric, l.engine())));
        }
        named += found.getFirst().engine().equals(engine) ? 1 : 0;
      }
    }
    assertThat(named).isGreaterThan(20);
  }

  private static boolean same(Fabric fabric, ForwardingTables a, ForwardingTables b) {
    for (int sw = 0; sw < fabric.switchCount(); sw++) {
      for (int lid = 1; lid <= fabric.topLid(); lid++) {
        if (fabric.portOfLid(lid) != Fabric.NONE && a.port(sw, lid) != b.port(sw, lid)) {
          return false;
        }
      }
    }
    return true;
  }

  @Test
  void minhopIsShortestEverywhereAndADetourIsNot() {
    int detours = 0;
    for (int seed = 0; seed < 12; seed++) {
      Fabric fabric = fabric(seed);
      ForwardingTables tables = route(fabric, "minhop");
      assertThat(EngineLikeness.isShortest(fabric, tables)).isTrue();
      int host = fabric.port(fabric.switchCount(), 1);
      int leaf = fabric.attachedSwitch(host);
      for (int sw = 0; sw < fabric.switchCount(); sw++) {
        int number = tables.port(sw, fabric.lid(host));
        int next = fabric.peerNode(fabric.port(sw, number));
        if (sw == leaf || next == leaf) {
          continue;
        }
        for (int k = 1; k <= fabric.portCount(sw); k++) {
          int other = fabric.peerNode(fabric.port(sw, k));
          if (other != Fabric.NONE && !fabric.isSwitch(other)) {
            ForwardingTables detour = tables.with(sw, fabric.lid(host), k);
            assertThat(EngineLikeness.isShortest(fabric, detour)).isFalse();
            detours++;
          }
        }
      }
    }
    assertThat(detours).isGreaterThan(20);
  }
}
