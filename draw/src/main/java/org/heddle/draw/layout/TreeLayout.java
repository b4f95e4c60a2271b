package org.heddle.draw.layout;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.heddle.fabric.Fabric;

/**
 * Lays out a recognised fat-tree: a row a level, roots on top, hosts at the bottom.
 *
 * <p>Leaves stand in tree order, so each sub-tree is an interval; its inner switches are spread
 * over that interval, ordered by plane. In an undamaged tree this makes every sub-tree the same
 * picture and the links of one plane parallel. O(levels * switches + hosts).
 */
public final class TreeLayout {
  private static final double LEFT = 104; // room for the names of the levels
  private static final double TOP_NAME = 60; // longest turned name above a root

  private final Fabric fabric;
  private final TreeShape shape;
  private final Attachments hosts;
  private final Detail detail;
  private final int[] outside;
  private final Placement p;
  private final int levels;

  private int[] columns; // leaves, and a stand-in for every sub-tree without leaves
  private double[] columnX;
  private double[] columnW;
  private double slot; // of a named host
  private double hostBottom;
  private boolean topNames;
  private int mostHosts; // on one leaf
  private HostBlock.Grid hostGrid;

  private TreeLayout(
      Fabric fabric, TreeShape shape, Attachments hosts, Detail detail, int[] outside) {
    this.fabric = fabric;
    this.shape = shape;
    this.hosts = hosts;
    this.detail = detail;
    this.outside = outside;
    this.levels = shape.levels();
    this.p = new Placement(fabric.switchCount());
  }

  /**
   * Places every switch and endport.
   *
   * @param outside switches that are no part of the tree, in the order to draw them
   */
  public static Placement layout(
      Fabric fabric, TreeShape shape, Attachments hosts, Detail detail, int[] outside) {
    return new TreeLayout(fabric, shape, hosts, detail, outside).run();
  }

  private Placement run() {
    findColumns();
    sizeColumns();
    setColumns();
    for (int level = 1; level <= levels; level++) {
      placeRow(level);
    }
    placeHosts();
    nameRows();
    p.height = hostBottom + 8;
    List<Placement.Box> boxes = new TreeBoxes(shape, p, hosts, columns, columnX, columnW).boxes();
    for (Placement.Box box : boxes) {
      p.height = Math.max(p.height, box.y() + box.h());
      p.width = Math.max(p.width, box.x() + box.w());
    }
    p.boxes.addAll(boxes);
    double lift = -p.top();
    p.shift(0, lift);
    p.height += lift;
    Leftovers.place(p, fabric, hosts, outside, hosts.loose(), "not part of the tree");
    return p;
  }

  private void findColumns() {
    boolean[][] covered = new boolean[levels + 1][fabric.switchCount()];
    List<Integer> found = new ArrayList<>();
    for (int level = 1; level <= levels; level++) {
      for (int sw : shape.row(level)) {
        if (!covered[level][shape.below(level, sw)]) {
          found.add(sw);
          for (int i = level; i <= levels; i++) {
            covered[i][shape.below(i, sw)] = true;
          }
        }
      }
    }
    found.sort(this::compareColumns);
    columns = found.stream().mapToInt(Integer::intValue).toArray();
  }

  private int compareColumns(int a, int b) {
    for (int i = levels; i >= 1; i--) {
      int c = Integer.compare(shape.below(i, a), shape.below(i, b));
      if (c != 0) {
        return c;
      }
    }
    return 0;
  }

  private void sizeColumns() {
    int n = columns.length;
    columnW = new double[n];
    int endports = Math.max(1, hosts.total());
    slot = Math.clamp(1500.0 / endports, 14, 26);
    for (int i = 0; i < n; i++) {
      columnW[i] =
          switch (detail) {
            case NAMED -> Math.max(Math.clamp(1300.0 / n, 52, 110), hosts.count(columns[i]) * slot);
            case DETAILED -> Math.clamp(1480.0 / n, 4, 84) * 0.86;
            case BULK -> Math.clamp(2100.0 / n, 2.4, 60) * 0.9;
          };
    }
    for (int level = 2; level <= levels; level++) {
      widenFor(level);
    }
  }

  /**
   * Widens the columns of sub-trees with more switches in a row than their leaves have room for.
   */
  private void widenFor(int level) {
    double least =
        switch (detail) {
          case NAMED -> 44;
          case DETAILED -> 5.5;
          case BULK -> 2.6;
        };
    double[] need = new double[fabric.switchCount()];
    double[] have = new double[fabric.switchCount()];
    for (int sw : shape.row(level)) {
      need[shape.below(level, sw)] += least;
    }
    for (int i = 0; i < columns.length; i++) {
      have[shape.below(level, columns[i])] += columnW[i];
    }
    for (int i = 0; i < columns.length; i++) {
      int c = shape.below(level, columns[i]);
      columnW[i] *= Math.max(1, need[c] / have[c]);
    }
  }

