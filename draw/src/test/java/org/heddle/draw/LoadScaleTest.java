package org.heddle.draw;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LoadScaleTest {
  @Test
  void fewValuesHaveAClassEach() {
    LoadScale scale = new LoadScale(1, 4);
    assertThat(scale.bins()).isEqualTo(4);
    for (int load = 1; load <= 4; load++) {
      assertThat(scale.bin(load)).isEqualTo(load - 1);
      assertThat(scale.typical(load - 1)).isEqualTo(load);
    }
    assertThat(scale.bin(0)).isEqualTo(-1);
  }

  @Test
  void oneValueIsTheMiddleOfTheRamp() {
    LoadScale scale = new LoadScale(7, 7);
    assertThat(scale.bins()).isEqualTo(1);
    assertThat(scale.bin(7)).isZero();
    assertThat(scale.fraction(0)).isEqualTo(0.5);
  }

  @Test
  void wideRangesAreLogarithmicAndExactAtBothEnds() {
    LoadScale scale = new LoadScale(1, 647);
    assertThat(scale.bin(1)).isZero();
    assertThat(scale.bin(647)).isEqualTo(scale.bins() - 1);
    assertThat(scale.typical(0)).isEqualTo(1);
    assertThat(scale.typical(scale.bins() - 1)).isEqualTo(647);
    // ln 25 / ln 647 = 0.497: the middle of the ramp, where a linear scale would put 324.
    assertThat(scale.bin(25)).isEqualTo(5);
    for (int load = 2; load <= 647; load++) {
      assertThat(scale.bin(load)).isGreaterThanOrEqualTo(scale.bin(load - 1));
    }
  }

  @Test
  void moreLoadIsMoreContrastInBothThemes() {
    for (Palette palette : new Palette[] {Palette.LIGHT, Palette.DARK}) {
      double before = -1;
      for (int i = 0; i <= 10; i++) {
        double contrast = Math.abs(luma(palette.ramp(i / 10.0)) - luma(palette.background()));
        assertThat(contrast).isGreaterThan(before);
        before = contrast;
      }
    }
  }

  private static double luma(String colour) {
    int rgb = Integer.parseInt(colour.substring(1), 16);
    return 0.2126 * (rgb >> 16) + 0.7152 * (rgb >> 8 & 0xff) + 0.0722 * (rgb & 0xff);
  }
}
