package org.heddle.congestion;

import java.util.Map;
import java.util.TreeMap;
import org.heddle.fabric.Fabric;

/**
 * What channels carry, against the link that most endports have. The weight of a channel is how
 * many times as long its flows take as one flow alone takes on such a link: their number times the
 * usual rate over the channel's own, rounded up. Where all links are equal it is their number.
 * Links of unknown rate count as usual ones. Immutable.
 */
final class Capacity {
  private final int[] rate; // by channel; null if all are equal
  private final int usual;

  private Capacity(int[] rate, int usual) {
    this.rate = rate;
    this.usual = usual;
  }

  /**
   * Reads the rates of links. O(channels).
   *
   * @param ports by channel: the port it leaves
   * @param endports port ids; of two rates that are as frequent the larger counts
   */
  static Capacity of(Fabric fabric, int[] ports, int[] endports) {
    Map<Integer, Integer> frequency = new TreeMap<>();
    for (int port : endports) {
      if (fabric.linkMegabits(port) > 0) {
        frequency.merge(fabric.linkMegabits(port), 1, Integer::sum);
      }
    }
    int usual = 0;
    int most = 0;
    for (Map.Entry<Integer, Integer> entry : frequency.entrySet()) {
      if (entry.getValue() >= most) {
        usual = entry.getKey();
        most = entry.getValue();
      }
    }
    int[] rate = new int[ports.length];
    boolean equal = true;
    for (int c = 0; c < rate.length; c++) {
      int own = fabric.linkMegabits(ports[c]);
      rate[c] = own == 0 || usual == 0 ? Math.max(1, usual) : own;
      equal &= rate[c] == Math.max(1, usual);
    }
    return new Capacity(equal ? null : rate, Math.max(1, usual));
  }

  /** True if weights are numbers of flows. */
  boolean isUniform() {
    return rate == null;
  }

  /** A fingerprint with the rates of all channels in it. */
  long mixedInto(long fingerprint) {
    long h = fingerprint;
    for (int c = 0; rate != null && c < rate.length; c++) {
      h = Fingerprint.mix(h, rate[c]);
    }
    return Fingerprint.mix(h, usual);
  }

  /** The weight of a channel with so many flows. */
  long weight(int channel, long flows) {
    return rate == null ? flows : Math.ceilDiv(flows * usual, rate[channel]);
  }

  /** The weights of all channels, into an array as long. O(channels). */
  void weigh(int[] flows, int[] out) {
    for (int c = 0; c < flows.length; c++) {
      out[c] = (int) Math.min(Integer.MAX_VALUE, weight(c, flows[c]));
    }
  }
}
