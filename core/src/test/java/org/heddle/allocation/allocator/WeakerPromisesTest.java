package org.heddle.allocation.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.heddle.allocation.Advisor;
import org.heddle.allocation.Allocation;
import org.heddle.allocation.AllocationRequest;
import org.heddle.allocation.AllocationResult;
import org.heddle.allocation.Allocator;
import org.heddle.allocation.Occupancy;
import org.heddle.allocation.Plant;
import org.heddle.allocation.Plants;
import org.heddle.catalog.Catalog;
import org.heddle.fabric.Fabric;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.Recognition;
import org.heddle.topology.RecognitionOptions;
import org.heddle.topology.generate.DamageSpec;
import org.heddle.topology.generate.FabricDamage;
import org.heddle.topology.generate.FabricShuffle;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.heddle.verify.links.AllocationAudit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Who asks for less is never refused where who asks for more is served: fewer hosts, more hosts a
 * link, no links, {@code exact} instead of a scheme that rounds. And what a refusal says would fit
 * does. Random small trees down to one host a leaf, one leaf a sub-tree, one root, with ports in
 * any order, damaged, partly occupied; {@code -Dheddle.allocation.trees=N} for another number.
 */
class WeakerPromisesTest {
  private static final int TREES = Integer.getInteger("heddle.allocation.trees", 60);
  private static final int HOSTS = 24;
  private static final int[] SHARES = {1, 2, 3, 4, 7, Integer.MAX_VALUE};

  private final Allocator exact = Catalog.allocator("exact").orElseThrow();

  @ParameterizedTest
  @ValueSource(strings = {"exact", "laas", "simple", "simple-extended"})
  void whoAsksForLessIsNotRefused(String name) {
    Allocator allocator = Catalog.allocator(name).orElseThrow();
    SplittableRandom random = new SplittableRandom(name.hashCode());
    int placed = 0;
    int refused = 0;
    for (int tree = 0; tree < TREES; tree++) {
      String spec = spec(random);
      Fabric fabric = fabric(spec, random);
      if (!(FatTreeRecogniser.recognise(fabric, RecognitionOptions.NONE)
          instanceof Recognition.Found)) {
        continue; // damage has made it no tree
      }
      Plant plant = Plants.plant(fabric);
      AllocationAudit audit = new AllocationAudit(fabric, Plants.tree(fabric), random.split(), 4);
      Occupancy occupancy = occupied(plant, random);
      boolean[] stronger = new boolean[occupancy.freeHosts() + 1];
      for (int p : SHARES) {
        boolean[] fits = new boolean[stronger.length];
        int largest = 0;
        for (int n = fits.length - 1; n >= 1; n--) {
          String what = "%s, %s, %d hosts, %d a link".formatted(spec, occupancy, n, p);
          AllocationRequest request = AllocationRequest.of(n).withOversubscription(p);
          AllocationResult result = allocator.place(request, occupancy);
          assertThat(allocator.place(request, occupancy)).as(what).isEqualTo(result);
          fits[n] = result instanceof AllocationResult.Placed;
          largest = fits[n] ? Math.max(n, largest) : largest;
          assertThat(fits[n] || !stronger[n]).as(what + " in place of fewer").isTrue();
          assertThat(fits[n] || n > largest).as(what + " in place of %d", largest).isTrue();
          if (result instanceof AllocationResult.Placed(Allocation a)) {
            placed++;
            assertThat(a.requested()).as(what).isEqualTo(n);
            assertThat(a.oversubscription()).as(what).isEqualTo(p);
            assertThat(occupancy.fits(a)).as(what).isTrue();
            assertThat(audit.audit(List.of(a))).as(what).isEmpty();
            assertThat(exact.place(request, occupancy))
                .as(what)
                .isInstanceOf(AllocationResult.Placed.class);
            assertThat(allocator.place(request.withoutLinks(), occupancy))
                .as(what)
                .isInstanceOf(AllocationResult.Placed.class);
          } else {
            refused++;
          }
        }
        assertHints(allocator, p, occupancy, largest);
        stronger = Arrays.copyOf(fits, fits.length);
      }
    }
    assertThat(placed).isGreaterThan(TREES);
    assertThat(refused).isGreaterThan(TREES);
  }

  private static void assertHints(Allocator allocator, int p, Occupancy occupancy, int largest) {
    for (int n = 1; n <= occupancy.freeHosts() + 1; n += 1 + n / 2) {
      AllocationRequest request = AllocationRequest.of(n).withOversubscription(p);
      if (!(allocator.place(request, occupancy) instanceof AllocationResult.Placed)) {
        assertThat(new Advisor(allocator).largestThatFits(request, occupancy).orElse(0))
            .as("%s, %d hosts", occupancy, n)
            .isEqualTo(largest);
      }
    }
  }

  private static String spec(SplittableRandom random) {
    while (true) {
      int m1 = 1 + random.nextInt(4);
      int m2 = 1 + random.nextInt(5);
      int m3 = 1 + random.nextInt(4);
      int w2 = 1 + random.nextInt(3);
      int w3 = 1 + random.nextInt(3);
      int p2 = 1 + random.nextInt(2);
      int p3 = 1 + random.nextInt(2);
      if (random.nextBoolean() && m1 * m2 <= HOSTS) {
        return "PGFT(2;%d,%d;1,%d;1,%d)".formatted(m1, m2, w2, p2);
      }
      if (m1 * m2 * m3 <= HOSTS) {
        return "PGFT(3;%d,%d,%d;1,%d,%d;1,%d,%d)".formatted(m1, m2, m3, w2, w3, p2, p3);
      }
    }
  }

  private static Fabric fabric(String spec, SplittableRandom random) {
    Fabric fabric = TreeGenerator.generate(TreeSpec.parse(spec));
    if (random.nextBoolean()) {
      DamageSpec damage =
          DamageSpec.none(random.nextLong())
              .withLinks(DamageSpec.Amount.share(0.15))
              .withHosts(DamageSpec.Amount.share(0.1))
              .keepingConnected();
      fabric = FabricDamage.apply(fabric, damage).fabric();
    }
    return FabricShuffle.ports(fabric, random.nextLong());
  }

  /** A plant with a few tenants. */
  private Occupancy occupied(Plant plant, SplittableRandom random) {
    Occupancy occupancy = Occupancy.empty(plant);
    List<Allocation> held = new ArrayList<>();
    for (int i = random.nextInt(7); i > 0; i--) {
      int n = 1 + random.nextInt(1 + plant.hostCount() / 3);
      if (exact.place(AllocationRequest.of(n), occupancy)
          instanceof AllocationResult.Placed(Allocation a)) {
        occupancy.take(a);
        held.add(a);
      }
      if (held.size() > 1 && random.nextInt(3) == 0) {
        occupancy.release(held.remove(random.nextInt(held.size())));
      }
    }
    return occupancy;
  }
}
