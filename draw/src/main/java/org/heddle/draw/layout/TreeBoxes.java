package org.heddle.draw.layout;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The light boxes behind a tree: separate parts, sub-trees inside them, planes of roots. */
final class TreeBoxes {
  private final TreeShape shape;
  private final Placement p;
  private final Attachments hosts;
  private final int[] columns;
  private final double[] columnX;
  private final double[] columnW;
  private final List<Placement.Box> boxes = new ArrayList<>();

  TreeBoxes(
      TreeShape shape,
      Placement p,
      Attachments hosts,
      int[] columns,
      double[] columnX,
      double[] columnW) {
    this.shape = shape;
    this.p = p;
    this.hosts = hosts;
    this.columns = columns;
    this.columnX = columnX;
    this.columnW = columnW;
  }

  /** All boxes, outermost first. */
  List<Placement.Box> boxes() {
    int h = shape.levels();
    if (columns.length > 0) {
      for (int level = h; level >= 2; level--) {
        subTrees(level, h);
      }
      if (h >= 3) {
        planes(shape.row(h));
      }
    }
    return boxes;
  }

  private void subTrees(int level, int h) {
    int parts = 1;
    for (int i = 1; i < columns.length; i++) {
      parts += differs(level, i) ? 1 : 0;
    }
    if (parts == 1) {
      return;
    }
    double pad = Math.min(5 + 3 * (level - 1), gapAround(level) * 0.38);
    int number = 0;
    for (int from = 0, to; from < columns.length; from = to) {
      to = from + 1;
      while (to < columns.length && !differs(level, to)) {
        to++;
      }
      String size = hosts.machines(Arrays.copyOfRange(columns, from, to));
      number++;
      double x0 = columnX[from] - columnW[from] / 2 - pad;
      double x1 = columnX[to - 1] + columnW[to - 1] / 2 + pad;
      double top = top(level) - (level == h ? 34 : 12);
      double bottom = p.height + 16 + (level - 2) * 20;
      String name = name(level, h) + " " + number;
      boxes.add(
          new Placement.Box(
              x0, top, x1 - x0, bottom - top, fit(name, number, size, x1 - x0), h - level));
    }
  }

  /** Parts that share hosts are planes; inner trees are told by level where there are several. */
  private String name(int level, int h) {
    if (level == h) {
      return hosts.hasFurtherPorts() ? "plane" : "part";
    }
    return h > 3 ? "level-" + level + " sub-tree" : "sub-tree";
  }

  private double top(int level) {
    double top = Double.MAX_VALUE;
    for (int sw : shape.row(level)) {
      double marks = hosts.count(sw) > 0 ? 24 : 0;
      top = Math.min(top, p.y[sw] - p.h[sw] / 2 - marks);
    }
    return top;
  }

  private boolean differs(int level, int i) {
    return shape.below(level, columns[i]) != shape.below(level, columns[i - 1]);
  }

  private double gapAround(int level) {
    double least = 1000;
    for (int i = 1; i < columns.length; i++) {
      if (differs(level, i)) {
        double between = columnX[i] - columnX[i - 1] - (columnW[i] + columnW[i - 1]) / 2;
        least = Math.min(least, between);
      }
    }
    return least;
  }

  private static String fit(String name, int number, String size, double room) {
    String full = name + ": " + size;
    if (Names.width(full, 10) <= room - 6) {
      return full;
    }
    return Names.width(name, 10) <= room - 4 ? name : Integer.toString(number);
  }

  private void planes(int[] row) {
    int groups = 0;
    for (int i = 0; i < row.length; i++) {
      groups += i == 0 || changes(row, i) ? 1 : 0;
    }
    if (groups == 1 || groups == row.length) {
      return;
    }
    double over = 2;
    for (Placement.Label label : p.labels) {
      if (label.style().equals("sn") && label.anchor().equals("start")) {
        over = Math.max(over, Names.width(label.text(), 8) + 8);
      }
    }
    int number = 0;
    for (int from = 0, to; from < row.length; from = to) {
      to = from + 1;
      while (to < row.length && !changes(row, to)) {
        to++;
      }
      number++;
      double pad = Math.min(6, p.w[row[from]] * 0.4);
      double x0 = p.x[row[from]] - p.w[row[from]] / 2 - pad;
      double x1 = p.x[row[to - 1]] + p.w[row[to - 1]] / 2 + pad;
      double y0 = top(shape.levels()) - over - 18;
      double y1 = p.y[row[from]] + p.h[row[from]] / 2 + 6;
      String name = "spine plane " + number;
      boolean fits = Names.width(name, 10) <= x1 - x0 - 4;
      String label = fits ? name : Integer.toString(number);
      boxes.add(new Placement.Box(x0, y0, x1 - x0, y1 - y0, label, -1));
    }
  }

  private boolean changes(int[] row, int i) {
    return shape.above(2, row[i]) != shape.above(2, row[i - 1])
        || shape.below(shape.levels(), row[i]) != shape.below(shape.levels(), row[i - 1]);
  }
}
