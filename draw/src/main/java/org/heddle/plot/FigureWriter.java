package org.heddle.plot;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Dimension;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.apache.batik.svggen.SVGGeneratorContext;
import org.apache.batik.svggen.SVGGraphics2D;
import org.apache.batik.svggen.SVGGraphics2DIOException;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.XYSeries.XYSeriesRenderStyle;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.XYStyler;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;
import org.w3c.dom.Document;

/**
 * Draws a {@link Figure}: light background, colours that people with any kind of colour blindness
 * can tell apart (Okabe and Ito, "Color universal design", 2008), and different marks and dashes
 * besides. Same figure, same machine, same bytes; text is measured with the fonts of the machine.
 */
public final class FigureWriter {
  private static final int WIDTH = 900;
  private static final int HEIGHT = 560;

  /** Pixels of the PNG for each unit of the drawing. */
  private static final int SCALE = 2;

  private static final String SVG = "http://www.w3.org/2000/svg";
  private static final Color INK = new Color(0x222222);
  private static final Color GRID = new Color(0xdddddd);

  // Without yellow, which is too faint on white.
  private static final Color[] COLOURS = {
    new Color(0x0072b2),
    new Color(0xd55e00),
    new Color(0x009e73),
    new Color(0xcc79a7),
    new Color(0xe69f00),
    new Color(0x56b4e9),
    new Color(0x000000)
  };

  private static final Marker[] MARKS = {
    SeriesMarkers.CIRCLE,
    SeriesMarkers.SQUARE,
    SeriesMarkers.TRIANGLE_UP,
    SeriesMarkers.DIAMOND,
    SeriesMarkers.TRIANGLE_DOWN,
    SeriesMarkers.CROSS,
    SeriesMarkers.PLUS
  };

  private static final float[][] DASHES = {null, {9, 4}, {3, 3}, {9, 3, 3, 3}};

  private FigureWriter() {}

  /** The figure as SVG, text as outlines; empty if the machine has no fonts. */
  public static Optional<byte[]> svg(Figure figure) {
    return withFonts(
        () -> {
          Document document = document();
          SVGGeneratorContext context = SVGGeneratorContext.createDefault(document);
          context.setComment("Heddle");
          SVGGraphics2D graphics = new SVGGraphics2D(context, false);
          graphics.setSVGCanvasSize(new Dimension(WIDTH, HEIGHT));
          chart(figure).paint(graphics, WIDTH, HEIGHT);
          StringWriter text = new StringWriter();
          try {
            graphics.stream(text, true);
          } catch (SVGGraphics2DIOException e) {
            throw new IllegalStateException(e); // memory does not fail
          }
          return text.toString().getBytes(StandardCharsets.UTF_8);
        });
  }

