package org.heddle.draw;

import java.io.IOException;
import java.util.Arrays;
import org.heddle.draw.layout.Cables;
import org.heddle.draw.layout.Detail;
import org.heddle.draw.layout.Names;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.LinkSpeed;
import org.heddle.fabric.LinkWidth;

/**
 * Paints the links between switches. Few are elements of their own with a tooltip; many are
 * gathered into one path a colour, least load first so that the hottest lie on top; where a tree
 * has very many above the leaves, {@link BundlePainter} draws those.
 */
final class LinkPainter {
  private static final int MAX_SINGLE = 4_500;
  private static final int MAX_PARALLEL = 4;
  private static final double PARALLEL_GAP = 3.6;
  private static final double HALF = 0.9;

  private final Scene scene;
  private final SvgWriter svg;
  private final LinkGeometry geometry;

  LinkPainter(Scene scene, SvgWriter svg, LinkGeometry geometry) {
    this.scene = scene;
    this.svg = svg;
    this.geometry = geometry;
  }

  /**
   * Paints all strands but the bundled ones.
   *
   * @param bundled by strand
   */
  void paint(boolean[] bundled) throws IOException {
    int[] order = byLoad(bundled);
    svg.start("g").attr("class", "li").line();
    if (order.length <= MAX_SINGLE) {
      for (int strand : order) {
        single(strand);
      }
    } else {
      gathered(order);
    }
    svg.end().line();
  }

  private int[] byLoad(boolean[] bundled) {
    long[] keys = new long[bundled.length];
    int n = 0;
    for (int s = 0; s < bundled.length; s++) {
      if (!bundled[s]) {
        keys[n++] = (long) (shownLoad(s) + 1) << 32 | s;
      }
    }
    Arrays.sort(keys, 0, n);
    int[] order = new int[n];
    for (int i = 0; i < n; i++) {
      order[i] = (int) keys[i];
    }
    return order;
  }

  private int shownLoad(int strand) {
    Cables cables = scene.cables();
    int load = -1;
    for (int c = cables.firstCable(strand); c < cables.firstCable(strand + 1); c++) {
      load = Math.max(load, scene.shownLoad(c));
    }
    return load;
  }

  private void gathered(int[] order) throws IOException {
    StringBuilder d = new StringBuilder();
    for (int i = 0; i < order.length; i++) {
      geometry.path(d, order[i], 0);
      String style = scene.loadStyle(shownLoad(order[i]));
      boolean last =
          i + 1 == order.length || !style.equals(scene.loadStyle(shownLoad(order[i + 1])));
      if (last || d.length() > 60_000) {
        svg.start("path").attr("class", style).attr("d", d.toString()).end().line();
        d.setLength(0);
      }
    }
  }

  private void single(int strand) throws IOException {
    Cables cables = scene.cables();
    int n = cables.count(strand);
    int from = cables.firstCable(strand);
    if (scene.detail() == Detail.NAMED && n <= MAX_PARALLEL) {
      for (int i = 0; i < n; i++) {
        cable(strand, from + i, (i - (n - 1) / 2.0) * PARALLEL_GAP);
      }
      return;
    }
    StringBuilder d = new StringBuilder();
    geometry.path(d, strand, 0);
    svg.start("path").attr("class", scene.loadStyle(shownLoad(strand))).attr("d", d.toString());
    if (n > 1) {
      svg.attr("style", "stroke-width:" + (n > 3 ? "2.2" : "1.6"));
    }
    svg.leaf("title", n == 1 ? tooltip(from) : tooltip(strand, from, n)).end().line();
  }

  private void cable(int strand, int cable, double aside) throws IOException {
    if (!scene.splitsDirections()) {
      StringBuilder d = new StringBuilder();
      geometry.path(d, strand, aside);
      svg.start("path").attr("class", scene.loadStyle(scene.shownLoad(cable)));
      svg.attr("d", d.toString()).leaf("title", tooltip(cable)).end().line();
      return;
    }
    boolean rises = geometry.risesOnPage(strand);
    int up = rises ? scene.lowerLoad()[cable] : scene.upperLoad()[cable];
    int down = rises ? scene.upperLoad()[cable] : scene.lowerLoad()[cable];
    svg.start("g").leaf("title", tooltip(cable));
    half(strand, up, aside - HALF);
    half(strand, down, aside + HALF);
    svg.end().line();
  }

  private void half(int strand, int load, double aside) throws IOException {
    StringBuilder d = new StringBuilder();
    geometry.path(d, strand, aside);
    svg.start("path").attr("class", scene.loadStyle(load)).attr("d", d.toString()).end();
  }

  private String tooltip(int strand, int from, int n) {
    Fabric fabric = scene.fabric();
    return Names.of(fabric, scene.cables().lower(strand))
        + " \u2013 "
        + Names.of(fabric, scene.cables().upper(strand))
        + ", "
        + n
        + " cables, ports "
        + ports(from, n, false)
        + " \u2013 "
        + ports(from, n, true)
        + load(most(scene.lowerLoad(), from, n), most(scene.upperLoad(), from, n), "at most ");
  }

  private String ports(int from, int n, boolean upper) {
    StringBuilder text = new StringBuilder();
    for (int c = from; c < from + n; c++) {
      int port = upper ? scene.cables().upperPort(c) : scene.cables().lowerPort(c);
      text.append(c == from ? "" : ",").append(scene.fabric().numberOf(port));
    }
    return text.toString();
  }

  private static int most(int[] load, int from, int n) {
    int most = -1;
    for (int c = from; c < from + n; c++) {
      most = Math.max(most, load[c]);
    }
    return most;
  }

  private String tooltip(int cable) {
    Fabric fabric = scene.fabric();
    int low = scene.cables().lowerPort(cable);
    int high = scene.cables().upperPort(cable);
    return end(fabric, low)
        + " \u2013 "
        + end(fabric, high)
        + rate(fabric, low)
        + load(scene.lowerLoad()[cable], scene.upperLoad()[cable], "");
  }

  /** Name and port number of one end. */
  static String end(Fabric fabric, int port) {
    return Names.of(fabric, fabric.nodeOf(port)) + " port " + fabric.numberOf(port);
  }

  /** Width and speed, if known. */
  static String rate(Fabric fabric, int port) {
    boolean known =
        fabric.width(port) != LinkWidth.UNKNOWN && fabric.speed(port) != LinkSpeed.UNKNOWN;
    return known ? ", " + fabric.width(port).text() + " " + fabric.speed(port) : "";
  }

  /** Loads of both directions, the way the cable is named first; empty if unknown. */
  static String load(int forth, int back, String most) {
    return forth < 0 && back < 0
        ? ""
        : ", destinations per channel: "
            + most
            + Math.max(forth, 0)
            + " up, "
            + Math.max(back, 0)
            + " down";
  }
}
