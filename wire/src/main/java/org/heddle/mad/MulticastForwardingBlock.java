package org.heddle.mad;

/**
 * One block of a MulticastForwardingTable (section 14.2.5.12): for 32 multicast LIDs, which of 16
 * ports get a copy.
 */
public final class MulticastForwardingBlock extends Flyweight {
  /** LIDs of a block. */
  public static final int ENTRIES = 32;

  /** Ports of a mask. */
  public static final int PORTS = 16;

  public MulticastForwardingBlock() {
    super(Smp.DATA_SIZE);
  }

  /** Wraps bytes; throws IllegalArgumentException if there are too few. */
  public MulticastForwardingBlock wrap(byte[] buffer, int offset) {
    place(buffer, offset);
    return this;
  }

  /** Wraps the attribute of an SMP. */
  public MulticastForwardingBlock wrap(Smp smp) {
    return wrap(smp.buffer(), smp.dataOffset());
  }

  /** The mask of the i-th LID: bit p for port 16 * position + p. */
  public int mask(int i) {
    return get16(2 * i);
  }

  public void mask(int i, int mask) {
    put16(2 * i, mask);
  }

  /** Attribute modifier: which 16 ports, 0..15, and which 32 LIDs. */
  public static int modifier(int position, int block) {
    return position << 28 | block;
  }

  /** The 16 ports that a modifier means. */
  public static int position(int modifier) {
    return modifier >>> 28;
  }

  /** The 32 LIDs that a modifier means. */
  public static int block(int modifier) {
    return modifier & 0x1ff;
  }
}
