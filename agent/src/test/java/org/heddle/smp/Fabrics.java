package org.heddle.smp;

import org.heddle.fabric.Fabric;
import org.heddle.topology.generate.DamageSpec;
import org.heddle.topology.generate.FabricDamage;
import org.heddle.topology.generate.FabricShuffle;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;

/** Fabrics for tests. */
public final class Fabrics {
  private Fabrics() {}

  /** A three-level tree of 64 hosts without four links, its ports shuffled, with LIDs. */
  public static Fabric damagedTree() {
    Fabric aligned = TreeGenerator.generate(TreeSpec.parse("XGFT(3;4,4,4;1,4,4)"));
    Fabric tree = FabricShuffle.ports(aligned, 5);
    DamageSpec damage = DamageSpec.none(5).withLinks(DamageSpec.Amount.of(4)).keepingConnected();
    return FabricDamage.apply(tree, damage).fabric().withAssignedLids();
  }

  /** The id of some adapter. */
  public static int anAdapter(Fabric fabric) {
    return fabric.switchCount() + 3;
  }
}
