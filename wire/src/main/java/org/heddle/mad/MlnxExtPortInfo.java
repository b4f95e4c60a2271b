package org.heddle.mad;

/**
 * MlnxExtPortInfo, the vendor attribute 0xFF90 in which Mellanox devices say that a link that looks
 * like QDR runs at FDR10. Layout as in umad_sm.h's users (infiniband-diags, ibsim).
 */
public final class MlnxExtPortInfo extends Flyweight {
  /** Value of the active speed for FDR10. */
  public static final int FDR10 = 1;

  public MlnxExtPortInfo() {
    super(16);
  }

  /** Wraps bytes; throws IllegalArgumentException if there are too few. */
  public MlnxExtPortInfo wrap(byte[] buffer, int offset) {
    place(buffer, offset);
    return this;
  }

  /** Wraps the attribute of an SMP. */
  public MlnxExtPortInfo wrap(Smp smp) {
    return wrap(smp.buffer(), smp.dataOffset());
  }

  /** Bit mask: {@link #FDR10}, or 0: as PortInfo says. */
  public int linkSpeedActive() {
    return get8(15);
  }

  public void linkSpeedActive(int bit) {
    put8(15, bit);
  }
}
