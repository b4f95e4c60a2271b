package org.heddle.congestion;

import java.util.Arrays;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Lid;
import org.heddle.routing.ForwardingTables;

/**
 * The routes between some endports, traced once. Endports are numbered 0 .. n-1 in the order given,
 * and so are the channels: 0 .. n-1 leave the endports, n .. 2n-1 reach them, the rest lie between
 * switches. Routes from all endports at one switch to one destination are the same from that switch
 * on and are kept once, their channels beside each other, as a trial looks at each route twice and
 * at few of them. Immutable.
 *
 * <p>Memory: 4 bytes for each of the hops between switches, leaf switches times endports: 121 MB
 * for 11,664 hosts.
 */
public final class Routes {
  /** Ends a route that is shorter than the longest of its row. */
  static final int END = -1;

  /** Instead of the first channel of a route that does not arrive. */
  static final int LOST = -2;

  /** Most channels of routes that are kept, together. */
  static final long LARGEST = 1L << 30;

  final int[][] rows; // by source row: stride channels for each destination
  final int[] stride; // by source row
  final int[] rowOf; // source row by endport
  private final int[] endports;
  private final int[] portOfChannel;
  private final long lost;

  Routes(int[][] rows, int[] stride, int[] rowOf, int[] endports, int[] portOfChannel, long lost) {
    this.rows = rows;
    this.stride = stride;
    this.rowOf = rowOf;
    this.endports = endports;
    this.portOfChannel = portOfChannel;
    this.lost = lost;
  }

  /**
   * Traces all routes between endports. O(switches with endports x endports x hops).
   *
   * @param endports port ids of channel adapters or routers that {@link Fabric#isEndport are
   *     endports}, have a LID and sit on a switch; no one twice
   * @throws IllegalArgumentException if one is not, or the routes would take more than 4 GiB
   */
  public static Routes trace(Fabric fabric, ForwardingTables tables, int[] endports) {
    int[] lids = new int[endports.length];
    for (int i = 0; i < lids.length; i++) {
      lids[i] = fabric.lid(endports[i]);
    }
    return new Tracer(fabric, tables, endports.clone(), lids).trace();
  }

  /**
   * Traces the routes between virtual machines, several of which may sit behind one port. The
   * endports of the result are theirs, one a LID, and {@link #endport} names the hypervisor's port.
   *
   * <p>A hypervisor counts as a switch, as it does in subnets of the vSwitch architecture
   * (Tasoulas, thesis, papers II and V): every machine has a channel to it and one from it for
   * itself, all machines of a hypervisor share the two channels of its link, and messages between
   * them use neither. The channels of the links come after those between switches; {@link #hops}
   * counts them. O(hypervisors x LIDs x hops) time and memory.
   *
   * @param fabric with the LIDs ({@link Fabric#virtualLids}); base LIDs may be among those asked
   *     for
   * @param lids of endports on switches; no one twice
   * @throws IllegalArgumentException if one is not, or the routes would take more than 4 GiB
   */
  public static Routes traceMachines(Fabric fabric, ForwardingTables tables, int[] lids) {
    int[] ports = new int[lids.length];
    for (int i = 0; i < lids.length; i++) {
      ports[i] = fabric.portOfLid(lids[i]);
      if (ports[i] == Fabric.NONE) {
        throw new IllegalArgumentException("LID " + lids[i] + " belongs to no port");
      }
    }
    Routes leaves = new Tracer(fabric, tables, ports, lids.clone()).trace();
    return HypervisorLinks.add(leaves, fabric);
  }

  /** All endports of channel adapters that can send and receive, ascending by GUID of the node. */
  public static int[] hosts(Fabric fabric) {
    int[] out = new int[fabric.portIdLimit()];
    int n = 0;
    int firstCa = fabric.switchCount();
    for (int node = firstCa; node < firstCa + fabric.caCount(); node++) {
      for (int number = 1; number <= fabric.portCount(node); number++) {
        int port = fabric.port(node, number);
        if (usable(fabric, port)) {
          out[n++] = port;
        }
      }
    }
    return Arrays.copyOf(out, n);
  }

