package org.heddle.verify;

import java.util.Arrays;
import java.util.Optional;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Lid;
import org.heddle.routing.ForwardingTables;
import org.heddle.topology.FatTree;

/**
 * A fabric flattened for the sweep over destinations: what lies behind every switch port, how many
 * hosts send from every switch, which switches are connected. Immutable once built; the arrays are
 * shared by the workers, which only read. Switches come first in a {@link Fabric}, so the port ids
 * of switches are {@code 0 .. switchPorts-1}.
 */
public final class Network {
  public final Fabric fabric;
  public final int switches;
  public final int switchPorts;

  /** Ids of the ports of switch s: {@code first[s] .. first[s + 1] - 1}. */
  public final int[] first;

  /** By switch port id: the switch behind it, or an outcome of {@link RouteTree}. */
  public final int[] hop;

  /** By port id: the port at the other end, or {@link Fabric#NONE}. */
  public final int[] peer;

  /** By switch: linked endports of CAs and routers that have a LID. */
  public final int[] sources;

  /** By switch: its component. */
  public final int[] component;

  /** Switches by component, ascending: those of c are {@code memberStart[c] .. [c + 1] - 1}. */
  public final int[] members;

  public final int[] memberStart;

  /** By component: the sum of {@link #sources}. */
  final int[] componentSources;

  /** By switch port id: 1 up, -1 down, 0 neither or unknown. */
  public final byte[] direction;

  public final boolean hasTree;

  /** By switch port id: index of its words in a {@link Dependencies} table. */
  final int[] row;

  final int rowWords;

  public Network(Fabric fabric, Optional<FatTree> tree) {
    this.fabric = fabric;
    this.switches = fabric.switchCount();
    this.first = new int[switches + 1];
    for (int s = 0; s < switches; s++) {
      first[s + 1] = first[s] + fabric.portCount(s) + 1;
    }
    this.switchPorts = first[switches];
    this.peer = new int[fabric.portIdLimit()];
    for (int p = 0; p < peer.length; p++) {
      peer[p] = fabric.peer(p);
    }
    this.hop = new int[switchPorts];
    this.sources = new int[switches];
    for (int s = 0; s < switches; s++) {
      scanPorts(s);
    }
    this.component = new int[switches];
    int components = findComponents();
    this.memberStart = new int[components + 1];
    this.members = new int[switches];
    this.componentSources = new int[components];
    groupMembers(components);
    this.hasTree = tree.isPresent();
    this.direction = new byte[switchPorts];
    tree.ifPresent(this::findDirections);
    this.row = new int[switchPorts];
    this.rowWords = layOutRows();
  }

  private void scanPorts(int s) {
    hop[first[s]] = RouteTree.PORT_ZERO;
    for (int p = first[s] + 1; p < first[s + 1]; p++) {
      int other = peer[p];
      if (other == Fabric.NONE) {
        hop[p] = RouteTree.DANGLING_PORT;
      } else if (fabric.isSwitch(fabric.nodeOf(other))) {
        hop[p] = fabric.nodeOf(other);
      } else {
        hop[p] = RouteTree.WRONG_HOST;
        sources[s] += fabric.lid(other) != Lid.NONE ? 1 : 0;
      }
    }
  }

  /** Numbers the components in the order of their smallest switch. */
  private int findComponents() {
    Arrays.fill(component, Fabric.NONE);
    int[] stack = new int[switches];
    int count = 0;
    for (int seed = 0; seed < switches; seed++) {
      if (component[seed] != Fabric.NONE) {
        continue;
      }
      int top = 0;
      stack[top++] = seed;
      component[seed] = count;
      while (top > 0) {
        int s = stack[--top];
        for (int p = first[s]; p < first[s + 1]; p++) {
          if (hop[p] >= 0 && component[hop[p]] == Fabric.NONE) {
            component[hop[p]] = count;
            stack[top++] = hop[p];
          }
        }
      }
      count++;
    }
    return count;
  }

  private void groupMembers(int components) {
    for (int s = 0; s < switches; s++) {
      memberStart[component[s] + 1]++;
      componentSources[component[s]] += sources[s];
    }
    for (int c = 0; c < components; c++) {
      memberStart[c + 1] += memberStart[c];
    }
    int[] next = memberStart.clone();
    for (int s = 0; s < switches; s++) {
      members[next[component[s]]++] = s;
    }
  }

  private void findDirections(FatTree tree) {
    for (int s = 0; s < switches; s++) {
      for (int p = first[s]; p < first[s + 1]; p++) {
        if (hop[p] >= 0 && tree.level(s) > 0 && tree.level(hop[p]) > 0) {
          direction[p] = (byte) Integer.signum(tree.level(hop[p]) - tree.level(s));
        }
      }
    }
  }

  private int layOutRows() {
    int words = 0;
    for (int s = 0; s < switches; s++) {
      int perPort = (first[s + 1] - first[s] + 63) >>> 6; // bits: output port 0 .. portCount
      for (int p = first[s]; p < first[s + 1]; p++) {
        row[p] = words;
        words += perPort;
      }
    }
    return words;
  }

  public int components() {
    return componentSources.length;
  }

  /** True if cabling and base LIDs are those of another one; LIDs beside these may differ. */
  boolean isWiredAs(Network other) {
    boolean same =
        this == other
            || Arrays.equals(first, other.first)
                && Arrays.equals(peer, other.peer)
                && Arrays.equals(hop, other.hop);
    for (int p = 0; same && this != other && p < peer.length; p++) {
      same = fabric.lid(p) == other.fabric.lid(p) && fabric.lmc(p) == other.fabric.lmc(p);
      same &= fabric.nodeOf(p) == other.fabric.nodeOf(p);
    }
    return same;
  }

  /** True if the port belongs to a CA or router, is linked, and has a LID. */
  public boolean isSource(int port) {
    return port >= switchPorts && peer[port] != Fabric.NONE && fabric.lid(port) != Lid.NONE;
  }

  /** The switch a destination hangs off, itself for a switch, NONE if there is no switch. */
  public int attachedSwitch(int ownerPort) {
    return fabric.attachedSwitch(ownerPort);
  }

  /** Number of LIDs a port answers to: those of its LMC range and its virtual ones. */
  public int lidCount(int port) {
    return (1 << fabric.lmc(port)) + fabric.virtualLids().count(port);
  }

  /** The i-th LID of a port that has a base LID: its LMC range first, then the virtual ones. */
  public int lid(int port, int i) {
    int range = 1 << fabric.lmc(port);
    return i < range
        ? fabric.lid(port) + i
        : fabric.virtualLids().lid(fabric.virtualLids().first(port) + i - range);
  }

  /**
   * Makes sure that tables are those of a fabric, as far as their number tells.
   *
   * @throws IllegalArgumentException if they are of another number of switches
   */
  public static void requireTables(Fabric fabric, ForwardingTables tables) {
    if (tables.switchCount() != fabric.switchCount()) {
      throw new IllegalArgumentException(
          "tables of "
              + tables.switchCount()
              + " switches, fabric of "
              + fabric.switchCount()
              + " switches");
    }
  }
}
