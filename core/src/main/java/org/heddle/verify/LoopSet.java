package org.heddle.verify;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Distinct forwarding loops in the order of their first LID. Keeps at most {@value Audit#MAX_LOOPS}
 * and counts all.
 */
final class LoopSet {
  /** Output ports of a loop, starting at its smallest switch. */
  private record Circle(int[] ports) {
    @Override
    public boolean equals(Object o) {
      return o instanceof Circle c && Arrays.equals(ports, c.ports);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(ports);
    }
  }

  private static final class Seen {
    final int firstLid;
    long lids;

    Seen(int firstLid) {
      this.firstLid = firstLid;
    }
  }

  private final Map<Circle, Seen> circles = new LinkedHashMap<>();
  private boolean overflow;

  /** (LID, circle) combinations. */
  long total;

  void add(RouteTree tree, int head, int lid) {
    int length = 0;
    int s = head;
    do {
      length++;
      s = tree.next[s];
    } while (s != head);
    int[] ports = new int[length];
    for (int i = 0; i < length; i++) {
      ports[i] = tree.out[s];
      s = tree.next[s];
    }
    total++;
    put(new Circle(ports), lid, 1);
  }

  private void put(Circle circle, int lid, long lids) {
    Seen seen = circles.get(circle);
    if (seen == null) {
      if (circles.size() >= Audit.MAX_LOOPS) {
        overflow = true;
        return;
      }
      seen = new Seen(lid);
      circles.put(circle, seen);
    }
    seen.lids += lids;
  }

  /** Adds the loops of later LIDs. */
  void merge(LoopSet later) {
    later.circles.forEach((circle, seen) -> put(circle, seen.firstLid, seen.lids));
    overflow |= later.overflow;
    total += later.total;
  }

  /** The circles kept. Once some were dropped nobody knows the LIDs of the others: 0. */
  List<AuditReport.ForwardingLoop> list(Network net) {
    List<AuditReport.ForwardingLoop> out = new ArrayList<>(circles.size());
    circles.forEach(
        (circle, seen) ->
            out.add(
                new AuditReport.ForwardingLoop(
                    seen.firstLid,
                    overflow ? 0 : seen.lids,
                    circle.ports.length,
                    AuditMessages.path(net.fabric, circle.ports))));
    return out;
  }
}