  /** True if the port can take part: it has a LID and sits on a switch, and is not one itself. */
  public static boolean usable(Fabric fabric, int port) {
    return !fabric.isSwitch(fabric.nodeOf(port))
        && fabric.lid(port) != Lid.NONE
        && fabric.attachedSwitch(port) != Fabric.NONE;
  }

  /** Number of endports. */
  public int size() {
    return endports.length;
  }

  /** Port id of an endport. */
  public int endport(int index) {
    return endports[index];
  }

  /** Number of channels: two for each endport, and those between switches. */
  public int channels() {
    return portOfChannel.length;
  }

  /** The port a channel leaves. */
  public int portOfChannel(int channel) {
    return portOfChannel[channel];
  }

  /** Ordered pairs of endports whose route does not arrive. */
  public long lost() {
    return lost;
  }

  /** True if the route arrives; an endport reaches itself. */
  public boolean arrives(int from, int to) {
    int row = rowOf[from];
    return from == to || rows[row][to * stride[row]] != LOST;
  }

  /** Channels between switches on a route, 0 if the endports are equal or the route is lost. */
  public int hops(int from, int to) {
    int row = rowOf[from];
    int n = 0;
    while (n < stride[row] && rows[row][to * stride[row] + n] >= 0) {
      n++;
    }
    return n;
  }

  /**
   * A number that differs between routes that differ, up to chance: endports, channels and every
   * hop count. O(hops kept).
   */
  public long fingerprint() {
    long h = endports.length;
    for (int port : endports) {
      h = mix(h, port);
    }
    for (int port : portOfChannel) {
      h = mix(h, port);
    }
    for (int r = 0; r < rows.length; r++) {
      h = mix(h, stride[r]);
      for (int channel : rows[r]) {
        h = (h ^ channel) * 0x9e3779b97f4a7c15L;
        h ^= h >>> 29;
      }
    }
    return h;
  }

  private static long mix(long h, long v) {
    long x = (h ^ v) * 0x9e3779b97f4a7c15L;
    return x ^ x >>> 29;
  }

  /**
   * Flows on every channel when each endport sends to every other, exactly. O(switches with
   * endports x endports x hops).
   */
  public long[] allToAll() {
    int n = endports.length;
    long[] load = new long[portOfChannel.length];
    int[] members = new int[rows.length];
    for (int row : rowOf) {
      members[row]++;
    }
    for (int r = 0; r < rows.length; r++) {
      int[] row = rows[r];
      for (int d = 0; d < n; d++) {
        int at = d * stride[r];
        int end = at + stride[r];
        if (row[at] == LOST) {
          continue;
        }
        load[n + d] += members[r] - (rowOf[d] == r ? 1 : 0);
        while (at < end && row[at] >= 0) {
          load[row[at++]] += members[r];
        }
      }
    }
    for (int from = 0; from < n; from++) {
      load[from] = n - 1;
    }
    if (lost > 0) {
      subtractLost(load);
    }
    return load;
  }

  private void subtractLost(long[] load) {
    for (int from = 0; from < endports.length; from++) {
      for (int to = 0; to < endports.length; to++) {
        load[from] -= arrives(from, to) ? 0 : 1;
      }
    }
  }

  /** Follows tables, one source switch after the other. */
  private static final class Tracer {
    private final Fabric fabric;
    private final ForwardingTables tables;
    private final int[] endports;
    private final int[] lids;
    private final long[]
        step; // by port id: channel and the switch it leads to, END if to no switch
    private final int[] firstPort; // by switch
    private final int[] portLimit; // by switch: its largest number of a port
    private final int[] portOfChannel;
    private final int[] path;
    private int width = 4;
    private long lost;

