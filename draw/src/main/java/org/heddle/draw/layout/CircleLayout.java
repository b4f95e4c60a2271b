package org.heddle.draw.layout;

import org.heddle.fabric.Fabric;

/**
 * Switches on an ellipse, hosts in rays outside it: for small fabrics of any shape. The switches
 * follow each other as a depth-first walk meets them, so a ring is drawn as a ring. O(links).
 */
final class CircleLayout {
  private static final double SWITCH_WIDTH = 96;
  private static final double SWITCH_HEIGHT = 26;
  private static final double MARK = 10;
  private static final double NAME_SIZE = 10;
  private static final double NAME_ROOM = 110;
  private static final int NAMED_ENDPORTS = 60;

  private CircleLayout() {}

  static Placement layout(Fabric fabric, SwitchGraph graph, Attachments hosts, int[] part) {
    int[] order = walk(graph, part, fabric.switchCount());
    int n = order.length;
    Placement p = new Placement(fabric.switchCount());
    p.radial = true;
    double rx = Math.max(190, n * (SWITCH_WIDTH + 30) / 6.283);
    double ry = rx * 0.72;
    int endports = 0;
    for (int sw : part) {
      endports += hosts.count(sw);
    }
    boolean names = endports <= NAMED_ENDPORTS;
    double reach = endports == 0 ? 0 : 92 + (names ? longestName(fabric, hosts, part) : 0);
    double cx = rx + reach + SWITCH_WIDTH / 2 + 20;
    double cy = ry + reach + SWITCH_HEIGHT / 2 + 34;
    for (int i = 0; i < n; i++) {
      double angle = 2 * StrictMath.PI * i / n - StrictMath.PI / 2;
      double dx = StrictMath.cos(angle);
      double dy = StrictMath.sin(angle);
      int sw = order[i];
      p.place(sw, cx + rx * dx, cy + ry * dy, SWITCH_WIDTH, SWITCH_HEIGHT);
      p.named[sw] = true;
      double norm = StrictMath.hypot(dx / rx, dy / ry);
      double out = StrictMath.atan2(dy / ry / norm, dx / rx / norm); // normal of the ellipse
      fan(p, fabric, hosts, sw, out, 2 * StrictMath.PI / n, names);
    }
    p.width = 2 * cx;
    p.height = 2 * cy;
    return p;
  }

  private static double longestName(Fabric fabric, Attachments hosts, int[] part) {
    double longest = 0;
    for (int sw : part) {
      for (int i = 0; i < hosts.count(sw); i++) {
        String name = Names.brief(fabric, fabric.nodeOf(hosts.port(sw, i)));
        longest = Math.max(longest, Names.width(name, NAME_SIZE));
      }
    }
    return Math.min(longest, NAME_ROOM) + 6;
  }

  private static void fan(
      Placement p,
      Fabric fabric,
      Attachments hosts,
      int sw,
      double angle,
      double sector,
      boolean names) {
    int n = hosts.count(sw);
    int fitting = (int) (Math.min(sector, 1.9) * 84 / (MARK + 4));
    int perRow = names ? Math.max(n, 1) : Math.clamp(n, 1, Math.max(1, fitting));
    for (int i = 0; i < n; i++) {
      int row = i / perRow;
      int inRow = Math.min(perRow, n - row * perRow);
      double radius = 70 + row * (MARK + 4);
      double step = Math.min(0.34, (MARK + 5) * 1.6 / radius);
      double a = angle + (i % perRow - (inRow - 1) / 2.0) * step;
      double x = p.x[sw] + (radius + 14) * StrictMath.cos(a);
      double y = p.y[sw] + radius * 0.92 * StrictMath.sin(a);
      int node = fabric.nodeOf(hosts.port(sw, i));
      p.mark(node, hosts.port(sw, i), x, y, MARK, true);
      if (names) {
        p.labels.add(ray(Names.fit(Names.brief(fabric, node), NAME_ROOM, NAME_SIZE), x, y, a));
      }
    }
  }

  /** Text that runs outwards from a mark, never upside down. */
  private static Placement.Label ray(String text, double x, double y, double angle) {
    double dx = StrictMath.cos(angle);
    double dy = StrictMath.sin(angle);
    boolean left = dx < -1e-9;
    double turn = StrictMath.toDegrees(StrictMath.atan2(left ? -dy : dy, left ? -dx : dx));
    double drop = 3.4; // from the middle of the letters to their base line
    double up = StrictMath.toRadians(turn);
    return new Placement.Label(
        x + 10 * dx - drop * StrictMath.sin(up),
        y + 10 * dy + drop * StrictMath.cos(up),
        text,
        "rn",
        left ? "end" : "start",
        turn);
  }

  /** Depth-first order from the smallest id, neighbours by id. */
  private static int[] walk(SwitchGraph graph, int[] part, int switches) {
    boolean[] seen = new boolean[switches];
    int[] next = new int[switches];
    int[] stack = new int[part.length + 1];
    int[] order = new int[part.length];
    int depth = 0;
    int n = 0;
    stack[depth] = part[0];
    seen[part[0]] = true;
    order[n++] = part[0];
    while (depth >= 0) {
      int sw = stack[depth];
      if (next[sw] == graph.degree(sw)) {
        depth--;
        continue;
      }
      int other = graph.neighbour(sw, next[sw]++);
      if (!seen[other]) {
        seen[other] = true;
        order[n++] = other;
        stack[++depth] = other;
      }
    }
    return order;
  }
}
