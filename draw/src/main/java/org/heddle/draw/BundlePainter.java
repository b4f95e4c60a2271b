package org.heddle.draw;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.heddle.draw.layout.Cables;
import org.heddle.draw.layout.Detail;
import org.heddle.draw.layout.Names;
import org.heddle.draw.layout.Placement;
import org.heddle.draw.layout.TreeShape;

/**
 * Paints the upper links of large trees as bundles: all links of one switch to one plane are one
 * curve, as wide as their number says and coloured by the largest load among them. The ends of the
 * bundles of a plane stand below it in the order of the switches they come from.
 */
final class BundlePainter {
  private static final int MIN_STRANDS = 800;

  private record Plane(int level, int subTree, int plane) {}

  private static final class Group {
    final List<Bundle> bundles = new ArrayList<>();
    double left = Double.MAX_VALUE;
    double right = -Double.MAX_VALUE;
    double bottom;
  }

  private static final class Bundle {
    final int lower;
    final Group group;
    int links;
    int up = -1;
    int down = -1;
    int shown = -1;

    Bundle(int lower, Group group) {
      this.lower = lower;
      this.group = group;
    }
  }

  private final Scene scene;
  private final SvgWriter svg;

  BundlePainter(Scene scene, SvgWriter svg) {
    this.scene = scene;
    this.svg = svg;
  }

  /** Which strands are drawn as bundles: those above level 2 and more, where there are many. */
  static boolean[] choose(Scene scene) {
    Cables cables = scene.cables();
    boolean[] bundled = new boolean[cables.strands()];
    if (scene.shape().isEmpty() || scene.detail() == Detail.NAMED) {
      return bundled;
    }
    int[] strands = new int[scene.shape().get().levels() + 1];
    for (int s = 0; s < bundled.length; s++) {
      strands[cables.rank(cables.lower(s))] += isTreeLink(cables, s) ? 1 : 0;
    }
    for (int s = 0; s < bundled.length; s++) {
      int level = cables.rank(cables.lower(s));
      bundled[s] = level >= 2 && isTreeLink(cables, s) && strands[level] > MIN_STRANDS;
    }
    return bundled;
  }

  private static boolean isTreeLink(Cables cables, int s) {
    return cables.rank(cables.upper(s)) == cables.rank(cables.lower(s)) + 1;
  }

  /** Paints the chosen strands. */
  void paint(boolean[] bundled) throws IOException {
    if (scene.shape().isEmpty()) {
      return;
    }
    List<Bundle> bundles = gather(bundled, scene.shape().get());
    if (bundles.isEmpty()) {
      return;
    }
    bundles.sort(Comparator.comparingInt(b -> b.shown)); // stable: then in strand order
    svg.start("g").attr("class", "bu").line();
    for (Bundle bundle : bundles) {
      paint(bundle);
    }
    svg.end().line();
  }

  private List<Bundle> gather(boolean[] bundled, TreeShape shape) {
    Cables cables = scene.cables();
    Placement p = scene.placement();
    Map<Plane, Group> groups = new HashMap<>();
    List<Bundle> all = new ArrayList<>();
    for (int s = 0; s < bundled.length; s++) {
      if (!bundled[s]) {
        continue;
      }
      int low = cables.lower(s);
      int high = cables.upper(s);
      int level = cables.rank(low);
      Plane plane = new Plane(level, shape.below(level + 1, high), shape.above(level, high));
      Group group = groups.computeIfAbsent(plane, _ -> new Group());
      group.left = Math.min(group.left, p.x[high] - p.w[high] / 2);
      group.right = Math.max(group.right, p.x[high] + p.w[high] / 2);
      group.bottom = p.y[high] + p.h[high] / 2;
      // Strands of one lower switch are contiguous and all lead to its one plane.
      boolean fresh = group.bundles.isEmpty() || group.bundles.getLast().lower != low;
      if (fresh) {
        group.bundles.add(new Bundle(low, group));
        all.add(group.bundles.getLast());
      }
      add(group.bundles.getLast(), s);
    }
    for (Group group : groups.values()) {
      group.bundles.sort(Comparator.comparingDouble(b -> p.x[b.lower]));
    }
    return all;
  }

  private void add(Bundle bundle, int strand) {
    Cables cables = scene.cables();
    for (int c = cables.firstCable(strand); c < cables.firstCable(strand + 1); c++) {
      bundle.links++;
      bundle.up = Math.max(bundle.up, scene.lowerLoad()[c]);
      bundle.down = Math.max(bundle.down, scene.upperLoad()[c]);
      bundle.shown = Math.max(bundle.shown, scene.shownLoad(c));
    }
  }

  private void paint(Bundle bundle) throws IOException {
    Placement p = scene.placement();
    Group group = bundle.group;
    int place = group.bundles.indexOf(bundle);
    double x1 = p.x[bundle.lower];
    double y1 = p.y[bundle.lower] - p.h[bundle.lower] / 2;
    double x2 = group.left + (group.right - group.left) * (place + 0.5) / group.bundles.size();
    double y2 = group.bottom + 7;
    double bend = 0.5 * (y1 - y2);
    StringBuilder d = new StringBuilder();
    LinkGeometry.move(d, x1, y1);
    LinkGeometry.curve(d, x1, y1 - bend, x2, y2 + bend, x2, y2);
    boolean bulk = scene.detail() == Detail.BULK;
    double width = Math.clamp(StrictMath.sqrt(bundle.links) * (bulk ? 0.22 : 0.35), 0.5, 3);
    String text =
        Names.of(scene.fabric(), bundle.lower)
            + ": "
            + Names.count(bundle.links, "link", "links")
            + " up"
            + LinkPainter.load(bundle.up, bundle.down, "at most ");
    svg.start("path")
        .attr("class", scene.loadStyle(bundle.shown))
        .attr("stroke-width", width)
        .attr("stroke-opacity", "0.7")
        .attr("d", d.toString())
        .attr("data-links", bundle.links)
        .leaf("title", text)
        .end()
        .line();
  }
}
