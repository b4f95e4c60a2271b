package org.heddle.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.heddle.schedule.WorkloadGenerator.Spec;
import org.junit.jupiter.api.Test;

class WorkloadTest {
  private static final int HOSTS = 11_664;

  private static Workload draw(String sizes, long seed) {
    return WorkloadGenerator.generate(Spec.of(SizeDistribution.parse(sizes), 10_000, seed), HOSTS);
  }

  @Test
  void theGeneratorIsSplitMix64() {
    // First outputs for seed 1234567 of Vigna's splitmix64.c, as Rosetta Code lists them.
    SplitMix random = new SplitMix(1234567);
    assertThat(random.next()).isEqualTo(6457827717110365317L);
    assertThat(random.next()).isEqualTo(3203168211198807973L);
    assertThat(Long.toUnsignedString(random.next())).isEqualTo("9817491932198370423");
  }

  @Test
  void requestsAreInOrderOfArrivalAndOtherwiseAsGiven() {
    Workload work =
        Workload.of(
            new long[] {1, 2, 3, 4, 5},
            new int[] {1, 1, 1, 1, 1},
            new long[] {7, 0, 7, 3, 0},
            new long[] {1, 1, 1, 1, 1});
    long[] ids = new long[5];
    for (int i = 0; i < 5; i++) {
      ids[i] = work.id(i);
    }
    assertThat(ids).containsExactly(2, 5, 4, 1, 3);
  }

  @Test
  void exponentialSizesHaveThatMean() {
    // Rounding half up moves the mean of an exponential of 36 by less than 0.01, clamping to 1 adds
    // P(size < 0.5) = 0.014. Deviation of the mean of 10,000: 0.36.
    assertThat(draw("exp:36", 1).meanSize()).isCloseTo(36, within(1.5));
  }

  @Test
  void gaussianSizesAreAFifthOfTheirMeanWide() {
    Workload work = draw("gauss:100", 1);
    double squares = 0;
    for (int i = 0; i < work.count(); i++) {
      squares += (work.size(i) - 100.0) * (work.size(i) - 100.0);
    }
    assertThat(work.meanSize()).isCloseTo(100, within(1.0));
    assertThat(Math.sqrt(squares / work.count())).isCloseTo(20, within(0.6));
  }

  @Test
  void threeQuartersOfThePeakedSizesArePowersOfTwo() {
    Workload work = draw("pow2:200", 1);
    int powers = 0;
    for (int i = 0; i < work.count(); i++) {
      powers += Integer.bitCount(work.size(i)) == 1 ? 1 : 0;
    }
    // 75 % and those that hit one by chance: about 3 in 100 of the rest at this mean.
    assertThat(powers).isBetween(7_400, 7_900);
    assertThat(work.meanSize()).isCloseTo(200, within(25.0));
  }

  @Test
  void sizesStayInsideTheFabricAndRunTimesInsideTheirRange() {
    for (String sizes : new String[] {"exp:1", "exp:20000", "gauss:20000", "pow2:20000"}) {
      Workload work = draw(sizes, 3);
      long shortest = Long.MAX_VALUE;
      long longest = 0;
      for (int i = 0; i < work.count(); i++) {
        assertThat(work.size(i)).isBetween(1, HOSTS);
        assertThat(work.arrival(i)).isZero();
        shortest = Math.min(shortest, work.length(i));
        longest = Math.max(longest, work.length(i));
      }
      assertThat(shortest).isEqualTo(20);
      assertThat(longest).isEqualTo(3000);
    }
  }

  @Test
  void poissonArrivalsHaveThatMeanGap() {
    Spec spec = new Spec(SizeDistribution.parse("exp:8"), 10_000, 20, 3000, 50, 1);
    Workload work = WorkloadGenerator.generate(spec, HOSTS);
    // The last of 10,000 arrivals is at 500,000, deviation 50 * 100.
    assertThat(work.arrival(9_999)).isBetween(480_000L, 520_000L);
  }

  @Test
  void anotherDistributionOfSizesLeavesTheRunTimes() {
    Workload a = draw("exp:36", 5);
    Workload b = draw("gauss:100", 5);
    Workload other = draw("exp:36", 6);
    int same = 0;
    for (int i = 0; i < a.count(); i++) {
      assertThat(a.length(i)).isEqualTo(b.length(i));
      same += a.length(i) == other.length(i) ? 1 : 0;
    }
    assertThat(same).isLessThan(100);
  }

  @Test
  void theSameSeedGivesTheSameRequests() {
    // Fixed for good: a change here changes every published figure.
    Workload work = draw("exp:36", 1);
    assertThat(new int[] {work.size(0), work.size(1), work.size(2)}).containsExactly(17, 103, 2);
  }

  @Test
  void whatIsNoDistributionIsRefusedWithWhatIsExpected() {
    assertThatThrownBy(() -> SizeDistribution.parse("exp")).hasMessageContaining("exp:36");
    assertThatThrownBy(() -> SizeDistribution.parse("exp:-1")).hasMessageContaining("exp:36");
    assertThatThrownBy(() -> SizeDistribution.parse("exp:NaN")).hasMessageContaining("exp:36");
    assertThatThrownBy(() -> SizeDistribution.parse("zipf:3")).hasMessageContaining("gauss");
  }
}
