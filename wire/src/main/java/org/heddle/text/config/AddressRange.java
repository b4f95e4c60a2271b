package org.heddle.text.config;

import java.net.InetAddress;
import java.util.Optional;

/** An address, or a network of addresses that begin in the same way: {@code 10.0.0.0/8}. */
public record AddressRange(InetAddress address, int bits) {
  private static final int BYTE = 8;

  /** True if a text is an address or a network. */
  static boolean isOne(String text) {
    return parse(text).isPresent();
  }

  /**
   * What a text says; empty if it is neither an address nor a network. Nobody is asked for names.
   */
  public static Optional<AddressRange> parse(String text) {
    int slash = text.indexOf('/');
    try {
      InetAddress address = InetAddress.ofLiteral(slash < 0 ? text : text.substring(0, slash));
      int all = address.getAddress().length * BYTE;
      String bits = slash < 0 ? Integer.toString(all) : text.substring(slash + 1);
      return bits.matches("\\d{1,3}") && Integer.parseInt(bits) <= all
          ? Optional.of(new AddressRange(address, Integer.parseInt(bits)))
          : Optional.empty();
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  /** True if an address is in it. */
  public boolean holds(InetAddress other) {
    byte[] a = address.getAddress();
    byte[] b = other.getAddress();
    if (a.length != b.length) {
      return false;
    }
    for (int i = 0; i < bits; i++) {
      int mask = 0x80 >> i % BYTE;
      if ((a[i / BYTE] & mask) != (b[i / BYTE] & mask)) {
        return false;
      }
    }
    return true;
  }
}
