package org.heddle.draw.layout;

import org.heddle.fabric.Fabric;

/** Places the endports of one switch: as a grid of squares, or as a row with names. */
final class HostBlock {
  static final double NAME_SIZE = 11;
  static final double NAME_ROOM = 150;
  private static final double MAX_SIZE = 10;

  /** Columns, side and distance of the squares of a grid. */
  record Grid(int columns, double size, double gap) {
    double pitch() {
      return size + gap;
    }

    double height(int count) {
      int rows = (count + columns - 1) / columns;
      return rows == 0 ? 0 : rows * pitch() - gap;
    }
  }

  private HostBlock() {}

  /** The grid with the largest squares that holds so many in that room. */
  static Grid fit(int count, double width, double height) {
    Grid best = new Grid(1, 0, 0);
    for (int columns = 1; columns <= Math.max(count, 1); columns++) {
      int rows = (Math.max(count, 1) + columns - 1) / columns;
      double pitch = Math.min(width / columns, height / rows);
      double size = Math.min(MAX_SIZE, pitch * 0.82);
      if (size > best.size) {
        best = new Grid(columns, size, size * 0.22);
      }
    }
    return best;
  }

  /** Squares below a switch, centred, the first row at {@code top}. */
  static void below(Placement p, Fabric fabric, Attachments hosts, int sw, double top, Grid grid) {
    int n = hosts.count(sw);
    int columns = Math.min(grid.columns, n);
    double left = p.x[sw] - (columns * grid.pitch() - grid.gap) / 2;
    for (int i = 0; i < n; i++) {
      double x = left + i % grid.columns * grid.pitch() + grid.size / 2;
      double y = top + i / grid.columns * grid.pitch() + grid.size / 2;
      p.mark(fabric.nodeOf(hosts.port(sw, i)), hosts.port(sw, i), x, y, grid.size, false);
    }
  }

  /**
   * Squares above a switch, for hosts on roots and inner switches.
   *
   * @param names whether the name of a single host is written beside it
   */
  static void above(
      Placement p, Fabric fabric, Attachments hosts, int sw, double room, boolean names) {
    int n = hosts.count(sw);
    Grid grid = fit(n, room, 20);
    int columns = Math.min(grid.columns, n);
    double left = p.x[sw] - (columns * grid.pitch() - grid.gap) / 2;
    double bottom = p.y[sw] - p.h[sw] / 2 - 4;
    for (int i = 0; i < n; i++) {
      double x = left + i % grid.columns * grid.pitch() + grid.size / 2;
      double y = bottom - i / grid.columns * grid.pitch() - grid.size / 2;
      p.mark(fabric.nodeOf(hosts.port(sw, i)), hosts.port(sw, i), x, y, grid.size, false);
    }
    int only = onlyHost(fabric, hosts, sw);
    if (names && only != Fabric.NONE) {
      String text = Names.fit(Names.brief(fabric, only), room / 2, 9);
      double right = left + columns * grid.pitch() + 3;
      p.labels.add(Placement.Label.flat(right, bottom - grid.size / 2 + 3.2, text, "an"));
    }
  }

  private static int onlyHost(Fabric fabric, Attachments hosts, int sw) {
    int only = Fabric.NONE;
    for (int i = 0; i < hosts.count(sw); i++) {
      int node = fabric.nodeOf(hosts.port(sw, i));
      if (hosts.kind(node) != Attachments.Kind.AGGREGATION) {
        if (only != Fabric.NONE) {
          return Fabric.NONE;
        }
        only = node;
      }
    }
    return only;
  }

  /** A row of squares with stems and names written upwards below them. Returns the lowest y. */
  static double namedRow(
      Placement p, Fabric fabric, Attachments hosts, int sw, double y, double slot) {
    int n = hosts.count(sw);
    double bottom = y;
    for (int i = 0; i < n; i++) {
      double x = p.x[sw] + (i - (n - 1) / 2.0) * slot;
      int port = hosts.port(sw, i);
      int node = fabric.nodeOf(port);
      p.mark(node, port, x, y, Math.min(10, slot - 4), true);
      if (hosts.kind(node) == Attachments.Kind.AGGREGATION) {
        continue; // all have the same name; the legend explains the symbol
      }
      String name = Names.brief(fabric, node);
      if (!hosts.isPrimary(port)) {
        name += " :" + fabric.numberOf(port);
      }
      String text = Names.fit(name, NAME_ROOM, NAME_SIZE);
      p.labels.add(Placement.Label.upwards(x + 3.8, y + 11, text, "hn", "end"));
      bottom = Math.max(bottom, y + 14 + Names.width(text, NAME_SIZE));
    }
    return bottom;
  }
}
