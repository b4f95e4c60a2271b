package org.heddle.routing.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.heddle.fabric.Fabric;
import org.heddle.tenancy.IsolationPolicy;
import org.heddle.tenancy.Partition;
import org.heddle.tenancy.PartitionMember;
import org.heddle.tenancy.Tenancy;
import org.heddle.topology.FatTree;

/**
 * The question whether any up/down routing with one way to each LID keeps the promises of a tenancy
 * on a small tree, in plain words: who sends to which destination, which ways there are, which
 * partitions may not meet. Written from the definitions, without a class of the engines.
 */
public final class UpDownProblem {
  /**
   * A host LID that somebody sends to.
   *
   * @param at the switch it hangs on
   * @param senders by switch: partitions, as bits, with a sender there
   */
  record Destination(int at, int[] senders) {}

  final Fabric fabric;
  final FatTree tree;
  final Tenancy tenancy;
  final int partitions;
  final List<Destination> destinations = new ArrayList<>();

  public UpDownProblem(Fabric fabric, FatTree tree, Tenancy tenancy) {
    this.fabric = fabric;
    this.tree = tree;
    this.tenancy = tenancy;
    partitions = tenancy.partitions().size();
    for (int port = 0; port < fabric.portIdLimit(); port++) {
      int at = fabric.attachedSwitch(port);
      if (fabric.isEndport(port) && !fabric.isSwitch(fabric.nodeOf(port)) && at >= 0) {
        int[] senders = senders(port);
        senders[at] = 0;
        if (Arrays.stream(senders).anyMatch(m -> m != 0)) {
          destinations.add(new Destination(at, senders));
        }
      }
    }
  }

  private int[] senders(int port) {
    int[] senders = new int[fabric.switchCount()];
    for (int p = 0; p < partitions; p++) {
      Partition partition = tenancy.partitions().get(p);
      for (PartitionMember to : partition.members()) {
        if (to.port() != port) {
          continue;
        }
        for (PartitionMember from : partition.members()) {
          boolean talk = from.port() != port && (from.full() || to.full());
          if (talk && connected(fabric.attachedSwitch(from.port()), fabric.attachedSwitch(port))) {
            senders[fabric.attachedSwitch(from.port())] |= 1 << p;
          }
        }
      }
    }
    return senders;
  }

  private boolean connected(int a, int b) {
    boolean[] reached = new boolean[fabric.switchCount()];
    List<Integer> queue = new ArrayList<>(List.of(a));
    reached[a] = true;
    for (int i = 0; i < queue.size(); i++) {
      for (int n = 1; n <= fabric.portCount(queue.get(i)); n++) {
        int peer = fabric.peerNode(fabric.port(queue.get(i), n));
        if (peer != Fabric.NONE && fabric.isSwitch(peer) && !reached[peer]) {
          reached[peer] = true;
          queue.add(peer);
        }
      }
    }
    return reached[b];
  }

  private IsolationPolicy policy(int p) {
    return tenancy.partitions().get(p).policy();
  }

  /** True if the two may meet on no channel. */
  boolean apart(int a, int b) {
    return a != b
        && !tenancy.mayShare(a, b)
        && (policy(a) == IsolationPolicy.PHY || policy(b) == IsolationPolicy.PHY);
  }

  /** True if the two may meet on separate lanes only. */
  boolean lanes(int a, int b) {
    return a != b
        && !apart(a, b)
        && !tenancy.mayShare(a, b)
        && (policy(a) == IsolationPolicy.VLANE || policy(b) == IsolationPolicy.VLANE);
  }

  boolean isUp(int port) {
    return tree.level(fabric.peerNode(port)) > tree.level(fabric.nodeOf(port));
  }

  /** Ports of a switch to switches of other levels. */
  List<Integer> ports(int s) {
    List<Integer> out = new ArrayList<>();
    for (int n = 1; n <= fabric.portCount(s); n++) {
      int port = fabric.port(s, n);
      int peer = fabric.peerNode(port);
      if (peer != Fabric.NONE && fabric.isSwitch(peer) && tree.level(peer) != tree.level(s)) {
        out.add(port);
      }
    }
    return out;
  }

  /** All ways that rise, then fall, from s to d, as ports. */
  List<int[]> ways(int s, int d) {
    List<int[]> out = new ArrayList<>();
    extend(s, d, true, new ArrayList<>(), out);
    return out;
  }

  private void extend(int s, int d, boolean rising, List<Integer> way, List<int[]> out) {
    if (s == d) {
      out.add(way.stream().mapToInt(p -> p).toArray());
      return;
    }
    for (int port : ports(s)) {
      boolean up = isUp(port);
      boolean back =
          way.stream().anyMatch(p -> fabric.nodeOf(p) == fabric.peerNode(port)); // no circles
      if ((rising || !up) && !back) {
        way.add(port);
        extend(fabric.peerNode(port), d, rising && up, way, out);
        way.removeLast();
      }
    }
  }

  /** True if everybody who sends has an up/down way; the question makes no sense otherwise. */
  public boolean hasWays() {
    for (Destination d : destinations) {
      for (int s = 0; s < d.senders().length; s++) {
        if (d.senders()[s] != 0 && ways(s, d.at()).isEmpty()) {
          return false;
        }
      }
    }
    return true;
  }

  /** Smallest sets of pairs (as bits by partition) that must be apart, one set for each lanes. */
  List<int[]> lanings() {
    List<Integer> coloured = new ArrayList<>();
    for (int p = 0; p < partitions; p++) {
      boolean needs = false;
      for (int q = 0; q < partitions; q++) {
        needs |= lanes(p, q);
      }
      if (needs) {
        coloured.add(p);
      }
    }
    List<int[]> out = new ArrayList<>();
    lanings(coloured, 0, new int[partitions], 0, out);
    out.sort((a, b) -> Integer.compare(pairs(a), pairs(b)));
    List<int[]> least = new ArrayList<>();
    for (int[] one : out) {
      if (least.stream().noneMatch(l -> isWithin(l, one))) {
        least.add(one);
      }
    }
    return least;
  }

  private void lanings(List<Integer> coloured, int i, int[] lane, int used, List<int[]> out) {
    if (i < coloured.size()) {
      for (int l = 0; l < Math.min(used + 1, tenancy.rules().dataLanes()); l++) {
        lane[coloured.get(i)] = l;
        lanings(coloured, i + 1, lane, Math.max(used, l + 1), out);
      }
      return;
    }
    int[] apart = new int[partitions];
    for (int a = 0; a < partitions; a++) {
      for (int b = 0; b < partitions; b++) {
        if (apart(a, b) || (lanes(a, b) && lane[a] == lane[b])) {
          apart[a] |= 1 << b;
        }
      }
    }
    out.add(apart);
  }

  private static int pairs(int[] apart) {
    return Arrays.stream(apart).map(Integer::bitCount).sum();
  }

  private static boolean isWithin(int[] a, int[] b) {
    for (int p = 0; p < a.length; p++) {
      if ((a[p] & ~b[p]) != 0) {
        return false;
      }
    }
    return true;
  }
}
