package org.heddle.mad;

/**
 * One block of a LinearForwardingTable (section 14.2.5.10): output ports of the LIDs {@code 64 *
 * modifier} to {@code 64 * modifier + 63}.
 */
public final class LinearForwardingBlock extends Flyweight {
  /** Entries of a block. */
  public static final int ENTRIES = 64;

  public LinearForwardingBlock() {
    super(ENTRIES);
  }

  /** Wraps bytes; throws IllegalArgumentException if there are too few. */
  public LinearForwardingBlock wrap(byte[] buffer, int offset) {
    place(buffer, offset);
    return this;
  }

  /** Wraps the attribute of an SMP. */
  public LinearForwardingBlock wrap(Smp smp) {
    return wrap(smp.buffer(), smp.dataOffset());
  }

  /** Output port of the i-th LID of the block, 255 for none. */
  public int port(int i) {
    return get8(i);
  }

  public void port(int i, int port) {
    put8(i, port);
  }

  /** The block that holds the entry of a LID. */
  public static int blockOf(int lid) {
    return lid / ENTRIES;
  }
}
