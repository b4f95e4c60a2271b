package org.heddle.mad;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** NodeDescription (section 14.2.5.2): 64 bytes of UTF-8, padded with zeros. */
public final class NodeDescription extends Flyweight {
  public NodeDescription() {
    super(Smp.DATA_SIZE);
  }

  /** Wraps bytes; throws IllegalArgumentException if there are too few. */
  public NodeDescription wrap(byte[] buffer, int offset) {
    place(buffer, offset);
    return this;
  }

  /** Wraps the attribute of an SMP. */
  public NodeDescription wrap(Smp smp) {
    return wrap(smp.buffer(), smp.dataOffset());
  }

  /** The text up to the first zero; bytes that are no UTF-8 become replacement characters. */
  public String text() {
    int length = 0;
    while (length < size() && get8(length) != 0) {
      length++;
    }
    return new String(buffer(), offset(), length, StandardCharsets.UTF_8);
  }

  /** Sets the text, cut after 64 bytes at a whole character. */
  public void text(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    int length = Math.min(bytes.length, size());
    while (length > 0 && length < bytes.length && (bytes[length] & 0xc0) == 0x80) {
      length--;
    }
    clear();
    System.arraycopy(Arrays.copyOf(bytes, length), 0, buffer(), offset(), length);
  }
}
