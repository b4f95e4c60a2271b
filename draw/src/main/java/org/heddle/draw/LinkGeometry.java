package org.heddle.draw;

import java.util.Arrays;
import org.heddle.draw.layout.Cables;
import org.heddle.draw.layout.Detail;
import org.heddle.draw.layout.Placement;

/**
 * Where links touch their switches and how they run: from the top edge of the lower switch on the
 * page to the bottom edge of the higher one, spread along the edge in the order of the other ends.
 */
final class LinkGeometry {
  private final Placement p;
  private final Cables cables;
  private final double[] atLower; // x by strand
  private final double[] atUpper;
  private final boolean curved;

  LinkGeometry(Scene scene) {
    this.p = scene.placement();
    this.cables = scene.cables();
    this.curved = scene.detail() != Detail.BULK;
    this.atLower = new double[cables.strands()];
    this.atUpper = new double[cables.strands()];
    for (int s = 0; s < cables.strands(); s++) {
      atLower[s] = p.x[cables.lower(s)];
      atUpper[s] = p.x[cables.upper(s)];
    }
    if (!p.radial) {
      spread(true);
      spread(false);
    }
  }

  private void spread(boolean lowerEnd) {
    int n = cables.strands();
    Integer[] order = new Integer[n];
    Arrays.setAll(order, i -> i);
    Arrays.sort(
        order,
        (a, b) -> {
          int c = Integer.compare(near(a, lowerEnd), near(b, lowerEnd));
          c = c != 0 ? c : Double.compare(p.x[near(a, !lowerEnd)], p.x[near(b, !lowerEnd)]);
          return c != 0 ? c : Integer.compare(a, b);
        });
    double[] at = lowerEnd ? atLower : atUpper;
    for (int from = 0, to; from < n; from = to) {
      to = from;
      int sw = near(order[from], lowerEnd);
      while (to < n && near(order[to], lowerEnd) == sw) {
        to++;
      }
      double room = p.w[sw] * 0.8;
      for (int i = from; i < to; i++) {
        at[order[i]] = p.x[sw] - room / 2 + room * (i - from + 0.5) / (to - from);
      }
    }
  }

  private int near(int strand, boolean lowerEnd) {
    return lowerEnd ? cables.lower(strand) : cables.upper(strand);
  }

  /** True if the lower end of the strand is also the lower one on the page. */
  boolean risesOnPage(int strand) {
    return p.y[cables.lower(strand)] >= p.y[cables.upper(strand)];
  }

  /** Appends the path of a strand, moved sideways by so much (to the right of the way up). */
  void path(StringBuilder d, int strand, double aside) {
    boolean rises = risesOnPage(strand);
    int low = rises ? cables.lower(strand) : cables.upper(strand);
    int high = rises ? cables.upper(strand) : cables.lower(strand);
    double x1 = rises ? atLower[strand] : atUpper[strand];
    double x2 = rises ? atUpper[strand] : atLower[strand];
    between(d, low, x1, high, x2, aside);
  }

  /** Appends the path between two switches that are not linked (any more). */
  void absent(StringBuilder d, int lower, int upper) {
    between(d, lower, p.x[lower], upper, p.x[upper], 0);
  }

  private void between(StringBuilder d, int low, double x1, int high, double x2, double aside) {
    if (p.radial) {
      line(d, x1, p.y[low], x2, p.y[high], aside);
    } else if (Math.abs(p.y[low] - p.y[high]) < 1) {
      double top = p.y[low] - Math.max(p.h[low], p.h[high]) / 2;
      arc(d, x1 + aside, x2 + aside, top);
    } else {
      line(d, x1, p.y[low] - p.h[low] / 2, x2, p.y[high] + p.h[high] / 2, aside);
    }
  }

  private void line(StringBuilder d, double x1, double y1, double x2, double y2, double aside) {
    double length = Math.max(1, StrictMath.hypot(x2 - x1, y2 - y1));
    double dx = -(y2 - y1) / length * aside;
    double dy = (x2 - x1) / length * aside;
    move(d, x1 + dx, y1 + dy);
    if (curved && !p.radial && y1 - y2 > 20) {
      double bend = 0.32 * (y1 - y2);
      curve(d, x1 + dx, y1 + dy - bend, x2 + dx, y2 + dy + bend, x2 + dx, y2 + dy);
    } else {
      pair(d.append('L'), x2 + dx, y2 + dy);
    }
  }

  private static void arc(StringBuilder d, double x1, double x2, double y) {
    double rise = Math.min(70, 14 + 0.12 * Math.abs(x2 - x1));
    move(d, x1, y);
    pair(d.append('Q'), (x1 + x2) / 2, y - 2 * rise);
    d.append(' ');
    pair(d, x2, y);
  }

  static void move(StringBuilder d, double x, double y) {
    pair(d.append('M'), x, y);
  }

  static void curve(
      StringBuilder d, double cx1, double cy1, double cx2, double cy2, double x, double y) {
    pair(d.append('C'), cx1, cy1);
    pair(d.append(' '), cx2, cy2);
    pair(d.append(' '), x, y);
  }

  private static void pair(StringBuilder d, double x, double y) {
    SvgWriter.number(d, x).append(' ');
    SvgWriter.number(d, y);
  }
}
