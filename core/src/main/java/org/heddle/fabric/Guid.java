package org.heddle.fabric;

/**
 * A 64-bit EUI identifier of a node or port. Ordered as an unsigned number.
 *
 * @param value the 64 bits, most significant byte first
 */
public record Guid(long value) implements Comparable<Guid> {

  /**
   * Reads a GUID from hexadecimal digits, with or without {@code 0x}.
   *
   * @throws IllegalArgumentException if the text is not a hexadecimal number of at most 64 bits
   */
  public static Guid parse(String text) {
    String digits = text.startsWith("0x") || text.startsWith("0X") ? text.substring(2) : text;
    try {
      return new Guid(Long.parseUnsignedLong(digits, 16));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("not a GUID: '" + text + "'", e);
    }
  }

  /** The GUID as the InfiniBand tools print it: {@code 0x} and 16 digits. */
  public static String format(long guid) {
    return "0x" + hex16(guid);
  }

  /** Sixteen lower-case hexadecimal digits, without prefix. */
  public static String hex16(long guid) {
    char[] out = new char[16];
    for (int i = 0; i < 16; i++) {
      out[i] = Character.forDigit((int) (guid >>> (60 - 4 * i)) & 0xf, 16);
    }
    return new String(out);
  }

  @Override
  public int compareTo(Guid other) {
    return Long.compareUnsigned(value, other.value);
  }

  @Override
  public String toString() {
    return format(value);
  }
}
