package org.heddle.draw.layout;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.heddle.fabric.Fabric;

/**
 * Lays out fabrics that are no tree: every connected component by itself, side by side, the largest
 * first; small ones in a circle, others in layers. Switches without any link between switches that
 * have no hosts either, and hosts on no switch, come last. O((switches + links) * sweeps + hosts).
 */
public final class GraphLayout {
  private static final double GAP = 36;
  private static final double MAX_WIDTH = 2_200;
  private static final int CIRCLE_SWITCHES = 24;
  private static final int SPARSE_CIRCLE_SWITCHES = 64;
  private static final int CIRCLE_ENDPORTS = 400;

  private GraphLayout() {}

  public static Placement layout(Fabric fabric, Cables cables, Attachments hosts, Detail detail) {
    SwitchGraph graph = new SwitchGraph(cables, fabric.switchCount());
    Placement p = new Placement(fabric.switchCount());
    List<int[]> parts = components(fabric, cables);
    List<Integer> lonely = new ArrayList<>();
    double x = 0;
    double y = 0;
    double rowHeight = 0;
    int shown = 0;
    for (int[] part : parts) {
      if (part.length == 1 && hosts.count(part[0]) == 0) {
        lonely.add(part[0]);
        continue;
      }
      Placement one = component(fabric, graph, hosts, detail, part);
      if (x > 0 && x + one.width > MAX_WIDTH) {
        x = 0;
        y += rowHeight + GAP;
        rowHeight = 0;
      }
      one.shift(x, y);
      p.take(one, part);
      if (parts.size() > 1) {
        p.boxes.add(new Placement.Box(x, y, one.width, one.height, "part " + ++shown, 0));
      }
      p.radial |= one.radial;
      x += one.width + GAP;
      p.width = Math.max(p.width, x - GAP);
      rowHeight = Math.max(rowHeight, one.height);
      p.height = Math.max(p.height, y + rowHeight);
    }
    int[] single = lonely.stream().mapToInt(Integer::intValue).toArray();
    Leftovers.place(p, fabric, hosts, single, hosts.loose(), "on no other switch");
    return p;
  }

  private static Placement component(
      Fabric fabric, SwitchGraph graph, Attachments hosts, Detail detail, int[] part) {
    int endports = 0;
    int links = 0;
    for (int sw : part) {
      endports += hosts.count(sw);
      links += graph.degree(sw);
    }
    boolean sparse = links <= 3 * part.length; // a ring has two link ends a switch
    boolean circle =
        part.length >= 3
            && part.length <= (sparse ? SPARSE_CIRCLE_SWITCHES : CIRCLE_SWITCHES)
            && endports <= CIRCLE_ENDPORTS;
    return circle
        ? CircleLayout.layout(fabric, graph, hosts, part)
        : LayeredLayout.layout(fabric, graph, hosts, detail, part);
  }

  /** Components as ascending switch ids, the largest first, then by smallest id. */
  private static List<int[]> components(Fabric fabric, Cables cables) {
    int n = fabric.switchCount();
    Components joined = new Components(n);
    for (int s = 0; s < cables.strands(); s++) {
      joined.join(cables.lower(s), cables.upper(s));
    }
    int[] ids = new int[n];
    Arrays.setAll(ids, i -> i);
    int[] number = joined.numbers(ids);
    int count = Arrays.stream(number).max().orElse(-1) + 1;
    int[] size = new int[count];
    for (int c : number) {
      size[c]++;
    }
    List<int[]> parts = new ArrayList<>();
    for (int c = 0; c < count; c++) {
      parts.add(new int[size[c]]);
    }
    int[] at = new int[count];
    for (int sw = 0; sw < n; sw++) {
      parts.get(number[sw])[at[number[sw]]++] = sw;
    }
    parts.sort((a, b) -> Integer.compare(b.length, a.length)); // stable: then by smallest id
    return parts;
  }
}
