package org.heddle.topology;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.heddle.fabric.Fabric;

/**
 * The two-level sub-tree around some leaves, seen from what is cabled to it, without recognising
 * the rest of the fabric.
 *
 * <p>What the leaves are cabled to is level 2; what that is cabled to is a leaf if it has about as
 * many hosts as the leaves, and else lies outside, and so on until nothing is new. This is what the
 * recogniser finds too, provided that hosts tell leaves from other switches. Where they might not,
 * the answer is "in doubt", and the whole fabric has to be recognised: leaves with less than half,
 * or more than twice, as many hosts as the fullest of those given; hosts at level 2; links between
 * leaves; leaves without a common neighbour; switches that would lie outside, but have most of
 * their links into this sub-tree (leaves that lost their hosts).
 *
 * <p>O(ports of the sub-tree and of its neighbours).
 */
final class SubtreeNeighbourhood {
  private static final int UNKNOWN = -1;

  private final Fabric fabric;
  private final int[] hosts; // by switch, UNKNOWN until asked for
  private final int[] level; // by switch: 1, 2, 3 for above, 0 not met
  private final int[] queue;
  private int met;
  private int fullest;

  private SubtreeNeighbourhood(Fabric fabric) {
    this.fabric = fabric;
    hosts = new int[fabric.switchCount()];
    Arrays.fill(hosts, UNKNOWN);
    level = new int[hosts.length];
    queue = new int[hosts.length];
  }

  /**
   * Levels by switch id of the two-level sub-tree that holds these leaves, 0 outside of it.
   *
   * @param leaves switches with hosts, at least one
   * @return null if in doubt, or if the leaves are not in one two-level sub-tree
   */
  static int[] levels(Fabric fabric, int[] leaves) {
    SubtreeNeighbourhood search = new SubtreeNeighbourhood(fabric);
    return search.find(leaves) ? search.level : null;
  }

  private boolean find(int[] leaves) {
    for (int s : leaves) {
      fullest = Math.max(fullest, hosts(s));
    }
    if (!looksLikeLeaf(leaves[0])) {
      return false;
    }
    meet(leaves[0], 1);
    for (int head = 0; head < met; head++) {
      if (level[queue[head]] != 3 && !expand(queue[head])) {
        return false;
      }
    }
    for (int i = 0; i < met; i++) {
      if (level[queue[i]] == 3 && !liesAbove(queue[i])) {
        return false;
      }
    }
    for (int s : leaves) {
      if (level[s] != 1) {
        return false;
      }
    }
    if (!leavesMeet()) {
      return false;
    }
    for (int i = 0; i < met; i++) {
      level[queue[i]] = level[queue[i]] == 3 ? 0 : level[queue[i]];
    }
    return true;
  }

  /** True if any two leaves have a neighbour in common: else one may be no leaf, or lie apart. */
  private boolean leavesMeet() {
    List<BitSet> above = new ArrayList<>();
    for (int i = 0; i < met; i++) {
      if (level[queue[i]] == 1) {
        BitSet neighbours = new BitSet();
        for (int k = 1; k <= fabric.portCount(queue[i]); k++) {
          int next = fabric.peerNode(fabric.port(queue[i], k));
          if (fabric.isSwitch(next)) {
            neighbours.set(next);
          }
        }
        for (BitSet other : above) {
          if (!other.intersects(neighbours)) {
            return false;
          }
        }
        above.add(neighbours);
      }
    }
    return true;
  }

  private void meet(int s, int as) {
    level[s] = as;
    queue[met++] = s;
  }

  private boolean looksLikeLeaf(int s) {
    return 2 * hosts(s) >= fullest && hosts(s) <= 2 * fullest && hosts(s) > 0;
  }

  /** Meets the neighbours of a switch of level 1 or 2; false if in doubt. */
  private boolean expand(int s) {
    for (int k = 1; k <= fabric.portCount(s); k++) {
      int next = fabric.peerNode(fabric.port(s, k));
      if (!fabric.isSwitch(next) || next == s) {
        continue;
      }
      int as = level[s] == 1 ? 2 : looksLikeLeaf(next) ? 1 : 3;
      if ((as == 2 && hosts(next) > 0) || (level[next] != 0 && level[next] != as)) {
        return false;
      }
      if (level[next] == 0) {
        meet(next, as);
      }
    }
    return true;
  }

  /** True if a switch met from level 2 has at least as many links out of the sub-tree as in. */
  private boolean liesAbove(int s) {
    int in = 0;
    int out = 0;
    int ports = fabric.portCount(s);
    for (int k = 1; k <= ports && 2 * out <= ports; k++) { // rarely needs all ports
      int next = fabric.peerNode(fabric.port(s, k));
      if (fabric.isSwitch(next) && next != s) {
        in += level[next] == 2 ? 1 : 0;
        out += level[next] == 0 ? 1 : 0;
      }
    }
    return out >= in;
  }

  private int hosts(int s) {
    if (hosts[s] == UNKNOWN) {
      int count = 0;
      for (int k = 1; k <= fabric.portCount(s); k++) {
        count += SwitchGraph.isHost(fabric, fabric.peerNode(fabric.port(s, k))) ? 1 : 0;
      }
      hosts[s] = count;
    }
    return hosts[s];
  }
}
