package org.heddle.congestion;

import java.util.Arrays;
import org.heddle.fabric.Fabric;
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
  final Channels channels;
  private final long lost;

  Routes(Channels channels, int[][] rows, int[] stride, long lost) {
    this.channels = channels;
    this.rows = rows;
    this.stride = stride;
    this.lost = lost;
    rowOf = channels.rowOf;
  }

  /**
   * Traces all routes between endports. For each destination the entry of every switch is looked at
   * once, then routes are put together: O(endports x (switches + switches with endports x hops)).
   * To count messages of an all-to-all exchange only, {@link AllToAllLoads} needs no routes.
   *
   * @param endports port ids of channel adapters or routers that {@link Fabric#isEndport are
   *     endports}, have a LID and sit on a switch; no one twice
   * @throws IllegalArgumentException if one is not, or the routes would take more than 4 GiB
   */
  public static Routes trace(Fabric fabric, ForwardingTables tables, int[] endports) {
    return trace(Channels.of(fabric, endports.clone()), tables);
  }

  /**
   * Traces the routes between virtual machines, several of which may sit behind one port. The
   * endports of the result are theirs, one a LID, and {@link #endport} names the hypervisor's port.
   *
   * <p>A hypervisor counts as a switch, as it does in subnets of the vSwitch architecture
   * (Tasoulas, thesis, papers II and V): every machine has a channel to it and one from it for
   * itself, all machines of a hypervisor share the two channels of its link, and messages between
   * them use neither. The channels of the links come after those between switches; {@link #hops}
   * counts them. O(LIDs x (switches + hypervisors x hops)) time and memory.
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
    return HypervisorLinks.add(trace(new Channels(fabric, ports, lids.clone()), tables), fabric);
  }

  private static Routes trace(Channels channels, ForwardingTables tables) {
    Hops hops = new Hops(channels, tables);
    int[] destinations = Hops.destinations(channels);
    // Routes to one endport of each switch are nearly always as long as any.
    Routes some = fill(channels, hops, destinations, longest(channels, hops, firsts(channels)));
    return some != null
        ? some
        : fill(channels, hops, destinations, longest(channels, hops, destinations));
  }

  private static int[] firsts(Channels channels) {
    int[] out = new int[channels.rows()];
    Arrays.setAll(out, r -> channels.member(r, 0));
    return out;
  }

  /** The longest route of each row to these destinations, at least 1. */
  private static int[] longest(Channels channels, Hops hops, int[] destinations) {
    int[] length = new int[hops.order.length];
    int[] longest = new int[channels.rows()];
    Arrays.fill(longest, 1);
    for (int d : destinations) {
      hops.towards(d);
      for (int sw : hops.order) {
        length[sw] = hops.channel[sw] < 0 ? 0 : length[hops.next[sw]] + 1;
      }
      for (int r = 0; r < longest.length; r++) {
        int sw = channels.switchOfRow[r];
        longest[r] = hops.arrives(sw) ? Math.max(longest[r], length[sw]) : longest[r];
      }
    }
    return longest;
  }

  /** All routes, or null if one is longer than said. */
  private static Routes fill(Channels channels, Hops hops, int[] destinations, int[] stride) {
    int n = channels.size();
    long kept = 0;
    for (int length : stride) {
      kept += (long) length * n;
    }
    if (kept > LARGEST) {
      throw new IllegalArgumentException("the routes would take more than 4 GiB");
    }
    int[][] rows = new int[stride.length][];
    for (int r = 0; r < rows.length; r++) {
      rows[r] = new int[n * stride[r]];
    }
    long lost = 0;
    for (int d : destinations) {
      hops.towards(d);
      for (int r = 0; r < rows.length; r++) {
        int sw = channels.switchOfRow[r];
        if (!hops.arrives(sw)) {
          rows[r][d * stride[r]] = LOST;
          lost += channels.members(r) - (channels.rowOf[d] == r ? 1 : 0);
        } else if (!copy(hops, sw, rows[r], d * stride[r], stride[r])) {
          return null;
        }
      }
    }
    return new Routes(channels, rows, stride, lost);
  }

  /** Writes down a route; false if it is longer than there is room. */
  private static boolean copy(Hops hops, int from, int[] row, int at, int stride) {
    int sw = from;
    int end = at + stride;
    int k = at;
    for (int channel = hops.channel[sw]; channel >= 0; channel = hops.channel[sw]) {
      if (k == end) {
        return false;
      }
      row[k++] = channel;
      sw = hops.next[sw];
    }
    while (k < end) {
      row[k++] = END;
    }
    return true;
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
    return Channels.usable(fabric, port);
  }

  /** Number of endports. */
  public int size() {
    return channels.size();
  }

  /** Port id of an endport. */
  public int endport(int index) {
    return channels.endports[index];
  }

  /** Number of channels: two for each endport, and those between switches. */
  public int channels() {
    return channels.portOfChannel.length;
  }

  /** The port a channel leaves. */
  public int portOfChannel(int channel) {
    return channels.portOfChannel[channel];
  }

  /** Ordered pairs of different endports whose route does not arrive. */
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
    return Math.max(0, length(row, to));
  }

  /** Channels between switches from a source row to an endport, or {@link #LOST}. */
  private int length(int row, int to) {
    int at = to * stride[row];
    if (rows[row][at] == LOST) {
      return LOST;
    }
    int n = 0;
    while (n < stride[row] && rows[row][at + n] >= 0) {
      n++;
    }
    return n;
  }

  /**
   * A number that differs between routes that differ, up to chance: endports, channels, their
   * rates, and every hop count. O(hops kept).
   */
  public long fingerprint() {
    Fingerprint out = new Fingerprint(channels);
    for (int r = 0; r < rows.length; r++) {
      for (int d = 0; d < size(); d++) {
        int length = length(r, d);
        if (length == LOST) {
          out.addLost(r, d);
          continue;
        }
        long way = Fingerprint.ARRIVED;
        for (int k = length - 1; k >= 0; k--) {
          way = Fingerprint.before(rows[r][d * stride[r] + k], way);
        }
        out.add(r, d, way);
      }
    }
    return out.value();
  }

  /**
   * Flows on every channel when each endport sends to every other, exactly. O(switches with
   * endports x endports x hops).
   */
  public long[] allToAll() {
    int n = size();
    long[] load = new long[channels()];
    for (int r = 0; r < rows.length; r++) {
      int[] row = rows[r];
      int members = channels.members(r);
      for (int d = 0; d < n; d++) {
        int at = d * stride[r];
        int end = at + stride[r];
        if (row[at] == LOST) {
          continue;
        }
        load[n + d] += members - (rowOf[d] == r ? 1 : 0);
        while (at < end && row[at] >= 0) {
          load[row[at++]] += members;
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
    for (int r = 0; r < rows.length; r++) {
      for (int d = 0; d < size(); d++) {
        for (int i = 0; rows[r][d * stride[r]] == LOST && i < channels.members(r); i++) {
          int from = channels.member(r, i);
          load[from] -= from == d ? 0 : 1;
        }
      }
    }
  }
}
