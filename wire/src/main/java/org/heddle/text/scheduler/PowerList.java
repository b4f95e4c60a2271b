package org.heddle.text.scheduler;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.heddle.fabric.Counted;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.text.TextOut;

/**
 * The links and switches that may be powered down while only tenants with links of their own send:
 * those that no tenant has and that are not needed to hold the fabric together.
 *
 * <p>What holds it together: the switches with hosts and those at tenants' links are joined, one
 * shortest way after the other, to what is joined already. Not the smallest number of links
 * possible (that is a Steiner tree), but never more than one way a switch. O(switches x links).
 */
public final class PowerList {
  private final Fabric fabric;
  private final boolean[] keep;
  private final boolean[] joined;
  private final boolean[] wanted;

  private PowerList(Fabric fabric, List<int[]> links) {
    this.fabric = fabric;
    keep = new boolean[fabric.portIdLimit()];
    joined = new boolean[fabric.switchCount()];
    wanted = new boolean[fabric.switchCount()];
    for (int[] tenant : links) {
      for (int port : tenant) {
        keep(port);
      }
    }
    for (int port = 0; port < keep.length; port++) {
      int peer = fabric.peerNode(port);
      boolean host = peer != Fabric.NONE && !fabric.isSwitch(peer);
      if (fabric.isSwitch(fabric.nodeOf(port)) && host) {
        wanted[fabric.nodeOf(port)] = true;
      }
    }
  }

  private void keep(int port) {
    keep[port] = true;
    keep[fabric.peer(port)] = true;
    wanted[fabric.nodeOf(port)] = true;
    wanted[fabric.peerNode(port)] = true;
  }

  /**
   * The list as text: a line a switch or link, {@code #} comments.
   *
   * @param links of every tenant, by the port id of either end
   */
  public static byte[] write(Fabric fabric, List<int[]> links) {
    PowerList list = new PowerList(fabric, links);
    list.join();
    return list.text().getBytes(StandardCharsets.UTF_8);
  }

  /** Joins what is wanted, component by component. */
  private void join() {
    for (int first = 0; first < joined.length; first++) {
      if (!wanted[first] || joined[first]) {
        continue;
      }
      spread(first);
      boolean more = true;
      while (more) {
        more = joinNearest();
      }
    }
  }

  /** Marks a switch and what hangs together with it over kept links. */
  private void spread(int from) {
    int[] queue = new int[joined.length];
    int n = 0;
    queue[n++] = from;
    joined[from] = true;
    for (int at = 0; at < n; at++) {
      for (int number = 1; number <= fabric.portCount(queue[at]); number++) {
        int port = fabric.port(queue[at], number);
        int next = keep[port] ? fabric.peerNode(port) : Fabric.NONE;
        if (next != Fabric.NONE && !joined[next]) {
          joined[next] = true;
          queue[n++] = next;
        }
      }
    }
  }

  /** Adds the shortest way from what is joined to a wanted switch that is not; false if none. */
  private boolean joinNearest() {
    int[] via = new int[joined.length];
    int[] queue = new int[joined.length];
    Arrays.fill(via, Fabric.NONE);
    int n = 0;
    for (int sw = 0; sw < joined.length; sw++) {
      if (joined[sw]) {
        queue[n++] = sw;
      }
    }
    for (int at = 0; at < n; at++) {
      for (int number = 1; number <= fabric.portCount(queue[at]); number++) {
        int port = fabric.port(queue[at], number);
        int next = fabric.peerNode(port);
        if (next == Fabric.NONE || !fabric.isSwitch(next) || joined[next] || via[next] >= 0) {
          continue;
        }
        via[next] = port;
        queue[n++] = next;
        if (wanted[next]) {
          for (int sw = next; !joined[sw]; sw = fabric.nodeOf(via[sw])) {
            keep(via[sw]);
          }
          spread(next);
          return true;
        }
      }
    }
    return false;
  }

  private String text() {
    List<String> lines = new ArrayList<>();
    int links = 0;
    int off = 0;
    int switches = 0;
    for (int sw = 0; sw < joined.length; sw++) {
      if (!wanted[sw] && !joined[sw]) {
        lines.add("switch " + end(sw));
        switches++;
      }
    }
    for (int port = 0; port < keep.length; port++) {
      int peer = fabric.peer(port);
      if (peer < port
          || !fabric.isSwitch(fabric.nodeOf(port))
          || !fabric.isSwitch(fabric.nodeOf(peer))) {
        continue;
      }
      links++;
      if (!keep[port]) {
        off++;
        lines.add(
            "link %s %d %s %d"
                .formatted(
                    Guid.format(fabric.nodeGuid(fabric.nodeOf(port))),
                    fabric.numberOf(port),
                    Guid.format(fabric.nodeGuid(fabric.nodeOf(peer))),
                    fabric.numberOf(peer)));
      }
    }
    String head =
        "# What may be powered down while hosts without a tenant are idle: %d of %s, %d of %s.\n"
                .formatted(
                    switches,
                    Counted.of(joined.length, "switch", "switches"),
                    off,
                    Counted.of(links, "link", "links"))
            + "# The rest still connects everything. Tables must be made for the fabric that is left.\n";
    return head + String.join("\n", lines) + (lines.isEmpty() ? "" : "\n");
  }

  private String end(int sw) {
    String name = TextOut.printable(fabric.description(sw));
    return Guid.format(fabric.nodeGuid(sw)) + (name.isEmpty() ? "" : " # " + name);
  }
}
