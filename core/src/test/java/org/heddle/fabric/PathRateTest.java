package org.heddle.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PathRateTest {
  @Test
  void everyRateHasItsOwnNumberAndTheyAscend() {
    assertThat(PathRate.all()).extracting(PathRate::code).doesNotHaveDuplicates();
    assertThat(PathRate.all())
        .isSortedAccordingTo((a, b) -> Double.compare(a.gigabits(), b.gigabits()));
    for (PathRate rate : PathRate.all()) {
      assertThat(PathRate.of(rate.gigabits())).contains(rate);
      assertThat(PathRate.ofCode(rate.code())).contains(rate);
    }
    assertThat(PathRate.of(401)).isEmpty();
    assertThat(PathRate.ofCode(1)).isEmpty();
  }

  /** InfiniBand has a number for what every link of 1, 2 (from HDR), 4 and 12 lanes can carry. */
  @Test
  void whatLinksCarryHasANumber() {
    for (LinkSpeed speed : LinkSpeed.values()) {
      for (LinkWidth width : new LinkWidth[] {LinkWidth.X1, LinkWidth.X4, LinkWidth.X12}) {
        if (speed == LinkSpeed.UNKNOWN || speed == LinkSpeed.XDR && width == LinkWidth.X12) {
          continue;
        }
        double gigabits = PathRate.ofLink(speed, width).orElseThrow();
        assertThat(PathRate.of(gigabits)).as("%s %s", width.text(), speed).isPresent();
      }
    }
    assertThat(PathRate.ofLink(LinkSpeed.SDR, LinkWidth.X1)).hasValue(2.5);
    assertThat(PathRate.ofLink(LinkSpeed.NDR, LinkWidth.X4)).hasValue(400);
    assertThat(PathRate.ofLink(LinkSpeed.XDR, LinkWidth.X4)).hasValue(800);
    assertThat(PathRate.ofLink(LinkSpeed.UNKNOWN, LinkWidth.X4)).isEmpty();
    assertThat(PathRate.ofLink(LinkSpeed.NDR, LinkWidth.UNKNOWN)).isEmpty();
  }

  @Test
  void mtusHaveNumbersFromOne() {
    for (int code = 1; code <= 5; code++) {
      assertThat(PathRate.mtuCode(PathRate.mtuOfCode(code).orElseThrow())).hasValue(code);
    }
    assertThat(PathRate.mtuOfCode(4)).hasValue(2048);
    assertThat(PathRate.mtuCode(1500)).isEmpty();
    assertThat(PathRate.mtuOfCode(0)).isEmpty();
    assertThat(PathRate.mtuOfCode(6)).isEmpty();
  }
}