  private void setColumns() {
    columnX = new double[columns.length];
    double x = LEFT;
    for (int i = 0; i < columns.length; i++) {
      x += i == 0 ? 0 : gap(i);
      columnX[i] = x + columnW[i] / 2;
      x += columnW[i];
    }
    p.width = x + 16;
  }

  /** Distance before column i: wider where a larger sub-tree ends. */
  private double gap(int i) {
    int level = 1;
    while (level <= levels
        && shape.below(level, columns[i - 1]) != shape.below(level, columns[i])) {
      level++;
    }
    double mean = (columnW[i - 1] + columnW[i]) / 2;
    return switch (detail) {
      case NAMED -> 14 + (level - 2) * 30;
      case DETAILED -> mean * 0.16 + (level - 2) * Math.clamp(mean * 0.7, 7, 22);
      case BULK -> mean * 0.11 + (level - 2) * Math.clamp(mean * 1.2, 7, 16);
    };
  }

  private double rowY(int level) {
    double y = topRoom();
    for (int i = levels; i > level; i--) {
      y += stepBelow(i);
    }
    return y;
  }

  private double topRoom() {
    boolean marks = Arrays.stream(shape.row(levels)).anyMatch(sw -> hosts.count(sw) > 0);
    double names = 0;
    for (int sw : shape.row(levels)) {
      double width = Names.width(Names.fit(Names.brief(fabric, sw), TOP_NAME, 8), 8) + 6;
      names = topNames && !p.named[sw] ? Math.max(names, width) : names;
    }
    return 16 + names + (marks && levels > 1 ? 26 : 0);
  }

  /** Height between a row and the one below: the flatter the links, the more. */
  private double stepBelow(int level) {
    int parts = 0;
    double widest = 0;
    double from = 0;
    for (int i = 0; i < columns.length; i++) {
      if (i == 0 || shape.below(level, columns[i]) != shape.below(level, columns[i - 1])) {
        from = columnX[i];
        parts++;
      }
      widest = Math.max(widest, columnX[i] - from);
    }
    boolean bulk = detail == Detail.BULK;
    return parts > 1
        ? Math.clamp(widest * 0.6, bulk ? 130 : 90, 150)
        : Math.clamp(widest * 0.2, 100, bulk ? 440 : 280);
  }

  private void placeRow(int level) {
    int[] row = shape.row(level);
    if (level == 1) {
      for (int i = 0; i < columns.length; i++) {
        if (isLeafColumn(i)) {
          put(columns[i], columnX[i], 1, Math.min(columnW[i], 124));
        }
      }
      return;
    }
    for (int from = 0; from < row.length; ) {
      int to = from;
      int part = shape.below(level, row[from]);
      while (to < row.length && shape.below(level, row[to]) == part) {
        to++;
      }
      placeGroup(level, Arrays.copyOfRange(row, from, to), part);
      from = to;
    }
  }

  private boolean isLeafColumn(int i) {
    return Arrays.binarySearch(sortedLeaves(), columns[i]) >= 0;
  }

  private int[] sortedLeaves;

  private int[] sortedLeaves() {
    if (sortedLeaves == null) {
      sortedLeaves = shape.row(1).clone();
      Arrays.sort(sortedLeaves);
    }
    return sortedLeaves;
  }

  private void placeGroup(int level, int[] group, int part) {
    double lo = Double.MAX_VALUE;
    double hi = 0;
    for (int i = 0; i < columns.length; i++) {
      if (shape.below(level, columns[i]) == part) {
        lo = Math.min(lo, columnX[i] - columnW[i] / 2);
        hi = Math.max(hi, columnX[i] + columnW[i] / 2);
      }
    }
    double between = level >= 3 ? planeGaps(group) : 0;
    double pitch = (hi - lo) / (group.length + between);
    pitch = Math.min(pitch, detail == Detail.NAMED ? 200 : detail == Detail.DETAILED ? 96 : 40);
    topNames |= level == levels && detail == Detail.DETAILED && pitch >= 9;
    double x = (lo + hi - pitch * (group.length + between)) / 2 + pitch / 2;
    double extra = between == 0 ? 0 : PLANE_GAP;
    for (int i = 0; i < group.length; i++) {
      boolean newPlane = i > 0 && shape.above(2, group[i]) != shape.above(2, group[i - 1]);
      x += i == 0 ? 0 : pitch + (newPlane ? pitch * extra : 0);
      put(group[i], x, level, pitch * 0.84);
    }
  }

