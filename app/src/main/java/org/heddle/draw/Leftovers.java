package org.heddle.draw;

import org.heddle.fabric.Fabric;

/** Places what belongs to no layout: switches outside the tree, hosts connected to no switch. */
final class Leftovers {
  private static final double CELL = 92;
  private static final double ROW = 78;
  private static final double SQUARE = 10;

  private Leftovers() {}

  /**
   * Adds a box with the given switches and nodes below everything placed so far and adjusts the
   * height; nothing if there are none.
   */
  static void place(
      Placement p, Fabric fabric, Attachments hosts, int[] switches, int[] nodes, String label) {
    if (switches.length == 0 && nodes.length == 0) {
      return;
    }
    p.width = Math.max(p.width, 4 * CELL);
    double top = p.height == 0 ? 0 : p.height + 24;
    double y = top + 24;
    int columns = (int) (p.width / CELL);
    for (int i = 0; i < switches.length; i++) {
      double x = (i % columns + 0.5) * CELL;
      double cy = y + i / columns * ROW + 14;
      p.place(switches[i], x, cy, CELL - 12, 22);
      p.named[switches[i]] = true;
      HostBlock.below(
          p,
          fabric,
          hosts,
          switches[i],
          cy + 15,
          HostBlock.fit(hosts.count(switches[i]), CELL - 12, 34));
    }
    y += (switches.length + columns - 1) / columns * ROW;
    int across = (int) ((p.width - 24) / (SQUARE + 4));
    for (int i = 0; i < nodes.length; i++) {
      double x = 18 + i % across * (SQUARE + 4);
      p.mark(nodes[i], -1, x, y + 8 + i / across * (SQUARE + 4), SQUARE, false);
    }
    y += (nodes.length + across - 1) / across * (SQUARE + 4) + (nodes.length > 0 ? 10 : 0);
    p.boxes.add(new Placement.Box(0, top, p.width, y - top, "", 0));
    p.labels.add(Placement.Label.flat(10, top + 16, label, "bl"));
    p.height = y;
  }
}
