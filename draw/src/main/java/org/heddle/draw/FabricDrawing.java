package org.heddle.draw;

import java.io.IOException;
import java.io.OutputStream;
import org.heddle.draw.layout.Detail;
import org.heddle.draw.layout.Names;
import org.heddle.draw.layout.Placement;
import org.heddle.fabric.Fabric;
import org.heddle.topology.Recognition;

/**
 * Draws a fabric as SVG 1.1 in UTF-8.
 *
 * <p>A recognised fat-tree stands on its hosts: leaves above them, roots on top, sub-trees and
 * planes on light boxes. Other fabrics are drawn component by component, small ones in a circle,
 * others in layers. Up to about a hundred hosts everything is named; beyond that names stay where
 * they fit and the rest is in tooltips; beyond three thousand hosts are blocks and upper links
 * bundles, so that 11,664 hosts need well under 5 MB. Coordinates are about pixels.
 *
 * <p>The same arguments give the same bytes. No scripts, no fonts, no references to other files.
 * O(links log links + hosts).
 */
public final class FabricDrawing {
  private FabricDrawing() {}

  /**
   * Writes the drawing and flushes; the stream stays open.
   *
   * @param recognition what was recognised in this very fabric
   * @throws IOException if the stream fails
   * @throws IllegalArgumentException if a host colour is no CSS colour
   */
  public static void render(
      Fabric fabric, Recognition recognition, DrawOptions options, OutputStream out)
      throws IOException {
    Scene scene = Scene.of(fabric, recognition, options);
    SvgWriter svg = new SvgWriter(out);
    Placement p = scene.placement();
    double width = Math.max(p.width + 2 * HeaderPainter.MARGIN, 720);
    HeaderPainter header = new HeaderPainter(scene, svg, width);
    double top = header.height();
    double height = top + p.height + header.footerHeight() + HeaderPainter.MARGIN;
    open(scene, svg, Math.ceil(width), Math.ceil(height));
    header.paint();
    StringBuilder shift = new StringBuilder("translate(");
    SvgWriter.number(shift, (width - p.width) / 2).append(' ');
    SvgWriter.number(shift, top).append(')');
    svg.start("g").attr("transform", shift.toString()).line();
    body(scene, svg);
    svg.end().line();
    header.footer(height - HeaderPainter.MARGIN - 4);
    svg.finish();
  }

  private static void open(Scene scene, SvgWriter svg, double width, double height)
      throws IOException {
    StringBuilder box = new StringBuilder("0 0 ");
    SvgWriter.number(SvgWriter.number(box, width).append(' '), height);
    svg.start("svg")
        .attr("xmlns", "http://www.w3.org/2000/svg")
        .attr("viewBox", box.toString())
        .attr("width", width)
        .attr("height", height)
        .attr("role", "img")
        .attr("aria-labelledby", "heddle-title heddle-desc")
        .line();
    svg.start("title").attr("id", "heddle-title").text(Summary.title(scene)).end().line();
    svg.start("desc").attr("id", "heddle-desc");
    svg.text(String.join(". ", Summary.lines(scene))).end().line();
    svg.leaf("style", StyleSheet.of(scene)).line();
    svg.start("rect").attr("class", "bg").attr("width", width).attr("height", height).end().line();
  }

  private static void body(Scene scene, SvgWriter svg) throws IOException {
    NodePainter nodes = new NodePainter(scene, svg);
    nodes.boxes();
    boolean[] bundled = BundlePainter.choose(scene);
    LinkGeometry geometry = new LinkGeometry(scene);
    new BundlePainter(scene, svg).paint(bundled);
    new LinkPainter(scene, svg, geometry).paint(bundled);
    missing(scene, svg, geometry);
    slow(scene, svg, geometry);
    nodes.stems();
    nodes.switches();
    if (scene.detail() == Detail.BULK) {
      nodes.markBlocks();
    } else {
      nodes.marks();
    }
    nodes.boxLabels();
    nodes.labels();
  }

  private static void slow(Scene scene, SvgWriter svg, LinkGeometry geometry) throws IOException {
    if (scene.slow().isEmpty()) {
      return;
    }
    svg.start("g").attr("class", "sl").line();
    for (Scene.Slow slow : scene.slow()) {
      StringBuilder d = new StringBuilder();
      geometry.path(d, slow.strand(), 0);
      svg.start("path").attr("d", d.toString()).leaf("title", slow.message()).end().line();
    }
    svg.end().line();
  }

  private static void missing(Scene scene, SvgWriter svg, LinkGeometry geometry)
      throws IOException {
    if (scene.missing().isEmpty()) {
      return;
    }
    svg.start("g").attr("class", "mi").line();
    for (MissingLinks.Gap gap : scene.missing()) {
      StringBuilder d = new StringBuilder();
      geometry.absent(d, gap.lower(), gap.upper());
      String text =
          "missing: "
              + Names.count(gap.cables(), "link", "links")
              + " "
              + Names.of(scene.fabric(), gap.lower())
              + " \u2013 "
              + Names.of(scene.fabric(), gap.upper());
      svg.start("path").attr("d", d.toString()).leaf("title", text).end().line();
    }
    svg.end().line();
  }
}
