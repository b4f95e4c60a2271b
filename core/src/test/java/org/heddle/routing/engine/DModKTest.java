package org.heddle.routing.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.heddle.fabric.Fabric;
import org.heddle.routing.ForwardingTables;
import org.heddle.routing.tree.TreeGraph;
import org.heddle.topology.generate.DamageSpec;
import org.heddle.topology.generate.FabricDamage;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.junit.jupiter.api.Test;

class DModKTest extends RoutingEngineContract {
  private static final int SEEDS = Integer.getInteger("heddle.test.seeds", 40);

  @Override
  protected String name() {
    return "dmodk";
  }

  @Override
  protected boolean routesAnything() {
    return false;
  }

  @Test
  void aLostCableChangesOnlyTheEntriesThatUsedIt() {
    for (String spec :
        List.of(
            "PGFT(2;2,2;1,2;1,2)",
            "PGFT(2;3,6;1,2;1,3)",
            "PGFT(2;4,4;1,3;1,4)",
            "PGFT(3;4,4,2;1,2,2;1,2,1)",
            "PGFT(3;2,3,3;1,2,2;1,1,2)",
            "PGFT(3;2,2,2;1,2,2;1,2,3)",
            "XGFT(3;3,3,3;1,3,3)")) {
      Fabric regular = TreeGenerator.generate(TreeSpec.parse(spec)).withAssignedLids();
      for (int seed = 0; seed < SEEDS; seed++) {
        Fabric shuffled = RandomFabrics.shufflePorts(regular, seed);
        for (Fabric whole : List.of(regular, shuffled)) {
          DamageSpec damage = DamageSpec.none(seed).withLinks(DamageSpec.Amount.of(1));
          Fabric cut = FabricDamage.apply(whole, damage).fabric();
          assertThat(needless(whole, cut))
              .as("%s, seed %d, %s", spec, seed, whole == shuffled ? "shuffled" : "regular")
              .isEmpty();
        }
      }
    }
  }

  /** Entries that changed although their port still leads to where it did. */
  private List<String> needless(Fabric whole, Fabric cut) {
    ForwardingTables before = tables(whole);
    ForwardingTables after = tables(cut);
    TreeGraph graph = new TreeGraph(cut, treeOf(recognise(cut)).orElseThrow());
    List<String> out = new ArrayList<>();
    for (int s = 0; s < cut.switchCount(); s++) {
      for (int lid = 1; lid <= cut.topLid(); lid++) {
        int old = before.port(s, lid);
        if (old == after.port(s, lid) || cut.peer(cut.port(s, old)) == Fabric.NONE) {
          continue;
        }
        int to = cut.attachedSwitch(cut.portOfLid(lid));
        int next = cut.peerNode(cut.port(s, old));
        boolean goes =
            graph.isBelow(s, to)
                ? graph.isBelow(next, to)
                : graph.level[next] > graph.level[s] && graph.isGood(next, to);
        if (goes) {
          out.add(cut.node(s).display() + ", LID " + lid + ", port " + old);
        }
      }
    }
    return out;
  }
}
