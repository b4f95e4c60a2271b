package org.heddle.plot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import javax.imageio.ImageIO;
import org.heddle.peer.Program;
import org.junit.jupiter.api.Test;

class FigureWriterTest {
  private static final int BLUE = 0x0072b2;
  private static final int ORANGE = 0xd55e00;

  private static Figure figure(Figure.Style style, boolean logarithmic) {
    return new Figure(
        "title",
        "mean size, hosts",
        "utilisation, %",
        style,
        logarithmic,
        0,
        100,
        List.of(
            new Figure.Curve("a", new double[] {1, 10, 100}, new double[] {90, 80, 70}),
            new Figure.Curve("b", new double[] {1, 10, 100}, new double[] {60, 50, 55})));
  }

  private static byte[] drawn(Optional<byte[]> bytes) {
    Program.need(Program.FONTS);
    return bytes.orElseThrow();
  }

  @Test
  void everyCurveHasAColourOfItsOwnInThePng() throws IOException {
    byte[] png = drawn(FigureWriter.png(figure(Figure.Style.LINE, false)));
    BufferedImage image = ImageIO.read(new ByteArrayInputStream(png));
    int blue = 0;
    int orange = 0;
    for (int y = 0; y < image.getHeight(); y++) {
      for (int x = 0; x < image.getWidth(); x++) {
        int colour = image.getRGB(x, y) & 0xffffff;
        blue += colour == BLUE ? 1 : 0;
        orange += colour == ORANGE ? 1 : 0;
      }
    }
    assertThat(image.getRGB(0, 0) & 0xffffff).isEqualTo(0xffffff);
    assertThat(blue).isGreaterThan(1000);
    assertThat(orange).isGreaterThan(1000);
  }

  @Test
  void theSvgHasTheCurvesAsLines() {
    String svg =
        new String(
            drawn(FigureWriter.svg(figure(Figure.Style.STEP, true))), StandardCharsets.UTF_8);
    assertThat(svg).startsWith("<?xml").contains("rgb(0,114,178)", "rgb(213,94,0)");
  }

  @Test
  void theSameFigureGivesTheSameBytes() {
    Figure figure = figure(Figure.Style.LINE, true);
    assertThat(drawn(FigureWriter.svg(figure))).isEqualTo(drawn(FigureWriter.svg(figure)));
    assertThat(drawn(FigureWriter.png(figure))).isEqualTo(drawn(FigureWriter.png(figure)));
  }

  @Test
  void aCurveHasAsManyXAsY() {
    assertThatThrownBy(() -> new Figure.Curve("a", new double[] {1}, new double[] {1, 2}))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
