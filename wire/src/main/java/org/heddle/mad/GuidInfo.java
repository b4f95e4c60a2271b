package org.heddle.mad;

/**
 * One block of the GUIDInfo (section 14.2.5.5): eight GUIDs of a port, for virtual ports. The first
 * of block 0 is the port's own and cannot be set.
 */
public final class GuidInfo extends Flyweight {
  /** GUIDs of a block. */
  public static final int ENTRIES = 8;

  public GuidInfo() {
    super(Smp.DATA_SIZE);
  }

  /** Wraps bytes; throws IllegalArgumentException if there are too few. */
  public GuidInfo wrap(byte[] buffer, int offset) {
    place(buffer, offset);
    return this;
  }

  /** Wraps the attribute of an SMP. */
  public GuidInfo wrap(Smp smp) {
    return wrap(smp.buffer(), smp.dataOffset());
  }

  /** The i-th GUID of the block, 0 for none. */
  public long guid(int i) {
    return get64(8 * i);
  }

  public void guid(int i, long guid) {
    put64(8 * i, guid);
  }
}
