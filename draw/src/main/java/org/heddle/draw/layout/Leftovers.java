package org.heddle.draw.layout;

import java.util.Arrays;
import org.heddle.fabric.Fabric;

/** Places what belongs to no layout: switches outside the tree, hosts connected to no switch. */
final class Leftovers {
  private static final double CELL = 92;
  private static final double ROW = 78;
  private static final double SQUARE = 10;
  private static final int MAX_NAMED = 60;
  private static final double NAMED_CELL = 170;

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
    boolean names = nodes.length <= MAX_NAMED;
    double pitch = names ? NAMED_CELL : SQUARE + 4;
    double line = names ? 20 : SQUARE + 4;
    int across = (int) ((p.width - 16) / pitch);
    double previousEnd = 0;
    int[] ordered = peersTogether(fabric, nodes);
    for (int i = 0; i < ordered.length; i++) {
      double x = 18 + i % across * pitch;
      double cy = y + 8 + i / across * line;
      p.mark(ordered[i], -1, x, cy, SQUARE, false);
      if (names) {
        String text = Names.fit(Names.brief(fabric, ordered[i]), NAMED_CELL - 40, 11);
        p.labels.add(Placement.Label.flat(x + 10, cy + 4, text, "hn"));
        double end = x + 14 + Names.width(text, 11);
        boolean cabled = i % across > 0 && areCabled(fabric, ordered[i - 1], ordered[i]);
        if (cabled) {
          p.wires.add(new Placement.Wire(previousEnd, x - 8, cy));
        }
        previousEnd = end;
      }
    }
    y += (nodes.length + across - 1) / across * line + (nodes.length > 0 ? 10 : 0);
    p.boxes.add(new Placement.Box(0, top, p.width, y - top, "", 0));
    p.labels.add(Placement.Label.flat(10, top + 16, label, "bl"));
    p.height = y;
  }

  /** The same nodes, each followed by those it is cabled to. */
  private static int[] peersTogether(Fabric fabric, int[] nodes) {
    boolean[] taken = new boolean[fabric.nodeCount()];
    Arrays.fill(taken, true); // all but the given nodes: a peer may hang on a switch
    for (int node : nodes) {
      taken[node] = false;
    }
    int[] ordered = new int[nodes.length];
    int n = 0;
    for (int node : nodes) {
      int next = node;
      while (next != Fabric.NONE && !taken[next]) {
        taken[next] = true;
        ordered[n++] = next;
        next = freshPeer(fabric, next, taken);
      }
    }
    return ordered;
  }

  private static int freshPeer(Fabric fabric, int node, boolean[] taken) {
    for (int i = 1; i <= fabric.portCount(node); i++) {
      int other = fabric.peerNode(fabric.port(node, i));
      if (other != Fabric.NONE && !fabric.isSwitch(other) && !taken[other]) {
        return other;
      }
    }
    return Fabric.NONE;
  }

  private static boolean areCabled(Fabric fabric, int a, int b) {
    for (int i = 1; i <= fabric.portCount(a); i++) {
      if (fabric.peerNode(fabric.port(a, i)) == b) {
        return true;
      }
    }
    return false;
  }
}
