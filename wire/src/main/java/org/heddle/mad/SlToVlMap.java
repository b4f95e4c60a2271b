package org.heddle.mad;

/** SLtoVLMappingTable (section 14.2.5.8): the lane of each of the 16 service levels. */
public final class SlToVlMap extends Flyweight {
  /** Service levels. */
  public static final int LEVELS = 16;

  /** The lane that means: drop. */
  public static final int DROP = 15;

  public SlToVlMap() {
    super(8);
  }

  /** Wraps bytes; throws IllegalArgumentException if there are too few. */
  public SlToVlMap wrap(byte[] buffer, int offset) {
    place(buffer, offset);
    return this;
  }

  /** Wraps the attribute of an SMP. */
  public SlToVlMap wrap(Smp smp) {
    return wrap(smp.buffer(), smp.dataOffset());
  }

  /** The lane of a service level, {@link #DROP} for none. */
  public int lane(int level) {
    return bits(level >> 1, level % 2 == 0 ? 4 : 0, 4);
  }

  public void lane(int level, int lane) {
    putBits(level >> 1, level % 2 == 0 ? 4 : 0, 4, lane);
  }

  /** Attribute modifier on a switch: input and output port; on other nodes it is 0. */
  public static int modifier(int inputPort, int outputPort) {
    return inputPort << 8 | outputPort;
  }
}
