package org.heddle.server.ufm;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.heddle.plan.model.PartitionOptions;

/** Keys and GUIDs as clients of the UFM API write them, and as it answers them. */
final class UfmText {
  /** What clients call the default partition. */
  static final String MANAGEMENT = "management";

  /** Bit 15 of a P_Key says full member; it is no part of the partition's name. */
  private static final int MEMBERSHIP_BIT = 0x8000;

  private static final int GUID_DIGITS = 16;

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS", Locale.ROOT).withZone(ZoneOffset.UTC);

  private UfmText() {}

  /** A moment, in UTC: {@code 2026-01-31 08:15:00.000}. */
  static String time(Instant at) {
    return TIME.format(at);
  }

  /**
   * A partition key: {@code 0x12}, {@code 0x0012}, decimal {@code 18}, with or without the
   * membership bit.
   *
   * @return the base key, 1 to 0x7fff; empty for anything else
   */
  static OptionalInt key(String text) {
    String t = text.strip();
    int value;
    try {
      boolean hex = t.startsWith("0x") || t.startsWith("0X");
      value = hex ? Integer.parseUnsignedInt(t.substring(2), 16) : Integer.parseUnsignedInt(t, 10);
    } catch (NumberFormatException e) {
      return OptionalInt.empty();
    }
    if (t.indexOf('+') >= 0 || value < 0 || value > 0xffff) {
      return OptionalInt.empty();
    }
    int base = value & ~MEMBERSHIP_BIT;
    return base == 0 ? OptionalInt.empty() : OptionalInt.of(base);
  }

  /** The name of a partition that nobody named: {@code api_pkey_0x5}. */
  static String autoName(int key) {
    return key == PartitionOptions.MANAGEMENT ? MANAGEMENT : "api_pkey_" + key(key);
  }

  /** Lower-case hexadecimal without padding: {@code 0x5}. */
  static String key(int key) {
    return "0x" + Integer.toHexString(key);
  }

  /**
   * A port GUID: 16 hexadecimal digits in either case, also behind {@code 0x} or with colons or
   * dashes between them.
   *
   * @return empty for anything else, and for GUID 0, which no port has
   */
  static OptionalLong guid(String text) {
    String t = text.strip();
    String digits = t.startsWith("0x") || t.startsWith("0X") ? t.substring(2) : t;
    digits = digits.replace(":", "").replace("-", "");
    if (digits.length() != GUID_DIGITS || digits.charAt(0) == '+') {
      return OptionalLong.empty();
    }
    try {
      long value = Long.parseUnsignedLong(digits, 16);
      return value == 0 ? OptionalLong.empty() : OptionalLong.of(value);
    } catch (NumberFormatException e) {
      return OptionalLong.empty();
    }
  }
}
