package org.heddle.allocation;

import org.heddle.fabric.Fabric;
import org.heddle.topology.FatTree;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.Recognition;
import org.heddle.topology.RecognitionOptions;
import org.heddle.topology.generate.DamageSpec;
import org.heddle.topology.generate.FabricDamage;
import org.heddle.topology.generate.FabricShuffle;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;

/** Plants the allocation tests run on. */
public final class Plants {
  private Plants() {}

  /** The recognised tree of a fabric. */
  public static FatTree tree(Fabric fabric) {
    return ((Recognition.Found) FatTreeRecogniser.recognise(fabric, RecognitionOptions.NONE))
        .tree();
  }

  /** The plant of a fabric. */
  public static Plant plant(Fabric fabric) {
    return ((Plant.Outcome.Built) Plant.of(fabric, tree(fabric))).plant();
  }

  /** An undamaged plant. */
  public static Plant plant(String spec) {
    return Plant.of(TreeSpec.parse(spec));
  }

  /** The plant of a whole tree whose ports are shuffled: no two leaves number their links alike. */
  public static Plant shuffled(String spec, long seed) {
    return plant(FabricShuffle.ports(TreeGenerator.generate(TreeSpec.parse(spec)), seed));
  }

  /**
   * A plant that lost a share of its switch links, and half that share of its hosts; ports are
   * shuffled, as in real fabrics, if the seed is odd.
   */
  public static Plant damaged(String spec, double share, long seed) {
    Fabric fabric = TreeGenerator.generate(TreeSpec.parse(spec));
    if (seed % 2 != 0) {
      fabric = FabricShuffle.ports(fabric, seed);
    }
    DamageSpec damage =
        DamageSpec.none(seed)
            .withLinks(DamageSpec.Amount.share(share))
            .withHosts(DamageSpec.Amount.share(share / 2));
    return plant(FabricDamage.apply(fabric, damage).fabric());
  }
}
