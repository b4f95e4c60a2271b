package org.heddle.congestion;

import org.heddle.fabric.Fabric;
import org.heddle.routing.ForwardingTables;

/**
 * What an all-to-all exchange between some endports puts on every channel, exactly, from forwarding
 * tables and without any list of routes. To one destination all routes form a tree: sources are
 * counted by switch, and counts add up on the way down to the destination. The same numbers as
 * those of {@link Routes#allToAll} and of a {@link Study} with this pattern. Endports and channels
 * are numbered as in {@link Routes}. Immutable.
 */
public final class AllToAllLoads {
  private final Channels channels;
  private final ForwardingTables tables;
  private final long[] load;
  private final int[] lostFrom; // by endport
  private final long lost;

  private AllToAllLoads(
      Channels channels, ForwardingTables tables, long[] load, int[] lostFrom, long lost) {
    this.channels = channels;
    this.tables = tables;
    this.load = load;
    this.lostFrom = lostFrom;
    this.lost = lost;
  }

  /**
   * Counts the messages. O(endports x switches), 8 bytes a channel.
   *
   * @param endports as in {@link Routes#trace}
   * @throws IllegalArgumentException if one has no LID or does not sit on a switch
   */
  public static AllToAllLoads of(Fabric fabric, ForwardingTables tables, int[] endports) {
    Channels channels = Channels.of(fabric, endports.clone());
    int n = channels.size();
    long[] load = new long[channels.portOfChannel.length];
    int[] lostFrom = new int[n];
    long[] flow = new long[fabric.switchCount()];
    Hops hops = new Hops(channels, tables);
    for (int d : Hops.destinations(channels)) {
      hops.towards(d);
      load[n + d] = start(channels, hops, d, flow, lostFrom);
      for (int i = hops.order.length - 1; i >= 0; i--) {
        int sw = hops.order[i];
        int channel = hops.channel[sw];
        if (channel >= 0) {
          load[channel] += flow[sw];
          flow[hops.next[sw]] += flow[sw];
        }
        flow[sw] = 0;
      }
    }
    long lost = 0;
    for (int from = 0; from < n; from++) {
      load[from] = n - 1 - lostFrom[from];
      lost += lostFrom[from];
    }
    return new AllToAllLoads(channels, tables, load, lostFrom, lost);
  }

  /** Puts the senders at their switches; returns how many there are. */
  private static long start(Channels channels, Hops hops, int d, long[] flow, int[] lostFrom) {
    long senders = 0;
    for (int r = 0; r < channels.rows(); r++) {
      int sw = channels.switchOfRow[r];
      boolean own = channels.rowOf[d] == r;
      int members = channels.members(r) - (own ? 1 : 0);
      if (hops.arrives(sw)) {
        flow[sw] = members;
        senders += members;
        continue;
      }
      for (int i = 0; i < channels.members(r); i++) {
        int from = channels.member(r, i);
        lostFrom[from] += from == d ? 0 : 1;
      }
    }
    return senders;
  }

  /** Number of endports. */
  public int size() {
    return channels.size();
  }

  /** Number of channels: two for each endport, and those between switches. */
  public int channels() {
    return load.length;
  }

  /** The port a channel leaves. */
  public int portOfChannel(int channel) {
    return channels.portOfChannel[channel];
  }

  /** Messages on a channel. */
  public long load(int channel) {
    return load[channel];
  }

  /** Ordered pairs of different endports whose route does not arrive. */
  public long lost() {
    return lost;
  }

  /** Messages of an endport that do not arrive. */
  public int lostFrom(int endport) {
    return lostFrom[endport];
  }

  /**
   * The exchange as one trial, with the fingerprint of the routes ({@link Routes#fingerprint}).
   *
   * @param statistics as {@link Evaluation} gives them
   * @param fingerprint of all routes
   */
  public record Exchange(Statistics statistics, long fingerprint) {}

  /**
   * Goes through the tables once more and weighs all messages. O(endports x switches), and
   * O(endports^2) if messages are lost.
   *
   * @param trials how often the exchange takes place, always with the same result
   * @param settings whether delays and loads of channels are wanted; there are no delays of some
   *     ranks only
   */
  public Exchange exchange(long trials, Study.Settings settings) {
    int n = size();
    Statistics one = new Statistics(settings.channels() ? load.length : 0);
    Fingerprint fingerprint = new Fingerprint(channels);
    Weights weights = new Weights(one);
    Hops hops = new Hops(channels, tables);
    long[] most = new long[channels.fabric.switchCount()]; // by switch: on its way
    long[] way = new long[most.length];
    for (int d : Hops.destinations(channels)) {
      hops.towards(d);
      for (int sw : hops.order) {
        int channel = hops.channel[sw];
        boolean last = channel < 0;
        most[sw] = last ? weight(n + d) : Math.max(weight(channel), most[hops.next[sw]]);
        way[sw] = last ? Fingerprint.ARRIVED : Fingerprint.before(channel, way[hops.next[sw]]);
      }
      for (int r = 0; r < channels.rows(); r++) {
        int sw = channels.switchOfRow[r];
        if (hops.arrives(sw)) {
          fingerprint.add(r, d, way[sw]);
          weigh(r, d, most[sw], weights);
        } else {
          fingerprint.addLost(r, d);
        }
      }
    }
    if (settings.channels()) {
      one.channels(load);
    }
    int delay = settings.delays() ? weights.most : -1;
    one.trial(weights.most, delay, weights.count, weights.inverse, lost);
    Statistics all = new Statistics(one.channels());
    all.add(one, trials);
    return new Exchange(all, fingerprint.value());
  }

  private long weight(int channel) {
    return channels.capacity.weight(channel, load[channel]);
  }

  private void weigh(int row, int to, long most, Weights weights) {
    int n = size();
    if (lost == 0 && channels.capacity.isUniform()) { // all send as much
      int flows = channels.members(row) - (channels.rowOf[to] == row ? 1 : 0);
      weights.add((int) Math.max(most, n - 1), flows);
      return;
    }
    for (int i = 0; i < channels.members(row); i++) {
      int from = channels.member(row, i);
      if (from != to) {
        weights.add((int) Math.max(most, weight(from)), 1);
      }
    }
  }

  /** Sums over messages. */
  private static final class Weights {
    private final Statistics statistics;
    private int most;
    private long count;
    private double inverse;

    Weights(Statistics statistics) {
      this.statistics = statistics;
    }

    void add(int weight, int flows) {
      if (flows > 0) {
        statistics.weight(weight, flows);
        most = Math.max(most, weight);
        count += flows;
        inverse += (double) flows / weight;
      }
    }
  }
}
