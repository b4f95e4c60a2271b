package org.heddle.routing.tree;

import java.util.Arrays;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.fabric.SwitchLinks;
import org.heddle.routing.RoutingRequest;
import org.heddle.topology.Recognition;

/**
 * A total order of the switches in which every switch but one per component has a neighbour above
 * it, so that any two connected switches have a route that climbs and then descends.
 */
public final class LinkOrder {
  private final RoutingRequest request;
  private final SwitchLinks links;

  public LinkOrder(RoutingRequest request, SwitchLinks links) {
    this.request = request;
    this.links = links;
  }

  /** Position of every switch in the order, 0 lowest. */
  public int[] rank() {
    if (request.recognition() instanceof Recognition.Found found) {
      TreeGraph graph = new TreeGraph(request.fabric(), found.tree());
      int[] rank = sorted(graph, new ReRootedOrder(graph, found.tree()));
      if (rank != null && hasOneTopPerComponent(rank)) {
        return rank;
      }
    }
    return breadthFirst();
  }

  /** The turn order as positions, or null if its links do not form one. */
  private int[] sorted(TreeGraph graph, ReRootedOrder turns) {
    int n = graph.switches;
    int[] waiting = new int[n]; // neighbours above that are not placed yet
    for (int s = 0; s < n; s++) {
      for (int g = graph.upStart[s]; g < graph.upStart[s + 1]; g++) {
        if (!turns.ownOnly[g]) {
          waiting[turns.isTurned(s, graph.upParent[g]) ? graph.upParent[g] : s]++;
        }
      }
    }
    int[] placed = new int[n];
    int end = 0;
    for (int s = 0; s < n; s++) {
      if (waiting[s] == 0) {
        placed[end++] = s;
      }
    }
    for (int at = 0; at < end; at++) {
      int s = placed[at];
      for (int g = graph.upStart[s]; g < graph.upStart[s + 1]; g++) {
        int p = graph.upParent[g];
        if (turns.isTurned(s, p) && --waiting[p] == 0) {
          placed[end++] = p;
        }
      }
      for (int d = graph.downStart[s]; d < graph.downStart[s + 1]; d++) {
        int c = graph.downChild[d];
        if (!turns.isTurned(c, s) && !turns.isOwnOnly(c, s) && --waiting[c] == 0) {
          placed[end++] = c;
        }
      }
    }
    if (end < n) {
      return null;
    }
    int[] rank = new int[n];
    for (int i = 0; i < n; i++) {
      rank[placed[i]] = n - 1 - i;
    }
    return rank;
  }

  private boolean hasOneTopPerComponent(int[] rank) {
    int[] component = links.components();
    int[] tops = new int[rank.length];
    for (int s = 0; s < rank.length; s++) {
      boolean top = true;
      for (int i = links.start[s]; i < links.start[s + 1] && top; i++) {
        top = rank[links.neighbour[i]] < rank[s];
      }
      if (top && ++tops[component[s]] > 1) {
        return false;
      }
    }
    return true;
  }

  private int[] breadthFirst() {
    int n = links.switches();
    int[] component = links.components();
    int[] rank = new int[n];
    Arrays.fill(rank, -1);
    int next = n;
    int[] queue = new int[n];
    for (int s = 0; s < n; s++) {
      if (rank[s] >= 0) {
        continue;
      }
      int end = 0;
      queue[end++] = rootOf(component, component[s]);
      rank[queue[0]] = --next;
      for (int at = 0; at < end; at++) {
        for (int i = links.start[queue[at]]; i < links.start[queue[at] + 1]; i++) {
          int y = links.neighbour[i];
          if (rank[y] < 0) {
            rank[y] = --next;
            queue[end++] = y;
          }
        }
      }
    }
    return rank;
  }

  private int rootOf(int[] component, int wanted) {
    Fabric fabric = request.fabric();
    for (Guid guid : request.roots()) {
      int node = fabric.findNode(guid.value());
      if (fabric.isSwitch(node) && component[node] == wanted) {
        return node;
      }
    }
    return centre(component, wanted);
  }

  /** The switch with the smallest sum of distances to the others of its component. */
  private int centre(int[] component, int wanted) {
    int n = links.switches();
    int[] distance = new int[n];
    int[] queue = new int[n];
    int best = -1;
    long least = Long.MAX_VALUE;
    for (int s = 0; s < n; s++) {
      if (component[s] != wanted) {
        continue;
      }
      Arrays.fill(distance, -1);
      distance[s] = 0;
      int end = 0;
      queue[end++] = s;
      long sum = 0;
      for (int at = 0; at < end; at++) {
        int x = queue[at];
        sum += distance[x];
        for (int i = links.start[x]; i < links.start[x + 1]; i++) {
          if (distance[links.neighbour[i]] < 0) {
            distance[links.neighbour[i]] = distance[x] + 1;
            queue[end++] = links.neighbour[i];
          }
        }
      }
      if (sum < least) {
        least = sum;
        best = s;
      }
    }
    return best;
  }
}