  /** The figure as PNG, two pixels for each unit; empty if the machine has no fonts. */
  public static Optional<byte[]> png(Figure figure) {
    return withFonts(
        () -> {
          BufferedImage image =
              new BufferedImage(SCALE * WIDTH, SCALE * HEIGHT, BufferedImage.TYPE_INT_RGB);
          Graphics2D graphics = image.createGraphics();
          graphics.scale(SCALE, SCALE);
          graphics.setRenderingHint(
              RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
          chart(figure).paint(graphics, WIDTH, HEIGHT);
          graphics.dispose();
          ByteArrayOutputStream bytes = new ByteArrayOutputStream();
          try {
            ImageIO.write(image, "png", bytes);
          } catch (IOException e) {
            throw new UncheckedIOException(e); // memory does not fail
          }
          return bytes.toByteArray();
        });
  }

  /** Draws what the supplier draws, unless Java finds no fonts, which it reports as an error. */
  private static Optional<byte[]> withFonts(java.util.function.Supplier<byte[]> drawing) {
    System.setProperty("java.awt.headless", "true"); // never a window, whatever DISPLAY says
    ImageIO.setUseCache(false);
    try {
      new Font(Font.SANS_SERIF, Font.PLAIN, 12)
          .getStringBounds("x", new java.awt.font.FontRenderContext(null, true, true));
    } catch (RuntimeException | LinkageError | InternalError e) {
      return Optional.empty();
    }
    return Optional.of(drawing.get());
  }

  private static Document document() {
    try {
      return DocumentBuilderFactory.newInstance()
          .newDocumentBuilder()
          .getDOMImplementation()
          .createDocument(SVG, "svg", null);
    } catch (ParserConfigurationException e) {
      throw new IllegalStateException(e); // the default configuration is always there
    }
  }

  private static XYChart chart(Figure figure) {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(figure.title())
            .xAxisTitle(figure.xLabel())
            .yAxisTitle(figure.yLabel())
            .build();
    style(chart.getStyler(), figure);
    Map<String, Integer> seen = new LinkedHashMap<>(); // curves so far, by family
    for (Figure.Curve curve : figure.curves()) {
      int variant = seen.merge(curve.family(), 1, Integer::sum) - 1;
      int family = List.copyOf(seen.keySet()).indexOf(curve.family());
      XYSeries series = chart.addSeries(curve.name(), curve.x(), curve.y());
      boolean step = figure.style() == Figure.Style.STEP;
      series.setXYSeriesRenderStyle(step ? XYSeriesRenderStyle.Step : XYSeriesRenderStyle.Line);
      series.setMarker(step ? SeriesMarkers.NONE : MARKS[family % MARKS.length]);
      series.setLineColor(COLOURS[family % COLOURS.length]);
      series.setMarkerColor(COLOURS[family % COLOURS.length]);
      series.setLineStyle(stroke(step ? 0 : variant + family / COLOURS.length, step));
    }
    return chart;
  }

  private static BasicStroke stroke(int dash, boolean thin) {
    float[] dashes = DASHES[dash % DASHES.length];
    float width = thin ? 1.2f : 2;
    return new BasicStroke(width, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, dashes, 0);
  }

  private static void style(XYStyler styler, Figure figure) {
    styler.setLocale(Locale.ROOT);
    styler.setChartBackgroundColor(Color.WHITE);
    styler.setPlotBackgroundColor(Color.WHITE);
    styler.setPlotBorderColor(GRID);
    styler.setPlotGridLinesColor(GRID);
    styler.setChartFontColor(INK);
    styler.setAxisTickLabelsColor(INK);
    styler.setChartTitleBoxVisible(false);
    styler.setChartTitleFont(new Font(Font.SANS_SERIF, Font.BOLD, 15));
    styler.setAxisTitleFont(new Font(Font.SANS_SERIF, Font.PLAIN, 14));
    styler.setAxisTickLabelsFont(new Font(Font.SANS_SERIF, Font.PLAIN, 12));
    styler.setLegendFont(new Font(Font.SANS_SERIF, Font.PLAIN, 13));
    styler.setLegendPosition(LegendPosition.OutsideE);
    styler.setLegendBorderColor(Color.WHITE);
    styler.setMarkerSize(7);
    styler.setChartPadding(12);
    if (figure.logarithmic()) {
      styler.setXAxisLogarithmic(true);
      styler.setXAxisLogarithmicDecadeOnly(false);
      styler.setXAxisTickLabelsFormattingFunction(FigureWriter::oneTwoFive);
    } else {
      styler.setXAxisDecimalPattern("#,##0.##");
    }
    if (figure.logarithmicY()) {
      styler.setYAxisLogarithmic(true);
      styler.setYAxisLogarithmicDecadeOnly(false);
      styler.setYAxisTickLabelsFormattingFunction(FigureWriter::oneTwoFive);
    } else {
      styler.setYAxisDecimalPattern("#,##0.####");
    }
    if (!Double.isNaN(figure.yMin())) {
      styler.setYAxisMin(figure.yMin());
    }
    if (!Double.isNaN(figure.yMax())) {
      styler.setYAxisMax(figure.yMax());
    }
  }

  /** Labels of a logarithmic axis: 1, 2, 5, 10, 20, ...; all would overlap. */
  private static String oneTwoFive(double value) {
    double decade = Math.pow(10, Math.floor(Math.log10(value) + 1e-9));
    long digit = Math.round(value / decade);
    return digit == 1 || digit == 2 || digit == 5
        ? new DecimalFormat("#,##0.##", DecimalFormatSymbols.getInstance(Locale.ROOT)).format(value)
        : " ";
  }
}
