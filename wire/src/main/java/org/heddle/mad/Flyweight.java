package org.heddle.mad;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A window on bytes that gives fields names. It owns nothing: it may be wrapped round other bytes
 * at any time, and sees what others do to the bytes. Not for several threads.
 *
 * <p>All numbers are big-endian; offsets are in bytes from the start of the window.
 */
public abstract class Flyweight {
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private final int size;
  private byte[] bytes;
  private int start;

  /** A window of that many bytes, on nothing yet. */
  protected Flyweight(int size) {
    this.size = size;
  }

  /** Moves the window. */
  protected final void place(byte[] buffer, int offset) {
    if (offset < 0 || offset > buffer.length - size) {
      throw new IllegalArgumentException(
          getClass().getSimpleName()
              + " needs "
              + size
              + " bytes from "
              + offset
              + " on; there are "
              + buffer.length);
    }
    bytes = buffer;
    start = offset;
  }

  /** Bytes of the window. */
  public final int size() {
    return size;
  }

  /** The bytes behind the window. */
  public final byte[] buffer() {
    return bytes;
  }

  /** Where in {@link #buffer()} the window starts. */
  public final int offset() {
    return start;
  }

  /** Sets all bytes of the window to 0. */
  public final void clear() {
    Arrays.fill(bytes, start, start + size, (byte) 0);
  }

  /** Copies the window. */
  public final byte[] copy() {
    return Arrays.copyOfRange(bytes, start, start + size);
  }

  /** An unsigned byte. */
  protected final int get8(int at) {
    return bytes[start + at] & 0xff;
  }

  /** An unsigned number of two bytes. */
  protected final int get16(int at) {
    return (short) SHORT.get(bytes, start + at) & 0xffff;
  }

  /** Three bytes. */
  protected final int get24(int at) {
    return get8(at) << 16 | get16(at + 1);
  }

  /** Four bytes. */
  protected final int get32(int at) {
    return (int) INT.get(bytes, start + at);
  }

  /** Eight bytes. */
  protected final long get64(int at) {
    return (long) LONG.get(bytes, start + at);
  }

  /** Bits of one byte: {@code width} of them, the lowest {@code shift} from the right. */
  protected final int bits(int at, int shift, int width) {
    return bytes[start + at] >>> shift & (1 << width) - 1;
  }

  /** Writes a byte. */
  protected final void put8(int at, int value) {
    bytes[start + at] = (byte) value;
  }

  /** Writes two bytes. */
  protected final void put16(int at, int value) {
    SHORT.set(bytes, start + at, (short) value);
  }

  /** Writes three bytes. */
  protected final void put24(int at, int value) {
    put8(at, value >> 16);
    put16(at + 1, value);
  }

  /** Writes four bytes. */
  protected final void put32(int at, int value) {
    INT.set(bytes, start + at, value);
  }

  /** Writes eight bytes. */
  protected final void put64(int at, long value) {
    LONG.set(bytes, start + at, value);
  }

  /** Writes bits of one byte, the others stay. */
  protected final void putBits(int at, int shift, int width, int value) {
    int mask = (1 << width) - 1 << shift;
    put8(at, get8(at) & ~mask | value << shift & mask);
  }
}
