package org.heddle.verify.links;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import org.heddle.allocation.Allocation;
import org.heddle.allocation.AllocationBuilder;
import org.heddle.allocation.Plant;
import org.heddle.allocation.Plants;
import org.junit.jupiter.api.Test;

/** The audit must find what is wrong with allocations made by hand. */
class AllocationAuditTest {
  private static final Plant PLANT = Plants.plant("XGFT(3;4,4,4;1,4,4)");

  private static List<AllocationFinding.Code> audit(Allocation... tenants) {
    return new AllocationAudit(
            PLANT.fabric(), Plants.tree(PLANT.fabric()), new SplittableRandom(1), 400)
        .audit(List.of(tenants)).stream().map(AllocationFinding::code).distinct().toList();
  }

  /** A leaf with n hosts and the positions of a mask. */
  private static void leaf(AllocationBuilder to, int leaf, int hosts, int positions) {
    for (int s = 0; s < hosts; s++) {
      to.host(leaf, s);
    }
    to.ups(leaf, new long[] {positions}, 0);
  }

  private static void roots(AllocationBuilder to, int subtree, int plane, int mask) {
    to.roots(subtree, plane, new long[] {mask}, 0);
  }

  @Test
  void twoLeavesOnTheSamePositionsAreFine() {
    AllocationBuilder b = new AllocationBuilder(PLANT, 6, 1, true);
    leaf(b, 0, 3, 0b0111);
    leaf(b, 1, 3, 0b0111);
    assertThat(audit(b.build())).isEmpty();
  }

  @Test
  void twoLeavesOnDifferentPositionsBlock() {
    AllocationBuilder b = new AllocationBuilder(PLANT, 6, 1, true);
    leaf(b, 0, 3, 0b0111);
    leaf(b, 1, 3, 0b1110);
    assertThat(audit(b.build())).containsExactly(AllocationFinding.Code.BLOCKING);
  }

  @Test
  void threeLeavesOnTooFewLinksBlock() {
    AllocationBuilder b = new AllocationBuilder(PLANT, 9, 1, true);
    leaf(b, 0, 3, 0b0111);
    leaf(b, 1, 3, 0b0111);
    leaf(b, 2, 3, 0b0011);
    assertThat(audit(b.build())).containsExactly(AllocationFinding.Code.BLOCKING);
  }

  @Test
  void twoEqualSubtreesOnCommonRootsAreFine() {
    AllocationBuilder b = new AllocationBuilder(PLANT, 8, 1, true);
    for (int leaf : new int[] {0, 1, 4, 5}) {
      leaf(b, leaf, 2, 0b0011);
    }
    for (int t = 0; t < 2; t++) {
      roots(b, t, 0, 0b0011);
      roots(b, t, 1, 0b1100);
    }
    assertThat(audit(b.build())).isEmpty();
  }

  @Test
  void rootsThatAreNotCommonBlock() {
    AllocationBuilder b = new AllocationBuilder(PLANT, 8, 1, true);
    for (int leaf : new int[] {0, 1, 4, 5}) {
      leaf(b, leaf, 2, 0b0011);
    }
    roots(b, 0, 0, 0b0011);
    roots(b, 1, 0, 0b0110);
    roots(b, 0, 1, 0b1100);
    roots(b, 1, 1, 0b1100);
    assertThat(audit(b.build())).containsExactly(AllocationFinding.Code.BLOCKING);
  }

  @Test
  void subtreesOnDifferentPositionsBlockThoughThePrintedConditionsAcceptThem() {
    AllocationBuilder b = new AllocationBuilder(PLANT, 8, 1, true);
    for (int leaf : new int[] {0, 1}) {
      leaf(b, leaf, 2, 0b0011);
      leaf(b, leaf + 4, 2, 0b0110);
    }
    for (int q = 0; q < 3; q++) {
      roots(b, 0, q, 0b0011);
      roots(b, 1, q, 0b0011);
    }
    assertThat(audit(b.build())).containsExactly(AllocationFinding.Code.BLOCKING);
  }

  @Test
  void anOddLeafInEverySubtreeBlocks() {
    AllocationBuilder b = new AllocationBuilder(PLANT, 20, 1, true);
    for (int t = 0; t < 2; t++) {
      leaf(b, 4 * t, 4, 0b1111);
      leaf(b, 4 * t + 1, 4, 0b1111);
      leaf(b, 4 * t + 2, 2, 0b0011);
      roots(b, t, 0, 0b0111);
      roots(b, t, 1, 0b0111);
      roots(b, t, 2, 0b0011);
      roots(b, t, 3, 0b0011);
    }
    assertThat(audit(b.build())).containsExactly(AllocationFinding.Code.BLOCKING);
  }

  @Test
  void halfTheLinksAreEnoughForHalfTheBandwidth() {
    AllocationBuilder b = new AllocationBuilder(PLANT, 8, 2, true);
    leaf(b, 0, 4, 0b0101);
    leaf(b, 1, 4, 0b0101);
    assertThat(audit(b.build())).isEmpty();
    AllocationBuilder full = new AllocationBuilder(PLANT, 8, 1, true);
    leaf(full, 0, 4, 0b0101);
    leaf(full, 1, 4, 0b0101);
    assertThat(audit(full.build())).containsExactly(AllocationFinding.Code.BLOCKING);
  }

  @Test
  void aHostOrLinkOfTwoTenantsIsFound() {
    AllocationBuilder a = new AllocationBuilder(PLANT, 4, 1, true);
    leaf(a, 0, 2, 0b0011);
    leaf(a, 1, 2, 0b0011);
    AllocationBuilder b = new AllocationBuilder(PLANT, 4, 1, true);
    leaf(b, 1, 2, 0b0110);
    leaf(b, 2, 2, 0b0110);
    assertThat(audit(a.build(), b.build()))
        .containsExactlyInAnyOrder(
            AllocationFinding.Code.HOST_SHARED, AllocationFinding.Code.LINK_SHARED);
  }

  @Test
  void aLinkThatIsDeadIsFound() {
    Plant damaged = Plants.damaged("XGFT(2;4,4;1,4)", 0.2, 3);
    int leaf = 0;
    int position = 0;
    while (damaged.upPort(0, leaf, position) >= 0) {
      position = (position + 1) % 4;
      leaf += position == 0 ? 1 : 0;
    }
    Allocation a = new AllocationBuilder(damaged, 1, 1, false).up(leaf, position).build();
    AllocationAudit audit =
        new AllocationAudit(
            damaged.fabric(), Plants.tree(damaged.fabric()), new SplittableRandom(1), 1);
    assertThat(audit.audit(List.of(a)))
        .extracting(AllocationFinding::code)
        .containsExactly(AllocationFinding.Code.NO_TREE_LINK);
  }
}
