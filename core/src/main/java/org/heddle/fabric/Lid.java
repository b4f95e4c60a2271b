package org.heddle.fabric;

/** The numbers of local identifiers (InfiniBand Architecture 1.4, section 4.1.3). */
public final class Lid {
  /** No address: the value before a subnet manager gave one. */
  public static final int NONE = 0;

  /** The smallest unicast LID. */
  public static final int MIN_UNICAST = 1;

  /** The largest unicast LID, 0xBFFF. */
  public static final int MAX_UNICAST = 0xBFFF;

  /** The permissive LID, 0xFFFF: addresses the port a packet arrives at. */
  public static final int PERMISSIVE = 0xFFFF;

  /** The largest LID mask control: a port has at most 2^7 LIDs. */
  public static final int MAX_LMC = 7;

  private Lid() {}

  /** True for 1..0xBFFF. */
  public static boolean isUnicast(int lid) {
    return lid >= MIN_UNICAST && lid <= MAX_UNICAST;
  }

  /** The LID as OpenSM prints it: {@code 0x} and four hexadecimal digits. */
  public static String format(int lid) {
    return String.format("0x%04x", lid);
  }
}
