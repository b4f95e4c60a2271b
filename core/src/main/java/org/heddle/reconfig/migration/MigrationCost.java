package org.heddle.reconfig.migration;

/**
 * Cost of a move (Tasoulas, thesis, paper II, equations 1 to 5).
 *
 * @param switches n': switches written to
 * @param writesPerSwitch m': the most writes one of them gets
 * @param lftSmps packets that write forwarding tables
 * @param hypervisorSmps packets to hypervisors
 * @param boundMicros n' * m' * (k + r), the paper's bound: one packet after the other, as many to
 *     every switch as to the worst; microseconds
 * @param micros all packets, with as many in flight as window and order allow; microseconds
 */
public record MigrationCost(
    int switches,
    int writesPerSwitch,
    int lftSmps,
    int hypervisorSmps,
    double boundMicros,
    double micros) {

  /**
   * What a packet costs.
   *
   * @param k time of one packet through the network and back, microseconds
   * @param r what directed routing adds to it; 0 for packets routed by destination
   * @param window packets in flight at the same time, at least 1
   */
  public record Model(double k, double r, int window) {
    /**
     * What paper V measured: 4,608 packets to six switches in about 300 ms, so 65 microseconds each
     * with directed routing, of which the share r is an estimate; no pipelining.
     */
    public static final Model PAPER = new Model(50, 15, 1);

    public Model {
      if (!(k >= 0) || !(r >= 0) || window < 1) {
        throw new IllegalArgumentException("k " + k + ", r " + r + ", window " + window);
      }
    }

    /** Time of one packet, microseconds. */
    public double smpMicros() {
      return k + r;
    }
  }
}
