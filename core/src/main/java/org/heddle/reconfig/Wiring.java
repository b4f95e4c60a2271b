package org.heddle.reconfig;

import java.util.Arrays;
import java.util.Optional;
import org.heddle.fabric.Fabric;
import org.heddle.topology.FatTree;

/**
 * The switches of a fabric flattened for planning: what lies behind every port, whether it leads up
 * or down, which switch is above which. Switches come first in a {@link Fabric}, so ids of switch
 * ports are {@code 0 .. ports-1} and a channel is named by the port it leaves. Immutable. Built in
 * O(ports).
 */
public final class Wiring {
  /** Nothing, or no switch, behind a port. */
  static final int NO_SWITCH = -1;

  public final Fabric fabric;
  public final int switches;
  public final int ports;

  /** Port ids of switch s: {@code first[s] .. first[s + 1] - 1}. */
  public final int[] first;

  /** By port id: the switch behind it, or {@link #NO_SWITCH}. */
  public final int[] hop;

  /** By port id: the port at the other end, or {@link Fabric#NONE}. */
  public final int[] peer;

  /** By port id: 1 if it leads up a level, -1 down, 0 neither or unknown. */
  public final byte[] direction;

  /** By switch: level, 0 if unknown. */
  public final int[] level;

  public final boolean hasTree;

  /** Up ports of switch s: {@code upPort[upStart[s]] .. upPort[upStart[s + 1] - 1]}, port ids. */
  public final int[] upStart;

  public final int[] upPort;

  /** Switches at which hosts are attached, ascending. */
  public final int[] hostSwitches;

  /** By switch: its component, named after its smallest switch. */
  public final int[] component;

  public Wiring(Fabric fabric, Optional<FatTree> tree) {
    this.fabric = fabric;
    switches = fabric.switchCount();
    first = new int[switches + 1];
    for (int s = 0; s < switches; s++) {
      first[s + 1] = first[s] + fabric.portCount(s) + 1;
    }
    ports = first[switches];
    hop = new int[ports];
    peer = new int[ports];
    level = new int[switches];
    hasTree = tree.isPresent();
    for (int s = 0; s < switches && hasTree; s++) {
      level[s] = tree.get().level(s);
    }
    direction = new byte[ports];
    upStart = new int[switches + 1];
    int[] up = new int[ports];
    int[] hosts = new int[switches];
    int ups = 0;
    int hosted = 0;
    for (int s = 0; s < switches; s++) {
      boolean host = false;
      for (int p = first[s]; p < first[s + 1]; p++) {
        host |= scan(s, p);
        if (direction[p] > 0) {
          up[ups++] = p;
        }
      }
      upStart[s + 1] = ups;
      if (host) {
        hosts[hosted++] = s;
      }
    }
    upPort = Arrays.copyOf(up, ups);
    hostSwitches = Arrays.copyOf(hosts, hosted);
    component = components();
  }

  /** Notes what lies behind a port; true if that is a host. */
  private boolean scan(int s, int p) {
    peer[p] = p == first[s] ? Fabric.NONE : fabric.peer(p);
    hop[p] = NO_SWITCH;
    if (peer[p] == Fabric.NONE) {
      return false;
    }
    int next = fabric.nodeOf(peer[p]);
    if (!fabric.isSwitch(next)) {
      return true;
    }
    hop[p] = next;
    if (level[s] > 0 && level[next] > 0) {
      direction[p] = (byte) Integer.signum(level[next] - level[s]);
    }
    return false;
  }

  private int[] components() {
    int[] out = new int[switches];
    Arrays.fill(out, NO_SWITCH);
    int[] stack = new int[switches];
    for (int seed = 0; seed < switches; seed++) {
      if (out[seed] != NO_SWITCH) {
        continue;
      }
      int top = 0;
      stack[top++] = seed;
      out[seed] = seed;
      while (top > 0) {
        int s = stack[--top];
        for (int p = first[s]; p < first[s + 1]; p++) {
          if (hop[p] != NO_SWITCH && out[hop[p]] == NO_SWITCH) {
            out[hop[p]] = seed;
            stack[top++] = hop[p];
          }
        }
      }
    }
    return out;
  }

  /** The channel an entry leads to, or -1 if the switch has no such port. */
  public int channel(int s, int number) {
    int port = first[s] + number;
    return number != 0 && port < first[s + 1] ? port : -1;
  }

  /** The switch a channel leaves. */
  public int tail(int channel) {
    return fabric.nodeOf(channel);
  }

  /** The number of a channel's port on its switch. */
  public int number(int channel) {
    return channel - first[fabric.nodeOf(channel)];
  }
}