    Tracer(Fabric fabric, ForwardingTables tables, int[] endports, int[] lids) {
      this.fabric = fabric;
      this.tables = tables;
      this.endports = endports;
      this.lids = lids;
      int n = endports.length;
      step = new long[fabric.portIdLimit()];
      Arrays.fill(step, END);
      firstPort = new int[fabric.switchCount()];
      portLimit = new int[fabric.switchCount()];
      int[] ports = new int[2 * n + fabric.portIdLimit()];
      for (int i = 0; i < n; i++) {
        require(endports[i]);
        ports[i] = endports[i];
        ports[n + i] = fabric.peer(endports[i]);
      }
      int channels = 2 * n;
      for (int s = 0; s < fabric.switchCount(); s++) {
        firstPort[s] = fabric.port(s, 0);
        portLimit[s] = fabric.portCount(s);
        for (int number = 1; number <= fabric.portCount(s); number++) {
          int port = fabric.port(s, number);
          if (fabric.peer(port) != Fabric.NONE && fabric.isSwitch(fabric.peerNode(port))) {
            step[port] = (long) channels << 32 | fabric.peerNode(port);
            ports[channels++] = port;
          }
        }
      }
      portOfChannel = Arrays.copyOf(ports, channels);
      path = new int[fabric.switchCount() + 1];
    }

    private void require(int port) {
      if (!usable(fabric, port)) {
        throw new IllegalArgumentException("port " + port + " has no LID, or is not on a switch");
      }
    }

    Routes trace() {
      int n = endports.length;
      int[] rowOfSwitch = new int[fabric.switchCount()];
      Arrays.fill(rowOfSwitch, END);
      int[] rowOf = new int[n];
      int[] sources = new int[Math.min(n, fabric.switchCount())];
      int[] members = new int[sources.length];
      int rowCount = 0;
      for (int i = 0; i < n; i++) {
        int leaf = fabric.attachedSwitch(endports[i]);
        if (rowOfSwitch[leaf] == END) {
          sources[rowCount] = leaf;
          rowOfSwitch[leaf] = rowCount++;
        }
        rowOf[i] = rowOfSwitch[leaf];
        members[rowOf[i]]++;
      }
      int[][] rows = new int[rowCount][];
      int[] stride = new int[rowCount];
      long kept = 0;
      for (int r = 0; r < rowCount; r++) {
        rows[r] = row(sources[r], members[r]);
        stride[r] = n == 0 ? 1 : rows[r].length / n;
        kept += rows[r].length;
        if (kept > LARGEST) {
          throw new IllegalArgumentException("the routes would take more than 4 GiB");
        }
      }
      return new Routes(rows, stride, rowOf, endports, portOfChannel, lost);
    }

    private int[] row(int source, int members) {
      int n = endports.length;
      int[] wide = new int[n * width];
      int longest = 1;
      for (int d = 0; d < n; d++) {
        int length = follow(source, lids[d], endports[d]);
        if (length > width) {
          wide = widened(wide, d, width, length, n);
          width = length;
        }
        longest = Math.max(longest, length);
        int at = d * width;
        Arrays.fill(wide, at, at + width, END);
        if (length == LOST) {
          wide[at] = LOST;
          lost += members;
        } else {
          System.arraycopy(path, 0, wide, at, length);
        }
      }
      return longest == width ? wide : widened(wide, n, width, longest, n);
    }

    /** The same routes with another distance between their starts. */
    private static int[] widened(int[] from, int routes, int before, int after, int n) {
      int[] to = new int[n * after];
      for (int d = 0; d < routes; d++) {
        for (int k = 0; k < after; k++) {
          to[d * after + k] = k < before ? from[d * before + k] : END;
        }
      }
      return to;
    }

    /** Number of channels between switches, left in {@link #path}, or {@link #LOST}. */
    private int follow(int source, int lid, int target) {
      int sw = source;
      int length = 0;
      while (true) {
        int number = tables.port(sw, lid);
        if (number == 0 || number > portLimit[sw]) {
          return LOST;
        }
        int out = firstPort[sw] + number;
        long next = step[out];
        if (next == END) {
          return fabric.peer(out) == target ? length : LOST;
        }
        if (length == path.length - 1) {
          return LOST; // more hops than switches: a loop
        }
        path[length++] = (int) (next >>> 32);
        sw = (int) next;
      }
    }
  }
}