  private static final double PLANE_GAP = 0.8;

  /** Gaps between planes in units of a switch; none where every switch is a plane of its own. */
  private double planeGaps(int[] group) {
    int changes = 0;
    for (int i = 1; i < group.length; i++) {
      changes += shape.above(2, group[i]) != shape.above(2, group[i - 1]) ? 1 : 0;
    }
    return changes + 1 < group.length ? PLANE_GAP * changes : 0;
  }

  private void put(int sw, double x, int level, double room) {
    double w = Math.min(room, detail == Detail.NAMED ? 124 : detail == Detail.DETAILED ? 76 : 30);
    boolean fits = Names.fontSize(Names.brief(fabric, sw), w - 6) > 0;
    double h =
        switch (detail) {
          case NAMED -> 26;
          case DETAILED -> fits ? 18 : Math.clamp(w * 0.5, 6, 12);
          case BULK -> Math.clamp(w, 4, 9);
        };
    p.place(sw, x, level, w, h); // the height follows when all rows are known
    p.named[sw] = detail == Detail.NAMED || detail == Detail.DETAILED && fits;
  }

  private void placeHosts() {
    for (int level = 1; level <= levels; level++) {
      double y = rowY(level);
      for (int sw : shape.row(level)) {
        p.y[sw] = y;
        if (level > 1 && hosts.count(sw) > 0) {
          HostBlock.above(p, fabric, hosts, sw, Math.max(p.w[sw], 12), detail == Detail.NAMED);
        }
      }
    }
    hostBottom = rowY(1);
    for (int sw : shape.row(1)) {
      mostHosts = Math.max(mostHosts, hosts.count(sw));
    }
    double narrowest = Arrays.stream(columnW).min().orElse(10);
    double room = detail == Detail.BULK ? 76 : 96;
    hostGrid = HostBlock.fit(mostHosts, narrowest, room);
    for (int sw : shape.row(1)) {
      double bottom = p.y[sw] + p.h[sw] / 2;
      if (detail == Detail.NAMED) {
        bottom = HostBlock.namedRow(p, fabric, hosts, sw, bottom + 34, slot);
      } else {
        HostBlock.below(p, fabric, hosts, sw, bottom + 5, hostGrid);
        bottom += 5 + hostGrid.height(hosts.count(sw));
      }
      hostBottom = Math.max(hostBottom, bottom);
    }
    nameSwitches();
  }

  /** Turned names below the leaves and above the roots, where there is no room inside. */
  private void nameSwitches() {
    if (detail != Detail.DETAILED) {
      return;
    }
    double longest = 0;
    double top = hostBottom + 5;
    boolean fits = Arrays.stream(columnW).min().orElse(0) >= 8.5;
    for (int sw : shape.row(1)) {
      if (fits && !p.named[sw]) {
        String text = Names.fit(Names.brief(fabric, sw), 64, 8);
        p.labels.add(Placement.Label.upwards(p.x[sw] + 2.8, top, text, "sn", "end"));
        longest = Math.max(longest, Names.width(text, 8) + 5);
      }
    }
    hostBottom += longest;
    for (int sw : shape.row(levels)) {
      if (topNames && levels > 1 && !p.named[sw]) {
        double marks = hosts.count(sw) > 0 ? 24 : 0;
        String text = Names.fit(Names.brief(fabric, sw), TOP_NAME, 8);
        double y = p.y[sw] - p.h[sw] / 2 - 4 - marks;
        p.labels.add(Placement.Label.upwards(p.x[sw] + 2.8, y, text, "sn", "start"));
      }
    }
  }

  private void nameRows() {
    for (int level = levels; level >= 1; level--) {
      int n = shape.row(level).length;
      String name = level == levels ? "roots" : level == 1 ? "leaves" : "level " + level;
      name = levels == 1 ? "" : name;
      nameRow(rowY(level), name, Names.count(n, "switch", "switches"));
    }
    double middle = detail == Detail.NAMED ? 47 : 18 + hostGrid.height(mostHosts) / 2;
    boolean single = fabric.machines().count() == fabric.machines().adapterCount();
    String marks = single ? "hosts" : "adapters";
    nameRow(rowY(1) + Math.max(36, middle), marks, Names.count(hosts.hosts()));
  }

  private void nameRow(double y, String name, String count) {
    p.labels.add(Placement.Label.flat(0, y - 2, name, "lv"));
    p.labels.add(Placement.Label.flat(0, y + 12, count, "lc"));
  }
}
