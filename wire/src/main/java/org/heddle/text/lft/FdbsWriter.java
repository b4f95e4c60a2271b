package org.heddle.text.lft;

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

  private static final int BUFFER = 1 << 20;
  private static final int LONGEST = 128;
  private static final byte[] UNREACHABLE = ascii("UNREACHABLE\n");
  private static final byte[] UNKNOWN = ascii("  : HOPS UNKNOWN\n");
  private static final byte[] OPTIMAL = ascii("   : yes\n");

  private final Fabric fabric;
  private final OutputStream out;
  private final byte[][] distance;
  private final byte[] buffer = new byte[BUFFER];
  private int used;

  private FdbsWriter(Fabric fabric, OutputStream out) {
    this.fabric = fabric;
    this.out = out;
    this.distance = distances(fabric);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * Writes all tables; the stream is flushed and not closed.
   *
   * @throws IOException if the stream fails
   */
  public static void write(Fabric fabric, ForwardingTables tables, OutputStream out)
      throws IOException {
    FdbsWriter writer = new FdbsWriter(fabric, out);
    int top = Math.max(tables.topLid(), fabric.topLid());
    for (int sw = 0; sw < fabric.switchCount(); sw++) {
      writer.room();
      writer.put(
          ascii(
              "dump_ucast_routes: Switch "
                  + Guid.format(fabric.nodeGuid(sw))
                  + "\nLID    : Port : Hops : Optimal\n"));
      for (int lid = 1; lid <= top; lid++) {
        writer.room();
        writer.entry(sw, lid, tables.port(sw, lid));
      }
    }
    writer.flush();
    out.flush();
  }

  private void room() throws IOException {
    if (buffer.length - used < LONGEST) {
      flush();
    }
  }

  private void flush() throws IOException {
    out.write(buffer, 0, used);
    used = 0;
  }

  private void put(byte[] text) {
    System.arraycopy(text, 0, buffer, used, text.length);
    used += text.length;
  }

  private void separator() {
    buffer[used++] = ' ';
    buffer[used++] = ':';
    buffer[used++] = ' ';
  }

  private void number(int value, boolean three) {
    if (three || value >= 100) {
      buffer[used++] = (byte) ('0' + value / 100);
    }
    buffer[used++] = (byte) ('0' + value / 10 % 10);
    buffer[used++] = (byte) ('0' + value % 10);
  }

  private void entry(int sw, int lid, int port) {
    buffer[used++] = '0';
    buffer[used++] = 'x';
    for (int shift = 12; shift >= 0; shift -= 4) {
      buffer[used++] = (byte) "0123456789ABCDEF".charAt(lid >> shift & 0xf);
    }
    separator();
    int destination = fabric.portOfLid(lid);
    if (destination == Fabric.NONE || port == ForwardingTables.NO_PORT) {
      put(UNREACHABLE);
      return;
    }
    number(port, true);
    int target = fabric.attachedSwitch(destination);
    int host = fabric.isSwitch(fabric.nodeOf(destination)) ? 0 : 1;
    int hops = FAR;
    if (target != Fabric.NONE) {
      hops = host == 1 && target == sw ? 0 : hopsBy(fabric, distance, sw, port, target);
    }
    if (hops == FAR) {
      put(UNKNOWN);
      return;
    }
    buffer[used++] = ' ';
    separator();
    number(hops + host, false);
    int least = distance[sw][target] & 0xff;
    if (hops == least) {
      put(OPTIMAL);
    } else {
      put(
          ascii(
              "   : No "
                  + (least + host)
                  + " hop path possible via port "
                  + smallestPort(fabric, distance, sw, target, least)
                  + "!\n"));
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
