package org.heddle.mad;

/**
 * SMInfo (section 14.2.5.13).
 *
 * <pre>
 *   0  GUID
 *   8  SM_Key
 *  16  ActCount
 *  20  Priority (4) SMState (4)
 * </pre>
 */
public final class SmInfo extends Flyweight {
  /** State: master of the subnet. */
  public static final int MASTER = 3;

  /** State: ready to become master. */
  public static final int STANDBY = 2;

  /** State: looking for others. */
  public static final int DISCOVERING = 1;

  /** State: asleep. */
  public static final int NOT_ACTIVE = 0;

  public SmInfo() {
    super(21);
  }

  /** Wraps bytes; throws IllegalArgumentException if there are too few. */
  public SmInfo wrap(byte[] buffer, int offset) {
    place(buffer, offset);
    return this;
  }

  /** Wraps the attribute of an SMP. */
  public SmInfo wrap(Smp smp) {
    return wrap(smp.buffer(), smp.dataOffset());
  }

  public long guid() {
    return get64(0);
  }

  public void guid(long guid) {
    put64(0, guid);
  }

  public long smKey() {
    return get64(8);
  }

  public void smKey(long key) {
    put64(8, key);
  }

  /** Counts what it does; one that stands still is dead. */
  public int actCount() {
    return get32(16);
  }

  public void actCount(int count) {
    put32(16, count);
  }

  public int priority() {
    return bits(20, 4, 4);
  }

  public void priority(int priority) {
    putBits(20, 4, 4, priority);
  }

  public int state() {
    return bits(20, 0, 4);
  }

  public void state(int state) {
    putBits(20, 0, 4, state);
  }
}
