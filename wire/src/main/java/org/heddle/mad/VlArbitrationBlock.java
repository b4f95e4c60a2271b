package org.heddle.mad;

/** Half of a VLArbitrationTable (section 14.2.5.9): 32 pairs of lane and weight. */
public final class VlArbitrationBlock extends Flyweight {
  /** Pairs of a block. */
  public static final int ENTRIES = 32;

  public VlArbitrationBlock() {
    super(Smp.DATA_SIZE);
  }

  /** Wraps bytes; throws IllegalArgumentException if there are too few. */
  public VlArbitrationBlock wrap(byte[] buffer, int offset) {
    place(buffer, offset);
    return this;
  }

  /** Wraps the attribute of an SMP. */
  public VlArbitrationBlock wrap(Smp smp) {
    return wrap(smp.buffer(), smp.dataOffset());
  }

  /** Lane of the i-th pair. */
  public int lane(int i) {
    return bits(2 * i, 0, 4);
  }

  /** Weight of the i-th pair in units of 64 bytes; 0: skipped. */
  public int weight(int i) {
    return get8(2 * i + 1);
  }

  /** Sets the i-th pair. */
  public void pair(int i, int lane, int weight) {
    put8(2 * i, lane & 0xf);
    put8(2 * i + 1, weight);
  }

  /**
   * Attribute modifier.
   *
   * @param high the high-priority table
   * @param half 0 for pairs 0..31, 1 for 32..63
   * @param port output port of a switch, 0 elsewhere
   */
  public static int modifier(boolean high, int half, int port) {
    return (high ? 3 : 1) + half << 16 | port;
  }
}
