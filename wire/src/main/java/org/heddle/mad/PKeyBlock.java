package org.heddle.mad;

/**
 * One block of a P_KeyTable (section 14.2.5.7): 32 keys, bit 15 for full members, 0x0000 and 0x8000
 * for no key.
 */
public final class PKeyBlock extends Flyweight {
  /** Keys of a block. */
  public static final int ENTRIES = 32;

  public PKeyBlock() {
    super(Smp.DATA_SIZE);
  }

  /** Wraps bytes; throws IllegalArgumentException if there are too few. */
  public PKeyBlock wrap(byte[] buffer, int offset) {
    place(buffer, offset);
    return this;
  }

  /** Wraps the attribute of an SMP. */
  public PKeyBlock wrap(Smp smp) {
    return wrap(smp.buffer(), smp.dataOffset());
  }

  /** The i-th key of the block. */
  public int key(int i) {
    return get16(2 * i);
  }

  public void key(int i, int key) {
    put16(2 * i, key);
  }

  /** Attribute modifier: which port (of a switch; 0 elsewhere) and which block. */
  public static int modifier(int port, int block) {
    return port << 16 | block;
  }
}
