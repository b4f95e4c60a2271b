package org.heddle.text;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.routing.ForwardingTables;

/**
 * Writes tables as {@code opensm.fdbs} ({@code osm_dump.c}, {@code dump_ucast_routes}).
 *
 * <p>As in OpenSM, hops are those of a shortest path that starts with the entry's port, not those
 * of the path the tables take: links to the switch, and one more to a host. An entry is optimal if
 * no port starts a shorter path; otherwise the line names the least number of hops and the smallest
 * port that has it (OpenSM names the least loaded one). A port that leads nowhere near the
 * destination has {@code HOPS UNKNOWN}. O(switches x links) for the distances, then O(entries).
 */
public final class FdbsWriter {
  private static final int FAR = 255;

  private FdbsWriter() {}

  /**
   * Writes all tables; the stream is flushed and not closed.
   *
   * @throws IOException if the stream fails
   */
  public static void write(Fabric fabric, ForwardingTables tables, OutputStream out)
      throws IOException {
    byte[][] distance = distances(fabric);
    int top = Math.max(tables.topLid(), fabric.topLid());
    StringBuilder text = new StringBuilder(1 << 16);
    for (int sw = 0; sw < fabric.switchCount(); sw++) {
      text.append("dump_ucast_routes: Switch ").append(Guid.format(fabric.nodeGuid(sw)));
      text.append("\nLID    : Port : Hops : Optimal\n");
      for (int lid = 1; lid <= top; lid++) {
        text.append("0x");
        for (int shift = 12; shift >= 0; shift -= 4) {
          text.append("0123456789ABCDEF".charAt(lid >> shift & 0xf));
        }
        text.append(" : ");
        entry(fabric, distance, sw, lid, tables.port(sw, lid), text);
        text.append('\n');
      }
      out.write(text.toString().getBytes(StandardCharsets.US_ASCII));
      text.setLength(0);
    }
    out.flush();
  }

  private static void entry(
      Fabric fabric, byte[][] distance, int sw, int lid, int port, StringBuilder text) {
    int destination = fabric.portOfLid(lid);
    if (destination == Fabric.NONE || port == ForwardingTables.NO_PORT) {
      text.append("UNREACHABLE");
      return;
    }
    padded(text, port, 3).append("  : ");
    int target = fabric.attachedSwitch(destination);
    int host = fabric.isSwitch(fabric.nodeOf(destination)) ? 0 : 1;
    int hops = FAR;
    if (target != Fabric.NONE) {
      hops = host == 1 && target == sw ? 0 : hopsBy(fabric, distance, sw, port, target);
    }
    if (hops == FAR) {
      text.append("HOPS UNKNOWN");
      return;
    }
    padded(text, hops + host, 2).append("   : ");
    int least = distance[sw][target] & 0xff;
    if (hops == least) {
      text.append("yes");
    } else {
      text.append("No ").append(least + host).append(" hop path possible via port ");
      text.append(smallestPort(fabric, distance, sw, target, least)).append('!');
    }
  }

  /** Hops to a switch by way of a port; 0 only for the switch itself by its port 0. */
  private static int hopsBy(Fabric fabric, byte[][] distance, int sw, int port, int target) {
    if (port == 0) {
      return target == sw ? 0 : FAR;
    }
    int next = port > fabric.portCount(sw) ? Fabric.NONE : fabric.peerNode(fabric.port(sw, port));
    if (target == sw || next == Fabric.NONE || !fabric.isSwitch(next)) {
      return FAR;
    }
    int rest = distance[next][target] & 0xff;
    return rest == FAR ? FAR : rest + 1;
  }

  private static int smallestPort(Fabric fabric, byte[][] distance, int sw, int target, int least) {
    for (int port = 1; port <= fabric.portCount(sw); port++) {
      if (hopsBy(fabric, distance, sw, port, target) == least) {
        return port;
      }
    }
    return 0;
  }

  private static StringBuilder padded(StringBuilder text, int value, int width) {
    for (int limit = width == 3 ? 100 : 10; limit > 1 && value < limit; limit /= 10) {
      text.append('0');
    }
    return text.append(value);
  }

  /** Least number of links between all pairs of switches, {@link #FAR} if not connected. */
  private static byte[][] distances(Fabric fabric) {
    int n = fabric.switchCount();
    byte[][] distance = new byte[n][n];
    int[] queue = new int[n];
    for (int root = 0; root < n; root++) {
      byte[] d = distance[root];
      Arrays.fill(d, (byte) FAR);
      d[root] = 0;
      queue[0] = root;
      int tail = 1;
      for (int head = 0; head < tail; head++) {
        int sw = queue[head];
        int hops = (d[sw] & 0xff) + 1;
        for (int port = 1; port <= fabric.portCount(sw) && hops < FAR; port++) {
          int next = fabric.peerNode(fabric.port(sw, port));
          if (next != Fabric.NONE && fabric.isSwitch(next) && d[next] == (byte) FAR) {
            d[next] = (byte) hops;
            queue[tail++] = next;
          }
        }
      }
    }
    return distance;
  }
}
