package org.heddle.plan;

import java.util.Arrays;
import java.util.function.IntPredicate;
import org.heddle.fabric.Fabric;

/**
 * The connected parts of a fabric's switches over some of its cables, numbered by their switches of
 * the lowest id. O(ports).
 */
final class SwitchParts {
  private final int[] part;
  private final int[] hosts;
  private final int[] switches;

  private SwitchParts(int[] part, int[] hosts, int[] switches) {
    this.part = part;
    this.hosts = hosts;
    this.switches = switches;
  }

  /**
   * @param usable which ports' cables count
   */
  static SwitchParts of(Fabric fabric, IntPredicate usable) {
    int n = fabric.switchCount();
    int[] part = new int[n];
    int[] hosts = new int[n];
    int[] switches = new int[n];
    int[] queue = new int[n];
    int parts = 0;
    Arrays.fill(part, Fabric.NONE);
    for (int first = 0; first < n; first++) {
      if (part[first] != Fabric.NONE) {
        continue;
      }
      int end = 0;
      queue[end++] = first;
      part[first] = parts;
      for (int i = 0; i < end; i++) {
        int sw = queue[i];
        for (int k = 1; k <= fabric.portCount(sw); k++) {
          int port = fabric.port(sw, k);
          int next = usable.test(port) ? fabric.peerNode(port) : Fabric.NONE;
          if (next == Fabric.NONE) {
            continue;
          }
          if (!fabric.isSwitch(next)) {
            hosts[parts]++;
          } else if (part[next] == Fabric.NONE) {
            part[next] = parts;
            queue[end++] = next;
          }
        }
      }
      switches[parts++] = end;
    }
    return new SwitchParts(part, Arrays.copyOf(hosts, parts), Arrays.copyOf(switches, parts));
  }

  int count() {
    return hosts.length;
  }

  /** The part a switch belongs to. */
  int of(int sw) {
    return part[sw];
  }

  /** Linked ports of channel adapters at the switches of a part. */
  int hosts(int part) {
    return hosts[part];
  }

  /** How many switches a part has. */
  int switches(int part) {
    return switches[part];
  }

  /** True if there are switches that are connected with each other. */
  boolean haveLinks() {
    return Arrays.stream(switches).anyMatch(n -> n > 1);
  }
}
