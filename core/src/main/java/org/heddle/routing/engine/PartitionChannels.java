package org.heddle.routing.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.heddle.fabric.Fabric;
import org.heddle.routing.ForwardingTables;
import org.heddle.tenancy.IsolationPolicy;
import org.heddle.tenancy.Tenancy;

/**
 * Which partitions meet on which switch-to-switch channels, traced from finished tables: what an
 * engine claims rests on this, not on what it meant to do. The verifier computes the same on its
 * own.
 *
 * <p>O(sum over partitions of members * switches with members) steps at most; ways that join a way
 * already followed for the destination are not followed again.
 */
final class PartitionChannels {
  private final Fabric fabric;
  private final ForwardingTables tables;
  private final PartitionMap map;

  /** Partitions on a channel, by port id: null, or their indices ascending. */
  private final int[][] users;

  private final int[] lastUser;
  private final int[] visited;
  private int visit;

  PartitionChannels(Fabric fabric, ForwardingTables tables, PartitionMap map, Destinations dest) {
    this.fabric = fabric;
    this.tables = tables;
    this.map = map;
    users = new int[fabric.portIdLimit()][];
    lastUser = new int[fabric.portIdLimit()];
    Arrays.fill(lastUser, -1);
    visited = new int[fabric.switchCount()];
    for (int p = 0; p < map.count; p++) {
      for (int i = 0; i < map.lids[p].length; i++) {
        trace(p, map.lids[p][i], map.full[p][i], dest);
      }
    }
  }

  private void trace(int p, int lid, boolean full, Destinations dest) {
    visit++;
    visited[dest.switchOf[lid]] = visit;
    for (int s : map.sourcesFor(p, full)) {
      int at = s;
      while (visited[at] != visit) {
        visited[at] = visit;
        int out = tables.port(at, lid);
        if (out == ForwardingTables.NO_PORT || out == 0 || out > fabric.portCount(at)) {
          break;
        }
        int channel = fabric.port(at, out);
        int next = fabric.peerNode(channel);
        if (!fabric.isSwitch(next)) {
          break;
        }
        if (lastUser[channel] != p) {
          lastUser[channel] = p;
          users[channel] = append(users[channel], p);
        }
        at = next;
      }
    }
  }

  private static int[] append(int[] list, int p) {
    if (list == null) {
      return new int[] {p};
    }
    int[] longer = Arrays.copyOf(list, list.length + 1);
    longer[list.length] = p;
    return longer;
  }

  /** Pairs of partitions that meet on a channel: {@code meets[a][b]}. */
  boolean[][] meets() {
    boolean[][] meets = new boolean[map.count][map.count];
    for (int[] list : users) {
      for (int i = 0; list != null && i < list.length; i++) {
        for (int j = i + 1; j < list.length; j++) {
          meets[list[i]][list[j]] = true;
          meets[list[j]][list[i]] = true;
        }
      }
    }
    return meets;
  }

  /** Broken promises, one sentence per channel and pair, in channel order. */
  List<String> violations(int[] lane) {
    List<String> out = new ArrayList<>();
    for (int channel = 0; channel < users.length; channel++) {
      int[] list = users[channel];
      for (int i = 0; list != null && i < list.length; i++) {
        for (int j = i + 1; j < list.length; j++) {
          String broken = broken(list[i], list[j], lane);
          if (broken != null) {
            out.add(
                fabric.node(fabric.nodeOf(channel)).display()
                    + " port "
                    + fabric.numberOf(channel)
                    + ": "
                    + broken);
          }
        }
      }
    }
    return out;
  }

  private String broken(int a, int b, int[] lane) {
    if (map.tenancy.mayShare(a, b)) {
      return null;
    }
    Tenancy tenancy = map.tenancy;
    String names =
        tenancy.partitions().get(a).name() + " and " + tenancy.partitions().get(b).name();
    if (map.clash(a, b)) {
      return names + " share it, and physical isolation was promised";
    }
    boolean lanes =
        map.policy(a) == IsolationPolicy.VLANE || map.policy(b) == IsolationPolicy.VLANE;
    return lanes && lane[a] == lane[b]
        ? names + " share it on one lane, and lanes of their own were promised"
        : null;
  }
}
